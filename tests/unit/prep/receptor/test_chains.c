/* test_chains.c - several chains of one name, models of assemblies, atoms that stand twice. */
#include "unit/prep/receptor/receptor.h"

/* Adds the atoms of the peptide, moved by x and with this chain and these lines' order; number is added to the
 * residues' numbers. */
static void add_copy(bt_text *text, double x, char chain, int number) {
  char *data;
  size_t size;
  bt_error error = {0};
  support_ok(bt_file_read(PEPTIDE, &data, &size, &error), &error);
  bt_lines lines = bt_lines_of(data, size);
  for (bt_span line; bt_lines_next(&lines, &line);) {
    double at;
    int residue = 0;
    if (!bt_span_starts(line, "ATOM")) continue;
    assert_true(bt_parse_double(bt_span_columns(line, 30, 38), &at) &&
                bt_parse_int(bt_span_columns(line, 22, 26), &residue));
    bt_text_printf(text, "%.21s%c%4d    %8.3f%.*s\n", line.text, chain, residue + number, at + x, (int)line.size - 38,
                   line.text + 38);
  }
  free(data);
}

static const char *finished(bt_text *text, const char *name) {
  bt_text_add_string(text, "END\n");
  assert_false(text->failed);
  const char *path = file_of(name, text->data);
  bt_text_destroy(text);
  return path;
}

static bool noted(const bt_prepared_receptor *p, const char *words) {
  for (int i = 0; i < bt_prepared_receptor_note_count(p); i++)
    if (strstr(bt_prepared_receptor_note(p, i), words) != NULL) return true;
  return false;
}

static int atoms_of(bt_prepared_receptor *p) {
  int count = bt_prepared_receptor_rigid(p)->n_atoms;
  bt_prepared_receptor_destroy(p);
  return count;
}

/* Behind a TER or without one, with a name or none, no residue is lost. */
static void second_chain_of_a_name_stays(void **state) {
  (void)state;
  needs_gemmi();
  const int one = atoms_of(prepared(PEPTIDE, NULL));
  for (int k = 0; k < 4; k++) {
    bt_text text = {0};
    char chain = k < 2 ? 'A' : ' ';
    add_copy(&text, 0.0, chain, 0);
    if (k % 2 == 0) bt_text_add_string(&text, "TER\n");
    add_copy(&text, 60.0, chain, 0);
    bt_prepared_receptor *p = prepared(finished(&text, "twice.pdb"), NULL);
    assert_true(noted(p, k < 2 ? "chain A is in the file again (ALA1 to TYR20; its numbers begin again): it is called B"
                               : "the chain without a name is in the file again"));
    assert_true(reported(p, k < 2 ? "B:ALA1" : "A:ALA1", "") && reported(p, k < 2 ? "A:TYR20" : ":TYR20", ""));
    assert_int_equal(atoms_of(p), 2 * one);
  }
}

/* A chain whose numbers are free keeps its name; both its ends are charged as those of the first. */
static void name_stays_where_numbers_are_free(void **state) {
  (void)state;
  needs_gemmi();
  const int one = atoms_of(prepared(PEPTIDE, NULL));
  bt_text text = {0};
  add_copy(&text, 0.0, 'A', 0);
  bt_text_add_string(&text, "TER\n");
  add_copy(&text, 60.0, 'A', 100);
  bt_prepared_receptor *p = prepared(finished(&text, "ter.pdb"), NULL);
  assert_true(noted(p, "a new chain begins within chain A at ALA101 (TER)"));
  assert_true(fabs(charge_of(bt_prepared_receptor_rigid(p), 101) - charge_of(bt_prepared_receptor_rigid(p), 1)) < 1e-6);
  assert_int_equal(atoms_of(p), 2 * one);
}

/* Waters, ions and hydrogens at the end of a file begin nothing. */
static void what_follows_a_chain_belongs_to_it(void **state) {
  (void)state;
  needs_gemmi();
  bt_text text = {0};
  add_copy(&text, 0.0, 'A', 0);
  bt_text_add_string(&text,
                     "TER\n"
                     "HETATM  903 MG    MG A   1      30.000   9.000   0.000  1.00  0.00          MG\n"
                     "HETATM  904  O   HOH A   2      30.000  19.000   0.000  1.00  0.00           O\n"
                     "HETATM  905  O   HOH A   2      30.000  29.000   0.000  1.00  0.00           O\n"
                     "ATOM    906  O   WAT     2      30.000  39.000   0.000  1.00  0.00           O\n");
  bt_prepared_receptor *p = prepared(finished(&text, "hetero.pdb"), NULL);
  assert_false(noted(p, "chain"));
  assert_true(reported(p, "A:MG1", ""));
  bt_prepared_receptor_destroy(p);
}

