/* Parameter files extend the built-in table as AutoGrid 4.2.6's do. */
#include <math.h>

#include "forcefield/ad4_table.h"
#include "unit/assert_near.h"
#include "unit/support.h"

/* A table read from this text. */
static bt_status read_text(const char *text, bt_ad4_table **ret_table, bt_error *error) {
  char folder[256], path[300];
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/types.dat", folder);
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fputs(text, stream);
  fclose(stream);
  bt_status status = bt_ad4_table_create(path, ret_table, error);
  unlink(path);
  rmdir(folder);
  return status;
}

static void without_a_file_it_is_the_built_in_table(void **state) {
  (void)state;
  bt_ad4_table *table;
  bt_error error;
  support_ok(bt_ad4_table_create(NULL, &table, &error), &error);
  bt_ad4_pair built_in = bt_ad4_pair_law(bt_ad4_find("C"), bt_ad4_find("OA"));
  bt_ad4_pair same =
      bt_ad4_weighted_pair_law(&table->weights, bt_ad4_table_find(table, "C"), bt_ad4_table_find(table, "OA"));
  assert_true(same.a == built_in.a && same.b == built_in.b);
  assert_null(bt_ad4_table_find(table, "c"));
  bt_ad4_table_destroy(table);
}

static void rows_add_and_replace_types(void **state) {
  (void)state;
  bt_ad4_table *table;
  bt_error error;
  support_ok(read_text("# new\natom_par Xe 4.5 0.3 40.0 -0.001 0.0 0.0 0 -1 -1 4 # comment\r\n"
                       "ATOM_PAR C 3.8 0.2 33.5 -0.002 1.9 5.0 6 -1 -1 0\nunknown keyword\n",
                       &table, &error), &error);
  const bt_ad4_type *xenon = bt_ad4_table_find(table, "Xe"), *carbon = bt_ad4_table_find(table, "C");
  assert_non_null(xenon);
  assert_near(xenon->radius_sum, 4.5, 0.0);
  assert_int_equal(xenon->bond_class, 4);
  assert_near(carbon->radius_sum, 3.8, 0.0);
  assert_int_equal(carbon->hbond, 0); /* codes above 5 mean none */
  assert_non_null(bt_ad4_table_find(table, "OA"));
  bt_ad4_table_destroy(table);
}

static void weights_hold_for_the_rows_below_them(void **state) {
  (void)state;
  bt_ad4_table *table;
  bt_error error;
  support_ok(read_text("atom_par Xa 4.0 0.2 30 0 0 0 0 -1 -1 0\nFE_coeff_vdW 0.3324\nFE_coeff_estat 0.2\n"
                       "atom_par Xb 4.0 0.2 30 0 0 0 0 -1 -1 0\n",
                       &table, &error), &error);
  const bt_ad4_type *above = bt_ad4_table_find(table, "Xa"), *below = bt_ad4_table_find(table, "Xb");
  assert_near(bt_ad4_weighted_pair_law(&table->weights, above, above).depth, 0.2 * 0.1662, 1e-12);
  assert_near(bt_ad4_weighted_pair_law(&table->weights, below, below).depth, 0.2 * 0.3324, 1e-12);
  assert_near(bt_ad4_weighted_pair_law(&table->weights, above, below).depth, 0.2 * 0.1662 * sqrt(2.0), 1e-12);
  assert_near(table->weights.electrostatic, 0.2, 0.0);
  assert_near(table->weights.hbond, 0.1209, 0.0);
  bt_ad4_table_destroy(table);
}

static void faulty_rows_are_refused_with_their_line(void **state) {
  (void)state;
  bt_ad4_table *table;
  bt_error error;
  support_failed(read_text("\natom_par Xe 4.5\n", &table, &error), BT_ERR_INPUT, &error, "types.dat:2");
  assert_null(table);
  support_failed(read_text("atom_par Xe a 1 1 1 1 1 0 0 0 0", &table, &error), BT_ERR_INPUT, &error, "Rii");
  support_failed(read_text("atom_par Xe 4 nan 1 1 1 1 0 0 0 0", &table, &error), BT_ERR_INPUT, &error, "eps");
  support_failed(read_text("atom_par Xenonium 4 1 1 1 1 1 0 0 0 0", &table, &error), BT_ERR_INPUT, &error,
                 "Xenonium");
  support_failed(read_text("FE_coeff_vdW x", &table, &error), BT_ERR_INPUT, &error, "weight");
}

/* Coefficients of pairs are powers up to the twelfth: what overflows them is refused where it is written. */
static void values_beyond_all_physics_are_refused_with_their_line(void **state) {
  (void)state;
  const struct {
    const char *text, *words;
  } cases[] = {{"\natom_par C 1e30 0.15 33.5 -0.001 0 0 0 -1 -1 0\n", "types.dat:2: '1e30' is not a valid Rii"},
               {"\natom_par C 4 1e300 33.5 -0.001 0 0 0 -1 -1 0\n", "types.dat:2: '1e300' is not a valid eps"},
               {"\natom_par C 4 0.15 1e30 -0.001 0 0 0 -1 -1 0\n", "types.dat:2: '1e30' is not a valid vol"},
               {"\natom_par C 4 0.15 33.5 -1e30 0 0 0 -1 -1 0\n", "types.dat:2: '-1e30' is not a valid solpar"},
               {"\natom_par C 4 0.15 33.5 0 1e30 5 5 -1 -1 0\n", "types.dat:2: '1e30' is not a valid Rij_hb"},
               {"\natom_par C 4 0.15 33.5 0 1.9 1e30 5 -1 -1 0\n", "types.dat:2: '1e30' is not a valid eps_hb"},
               {"FE_coeff_vdW 1e300\n", "types.dat:1: '1e300' is not a valid weight"},
               {"FE_coeff_vdW 1e-300\n", "types.dat:1: '1e-300' is not a valid weight"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bt_ad4_table *table;
    bt_error error;
    support_failed(read_text(cases[k].text, &table, &error), BT_ERR_INPUT, &error, cases[k].words);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_a_file_it_is_the_built_in_table),
      cmocka_unit_test(rows_add_and_replace_types),
      cmocka_unit_test(weights_hold_for_the_rows_below_them),
      cmocka_unit_test(faulty_rows_are_refused_with_their_line),
      cmocka_unit_test(values_beyond_all_physics_are_refused_with_their_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
