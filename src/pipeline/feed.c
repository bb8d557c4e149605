/* feed.c - from the library to the queue: each feeder cuts out a record under a lock and prepares it on its own. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/ligand/preparer.h"

#include "pipeline/screen.h"

/* --- shares -------------------------------------------------------------------------------------------- */

static int64_t slice_begin(int64_t n, int shard, int shards) {
  return n / shards * (shard - 1) + n % shards * (shard - 1) / shards;
}

int64_t bt_feed_share(int64_t n, bool known, int shard, int shards) {
  if (known) return slice_begin(n, shard + 1, shards) - slice_begin(n, shard, shards);
  int64_t chunks = n / BT_SCREEN_CHUNK, rest = n % BT_SCREEN_CHUNK;
  int64_t mine = chunks / shards + (chunks % shards > shard - 1);
  return mine * BT_SCREEN_CHUNK + (chunks % shards == shard - 1 ? rest : 0);
}

/* The next chunk of this process; false: there is none. With the library's lock. */
static bool next_chunk(bt_screen *s) {
  const bt_screen_options *o = s->options;
  bool slice = s->count >= 0 && o->opt_chunk == NULL;
  if (slice) { /* one chunk from the beginning of the slice to its end */
    if (s->next_chunk++ > 0) return false;
    s->chunk = slice_begin(s->count, o->shard, o->shards);
    s->chunk_end = slice_begin(s->count, o->shard + 1, o->shards);
    return s->chunk < s->chunk_end;
  }
  int64_t number = o->opt_chunk != NULL ? o->opt_chunk(o->opt_user) : s->next_chunk++ * o->shards + o->shard - 1;
  if (number < 0) {
    bt_error error;
    bt_fail(&error, BT_ERR_IO, (bt_where){0}, "continue with --resume", "cannot request work from the other processes");
    bt_pipeline_stop(&s->pipeline, error.status, &error);
    return false;
  }
  s->chunk = number * BT_SCREEN_CHUNK;
  s->chunk_end = s->chunk + BT_SCREEN_CHUNK;
  if (s->count >= 0 && s->chunk_end > s->count) s->chunk_end = s->count;
  return s->count < 0 || s->chunk < s->count;
}

/* --- what is done already ------------------------------------------------------------------------------ */

static bt_status look_ahead(bt_screen *s, bt_error *error) {
  const int most = (int)(sizeof s->done / sizeof s->done[0]);
  pthread_mutex_lock(&s->store_lock);
  bt_status status = bt_store_done(s->store, s->chunk, s->done, most, &s->n_done, error);
  pthread_mutex_unlock(&s->store_lock);
  s->done_at = 0;
  s->done_all = s->n_done < most;
  return status;
}

/* Moves s->chunk to the chunk's first ordinal that is not done, or to its end. Rows that this session adds lie behind.
 */
static bt_status skip_done(bt_screen *s, bt_error *error) {
  while (s->chunk < s->chunk_end) {
    while (s->done_at < s->n_done && s->done[s->done_at] < s->chunk) s->done_at++;
    if (s->done_at < s->n_done) {
      if (s->done[s->done_at] != s->chunk) return BT_OK;
      s->chunk++;
    } else {
      if (s->done_all) return BT_OK;
      BT_TRY(look_ahead(s, error));
    }
  }
  return BT_OK;
}

/* --- records ------------------------------------------------------------------------------------------- */

static void note_end(bt_screen *s) {
  s->library_ended = true;
  const bt_screen_options *o = s->options;
  pthread_mutex_lock(&s->pipeline.lock);
  if (s->total < 0 && o->opt_chunk == NULL && o->shards == 1) s->total = s->position;
  pthread_mutex_unlock(&s->pipeline.lock);
}

