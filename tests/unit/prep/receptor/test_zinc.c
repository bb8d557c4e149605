/* test_zinc.c - metals, AD4Zn's pseudo atoms, disulfides and other bonds between residues. */
#include "unit/prep/receptor/receptor.h"

/* Side chains that end at a zinc at the origin: an acetate in place of a residue would be unknown, so three waters
 * bind it, at 2 Angstrom along x, y and at (-1,-1,0). */
static const char waters[] =
    "HETATM    1 ZN    ZN A   1       0.000   0.000   0.000  1.00  0.00          ZN\n"
    "HETATM    2  O   HOH A   2       2.000   0.000   0.500  1.00  0.00           O\n"
    "HETATM    3  O   HOH A   3      -1.000   1.732   0.500  1.00  0.00           O\n"
    "HETATM    4  O   HOH A   4      -1.000  -1.732   0.500  1.00  0.00           O\n";

static bt_receptor_options zinc_options(void) {
  static const char *const keep[] = {"HOH"};
  bt_receptor_options options = bt_receptor_options_default();
  options.keep = keep;
  options.n_keep = 1;
  options.zinc = true;
  return options;
}

static void tetrahedral_zinc_gets_a_pseudo_atom(void **state) {
  (void)state;
  needs_gemmi();
  bt_receptor_options options = zinc_options();
  bt_prepared_receptor *p = prepared(file_of("zn.pdb", waters), &options);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  const bt_atom *tz = &m->atoms[m->n_atoms - 1];
  assert_string_equal(tz->type, "TZ");
  assert_string_equal(tz->name, "TZ");
  assert_true(tz->charge == 0.0 && atom_named(m, 1, "ZN")->charge == 0.0);
  assert_true(fabs(tz->x[0]) < 1e-3 && fabs(tz->x[1]) < 1e-3 && fabs(tz->x[2] + 2.0) < 1e-3);
  for (int i = 0; i < m->n_atoms; i++) /* hydrogens point away from the metal */
    if (strcmp(m->atoms[i].type, "HD") == 0) assert_true(apart(&m->atoms[i], &m->atoms[0]) > 2.2);
  assert_null(strstr(bt_prepared_receptor_pdb(p), "TZ"));
  bt_prepared_receptor_destroy(p);
  options.zinc = false;
  p = prepared(file_of("zn.pdb", waters), &options);
  m = bt_prepared_receptor_rigid(p);
  assert_true(count_type(m, -1, "TZ") == 0 && atom_named(m, 1, "ZN")->charge == 2.0);
  bt_prepared_receptor_destroy(p);
}

static void other_coordination_gets_none(void **state) {
  (void)state;
  needs_gemmi();
  char text[1200];
  snprintf(text, sizeof text, "%sHETATM    5  O   HOH A   5       0.000   0.000  -2.000  1.00  0.00           O\n",
           waters);
  bt_receptor_options options = zinc_options();
  bt_prepared_receptor *p = prepared(file_of("zn4.pdb", text), &options);
  assert_int_equal(count_type(bt_prepared_receptor_rigid(p), -1, "TZ"), 0);
  assert_true(reported(p, "A:ZN1", "4 groups coordinate it"));
  bt_prepared_receptor_destroy(p);
}

