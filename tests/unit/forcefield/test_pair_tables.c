/* test_pair_tables.c - AutoDock 4's smoothed tables, compared with their definition entry by entry. */
#include "unit/support.h"

#include "base/threads.h"
#include "forcefield/pair_tables.h"
#include "unit/assert_near.h"

static bt_ad4_pair law_of(const char *first, const char *second) {
  return bt_ad4_pair_law(bt_ad4_find(first), bt_ad4_find(second));
}

/* The lowest raw entry within 0.25 A, found by looking at all of them. */
static double lowest_near(const bt_ad4_pair *law, int k) {
  double r = sqrt(k / 32.0), lowest = 100000;
  int from = (int)((r - 0.25) * (r - 0.25) * 32), to = (int)((r + 0.25) * (r + 0.25) * 32);
  for (int j = from; j <= to && j < 2048; j++)
    if (j > 0) lowest = fmin(lowest, bt_ad4_pair_energy(law, sqrt(j / 32.0)));
  return lowest;
}

static void entries_are_minima_of_their_windows(void **state) {
  (void)state;
  const char *pairs[][2] = {{"C", "C"}, {"HD", "OA"}, {"HD", "SA"}, {"H", "H"},
                            {"I", "I"}, {"Mg", "OA"}, {"G0", "CG0"}};
  static double table[BT_TABLE_SIZE];
  for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
    bt_ad4_pair law = law_of(pairs[p][0], pairs[p][1]);
    bt_table_fill(&law, table);
    for (int k = 1; k < BT_TABLE_SIZE - 1; k++) assert_near(table[k], lowest_near(&law, k), 1e-12 * fabs(table[k]));
    assert_near(table[0], 100000, 0);
    assert_near(table[2047], bt_ad4_pair_energy(&law, sqrt(2047 / 32.0)), 1e-15);
  }
}

/* The bottom of the well stays -depth, to the spacing of the table. */
static void the_well_keeps_its_depth(void **state) {
  (void)state;
  static double table[BT_TABLE_SIZE];
  bt_ad4_pair law = law_of("OA", "HD");
  bt_table_fill(&law, table);
  assert_near(table[bt_table_index(1.9 * 1.9)], -0.1209 * 5.0, 0.005);
  assert_true(table[bt_table_index(1.7 * 1.7)] < -0.59);
}

static void indices_have_a_floor_and_a_ceiling(void **state) {
  (void)state;
  assert_int_equal(bt_table_index(0.0), 8); /* 0.5 A */
  assert_int_equal(bt_table_index(0.25), 8);
  assert_int_equal(bt_table_index(1.0), 32);
  assert_int_equal(bt_table_index(63.99), 2047);
  assert_int_equal(bt_table_index(64.0), BT_TABLE_SIZE);
  assert_int_equal(bt_table_index(1e30), BT_TABLE_FAR_SIZE - 1);
  assert_int_equal(bt_table_index((double)NAN), 8);
  assert_near(bt_table_square(32), 1.0, 0);
}

enum { THREADS = 4 };

typedef struct askers {
  bt_pair_tables *tables;
  const bt_ad4_pair *laws;
  int count;
  const double *found[THREADS][200];
} askers;

static void ask_for_all(void *context, int thread) {
  askers *a = context;
  for (int k = 0; k < a->count; k++) {
    int law = thread % 2 == 0 ? k : a->count - 1 - k;
    a->found[thread][law] = bt_pair_tables_find(a->tables, &a->laws[law]);
  }
}

/* One table per law, whoever asks for it. */
static void tables_are_shared(void **state) {
  (void)state;
  const char *types[] = {"C", "N", "OA", "HD", "S", "SA", "Cl", "Mg", "I", "P"};
  enum { TYPES = sizeof types / sizeof types[0] };
  bt_ad4_pair laws[TYPES * TYPES];
  for (int i = 0; i < TYPES; i++)
    for (int j = 0; j < TYPES; j++) laws[i * TYPES + j] = law_of(types[i < j ? i : j], types[i < j ? j : i]);
  askers a = {.tables = bt_pair_tables_create(), .laws = laws, .count = TYPES * TYPES};
  assert_non_null(a.tables);
  bt_parallel(THREADS, ask_for_all, &a);
  static double table[BT_TABLE_SIZE];
  for (int i = 0; i < TYPES; i++)
    for (int j = 0; j < TYPES; j++) {
      const double *found = a.found[0][i * TYPES + j];
      assert_ptr_equal(found, a.found[0][j * TYPES + i]);
      for (int t = 1; t < THREADS; t++) assert_ptr_equal(found, a.found[t][i * TYPES + j]);
      bt_table_fill(&laws[i * TYPES + j], table);
      assert_memory_equal(found, table, sizeof table);
    }
  bt_pair_tables_destroy(a.tables);
  bt_pair_tables_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries_are_minima_of_their_windows),
      cmocka_unit_test(the_well_keeps_its_depth),
      cmocka_unit_test(tables_are_shared),
      cmocka_unit_test(indices_have_a_floor_and_a_ceiling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
