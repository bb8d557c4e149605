/* test_ligand.c - ligands made from molecules: bodies, torsions, interacting pairs, clear refusals. */
#include <berth/berth.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "molecule_fixture.h"
#include "pose/bonds.h"
#include "unit/assert_near.h"

static bool has_pair(const bt_ligand *ligand, int i, int j) {
  for (int k = 0; k < ligand->n_pairs; k++)
    if (ligand->pairs[k].i == i && ligand->pairs[k].j == j) return true;
  return false;
}

static bt_ligand *create(const bt_molecule *molecule, const bt_molecule *opt_flexible) {
  bt_ligand *ligand;
  bt_error error = {0};
  bt_status status = bt_ligand_create(molecule, opt_flexible, &ligand, &error);
  if (status != BT_OK) fail_msg("%s", error.message);
  return ligand;
}

static void bodies_follow_the_branches(void **state) {
  (void)state;
  fixture f;
  bt_ligand *ligand = create(fixture_chain(&f, 8), NULL);
  assert_int_equal(ligand->n_bodies, 6);
  assert_int_equal(bt_ligand_torsion_count(ligand), 5);
  assert_int_equal(ligand->n_ligand_torsions, 5);
  assert_int_equal(ligand->torsdof, 5); /* no TORSDOF record: the number of branches */
  assert_false(ligand->bodies[0].immobile);
  assert_int_equal(ligand->bodies[0].torsion, -1);
  assert_int_equal(ligand->bodies[0].end_atom, 8);
  for (int b = 1; b < 6; b++) {
    assert_int_equal(ligand->bodies[b].parent, b - 1);
    assert_int_equal(ligand->bodies[b].torsion, b - 1);
    assert_int_equal(ligand->bodies[b].first_atom, b + 2);
    assert_int_equal(ligand->bodies[b].end_atom, 8);
  }
  double mean = 0;
  for (int i = 0; i < 8; i++) mean += ligand->xyz[3 * i] / 8;
  assert_near(ligand->center[0], mean, 1e-12);
  bt_ligand_destroy(ligand);
}

/* In a chain with every bond turning, 1-2, 1-3 and 1-4 neighbors drop out and nothing else does beyond rule 3. */
static void neighbors_up_to_1_4_do_not_interact(void **state) {
  (void)state;
  fixture f;
  bt_ligand *ligand = create(fixture_chain(&f, 10), NULL);
  int expected = 0;
  for (int i = 0; i < 10; i++) {
    for (int j = i + 1; j < 10; j++) {
      bool interacts = j - i >= 4;
      assert_int_equal(has_pair(ligand, i, j), interacts);
      expected += interacts;
    }
  }
  assert_int_equal(ligand->n_pairs, expected);
  bt_ligand_destroy(ligand);
}

static void a_rigid_molecule_has_no_internal_energy(void **state) {
  (void)state;
  fixture f;
  fixture_atom atoms[] = {{"C", 0, 0, 0, 0}, {"OA", 5, 0, 0, 0}, {"N", 0, 6, 0, 0}};
  bt_ligand *ligand = create(fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 3, (int[][3]){{-1, -1, -1}}, 1), NULL);
  assert_int_equal(ligand->n_pairs, 0);
  assert_int_equal(ligand->n_torsions, 0);
  bt_ligand_destroy(ligand);
}

/* The far ends of two rotatable bonds that leave one body keep their distance: no pair, though five bonds apart. */
static void ends_of_rotatable_bonds_do_not_interact(void **state) {
  (void)state;
  fixture f;
  fixture_atom atoms[] = {{"C", 0, 0, 0, 0},      {"C", 1.5, 0, 0, 0},    {"C", 3.0, 0, 0, 0},   {"C", 4.5, 0, 0, 0},
                          {"C", -0.7, 1.3, 0, 1}, {"C", -2.2, 1.3, 0, 1}, {"C", 5.2, 1.3, 0, 2}, {"C", 6.7, 1.3, 0, 2}};
  int axes[][3] = {{-1, -1, -1}, {0, 0, 4}, {0, 3, 6}};
  bt_ligand *ligand = create(fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 8, axes, 3), NULL);
  assert_false(has_pair(ligand, 4, 6)); /* b-d of two bonds of the root */
  assert_false(has_pair(ligand, 3, 4)); /* b with all of the root */
  assert_true(has_pair(ligand, 4, 7));
  assert_true(has_pair(ligand, 5, 6));
  assert_true(has_pair(ligand, 5, 7));
  bt_ligand_destroy(ligand);
}

