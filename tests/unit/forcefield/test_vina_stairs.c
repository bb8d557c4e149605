/* test_vina_stairs.c - tables of Vina's staircase hold its numbers to the last bit, for any pair of classes. */
#include "unit/support.h"

#include "base/threads.h"
#include "forcefield/vina_stairs.h"
#include "unit/assert_near.h"

static void check_pair(bt_vina_stairs *stairs, const bt_vina_law *law, const bt_vina_class *a, const bt_vina_class *b) {
  const double ends[] = {0, 1.0 / 32, 63.96875, 63.99, 64, 1e6};
  bt_vina_pair pair = bt_vina_pair_of(law, a, b);
  const double *steps = bt_vina_stairs_find(stairs, a, b);
  assert_non_null(steps);
  assert_ptr_equal(steps, bt_vina_stairs_find(stairs, b, a));
  for (int k = 0; k < 6; k++)
    assert_near(bt_vina_stairs_at(steps, ends[k]), bt_vina_pair_staircase(law, &pair, ends[k]), 0);
  for (double r2 = 0.1; r2 < 70; r2 *= 1.013)
    assert_near(bt_vina_stairs_at(steps, r2), bt_vina_pair_staircase(law, &pair, r2), 0);
}

static void numbers_are_those_of_the_staircase(void **state) {
  (void)state;
  const bt_scoring scorings[] = {BT_SCORING_VINA, BT_SCORING_VINARDO, BT_SCORING_VINA_METALS};
  for (int s = 0; s < 3; s++) {
    const bt_vina_law *law = bt_vina_law_of(scorings[s]);
    bt_vina_stairs *stairs = bt_vina_stairs_create(law);
    assert_non_null(stairs);
    for (int a = 0; a < BT_VINA_CLASSES; a++)
      for (int b = 0; b < BT_VINA_CLASSES; b++) check_pair(stairs, law, &bt_vina_classes()[a], &bt_vina_classes()[b]);
    bt_vina_stairs_destroy(stairs);
  }
  bt_vina_stairs_destroy(NULL);
}

enum { THREADS = 4 };

typedef struct askers {
  bt_vina_stairs *stairs;
  const double *found[THREADS][BT_VINA_CLASSES];
} askers;

static void ask(void *context, int thread) {
  askers *a = context;
  for (int k = 0; k < BT_VINA_CLASSES; k++)
    a->found[thread][k] = bt_vina_stairs_find(a->stairs, &bt_vina_classes()[k], bt_vina_classes());
}

static void threads_share_a_table(void **state) {
  (void)state;
  askers a = {.stairs = bt_vina_stairs_create(bt_vina_law_of(BT_SCORING_VINA))};
  assert_non_null(a.stairs);
  bt_parallel(THREADS, ask, &a);
  for (int t = 1; t < THREADS; t++) assert_memory_equal(a.found[t], a.found[0], sizeof a.found[0]);
  bt_vina_stairs_destroy(a.stairs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_those_of_the_staircase),
      cmocka_unit_test(threads_share_a_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
