/* test_errors.c - every broken PDBQT file ends with file, line, atom and remedy. */
#include "unit/formats/pdbqt/pdbqt_text.h"

#define ROOT "ROOT\n" A1 A2 "ENDROOT\n"

typedef struct broken {
  const char *text;
  long line, atom;
  const char *words;
} broken;

static void check_all(const broken *cases, size_t count, bt_molecule_kind kind) {
  for (size_t i = 0; i < count; i++) parse_fails(cases[i].text, kind, cases[i].line, cases[i].atom, cases[i].words);
}
#define CHECK_ALL(cases, kind) check_all(cases, sizeof cases / sizeof *cases, kind)

static void trees_that_are_no_trees(void **state) {
  (void)state;
  const broken cases[] = {
      {"", 0, 0, "no atoms"},
      {"REMARK only\n", 0, 0, "no atoms"},
      {A1, 1, 1, "atom before ROOT"},
      {"ROOT\nENDROOT\n", 2, 0, "ROOT has no atoms"},
      {"ROOT\n" A1, 1, 0, "ROOT is not closed"},
      {"ROOT\n" A1 "BRANCH 1 2\n", 3, 0, "BRANCH before ENDROOT"},
      {"BRANCH 1 2\n", 1, 0, "BRANCH before ROOT"},
      {"ENDROOT\n", 1, 0, "ENDROOT without"},
      {ROOT "ENDBRANCH 1 2\n", 5, 0, "without an open BRANCH"},
      {ROOT "BRANCH 2 3\n" A3, 5, 0, "BRANCH 2 3 is not closed"},
      {ROOT "BRANCH 2 3\n" A3 "BRANCH 3 4\n" A4 "ENDBRANCH 2 3\n", 9, 0, "closes BRANCH 3 4 of line 7"},
      {ROOT "BRANCH 2 9\n" A3 "ENDBRANCH 2 9\n", 5, 0, "no atom 9"},
      {ROOT "BRANCH 8 3\n" A3 "ENDBRANCH 8 3\n", 5, 0, "no atom 8"},
      {ROOT "BRANCH 2 1\n" A3 "ENDBRANCH 2 1\n", 5, 0, "atom 1 is not in the fragment that the branch opens"},
      {ROOT "BRANCH 2 3\n" A3 "BRANCH 1 4\n" A4 "ENDBRANCH 1 4\nENDBRANCH 2 3\n", 7, 0,
       "atom 1 is not in the fragment that the branch leaves"},
      {ROOT "BRANCH 2 4\n" A3 "BRANCH 3 4\n" A4 "ENDBRANCH 3 4\nENDBRANCH 2 4\n", 5, 0,
       "atom 4 is not in the fragment that the branch opens"},
      /* a cycle: the inner branch leads back to the root */
      {ROOT "BRANCH 2 3\n" A3 "BRANCH 3 1\n" A4 "ENDBRANCH 3 1\nENDBRANCH 2 3\n", 7, 0, "BRANCH 3 1: atom 1 is not"},
      {ROOT "BRANCH 2 3\n" A3 "BRANCH 3 3\n" A4 "ENDBRANCH 3 3\nENDBRANCH 2 3\n", 7, 0,
       "atom 3 is not in the fragment that the branch opens"},
      {ROOT "BRANCH 2 3\nENDBRANCH 2 3\n", 5, 0, "no atom 3"},
      {ROOT "BRANCH 2\n", 5, 0, "two atoms"},
      {ROOT "BRANCH two 3\n", 5, 0, "two atoms"},
      {ROOT A3, 5, 3, "outside of any BRANCH"},
      {ROOT "BRANCH 2 3\n" A3 "ENDBRANCH 2 3\n" A4, 8, 4, "outside of any BRANCH"},
      {LIGAND LIGAND, 13, 0, "second ROOT"},
      {"ROOT\n" A1 A1 "ENDROOT\n", 3, 1, "occurs twice, first in line 2"},
      {ROOT "TORSDOF\n", 5, 0, "TORSDOF needs"},
      {ROOT "TORSDOF -1\n", 5, 0, "TORSDOF needs"},
      {ROOT "TORSDOF 1\nTORSDOF 1\n", 6, 0, "second TORSDOF"},
      {ROOT "WHATEVER\n", 5, 0, "'WHATEVER' is not a record"},
      {"BEGIN_RES LYS A 1\n", 1, 0, "flexible residues, not a ligand"},
      {ROOT "END_RES LYS A 1\n", 5, 0, "END_RES without"},
      {"MODEL 1\n" LIGAND, 1, 0, "MODEL is not closed"},
      {"MODEL 1\nMODEL 2\n", 2, 0, "MODEL before the ENDMDL"},
      {"MODEL 1\n" LIGAND "ENDMDL\nROOT\n", 15, 0, "outside of MODEL"},
      {"MODEL 1\nENDMDL\n", 0, 0, "no atoms"},
      {"ROOT\n" A1 "ATOM      2  O2  LIG A   7       0.000   0.000   0.005  1.00  0.00    -0.395 OA\n"
       "ENDROOT\nBRANCH 2 3\n" A3 "ENDBRANCH 2 3\nBRANCH 1 4\n"
       "ATOM      4  H4  LIG A   7       0.000   0.000   0.000  1.00  0.00     0.118 HD\nENDBRANCH 1 4\n",
       8, 0, "the two atoms coincide"},
  };
  CHECK_ALL(cases, BT_MOLECULE_LIGAND);
}

