/* feed.c - from the library to the queue: every feeder cuts a record out under a lock and prepares it by itself. */
#include <stdlib.h>
#include <string.h>

#include "pipeline/pipeline.h"

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
static bool next_chunk(bt_pipeline *p) {
  const bt_screen_options *o = p->options;
  bool slice = p->count >= 0 && o->opt_chunk == NULL;
  if (slice) { /* one chunk from the beginning of the slice to its end */
    if (p->next_chunk++ > 0) return false;
    p->chunk = slice_begin(p->count, o->shard, o->shards);
    p->chunk_end = slice_begin(p->count, o->shard + 1, o->shards);
    return p->chunk < p->chunk_end;
  }
  int64_t number = o->opt_chunk != NULL ? o->opt_chunk(o->opt_user) : p->next_chunk++ * o->shards + o->shard - 1;
  if (number < 0) {
    bt_error error;
    bt_fail(&error, BT_ERR_IO, (bt_where){0}, "go on with --resume", "the other processes cannot be asked for work");
    bt_pipeline_stop(p, error.status, &error);
    return false;
  }
  p->chunk = number * BT_SCREEN_CHUNK;
  p->chunk_end = p->chunk + BT_SCREEN_CHUNK;
  if (p->count >= 0 && p->chunk_end > p->count) p->chunk_end = p->count;
  return p->count < 0 || p->chunk < p->count;
}

/* --- what is done already ------------------------------------------------------------------------------ */

static bt_status look_ahead(bt_pipeline *p, bt_error *error) {
  const int most = (int)(sizeof p->done / sizeof p->done[0]);
  pthread_mutex_lock(&p->store_lock);
  bt_status status = bt_store_done(p->store, p->chunk, p->done, most, &p->n_done, error);
  pthread_mutex_unlock(&p->store_lock);
  p->done_at = 0;
  p->done_all = p->n_done < most;
  return status;
}

/* Moves p->chunk to the chunk's first ordinal that is not done, or to its end. Rows that this session adds lie behind.
 */
static bt_status skip_done(bt_pipeline *p, bt_error *error) {
  while (p->chunk < p->chunk_end) {
    while (p->done_at < p->n_done && p->done[p->done_at] < p->chunk) p->done_at++;
    if (p->done_at < p->n_done) {
      if (p->done[p->done_at] != p->chunk) return BT_OK;
      p->chunk++;
    } else {
      if (p->done_all) return BT_OK;
      BT_TRY(look_ahead(p, error));
    }
  }
  return BT_OK;
}

/* --- records ------------------------------------------------------------------------------------------- */

static void note_end(bt_pipeline *p) {
  p->library_ended = true;
  const bt_screen_options *o = p->options;
  pthread_mutex_lock(&p->lock);
  if (p->total < 0 && o->opt_chunk == NULL) {
    bool only_one = o->shards == 1;
    if (only_one) p->total = p->position;
  }
  pthread_mutex_unlock(&p->lock);
}

/* The next record that this process has to dock; *ret_found is false at the end. With the library's lock. */
static bt_status cut(bt_pipeline *p, bt_library_item *item, bool *ret_found, bt_error *error) {
  *ret_found = false;
  while (!p->library_ended) {
    if (p->chunk >= p->chunk_end && !next_chunk(p)) {
      p->library_ended = true;
      break;
    }
    BT_TRY(skip_done(p, error));
    if (p->chunk >= p->chunk_end) continue;
    if (p->position != p->chunk) BT_TRY(bt_library_seek(p->library, p->chunk, error));
    p->position = p->chunk;
    bool found;
    BT_TRY(bt_library_next(p->library, item, &found, error));
    if (!found) {
      note_end(p);
      break;
    }
    p->position = ++p->chunk;
    *ret_found = true;
    return BT_OK;
  }
  return BT_OK;
}

/* Waits for room in the queue; false: no more is wanted. */
static bool wait_for_room(bt_pipeline *p) {
  pthread_mutex_lock(&p->lock);
  while (p->queue.count + p->feeders > p->queue.capacity / 2 && !p->stop && !p->finish)
    pthread_cond_wait(&p->changed, &p->lock);
  bool wanted = !p->stop && !p->finish;
  pthread_mutex_unlock(&p->lock);
  return wanted;
}

static void reject(bt_pipeline *p, const bt_library_item *from, const bt_error *error) {
  bt_pipeline_write(p, bt_row_of_error(from->ordinal, from->name, from->source, "rejected", error));
}

/* Hands a prepared ligand to the workers. */
static bt_status put(bt_pipeline *p, const bt_library_item *from, bt_screen_item *item, bt_error *error) {
  item->ordinal = from->ordinal;
  item->name = strdup(from->name != NULL ? from->name : "");
  item->source = strdup(from->source != NULL ? from->source : "");
  pthread_mutex_lock(&p->lock);
  bool ok = item->name != NULL && item->source != NULL && bt_screen_queue_put(&p->queue, item);
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  if (ok) return BT_OK;
  bt_screen_item_clear(item);
  return bt_fail_memory(error);
}

/* Fails only when memory is exhausted. */
static bt_status prepare(bt_pipeline *p, bt_library_item *from, bt_error *error) {
  bt_screen_item item = {0};
  bt_error reason = from->error;
  if (reason.status == BT_OK) BT_TRY(p->engine->prepare(p, from, &item, &reason, error));
  if (reason.status == BT_OK) return put(p, from, &item, error);
  reject(p, from, &reason);
  return BT_OK;
}

/* Everything of one record; false: this was the last one, or there is a reason to stop. */
static bool feed_one(bt_pipeline *p) {
  bt_library_item item = {0};
  bt_error error = {0};
  bool found = false;
  pthread_mutex_lock(&p->library_lock);
  bt_status status = cut(p, &item, &found, &error);
  pthread_mutex_unlock(&p->library_lock);
  if (status == BT_OK && found) {
    status = prepare(p, &item, &error);
    bt_library_item_clear(&item);
  }
  if (status != BT_OK) bt_pipeline_stop(p, status, &error);
  return status == BT_OK && found;
}

void *bt_feed_thread(void *argument) {
  bt_pipeline *p = argument;
  while (wait_for_room(p) && feed_one(p)) continue;
  pthread_mutex_lock(&p->lock);
  p->feeders--;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* --- the library --------------------------------------------------------------------------------------- */

bt_status bt_feed_open(bt_pipeline *p, bt_error *opt_error) {
  const bt_screen_options *o = p->options;
  BT_TRY(bt_library_open(o->ligands, o->n_ligands, &o->prepare, &p->library, opt_error));
  BT_TRY(bt_library_check_formats(p->library, o->opt_bude != NULL, opt_error));
  p->count = bt_library_count(p->library);
  p->total = p->count >= 0 && o->opt_chunk == NULL ? bt_feed_share(p->count, true, o->shard, o->shards) : -1;
  return BT_OK;
}

void *bt_feed_count_thread(void *argument) {
  bt_pipeline *p = argument;
  const bt_screen_options *o = p->options;
  bt_library *library = NULL;
  int64_t count = -1;
  if (bt_library_open(o->ligands, o->n_ligands, &o->prepare, &library, NULL) == BT_OK &&
      bt_library_count_all(library, &count, NULL) == BT_OK && count >= 0) {
    pthread_mutex_lock(&p->lock);
    p->total = bt_feed_share(count, false, o->shard, o->shards);
    pthread_mutex_unlock(&p->lock);
  }
  bt_library_close(library);
  return NULL;
}
