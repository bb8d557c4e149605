/* Bond vectors follow AutoGrid 4.2.6's rules, which depend on the order of atoms in the file. */
#include "unit/grid/receptors.h"
#include "unit/assert_near.h"

typedef struct scene {
  bt_molecule molecule;
  bt_ad4_table *table;
  bt_grid_receptor *receptor;
} scene;

static scene start(const test_atom *atoms, int n_atoms, bool disorder_h) {
  scene s = {.molecule = test_molecule(atoms, n_atoms)};
  bt_error error;
  support_ok(bt_ad4_table_create(NULL, &s.table, &error), &error);
  s.receptor = test_receptor(&s.molecule, s.table, (const double[3]){0.0, 0.0, 0.0}, disorder_h);
  return s;
}

static void end(scene *s) {
  bt_grid_receptor_destroy(s->receptor);
  bt_ad4_table_destroy(s->table);
  test_molecule_free(&s->molecule);
}

#define START(s, atoms, disorder) scene s = start(atoms, (int)(sizeof(atoms) / sizeof((atoms)[0])), disorder)

static void assert_vector(const double v[3], double x, double y, double z) {
  assert_near(v[0], x, 1e-9);
  assert_near(v[1], y, 1e-9);
  assert_near(v[2], z, 1e-9);
}

static void hydrogens_point_along_their_bond(void **state) {
  (void)state;
  test_atom atoms[] = {{"N", 0, 0, 0, 0.1}, {"HD", 1, 0, 0, 0.1}, {"OA", 9, 0, 0, 0.1}, {"HD", 9, 0.9, 0, 0.1},
                       {"HD", 20, 0, 0, 0.1}, {"SA", 30, 0, 0, 0.1}, {"HD", 30, 0, 1.34, 0.1}};
  START(s, atoms, false);
  assert_vector(s.receptor->atoms[1].axis, 1, 0, 0);
  assert_int_equal(s.receptor->atoms[1].power, 2);
  assert_vector(s.receptor->atoms[3].axis, 0, 1, 0);
  assert_int_equal(s.receptor->atoms[3].power, 4);
  assert_vector(s.receptor->atoms[4].axis, 0, 0, 0); /* bonded to nothing */
  assert_int_equal(s.receptor->atoms[4].power, 0);
  assert_vector(s.receptor->atoms[6].axis, 0, 0, 1);
  assert_int_equal(s.receptor->atoms[6].power, 4);
  end(&s);
}

static void a_carbonyl_takes_its_plane_from_the_last_neighbor(void **state) {
  (void)state;
  test_atom atoms[] = {
      {"C", 0, 0, 0, 0.1}, {"OA", 1.23, 0, 0, 0.1}, {"N", -0.7, 1.1, 0, 0.1}, {"C", -0.8, 0, 1.2, 0.1}};
  START(s, atoms, false);
  assert_vector(s.receptor->atoms[1].axis, 1, 0, 0);
  assert_vector(s.receptor->atoms[1].normal, 0, -1, 0); /* x times the bond to the last carbon */
  end(&s);
}

static void two_neighbors_give_the_plane_between_them(void **state) {
  (void)state;
  test_atom atoms[] = {{"C", -1, -1, 0, 0.1}, {"OA", 0, 0, 0, 0.1}, {"C", 1, -1, 0, 0.1}, {"C", 0, 0, 1.8, 0.1}};
  START(s, atoms, false);
  assert_vector(s.receptor->atoms[1].normal, 1, 0, 0);
  assert_vector(s.receptor->atoms[1].axis, 0, 1, 0); /* the third neighbor does not count */
  end(&s);
}

static void a_thiol_sulfur_sees_only_its_carbon(void **state) {
  (void)state;
  test_atom atoms[] = {{"C", 0, 0, 0, 0.1}, {"SA", 1.8, 0, 0, 0.1}, {"HD", 2.2, 1.28, 0, 0.1}};
  START(s, atoms, false);
  assert_vector(s.receptor->atoms[1].axis, 1, 0, 0);
  assert_vector(s.receptor->atoms[1].normal, 0, 0, 0); /* 1.34 A is beyond the 1.3 A of a hydrogen */
  end(&s);
}

static void a_nitrogen_points_away_from_the_mean_of_its_neighbors(void **state) {
  (void)state;
  test_atom atoms[] = {{"A", -1, 0.8, 0, 0.1}, {"NA", 0, 0, 0, 0.1}, {"A", -1, -0.8, 0, 0.1}};
  START(s, atoms, false);
  assert_vector(s.receptor->atoms[1].axis, 1, 0, 0);
  end(&s);
}

static void only_twenty_atoms_before_and_after_are_searched(void **state) {
  (void)state;
  test_atom atoms[23];
  for (int i = 0; i < 23; i++) atoms[i] = (test_atom){"C", 100.0 + 10.0 * i, 0, 0, 0.1};
  atoms[0] = (test_atom){"N", 0, 0, 0, 0.1};
  atoms[20] = (test_atom){"HD", 1, 0, 0, 0.1};  /* 20 behind */
  atoms[21] = (test_atom){"HD", 0, 1, 0, 0.1};  /* 21 behind; its other neighbors are too far away */
  START(s, atoms, false);
  assert_vector(s.receptor->atoms[20].axis, 1, 0, 0);
  assert_int_equal(s.receptor->atoms[21].power, 0);
  end(&s);
}

static void lonely_acceptors_are_counted(void **state) {
  (void)state;
  test_atom atoms[] = {{"OA", 0, 0, 0, 0.1}, {"NA", 9, 0, 0, 0.1}, {"C", 20, 0, 0, 0.1}, {"OS", 30, 0, 0, 0.1}};
  START(s, atoms, false);
  assert_int_equal(s.receptor->n_lonely, 2); /* spherical acceptors need no direction */
  end(&s);
}

static void disorder_turns_hydroxyls(void **state) {
  (void)state;
  test_atom atoms[] = {{"C", -1.4, 0, 0, 0.1}, {"OA", 0, 0, 0, 0.1}, {"HD", 0.3, 0.9, 0, 0.1},
                       {"A", 20, 0, 0, 0.1}, {"OA", 21.4, 0, 0, 0.1}, {"HD", 21.4, 0.9, 0, 0.1}};
  START(s, atoms, true);
  assert_true(s.receptor->atoms[1].disordered && s.receptor->atoms[2].disordered);
  assert_vector(s.receptor->atoms[1].axis, 1, 0, 0);
  assert_vector(s.receptor->atoms[1].normal, 0, 0, 0);
  assert_vector(s.receptor->atoms[4].axis, 0, -1, 0); /* AutoGrid's slip: tyrosine's axis is its O-H bond */
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hydrogens_point_along_their_bond),
      cmocka_unit_test(a_carbonyl_takes_its_plane_from_the_last_neighbor),
      cmocka_unit_test(two_neighbors_give_the_plane_between_them),
      cmocka_unit_test(a_thiol_sulfur_sees_only_its_carbon),
      cmocka_unit_test(a_nitrogen_points_away_from_the_mean_of_its_neighbors),
      cmocka_unit_test(only_twenty_atoms_before_and_after_are_searched),
      cmocka_unit_test(lonely_acceptors_are_counted),
      cmocka_unit_test(disorder_turns_hydroxyls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
