/* test_pdbqt.c - reading of valid PDBQT files. */
#include <berth/berth.h>

#include "unit/formats/pdbqt/pdbqt_text.h"

static void a_ligand_becomes_fragments_and_atoms(void **state) {
  (void)state;
  bt_molecule *m = parse_one(LIGAND, BT_MOLECULE_LIGAND);
  assert_int_equal(m->n_atoms, 5);
  assert_int_equal(m->n_fragments, 3);
  assert_int_equal(m->torsdof, 2);
  assert_int_equal(m->model, 1);
  const bt_fragment expected[3] = {
      {.parent = -1, .axis_from = -1, .axis_to = -1, .residue = 0, .first_atom = 0, .end_atom = 5, .line = 0},
      {.parent = 0, .axis_from = 1, .axis_to = 2, .residue = 0, .first_atom = 2, .end_atom = 5, .line = 4},
      {.parent = 1, .axis_from = 2, .axis_to = 3, .residue = 0, .first_atom = 3, .end_atom = 5, .line = 6}};
  assert_memory_equal(m->fragments, expected, sizeof expected);
  const int fragment_of[5] = {0, 0, 1, 2, 2};
  for (int i = 0; i < 5; i++) {
    assert_int_equal(m->atoms[i].fragment, fragment_of[i]);
    assert_int_equal(m->atoms[i].serial, i + 1);
  }
  const bt_atom *nitrogen = &m->atoms[2];
  assert_true(nitrogen->x[0] == 2.1 && nitrogen->x[1] == 1.2 && nitrogen->x[2] == 0.0 && nitrogen->charge == -0.328);
  assert_string_equal(nitrogen->type, "NA");
  assert_string_equal(nitrogen->name, "N3");
  assert_string_equal(nitrogen->resname, "LIG");
  assert_int_equal(nitrogen->chain, 'A');
  assert_int_equal(nitrogen->icode, ' ');
  assert_int_equal(nitrogen->resnum, 7);
  assert_int_equal(nitrogen->line, 5);
  bt_molecule_destroy(m);
}

static void every_line_is_kept_verbatim(void **state) {
  (void)state;
  char remark[3001];
  memset(remark, 'C', sizeof remark - 1);
  remark[sizeof remark - 1] = '\0';
  bt_text text = {0};
  bt_text_printf(&text, "REMARK SMILES %s\nREMARK SMILES IDX 3 1 4 2 \nREMARK H PARENT\n\n%s", remark, LIGAND);
  bt_molecule *m = parse_one(text.data, BT_MOLECULE_LIGAND);
  assert_int_equal(m->first_line, 1);
  assert_int_equal(m->n_lines, 4 + 12);
  assert_int_equal(strlen(m->lines[0]), 14 + 3000);
  assert_string_equal(m->lines[1], "REMARK SMILES IDX 3 1 4 2 ");
  assert_string_equal(m->lines[2], "REMARK H PARENT");
  assert_string_equal(m->lines[3], "");
  assert_string_equal(m->lines[m->atoms[4].line],
                      "ATOM      5  H5  LIG A   7       1.700   2.000   0.700  1.00  0.00     0.118 HD");
  bt_molecule_destroy(m);
  bt_text_destroy(&text);
}

static void models_become_a_list(void **state) {
  (void)state;
  const char text[] = "MODEL 3\nREMARK one\n" LIGAND "ENDMDL\nMODEL        7\n" LIGAND "ENDMDL\n";
  bt_molecule **list;
  int count;
  bt_error error;
  support_ok(parse_text(text, BT_MOLECULE_LIGAND, &list, &count, &error), &error);
  assert_int_equal(count, 2);
  assert_int_equal(list[0]->model, 3);
  assert_int_equal(list[1]->model, 7);
  assert_int_equal(list[0]->first_line, 2);
  assert_string_equal(list[0]->lines[0], "REMARK one");
  assert_int_equal(list[0]->n_lines, 13);
  assert_int_equal(list[1]->first_line, 17);
  assert_string_equal(list[1]->lines[11], "TORSDOF 2");
  bt_molecule_list_destroy(list, count);
}

