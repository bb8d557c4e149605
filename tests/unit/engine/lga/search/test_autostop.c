/* test_autostop.c - a search stops when its lowest energies agree and the best one no longer improves, not before. */
#include "engine/lga/search/autostop.h"

#include "unit/support.h"

enum { POPULATION = 150, RUNS = 20, COUNT = POPULATION * RUNS };

/* Energies that narrow down to -10 as time goes on; the best one is given. */
static void fill(float *energies, int test, double width, double best) {
  unsigned int state = 12345u + (unsigned int)test;
  for (int i = 0; i < COUNT; i++) {
    state = state * 1664525u + 1013904223u;
    energies[i] = (float)(best + width * (double)(state >> 8) / 16777216.0);
  }
  energies[0] = (float)best;
}

static int tests_until_stop(double width, double improvement, int limit) {
  bt_autostop *autostop;
  bt_error error;
  support_ok(bt_autostop_create(0.15, POPULATION, &autostop, &error), &error);
  static float energies[COUNT];
  int test = 0;
  fill(energies, 0, 1e6, -1.0); /* the first population clashes */
  bool stop = bt_autostop_test(autostop, energies, COUNT);
  while (!stop && ++test < limit) {
    fill(energies, test, width, -10.0 - improvement * test);
    stop = bt_autostop_test(autostop, energies, COUNT);
  }
  bt_autostop_destroy(autostop);
  return test;
}

static void a_converged_search_stops(void **state) {
  (void)state;
  int tests = tests_until_stop(0.05, 0.0, 100);
  assert_true(tests >= 4 && tests < 20);
}

static void an_improving_search_goes_on(void **state) {
  (void)state;
  assert_int_equal(tests_until_stop(0.05, 0.05, 60), 60);
}

static void poses_outside_the_box_are_no_convergence(void **state) {
  (void)state;
  bt_autostop *autostop;
  bt_error error;
  support_ok(bt_autostop_create(0.15, POPULATION, &autostop, &error), &error);
  static float energies[COUNT];
  for (int i = 0; i < COUNT; i++) energies[i] = 3e7f; /* above any threshold */
  for (int test = 0; test < 12; test++) assert_false(bt_autostop_test(autostop, energies, COUNT));
  bt_autostop_destroy(autostop);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_converged_search_stops),
                                     cmocka_unit_test(an_improving_search_goes_on),
                                     cmocka_unit_test(poses_outside_the_box_are_no_convergence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
