/* Maps equal a plain double-precision evaluation of AutoGrid's rules, on every instruction set of this machine, for
 * every kind of atom, near and far; and threads change nothing. */
#include <berth/berth.h>

#include "grid/maps/maps.h"
#include "receptors.h"
#include "unit/grid/plain.h"

static const char *const all_types[] = {"C", "A", "N", "NA", "OA", "HD", "HS", "SA", "OS", "NS", "S", "Cl", "Zn"};
enum { ALL = sizeof all_types / sizeof all_types[0] };

static bt_grid_options small_box(double x, double y, double z, int npts, double spacing) {
  bt_grid_options options = bt_grid_options_default();
  options.box = (bt_box){.center = {x, y, z}, .npts = {npts, npts - 2, npts + 2}, .spacing = spacing};
  options.threads = 1;
  return options;
}

/* Compares some points of computed maps; returns the number of values that are not equal when rounded. */
static int compare(const bt_molecule *molecule, const char *const *types, int n_types, const bt_grid_options *options,
                   int stride) {
  bt_error error;
  bt_ad4_table *table;
  bt_maps *maps;
  support_ok(bt_ad4_table_create(NULL, &table, &error), &error);
  support_ok(bt_maps_compute(molecule, types, n_types, options, &maps, &error), &error);
  bt_grid_receptor *receptor = test_receptor(molecule, table, options->box.center, options->disorder_h);
  plain_maps plain = {.receptor = receptor, .table = table, .n_probes = n_types, .dielectric = options->dielectric};
  for (int p = 0; p < n_types; p++) plain.probes[p] = bt_ad4_table_find(table, types[p]);
  plain_start(&plain, options->smooth);
  const int *npts = options->box.npts;
  int width = npts[0] + 1, height = npts[1] + 1, differ = 0;
  for (size_t at = 0; at < bt_maps_points(maps); at += (size_t)stride) {
    int index[3] = {(int)at % width, (int)at / width % height, (int)at / width / height};
    double c[3], expected[34];
    for (int axis = 0; axis < 3; axis++) c[axis] = (index[axis] - npts[axis] / 2) * options->box.spacing;
    plain_point(&plain, c, expected);
    for (int m = 0; m < n_types + 2; m++) {
      double value = (double)maps->values[m][at], tolerance = fmax(0.002, 0.001 * fabs(expected[m]));
      differ += fabs(value - expected[m]) > 0.00051;
      if (!(fabs(value - expected[m]) <= tolerance))
        fail_msg("map %s, point %d %d %d: %.6f instead of %.6f", m < n_types ? types[m] : m == n_types ? "e" : "d",
                 index[0], index[1], index[2], value, expected[m]);
    }
  }
  free(plain.tables);
  bt_grid_receptor_destroy(receptor);
  bt_maps_destroy(maps);
  bt_ad4_table_destroy(table);
  return differ;
}

static void every_instruction_set_agrees(void **state) {
  (void)state;
  static const char *const isas[] = {"base", "avx2", "avx512"};
  bt_molecule molecule = test_random_receptor(700, 24.0, 1);
  for (int i = 0; i < 3; i++) {
    if (bt_grid_kernels_find(isas[i]) == NULL) continue;
    bt_grid_options options = small_box(1.25, -0.5, 2.0, 18, 0.375);
    options.opt_isa = isas[i];
    compare(&molecule, all_types, ALL, &options, 3);
  }
  test_molecule_free(&molecule);
}

static void single_types_agree(void **state) {
  (void)state;
  bt_molecule molecule = test_random_receptor(300, 14.0, 2);
  for (int i = 0; i < ALL; i++) {
    bt_grid_options options = small_box(0.1, 0.2, 0.3, 8, 0.375);
    compare(&molecule, &all_types[i], 1, &options, 1);
  }
  test_molecule_free(&molecule);
}