static void line_ends_and_blank_lines_do_not_matter(void **state) {
  (void)state;
  bt_text text = {0};
  bt_text_add_string(&text, "\xef\xbb\xbf\r\n");
  for (const char *c = LIGAND; *c != '\0'; c++) {
    if (*c == '\n') bt_text_add_string(&text, "\r\n\r");
    bt_text_add_char(&text, *c);
  }
  bt_molecule *m = parse_one(text.data, BT_MOLECULE_LIGAND);
  assert_int_equal(m->n_atoms, 5);
  assert_string_equal(m->atoms[1].type, "OA");
  assert_string_equal(m->lines[1], "ROOT");
  bt_molecule_destroy(m);
  bt_text_destroy(&text);
}

static void odd_but_legal_atom_lines_are_read(void **state) {
  (void)state;
  bt_molecule *m = parse_one(
      "ROOT\n"
      "HETATM    1  C   UNL            -0.598-100.417-999.999                       C\n" /* no charge, touching columns
                                                                                          */
      "ATOM      2  CG0 UNL     1       1.000   2.000   3.000  1.00  0.00    +0.171 CG0\n"
      "ATOM      3  Zn  UNL     1       1.000   2.000   4.000  1.00  0.00    12.000  Zn\n" /* type in 79-80 */
      "ATOM     10  W   UNL     1      9.0e-1   2.000   5.      1.00  0.00     0.000 W   \n"
      "ENDROOT\nTORSDOF 0\n",
      BT_MOLECULE_LIGAND);
  assert_true(m->atoms[0].charge == 0.0 && m->atoms[0].x[1] == -100.417 && m->atoms[0].x[2] == -999.999);
  assert_int_equal(m->atoms[0].chain, ' ');
  assert_string_equal(m->atoms[1].type, "CG0");
  assert_true(m->atoms[1].charge == 0.171 && m->atoms[2].charge == 12.0);
  assert_string_equal(m->atoms[2].type, "Zn");
  assert_int_equal(m->atoms[3].serial, 10);
  assert_true(m->atoms[3].x[0] == 0.9 && m->atoms[3].x[2] == 5.0);
  assert_string_equal(m->atoms[3].type, "W");
  bt_molecule_destroy(m);
}

static void torsdof_may_be_absent_and_old_words_are_known(void **state) {
  (void)state;
  bt_molecule *m = parse_one("USER x\nROOT\n" A1 A2 "ENDROOT\nTORS 2 3\n" A3 "ENDTORS 2 3\nTER\nEND\nCONECT 1 2\n",
                             BT_MOLECULE_LIGAND);
  assert_int_equal(m->torsdof, -1);
  assert_int_equal(m->n_fragments, 2);
  bt_molecule_destroy(m);
}

static void serials_need_not_count_from_one(void **state) {
  (void)state;
  bt_molecule *m = parse_one(
      "ROOT\nATOM  12345  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00     0.171 C \n"
      "ENDROOT\nBRANCH 12345 77\n"
      "ATOM     77  C2  LIG A   7       1.500   0.000   0.000  1.00  0.00     0.171 C \n"
      "ENDBRANCH 12345 77\n",
      BT_MOLECULE_LIGAND);
  assert_int_equal(m->fragments[1].axis_from, 0);
  assert_int_equal(m->fragments[1].axis_to, 1);
  bt_molecule_destroy(m);
}

static void atoms_may_follow_a_nested_branch(void **state) {
  (void)state;
  bt_molecule *m =
      parse_one("ROOT\n" A1 A2 "ENDROOT\nBRANCH 2 3\n" A3 "BRANCH 3 4\n" A4 "ENDBRANCH 3 4\n" A5 "ENDBRANCH 2 3\n",
                BT_MOLECULE_LIGAND);
  assert_int_equal(m->atoms[4].fragment, 1);
  assert_int_equal(m->fragments[1].end_atom, 5);
  assert_int_equal(m->fragments[2].end_atom, 4);
  bt_molecule_destroy(m);
}

