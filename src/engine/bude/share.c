/* share.c - see share.h. */
#include "engine/bude/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "engine/bude/state.h"

/* Conformers at once, and turns of one conformer until a device's rate is believed: the first ones tune its kernels. */
enum { BATCH = 16, TRIALS = 3 };

/* ------------------------------------------------------------------------------------------------ devices -- */

static bt_status open_unit(bt_bude *bude, const char *opt_name, bt_bude_unit *unit, bt_error *opt_error) {
  const bt_bude_options *o = &bude->options;
  bt_bude_engine_options engine = {
      .threads = o->threads, .poses_per_item = o->poses_per_item, .group = o->group, .memory = (size_t)o->memory};
  unit->batch = o->batch > 0 ? o->batch : BATCH;
  return bt_bude_engine_create(opt_name, &engine, &unit->engine, opt_error);
}

static bt_status open_named(bt_bude *bude, bt_error *opt_error) {
  for (const char *from = bude->options.opt_device;; from++) {
    char name[64];
    size_t length = strcspn(from, ",");
    if (length >= sizeof name)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use names as `berth devices` lists them",
                     "'%.100s' is not the name of a device", from);
    memcpy(name, from, length);
    name[length] = '\0';
    BT_TRY(open_unit(bude, name, &bude->units[bude->n_units++], opt_error));
    from += length;
    if (*from == '\0') return BT_OK;
  }
}

bt_status bt_bude_units_open(bt_bude *bude, bt_error *opt_error) {
  const char *names = bude->options.opt_device;
  size_t most = 1;
  for (const char *c = names; c != NULL && *c != '\0'; c++) most += *c == ',';
  bude->units = bt_allocate(most, sizeof *bude->units);
  if (bude->units == NULL) return bt_fail_memory(opt_error);
  if (names == NULL)
    BT_TRY(open_unit(bude, NULL, &bude->units[bude->n_units++], opt_error));
  else
    BT_TRY(open_named(bude, opt_error));
  for (int k = 0; k < bude->n_units; k++) {
    const char *between = k > 0 ? "," : "";
    bt_text_printf(&bude->device, "%s%s", between, bt_bude_engine_device(bude->units[k].engine));
    bt_text_printf(&bude->description, "%s%s", k > 0 ? "; " : "", bt_bude_engine_description(bude->units[k].engine));
  }
  BT_TRY(bt_text_status(&bude->device, opt_error));
  return bt_text_status(&bude->description, opt_error);
}

void bt_bude_units_close(bt_bude *bude) {
  for (int k = 0; k < bude->n_units; k++) bt_bude_engine_destroy(bude->units[k].engine);
  free(bude->units);
  bt_text_destroy(&bude->device);
  bt_text_destroy(&bude->description);
}

/* ------------------------------------------------------------------------------------------------- sharing -- */

typedef struct sharing {
  bt_bude *bude;
  const bt_bude_work *work;
  pthread_mutex_t lock; /* of all below, and of the user's progress */
  int taken, done;      /* conformers */
  bt_status status;     /* of the first device that failed */
  bt_error error;
} sharing;

/* What one device has taken. */
typedef struct turn {
  sharing *s;
  bt_bude_unit *unit;
  int count; /* conformers side by side */
} turn;

static bool report(void *user, double part) {
  turn *t = user;
  sharing *s = t->s;
  const bt_bude_options *o = &s->bude->options;
  pthread_mutex_lock(&s->lock);
  t->unit->doing = part * t->count;
  double done = s->done;
  for (int k = 0; k < s->bude->n_units; k++) done += s->bude->units[k].doing;
  bool go_on = s->status == BT_OK && (o->opt_progress == NULL || o->opt_progress(o->user, done / s->work->total));
  pthread_mutex_unlock(&s->lock);
  return go_on;
}

