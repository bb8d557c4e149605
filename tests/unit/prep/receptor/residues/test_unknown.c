/* test_unknown.c - residues that no template describes: perceived, matched, left out or refused; what is removed. */
#include "unit/prep/receptor/receptor.h"

static void needs_both(void) {
  needs_gemmi();
  if (*bt_rdkit_version() != '\0') return;
  print_message("skipped: this build has no RDKit\n");
  skip();
}

/* The peptide with residue `number` under another name. */
static const char *peptide_renamed(int number, const char name[4]) {
  char *text = peptide();
  for (char *line = text; line != NULL && *line != '\0';
       line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL)
    if (strncmp(line, "ATOM", 4) == 0 && atoi(line + 22) == number) memcpy(line + 17, name, 3);
  const char *path = file_of("renamed.pdb", text);
  free(text);
  return path;
}

static bool noted(const bt_prepared_receptor *p, const char *words) {
  for (int i = 0; i < bt_prepared_receptor_note_count(p); i++)
    if (strstr(bt_prepared_receptor_note(p, i), words) != NULL) return true;
  return false;
}

static int kinds_of(const bt_molecule *m, int number, const char *type) { return count_type(m, number, type); }

/* Each residue of a chain, as if it were unknown, gets the types and the charge of its template. */
static void residues_of_a_chain_are_perceived(void **state) {
  (void)state;
  needs_both();
  static const char *const types[] = {"C", "A", "N", "NA", "OA", "SA", "S", "HD"};
  bt_receptor_options options = bt_receptor_options_default();
  options.ignore_hydrogens = true;
  bt_prepared_receptor *known = prepared(PEPTIDE, &options);
  const bt_molecule *a = bt_prepared_receptor_rigid(known);
  for (int number = 1; number <= 20; number++) {
    bt_prepared_receptor *p = prepared(peptide_renamed(number, "XYZ"), &options);
    const bt_molecule *b = bt_prepared_receptor_rigid(p);
    assert_true(noted(p, "its chemistry found from its coordinates"));
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
      if (kinds_of(a, number, types[k]) != kinds_of(b, number, types[k]))
        fail_msg("residue %d has %d and %d atoms %s", number, kinds_of(a, number, types[k]),
                 kinds_of(b, number, types[k]), types[k]);
    if (fabs(charge_of(a, number) - charge_of(b, number)) > 0.02)
      fail_msg("residue %d has charges %.3f and %.3f", number, charge_of(a, number), charge_of(b, number));
    bt_prepared_receptor_destroy(p);
  }
  bt_prepared_receptor_destroy(known);
}

#define BENZOATE                                                                     \
  "HETATM  911  C1  BZX A 201      60.000   0.000   0.000  1.00  0.00           C\n" \
  "HETATM  912  C2  BZX A 201      60.700   1.212   0.000  1.00  0.00           C\n" \
  "HETATM  913  C3  BZX A 201      62.100   1.212   0.000  1.00  0.00           C\n" \
  "HETATM  914  C4  BZX A 201      62.800   0.000   0.000  1.00  0.00           C\n" \
  "HETATM  915  C5  BZX A 201      62.100  -1.212   0.000  1.00  0.00           C\n" \
  "HETATM  916  C6  BZX A 201      60.700  -1.212   0.000  1.00  0.00           C\n" \
  "HETATM  917  C7  BZX A 201      58.500   0.000   0.000  1.00  0.00           C\n" \
  "HETATM  918  O1  BZX A 201      57.850   1.080   0.000  1.00  0.00           O\n" \
  "HETATM  919  O2  BZX A 201      57.850  -1.080   0.000  1.00  0.00           O\n"

static void free_molecules_are_perceived(void **state) {
  (void)state;
  needs_both();
  bt_prepared_receptor *p = prepared(peptide_with(BENZOATE), NULL);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  assert_true(noted(p, "A:BZX201: unknown residue kept") && noted(p, "O=C([O-])c1ccccc1 (charge -1); --delete BZX"));
  assert_int_equal(count_type(m, 201, "A"), 6);
  assert_true(fabs(charge_of(m, 201) + 1.0) < 0.01);
  assert_non_null(strstr(bt_prepared_receptor_report_json(p), "\"perceived\""));
  bt_prepared_receptor_destroy(p);
  bt_receptor_options acid = bt_receptor_options_default();
  acid.ph = 2.0;
  p = prepared(peptide_with(BENZOATE), &acid);
  assert_true(noted(p, "O=C(O)c1ccccc1 (charge +0)"));
  bt_prepared_receptor_destroy(p);
  bt_receptor_options strict = bt_receptor_options_default();
  strict.strict = true;
  refused(peptide_with(BENZOATE), &strict, BT_ERR_INPUT, "unknown residues: A:BZX201");
}