static void a_pose_may_be_followed_by_its_residues(void **state) {
  (void)state;
  bt_molecule *m = parse_one("MODEL 1\n" LIGAND "BEGIN_RES LYS A  42\nROOT\n" A1 "ENDROOT\nEND_RES LYS A  42\nENDMDL\n",
                             BT_MOLECULE_LIGAND);
  assert_int_equal(m->n_atoms, 5);
  assert_int_equal(m->n_lines, 12);
  assert_string_equal(m->lines[11], "TORSDOF 2");
  bt_molecule_destroy(m);
}

#define RESIDUE_ATOMS "ROOT\n" A1 "ENDROOT\nBRANCH 1 2\n" A2 "ENDBRANCH 1 2\n"

static void residues_number_their_atoms_anew_or_go_on(void **state) {
  (void)state;
  const char *texts[2] = {"BEGIN_RES LYS A  42\n" RESIDUE_ATOMS "END_RES LYS A  42\nBEGIN_RES ASN 1 -87\n" RESIDUE_ATOMS
                          "END_RES ASN 1 -87\n",
                          "BEGIN_RES LYS A  42\n" RESIDUE_ATOMS
                          "END_RES LYS A  42\nBEGIN_RES ASN 1 -87\nREMARK x\nROOT\n" A3 "ENDROOT\nBRANCH 3 4\n" A4
                          "ENDBRANCH 3 4\nEND_RES ASN 1 -87\n"};
  for (int i = 0; i < 2; i++) {
    bt_molecule *m = parse_one(texts[i], BT_MOLECULE_FLEXIBLE);
    assert_int_equal(m->n_residues, 2);
    assert_int_equal(m->n_fragments, 4);
    assert_string_equal(m->residues[0].name, "LYS");
    assert_int_equal(m->residues[0].chain, 'A');
    assert_int_equal(m->residues[0].number, 42);
    assert_int_equal(m->residues[1].number, -87);
    assert_int_equal(m->residues[1].chain, '1');
    assert_int_equal(m->residues[1].root, 2);
    assert_int_equal(m->residues[1].first_atom, 2);
    assert_int_equal(m->residues[1].end_atom, 4);
    assert_int_equal(m->fragments[3].parent, 2);
    assert_int_equal(m->fragments[3].axis_from, 2);
    assert_int_equal(m->fragments[3].axis_to, 3);
    assert_int_equal(m->fragments[3].residue, 1);
    bt_molecule_destroy(m);
  }
}

static void residue_names_come_in_several_spellings(void **state) {
  (void)state;
  const struct {
    const char *text;
    char chain;
    int number;
  } cases[] = {{"LYS A  42", 'A', 42},
               {"LYS   42", ' ', 42},
               {"LYS A1042", 'A', 1042},
               {"LYS A  42B", 'A', 42},
               {"LYS  -3", ' ', -3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    snprintf(text, sizeof text, "BEGIN_RES %s\n" RESIDUE_ATOMS "END_RES %s\n", cases[i].text, cases[i].text);
    bt_molecule *m = parse_one(text, BT_MOLECULE_FLEXIBLE);
    assert_int_equal(m->residues[0].chain, cases[i].chain);
    assert_int_equal(m->residues[0].number, cases[i].number);
    bt_molecule_destroy(m);
  }
}

static void a_receptor_is_its_atoms(void **state) {
  (void)state;
  bt_molecule *m = parse_one(
      "HEADER x\nfree text\n" A1 "ATOM  *****  C2  LIG A  8A       1.500   0.000   0.000  1.00  0.00     0.171 C \n" A2
      "ATOM  100001 C2  LIG A   8B      1.500   0.000   0.000  1.00  0.00     0.171 C \nTER\nEND\n",
      BT_MOLECULE_RECEPTOR);
  assert_int_equal(m->n_atoms, 4);
  assert_int_equal(m->n_fragments, 0);
  assert_int_equal(m->atoms[0].fragment, -1);
  assert_int_equal(m->atoms[1].serial, 2); /* its place in the file */
  assert_int_equal(m->atoms[3].serial, 100001);
  assert_int_equal(m->atoms[3].icode, 'B');
  bt_molecule_destroy(m);
}

/* A chain of n atoms with a torsion at each bond. */
static void large_ligands_simply_work(void **state) {
  (void)state;
  const int n = 2000;
  bt_text text = {0};
  for (int i = 1; i <= n; i++) {
    if (i == 1)
      bt_text_add_string(&text, "ROOT\n");
    else
      bt_text_printf(&text, "BRANCH %d %d\n", i - 1, i);
    bt_text_printf(&text, "ATOM  %5d  C   LIG A   7    %8.3f%8.3f%8.3f  1.00  0.00     0.000 C \n", i, 1.5 * i,
                   0.1 * (i % 7), 0.0);
    if (i == 1) bt_text_add_string(&text, "ENDROOT\n");
  }
  for (int i = n; i > 1; i--) bt_text_printf(&text, "ENDBRANCH %d %d\n", i - 1, i);
  bt_text_printf(&text, "TORSDOF %d\n", n - 1);
  bt_molecule *m = parse_one(text.data, BT_MOLECULE_LIGAND);
  assert_int_equal(m->n_atoms, n);
  assert_int_equal(m->n_fragments, n);
  for (int f = 1; f < n; f++) {
    assert_int_equal(m->fragments[f].parent, f - 1);
    assert_int_equal(m->fragments[f].axis_to, f);
    assert_int_equal(m->fragments[f].end_atom, n);
  }
  bt_molecule_destroy(m);
  bt_text_destroy(&text);
}

static void files_are_read_by_path(void **state) {
  (void)state;
  char folder[256], path[300];
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/my.lig.pdbqt", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(LIGAND, file);
  fclose(file);
  bt_molecule **list;
  int count;
  bt_error error;
  support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &list, &count, &error), &error);
  assert_string_equal(bt_molecule_name(list[0]), "my.lig");
  assert_string_equal(list[0]->path, path);
  bt_molecule_list_destroy(list, count);
  unlink(path);
  rmdir(folder);
  support_failed(bt_molecule_read(path, BT_MOLECULE_LIGAND, &list, &count, &error), BT_ERR_IO, &error,
                 "my.lig.pdbqt: cannot read");
}

