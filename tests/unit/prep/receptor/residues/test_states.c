/* test_states.c - templates, places in the chain and protonation of residues. */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "forcefield/ad4.h"
#include "prep/receptor/residues/templates.h"
#include "unit/prep/receptor/receptor.h"

/* Table (f) of what AutoDock expects: polar hydrogens of the twenty residues at physiological charge, in the peptide
 * ACDEFGHIKLMNPQRSTVWY with charged ends and histidine as HIE. */
static void usual_states(void **state) {
  (void)state;
  needs_gemmi();
  static const int hydrogens[20] = {3, 2, 1, 1, 1, 1, 2, 1, 4, 1, 1, 3, 0, 3, 6, 2, 2, 1, 2, 2};
  static const int charges[20] = {1, 0, -1, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1};
  bt_receptor_options options = bt_receptor_options_default();
  options.ignore_hydrogens = true;
  bt_prepared_receptor *p = prepared(PEPTIDE, &options);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  for (int i = 0; i < 20; i++) {
    assert_int_equal(count_type(m, i + 1, "HD"), hydrogens[i]);
    assert_true(fabs(charge_of(m, i + 1) - charges[i]) < 1e-6);
  }
  assert_string_equal(atom_named(m, 2, "SG")->type, "SA");
  assert_string_equal(atom_named(m, 9, "NZ")->type, "N");
  assert_string_equal(atom_named(m, 7, "CG")->type, "A");
  assert_string_equal(atom_named(m, 15, "CZ")->type, "C");
  assert_string_equal(atom_named(m, 20, "OXT")->type, "OA");
  assert_true(fabs(atom_named(m, 6, "N")->charge + 0.34) < 0.02 && fabs(atom_named(m, 6, "C")->charge - 0.24) < 0.02);
  assert_int_equal(bt_prepared_receptor_note_count(p), 0);
  assert_null(bt_prepared_receptor_flexible(p));
  bt_prepared_receptor_destroy(p);
}

/* The file's hydrogens say: neutral acids, amine, ends. */
static void states_follow_hydrogens(void **state) {
  (void)state;
  needs_gemmi();
  bt_prepared_receptor *p = prepared(PEPTIDE, NULL);
  assert_true(reported(p, "A:ALA1", "ALA.N0") && reported(p, "A:ASP3", "ASH") && reported(p, "A:GLU4", "GLH"));
  assert_true(reported(p, "A:LYS9", "LYN") && reported(p, "A:TYR20", "TYR.C0") && reported(p, "A:HIS7", "HI"));
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  assert_string_equal(atom_named(m, 9, "NZ")->type, "NA");
  assert_string_equal(atom_named(m, 1, "N")->type, "NA");
  assert_true(fabs(charge_of(m, -1) - 1.0) < 1e-6); /* arginine, whose fifth hydrogen is added */
  bt_prepared_receptor_destroy(p);
}

static void states_are_set_by_hand(void **state) {
  (void)state;
  needs_gemmi();
  static const char *const states[] = {"A:7:HIP,A:ASP3:ASH", "A:LYS9:lyn", "A:2:CYM", "A:TYR:20:TYM"};
  bt_receptor_options options = bt_receptor_options_default();
  options.ignore_hydrogens = true;
  options.states = states;
  options.n_states = 4;
  bt_prepared_receptor *p = prepared(PEPTIDE, &options);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  assert_non_null(atom_named(m, 7, "HD1"));
  assert_non_null(atom_named(m, 7, "HE2"));
  assert_non_null(atom_named(m, 3, "HD2"));
  assert_null(atom_named(m, 9, "HZ1")); /* names as in Amber's LYN */
  assert_non_null(atom_named(m, 9, "HZ3"));
  assert_null(atom_named(m, 2, "HG"));
  assert_null(atom_named(m, 20, "HH"));
  static const char *const wrong[] = {"A:7:HIX", "A:77:HID", "A:7:ASH", "HID", "A:6:ASH", "A:7"};
  static const char *const words[] = {"no state HIX", "there is no residue A:77",
                                      "do not belong to residue ASH", "is not a residue and a state",
                                      "A:GLY6 lacks atoms of ASH", "no state 7"};
  for (int i = 0; i < 6; i++) {
    options.states = &wrong[i];
    options.n_states = 1;
    refused(PEPTIDE, &options, BT_ERR_INPUT, words[i]);
  }
  bt_prepared_receptor_destroy(p);
}

/* A propka3 that hangs is killed, and must not outlive the program. */
static void propka_has_its_time(void **state) {
  (void)state;
  needs_gemmi();
  char folder[256], path[300], pid_path[300], line[64] = "";
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/propka3", folder);
  snprintf(pid_path, sizeof pid_path, "%s/pid", folder);
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fprintf(stream, "#!/bin/sh\necho $$ > %s\nexec sleep 1000\n", pid_path);
  fclose(stream);
  assert_int_equal(chmod(path, 0700), 0);
  const char *before = getenv("PATH");
  char *kept = strdup(before != NULL ? before : ""), *longer = malloc(strlen(kept) + strlen(folder) + 2);
  sprintf(longer, "%s:%s", folder, kept);
  setenv("PATH", longer, 1);
  bt_receptor_options options = bt_receptor_options_default();
  options.ph = 7.0;
  options.ignore_hydrogens = true;
  options.pka_seconds = 0.5;
  bt_prepared_receptor *p = NULL;
  bt_error error = {0};
  support_failed(bt_receptor_prepare(PEPTIDE, &options, &p, &error), BT_ERR_LIMIT, &error, "longer than 0.5 s");
  setenv("PATH", kept, 1);
  stream = fopen(pid_path, "r");
  if (stream != NULL && fgets(line, sizeof line, stream) != NULL && atoi(line) > 1)
    assert_int_equal(kill((pid_t)atoi(line), 0), -1); /* the process is gone */
  if (stream != NULL) fclose(stream);
  remove(pid_path);
  remove(path);
  remove(folder);
  free(kept);
  free(longer);
}

