/* What bt_maps_compute refuses, each with a remedy; boxes; the covalent map; overridden pairs. */
#include <berth/berth.h>
#include <berth/grid.h>
#include <limits.h>
#include <math.h>

#include "grid/maps/maps.h"
#include "receptors.h"
#include "unit/assert_near.h"

static const test_atom two_atoms[] = {{"C", 0.5, 0.5, 0.5, 0.2}, {"OA", 1.7, 0.5, 0.5, -0.3}};

static bt_grid_options tiny_box(void) {
  bt_grid_options options = bt_grid_options_default();
  options.box = (bt_box){.center = {1.0, 2.0, 3.0}, .npts = {4, 4, 4}, .spacing = 0.5};
  options.threads = 1;
  return options;
}

static bt_maps *compute(const bt_grid_options *options, const char *type) {
  bt_molecule molecule = test_molecule(two_atoms, 2);
  bt_error error;
  bt_maps *maps;
  support_ok(bt_maps_compute(&molecule, &type, 1, options, &maps, &error), &error);
  test_molecule_free(&molecule);
  return maps;
}

static void assert_refused(const test_atom *atoms, int n_atoms, const bt_grid_options *options, const char *type,
                           bt_status expected, const char *words) {
  bt_molecule molecule = test_molecule(atoms, n_atoms);
  bt_error error;
  bt_maps *maps;
  support_failed(bt_maps_compute(&molecule, &type, 1, options, &maps, &error), expected, &error, words);
  assert_null(maps);
  test_molecule_free(&molecule);
}

static void unknown_types_are_refused(void **state) {
  (void)state;
  bt_grid_options options = tiny_box();
  assert_refused(two_atoms, 2, &options, "Xx", BT_ERR_PARAMETER, "atom type 'Xx' has no parameters");
  const test_atom strange[] = {{"C", 0, 0, 0, 0.1}, {"Qq", 1, 0, 0, 0.1}};
  assert_refused(strange, 2, &options, "C", BT_ERR_PARAMETER,
                 "made/up.pdbqt:2: atom 2: the receptor has an atom of type 'Qq'");
  assert_refused(two_atoms, 2, &options, "Z", BT_ERR_PARAMETER, "point of attachment");
}

static void receptors_without_charges_are_refused(void **state) {
  (void)state;
  bt_grid_options options = tiny_box();
  const test_atom neutral[] = {{"C", 0, 0, 0, 0.0}};
  assert_refused(neutral, 1, &options, "C", BT_ERR_INPUT, "all charges of the receptor are zero");
  assert_refused(neutral, 0, &options, "C", BT_ERR_INPUT, "no atoms");
}

static void impossible_boxes_are_refused(void **state) {
  (void)state;
  bt_grid_options options = tiny_box();
  options.box.npts[1] = 5;
  assert_refused(two_atoms, 2, &options, "C", BT_ERR_USAGE, "5 intervals along y");
  options.box.npts[1] = 0;
  assert_refused(two_atoms, 2, &options, "C", BT_ERR_USAGE, "0 intervals along y");
  options = tiny_box();
  options.box.spacing = NAN;
  assert_refused(two_atoms, 2, &options, "C", BT_ERR_USAGE, "spacing");
  options = tiny_box();
  options.box.center[2] = INFINITY;
  assert_refused(two_atoms, 2, &options, "C", BT_ERR_USAGE, "center");
  options = tiny_box();
  for (int axis = 0; axis < 3; axis++) options.box.npts[axis] = INT_MAX - 1; /* 2^93 points */
  assert_refused(two_atoms, 2, &options, "C", BT_ERR_LIMIT, "address space");
  for (int axis = 0; axis < 3; axis++) options.box.npts[axis] = 100000; /* 10^15 points */
  assert_refused(two_atoms, 2, &options, "C", BT_ERR_LIMIT, "this machine has");
}

static void impossible_options_are_refused(void **state) {
  (void)state;
  bt_grid_options options = tiny_box();
  options.smooth = -1.0;
  assert_refused(two_atoms, 2, &options, "C", BT_ERR_USAGE, "smoothing");
  options = tiny_box();
  options.opt_isa = "mmx";
  assert_refused(two_atoms, 2, &options, "C", BT_ERR_USAGE, "'mmx'");
  options = tiny_box();
  options.opt_parameter_file = "/does/not/exist.dat";
  assert_refused(two_atoms, 2, &options, "C", BT_ERR_IO, "/does/not/exist.dat");
}

