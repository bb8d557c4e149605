/* test_screen.c - a whole screen whose devices fail on purpose: every ligand ends in one state, with the same result.
 *
 * The two devices are the processor under two names; its engine docks, or breaks.
 */
#include "pipeline/screen.h"
#include "engine/lga/engine.h"

#include <stdatomic.h>

#include "grid/maps/maps.h"
#include "unit/chain.h"

enum { LIGANDS = 24 };

static struct fault {
  const char *device; /* that fails; NULL: any */
  int after;          /* batches of it; -1: never */
  atomic_int batches;
  int stop_after; /* wishes to stop at this many committed ligands; 0: never */
} fault;

static const char *const names[] = {"twin:0", "twin:1"};
static bt_status (*whole_dock)(bt_engine *engine, bt_worker *worker, int count, bt_error *error);

static bt_status breaks(bt_engine *engine, bt_worker *worker, int count, bt_error *error) {
  bool mine = fault.device == NULL || strcmp(worker->unit->name, fault.device) == 0;
  if (fault.after < 0 || !mine || atomic_fetch_add(&fault.batches, 1) < fault.after)
    return whole_dock(engine, worker, count, error);
  if (count > 1) { /* the first half is done when the device fails */
    bt_status status = whole_dock(engine, worker, count / 2, error);
    if (status != BT_OK) return status;
  }
  return bt_fail(error, BT_ERR_DEVICE, (bt_where){0}, "use another card", "the card fell out");
}

/* The processor twice, with an engine that breaks. */
static bt_engine *open_engine(const bt_screen_options *options) {
  static bt_backend twins[2];
  static bt_engine_type faulty;
  const bt_backend *plain;
  bt_lga_engine *engine;
  bt_error error;
  support_ok(bt_backend_find("cpu", &plain, &error), &error);
  bt_device_list devices = {.items = malloc(2 * sizeof(bt_backend *)), .count = 2};
  for (int i = 0; i < 2; i++) {
    twins[i] = *plain;
    twins[i].name = names[i];
    devices.items[i] = &twins[i];
  }
  support_ok(bt_lga_engine_open(options->maps, &options->search, &devices, &engine, &error), &error);
  faulty = *engine->engine.type;
  whole_dock = faulty.dock;
  faulty.dock = breaks;
  engine->engine.type = &faulty;
  return &engine->engine;
}

static bt_screen_request watch(void *user, const bt_screen_progress *progress) {
  (void)user;
  bool enough = fault.stop_after > 0 && progress->docked >= fault.stop_after;
  return enough ? BT_SCREEN_STOP : BT_SCREEN_GO_ON;
}

static void make_library(char *folder, size_t size) {
  char path[600];
  support_folder(folder, size);
  for (int i = 0; i < LIGANDS; i++) {
    snprintf(path, sizeof path, "%s/lig%02d.pdbqt", folder, i);
    chain_write(path, 5 + i % 4, i == 11 ? "Xx" : "C"); /* one of them has a type without parameters */
  }
}

static bt_maps *make_maps(void) {
  static const char *const types[] = {"C"};
  bt_box box = bt_box_from_size((const double[]){0, 0, 0}, (const double[]){12, 12, 12}, 0.5);
  bt_maps *maps = NULL;
  bt_error error;
  support_ok(bt_maps_create(&box, types, 1, &maps, &error), &error);
  for (size_t k = 0; k < bt_maps_points(maps); k++) maps->values[0][k] = -0.01f * (float)(k % 37);
  return maps;
}

static bt_status run(const char *folder, const char *database, const bt_maps *maps, bool resume, double commit,
                     bt_screen_progress *progress, bt_error *error) {
  bt_screen_options options = bt_screen_options_default();
  options.database = database;
  options.resume = resume;
  options.ligands = &folder;
  options.n_ligands = 1;
  options.maps = maps;
  options.search.runs = 2;
  options.search.population = 10;
  options.search.evaluations = 500;
  options.search.heuristics = false;
  options.search.local_search_iterations = 10;
  options.search.seed = 3;
  options.search.threads = 2;
  options.batch = 3;
  options.keep = 5;
  options.opt_watch = watch;
  return bt_screen_run_with(&options, open_engine(&options), commit, progress, error);
}

typedef struct table {
  double energies[LIGANDS];
  int count;
} table;

static bt_status note(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  (void)rank;
  (void)opt_error;
  table *t = user;
  t->energies[row->ordinal] = row->free_energy;
  t->count++;
  return BT_OK;
}

static table read_table(const char *database) {
  table t = {.count = 0};
  bt_store *store = NULL;
  bt_error error;
  support_ok(bt_store_open(database, BT_STORE_READ, -1, &store, &error), &error);
  support_ok(bt_store_visit(store, true, false, -1, note, &t, &error), &error);
  bt_store_close(store);
  return t;
}

