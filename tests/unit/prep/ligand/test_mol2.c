/* test_mol2.c - orders and charges of MOL2 records, in the spellings of their writers. */
#include "unit/support.h"

#include <stdio.h>

#include "base/text/text.h"
#include "prepare.h"

/* A record from the types of its atoms and its bonds "1-2:ar"; the coordinates only have to differ. */
static char *record(const char *types, const char *bonds) {
  bt_text atoms = {0}, links = {0}, text = {0};
  int n_atoms = 0, n_bonds = 0;
  char *out;
  bt_error error;
  bt_span rest = bt_span_from(types);
  for (bt_span type = bt_span_word(&rest); type.size > 0; type = bt_span_word(&rest)) {
    n_atoms++;
    bt_text_printf(&atoms, "%d X%d %.2f %.2f %.2f %.*s 1 LIG 0.0\n", n_atoms, n_atoms, 1.2 * n_atoms,
                   0.7 * (n_atoms % 3), 0.4 * (n_atoms % 2), (int)type.size, type.text);
  }
  rest = bt_span_from(bonds);
  for (bt_span bond = bt_span_word(&rest); bond.size > 0; bond = bt_span_word(&rest)) {
    int a = 0, b = 0;
    char order[8], word[32];
    assert_true(bt_span_copy(bond, word, sizeof word) && sscanf(word, "%d-%d:%7s", &a, &b, order) == 3);
    bt_text_printf(&links, "%d %d %d %s\n", ++n_bonds, a, b, order);
  }
  bt_text_printf(&text, "@<TRIPOS>MOLECULE\nm\n%d %d 1 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n%s@<TRIPOS>BOND\n%s",
                 n_atoms, n_bonds, atoms.data, links.data != NULL ? links.data : "");
  bt_text_destroy(&atoms);
  bt_text_destroy(&links);
  support_ok(bt_text_take(&text, &out, &error), &error);
  return out;
}

static bt_prepare_options as_drawn(void) {
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "mol2";
  return options;
}

static void expect(const char *types, const char *bonds, const char *smiles) {
  char *text = record(types, bonds);
  bt_prepare_options options = as_drawn();
  bt_molecule *molecule = prepare(text, &options);
  if (strcmp(molecule->chemistry->smiles, smiles) != 0)
    fail_msg("%s, %s: %s, not %s", types, bonds, molecule->chemistry->smiles, smiles);
  bt_molecule_destroy(molecule);
  free(text);
}

static void expect_refusal(const char *types, const char *bonds, long atom, const char *words) {
  char *text = record(types, bonds);
  bt_prepare_options options = as_drawn();
  bt_error error = refusal(text, &options);
  if (strstr(error.message, words) == NULL) fail_msg("%s: %s", types, error.message);
  assert_int_equal(error.atom, atom);
  free(text);
}

#define FIVE_RING "1-2:ar 2-3:ar 3-4:ar 4-5:ar 5-1:ar "
#define SIX_RING "1-2:ar 2-3:ar 3-4:ar 4-5:ar 5-6:ar 6-1:ar "

static void test_azoles(void **state) {
  (void)state;
  needs_rdkit();
  expect("N.ar C.ar C.ar N.ar C.ar H H H H", FIVE_RING "1-6:1 2-7:1 3-8:1 5-9:1", "c1c[nH]cn1");
  expect("N.ar C.ar C.ar N.ar C.ar H H H H", FIVE_RING "4-6:1 2-7:1 3-8:1 5-9:1", "c1c[nH]cn1");
  expect("N.ar C.ar C.ar N.ar C.ar H H H H H", FIVE_RING "1-6:1 2-7:1 3-8:1 5-9:1 4-10:1", "c1c[nH+]c[nH]1");
  expect("N.ar C.ar C.ar N.ar C.ar C.3 H H H H H H H", FIVE_RING "1-6:1 2-7:1 3-8:1 5-9:1 4-10:1 6-11:1 6-12:1 6-13:1",
         "C[n+]1cc[nH]c1");
  expect("C.ar N.ar N.ar N.ar N.ar H", FIVE_RING "1-6:1", "c1nn[n-]n1");
  expect("C.ar N.ar N.ar N.ar N.ar H H", FIVE_RING "1-6:1 2-7:1", "c1nnn[nH]1");
  expect("S.3 C.ar C.ar C.ar C.ar H H H H", FIVE_RING "2-6:1 3-7:1 4-8:1 5-9:1", "c1ccsc1");
  expect("O.3 C.ar C.ar C.ar C.ar H H H H", FIVE_RING "2-6:1 3-7:1 4-8:1 5-9:1", "c1ccoc1");
  expect("N.ar C.ar C.ar C.ar C.ar C.ar H H H H H H", SIX_RING "1-7:1 2-8:1 3-9:1 4-10:1 5-11:1 6-12:1",
         "c1cc[nH+]cc1");
  expect("N.ar C.ar C.ar C.ar C.ar C.ar H H H H H O.2", SIX_RING "1-12:2 2-7:1 3-8:1 4-9:1 5-10:1 6-11:1",
         "[O-][n+]1ccccc1");
  expect("N.ar C.ar C.ar C.ar C.ar C.ar H H H H H O.2", SIX_RING "1-7:1 2-12:2 3-8:1 4-9:1 5-10:1 6-11:1",
         "O=c1cccc[nH]1");
}