/* Benzoate under the name of a known component, with names of its own: benzamidine is not it, so it is perceived. */
static void names_are_not_believed(void **state) {
  (void)state;
  needs_both();
  /* pyruvate (PYR) with other names: matched to the component */
  static const char pyruvate[] =
      "HETATM  911  Q1  PYR A 201      60.000   0.000   0.000  1.00  0.00           C\n"
      "HETATM  912  Q2  PYR A 201      61.500   0.000   0.000  1.00  0.00           C\n"
      "HETATM  913  Q3  PYR A 201      62.250  -1.300   0.000  1.00  0.00           C\n"
      "HETATM  914  Q4  PYR A 201      62.100   1.060   0.000  1.00  0.00           O\n"
      "HETATM  915  Q5  PYR A 201      59.350   1.080   0.000  1.00  0.00           O\n"
      "HETATM  916  Q6  PYR A 201      59.350  -1.080   0.000  1.00  0.00           O\n";
  bt_prepared_receptor *p = prepared(peptide_with(pyruvate), NULL);
  assert_true(noted(p, "A:PYR201: its atoms have other names than those of PYR: matched by elements and bonds"));
  assert_true(fabs(charge_of(bt_prepared_receptor_rigid(p), 201) + 1.0) < 0.01);
  bt_prepared_receptor_destroy(p);
  char text[sizeof BENZOATE];
  strcpy(text, BENZOATE);
  for (char *at = text; (at = strstr(at, "BZX")) != NULL;) memcpy(at, "PYR", 3);
  p = prepared(peptide_with(text), NULL);
  assert_true(noted(p, "A:PYR201: unknown residue kept"));
  bt_prepared_receptor_destroy(p);
}

/* Atoms that no chemistry explains. */
#define NONSENSE                                                                     \
  "HETATM  911  X1  QQQ A 201      60.000   0.000   0.000  1.00  0.00           X\n" \
  "HETATM  912  X2  QQQ A 201      61.500   0.000   0.000  1.00  0.00           X\n"

static bt_receptor_options box_at(double x, double size) {
  bt_receptor_options options = bt_receptor_options_default();
  options.box_center[0] = x;
  for (int k = 0; k < 3; k++) options.box_size[k] = size;
  return options;
}

/* A phosphoserine under its old name, with its phosphate at the end of the file, keeps all of it. */
static void modified_residues_keep_their_atoms(void **state) {
  (void)state;
  needs_both();
  bt_receptor_options options = bt_receptor_options_default();
  options.ignore_hydrogens = true;
  bt_prepared_receptor *p = prepared(
      peptide_with("ATOM    901  P   SER A  16       0.393   4.987  -2.854  1.00  0.00           P\n"
                   "ATOM    902  O1P SER A  16       1.057   5.471  -1.593  1.00  0.00           O\n"
                   "ATOM    903  O2P SER A  16      -1.102   5.045  -2.691  1.00  0.00           O\n"
                   "ATOM    904  O3P SER A  16       0.808   5.857  -4.008  1.00  0.00           O\n"),
      &options);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  assert_int_equal(kinds_of(m, 16, "P"), 1);
  assert_int_equal(kinds_of(m, 16, "OA"), 5);
  assert_true(fabs(charge_of(m, 16) + 2.0) < 0.01);
  bt_prepared_receptor_destroy(p);
}

static void what_is_far_stops_nothing(void **state) {
  (void)state;
  needs_both();
  refused(peptide_with(NONSENSE), NULL, BT_ERR_INPUT, "unknown residues: A:QQQ201");
  bt_receptor_options near = box_at(60.0, 10.0), far = box_at(0.0, 10.0);
  refused(peptide_with(NONSENSE), &near, BT_ERR_INPUT, "unknown residues: A:QQQ201");
  bt_prepared_receptor *p = prepared(peptide_with(NONSENSE), &far);
  assert_true(noted(p, "A:QQQ201: left out: unknown residue, more than 8 Angstrom from the box"));
  bt_prepared_receptor_destroy(p);
  bt_receptor_options beside = box_at(63.0, 10.0), around = box_at(60.0, 10.0);
  beside.box_center[1] = 3.5;
  p = prepared(peptide_with(BENZOATE), &beside);
  assert_true(noted(p, "A:BZX201: it lies in the box: if it is the ligand, take it out with --delete A:BZX201"));
  bt_prepared_receptor_destroy(p);
  p = prepared(peptide_with(BENZOATE), &around);
  assert_true(noted(p, "A:BZX201: taken out as the ligand: the box is around it; --keep A:BZX201 keeps it"));
  bt_prepared_receptor_destroy(p);
  static const char *const keep[] = {"BZX"}; /* by its name */
  around.keep = keep, around.n_keep = 1;
  p = prepared(peptide_with(BENZOATE), &around);
  assert_int_equal(count_type(bt_prepared_receptor_rigid(p), 201, "A"), 6);
  bt_prepared_receptor_destroy(p);
  bt_receptor_options whole = box_at(60.0, 60.0); /* of a protein, whose center says nothing */
  p = prepared(peptide_with(BENZOATE), &whole);
  assert_int_equal(count_type(bt_prepared_receptor_rigid(p), 201, "A"), 6);
  bt_prepared_receptor_destroy(p);
}