static void atom_lines_that_are_not_as_they_should_be(void **state) {
  (void)state;
  const broken cases[] = {
      {"ROOT\nATOM      1  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00     0.171\n", 2, 1, "too short"},
      {"ROOT\nATOM      1  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00     0.171    \n", 2, 1, "too short"},
      {"ROOT\nATOM      1  C1  LIG A   7       0.0", 2, 1, "too short"},
      {"ROOT\nATOM", 2, 0, "serial number"},
      {"ROOT\nATOM 1 C1 LIG A 7 0.000 0.000 0.000 1.00 0.00 0.171 C\n", 2, 0, "fixed columns"},
      {"ROOT\nATOM     A1  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00     0.171 C \n", 2, 0,
       "serial number is not a number"},
      {"ROOT\nATOM     -4  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00     0.171 C \n", 2, 0,
       "serial number is not a number"},
      {"ROOT\nATOM      1  C1  LIG A   7         nan   0.000   0.000  1.00  0.00     0.171 C \n", 2, 1,
       "x is not a number: 'nan'"},
      {"ROOT\nATOM      1  C1  LIG A   7       0.000     inf   0.000  1.00  0.00     0.171 C \n", 2, 1,
       "y is not a number: 'inf'"},
      {"ROOT\nATOM      1  C1  LIG A   7       0.000   0.000           1.00  0.00     0.171 C \n", 2, 1,
       "z is not a number: ''"},
      {"ROOT\nATOM      1  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00     0.1x1 C \n", 2, 1,
       "charge is not a number"},
      {"ROOT\nATOM      1  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00       NaN C \n", 2, 1,
       "charge is not a number"},
      {"ROOT\nATOM      1  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00    1e9    C \n", 2, 1,
       "charge is too large"},
      {"ROOT\nATOM      1  C1  LIG A   7       1e300   0.000   0.000  1.00  0.00     0.171 C \n", 2, 1,
       "coordinate is too large"},
      {"ROOT\nATOM      1  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00     0.171 CARBONIC\n", 2, 1,
       "longer than 7"},
  };
  CHECK_ALL(cases, BT_MOLECULE_LIGAND);
}

#define LYS "BEGIN_RES LYS A  42\n"

