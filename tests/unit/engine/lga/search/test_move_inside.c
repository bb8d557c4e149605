/* test_move_inside.c - a pose that touches a face of the box is moved inside; one that cannot be is left alone. */
#include "engine/lga/search/move_inside.h"

#include "unit/assert_near.h"
#include "unit/support.h"

static void place(double *xyz, double x0, double x1) {
  const double start[6] = {x0, 5, 5, x1, 5, 5};
  memcpy(xyz, start, sizeof start);
}

static void poses_come_to_lie_inside(void **state) {
  (void)state;
  bool feels[2] = {true, true};
  bt_part part = {.end_atom = 2};
  bt_ligand ligand = {.n_atoms = 2, .n_ligand_atoms = 2, .feels_maps = feels, .n_parts = 1, .parts = &part};
  bt_maps maps = {.low = {0, 0, 0}, .high = {10, 10, 10}};
  bt_genotype genotype = {.position = {1, 5, 5}};
  double xyz[6];
  place(xyz, -0.04, 2.0);
  assert_true(bt_move_inside(&ligand, &maps, 0.5, &genotype, xyz));
  assert_true(xyz[0] > 0);
  assert_near(xyz[3] - xyz[0], 2.04, 1e-12);
  assert_near(genotype.position[0], 1 + xyz[0] + 0.04, 1e-12);
  place(xyz, 8.0, 10.3);
  assert_true(bt_move_inside(&ligand, &maps, 0.5, &genotype, xyz));
  assert_true(xyz[3] < 10);
  place(xyz, 1.0, 9.0); /* inside already */
  assert_false(bt_move_inside(&ligand, &maps, 0.5, &genotype, xyz));
  place(xyz, -3.0, 2.0); /* too far */
  assert_false(bt_move_inside(&ligand, &maps, 0.5, &genotype, xyz));
  place(xyz, -0.1, 10.1); /* longer than the box */
  assert_false(bt_move_inside(&ligand, &maps, 0.5, &genotype, xyz));
}

static void of_several_ligands_each_moves_by_itself(void **state) {
  (void)state;
  bool feels[2] = {true, true};
  bt_part parts[2] = {{.end_atom = 1}, {.first_atom = 1, .end_atom = 2, .turn = 0, .position = 3}};
  bt_ligand ligand = {
      .n_atoms = 2, .n_ligand_atoms = 2, .feels_maps = feels, .n_torsions = 6, .n_parts = 2, .parts = parts};
  bt_maps maps = {.low = {0, 0, 0}, .high = {10, 10, 10}};
  double torsions[6] = {0, 0, 0, 10.1, 5, 5}, xyz[6];
  bt_genotype genotype = {.position = {2, 5, 5}, .torsions = torsions};
  place(xyz, 2.0, 10.1);
  assert_true(bt_move_inside(&ligand, &maps, 0.5, &genotype, xyz));
  assert_true(xyz[3] < 10);
  assert_near(torsions[3], xyz[3], 1e-12);
  assert_near(xyz[0], 2.0, 0);
  assert_near(genotype.position[0], 2.0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(poses_come_to_lie_inside),
                                     cmocka_unit_test(of_several_ligands_each_moves_by_itself)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
