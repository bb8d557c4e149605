/* test_choices.c - what is kept, alternate locations, flexible residues, ligands taken out. */
#include "prep/receptor/residues/templates.h"
#include "unit/prep/receptor/receptor.h"

#define EXTRA                                                                        \
  "HETATM  901  O   HOH A 101      30.000   0.000   0.000  1.00  0.00           O\n" \
  "HETATM  902  O   HOH A 102      34.000   0.000   0.000  1.00  0.00           O\n" \
  "HETATM  903 MG    MG A 103      30.000   9.000   0.000  1.00  0.00          MG\n" \
  "HETATM  904  C1  EDO A 104      40.000   9.000   0.000  1.00  0.00           C\n" \
  "HETATM  905  C2  EDO A 104      41.500   9.000   0.000  1.00  0.00           C\n" \
  "HETATM  906  O1  EDO A 104      39.500  10.300   0.000  1.00  0.00           O\n" \
  "HETATM  907  O2  EDO A 104      42.000  10.300   0.000  1.00  0.00           O\n"

static void waters_and_additives_go(void **state) {
  (void)state;
  needs_gemmi();
  bt_prepared_receptor *p = prepared(peptide_with(EXTRA), NULL);
  assert_true(reported(p, "A:HOH101", "deleted: water") &&
              reported(p, "A:EDO104", "deleted: crystallization additive"));
  const bt_atom *mg = atom_named(bt_prepared_receptor_rigid(p), 103, "MG");
  assert_non_null(mg);
  assert_true(strcmp(mg->type, "Mg") == 0 && mg->charge == 2.0);
  assert_non_null(strstr(bt_prepared_receptor_report_json(p), "\"fate\": \"deleted\""));
  bt_prepared_receptor_destroy(p);
}

/* A lipid and a cluster stay; the report says what they are. */
static void lipids_and_clusters_stay(void **state) {
  (void)state;
  needs_gemmi();
  bt_prepared_receptor *p = prepared(peptide_with("HETATM  901 FE1  FES A 104      40.000   9.000   0.000  1.00  0.00          FE\n"
                                                  "HETATM  902 FE2  FES A 104      42.700   9.000   0.000  1.00  0.00          FE\n"
                                                  "HETATM  903  S1  FES A 104      41.350  10.700   0.000  1.00  0.00           S\n"
                                                  "HETATM  904  S2  FES A 104      41.350   7.300   0.000  1.00  0.00           S\n"
                                                  "HETATM  905  C1  D10 A 105      60.000   9.000   0.000  1.00  0.00           C\n"
                                                  "HETATM  906  C2  D10 A 105      61.250   9.850   0.000  1.00  0.00           C\n"
                                                  "HETATM  907  C3  D10 A 105      62.500   9.000   0.000  1.00  0.00           C\n"
                                                  "HETATM  908  C4  D10 A 105      63.750   9.850   0.000  1.00  0.00           C\n"
                                                  "HETATM  909  C5  D10 A 105      65.000   9.000   0.000  1.00  0.00           C\n"
                                                  "HETATM  910  C6  D10 A 105      66.250   9.850   0.000  1.00  0.00           C\n"
                                                  "HETATM  911  C7  D10 A 105      67.500   9.000   0.000  1.00  0.00           C\n"
                                                  "HETATM  912  C8  D10 A 105      68.750   9.850   0.000  1.00  0.00           C\n"
                                                  "HETATM  913  C9  D10 A 105      70.000   9.000   0.000  1.00  0.00           C\n"
                                                  "HETATM  914  C10 D10 A 105      71.250   9.850   0.000  1.00  0.00           C\n"),
                                     NULL);
  const char *json = bt_prepared_receptor_report_json(p);
  assert_non_null(strstr(json, "\"cofactor\""));
  assert_non_null(strstr(json, "\"lipid\""));
  assert_non_null(atom_named(bt_prepared_receptor_rigid(p), 104, "FE1"));
  assert_non_null(atom_named(bt_prepared_receptor_rigid(p), 105, "C10"));
  bt_prepared_receptor_destroy(p);
}

/* Names that are in the chemical component dictionary, and in most entries with a cofactor. */
static void cofactors_are_known(void **state) {
  (void)state;
  static const char *const names[] = {"NAI", "NDP", "SAM", "SAH", "COA", "ACO", "ANP", "HEC", "SF4", "FES", "ATP",
                                      "FAD", "FMN", "PLP", "TPP", "BTN", "GTP", "UPG", "CLA", "B12"};
  bt_templates *templates;
  bt_error error = {0};
  support_ok(bt_templates_create(&templates, &error), &error);
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (bt_templates_families(templates, names[k]).n_families == 0) fail_msg("%s is not known", names[k]);
  assert_int_equal(bt_templates_families(templates, "XYZ").n_families, 0);
  bt_templates_destroy(templates);
}