/* An opened ring: the closing bond counts as a bond, and each glue point attracts only the carbon it represents. */
static void ring_closures_get_glue(void **state) {
  (void)state;
  fixture f;
  fixture_atom atoms[] = {{"C", 0, 0, 0, 0},        {"C", 1.5, 0, 0, 0},     {"CG0", 2.2, 1.3, 0, 1},
                          {"G0", 3.6, 1.3, 0.5, 1}, {"C", -0.7, -1.3, 0, 2}, {"CG0", -2.2, -1.3, 0, 3},
                          {"G0", -2.9, -2.5, 0, 3}};
  int axes[][3] = {{-1, -1, -1}, {0, 1, 2}, {0, 0, 4}, {2, 4, 5}};
  bt_ligand *ligand = create(fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 7, axes, 4), NULL);
  int glue = 0;
  for (int k = 0; k < ligand->n_pairs; k++) glue += ligand->pairs[k].glue;
  assert_int_equal(glue, 2);
  assert_true(has_pair(ligand, 2, 6));
  assert_true(has_pair(ligand, 3, 5));
  assert_false(has_pair(ligand, 2, 5)); /* the closing bond */
  assert_false(has_pair(ligand, 1, 5)); /* 1-3 across it */
  assert_false(has_pair(ligand, 0, 6)); /* a point has no other partner */
  assert_false(ligand->feels_maps[3]);
  assert_true(ligand->feels_maps[2]);
  assert_int_equal(bt_ligand_type_count(ligand), 1); /* CG0 uses the C map, G0 none */
  assert_string_equal(bt_ligand_type(ligand, 0), "C");
  assert_null(bt_ligand_type(ligand, 1));
  bt_ligand_destroy(ligand);
}

static void water_is_no_partner(void **state) {
  (void)state;
  fixture f;
  fixture_atom atoms[] = {{"C", 0, 0, 0, 0},     {"C", 1.5, 0, 0, 0},   {"C", 2.2, 1.3, 0, 1},
                          {"C", 3.7, 1.3, 0, 1}, {"W", 4.4, 2.6, 0, 1}, {"OA", -2.5, 3.0, 0, 0}};
  bt_ligand *ligand =
      create(fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 6, (int[][3]){{-1, -1, -1}, {0, 1, 2}}, 2), NULL);
  for (int k = 0; k < ligand->n_pairs; k++) assert_true(ligand->pairs[k].i != 4 && ligand->pairs[k].j != 4);
  assert_true(ligand->n_pairs > 0);
  assert_true(ligand->feels_maps[4]);
  bt_ligand_destroy(ligand);
}

