/* test_zinc.c - AD4Zn's pair laws, and the map of hydration waters. */
#include <berth/berth.h>
#include <math.h>

#include "formats/pdbqt/pdbqt.h"
#include "grid/maps/maps.h"
#include "grid/tables/zinc.h"
#include "unit/support.h"

#define ZINC "ATOM      1 ZN    ZN A   1       0.000   0.000   0.000  1.00  0.00     0.000 Zn\n"
#define FAR "ATOM      2  C   ALA A   2       0.000   0.000   9.500  1.00  0.00     0.100 C \n"
#define TETRAHEDRON "ATOM      3 TZ    ZN A   1       0.000   0.000  -2.000  1.00  0.00     0.000 TZ\n"

static bt_maps *maps_of(const char *text, const char *const *types, int n, bt_grid_options options) {
  bt_molecule **list;
  int count;
  bt_maps *maps;
  bt_error error = {0};
  support_ok(bt_molecule_from_memory("r", text, strlen(text), BT_MOLECULE_RECEPTOR, &list, &count, &error), &error);
  const double center[3] = {0, 0, 0}, size[3] = {8, 8, 8};
  options.box = bt_box_from_size(center, size, 0.25);
  support_ok(bt_maps_compute(list[0], types, n, &options, &maps, &error), &error);
  bt_molecule_list_destroy(list, count);
  return maps;
}

static double lowest(const bt_maps *maps, int index) {
  double low, high;
  bt_maps_range(maps, index, &low, &high);
  return low;
}

static void laws_are_ad4zns(void **state) {
  (void)state;
  bt_ad4_pair pair;
  assert_true(bt_grid_zinc_pair("NA", "TZ", 0.1662, &pair));
  assert_true(fabs(pair.depth - 3.858) < 1e-3 && pair.distance == 0.25 && pair.m == 12 && pair.n == 6);
  assert_true(bt_grid_zinc_pair("OA", "Zn", 0.1662, &pair) && fabs(pair.depth - 0.639) < 1e-3);
  assert_true(bt_grid_zinc_pair("SA", "ZN", 0.1662, &pair) && fabs(pair.depth - 1.262) < 1e-3);
  assert_true(bt_grid_zinc_pair("HD", "Zn", 0.1662, &pair) && pair.depth == 0.0);
  assert_false(bt_grid_zinc_pair("C", "Zn", 0.1662, &pair) || bt_grid_zinc_pair("OA", "TZ", 0.1662, &pair));
}

static void maps_have_the_wells(void **state) {
  (void)state;
  static const char *const types[] = {"NA", "OA", "C"};
  bt_grid_options options = bt_grid_options_default();
  bt_maps *maps = maps_of(ZINC FAR TETRAHEDRON, types, 3, options);
  assert_true(fabs(lowest(maps, 0) + 3.858) < 0.05); /* at TZ, wide by smoothing */
  assert_true(fabs(lowest(maps, 1) + 0.639) < 0.05);
  bt_maps_destroy(maps);
  options.zinc_unweighted = true; /* as AutoGrid 4.2.6 takes the lines */
  maps = maps_of(ZINC FAR TETRAHEDRON, types, 3, options);
  assert_true(fabs(lowest(maps, 0) + 23.21) < 0.1);
  bt_maps_destroy(maps);
  options.zinc_unweighted = false;
  options.zinc = BT_ZINC_OFF;
  bt_maps *plain = maps_of(ZINC FAR TETRAHEDRON, types, 3, options);
  assert_true(lowest(plain, 0) > -1.0);
  bt_maps_destroy(plain);
  options.zinc = BT_ZINC_AUTO; /* without TZ: plain */
  plain = maps_of(ZINC FAR, types, 3, options);
  double before = lowest(plain, 1);
  bt_maps_destroy(plain);
  options.zinc = BT_ZINC_ON;
  maps = maps_of(ZINC FAR, types, 3, options);
  assert_true(fabs(lowest(maps, 1) + 0.639) < 0.05 && fabs(before - lowest(maps, 1)) > 0.01);
  bt_maps_destroy(maps);
}

static void water_takes_the_better_map(void **state) {
  (void)state;
  static const char *const types[] = {"C", "W", "OA"};
  bt_grid_options options = bt_grid_options_default();
  bt_maps *maps = maps_of(ZINC FAR, types, 3, options);
  assert_int_equal(bt_maps_type_count(maps), 4);
  assert_string_equal(bt_maps_type(maps, 3), "HD"); /* added */
  const float *w = maps->values[1], *o = maps->values[2], *h = maps->values[3];
  int clashing = 0, lower = 0;
  for (size_t i = 0; i < bt_maps_points(maps); i++) {
    float better = o[i] < h[i] ? o[i] : h[i];
    bool clash = o[i] > 0 || h[i] > 0;
    assert_true(w[i] == (clash ? -0.2f : 0.6f * better));
    clashing += clash;
    lower += !clash && better < 0;
  }
  assert_true(clashing > 0 && lower > 0);
  bt_maps_destroy(maps);
  options.no_water_map = true;
  maps = maps_of(ZINC FAR, types, 3, options);
  assert_int_equal(bt_maps_type_count(maps), 3);
  bt_maps_destroy(maps);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(laws_are_ad4zns), cmocka_unit_test(maps_have_the_wells),
                                     cmocka_unit_test(water_takes_the_better_map)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