/* Both oxygens of a carboxylate are one group. */
static void carboxylate_counts_once(void **state) {
  (void)state;
  needs_gemmi();
  const char *text =
      "ATOM      1  N   ASP A   1       6.500   0.300   1.300  1.00  0.00           N\n"
      "ATOM      2  CA  ASP A   1       5.500  -0.400   0.500  1.00  0.00           C\n"
      "ATOM      3  C   ASP A   1       5.900  -1.850   0.300  1.00  0.00           C\n"
      "ATOM      4  O   ASP A   1       5.100  -2.700  -0.050  1.00  0.00           O\n"
      "ATOM      5  CB  ASP A   1       4.100  -0.400   1.100  1.00  0.00           C\n"
      "ATOM      6  CG  ASP A   1       2.900   0.000   0.500  1.00  0.00           C\n"
      "ATOM      7  OD1 ASP A   1       2.000   0.800   0.600  1.00  0.00           O\n"
      "ATOM      8  OD2 ASP A   1       2.200  -1.000   0.400  1.00  0.00           O\n"
      "HETATM    9 ZN    ZN A   2       0.000   0.000   0.000  1.00  0.00          ZN\n"
      "HETATM   10  O   HOH A   3      -1.000   1.732   0.500  1.00  0.00           O\n"
      "HETATM   11  O   HOH A   4      -1.000  -1.732   0.500  1.00  0.00           O\n";
  bt_receptor_options options = zinc_options();
  bt_prepared_receptor *p = prepared(file_of("asp.pdb", text), &options);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  assert_int_equal(count_type(m, -1, "TZ"), 1);
  assert_true(m->atoms[m->n_atoms - 1].x[2] < -1.8); /* on the far side */
  bt_prepared_receptor_destroy(p);
}

static const char *cysteines(double distance) {
  static char text[2000];
  int used = 0;
  for (int r = 0; r < 2; r++) {
    double shift = r == 0 ? 0.0 : distance, sign = r == 0 ? 1.0 : -1.0;
    static const char *const names[] = {"N", "CA", "C", "O", "CB", "SG"};
    static const double x[6][3] = {{-4.2, 0.4, 0.8},  {-3.2, -0.6, 0.4}, {-3.5, -1.9, 1.1},
                                   {-3.0, -2.9, 0.7}, {-1.8, -0.1, 0.8}, {0, 0, 0}};
    for (int a = 0; a < 6; a++)
      used += snprintf(text + used, sizeof text - (size_t)used,
                       "ATOM  %5d  %-3s CYS %c%4d    %8.3f%8.3f%8.3f  1.00  0.00           %c\n", 6 * r + a + 1,
                       names[a], 'A' + r, 10 + r, shift + sign * x[a][0], sign * x[a][1], x[a][2], names[a][0]);
  }
  return text;
}

static void near_sulfurs_are_a_disulfide(void **state) {
  (void)state;
  needs_gemmi();
  bt_prepared_receptor *p = prepared(file_of("ss.pdb", cysteines(2.05)), NULL);
  assert_true(reported(p, "A:CYS10", "CYX") && reported(p, "A:CYS10", "disulfide with B:CYS11"));
  assert_null(atom_named(bt_prepared_receptor_rigid(p), 10, "HG"));
  bt_prepared_receptor_destroy(p);
  p = prepared(file_of("sh.pdb", cysteines(3.6)), NULL);
  assert_true(!reported(p, "A:CYS10", "CYX"));
  assert_non_null(atom_named(bt_prepared_receptor_rigid(p), 10, "HG"));
  bt_prepared_receptor_destroy(p);
  static const char *const flexible[] = {"A:CYS10"};
  bt_receptor_options options = bt_receptor_options_default();
  options.flexible = flexible;
  options.n_flexible = 1;
  refused(file_of("ss.pdb", cysteines(2.05)), &options, BT_ERR_INPUT, "it is in a disulfide");
}

static void cysteine_at_a_metal_is_a_thiolate(void **state) {
  (void)state;
  needs_gemmi();
  char text[2400];
  snprintf(text, sizeof text, "%sHETATM   20 ZN    ZN A  20       0.500   2.200   0.000  1.00  0.00          ZN\n",
           cysteines(3.9));
  bt_prepared_receptor *p = prepared(file_of("cyz.pdb", text), NULL);
  assert_true(reported(p, "A:CYS10", "CYM") && reported(p, "A:CYS10", "a metal is near"));
  assert_true(!reported(p, "B:CYS11", "CYM"));
  bt_prepared_receptor_destroy(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tetrahedral_zinc_gets_a_pseudo_atom),
      cmocka_unit_test(other_coordination_gets_none),
      cmocka_unit_test(carboxylate_counts_once),
      cmocka_unit_test(near_sulfurs_are_a_disulfide),
      cmocka_unit_test(cysteine_at_a_metal_is_a_thiolate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