/* Numbers of residues that wrap: ions of one number are all there. */
static void wrapped_numbers_lose_nothing(void **state) {
  (void)state;
  needs_gemmi();
  bt_text text = {0};
  add_copy(&text, 0.0, ' ', 0);
  for (int k = 0; k < 3; k++)
    bt_text_printf(&text,
                   "ATOM    903 NA    NA     1      30.000   9.000  %6.3f  1.00  0.00          NA\n"
                   "ATOM    904 NA    NA     2      30.000  19.000  %6.3f  1.00  0.00          NA\n",
                   5.0 * k, 5.0 * k);
  bt_prepared_receptor *p = prepared(finished(&text, "wrapped.pdb"), NULL);
  int ions = 0;
  for (int i = 0; i < bt_prepared_receptor_rigid(p)->n_atoms; i++)
    ions += strcmp(bt_prepared_receptor_rigid(p)->atoms[i].resname, "NA") == 0;
  assert_int_equal(ions, 6);
  bt_prepared_receptor_destroy(p);
}

/* Numbers above 9999 in letters: A00K is 10020. */
static void numbers_in_letters_are_numbers(void **state) {
  (void)state;
  needs_gemmi();
  const int one = atoms_of(prepared(PEPTIDE, NULL));
  bt_text text = {0};
  add_copy(&text, 0.0, ' ', 9979);
  bt_text_add_string(&text, "TER\n");
  size_t second = text.size;
  add_copy(&text, 60.0, ' ', 1000);
  for (size_t i = second; i + 26 < text.size; i++)
    if (text.data[i] == '\n' || i == second) {
      char *line = text.data + i + (i > second ? 1 : 0);
      int number = (line[24] - '0') * 10 + line[25] - '0';
      line[22] = 'A', line[23] = '0', line[24] = '0';
      line[25] = number < 10 ? (char)('0' + number) : (char)('A' + number - 10);
    }
  bt_prepared_receptor *p = prepared(finished(&text, "letters.pdb"), NULL);
  assert_true(noted(p, "a new chain begins within the chain without a name at ALA10001 (TER)"));
  assert_true(fabs(charge_of(bt_prepared_receptor_rigid(p), 9980) - 1.0) < 0.01);
  assert_int_equal(atoms_of(p), 2 * one);
}

static const char *models(double apart) {
  bt_text text = {0};
  bt_text_add_string(&text, "MODEL        1\n");
  add_copy(&text, 0.0, 'A', 0);
  bt_text_add_string(&text, "ENDMDL\nMODEL        2\n");
  add_copy(&text, apart, 'A', 0);
  bt_text_add_string(&text, "ENDMDL\n");
  return finished(&text, "models.pdb1");
}

static void models_of_an_assembly_are_joined(void **state) {
  (void)state;
  needs_gemmi();
  const int one = atoms_of(prepared(PEPTIDE, NULL));
  bt_receptor_options all = bt_receptor_options_default();
  all.model = 0;
  bt_prepared_receptor *p = prepared(models(60.0), NULL);
  assert_true(noted(p, "model 1 of 2 is used") && noted(p, "an assembly") && noted(p, "--model all"));
  assert_int_equal(atoms_of(p), one);
  p = prepared(models(60.0), &all);
  assert_true(noted(p, "all 2 models are joined") && noted(p, "it is called B"));
  assert_int_equal(atoms_of(p), 2 * one);
  p = prepared(models(0.3), NULL);
  assert_false(noted(p, "do not overlap"));
  bt_prepared_receptor_destroy(p);
  refused(models(0.3), &all, BT_ERR_INPUT, "the models overlap: they are an ensemble");
  p = prepared(PEPTIDE, &all);
  assert_int_equal(atoms_of(p), one);
}

/* All of it twice at the same place is there once, with a note; a part of it is refused. */
static void atoms_stand_once(void **state) {
  (void)state;
  needs_gemmi();
  const int one = atoms_of(prepared(PEPTIDE, NULL));
  bt_text text = {0};
  add_copy(&text, 0.0, 'A', 0);
  add_copy(&text, 0.1, 'A', 0);
  bt_prepared_receptor *p = prepared(finished(&text, "twice.pdb"), NULL);
  assert_true(noted(p, "left out: another residue stands in its place"));
  assert_int_equal(atoms_of(p), one);
  add_copy(&text, 0.0, 'A', 0);
  bt_text_add_string(&text, "HETATM  904  C1  EDO A 104      -9.434   1.235   2.389  1.00  0.00           C\n");
  bt_receptor_options keep = bt_receptor_options_default();
  const char *words[] = {"EDO"};
  keep.keep = words, keep.n_keep = 1;
  p = prepared(finished(&text, "on.pdb"), &keep);
  bt_prepared_receptor_destroy(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(second_chain_of_a_name_stays),       cmocka_unit_test(name_stays_where_numbers_are_free),
      cmocka_unit_test(what_follows_a_chain_belongs_to_it), cmocka_unit_test(wrapped_numbers_lose_nothing),
      cmocka_unit_test(models_of_an_assembly_are_joined),   cmocka_unit_test(atoms_stand_once),
      cmocka_unit_test(numbers_in_letters_are_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