static void test_acids(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const spellings[] = {"2-3:ar 2-4:ar", "2-3:2 2-4:1", "2-3:1 2-4:1", "2-3:2 2-4:2"};
  char bonds[128];
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
    snprintf(bonds, sizeof bonds, "1-2:1 1-5:1 1-6:1 1-7:1 %s", spellings[i]);
    expect("C.3 C.2 O.co2 O.co2 H H H", bonds, "CC(=O)[O-]");
    snprintf(bonds, sizeof bonds, "1-2:1 1-6:1 1-7:1 1-8:1 2-5:1 5-9:1 5-10:1 5-11:1 %s", spellings[i]);
    expect("C.3 P.3 O.co2 O.co2 C.3 H H H H H H", bonds, "CP(C)(=O)[O-]");
    snprintf(bonds, sizeof bonds, "1-2:1 1-6:1 1-7:1 1-8:1 %s 2-5:ar", spellings[i]);
    expect("C.3 S.O2 O.co2 O.co2 O.co2 H H H", bonds, "CS(=O)(=O)[O-]");
    expect("C.3 P.3 O.co2 O.co2 O.co2 H H H", bonds, "CP(=O)([O-])[O-]");
    snprintf(bonds, sizeof bonds, "1-2:1 1-5:1 1-6:1 1-7:1 %s", spellings[i]);
    expect("C.3 N.pl3 O.2 O.2 H H H", bonds, "C[N+](=O)[O-]");
    expect("C.3 S.o2 O.2 O.co2 H H H", bonds, "CS(=O)[O-]");
  }
  /* a neutral acid has its hydrogen */
  expect("C.3 S.O2 O.2 O.2 O.3 H H H H", "1-2:1 2-3:2 2-4:2 2-5:1 5-6:1 1-7:1 1-8:1 1-9:1", "CS(=O)(=O)O");
  expect("O.3 P.3 O.co2 O.co2 O.3 H H", "1-2:1 2-3:ar 2-4:ar 2-5:1 1-6:1 5-7:1", "O=P([O-])(O)O");
  expect("S.O2 O.co2 O.co2 O.co2 O.co2", "1-2:ar 1-3:ar 1-4:ar 1-5:ar", "O=S(=O)([O-])[O-]");
}

static void test_cations(void **state) {
  (void)state;
  needs_rdkit();
  static const char hydrogens[] = " 2-5:1 2-6:1 3-7:1 3-8:1 4-9:1 4-10:1";
  static const char *const spellings[] = {"1-2:ar 1-3:ar 1-4:ar", "1-2:1 1-3:1 1-4:1", "1-2:2 1-3:1 1-4:1"};
  char bonds[128];
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
    snprintf(bonds, sizeof bonds, "%s%s", spellings[i], hydrogens);
    expect("C.cat N.pl3 N.pl3 N.pl3 H H H H H H", bonds, "NC(N)=[NH2+]");
    expect("C.2 N.pl3 N.pl3 N.pl3 H H H H H H", bonds, "NC(N)=[NH2+]");
  }
  expect("N.4 C.3 H H H H H H", "1-2:1 1-3:1 1-4:1 1-5:1 2-6:1 2-7:1 2-8:1", "C[NH3+]");
  expect("N.3 C.3 H H H H H H", "1-2:1 1-3:1 1-4:1 1-5:1 2-6:1 2-7:1 2-8:1", "C[NH3+]");
  expect("N.4 C.3 H H H", "1-2:1 2-3:1 2-4:1 2-5:1", "C[NH3+]"); /* its hydrogens are missing */
  expect("N.4 C.3", "1-2:1", "C[NH3+]");
  expect("C.3 C.2 O.co2 O.co2", "1-2:1 2-3:ar 2-4:ar", "CC(=O)[O-]");
  expect("C.3 O.3", "1-2:1", "CO");
}

