/* test_vina.c - a molecule by Vina's rules: bonds, classes, rotors, pairs. */
#include "unit/support.h"

#include <berth/berth.h>
#include <berth/score.h>

#include <math.h>

#include "molecule_fixture.h"
#include "pose/vina.h"
#include "unit/assert_near.h"

static bt_ligand *create(const bt_molecule *molecule, const bt_molecule *opt_flexible) {
  bt_ligand *ligand;
  bt_error error;
  support_ok(bt_ligand_create_as(molecule, opt_flexible, BT_SCORING_VINA, &ligand, &error), &error);
  return ligand;
}

static const char *class_of(const bt_ligand *ligand, int i) { return ligand->vina[ligand->type[i]]->name; }

static const bt_pair *find_pair(const bt_ligand *ligand, int i, int j) {
  for (int k = 0; k < ligand->n_pairs; k++)
    if (ligand->pairs[k].i == i && ligand->pairs[k].j == j) return &ligand->pairs[k];
  return NULL;
}

/* Propanol: a bond that turns, and the hydroxyl's. */
static const fixture_atom propanol[] = {{"C", 0.00, 0.00, 0, 0},
                                        {"C", 1.26, 0.85, 0, 0},
                                        {"C", 2.52, 0.00, 0, 1},
                                        {"OA", 3.70, 0.80, 0, 2},
                                        {"HD", 4.50, 0.30, 0, 2}};
static int propanol_axes[][3] = {{-1, -1, -1}, {0, 1, 2}, {1, 2, 3}};

static void classes_follow_from_neighbors(void **state) {
  (void)state;
  fixture f;
  bt_ligand *ligand = create(fixture_molecule(&f, BT_MOLECULE_LIGAND, propanol, 5, propanol_axes, 3), NULL);
  assert_string_equal(class_of(ligand, 0), "C_H");
  assert_string_equal(class_of(ligand, 1), "C_H");
  assert_string_equal(class_of(ligand, 2), "C_P");
  assert_string_equal(class_of(ligand, 3), "O_DA");
  assert_string_equal(class_of(ligand, 4), "none");
  assert_true(ligand->feels_maps[3] && !ligand->feels_maps[4]);
  assert_int_equal(ligand->n_map_types, 3);
  assert_string_equal(bt_ligand_type(ligand, 2), "O_DA");
  assert_null(ligand->parameters);
  for (int i = 0; i < 5; i++) assert_near(ligand->charge[i], 0, 0);
  bt_ligand_destroy(ligand);
}

static void terminal_rotors_count_half(void **state) {
  (void)state;
  fixture f;
  bt_ligand *ligand = create(fixture_molecule(&f, BT_MOLECULE_LIGAND, propanol, 5, propanol_axes, 3), NULL);
  assert_near(bt_ligand_rotors(ligand), 1.5, 0);
  assert_int_equal(ligand->n_torsions, 2);
  bt_ligand_destroy(ligand);
  /* without its hydrogen the hydroxyl's branch is one atom and no rotor, but keeps its gene */
  ligand = create(fixture_molecule(&f, BT_MOLECULE_LIGAND, propanol, 4, propanol_axes, 3), NULL);
  assert_near(bt_ligand_rotors(ligand), 1, 0);
  assert_int_equal(ligand->n_torsions, 2);
  assert_string_equal(class_of(ligand, 3), "O_A");
  assert_int_equal(bt_vina_motion_of(ligand, 2, 3), BT_VINA_FIXED);
  assert_int_equal(bt_vina_motion_of(ligand, 1, 2), BT_VINA_ROTOR);
  assert_int_equal(bt_vina_motion_of(ligand, 0, 3), BT_VINA_VARIABLE);
  bt_ligand_destroy(ligand);
}

/* A zigzag chain whose every bond turns but the first two: atoms 0 to 2 are the root, then one atom each. */
static void chain(fixture_atom *atoms, int n, int (*axes)[3]) {
  memcpy(axes[0], (int[3]){-1, -1, -1}, sizeof axes[0]);
  for (int k = 0; k < n; k++) {
    atoms[k] = (fixture_atom){"C", 1.26 * k, k % 2 == 0 ? 0.0 : 0.85, 0.3 * sin(0.4 * k), k < 3 ? 0 : k - 2};
    if (k >= 3) memcpy(axes[k - 2], (int[3]){k - 3, k - 1, k}, sizeof axes[0]);
  }
}