#define REMOVED                                                                      \
  "HETATM  901  O   HOH A 301      60.000   0.000   0.000  1.00  0.00           O\n" \
  "HETATM  902  O   HOH A 302      90.000   0.000   0.000  1.00  0.00           O\n" \
  "HETATM  903 XE   XE  A 303      64.000   0.000   0.000  1.00  0.00          XE\n"

static void removed_residues_are_named_where_they_matter(void **state) {
  (void)state;
  needs_gemmi();
  bt_receptor_options near = box_at(60.0, 10.0), far = box_at(0.0, 10.0);
  bt_prepared_receptor *p = prepared(peptide_with(REMOVED), &near);
  assert_true(noted(p, "1 water within 8 Angstrom of the box is removed: A:HOH301; --keep A:HOH301 keeps it"));
  assert_true(noted(p, "1 crystallization additive within 8 Angstrom of the box is removed: A:XE303"));
  assert_non_null(strstr(bt_prepared_receptor_report_json(p), "\"near_box\""));
  bt_prepared_receptor_destroy(p);
  p = prepared(peptide_with(REMOVED), &far);
  assert_false(noted(p, "removed"));
  bt_prepared_receptor_destroy(p);
  p = prepared(peptide_with(REMOVED), NULL);
  assert_true(noted(p, "2 waters are removed: A:HOH301,A:HOH302; --keep A:HOH301,A:HOH302 keeps them"));
  bt_prepared_receptor_destroy(p);
}

static void ligands_of_a_file_are_found(void **state) {
  (void)state;
  needs_gemmi();
  char *text = NULL;
  bt_error error = {0};
  support_ok(bt_receptor_ligands(peptide_with(BENZOATE REMOVED), 1, &text, &error), &error);
  assert_string_equal(text, "A:BZX201");
  free(text);
  support_ok(bt_receptor_ligands(PEPTIDE, 1, &text, &error), &error);
  assert_string_equal(text, "");
  free(text);
}

/* Names that programs of molecular dynamics give. */
static void names_of_simulations_are_known(void **state) {
  (void)state;
  needs_gemmi();
  static const char *const names[][2] = {
      {"HSD", "HID"}, {"HSE", "HIE"}, {"HSP", "HIP"}, {"HIE", "HIE"}, {"HIP", "HIP"}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    bt_receptor_options options = bt_receptor_options_default();
    options.ignore_hydrogens = true;
    bt_prepared_receptor *p = prepared(peptide_renamed(7, names[k][0]), &options);
    char residue[16];
    snprintf(residue, sizeof residue, "A:%s7", names[k][0]);
    assert_true(reported(p, residue, names[k][1]) || strstr(bt_prepared_receptor_report(p), names[k][1]) != NULL);
    bt_prepared_receptor_destroy(p);
  }
  bt_prepared_receptor *p =
      prepared(peptide_with("ATOM    901 Na+  Na+ A 301      60.000   0.000   0.000  1.00  0.00          Na\n"
                            "ATOM    902 Cl-  Cl- A 302      70.000   0.000   0.000  1.00  0.00          Cl\n"
                            "ATOM    903 CLA  CLA A 303      80.000   0.000   0.000  1.00  0.00          Cl\n"
                            "ATOM    904 SOD  SOD A 304      90.000   0.000   0.000  1.00  0.00          Na\n"
                            "ATOM    905  OW  SOL A 305      99.000   0.000   0.000  1.00  0.00           O\n"),
               NULL);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  assert_true(fabs(charge_of(m, 301) - 1.0) < 1e-6 && fabs(charge_of(m, 302) + 1.0) < 1e-6);
  assert_true(fabs(charge_of(m, 303) + 1.0) < 1e-6 && fabs(charge_of(m, 304) - 1.0) < 1e-6);
  assert_true(reported(p, "A:SOL305", "deleted: water"));
  bt_prepared_receptor_destroy(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residues_of_a_chain_are_perceived),
      cmocka_unit_test(free_molecules_are_perceived),
      cmocka_unit_test(names_are_not_believed),
      cmocka_unit_test(modified_residues_keep_their_atoms),
      cmocka_unit_test(what_is_far_stops_nothing),
      cmocka_unit_test(removed_residues_are_named_where_they_matter),
      cmocka_unit_test(ligands_of_a_file_are_found),
      cmocka_unit_test(names_of_simulations_are_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