/* Rings of records without any hydrogens. */
static void test_missing_hydrogens(void **state) {
  (void)state;
  needs_rdkit();
  expect("N.ar C.ar C.ar C.ar C.ar", FIVE_RING, "c1cc[nH]c1");
  expect("N.ar C.ar C.ar C.ar C.ar C.ar", SIX_RING, "c1ccncc1");
  expect("N.pl3 C.ar C.ar N.ar C.ar", FIVE_RING, "c1c[nH]cn1");
  expect("N.ar C.ar C.ar N.pl3 C.ar C.3", FIVE_RING "1-6:1", "Cn1ccnc1");
  expect_refusal("N.ar C.ar C.ar N.ar C.ar", FIVE_RING, 1, "which nitrogens of its aromatic rings have one");
  expect("N.ar C.ar C.ar C.ar C.ar C.ar O.2", SIX_RING "2-7:2", "O=c1cccc[nH]1");
  expect_refusal("C.ar C.ar C.ar C.ar C.ar", FIVE_RING, 1, "fit none of its valences");
  expect_refusal("N.ar C.ar N.ar C.ar C.ar C.ar O.2", SIX_RING "2-7:2", 1, "which nitrogens of its aromatic rings");
}

static void test_linear_groups(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const spellings[] = {"2-3:2 3-4:2", "2-3:2 3-4:3", "2-3:1 3-4:3", "2-3:ar 3-4:ar"};
  char bonds[128];
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
    snprintf(bonds, sizeof bonds, "1-2:1 1-5:1 1-6:1 1-7:1 %s", spellings[i]);
    expect("C.3 N.2 N.1 N.1 H H H", bonds, "CN=[N+]=[N-]");
  }
  expect("C.3 N.1 C.1 H H H", "1-2:1 2-3:3 1-4:1 1-5:1 1-6:1", "[C-]#[N+]C");
  expect("C.3 C.1 N.1 H H H", "1-2:1 2-3:3 1-4:1 1-5:1 1-6:1", "CC#N");
}

static void test_refusals(void **state) {
  (void)state;
  needs_rdkit();
  expect_refusal("C.3 Du", "1-2:1", 2, "a dummy atom (type Du)");
  expect_refusal("c3 oh", "1-2:1", 1, "GAFF");
  expect_refusal("C.3 Qq", "1-2:1", 2, "the atom type Qq");
  expect_refusal("C.3 C.3", "1-2:un", 0, "a bond of unknown order (un) between atoms 1 and 2");
  expect_refusal("C.3 C.3 C.3", "", 0, "3 atoms, but no bonds");
  expect_refusal("C.3 F H H H", "1-2:2 1-3:1 1-4:1 1-5:1", 1, "fit none of its valences");
  expect_refusal("C.3 C.3 Se", "1-2:1 2-3:1", 3, "AutoDock has no type for Se");
}

/* Numbers of the file, whatever they are; counts of the third line. */
static void test_numbers(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = as_drawn();
  bt_error error = refusal(
      "@<TRIPOS>MOLECULE\nm\n2 1 1 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n"
      "11 C1 0 0 0 C.3\n17 SE 1.9 0 0.1 Se\n@<TRIPOS>BOND\n1 11 17 1\n",
      &options);
  assert_int_equal(error.atom, 17);
  error = refusal(
      "@<TRIPOS>MOLECULE\nm\n3 1 1 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n"
      "1 C1 0 0 0 C.3\n2 C2 1.5 0 0.1 C.3\n@<TRIPOS>BOND\n1 1 2 1\n",
      &options);
  assert_non_null(strstr(error.message, "2 atoms, but its third line says 3"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_azoles),        cmocka_unit_test(test_acids),
                                     cmocka_unit_test(test_cations),       cmocka_unit_test(test_missing_hydrogens),
                                     cmocka_unit_test(test_linear_groups), cmocka_unit_test(test_refusals),
                                     cmocka_unit_test(test_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