static void bodies_are_those_of_autodock(void **state) {
  (void)state;
  fixture f;
  fixture_atom atoms[12];
  int axes[16][3];
  chain(atoms, 12, axes);
  const bt_molecule *molecule = fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 12, axes, 10);
  bt_ligand *ligand = create(molecule, NULL), *other;
  bt_error error;
  support_ok(bt_ligand_create(molecule, NULL, &other, &error), &error);
  assert_int_equal(ligand->n_bodies, other->n_bodies);
  assert_memory_equal(ligand->bodies, other->bodies, (size_t)ligand->n_bodies * sizeof *ligand->bodies);
  assert_memory_equal(ligand->xyz, other->xyz, 36 * sizeof *ligand->xyz);
  /* all bonds turn but the first two and, as a branch of one atom, the last */
  assert_near(bt_ligand_rotors(ligand), other->n_torsions - 1, 0);
  for (int i = 0; i < 12; i++)
    for (int j = i + 1; j < 12; j++) assert_int_equal(find_pair(ligand, i, j) != NULL, j - i >= 4);
  bt_ligand_destroy(other);
  bt_ligand_destroy(ligand);
}

static int bonds_between(const char *const *types, const double (*x)[3], int count, int i) {
  const bt_vina_input *inputs[8];
  for (int k = 0; k < count; k++) inputs[k] = bt_vina_input_find(types[k]);
  bt_vina_atoms atoms = {.count = count, .x = x, .inputs = inputs};
  bt_bonds bonds;
  bt_error error;
  support_ok(bt_vina_bonds(&atoms, &bonds, &error), &error);
  int found = bonds.first[i + 1] - bonds.first[i];
  bt_bonds_destroy(&bonds);
  return found;
}

static void an_atom_between_prevents_a_bond(void **state) {
  (void)state;
  static const char *const types[] = {"Zn", "C", "OA"};
  static const double x[][3] = {{0, 0, 0}, {2.2, 0, 0}, {1.3, 0, 0}};
  assert_int_equal(bonds_between(types, x, 2, 0), 1); /* 1.1 (1.31 + 0.77) = 2.288 */
  assert_int_equal(bonds_between(types, x, 3, 0), 1); /* oxygen alone */
  assert_int_equal(bonds_between(types, x, 3, 2), 2);
}

static void hydrogens_and_metals_have_bonds(void **state) {
  (void)state;
  static const char *const donor[] = {"NA", "HD"}, *const calcium[] = {"Ca", "OA"}, *const zinc[] = {"TZ", "NA"};
  assert_int_equal(bonds_between(donor, (const double[][3]){{0, 0, 0}, {1.23, 0, 0}}, 2, 0), 1);
  assert_int_equal(bonds_between(donor, (const double[][3]){{0, 0, 0}, {1.24, 0, 0}}, 2, 0), 0);
  assert_int_equal(bonds_between(calcium, (const double[][3]){{0, 0, 0}, {2.71, 0, 0}}, 2, 0), 1);
  assert_int_equal(bonds_between(calcium, (const double[][3]){{0, 0, 0}, {2.72, 0, 0}}, 2, 0), 0);
  assert_int_equal(bonds_between(zinc, (const double[][3]){{0, 0, 0}, {0.1, 0, 0}}, 2, 1), 0); /* no atom */
}

/* A ring of ten opened between atoms 0 and 9: glue points behind both ends. */
static void closures_meet_their_glue_alone(void **state) {
  (void)state;
  fixture f;
  fixture_atom atoms[12];
  int axes[16][3];
  chain(atoms, 10, axes);
  atoms[0].type = atoms[9].type = "CG0";
  atoms[10] = (fixture_atom){"G0", atoms[9].x + 1.26, 0.0, atoms[9].z, 7};
  bt_ligand *ligand = create(fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 11, axes, 8), NULL);
  assert_string_equal(class_of(ligand, 9), "CG_P"); /* the glue point is a hetero atom */
  assert_string_equal(class_of(ligand, 0), "CG_H");
  assert_string_equal(class_of(ligand, 1), "C_P");
  assert_string_equal(bt_ligand_map_type(ligand, ligand->type[9]), "C_P");
  assert_null(find_pair(ligand, 0, 9));
  assert_null(find_pair(ligand, 1, 9)); /* 1-3 across the closure */
  assert_null(find_pair(ligand, 1, 8)); /* 1-4 across the closure */
  assert_non_null(find_pair(ligand, 2, 8));
  assert_non_null(find_pair(ligand, 0, 10));
  assert_true(find_pair(ligand, 0, 10)->glue);
  for (int i = 1; i < 10; i++) assert_null(find_pair(ligand, i, 10));
  assert_false(ligand->feels_maps[10]);
  bt_ligand_destroy(ligand);
}