static void boxes_cover_the_wanted_size(void **state) {
  (void)state;
  const double center[3] = {1.0, 2.0, 3.00049};
  bt_box box = bt_box_from_size(center, (const double[3]){22.5, 22.6, 0.1}, 0.375);
  assert_int_equal(box.npts[0], 60);
  assert_int_equal(box.npts[1], 62);
  assert_int_equal(box.npts[2], 2);
  assert_true(box.center[2] == 3.0); /* three decimals, as in the files */
}

static void the_covalent_map_is_a_gaussian_well(void **state) {
  (void)state;
  bt_grid_options options = tiny_box();
  bt_grid_covalent covalent = {.half_width = 0.5, .barrier = 1000.0, .point = {1.0, 2.0, 3.0}};
  options.opt_covalent = &covalent;
  bt_maps *maps = compute(&options, "Z");
  const float *z = maps->values[0];
  size_t middle = (2 * 5 + 2) * 5 + 2;
  assert_near((double)z[middle], 0.0, 0.0);
  assert_near((double)z[middle + 1], 500.0, 0.0006);
  assert_near((double)z[middle + 2], 1000.0 * (1.0 - 1.0 / 16.0), 0.0006);
  assert_true(bt_maps_electrostatic(maps)[middle] != 0.0f);
  bt_maps_destroy(maps);
}

static void overrides_replace_pairs_in_either_order(void **state) {
  (void)state;
  bt_grid_options options = tiny_box();
  options.smooth = 0.0;
  bt_maps *plain = compute(&options, "N");
  bt_grid_override well = {.type1 = "OA", .type2 = "N", .first = 3.0, .second = 2.0, .m = 12, .n = 6};
  options.overrides = &well;
  options.n_overrides = 1;
  bt_maps *replaced = compute(&options, "N");
  bt_ad4_pair pair = bt_ad4_pair_from_well(3.0, 2.0, 12, 6);
  bt_grid_override coefficients = {.type1 = "N", .type2 = "OA", .coefficients = true, .first = pair.a,
                                   .second = pair.b, .m = 12, .n = 6};
  options.overrides = &coefficients;
  bt_maps *same = compute(&options, "N");
  assert_memory_not_equal(plain->values[0], replaced->values[0], bt_maps_points(plain) * sizeof(float));
  assert_memory_equal(same->values[0], replaced->values[0], bt_maps_points(plain) * sizeof(float));
  bt_maps_destroy(plain);
  bt_maps_destroy(replaced);
  bt_maps_destroy(same);
}

static void electrostatics_can_be_left_out(void **state) {
  (void)state;
  bt_grid_options options = tiny_box();
  options.no_electrostatics = true;
  bt_maps *maps = compute(&options, "C");
  for (size_t i = 0; i < bt_maps_points(maps); i++) assert_true(bt_maps_electrostatic(maps)[i] == 0.0f);
  bt_maps_destroy(maps);
}

static void glue_carbons_find_the_carbon_map(void **state) {
  (void)state;
  bt_grid_options options = tiny_box();
  bt_maps *maps = compute(&options, "C");
  assert_int_equal(bt_maps_find(maps, "CG3"), 0);
  assert_int_equal(bt_maps_find(maps, "CGx"), -1);
  assert_int_equal(bt_maps_find(maps, "G3"), -1);
  double lowest, highest;
  bt_maps_range(maps, 0, &lowest, &highest);
  assert_true(lowest < highest);
  bt_maps_destroy(maps);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unknown_types_are_refused),
      cmocka_unit_test(receptors_without_charges_are_refused),
      cmocka_unit_test(impossible_boxes_are_refused),
      cmocka_unit_test(impossible_options_are_refused),
      cmocka_unit_test(boxes_cover_the_wanted_size),
      cmocka_unit_test(the_covalent_map_is_a_gaussian_well),
      cmocka_unit_test(overrides_replace_pairs_in_either_order),
      cmocka_unit_test(electrostatics_can_be_left_out),
      cmocka_unit_test(glue_carbons_find_the_carbon_map),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