/* The next record that this process has to dock; *ret_found is false at the end. With the library's lock. */
static bt_status cut(bt_screen *s, bt_library_item *item, bool *ret_found, bt_error *error) {
  *ret_found = false;
  while (!s->library_ended) {
    if (s->chunk >= s->chunk_end && !next_chunk(s)) {
      s->library_ended = true;
      break;
    }
    BT_TRY(skip_done(s, error));
    if (s->chunk >= s->chunk_end) continue;
    if (s->position != s->chunk) BT_TRY(bt_library_seek(s->library, s->chunk, error));
    s->position = s->chunk;
    bool found;
    BT_TRY(bt_library_next(s->library, item, &found, error));
    if (!found) {
      note_end(s);
      break;
    }
    s->position = ++s->chunk;
    *ret_found = true;
    return BT_OK;
  }
  return BT_OK;
}

typedef struct preparation {
  bt_screen *screen;
  bt_library_item *from;
  bt_item *items; /* [n_items] the record's states */
  int n_items;
  size_t room;
} preparation;

static void clear_items(preparation *p) {
  for (int k = 0; k < p->n_items; k++) bt_item_clear(&p->items[k]);
  p->n_items = 0;
}

static bt_status describe_item(const preparation *p, int index, bt_item_states *opt_states, bt_error *error) {
  bt_item *item = &p->items[index];
  const bt_library_item *from = p->from;
  item->ordinal = from->ordinal;
  item->name = strdup(from->name != NULL ? from->name : "");
  item->source = strdup(from->source != NULL ? from->source : "");
  if (from->properties != NULL && (item->properties = strdup(from->properties)) == NULL) return bt_fail_memory(error);
  item->opt_states = opt_states;
  if (opt_states != NULL) opt_states->references++;
  return item->name != NULL && item->source != NULL ? BT_OK : bt_fail_memory(error);
}

/* Hands the states of a record, or its only one, to the workers. */
static bt_status put(preparation *p, bt_error *error) {
  bt_item_states *states = p->n_items > 1 ? bt_allocate(1, sizeof *states) : NULL;
  if (p->n_items > 1 && states == NULL) return bt_fail_memory(error);
  if (states != NULL) states->count = states->left = p->n_items;
  bt_status status = BT_OK;
  for (int k = 0; k < p->n_items && (status == BT_OK || k == 0); k++) status = describe_item(p, k, states, error);
  int at = 0;
  while (status == BT_OK && at < p->n_items) {
    if (!bt_pipeline_put(&p->screen->pipeline, &p->items[at])) status = bt_fail_memory(error);
    if (status == BT_OK) p->items[at++] = (bt_item){0}; /* is the queue's */
  }
  return status;
}

/* Makes an item of p->from->molecule, or says in *reason why not. */
static bt_status prepare_one(preparation *p, int state, bt_error *reason, bt_error *error) {
  bt_engine *engine = p->screen->engine;
  bt_item item = {.state = state};
  BT_TRY(engine->type->prepare(engine, p->screen->library, p->from, &item, reason, error));
  if (reason->status != BT_OK) return BT_OK;
  item.engine = engine->type;
  if (BT_APPEND(p->items, p->n_items, &p->room, item)) return BT_OK;
  bt_item_clear(&item);
  return bt_fail_memory(error);
}

/* All states of a record; *reason is that of the first if none can be docked. */
static bt_status prepare_states(preparation *p, bt_error *reason, bt_error *error) {
  bt_molecules list;
  BT_TRY(bt_library_prepare_all(p->screen->library, p->from, &list, error));
  *reason = p->from->error;
  p->from->open_stereo = list.count > 0 && bt_ligand_has_open_stereo(list.items[0]);
  bt_status status = BT_OK;
  for (size_t k = 0; status == BT_OK && k < list.count; k++) {
    bt_error why = {0};
    p->from->molecule = list.items[k];
    list.items[k] = NULL;
    status = prepare_one(p, (int)k + 1, &why, error);
    bt_molecule_destroy(p->from->molecule);
    p->from->molecule = NULL;
    if (k == 0) *reason = why;
  }
  bt_molecules_destroy(&list);
  if (status == BT_OK && p->n_items > 0) *reason = (bt_error){0};
  return status;
}