static void states_follow_the_ph(void **state) {
  (void)state;
  needs_gemmi();
  /* an answer of propka */
  const char *pka =
      file_of("x.pka",
              "SUMMARY OF THIS PREDICTION\n       Group      pKa  model-pKa   ligand atom-type\n"
              "   ASP   3 A     7.94       3.80\n   GLU   4 A     4.12       4.50\n"
              "   HIS   7 A     8.30       6.50\n   LYS   9 A     9.90      10.50\n   N+    1 A     8.00       8.00\n"
              "--------\n   GLU   4 A     9.00       4.50\n");
  bt_receptor_options options = bt_receptor_options_default();
  options.ignore_hydrogens = true;
  options.opt_pka = pka;
  options.ph = 7.0;
  bt_prepared_receptor *p = prepared(PEPTIDE, &options);
  assert_true(reported(p, "A:ASP3", "ASH") && reported(p, "A:ASP3", "pKa 7.94"));
  assert_true(reported(p, "A:GLU4", "GLU ") && reported(p, "A:HIS7", "HIP") && reported(p, "A:LYS9", "LYS "));
  bt_prepared_receptor_destroy(p);
  options.ph = 12.0;
  p = prepared(PEPTIDE, &options);
  assert_true(reported(p, "A:LYS9", "LYN") && reported(p, "A:ASP3", "ASP "));
  bt_prepared_receptor_destroy(p);
  options.ph = 15.0;
  refused(PEPTIDE, &options, BT_ERR_INPUT, "15 is not a valid pH");
  options.ph = 7.0;
  options.opt_pka = file_of("y.pka", "nothing\n");
  refused(PEPTIDE, &options, BT_ERR_INPUT, "no pKa value");
}

static void nucleic_acids(void **state) {
  (void)state;
  needs_gemmi();
  bt_receptor_options options = bt_receptor_options_default();
  options.ignore_hydrogens = true;
  bt_prepared_receptor *p = prepared(NUCLEIC, &options);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  assert_true(reported(p, "A:DA1", "DA.5") && reported(p, "A:DC2", "DC ") && reported(p, "A:DT4", "DT.3"));
  assert_true(fabs(charge_of(m, -1) + 3.0) < 1e-6);
  assert_non_null(atom_named(m, 1, "HO5'"));
  assert_non_null(atom_named(m, 4, "HO3'"));
  assert_int_equal(count_type(m, 3, "HD"), 3); /* guanine: N1 and N2 */
  assert_string_equal(atom_named(m, 1, "N6")->type, "N");
  assert_string_equal(atom_named(m, 1, "N1")->type, "NA");
  bt_prepared_receptor_destroy(p);
}

/* Receptors from PDB files and from PDBQT files borrow the same parameters. */
static void ions_share_one_table(void **state) {
  (void)state;
  bt_templates *templates;
  bt_error error;
  support_ok(bt_templates_create(&templates, &error), &error);
  int stand_ins = 0;
  for (int i = 0; i < templates->n_items; i++) {
    const bt_template *t = &templates->items[i];
    for (int k = 0; k < t->n_atoms; k++) {
      const bt_ad4_stand_in *row = bt_ad4_stand_in_find(t->atoms[k].symbol);
      if (row != NULL) assert_string_equal(t->atoms[k].type, row->type);
      stand_ins += t->kind == BT_CLASS_STAND_IN;
    }
  }
  assert_int_equal(stand_ins, 15);
  bt_templates_destroy(templates);
}

static void strict_preparation_refuses_stand_ins(void **state) {
  (void)state;
  needs_gemmi();
  static const char text[] = "HETATM    1 NA    NA A 201       1.000   2.000   3.000  1.00 10.00          NA\n"
                             "HETATM    2 ZN    ZN A 202       9.000   2.000   3.000  1.00 10.00          ZN\n";
  bt_receptor_options options = bt_receptor_options_default();
  bt_prepared_receptor *p = prepared(file_of("ions.pdb", text), &options);
  assert_string_equal(atom_named(bt_prepared_receptor_rigid(p), 201, "NA")->type, "Mg");
  assert_int_equal(bt_prepared_receptor_note_count(p), 1);
  bt_prepared_receptor_destroy(p);
  options.strict = true;
  refused(file_of("ions.pdb", text), &options, BT_ERR_INPUT, "A:NA201: Na has no parameters, those of Mg would stand in");
  bt_prepared_receptor_destroy(prepared(file_of("zinc.pdb", strchr(text, '\n') + 1), &options));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(usual_states),           cmocka_unit_test(states_follow_hydrogens),
      cmocka_unit_test(states_are_set_by_hand), cmocka_unit_test(propka_has_its_time),
      cmocka_unit_test(states_follow_the_ph),
      cmocka_unit_test(nucleic_acids),          cmocka_unit_test(ions_share_one_table),
      cmocka_unit_test(strict_preparation_refuses_stand_ins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