static void residues_that_are_not_as_they_should_be(void **state) {
  (void)state;
  const broken cases[] = {
      {LIGAND, 1, 0, "ROOT outside of a residue"},
      {"", 0, 0, "no flexible residue"},
      {LYS, 1, 0, "ends before END_RES"},
      {LYS ROOT, 5, 0, "ends before END_RES"},
      {LYS "END_RES LYS A  42\n", 2, 0, "no ROOT"},
      {LYS ROOT "END_RES LYS A  43\n", 6, 0, "END_RES LYS 43 closes BEGIN_RES LYS 42"},
      {LYS ROOT LYS, 6, 0, "BEGIN_RES before the END_RES"},
      {LYS ROOT "END_RES LYS A  42\n" A3, 7, 3, "atom outside of a residue"},
      {LYS ROOT "TORSDOF 1\n", 6, 0, "TORSDOF"},
      {"BEGIN_RES\n", 1, 0, "residue name, chain and number"},
      {"BEGIN_RES LYS A x\n", 1, 0, "residue name, chain and number"},
      {LYS ROOT "BRANCH 2 3\n" A3 "END_RES LYS A  42\n", 6, 0, "BRANCH 2 3 is not closed"},
      /* serials of one residue are not those of another */
      {LYS ROOT "END_RES LYS A  42\nBEGIN_RES LYS A  43\nROOT\n" A3 "ENDROOT\nBRANCH 2 4\n" A4
                "ENDBRANCH 2 4\nEND_RES LYS A  43\n",
       11, 0, "no atom 2"},
  };
  CHECK_ALL(cases, BT_MOLECULE_FLEXIBLE);
}

static void receptors_that_are_something_else(void **state) {
  (void)state;
  const broken cases[] = {
      {LIGAND, 1, 0, "this is a ligand, not a receptor"},
      {LYS ROOT, 1, 0, "flexible residues, not a receptor"},
      {"TER\n", 0, 0, "no atoms"},
      {A1 "TORSDOF 1\n", 2, 0, "TORSDOF"},
  };
  CHECK_ALL(cases, BT_MOLECULE_RECEPTOR);
}

static void files_that_are_no_text(void **state) {
  (void)state;
  bt_molecule **list;
  int count;
  bt_error error;
  const char binary[] =
      "\x7f"
      "ELF\x02\x01\x01\0\0\0",
             gzip[] = "\x1f\x8b\x08\0";
  support_failed(bt_molecule_from_memory("x", binary, sizeof binary, BT_MOLECULE_LIGAND, &list, &count, &error),
                 BT_ERR_INPUT, &error, "binary file");
  support_failed(bt_molecule_from_memory("x", gzip, sizeof gzip, BT_MOLECULE_LIGAND, &list, &count, &error),
                 BT_ERR_INPUT, &error, "gunzip");
}

/* Cut anywhere, a ligand either is still whole or is refused: never a crash, never half a tree. */
static void every_truncation_is_noticed_or_harmless(void **state) {
  (void)state;
  const char text[] = LIGAND;
  int accepted = 0;
  for (size_t size = 0; size < sizeof text; size++) {
    bt_molecule **list;
    int count;
    bt_error error;
    if (bt_molecule_from_memory("x", text, size, BT_MOLECULE_LIGAND, &list, &count, &error) != BT_OK) {
      assert_true(error.message[0] != '\0' && error.remedy[0] != '\0');
      continue;
    }
    assert_int_equal(list[0]->n_atoms >= 2, 1);
    assert_true(list[0]->n_atoms == 5 || list[0]->n_fragments == 1);
    bt_molecule_list_destroy(list, count);
    accepted++;
  }
  assert_in_range(accepted, 1, 20); /* behind ENDROOT, the last ENDBRANCH and TORSDOF */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees_that_are_no_trees),
      cmocka_unit_test(atom_lines_that_are_not_as_they_should_be),
      cmocka_unit_test(residues_that_are_not_as_they_should_be),
      cmocka_unit_test(receptors_that_are_something_else),
      cmocka_unit_test(files_that_are_no_text),
      cmocka_unit_test(every_truncation_is_noticed_or_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