static void words_decide(void **state) {
  (void)state;
  needs_gemmi();
  static const char *const keep[] = {"A:HOH101,EDO", "XYZ"}, *const remove[] = {"MG", "A:20"};
  bt_receptor_options options = bt_receptor_options_default();
  options.keep = keep;
  options.n_keep = 2;
  options.remove = remove;
  options.n_remove = 2;
  bt_prepared_receptor *p = prepared(peptide_with(EXTRA), &options);
  assert_true(reported(p, "A:HOH101", "HOH") && reported(p, "A:HOH102", "deleted") && reported(p, "A:EDO104", "EDO"));
  assert_true(reported(p, "A:MG103", "deleted as requested") && reported(p, "A:TYR20", "deleted as requested"));
  bool told = false;
  for (int i = 0; i < bt_prepared_receptor_note_count(p); i++)
    told = told || strstr(bt_prepared_receptor_note(p, i), "no residue matches XYZ") != NULL;
  assert_true(told);
  bt_prepared_receptor_destroy(p);
  static const char *const bad[] = {"A:B:C:D"};
  options.keep = bad;
  options.n_keep = 1;
  refused(PEPTIDE, &options, BT_ERR_INPUT, "does not name a residue");
}

#define LIGAND                                                                       \
  "HETATM  911  C1  XYZ A 201      30.000   0.000   0.800  1.00  0.00           C\n" \
  "HETATM  912  C2  XYZ A 201      31.500   0.000   0.000  1.00  0.00           C\n" \
  "HETATM  913  O1 AXYZ A 201      32.000   1.300   0.000  0.40  0.00           O\n" \
  "HETATM  914  O1 BXYZ A 201      32.000  -1.300   0.000  0.60  0.00           O\n" \
  "HETATM  915  C1  XYZ A 202      50.000   0.000   0.000  1.00  0.00           C\n"

static void unknown_residues_are_named(void **state) {
  (void)state;
  needs_gemmi();
  bt_receptor_options options = bt_receptor_options_default();
  options.strict = true;
  refused(peptide_with(LIGAND), &options, BT_ERR_INPUT, "unknown residues: A:XYZ201, A:XYZ202");
  options.strict = false;
  options.delete_unknown = true;
  bt_prepared_receptor *p = prepared(peptide_with(LIGAND), &options);
  assert_true(reported(p, "A:XYZ201", "deleted: unknown residue"));
  assert_int_equal(bt_prepared_receptor_note_count(p), 2);
  bt_prepared_receptor_destroy(p);
  options.delete_unknown = false;
  options.opt_ligand = "XYZ";
  p = prepared(peptide_with(LIGAND), &options);
  assert_true(reported(p, "A:XYZ202", "the ligand"));
  bt_prepared_receptor_destroy(p);
  options.opt_ligand = "ABC:A";
  refused(peptide_with(LIGAND), &options, BT_ERR_INPUT, "no residue ABC:A");
}

static void templates_make_them_known(void **state) {
  (void)state;
  needs_gemmi();
  if (*bt_rdkit_version() == '\0') skip();
  static const char *const templates[] = {"XYZ=CCO"}, *const remove[] = {"A:202"};
  bt_receptor_options options = bt_receptor_options_default();
  options.templates = templates;
  options.n_templates = 1;
  options.remove = remove;
  options.n_remove = 1;
  bt_prepared_receptor *p = prepared(peptide_with(LIGAND), &options);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  assert_string_equal(atom_named(m, 201, "O1")->type, "OA");
  assert_int_equal(count_type(m, 201, "HD"), 1);
  assert_true(fabs(charge_of(m, 201)) < 0.003);
  bt_prepared_receptor_destroy(p);
  static const char *const wrong[] = {"XYZ=CCCO"};
  options.templates = wrong;
  refused(peptide_with(LIGAND), &options, BT_ERR_INPUT, "");
}

static const char acid[] = "HETATM  911  C1  XYZ A 201      30.000   0.000   0.000  1.00  0.00           C\n"
                           "HETATM  912  C2  XYZ A 201      31.500   0.000   0.000  1.00  0.00           C\n"
                           "HETATM  913  O1  XYZ A 201      32.150   1.080   0.000  1.00  0.00           O\n"
                           "HETATM  914  O2  XYZ A 201      32.150  -1.080   0.000  1.00  0.00           O\n";

