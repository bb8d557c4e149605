/* test_interactions.c - interactions by distances and angles, at and beyond their limits. */
#include "results/analysis/interaction_set.h"
#include "unit/results/analysis/contacts.h"

static void expect_of(const char *letters, const char *receptor, const char *ligand, const char *expected) {
  expect_in((scene){.receptor = receptor, .ligand = ligand, .opt_letters = letters}, expected);
}

static void test_hydrogen_bonds_have_an_angle(void **state) {
  (void)state;
  expect_of("B", "WAT: O1 OA 4.1 0 0", "N1 N 0 0 0; H1 HD 1 0 0", "B N1-O1 4.100\n");
  expect_of("B", "WAT: O1 OA 4.101 0 0", "N1 N 0 0 0; H1 HD 1 0 0", "");
  /* the hydrogen points sideways, at 100 degrees or less */
  expect_of("B", "WAT: O1 OA 3 0 0", "N1 N 0 0 0; H1 HD 0 1 0", "");
  expect_of("B", "WAT: O1 OA 3 0 0", "N1 N 0 0 0; H1 HD 0.5 0.87 0", "B N1-O1 3.000\n");
  expect_of("B", "WAT: O1 OA 3 0 0", "N1 N 0 0 0; H1 HD -1 0 0", "");
  /* a hydrogen has one bond, that of the larger angle; other hydrogens have their own */
  expect_of("B", "WAT: O1 OA 3 0 0; GLY: O OA 3 1.5 0", "N1 N 0 0 0; H1 HD 1 0 0", "B N1-O1 3.000\n");
  expect_of("B", "WAT: O1 OA 3 0 0; GLY: O OA -3 0 0", "N1 N 0 0 0; H1 HD 1 0 0; H2 HD -1 0 0",
            "B N1-O1 3.000\nB N1-O 3.000\n");
  /* donors of the receptor */
  expect_of("B", "GLY: N N 2.9 0 0; H HD 1.9 0 0", "O1 OA 0 0 0", "B O1-N 2.900\n");
}

static void test_halogen_bonds(void **state) {
  (void)state;
  const char *chloride = "C1 C -1.74 0 0; CL1 Cl 0 0 0";
  const char *carbonyl = "GLY: C C 3.9 1.04 0; O OA 3.3 0 0"; /* C-O-Cl at 120 degrees */
  expect_of("X", carbonyl, chloride, "X CL1-O 3.300\n");
  expect_of("X", "GLY: C C 4.5 0 0; O OA 3.3 0 0", chloride, "");                  /* 180 degrees at the acceptor */
  expect_of("X", "GLY: C C 4.61 1.04 0; O OA 4.01 0 0", chloride, "");             /* too far */
  expect_of("X", carbonyl, "C1 C 0 -1.74 0; CL1 Cl 0 0 0", "");                    /* 90 degrees at the halogen */
  expect_of("X", carbonyl, "C1 C -1.35 0 0; F1 F 0 0 0", "");                      /* fluorine has no sigma hole */
  expect_of("X", "GLY: N N 3.3 0 0; C C 3.9 1.04 0; H HD 3.3 -1 0", chloride, ""); /* no acceptor */
}

static void test_hydrophobic_contacts(void **state) {
  (void)state;
  expect_of("L", "ALA: CB C 4 0 0", "C1 C 0 0 0", "L C1-CB 4.000\n");
  expect_of("L", "ALA: CB C 4.001 0 0", "C1 C 0 0 0", "");
  expect_of("L", "ALA: CB C 3.5 0 0", "C1 C 0 0 0; O1 OA -1.4 0 0", ""); /* bonded to oxygen */
  expect_of("L", "SER: CB C 3.5 0 0; OG OA 4.9 0 0", "C1 C 0 0 0", "");
  /* the nearest atom of each residue */
  expect_of("L", "VAL: CG1 C 3.6 0 0; CG2 C 0 3.4 0; ALA: CB C 0 0 3.9", "C1 C 0 0 0",
            "L C1-CG2 3.400\nL C1-CB 3.900\n");
}

static void test_water_bridges(void **state) {
  (void)state;
  /* ligand's donor, water at 2.8, receptor's acceptor at 2.8 from it, at a right angle */
  const char *donor = "N1 N 0 0 0; H1 HD 1 0 0";
  expect_of("W", "HOH: O OA 2.8 0 0; GLY: O OA 2.8 2.8 0", donor, "W N1-O 3.960\n");
  expect_of("W", "ALA: O OA 2.8 0 0; GLY: O OA 2.8 2.8 0", donor, ""); /* no water */
  expect_of("W", "HOH: O OA 2.8 0 0; GLY: O OA 2.8 4.2 0", donor, "");
  expect_of("W", "HOH: O OA 2.8 0 0; GLY: O OA 2.8 2.4 0", donor, "");
  expect_of("W", "HOH: O OA 2.8 0 0; GLY: O OA 5.6 0 0", donor, ""); /* 180 degrees at the water */
  expect_of("W", "HOH: O OA 2.8 0 0; GLY: N N 2.8 2.8 0; H HD 2.8 1.8 0", "O1 OA 0 0 0", "W O1-N 3.960\n");
  expect_of("W", "HOH: O OA 2.8 0 0; GLY: O OA 2.8 2.8 0", "O1 OA 0 0 0", ""); /* two acceptors */
}

static void test_metals(void **state) {
  (void)state;
  expect_of("M", "ZN: ZN Zn 3 0 0", "O1 OA 0 0 0; C1 C -1.2 0 0", "M O1-ZN 3.000\n");
  expect_of("M", "ZN: ZN Zn 3.001 0 0", "O1 OA 0 0 0", "");
  expect_of("M", "ZN: ZN Zn 2.2 0 0", "C1 C 0 0 0", "");
  expect_of("M", "ZN: ZN Zn 2.2 0 0", "N1 N 0 0 0; H1 HD -0.5 0.8 0; H2 HD -0.5 -0.8 0; H3 HD 0 0 -1; C1 C -0.5 0 1.4",
            "");
}