static void ligands_of_one_model_are_joined(void **state) {
  (void)state;
  const char text[] = "MODEL 4\nREMARK one\n" LIGAND "REMARK two\n" LIGAND "BEGIN_RES ALA A 1\n" A1
                      "END_RES ALA A 1\nENDMDL\nMODEL 5\n" LIGAND "ENDMDL\n";
  bt_molecule **list;
  int count;
  bt_error error;
  support_ok(parse_text(text, BT_MOLECULE_LIGAND, &list, &count, &error), &error);
  assert_int_equal(count, 2);
  const bt_molecule *both = list[0];
  assert_int_equal(both->n_joined, 2);
  assert_int_equal(both->model, 4);
  assert_int_equal(both->n_atoms, 10);
  assert_int_equal(both->torsdof, 4);
  assert_string_equal(both->path, "lig.pdbqt");
  assert_string_equal(both->name, "lig");
  assert_true(both->fragments[3].parent == -1 && both->fragments[3].first_atom == 5);
  assert_non_null(both->opt_behind);
  assert_int_equal(both->n_lines, 26);
  for (int i = 0; i < 10; i++) assert_memory_equal(both->lines[both->atoms[i].line], "ATOM", 4);
  assert_int_equal(list[1]->n_joined, 0);
  bt_molecule_list_destroy(list, count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ligand_becomes_fragments_and_atoms),
      cmocka_unit_test(every_line_is_kept_verbatim),
      cmocka_unit_test(models_become_a_list),
      cmocka_unit_test(line_ends_and_blank_lines_do_not_matter),
      cmocka_unit_test(odd_but_legal_atom_lines_are_read),
      cmocka_unit_test(torsdof_may_be_absent_and_old_words_are_known),
      cmocka_unit_test(serials_need_not_count_from_one),
      cmocka_unit_test(atoms_may_follow_a_nested_branch),
      cmocka_unit_test(a_pose_may_be_followed_by_its_residues),
      cmocka_unit_test(residues_number_their_atoms_anew_or_go_on),
      cmocka_unit_test(residue_names_come_in_several_spellings),
      cmocka_unit_test(a_receptor_is_its_atoms),
      cmocka_unit_test(large_ligands_simply_work),
      cmocka_unit_test(files_are_read_by_path),
      cmocka_unit_test(ligands_of_one_model_are_joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
