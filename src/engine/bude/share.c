/* share.c - see share.h. */
#include "engine/bude/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "engine/bude/state.h"

/* Conformers at once; the part of a population that a trial searches, once, and its least number of poses. */
enum { BATCH = 16, TRIAL_PART = 8, TRIAL_LEAST = 1024 };
static const double PATIENCE = 0.1; /* seconds between calls of the user's progress */

/* ------------------------------------------------------------------------------------------------ devices -- */

static bt_status find_named(bt_bude *bude, bt_error *opt_error) {
  for (const char *from = bude->options.opt_device;; from++) {
    char name[64];
    size_t length = strcspn(from, ",");
    if (length >= sizeof name)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use names as `berth devices` lists them",
                     "'%.100s' is not the name of a device", from);
    memcpy(name, from, length);
    name[length] = '\0';
    BT_TRY(bt_backend_find(name, &bude->units[bude->n_units].backend, opt_error));
    bude->n_units++;
    from += length;
    if (*from == '\0') return BT_OK;
  }
}

typedef struct opening {
  bt_bude *bude;
  bt_status *statuses; /* [units] */
  bt_error *errors;
} opening;

static void open_unit(void *context, int index) {
  opening *all = context;
  const bt_bude_options *o = &all->bude->options;
  bt_bude_unit *unit = &all->bude->units[index];
  bt_bude_engine_options engine = {
      .threads = o->threads, .poses_per_item = o->poses_per_item, .group = o->group, .memory = (size_t)o->memory};
  unit->bude = all->bude;
  unit->batch = o->batch > 0 ? o->batch : BATCH;
  all->statuses[index] = bt_bude_engine_create_on(unit->backend, &engine, &unit->engine, &all->errors[index]);
}

/* All at once, since opening an accelerator takes a while. */
static bt_status open_found(bt_bude *bude, bt_error *opt_error) {
  BT_SCOPED bt_status *statuses = bt_allocate((size_t)bude->n_units, sizeof *statuses);
  BT_SCOPED bt_error *errors = bt_allocate((size_t)bude->n_units, sizeof *errors);
  if (statuses == NULL || errors == NULL) return bt_fail_memory(opt_error);
  opening all = {bude, statuses, errors};
  bt_parallel(bude->n_units, open_unit, &all);
  for (int k = 0; k < bude->n_units; k++) {
    if (statuses[k] == BT_OK) continue;
    if (opt_error != NULL) *opt_error = errors[k];
    return statuses[k];
  }
  return BT_OK;
}

/* Accelerators wait for the threads that drive them when a CPU beside them has all cores. */
static void leave_threads(bt_bude *bude) {
  int accelerators = 0, threads = bt_thread_count_default();
  for (int k = 0; k < bude->n_units; k++) accelerators += bt_bude_engine_is_accelerator(bude->units[k].engine);
  if (accelerators == 0 || bude->options.threads > 0) return;
  for (int k = 0; k < bude->n_units; k++)
    if (!bt_bude_engine_is_accelerator(bude->units[k].engine))
      bt_bude_engine_use_threads(bude->units[k].engine, threads > accelerators ? threads - accelerators : 1);
}

/* With room for so many devices. */
static bt_status open_sharing(bt_bude *bude, size_t devices, bt_error *opt_error) {
  bt_bude_sharing *s = bude->sharing = bt_allocate(1, sizeof *s);
  if (s == NULL) return bt_fail_memory(opt_error);
  pthread_mutex_init(&s->lock, NULL);
  bt_condition_init(&s->changed);
  s->paces = bt_allocate(devices, sizeof *s->paces);
  bude->units = bt_allocate(devices, sizeof *bude->units);
  if (s->paces == NULL || bude->units == NULL) return bt_fail_memory(opt_error);
  for (size_t k = 0; k < devices; k++) bude->units[k].pace = &s->paces[k];
  return BT_OK;
}

