/* test_contacts.c - contacts atom by atom: hydrogen bonds, van der Waals, reactive atoms; their order. */
#include "unit/results/analysis/contacts.h"

static void test_letters(void **state) {
  (void)state;
  const char *letters = "RHVPSCBXLWM";
  for (int type = BT_CONTACT_REACTIVE; type < BT_CONTACT_COUNT; type++) {
    const char *letter = bt_contact_letter((bt_contact_type)type);
    assert_true(letter[0] == letters[type] && letter[1] == '\0');
    assert_int_equal(bt_contact_is_autodock((bt_contact_type)type), type < BT_CONTACT_PI);
  }
}

/* --- hydrogen bonds ------------------------------------------------------------------------------------ */

static void test_hydrogen_bonds_by_distance(void **state) {
  (void)state;
  const char *amine = "N1 N 0 0 0; H1 HD -1 0 0";
  expect("WAT: O1 OA 3.69 0 0", amine, "H N1-O1 3.690\n");
  expect("WAT: O1 OA 3.71 0 0", amine, "");
  for (int s = 0; s < SHIFTS; s++) {
    expect_in((scene){.receptor = "WAT: O1 OA 3.7 0 0", .ligand = amine, .shift = shifts[s]}, "H N1-O1 3.700\n");
    expect_in((scene){.receptor = "WAT: O1 OA 3.701 0 0", .ligand = amine, .shift = shifts[s]}, "");
  }
  const bt_contact_options narrow = {.reactive = 2.1, .hbond = 3, .vdw = 4};
  expect_in((scene){.receptor = "WAT: O1 OA 3.2 0 0; O2 OA 0 3 0", .ligand = amine, .opt_options = &narrow},
            "H N1-O2 3.000\n");
}

/* The hydrogen is in between: it is within the limit even where its nitrogen is not. */
static void test_heavy_atoms_are_donors(void **state) {
  (void)state;
  const bt_contact_options gpu = {.reactive = 2.1, .hbond = 3.7, .vdw = 4, .gpu_donors = true};
  const char *amine = "N1 N 0 0 0; H1 HD 1 0 0", *ketone = "O1 OA 0 0 0";
  const char *acceptor = "GLY: O OA 2.9 0 0", *far_acceptor = "GLY: O OA 3.71 0 0";
  const char *donor = "GLY: N N 2.9 0 0; H HD 1.9 0 0", *far_donor = "GLY: N N 3.71 0 0; H HD 2.71 0 0";
  expect(acceptor, amine, "H N1-O 2.900\n");
  expect(far_acceptor, amine, "");
  expect(donor, ketone, "H O1-N 2.900\n");
  expect(far_donor, ketone, "");
  expect_in((scene){.receptor = acceptor, .ligand = amine, .opt_options = &gpu}, "H H1-O 1.900\n");
  expect_in((scene){.receptor = far_acceptor, .ligand = amine, .opt_options = &gpu}, "H H1-O 2.710\n");
  expect_in((scene){.receptor = donor, .ligand = ketone, .opt_options = &gpu}, "H O1-N 2.900\n");
  expect_in((scene){.receptor = far_donor, .ligand = ketone, .opt_options = &gpu}, "");
}

/* Bonds of 1.041, 1.0289 and 1.3455 Angstrom at most; a hydrogen that is farther off donates itself. */
static void test_which_atom_carries_a_hydrogen(void **state) {
  (void)state;
  static const struct {
    const char *type;
    double last, first;
  } cases[] = {
      {"N", 1.041, 1.042}, {"NA", 1.041, 1.042}, {"OA", 1.028, 1.029}, {"S", 1.345, 1.346}, {"SA", 1.345, 1.346}};
  for (int c = 0; c < 5; c++) {
    char carried[64], alone[64], expected[32];
    snprintf(carried, sizeof carried, "X1 %s 0 0 0; H1 HD %.3f 0 0", cases[c].type, -cases[c].last);
    snprintf(alone, sizeof alone, "X1 %s 0 0 0; H1 HD %.3f 0 0", cases[c].type, -cases[c].first);
    snprintf(expected, sizeof expected, "H H1-O %.3f\n", 3 - cases[c].first);
    for (int s = 0; s < SHIFTS; s++)
      expect_in((scene){.receptor = "WAT: O OA 3 0 0", .ligand = carried, .shift = shifts[s]}, "H X1-O 3.000\n");
    expect("WAT: O OA 3 0 0", alone, "");
    expect("WAT: O OA -3 0 0", alone, expected);
  }
  /* of two atoms the nearer: the nitrogen at 0.9, not the oxygen at 1.0 */
  expect("WAT: O OA 0 3 0", "O1 OA 1 0 0; N1 N -0.9 0 0; H1 HD 0 0 0", "H N1-O 3.132\n");
}

/* --- van der Waals ------------------------------------------------------------------------------------- */