static void residues_have_atoms_that_do_not_move(void **state) {
  (void)state;
  fixture f;
  bt_molecule **residues;
  int count;
  bt_error error;
  support_ok(
      bt_molecule_read(BERTH_SOURCE_DIR "/tests/data/residues.pdbqt", BT_MOLECULE_FLEXIBLE, &residues, &count, &error),
      &error);
  fixture_atom atoms[4];
  int axes[2][3];
  chain(atoms, 4, axes);
  bt_ligand *ligand = create(fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 4, axes, 2), residues[0]);
  int ca = 4, cb = 5, cg = 6, nz = 9, tyr_ca = 13, tyr_cb = 14, oh = 21;
  assert_true(bt_vina_is_immobile(ligand, ca) && bt_vina_is_immobile(ligand, cb) && !bt_vina_is_immobile(ligand, cg));
  assert_true(!ligand->feels_maps[ca] && !ligand->feels_maps[cb] && ligand->feels_maps[cg]);
  assert_string_equal(class_of(ligand, ca), "C_P"); /* its nitrogen is in the rigid part */
  assert_string_equal(class_of(ligand, cb), "C_H");
  assert_string_equal(class_of(ligand, nz), "N_D");
  assert_string_equal(class_of(ligand, oh), "O_DA");
  assert_null(find_pair(ligand, 0, ca)); /* the ligand does not see them */
  assert_null(find_pair(ligand, 0, cb));
  assert_non_null(find_pair(ligand, 0, cg));
  assert_int_equal(find_pair(ligand, 3, oh)->group, BT_PAIR_LIGAND_FLEX);
  assert_null(find_pair(ligand, ca, tyr_ca));
  assert_null(find_pair(ligand, cb, tyr_cb));
  assert_non_null(find_pair(ligand, ca, oh));
  assert_non_null(find_pair(ligand, ca, nz));  /* five bonds apart */
  assert_near(bt_ligand_rotors(ligand), 0, 0); /* only the ligand's; its one branch is empty */
  bt_ligand_destroy(ligand);
  bt_molecule_list_destroy(residues, count);
}

static void unknown_types_are_named(void **state) {
  (void)state;
  fixture f;
  bt_ligand *ligand;
  bt_error error;
  const fixture_atom lower[] = {{"cl", 0, 0, 0, 0}}, boron[] = {{"C", 0, 0, 0, 0}, {"B", 1.5, 0, 0, 0}};
  const bt_molecule *molecule = fixture_molecule(&f, BT_MOLECULE_LIGAND, lower, 1, (int[][3]){{-1, -1, -1}}, 1);
  bt_status status = bt_ligand_create_as(molecule, NULL, BT_SCORING_VINARDO, &ligand, &error);
  support_failed(status, BT_ERR_PARAMETER, &error, "atom type 'cl'");
  assert_non_null(strstr(error.remedy, "Cl"));
  molecule = fixture_molecule(&f, BT_MOLECULE_LIGAND, boron, 2, (int[][3]){{-1, -1, -1}}, 1);
  status = bt_ligand_create_as(molecule, NULL, BT_SCORING_VINA, &ligand, &error);
  support_failed(status, BT_ERR_PARAMETER, &error, "atom type 'B'");
  assert_int_equal(error.line, 3);
  assert_null(ligand);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(classes_follow_from_neighbors),       cmocka_unit_test(terminal_rotors_count_half),
      cmocka_unit_test(bodies_are_those_of_autodock),         cmocka_unit_test(an_atom_between_prevents_a_bond),
      cmocka_unit_test(hydrogens_and_metals_have_bonds),      cmocka_unit_test(closures_meet_their_glue_alone),
      cmocka_unit_test(residues_have_atoms_that_do_not_move), cmocka_unit_test(unknown_types_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
