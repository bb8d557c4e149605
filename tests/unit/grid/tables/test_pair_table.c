/* Pair tables follow AutoGrid 4.2.6: clamp, smoothing window, first and last entry. */
#include <math.h>

#include "grid/tables/tables.h"
#include "unit/assert_near.h"
#include "unit/support.h"

enum { LAST = BT_GRID_PAIR_ROWS - 1 };

static bt_ad4_pair pair_of(const char *first, const char *second) {
  return bt_ad4_pair_law(bt_ad4_find(first), bt_ad4_find(second));
}

static void unsmoothed_entries_are_the_law(void **state) {
  (void)state;
  double table[BT_GRID_PAIR_ROWS];
  bt_ad4_pair pair = pair_of("C", "OA");
  bt_grid_pair_table(&pair, 0.0, table);
  assert_near(table[0], 100000.0, 0.0);
  assert_near(table[1], 100000.0, 0.0);
  assert_near(table[LAST], 0.0, 0.0);
  for (int k = 200; k < LAST; k += 37) {
    double r = k / 100.0;
    assert_near(table[k], pair.a / pow(r, 12.0) - pair.b / pow(r, 6.0), 1e-9 * (1.0 + fabs(table[k])));
  }
  assert_near(table[360], -sqrt(0.1662 * 0.15 * 0.1662 * 0.2), 1e-12); /* the minimum: (4.0 + 3.2) / 2 */
}

static void smoothing_takes_the_minimum_of_51_entries(void **state) {
  (void)state;
  static const char *const others[] = {"C", "HD", "OA", "Zn"};
  double raw[BT_GRID_PAIR_ROWS], smooth[BT_GRID_PAIR_ROWS];
  for (int i = 0; i < 4; i++) {
    bt_ad4_pair pair = pair_of("HD", others[i]);
    bt_grid_pair_table(&pair, 0.0, raw);
    bt_grid_pair_table(&pair, 0.5, smooth);
    for (int k = 0; k <= LAST; k++) {
      double lowest = 100000.0;
      for (int j = k - 25; j <= k + 25; j++)
        if (j >= 0 && j <= LAST && raw[j] < lowest) lowest = raw[j];
      assert_near(smooth[k], lowest, 0.0);
    }
  }
}

static void widths_are_cut_to_whole_entries(void **state) {
  (void)state;
  double one[BT_GRID_PAIR_ROWS], two[BT_GRID_PAIR_ROWS];
  bt_ad4_pair pair = pair_of("C", "C");
  bt_grid_pair_table(&pair, 0.0, one);
  bt_grid_pair_table(&pair, 0.0199, two); /* half a window below 0.01 A */
  assert_memory_equal(one, two, sizeof one);
  bt_grid_pair_table(&pair, 1e6, two); /* everything is within the window */
  assert_near(two[0], one[400], 0.0);
  assert_near(two[LAST], one[400], 0.0);
}

static void other_exponents_work(void **state) {
  (void)state;
  double table[BT_GRID_PAIR_ROWS];
  bt_ad4_pair pair = bt_ad4_pair_from_well(3.0, 0.5, 9, 4);
  bt_grid_pair_table(&pair, 0.0, table);
  assert_near(table[300], -0.5, 1e-12);
  assert_true(table[290] > table[300] && table[310] > table[300]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unsmoothed_entries_are_the_law),
      cmocka_unit_test(smoothing_takes_the_minimum_of_51_entries),
      cmocka_unit_test(widths_are_cut_to_whole_entries),
      cmocka_unit_test(other_exponents_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