static void test_van_der_waals(void **state) {
  (void)state;
  static const char *const plain[] = {"C", "A", "N", "S", "F", "P", "Cl", "Br", "I", "Zn"};
  static const char *const others[] = {"H", "HD", "HS", "NA", "NS", "OA", "OS", "SA", "W", "TZ", "G1"};
  for (int s = 0; s < SHIFTS; s++) {
    expect_in((scene){.receptor = "ALA: CB C 4 0 0", .ligand = "C1 C 0 0 0", .shift = shifts[s]}, "V C1-CB 4.000\n");
    expect_in((scene){.receptor = "ALA: CB C 4.001 0 0", .ligand = "C1 C 0 0 0", .shift = shifts[s]}, "");
  }
  for (int k = 0; k < 21; k++) {
    char other[32];
    snprintf(other, sizeof other, "X %s 3.5 0 0", k < 10 ? plain[k] : others[k - 10]);
    expect("ALA: CB C 0 0 0", other, k < 10 ? "V X-CB 3.500\n" : "");
    expect(other, "C1 C 0 0 0", k < 10 ? "V C1-X 3.500\n" : "");
  }
  expect("ALA: CB C 3 0 0", "N1 N 0 0 0; H1 HD -1 0 0", ""); /* donors */
  expect("GLY: N N 0 0 0; H HD -1 0 0", "C1 C 3 0 0", "");
}

/* --- reactive ------------------------------------------------------------------------------------------ */

static void test_reactive_atoms(void **state) {
  (void)state;
  const char *ligand = "C1 Si 0 0 0", *serine = "SER: CA C 9 0 0; CB Si 2.1 0 0";
  const char *farther = "SER: CA C 9 0 0; CB Si 2.101 0 0", *rigid = "ALA: CB Si 0 2 0", *away = "ALA: CB C 0 9 0";
  static const char *const reactive[] = {"C1", "C4", "C7", "S1", "OA4", "HD7"};
  static const char *const others[] = {"C2", "C0", "C9", "1", "G1", "G4", "G7", "CG1", "CG4", "CG7"};
  for (int k = 0; k < 6; k++) {
    for (int s = 0; s < SHIFTS; s++)
      expect_in((scene){away, ligand, serine, NULL, NULL, reactive[k], shifts[s]}, "R C1-CB 2.100\n");
    expect_in((scene){away, ligand, farther, NULL, NULL, reactive[k], 0}, "");
    expect_in((scene){rigid, ligand, NULL, NULL, NULL, reactive[k], 0}, "");
  }
  for (int k = 0; k < 10; k++) expect_in((scene){away, ligand, serine, NULL, "R", others[k], 0}, "");
  expect_in((scene){rigid, ligand, serine, NULL, NULL, "C", 0}, "V C1-CB 2.000\nV C1-CB 2.100\n");
}

/* Reactive types are derived types of AutoDock-GPU, which no ligand may have here: of those that it may have, only ends
 * of opened rings have such a last character. */
static void test_no_known_type_is_reactive(void **state) {
  (void)state;
  int count, found = 0;
  const bt_ad4_type *types = bt_ad4_types(&count);
  for (int t = 0; t < count; t++) {
    const char *name = types[t].name;
    if (strchr("147", name[strlen(name) - 1]) == NULL) continue;
    char ligand[64], flexible[64], receptor[64];
    snprintf(ligand, sizeof ligand, "X1 %s 0 0 0", name);
    snprintf(flexible, sizeof flexible, "SER: CA C 9 0 0; X2 %s 2 0 0", name);
    snprintf(receptor, sizeof receptor, "ALA: X3 %s 0 2 0", name);
    expect_in((scene){receptor, ligand, flexible, NULL, "R", NULL, 0}, "");
    found++;
  }
  assert_int_equal(found, 6);
  bt_molecule *molecule = molecule_of("C1 C1 0 0 0", BT_MOLECULE_LIGAND, 0);
  bt_ligand *ligand;
  bt_error error;
  support_failed(bt_ligand_create(molecule, NULL, &ligand, &error), BT_ERR_PARAMETER, &error, "atom type 'C1'");
  bt_molecule_destroy(molecule);
}

static void test_flexible_residues_have_the_other_types_too(void **state) {
  (void)state;
  expect_in((scene){.receptor = "ALA: CB C 0 5.4 0",
                    .ligand = "O1 OA 0 0 0; C1 C 0 1.4 0",
                    .opt_flexible = "LYS: CE C 3 1.4 0; NZ N 3 0 0; HZ HD 2 0 0"},
            "H O1-NZ 3.000\nV C1-CB 4.000\nV C1-CE 3.000\n");
}

/* --- order --------------------------------------------------------------------------------------------- */

static void test_order_of_pairs(void **state) {
  (void)state;
  expect_in((scene){.receptor = "ALA: CA C 0 3 0; O OA 0 3 1.2; GLY: CB C 0 -3 0",
                    .ligand = "C1 C 0 0 0; N1 N 0 0 1.4; H1 HD 0 0 2.4; S1 Si 0 0 -1.8; C2 C 0 1.5 0",
                    .opt_flexible = "SER: C0 C 3 0 0; S0 Si 2 0 -1.8",
                    .opt_silicon = "C1"},
            "R S1-S0 2.000\nH N1-O 3.007\nV C1-CA 3.000\nV C1-CB 3.000\nV C1-C0 3.000\nV C2-CA 1.500\nV C2-C0 3.354\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_letters),
      cmocka_unit_test(test_hydrogen_bonds_by_distance),
      cmocka_unit_test(test_heavy_atoms_are_donors),
      cmocka_unit_test(test_which_atom_carries_a_hydrogen),
      cmocka_unit_test(test_van_der_waals),
      cmocka_unit_test(test_reactive_atoms),
      cmocka_unit_test(test_no_known_type_is_reactive),
      cmocka_unit_test(test_flexible_residues_have_the_other_types_too),
      cmocka_unit_test(test_order_of_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