/* Two residues CA-CB-X-Y: their roots are one body, and that body never moves. */
static void residues_share_an_immobile_root(void **state) {
  (void)state;
  fixture f, g;
  fixture_atom residues[] = {{"C", 10, 0, 0, 0}, {"C", 11.5, 0, 0, 1}, {"C", 12.2, 1.3, 0, 2}, {"OA", 13.6, 1.3, 0, 2},
                             {"C", 10, 0, 8, 3}, {"C", 11.5, 0, 8, 4}, {"C", 12.2, 1.3, 8, 5}, {"OA", 13.6, 1.3, 8, 5}};
  int axes[][3] = {{-1, -1, -1}, {0, 0, 1}, {1, 1, 2}, {-1, -1, -1}, {3, 4, 5}, {4, 5, 6}};
  const bt_molecule *chain = fixture_chain(&f, 4);
  bt_ligand *ligand = create(chain, fixture_molecule(&g, BT_MOLECULE_FLEXIBLE, residues, 8, axes, 6));
  assert_int_equal(ligand->n_atoms, 12);
  assert_int_equal(ligand->n_ligand_atoms, 4);
  assert_int_equal(ligand->n_ligand_torsions, 1);
  assert_int_equal(ligand->n_torsions, 5);
  assert_true(ligand->bodies[2].immobile);
  assert_int_equal(ligand->body[4], 2);
  assert_int_equal(ligand->body[8], 2);
  assert_int_equal(ligand->bodies[ligand->body[9]].parent, 2);
  for (int i = 0; i < 12; i++) assert_int_equal(ligand->feels_maps[i], i < 4 || (i - 4) % 4 >= 2);
  assert_false(has_pair(ligand, 4, 8)); /* root with root */
  assert_false(has_pair(ligand, 4, 9)); /* root with the first branch atom of the other residue */
  assert_false(has_pair(ligand, 5, 9)); /* first branch atoms */
  assert_true(has_pair(ligand, 5, 10));
  assert_true(has_pair(ligand, 7, 11));
  assert_true(has_pair(ligand, 0, 4)); /* the ligand meets every residue atom, the fixed ones too */
  for (int k = 1; k < ligand->n_pairs; k++) assert_true(ligand->pairs[k].group >= ligand->pairs[k - 1].group);
  const bt_molecule *home;
  assert_int_equal(bt_ligand_atom(ligand, 5, &home)->serial, 2);
  assert_ptr_equal(home, &g.molecule);
  bt_ligand_destroy(ligand);
}

static void unknown_types_are_refused_by_name(void **state) {
  (void)state;
  fixture f;
  fixture_atom atoms[] = {{"C", 0, 0, 0, 0}, {"cl", 1.7, 0, 0, 0}};
  bt_ligand *ligand;
  bt_error error;
  const bt_molecule *molecule = fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 2, (int[][3]){{-1, -1, -1}}, 1);
  assert_int_equal(bt_ligand_create(molecule, NULL, &ligand, &error), BT_ERR_PARAMETER);
  assert_null(ligand);
  assert_string_equal(error.file, "fixture.pdbqt");
  assert_int_equal(error.line, 3);
  assert_int_equal(error.atom, 2);
  assert_non_null(strstr(error.message, "'cl'"));
  assert_non_null(strstr(error.remedy, "Cl"));
}

static void a_bond_without_direction_is_refused(void **state) {
  (void)state;
  fixture f;
  fixture_atom atoms[] = {{"C", 1, 1, 1, 0}, {"C", 1, 1, 1, 1}, {"C", 2, 2, 2, 1}};
  bt_ligand *ligand;
  bt_error error;
  const bt_molecule *molecule =
      fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 3, (int[][3]){{-1, -1, -1}, {0, 0, 1}}, 2);
  assert_int_equal(bt_ligand_create(molecule, NULL, &ligand, &error), BT_ERR_INPUT);
  assert_null(ligand);
}

static void large_ligands_are_welcome(void **state) {
  (void)state;
  fixture f;
  bt_ligand *ligand = create(fixture_chain(&f, 120), NULL); /* 117 torsions */
  assert_int_equal(ligand->n_torsions, 117);
  assert_int_equal(ligand->n_pairs, 116 * 117 / 2);
  bt_ligand_destroy(ligand);
}

/* Walks of up to three bonds, as AutoDock 4 finds them: slow, and what the pairs have to agree with. */
static bool is_near(const bt_bonds *bonds, int i, int j, int steps) {
  if (i == j) return true;
  for (int b = bonds->first[i]; steps > 0 && b < bonds->first[i + 1]; b++)
    if (is_near(bonds, bonds->neighbor[b], j, steps - 1)) return true;
  return false;
}

static double next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state / 4294967296.0;
}

/* A flexible chain whose atoms are anywhere in a box of that size. */
static const bt_molecule *crowd(fixture *f, int n, double size) {
  uint32_t seed = 7;
  fixture_chain(f, n);
  for (int i = 0; i < n; i++)
    for (int axis = 0; axis < 3; axis++) f->atoms[i].x[axis] = size * next_random(&seed);
  return &f->molecule;
}

