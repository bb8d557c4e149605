/* test_torsions.c - how many bonds rotate, by Meeko's older and newer rules, and the tree that they make. */
#include "unit/prep/ligand/prepare.h"

typedef struct count {
  const char *smiles;
  int old_rules, new_rules;
} count;

static int torsdof(const char *smiles, bool old_rules, bool flexible_amides) {
  bt_prepare_options options = flat_options();
  options.old_rules = old_rules;
  options.flexible_amides = flexible_amides;
  bt_molecule *molecule = prepare(smiles, &options);
  int torsions = molecule->torsdof;
  assert_int_equal(torsions, molecule->n_fragments - 1);
  bt_molecule_destroy(molecule);
  return torsions;
}

static void test_counts(void **state) {
  (void)state;
  needs_rdkit();
  static const count counts[] = {
      {"CC", 0, 0},
      {"CCC", 0, 0},
      {"CCCC", 1, 1},
      {"FC(F)(F)C(F)(F)F", 1, 1},
      {"CCO", 1, 1},
      {"CO", 0, 0},
      {"CC(=O)O", 1, 1},
      {"CCC(=O)[O-]", 1, 1},
      {"CC[NH3+]", 1, 1},
      {"CN", 0, 0},
      {"CNC(C)=O", 0, 0},
      {"CN(C)C(C)=O", 0, 0},
      {"CCN(C)C(C)=O", 2, 2},
      {"CCC(N)=O", 1, 1},
      {"CCNC(=O)NCC", 2, 2},
      {"CCOC(=O)NCC", 3, 3},
      {"CCOC(=O)CC", 3, 3},
      {"CCNS(=O)(=O)CC", 3, 3},
      {"CC(=O)Nc1ccccc1", 1, 1},
      {"C=CC=C", 1, 1},
      {"CC#CC#CC", 1, 2}, /* each triple bond represents its adjacent single bonds */
      {"c1ccccc1C#Cc1ccccc1", 2, 1},
      {"c1ccccc1-c1ccccc1", 1, 1},
      {"CC[N+](=O)[O-]", 1, 1},
      {"Oc1ccccc1", 1, 1},
      {"CCC(=S)NCC", 3, 2},
      {"CCC(=O)N1CCCCC1", 1, 1},
      {"CCC(=O)N1CCCCC1C", 2, 2},
      {"CC(C)(C)C", 0, 0},
      {"CCCC#N", 2, 1},
  };
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    int old_rules = torsdof(counts[i].smiles, true, false), new_rules = torsdof(counts[i].smiles, false, false);
    if (old_rules != counts[i].old_rules || new_rules != counts[i].new_rules)
      print_message("%s: %d and %d instead of %d and %d\n", counts[i].smiles, old_rules, new_rules, counts[i].old_rules,
                    counts[i].new_rules);
  }
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    assert_int_equal(torsdof(counts[i].smiles, true, false), counts[i].old_rules);
    assert_int_equal(torsdof(counts[i].smiles, false, false), counts[i].new_rules);
  }
  assert_int_equal(torsdof("CCNC(=O)CC", false, false), 2);
  assert_int_equal(torsdof("CCNC(=O)CC", false, true), 3);
}

/* The root has the shortest branches; the first of two such bodies in the order of the atoms. */
static void test_tree(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const expected[] = {"REMARK SMILES OCCO",
                                         "REMARK SMILES IDX 2 1 1 2 3 4 4 5",
                                         "REMARK H PARENT 1 3 4 6",
                                         "ROOT",
                                         "ATOM",
                                         "ENDROOT",
                                         "BRANCH   1   2",
                                         "ATOM",
                                         "ATOM",
                                         "ENDBRANCH   1   2",
                                         "BRANCH   1   4",
                                         "ATOM",
                                         "BRANCH   4   5",
                                         "ATOM",
                                         "ATOM",
                                         "ENDBRANCH   4   5",
                                         "ENDBRANCH   1   4",
                                         "TORSDOF 3"};
  bt_prepare_options options = flat_options();
  bt_molecule *molecule = prepare("OCCO", &options);
  assert_int_equal(molecule->n_lines, (int)(sizeof expected / sizeof *expected));
  for (int i = 0; i < molecule->n_lines; i++) assert_memory_equal(molecule->lines[i], expected[i], strlen(expected[i]));
  bt_molecule_destroy(molecule);
}

/* In a branch the atom on the axis is first, whatever the order of the atoms; terminal atoms are not branches. */
static void test_branches_begin_at_their_axis(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  bt_molecule *molecule = prepare("Cc1ccccc1CO", &options);
  for (int f = 1; f < molecule->n_fragments; f++)
    assert_int_equal(molecule->fragments[f].axis_to, molecule->fragments[f].first_atom);
  assert_int_equal(molecule->n_fragments, 3);
  assert_int_equal(molecule->chemistry->entry[molecule->fragments[1].first_atom], 6);
  bt_molecule_destroy(molecule);
}

static void test_long_remarks_are_wrapped(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  bt_molecule *molecule = prepare("CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCO", &options);
  int lines = 0;
  for (int i = 0; i < molecule->n_lines; i++) {
    if (strncmp(molecule->lines[i], "REMARK SMILES IDX", 17) != 0) continue;
    assert_true(strlen(molecule->lines[i]) < 79);
    lines++;
  }
  assert_true(lines > 2);
  assert_int_equal(molecule->torsdof, 39);
  bt_molecule_destroy(molecule);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_tree),
      cmocka_unit_test(test_branches_begin_at_their_axis),
      cmocka_unit_test(test_long_remarks_are_wrapped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