static bt_status search_some(turn *t, int from, bt_error *opt_error) {
  const bt_bude_work *w = t->s->work;
  bt_bude_search_options search = w->search;
  size_t at = w->first[from], parents = (size_t)search.parents;
  BT_SCOPED size_t *first = bt_allocate((size_t)t->count + 1, sizeof *first);
  if (first == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i <= t->count; i++) first[i] = w->first[from + i] - at;
  search.opt_seconds = t->s->bude->options.timed ? t->unit->parts : NULL;
  return bt_bude_search_run(t->unit->engine, &search, w->atoms + at, first, (size_t)t->count, w->ids + from, report, t,
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
static bt_status search_turn(turn *t, int from, int count, bt_error *error) {
  sharing *s = t->s;
  for (int end = from + count; from < end;) {
    t->count = end - from < t->unit->batch ? end - from : t->unit->batch;
    bt_status status = search_some(t, from, error);
    if (status == BT_ERR_MEMORY && t->count > 1) {
      t->unit->batch = t->count / 2;
      continue;
    }
    if (status == BT_ERR_MEMORY) return too_large(s->work->search.population, error);
    if (status != BT_OK) return status;
    from += t->count;
    pthread_mutex_lock(&s->lock);
    s->done += t->count;
    t->unit->doing = 0;
    pthread_mutex_unlock(&s->lock);
  }
  return BT_OK;
}

/* How many of the remaining conformers a device takes: its share by rates, so that all devices finish together; none if
 * faster devices will finish them earlier. The fastest busy device, by its own last rate, always takes some: rates
 * change every turn, and conformers that every device leaves to another would never be docked. */
static int part_of(const sharing *s, const bt_bude_unit *unit) {
  int left = s->work->total - s->taken, most = left < unit->batch ? left : unit->batch;
  double all = 0, best = 0;
  if (s->status != BT_OK) return 0;
  if (s->bude->n_units == 1 || most == 0) return most;
  for (int k = 0; k < s->bude->n_units; k++) {
    const bt_bude_unit *other = &s->bude->units[k];
    if (!other->working) continue;
    if (other->turns < TRIALS) return 1;
    all += other->rate;
    if (other->rate > best) best = other->rate;
  }
  double mine = left * unit->rate / all;
  if (unit->rate < best && mine < 0.5) return 0;
  int part = mine < most ? (int)(mine + 0.5) : most;
  return part > 0 ? part : 1;
}

static void work_on(void *context, int index) {
  sharing *s = context;
  bt_bude_unit *unit = &s->bude->units[index];
  turn t = {.s = s, .unit = unit};
  bt_status status = BT_OK;
  bt_error error = {0};
  for (;;) {
    pthread_mutex_lock(&s->lock);
    int first = s->taken, count = part_of(s, unit);
    s->taken += count;
    unit->working = count > 0;
    pthread_mutex_unlock(&s->lock);
    if (count == 0) return;
    double began = bt_seconds();
    status = search_turn(&t, first, count, &error);
    double seconds = bt_seconds() - began;
    pthread_mutex_lock(&s->lock);
    if (status == BT_OK) {
      unit->rate = count / (seconds > 1e-6 ? seconds : 1e-6);
      unit->turns++;
      unit->conformers += count;
    } else if (s->status == BT_OK) {
      s->status = status;
      s->error = error;
    }
    unit->doing = 0;
    pthread_mutex_unlock(&s->lock);
    if (status != BT_OK) return;
  }
}

bt_status bt_bude_units_search(bt_bude *bude, const bt_bude_work *work, bt_error *opt_error) {
  sharing s = {.bude = bude, .work = work};
  pthread_mutex_init(&s.lock, NULL);
  for (int k = 0; k < bude->n_units; k++) bude->units[k].working = true;
  bt_parallel(bude->n_units, work_on, &s);
  pthread_mutex_destroy(&s.lock);
  if (s.status != BT_OK && opt_error != NULL) *opt_error = s.error;
  return s.status;
}

/* ----------------------------------------------------------------------------------------------- answers -- */

bt_bude_device bt_bude_device_of(const bt_bude *bude, int index) {
  if (index >= bude->n_units) return (bt_bude_device){0};
  return (bt_bude_device){bt_bude_engine_device(bude->units[index].engine), bude->units[index].conformers};
}