static bt_status prepare_items(void *context, bt_error *reason, bt_error *error) {
  preparation *p = context;
  clear_items(p); /* of an attempt that ran out of memory */
  bool several = p->screen->options->prepare.protomers > 1;
  return several ? prepare_states(p, reason, error) : prepare_one(p, 1, reason, error);
}

/* True once nothing new will be docked, so preparation can be cancelled. Polled by all feeders. */
static bool is_ending(void *user) {
  bt_screen *s = user;
  pthread_mutex_lock(&s->pipeline.lock);
  bool ending = s->pipeline.finish || s->pipeline.stop;
  pthread_mutex_unlock(&s->pipeline.lock);
  return ending;
}

/* Failures that are not the record's fault (memory, a file that cannot be read now) leave it undone, not rejected. */
static bt_status prepare(bt_screen *s, bt_library_item *from, bt_error *error) {
  preparation p = {.screen = s, .from = from};
  bt_error reason = from->error;
  if (reason.status == BT_ERR_IO) return *error = reason, reason.status;
  bt_status status = reason.status == BT_OK ? bt_library_try(s->library, prepare_items, &p, &reason, error) : BT_OK;
  if (status == BT_OK && from->open_stereo) {
    pthread_mutex_lock(&s->pipeline.lock);
    s->open_stereo++;
    pthread_mutex_unlock(&s->pipeline.lock);
  }
  if (status == BT_OK && reason.status == BT_OK)
    status = put(&p, error);
  else if (status == BT_OK)
    bt_commit_reject(s, from, &reason);
  clear_items(&p);
  free(p.items);
  return status;
}

bool bt_feed_one(void *user) {
  bt_screen *s = user;
  bt_library_item item = {0};
  bt_error error = {0};
  bool found = false;
  pthread_mutex_lock(&s->library_lock);
  bt_status status = cut(s, &item, &found, &error);
  pthread_mutex_unlock(&s->library_lock);
  if (status == BT_OK && found) {
    status = prepare(s, &item, &error);
    bt_library_item_clear(&item);
  }
  if (status != BT_OK && status != BT_ERR_CANCELLED) bt_pipeline_stop(&s->pipeline, status, &error);
  return status == BT_OK && found;
}

/* --- the library --------------------------------------------------------------------------------------- */

bt_status bt_feed_open(bt_screen *s, bt_error *opt_error) {
  const bt_screen_options *o = s->options;
  bt_prepare_options prepare = o->prepare;
  prepare.opt_cancelled = is_ending;
  prepare.opt_cancelled_user = s;
  if (o->prepare.protomers > 1 && s->engine->type->mol2_alone)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0},
                   "make a library of them first: berth prep library --protomers", "the engine %s docks one protomer",
                   s->engine->type->name);
  if (o->prepare.opt_filter != NULL && s->engine->type->mol2_alone)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "make a library with it first: berth prep library --filter",
                   "the engine %s has no filter", s->engine->type->name);
  BT_TRY(bt_library_open(o->ligands, o->n_ligands, &prepare, &s->library, opt_error));
  BT_TRY(bt_library_check_formats(s->library, s->engine->type->mol2_alone, opt_error));
  s->count = bt_library_count(s->library);
  s->total = s->count >= 0 && o->opt_chunk == NULL ? bt_feed_share(s->count, true, o->shard, o->shards) : -1;
  return BT_OK;
}

void *bt_feed_count_thread(void *argument) {
  bt_screen *s = argument;
  const bt_screen_options *o = s->options;
  bt_library *library = NULL;
  int64_t count = -1;
  if (bt_library_open(o->ligands, o->n_ligands, &o->prepare, &library, NULL) == BT_OK &&
      bt_library_count_all(library, &count, NULL) == BT_OK && count >= 0) {
    pthread_mutex_lock(&s->pipeline.lock);
    s->total = bt_feed_share(count, false, o->shard, o->shards);
    pthread_mutex_unlock(&s->pipeline.lock);
  }
  bt_library_close(library);
  return NULL;
}