bt_status bt_bude_units_open(bt_bude *bude, bt_error *opt_error) {
  const char *names = bude->options.opt_device;
  size_t most = 1;
  for (const char *c = names; c != NULL && *c != '\0'; c++) most += *c == ',';
  BT_TRY(open_sharing(bude, most, opt_error));
  if (names != NULL) {
    BT_TRY(find_named(bude, opt_error));
  } else {
    BT_TRY(bt_backend_find(NULL, &bude->units[0].backend, opt_error));
    bude->n_units = 1;
  }
  BT_TRY(open_found(bude, opt_error));
  leave_threads(bude);
  for (int k = 0; k < bude->n_units; k++) {
    const char *between = k > 0 ? "," : "";
    bude->sharing->paces[k].cpu = !bt_bude_engine_is_accelerator(bude->units[k].engine);
    bt_text_printf(&bude->device, "%s%s", between, bt_bude_engine_device(bude->units[k].engine));
    bt_text_printf(&bude->description, "%s%s", k > 0 ? "; " : "", bt_bude_engine_description(bude->units[k].engine));
  }
  BT_TRY(bt_text_status(&bude->device, opt_error));
  return bt_text_status(&bude->description, opt_error);
}

bool bt_bude_units_go_on(const bt_bude *bude) { return bude->n_units > 1 || !bude->sharing->paces[0].cpu; }

static void close_sharing(bt_bude *bude) {
  bt_bude_sharing *s = bude->sharing;
  pthread_mutex_lock(&s->lock);
  s->closing = s->cancelled = true;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  for (int k = 0; k < s->threads; k++) pthread_join(bude->units[k].thread, NULL);
  for (bt_bude_work *w = s->first, *next; w != NULL; w = next) {
    next = w->next;
    bt_bude_work_destroy(w);
  }
  pthread_cond_destroy(&s->changed);
  pthread_mutex_destroy(&s->lock);
  free(s->paces);
  free(s);
}

void bt_bude_units_close(bt_bude *bude) {
  if (bude->sharing != NULL) close_sharing(bude);
  for (int k = 0; k < bude->n_units; k++) bt_bude_engine_destroy(bude->units[k].engine);
  free(bude->units);
  bt_text_destroy(&bude->device);
  bt_text_destroy(&bude->description);
}

void bt_bude_work_destroy(bt_bude_work *opt_work) {
  if (opt_work == NULL) return;
  bt_arena_destroy(&opt_work->arena);
  free(opt_work);
}

/* ------------------------------------------------------------------------------------------------- a piece -- */

/* What one device has taken. */
typedef struct piece {
  bt_bude_unit *unit;
  bt_bude_work *work;
  int from, count; /* conformers */
  int side;        /* of them, searched side by side */
  double doing;    /* of them, done in parts */
  double seconds;  /* of the search alone */
} piece;

/* Cost of the search of a conformer, in pairs of atoms. */
static double cost_of(const bt_bude_work *w) {
  return (double)w->search.generations * w->search.population * (double)w->first[1] * w->n_near;
}

static bool ask(const bt_bude *bude, const bt_bude_work *w) {
  const bt_bude_options *o = &bude->options;
  return o->opt_progress == NULL || o->opt_progress(o->user, (w->done + w->doing) / w->total);
}

/* The user's progress is asked in the caller's thread, which is this one if there are no others. */
static bool report(void *user, double part) {
  piece *p = user;
  const bt_bude *bude = p->unit->bude;
  bt_bude_sharing *s = bude->sharing;
  pthread_mutex_lock(&s->lock);
  p->work->doing += part * p->side - p->doing;
  p->doing = part * p->side;
  if (s->threads == 0 && !ask(bude, p->work)) s->cancelled = true;
  bool go_on = !s->cancelled && p->work->status == BT_OK;
  pthread_mutex_unlock(&s->lock);
  return go_on;
}

static bool trial_goes_on(void *user, double part) {
  bt_bude_sharing *s = user;
  (void)part;
  pthread_mutex_lock(&s->lock);
  bool go_on = !s->closing;
  pthread_mutex_unlock(&s->lock);
  return go_on;
}

