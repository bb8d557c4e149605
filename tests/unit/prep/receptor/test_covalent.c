/* test_covalent.c - the residue that ligands are bonded to. */
#include "receptor.h"

#define PWC BERTH_SOURCE_DIR "/examples/covalent/1pwc.pdb"

static bt_receptor_options bonded_to(const char *residue) {
  bt_receptor_options options = bt_receptor_options_default();
  options.opt_covalent = residue;
  return options;
}

static bool noted(const bt_prepared_receptor *p, const char *words) {
  for (int i = 0; i < bt_prepared_receptor_note_count(p); i++)
    if (strstr(bt_prepared_receptor_note(p, i), words) != NULL) return true;
  return false;
}

/* The side chain leaves the rigid part and is described; what was bonded to it is left out. */
static void test_serine(void **state) {
  (void)state;
  needs_gemmi();
  bt_receptor_options options = bonded_to("A:SER62");
  bt_prepared_receptor *p = prepared(PWC, &options);
  const bt_molecule *rigid = bt_prepared_receptor_rigid(p);
  static const char *const gone[] = {"CA", "CB", "OG", "HG"}, *const left[] = {"N", "H", "C", "O"};
  for (size_t k = 0; k < 4; k++) assert_null(atom_named(rigid, 62, gone[k]));
  for (size_t k = 0; k < 4; k++) assert_non_null(atom_named(rigid, 62, left[k]));
  assert_null(atom_named(rigid, 400, "C7"));
  assert_true(noted(p, "A:PNM400 is left out: it is bonded to A:SER62"));
  assert_true(reported(p, "A:SER62", "covalent: its side chain is part of the ligands"));
  assert_null(bt_prepared_receptor_flexible(p));
  const bt_tether *t = bt_prepared_receptor_tether(p);
  assert_non_null(t);
  assert_string_equal(t->residue, "A:SER62");
  assert_string_equal(t->name, "SER");
  assert_int_equal(t->number, 62);
  assert_int_equal(t->n_atoms, 3);
  assert_string_equal(t->atoms[0].name, "OG");
  assert_string_equal(t->atoms[2].name, "CA");
  assert_true(fabs(t->atoms[2].x[0] - 14.175) < 1e-6);
  assert_non_null(strstr(bt_prepared_receptor_pdb(p), " OG  SER A  62"));
  bt_prepared_receptor_destroy(p);
}

/* Without the option the receptor is unchanged, and there is no tether. */
static void test_none(void **state) {
  (void)state;
  needs_gemmi();
  bt_prepared_receptor *p = prepared(PEPTIDE, NULL);
  assert_null(bt_prepared_receptor_tether(p));
  bt_prepared_receptor_destroy(p);
}

static void test_wrong(void **state) {
  (void)state;
  needs_gemmi();
  const char *pnm[] = {"PNM"}, *ser[] = {"A:SER62"};
  bt_receptor_options options = bonded_to("A:PHE120");
  options.remove = pnm;
  options.n_remove = 1;
  refused(PWC, &options, BT_ERR_INPUT, "nothing can be bonded to A:PHE120: no warhead reacts with its side chain");
  options.opt_covalent = "A:CYS291";
  refused(PWC, &options, BT_ERR_INPUT, "it is in a disulfide");
  options.opt_covalent = "A:SER999";
  refused(PWC, &options, BT_ERR_INPUT, "A:SER999");
  options.opt_covalent = "SER";
  refused(PWC, &options, BT_ERR_INPUT, "SER");
  options.opt_covalent = "A:SER62";
  options.flexible = ser;
  options.n_flexible = 1;
  refused(PWC, &options, BT_ERR_INPUT, "A:SER62 is flexible and has a ligand bonded to it");
}

static void test_incomplete(void **state) {
  (void)state;
  needs_gemmi();
  static const char *const text =
      "ATOM      1  N   SER A   1       1.000   1.000   1.000  1.00  0.00           N\n"
      "ATOM      2  CA  SER A   1       2.458   1.000   1.000  1.00  0.00           C\n"
      "ATOM      3  C   SER A   1       3.009   2.420   1.000  1.00  0.00           C\n"
      "ATOM      4  O   SER A   1       2.251   3.390   1.000  1.00  0.00           O\n"
      "ATOM      5  CB  SER A   1       2.988   0.226  -0.204  1.00  0.00           C\n"
      "END\n";
  bt_receptor_options options = bonded_to("A:SER1");
  options.keep_incomplete = true;
  refused(file_of("short.pdb", text), &options, BT_ERR_INPUT, "it has no atom OG");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_serine), cmocka_unit_test(test_none),
                                     cmocka_unit_test(test_wrong), cmocka_unit_test(test_incomplete)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
