/* test_toy.c - a toy back end, the folder toy/ and a line of the registry: its dockings equal the processor's. */
#include "backend/backend.h"
#include "fixture.h"

enum { RUNS = 3 };

static bt_result *dock(const fixture *f, const char *device, bt_local_search method) {
  bt_error error;
  bt_result *result;
  bt_dock_options options = bt_dock_options_default();
  options.runs = RUNS;
  options.population = 20;
  options.evaluations = 3000;
  options.heuristics = options.autostop = false;
  options.seed = 11;
  options.local_search = method;
  options.opt_device = device;
  support_ok(bt_dock(f->ligand, f->maps, NULL, &options, &result, &error), &error);
  return result;
}

/* The same source, one pose at a time on both; without fused operations, to the last bit. */
static void it_docks_as_the_processor_does(void **state) {
  (void)state;
  fixture f = fixture_open(BERTH_SOURCE_DIR "/examples/1hpv/ligand.pdbqt", NULL);
  for (int method = BT_LS_SOLIS_WETS; method <= BT_LS_ADAM; method++) {
    bt_result *mine = dock(&f, "toy", (bt_local_search)method);
    bt_result *expected = dock(&f, "cpu/scalar", (bt_local_search)method);
    for (int k = 0; k < RUNS; k++) {
      bt_run_summary a = bt_result_ranked(mine, k), b = bt_result_ranked(expected, k);
      assert_true(isfinite(a.search_energy) && fabs(a.search_energy - a.search_reference) < 0.02);
#ifdef __x86_64__
      assert_true(a.evaluations == b.evaluations);
      assert_true(a.search_energy == b.search_energy);
#endif
      (void)b;
    }
    bt_result_destroy(mine);
    bt_result_destroy(expected);
  }
  fixture_close(&f);
}

static void it_is_listed(void **state) {
  (void)state;
  bt_error error;
  const bt_backend *backend;
  support_ok(bt_backend_find("toy", &backend, &error), &error);
  assert_string_equal(backend->name, "toy:0");
  assert_string_equal(bt_backend_get(bt_backend_count() - 1)->name, "toy:0");
  support_failed(bt_backend_find("toy:1", &backend, &error), BT_ERR_USAGE, &error, "no device named 'toy:1'");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_listed), cmocka_unit_test(it_docks_as_the_processor_does)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