/* The receptor's atoms that the compound can feel. */
static bt_status load_receptor(bt_bude_unit *unit, int n_near, bt_error *opt_error) {
  const bt_bude *bude = unit->bude;
  if (unit->n_near == n_near) return BT_OK;
  unit->n_near = 0;
  BT_TRY(bt_bude_engine_set_receptor(unit->engine, bude->forcefield, bude->rules, bude->receptor->atoms, (size_t)n_near,
                                     opt_error));
  unit->n_near = n_near;
  return BT_OK;
}

static bt_status search_some(piece *p, int from, bt_error *opt_error) {
  const bt_bude_work *w = p->work;
  bt_bude_search_options search = w->search;
  size_t at = w->first[from], parents = (size_t)search.parents;
  BT_SCOPED size_t *first = bt_allocate((size_t)p->side + 1, sizeof *first);
  if (first == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i <= p->side; i++) first[i] = w->first[from + i] - at;
  search.opt_seconds = p->unit->bude->options.timed ? p->unit->parts : NULL;
  search.opt_taken = &p->seconds;
  return bt_bude_search_run(p->unit->engine, &search, w->atoms + at, first, (size_t)p->side, w->ids + from, report, p,
                            w->found + (size_t)from * parents, w->counts + from, opt_error);
}

/* Not even one conformer fits: the reason from the device or the host, and the remedy. */
static bt_status too_large(int population, bt_error *error) {
  char reason[sizeof error->message];
  memcpy(reason, error->message, sizeof reason);
  return bt_fail(error, BT_ERR_MEMORY, (bt_where){0}, "use a smaller population",
                 "a population of %d poses of one conformer does not fit into memory: %.200s", population, reason);
}

/* Where they do not fit, fewer conformers at a time, also of later compounds. */
static bt_status search_piece(piece *p, bt_error *error) {
  bt_bude_sharing *s = p->unit->bude->sharing;
  BT_TRY(load_receptor(p->unit, p->work->n_near, error));
  for (int from = p->from, end = p->from + p->count; from < end;) {
    p->side = end - from < p->unit->batch ? end - from : p->unit->batch;
    bt_status status = search_some(p, from, error);
    if (status == BT_ERR_MEMORY && p->side > 1) {
      p->unit->batch = p->side / 2;
      continue;
    }
    if (status == BT_ERR_MEMORY) return too_large(p->work->search.population, error);
    if (status != BT_OK) return status;
    from += p->side;
    pthread_mutex_lock(&s->lock);
    p->work->done += p->side;
    p->work->doing -= p->doing;
    p->doing = 0;
    pthread_mutex_unlock(&s->lock);
  }
  return BT_OK;
}

/* A small part of a conformer's search, to see how fast the device is; the first time loads and compiles. */
static bt_status try_out(bt_bude_unit *unit, const bt_bude_work *like, const bt_bude_atom *atoms, double *ret_cost,
                         double *ret_seconds, bt_error *opt_error) {
  bt_bude_search_options search = like->search;
  size_t first[] = {0, like->first[1]};
  uint32_t id = 0;
  int count, part = search.population / TRIAL_PART;
  search.generations = 1;
  if (search.population > TRIAL_LEAST) search.population = part > TRIAL_LEAST ? part : TRIAL_LEAST;
  if (search.parents > search.population) search.parents = search.population;
  BT_SCOPED bt_bude_found *found = bt_allocate((size_t)search.parents, sizeof *found);
  if (found == NULL) return bt_fail_memory(opt_error);
  BT_TRY(load_receptor(unit, like->n_near, opt_error));
  search.opt_taken = ret_seconds;
  *ret_cost = (double)search.population * (double)first[1] * like->n_near;
  for (int time = 0; time < 2; time++) {
    *ret_seconds = 0;
    BT_TRY(bt_bude_search_run(unit->engine, &search, atoms, first, 1, &id, trial_goes_on, unit->bude->sharing, found,
                              &count, opt_error));
  }
  return BT_OK;
}

/* ------------------------------------------------------------------------------------------------- sharing -- */