static void prepare(char *folder, size_t size, char *database, size_t database_size, const char *name) {
  if (bt_sqlite_version()[0] == '\0') skip();
  char base[400];
  make_library(folder, size);
  support_folder(base, sizeof base);
  snprintf(database, database_size, "%s/%s", base, name);
  fault.device = NULL;
  fault.after = -1;
  fault.batches = 0;
  fault.stop_after = 0;
}

static table whole; /* of a screen in which nothing went wrong */

static void test_all_well(void **state) {
  (void)state;
  char folder[512], database[512];
  prepare(folder, sizeof folder, database, sizeof database, "well.db");
  bt_maps *maps = make_maps();
  bt_screen_progress progress;
  bt_error error;
  support_ok(run(folder, database, maps, false, 0.0, &progress, &error), &error);
  assert_int_equal(progress.docked, LIGANDS - 1);
  assert_int_equal(progress.rejected, 1);
  assert_int_equal(progress.failed, 0);
  assert_int_equal(progress.total, LIGANDS);
  assert_int_equal(progress.n_hits, BT_SCREEN_HITS);
  assert_int_equal(progress.devices[0].docked + progress.devices[1].docked, LIGANDS - 1);
  bt_screen_summary summary;
  support_ok(bt_screen_summarize(database, &summary, &error), &error);
  assert_true(summary.complete);
  assert_int_equal(summary.with_poses, 5);
  whole = read_table(database);
  assert_int_equal(whole.count, LIGANDS - 1);
  bt_maps_destroy(maps);
}

static void test_one_device_fails(void **state) {
  (void)state;
  char folder[512], database[512];
  for (int after = 0; after < 3; after++) {
    prepare(folder, sizeof folder, database, sizeof database, "one.db");
    fault.device = names[1];
    fault.after = after;
    bt_maps *maps = make_maps();
    bt_screen_progress progress;
    bt_error error;
    support_ok(run(folder, database, maps, false, 0.0, &progress, &error), &error);
    assert_int_equal(progress.docked, LIGANDS - 1);
    assert_int_equal(progress.failed, 0);
    if (fault.batches > after) assert_true(progress.devices[1].failed);
    table t = read_table(database);
    assert_memory_equal(&t, &whole, sizeof t);
    bt_maps_destroy(maps);
  }
}

/* Whatever ended the screen: what was docked by then is on the disk. */
static void assert_all_kept(const bt_screen_progress *progress) {
  assert_int_equal(progress->docked - progress->earlier, progress->devices[0].docked + progress->devices[1].docked);
}

static void test_all_devices_fail(void **state) {
  (void)state;
  char folder[512], database[512];
  prepare(folder, sizeof folder, database, sizeof database, "all.db");
  fault.after = 2;
  bt_maps *maps = make_maps();
  bt_screen_progress progress;
  bt_error error;
  support_failed(run(folder, database, maps, false, 0.0, &progress, &error), BT_ERR_DEVICE, &error, "fell out");
  assert_true(progress.docked < LIGANDS - 1);
  assert_all_kept(&progress);
  assert_int_equal(progress.failed, 0); /* not the ligands' fault */
  bt_screen_summary summary;
  support_ok(bt_screen_summarize(database, &summary, &error), &error);
  assert_false(summary.complete);
  fault.after = -1;
  support_ok(run(folder, database, maps, true, 0.0, &progress, &error), &error);
  assert_true(progress.earlier > 0);
  table t = read_table(database);
  assert_memory_equal(&t, &whole, sizeof t);
  bt_maps_destroy(maps);
}

static void test_stop_and_resume(void **state) {
  (void)state;
  char folder[512], database[512];
  prepare(folder, sizeof folder, database, sizeof database, "stop.db");
  bt_maps *maps = make_maps();
  bt_screen_progress progress;
  bt_error error;
  fault.stop_after = 1;
  bt_status status = run(folder, database, maps, false, 0.0, &progress, &error);
  assert_true(status == BT_ERR_CANCELLED || status == BT_OK);
  assert_all_kept(&progress);
  support_failed(run(folder, database, maps, false, 0.0, &progress, &error), BT_ERR_USAGE, &error, "already");
  fault.stop_after = 0;
  support_ok(run(folder, database, maps, true, 1.0, &progress, &error), &error);
  assert_int_equal(progress.docked, LIGANDS - 1);
  table t = read_table(database);
  assert_memory_equal(&t, &whole, sizeof t);
  bt_maps_destroy(maps);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_well),
      cmocka_unit_test(test_one_device_fails),
      cmocka_unit_test(test_all_devices_fail),
      cmocka_unit_test(test_stop_and_resume),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