static void more_than_one_row_of_probes_agrees(void **state) {
  (void)state;
  static const char *const types[] = {"C", "A", "N", "NA", "OA", "HD", "SA", "S", "F", "Cl", "CL", "Br", "I",
                                      "P", "Mg", "MG", "Mn", "Zn", "Ca", "Fe"};
  bt_molecule molecule = test_random_receptor(200, 14.0, 3);
  bt_grid_options options = small_box(0.0, 0.0, 0.0, 8, 0.375);
  compare(&molecule, types, 20, &options, 1);
  test_molecule_free(&molecule);
}

static void spacings_and_far_boxes_agree(void **state) {
  (void)state;
  bt_molecule molecule = test_random_receptor(900, 40.0, 4);
  const double spacings[] = {0.1, 0.2, 0.6, 1.0, 3.0};
  for (int i = 0; i < 5; i++) {
    bt_grid_options options = small_box(-3.0, 2.0, 5.0, 36, spacings[i]);
    compare(&molecule, (const char *const[]){"HD", "OA"}, 2, &options, 101);
  }
  bt_grid_options options = small_box(60.0, 50.0, -70.0, 20, 0.375); /* nothing within 8 A */
  compare(&molecule, (const char *const[]){"C"}, 1, &options, 17);
  test_molecule_free(&molecule);
}

static void options_agree(void **state) {
  (void)state;
  bt_molecule molecule = test_random_receptor(500, 18.0, 5);
  bt_grid_options options = small_box(0.5, 0.5, 0.5, 12, 0.375);
  options.disorder_h = true;
  compare(&molecule, all_types, ALL, &options, 1);
  options = small_box(0.5, 0.5, 0.5, 12, 0.375);
  options.smooth = 0.0;
  compare(&molecule, all_types, ALL, &options, 1);
  options.dielectric = 4.0;
  compare(&molecule, all_types, ALL, &options, 1);
  test_molecule_free(&molecule);
}

/* Coordinates that are multiples of the spacing put many distances exactly on the borders of 0.01 A steps, and many
 * hydrogens at exactly the same distance. */
static void a_crystal_of_ties_agrees(void **state) {
  (void)state;
  test_atom atoms[343];
  int count = 0;
  for (int i = 0; i < 343; i++) {
    static const char *const types[] = {"HD", "C", "OA", "HD"};
    int x = i % 7 - 3, y = i / 7 % 7 - 3, z = i / 49 - 3;
    atoms[count++] = (test_atom){types[(x + 2 * y + 3 * z + 18) % 4], 1.25 * x, 1.25 * y, 1.25 * z, 0.1 * (i % 5 - 2)};
  }
  bt_molecule molecule = test_molecule(atoms, count);
  bt_grid_options options = small_box(0.0, 0.0, 0.0, 16, 0.25);
  compare(&molecule, (const char *const[]){"C", "OA", "HD", "NA"}, 4, &options, 1);
  test_molecule_free(&molecule);
}

/* A single atom at multiples of 0.01 A from the middle point: being off by one table entry would show. */
static void distances_on_the_border_of_a_step_agree(void **state) {
  (void)state;
  for (int hundredths = 60; hundredths < 330; hundredths += 7) {
    test_atom atom = {"C", 0.01 * hundredths, 0.0, 0.0, 0.5};
    bt_molecule molecule = test_molecule(&atom, 1);
    bt_grid_options options = small_box(0.0, 0.0, 0.0, 4, 0.375);
    compare(&molecule, (const char *const[]){"C", "OA"}, 2, &options, 1);
    test_molecule_free(&molecule);
  }
}