static void templates_are_protonated_as_ligands_are(void **state) {
  (void)state;
  needs_gemmi();
  if (*bt_rdkit_version() == '\0') skip();
  static const char *const templates[] = {"XYZ=CC(=O)O"};
  bt_receptor_options options = bt_receptor_options_default();
  options.templates = templates;
  options.n_templates = 1;
  bt_prepared_receptor *p = prepared(peptide_with(acid), &options);
  assert_int_equal(count_type(bt_prepared_receptor_rigid(p), 201, "HD"), 0);
  assert_true(fabs(charge_of(bt_prepared_receptor_rigid(p), 201) + 1) < 0.003);
  assert_true(reported(p, "A:XYZ201", "pH 7.4 assumed: carboxylic acid deprotonated"));
  bt_prepared_receptor_destroy(p);
  options.ph = 2;
  p = prepared(peptide_with(acid), &options);
  assert_int_equal(count_type(bt_prepared_receptor_rigid(p), 201, "HD"), 1);
  bt_prepared_receptor_destroy(p);
  options.as_drawn = true;
  refused(peptide_with(acid), &options, BT_ERR_USAGE, "exclude each other");
  options.ph = (double)NAN;
  p = prepared(peptide_with(acid), &options);
  assert_int_equal(count_type(bt_prepared_receptor_rigid(p), 201, "HD"), 1);
  bt_prepared_receptor_destroy(p);
}

static void ligands_are_taken_out(void **state) {
  (void)state;
  needs_gemmi();
  char *text = NULL;
  bt_error error = {0};
  support_failed(bt_receptor_ligand_pdb(peptide_with(LIGAND), 1, "XYZ", &text, &error), BT_ERR_INPUT, &error,
                 "XYZ matches 2 residues; name one of A:XYZ201, A:XYZ202");
  support_failed(bt_receptor_ligand_pdb(PEPTIDE, 1, "XYZ", &text, &error), BT_ERR_INPUT, &error, "no residue XYZ");
  support_failed(bt_receptor_ligand_pdb(PEPTIDE, 1, "A:B:C:D", &text, &error), BT_ERR_INPUT, &error, "does not name");
  support_ok(bt_receptor_ligand_pdb(peptide_with(LIGAND), 1, "XYZ:A:201", &text, &error), &error);
  assert_non_null(strstr(text, "HETATM    3  O1  XYZ A 201      32.000  -1.300   0.000")); /* more occupied */
  assert_null(strstr(text, "  1.300"));
  assert_non_null(strstr(text, "CONECT    2    1    3\n"));
  free(text);
}

/* The more occupied alternate location has a bond of 2.4 Angstrom (1AKE has such a ligand): the other one is taken. */
static void ligands_hang_together(void **state) {
  (void)state;
  needs_gemmi();
  static const char torn[] =
      "HETATM  901  C1  XYZ A 201      30.000   0.000   0.000  1.00  0.00           C\n"
      "HETATM  902  C2 AXYZ A 201      31.500   0.000   0.000  0.60  0.00           C\n"
      "HETATM  903  C2 BXYZ A 201      31.400   0.300   0.000  0.40  0.00           C\n"
      "HETATM  904  O1 AXYZ A 201      33.900   0.000   0.000  0.60  0.00           O\n"
      "HETATM  905  O1 BXYZ A 201      32.600   0.900   0.000  0.40  0.00           O\n";
  char *text = NULL;
  bt_error error = {0};
  support_ok(bt_receptor_ligand_pdb(peptide_with(torn), 1, "XYZ", &text, &error), &error);
  assert_non_null(strstr(text, "O1  XYZ A 201      32.600   0.900   0.000"));
  assert_null(strstr(text, "31.500"));
  assert_non_null(strstr(text, "CONECT    2    1    3\n"));
  free(text);
}

/* The same serine twice; insertion codes distinguish 52 and 52A. */
static const char *serines(void) {
  static char text[4000];
  static const char *const names[] = {"N", "CA", "C", "O", "CB", "OG"};
  static const double x[6][3] = {
      {1.45, 0, 0}, {0, 0, 0}, {-0.51, 1.43, 0}, {0.26, 2.39, 0}, {-0.52, -0.73, -1.24}, {-0.07, -2.08, -1.23}};
  int used = 0;
  for (int r = 0; r < 2; r++)
    for (int a = 0; a < 6; a++)
      for (int place = 0; place < (a == 5 ? 2 : 1); place++) {
        char altloc = a < 5 ? ' ' : place == 0 ? 'A' : 'B';
        double occupancy = a < 5 ? 1.0 : place == 0 ? 0.35 : 0.65;
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "ATOM  %5d  %-3s%cSER H  52%c   %8.3f%8.3f%8.3f%6.2f  0.00           %c\n", used / 80 + 1,
                         names[a], altloc, r == 0 ? ' ' : 'A', x[a][0] + 12 * r, x[a][1] + (place == 1 ? 0.4 : 0.0),
                         x[a][2], occupancy, names[a][0]);
      }
  return file_of("serines.pdb", text);
}

