/* test_add.c - maps of types as they turn up are those that are computed together. */
#include <berth/berth.h>
#include <berth/grid.h>

#include "grid/maps/maps.h"
#include "unit/support.h"

static bt_molecule *receptor(void) {
  char path[1024];
  snprintf(path, sizeof path, "%s/examples/1hpv/receptor.pdbqt", BERTH_SOURCE_DIR);
  bt_molecule **list, *molecule;
  int count;
  bt_error error;
  support_ok(bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &list, &count, &error), &error);
  molecule = list[0];
  free(list);
  return molecule;
}

static void in_any_order(void **state) {
  (void)state;
  static const char *const all[] = {"C", "OA", "SA", "HD"}, *const odd[] = {"Xx"};
  bt_molecule *molecule = receptor();
  bt_grid_options options = bt_grid_options_default();
  options.box = bt_box_from_size((double[3]){2, 6, -7}, (double[3]){8, 8, 8}, 0.5);
  bt_maps *together, *maps = NULL, *none = NULL;
  bt_error error;
  support_ok(bt_maps_compute(molecule, all, 4, &options, &together, &error), &error);
  support_ok(bt_maps_add(&maps, molecule, all + 2, 1, &options, &error), &error);
  support_ok(bt_maps_add(&maps, molecule, all, 2, &options, &error), &error);
  support_ok(bt_maps_add(&maps, molecule, odd, 1, &options, &error), &error); /* without parameters: left out */
  support_ok(bt_maps_add(&maps, molecule, all, 4, &options, &error), &error);
  assert_int_equal(maps->n_types, 4);
  size_t size = bt_maps_points(maps) * sizeof(float);
  for (int t = 0; t < 4; t++) assert_memory_equal(maps->values[bt_maps_find(maps, all[t])], together->values[t], size);
  assert_memory_equal(bt_maps_electrostatic(maps), bt_maps_electrostatic(together), size);
  assert_memory_equal(bt_maps_desolvation(maps), bt_maps_desolvation(together), size);
  support_ok(bt_maps_add(&none, molecule, odd, 1, &options, &error), &error);
  assert_int_equal(bt_maps_find(none, "Xx"), -1);
  bt_maps_destroy(together);
  bt_maps_destroy(maps);
  bt_maps_destroy(none);
  bt_molecule_destroy(molecule);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_any_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