/* Points half-way between two hydrogens: the last bit of a double decides which of them is the closest one. */
static void hydrogens_at_the_same_distance_agree(void **state) {
  (void)state;
  for (int shift = 0; shift < 40; shift++) {
    double x = 0.1234567 * shift;
    test_atom atoms[] = {{"HD", x + 1.9, 0.0, 0.3, 0.2}, {"N", x + 2.9, 0.0, 0.3, -0.3},
                         {"HD", x - 1.9, 0.0, 0.3, 0.2}, {"N", x - 1.9, -0.7, 1.0, -0.3}};
    bt_molecule molecule = test_molecule(atoms, 4);
    bt_grid_options options = small_box(x, 0.0, 0.0, 4, 0.3);
    compare(&molecule, (const char *const[]){"OA", "SA"}, 2, &options, 1);
    test_molecule_free(&molecule);
  }
}

static void rounding_differs_rarely(void **state) {
  (void)state;
  bt_molecule molecule = test_random_receptor(900, 40.0, 6);
  bt_grid_options options = small_box(0.0, 0.0, 30.0, 24, 0.375); /* half outside: values of usual size */
  int differ = compare(&molecule, (const char *const[]){"C"}, 1, &options, 1);
  double values = 3.0 * 25 * 23 * 27;
  if (differ > 0.08 * values) fail_msg("%d of %.0f values differ in the third decimal", differ, values);
  test_molecule_free(&molecule);
}

static void threads_change_nothing(void **state) {
  (void)state;
  bt_molecule molecule = test_random_receptor(600, 30.0, 7);
  bt_maps *one, *many;
  bt_error error;
  bt_grid_options options = small_box(1.0, 2.0, 3.0, 40, 0.375);
  support_ok(bt_maps_compute(&molecule, all_types, ALL, &options, &one, &error), &error);
  options.threads = 7;
  support_ok(bt_maps_compute(&molecule, all_types, ALL, &options, &many, &error), &error);
  for (int m = 0; m < ALL + 2; m++)
    assert_memory_equal(one->values[m], many->values[m], bt_maps_points(one) * sizeof(float));
  bt_maps_destroy(one);
  bt_maps_destroy(many);
  test_molecule_free(&molecule);
}

/* Values in memory are those of the files, so that docking into either is the same. */
static void values_survive_the_file(void **state) {
  (void)state;
  bt_molecule molecule = test_random_receptor(300, 12.0, 8);
  char folder[256], prefix[300], fld[320];
  support_folder(folder, sizeof folder);
  snprintf(prefix, sizeof prefix, "%s/map", folder);
  snprintf(fld, sizeof fld, "%s.maps.fld", prefix);
  bt_maps *maps, *read;
  bt_error error;
  bt_grid_options options = bt_grid_options_default();
  options.box = bt_box_from_size((const double[]){0.12345, -1.98765, 0.5}, (const double[]){6.0, 7.0, 8.0}, 0.375);
  support_ok(bt_maps_compute(&molecule, all_types, ALL, &options, &maps, &error), &error);
  support_ok(bt_maps_write(maps, prefix, &error), &error);
  support_ok(bt_maps_read(fld, NULL, 0, &read, &error), &error);
  assert_int_equal(read->n_types, ALL);
  for (int axis = 0; axis < 3; axis++) {
    assert_true(read->low[axis] == maps->low[axis]);
    assert_true(read->high[axis] == maps->high[axis]);
  }
  for (int m = 0; m < ALL + 2; m++)
    assert_memory_equal(read->values[m], maps->values[m], bt_maps_points(maps) * sizeof(float));
  assert_string_equal(bt_maps_receptor_name(read), "up");
  bt_maps_destroy(maps);
  bt_maps_destroy(read);
  test_molecule_free(&molecule);
  char command[400];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_instruction_set_agrees),
      cmocka_unit_test(single_types_agree),
      cmocka_unit_test(more_than_one_row_of_probes_agrees),
      cmocka_unit_test(spacings_and_far_boxes_agree),
      cmocka_unit_test(options_agree),
      cmocka_unit_test(a_crystal_of_ties_agrees),
      cmocka_unit_test(distances_on_the_border_of_a_step_agree),
      cmocka_unit_test(hydrogens_at_the_same_distance_agree),
      cmocka_unit_test(rounding_differs_rarely),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(values_survive_the_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