static void begin_busy(bt_bude_sharing *s) {
  if (s->busy++ == 0) s->since = bt_seconds();
}

static void end_busy(bt_bude_sharing *s) {
  if (--s->busy == 0) s->seconds += bt_seconds() - s->since;
  pthread_cond_broadcast(&s->changed);
}

static void fail(bt_bude_work *work, bt_status status, const bt_error *error) {
  if (work->status != BT_OK) return;
  work->status = status;
  work->error = *error;
}

/* Under the lock, which is released meanwhile. */
static void do_piece(bt_bude_unit *unit, bt_bude_work *work, int count) {
  bt_bude_sharing *s = unit->bude->sharing;
  piece p = {.unit = unit, .work = work, .from = work->taken, .count = count};
  bt_error error = {0};
  work->taken += count;
  work->busy++;
  begin_busy(s);
  bt_bude_pace_begin(unit->pace, count * cost_of(work), bt_seconds());
  pthread_mutex_unlock(&s->lock);
  bt_status status = search_piece(&p, &error);
  pthread_mutex_lock(&s->lock);
  work->doing -= p.doing;
  work->busy--;
  if (status == BT_OK) {
    bt_bude_pace_end(unit->pace, p.seconds);
    unit->conformers += count;
  } else {
    unit->pace->doing = 0;
    fail(work, status, &error);
  }
  end_busy(s);
}

/* Likewise. A device that fails its trial fails the work. */
static void do_trial(bt_bude_unit *unit, bt_bude_work *work) {
  bt_bude_sharing *s = unit->bude->sharing;
  double cost = 0, seconds = 0;
  bt_error error = {0};
  bt_bude_work like = {.search = work->search, .n_near = work->n_near};
  size_t first[2] = {0, work->first[1]};
  bt_bude_atom *atoms = bt_allocate(first[1], sizeof *atoms);
  if (atoms != NULL) memcpy(atoms, work->atoms, first[1] * sizeof *atoms);
  like.first = first;
  pthread_mutex_unlock(&s->lock);
  bt_status status = atoms != NULL ? try_out(unit, &like, atoms, &cost, &seconds, &error) : bt_fail_memory(&error);
  free(atoms);
  if (status == BT_ERR_MEMORY) status = too_large(like.search.population, &error);
  pthread_mutex_lock(&s->lock);
  if (status == BT_OK) bt_bude_pace_trial(unit->pace, cost, seconds);
  if (status != BT_OK && status != BT_ERR_CANCELLED && s->first != NULL) fail(s->first, status, &error);
  pthread_cond_broadcast(&s->changed);
}

/* The first in line of which something is left. */
static bt_bude_work *next_work(const bt_bude_sharing *s, bt_bude_left *ret_left) {
  bt_bude_work *found = NULL;
  *ret_left = (bt_bude_left){0};
  for (bt_bude_work *w = s->first; w != NULL && !s->cancelled; w = w->next) {
    if (w->status != BT_OK || w->taken == w->total) continue;
    if (found == NULL) {
      found = w;
      *ret_left = (bt_bude_left){.count = w->total - w->taken, .each = cost_of(w)};
    } else {
      ret_left->more += (w->total - w->taken) * cost_of(w);
    }
  }
  return found;
}

/* False: nothing as things stand. */
static bool do_something(bt_bude_unit *unit) {
  const bt_bude *bude = unit->bude;
  bt_bude_sharing *s = bude->sharing;
  bt_bude_left left;
  bt_bude_work *work = next_work(s, &left);
  if (work == NULL) return false;
  int count = bt_bude_schedule(s->paces, s->threads > 0 ? s->threads : 1, (int)(unit - bude->units), &left, unit->batch,
                               bt_seconds());
  if (count > 0)
    do_piece(unit, work, count);
  else if (count == BT_BUDE_TRIAL)
    do_trial(unit, work);
  return count != 0;
}