static void pairs_are_those_of_walks(void **state) {
  (void)state;
  fixture f;
  int kept = 0;
  for (int n = 60; n <= 70; n += 5) { /* below, and beyond, the bits of a word */
    bt_ligand *ligand = create(crowd(&f, n, 7.0), NULL);
    BT_ENDED_BY(bt_bonds_destroy) bt_bonds bonds = {0};
    assert_int_equal(bt_bonds_find(ligand, &bonds, NULL), BT_OK);
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++)
        if (has_pair(ligand, i, j)) assert_false(is_near(&bonds, i, j, 3));
    /* an atom alone in its body, which no axis leaves, is left out of pairs by bonds and by its own axis only */
    int last = n - 1, axis = ligand->bodies[ligand->n_bodies - 1].axis_from;
    for (int i = 0; i + 4 < last; i++) {
      if (i == axis) continue;
      assert_int_equal(has_pair(ligand, i, last), !is_near(&bonds, i, last, 3));
      kept += has_pair(ligand, i, last);
    }
    bt_ligand_destroy(ligand);
  }
  assert_true(kept > 0);
}

/* Thousands of atoms in one place, each bonded to all others: walks of three bonds would be 10^13. */
static void crowded_atoms_take_no_walks(void **state) {
  (void)state;
  enum { N = 2500 };
  bt_atom *atoms = calloc(N, sizeof *atoms);
  bt_fragment fragment = {.parent = -1, .axis_from = -1, .axis_to = -1, .end_atom = N};
  for (int i = 0; i < N; i++) {
    uint32_t seed = (uint32_t)i;
    atoms[i] = (bt_atom){.type = "C", .serial = i + 1};
    for (int axis = 0; axis < 3; axis++) atoms[i].x[axis] = (i % 2) * 50.0 + 0.05 + 0.9 * next_random(&seed);
  }
  bt_molecule molecule = {.kind = BT_MOLECULE_LIGAND, .path = fixture_path, .name = fixture_path, .model = 1,
                          .n_atoms = N, .n_fragments = 1, .atoms = atoms, .fragments = &fragment, .torsdof = -1};
  for (int scoring = BT_SCORING_AD4; scoring <= BT_SCORING_VINA; scoring++) {
    bt_ligand *ligand;
    bt_error error = {0};
    assert_int_equal(bt_ligand_create_as(&molecule, NULL, (bt_scoring)scoring, &ligand, &error), BT_OK);
    assert_int_equal(ligand->n_pairs, 0); /* one rigid body */
    bt_ligand_destroy(ligand);
  }
  free(atoms);
}

static void so_many_atoms_are_refused(void **state) {
  (void)state;
  fixture f;
  bt_molecule molecule = *fixture_chain(&f, 8);
  bt_ligand *ligand;
  bt_error error = {0};
  molecule.n_atoms = 10001;
  assert_int_equal(bt_ligand_create(&molecule, NULL, &ligand, &error), BT_ERR_LIMIT);
  assert_non_null(strstr(error.message, "10001 atoms"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_follow_the_branches),
      cmocka_unit_test(neighbors_up_to_1_4_do_not_interact),
      cmocka_unit_test(a_rigid_molecule_has_no_internal_energy),
      cmocka_unit_test(ends_of_rotatable_bonds_do_not_interact),
      cmocka_unit_test(ring_closures_get_glue),
      cmocka_unit_test(water_is_no_partner),
      cmocka_unit_test(residues_share_an_immobile_root),
      cmocka_unit_test(unknown_types_are_refused_by_name),
      cmocka_unit_test(a_bond_without_direction_is_refused),
      cmocka_unit_test(large_ligands_are_welcome),
      cmocka_unit_test(pairs_are_those_of_walks),
      cmocka_unit_test(crowded_atoms_take_no_walks),
      cmocka_unit_test(so_many_atoms_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