static void places_and_insertion_codes(void **state) {
  (void)state;
  needs_gemmi();
  bt_prepared_receptor *p = prepared(serines(), NULL);
  assert_true(fabs(atom_named(bt_prepared_receptor_rigid(p), 52, "OG")->x[1] + 1.68) < 1e-3);
  assert_true(reported(p, "H:SER52A", "alternate location B"));
  bt_prepared_receptor_destroy(p);
  static const char *const one[] = {"H:52A:A"}, *const all[] = {"A"}, *const bad[] = {"H52"};
  static const char *const remove[] = {"H:52A"};
  bt_receptor_options options = bt_receptor_options_default();
  options.altlocs = one;
  options.n_altlocs = 1;
  p = prepared(serines(), &options);
  assert_true(reported(p, "H:SER52A", "alternate location A as requested") && reported(p, "H:SER52", "location B"));
  bt_prepared_receptor_destroy(p);
  options.altlocs = all;
  options.remove = remove;
  options.n_remove = 1;
  p = prepared(serines(), &options);
  assert_true(reported(p, "H:SER52", "location A") && reported(p, "H:SER52A", "deleted as requested"));
  assert_true(fabs(atom_named(bt_prepared_receptor_rigid(p), 52, "OG")->x[1] + 2.08) < 1e-3);
  bt_prepared_receptor_destroy(p);
  options.altlocs = bad;
  refused(serines(), &options, BT_ERR_INPUT, "is not an alternate location");
}

/* Torsions of each side chain of ACDEFGHIKLMNPQRSTVWY; -1: cannot be flexible, 0: stays rigid. */
static void flexible_residues(void **state) {
  (void)state;
  needs_gemmi();
  static const int torsions[20] = {0, 2, 2, 3, 2, 0, 2, 2, 5, 2, 3, 2, -1, 3, 4, 2, 2, 1, 2, 3};
  static const char *const names[20] = {"ALA", "CYS", "ASP", "GLU", "PHE", "GLY", "HIS", "ILE", "LYS", "LEU",
                                        "MET", "ASN", "PRO", "GLN", "ARG", "SER", "THR", "VAL", "TRP", "TYR"};
  bt_receptor_options options = bt_receptor_options_default();
  options.ignore_hydrogens = true;
  for (int i = 0; i < 20; i++) {
    char word[16];
    const char *const words[] = {word};
    snprintf(word, sizeof word, "A:%s%d", names[i], i + 1);
    options.flexible = words;
    options.n_flexible = 1;
    if (torsions[i] < 0) {
      refused(PEPTIDE, &options, BT_ERR_INPUT, "ring with the main chain");
      continue;
    }
    bt_prepared_receptor *p = prepared(PEPTIDE, &options);
    const bt_molecule *flexible = bt_prepared_receptor_flexible(p), *rigid = bt_prepared_receptor_rigid(p);
    if (torsions[i] == 0) {
      assert_null(flexible);
      assert_true(reported(p, i == 0 ? "A:ALA1" : "A:GLY6", "stays rigid"));
    } else {
      assert_non_null(flexible);
      assert_int_equal(flexible->n_residues, 1);
      if (flexible->n_fragments != torsions[i] + 1) fail_msg("%s has %d torsions", word, flexible->n_fragments - 1);
      assert_string_equal(flexible->atoms[0].name, "CA");
      assert_non_null(atom_named(rigid, i + 1, "N"));
      assert_null(atom_named(rigid, i + 1, "CB"));
      assert_null(atom_named(rigid, i + 1, "CA"));
    }
    bt_prepared_receptor_destroy(p);
  }
  static const char *const wrong[] = {"A:ARG8"};
  options.flexible = wrong;
  refused(PEPTIDE, &options, BT_ERR_INPUT, "no residue A:ARG8");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waters_and_additives_go),    cmocka_unit_test(words_decide),
      cmocka_unit_test(unknown_residues_are_named), cmocka_unit_test(templates_make_them_known),
      cmocka_unit_test(templates_are_protonated_as_ligands_are),
      cmocka_unit_test(ligands_are_taken_out),      cmocka_unit_test(ligands_hang_together),
      cmocka_unit_test(places_and_insertion_codes), cmocka_unit_test(flexible_residues),
      cmocka_unit_test(lipids_and_clusters_stay),   cmocka_unit_test(cofactors_are_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