static void test_limits_are_inclusive_wherever_the_atoms_are(void **state) {
  (void)state;
  for (int s = 0; s < SHIFTS; s++) {
    expect_in((scene){"ALA: CB C 4 0 0", "C1 C 0 0 0", NULL, NULL, "L", NULL, shifts[s]}, "L C1-CB 4.000\n");
    expect_in((scene){"ZN: ZN Zn 3 0 0", "O1 OA 0 0 0", NULL, NULL, "M", NULL, shifts[s]}, "M O1-ZN 3.000\n");
    expect_in((scene){"WAT: O1 OA 4.1 0 0", "N1 N 0 0 0; H1 HD 1 0 0", NULL, NULL, "B", NULL, shifts[s]},
              "B N1-O1 4.100\n");
  }
}

static void test_flexible_residues(void **state) {
  (void)state;
  expect_in((scene){.receptor = "ALA: CB C 0 9 0",
                    .ligand = "C1 C 0 0 0; C2 C 1.5 0 0",
                    .opt_flexible = "LEU: CA C 5 2 0; CB C 4 1 0; CG C 4.5 0 0",
                    .opt_letters = "L"},
            "L C2-CB 2.693\n");
}

/* ---- sets, filters ---- */

typedef struct site {
  bt_molecule *receptor;
  bt_interaction_site *opened;
} site;

static bt_interactions *interactions_of(const site *s, const char *atoms) {
  bt_molecule *molecule = molecule_of(atoms, BT_MOLECULE_LIGAND, 0);
  bt_ligand *ligand = poses_ligand(molecule, NULL);
  bt_interactions *found;
  bt_error error;
  support_ok(bt_interactions_find(s->opened, ligand, NULL, &found, &error), &error);
  bt_ligand_destroy(ligand); /* they are no longer needed */
  bt_molecule_destroy(molecule);
  return found;
}

static site open_site(const char *receptor) {
  site s = {.receptor = molecule_of(receptor, BT_MOLECULE_RECEPTOR, 0)};
  bt_error error;
  support_ok(bt_interaction_site_open(s.receptor, NULL, &s.opened, &error), &error);
  return s;
}

static void close_site(site *s) {
  bt_interaction_site_close(s->opened);
  bt_molecule_destroy(s->receptor);
}

static void test_similarity(void **state) {
  (void)state;
  site s = open_site("ALA: CB C 4 0 0; ZN: ZN Zn 0 0 3; LEU: CD1 C -4 0 0");
  bt_interactions *a = interactions_of(&s, "C1 C 0.5 0 0; O1 OA 0.5 0 9");
  bt_interactions *b = interactions_of(&s, "C1 C 0 0 0"), *none = interactions_of(&s, "C1 C 0 50 0");
  char *text = bt_interactions_text(b);
  assert_string_equal(text, "A:ALA1:L, A:LEU3:L");
  free(text);
  assert_float_equal(bt_interactions_similarity(a, a), 1, 0);
  assert_float_equal(bt_interactions_similarity(a, b), 0.5, 1e-12);
  assert_float_equal(bt_interactions_similarity(b, a), 0.5, 1e-12);
  assert_float_equal(bt_interactions_similarity(a, none), 0, 0);
  assert_float_equal(bt_interactions_similarity(none, none), 1, 0);
  bt_interactions_destroy(a);
  bt_interactions_destroy(b);
  bt_interactions_destroy(none);
  close_site(&s);
}

static void test_filters(void **state) {
  (void)state;
  site s = open_site("ALA: CB C 4 0 0; ZN: ZN Zn 0 0 3; LEU: CD1 C -9 0 0");
  bt_interactions *found = interactions_of(&s, "C1 C 0 0 0");
  static const struct {
    const char *words, *missed;
  } cases[] = {{"A:ALA1", NULL}, {"hydrophobic:A:ALA1", NULL}, {"hbond:A:ALA1", "hbond:A:ALA1"}, {"1,A:LEU3", "A:LEU3"},
               {"ALA:A", NULL},  {"metal:ZN", "metal:ZN"},     {"cation-pi:1", "cation-pi:1"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bt_contact_filter *filter;
    bt_error error;
    support_ok(bt_contact_filter_create(cases[k].words, s.receptor, &filter, &error), &error);
    const char *missed = bt_interactions_miss(found, filter);
    if (cases[k].missed == NULL)
      assert_null(missed);
    else
      assert_string_equal(missed, cases[k].missed);
    bt_contact_filter_destroy(filter);
  }
  static const char *const bad[] = {"", "A:ALA1,", "touch:A:ALA1", "A:GLY7", "hbond:"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    bt_contact_filter *filter;
    bt_error error;
    assert_int_equal(bt_contact_filter_create(bad[k], s.receptor, &filter, &error), BT_ERR_USAGE);
    assert_true(error.remedy[0] != '\0');
  }
  bt_interactions_destroy(found);
  close_site(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hydrogen_bonds_have_an_angle),
      cmocka_unit_test(test_halogen_bonds),
      cmocka_unit_test(test_hydrophobic_contacts),
      cmocka_unit_test(test_water_bridges),
      cmocka_unit_test(test_metals),
      cmocka_unit_test(test_limits_are_inclusive_wherever_the_atoms_are),
      cmocka_unit_test(test_flexible_residues),
      cmocka_unit_test(test_similarity),
      cmocka_unit_test(test_filters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