static void *serve(void *argument) {
  bt_bude_unit *unit = argument;
  bt_bude_sharing *s = unit->bude->sharing;
  pthread_mutex_lock(&s->lock);
  while (!s->closing)
    if (!do_something(unit)) pthread_cond_wait(&s->changed, &s->lock);
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

/* The receptor's atoms that a ligand of this radius can feel; those of the compound before, unless they are too few or
 * by far too many: others are a new load. */
static int near_of(bt_bude *bude, double radius) {
  int near = bt_bude_receptor_near(bude->receptor, radius);
  if (near == 0) near = 1; /* a box far from the receptor: energies are 0 */
  if (near > bude->n_near || near <= bude->n_near * 9 / 10) bude->n_near = near;
  return bude->n_near;
}

/* Devices from the first one without a thread on do nothing. */
static void start_threads(bt_bude *bude) {
  bt_bude_sharing *s = bude->sharing;
  if (s->started || !bt_bude_units_go_on(bude)) return;
  s->started = true;
  while (s->threads < bude->n_units &&
         pthread_create(&bude->units[s->threads].thread, NULL, serve, &bude->units[s->threads]) == 0)
    s->threads++;
}

void bt_bude_units_begin(bt_bude *bude, double radius, bt_bude_work *work) {
  bt_bude_sharing *s = bude->sharing;
  pthread_mutex_lock(&s->lock);
  bt_bude_work **end = &s->first;
  while (*end != NULL) end = &(*end)->next;
  *end = work;
  work->n_near = near_of(bude, radius);
  start_threads(bude);
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
}

bt_bude_work *bt_bude_units_find(const bt_bude *bude, const bt_bude_compound *compound) {
  bt_bude_sharing *s = bude->sharing;
  pthread_mutex_lock(&s->lock);
  bt_bude_work *w = s->first;
  while (w != NULL && w->of != compound) w = w->next;
  pthread_mutex_unlock(&s->lock);
  return w;
}

static bool has_ended(const bt_bude_sharing *s, const bt_bude_work *work) {
  if (s->cancelled) return s->busy == 0;
  return work->busy == 0 && (work->done == work->total || work->status != BT_OK);
}

static void wait_for(bt_bude *bude, bt_bude_work *work) {
  bt_bude_sharing *s = bude->sharing;
  while (!has_ended(s, work)) {
    if (s->threads == 0) {
      do_something(&bude->units[0]);
      continue;
    }
    if (!s->cancelled && !ask(bude, work)) s->cancelled = true;
    bt_condition_wait(&s->changed, &s->lock, PATIENCE);
  }
}

/* After a cancellation, when all devices are idle: work that nobody waits for will be begun anew if it is docked. */
static void forget(bt_bude_sharing *s) {
  for (bt_bude_work **at = &s->first; *at != NULL;) {
    bt_bude_work *w = *at;
    if (w->awaited) {
      at = &w->next;
      continue;
    }
    *at = w->next;
    bt_bude_work_destroy(w);
  }
  if (s->first == NULL) s->cancelled = false;
}

bt_status bt_bude_units_finish(bt_bude *bude, bt_bude_work *work, bt_error *opt_error) {
  static const bt_error stopped = {.status = BT_ERR_CANCELLED, .message = "stopped on request"};
  bt_bude_sharing *s = bude->sharing;
  pthread_mutex_lock(&s->lock);
  work->awaited = true;
  wait_for(bude, work);
  bt_bude_work **at = &s->first;
  while (*at != work) at = &(*at)->next;
  *at = work->next;
  if (work->done < work->total) fail(work, BT_ERR_CANCELLED, &stopped);
  if (work->status == BT_OK) bude->interactions += work->total * cost_of(work);
  if (s->cancelled) forget(s);
  pthread_mutex_unlock(&s->lock);
  if (work->status != BT_OK && opt_error != NULL) *opt_error = work->error;
  return work->status;
}

/* ----------------------------------------------------------------------------------------------- answers -- */

bt_bude_device bt_bude_device_of(const bt_bude *bude, int index) {
  if (index >= bude->n_units) return (bt_bude_device){0};
  return (bt_bude_device){bt_bude_engine_device(bude->units[index].engine), bude->units[index].conformers};
}
