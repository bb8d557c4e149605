/* test_superpose.c - receptors that are brought onto another one by the C-alpha atoms around a box. */
#include "base/vector.h"
#include "prep/receptor/superpose.h"
#include "unit/assert_near.h"
#include "unit/prep/receptor/receptor.h"

/* A rotation about z, then a shift. */
static void move(double x[3], double angle, const double shift[3]) {
  double c = cos(angle), s = sin(angle), moved[3] = {c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]};
  for (int k = 0; k < 3; k++) x[k] = moved[k] + shift[k];
}

/* Adds the peptide's atoms as a chain; opt_mutated: name of residue 5. */
static void add_chain(bt_text *text, char chain, double angle, const double shift[3], const char *opt_mutated) {
  char *data = peptide();
  bt_lines lines = bt_lines_of(data, strlen(data));
  for (bt_span line; bt_lines_next(&lines, &line);) {
    double x[3];
    int residue = 0;
    if (!bt_span_starts(line, "ATOM")) continue;
    for (size_t k = 0; k < 3; k++) assert_true(bt_parse_double(bt_span_columns(line, 30 + 8 * k, 38 + 8 * k), &x[k]));
    assert_true(bt_parse_int(bt_span_columns(line, 22, 26), &residue));
    move(x, angle, shift);
    bt_text_printf(text, "%.17s%.3s %c%.8s%8.3f%8.3f%8.3f%.*s\n", line.text,
                   opt_mutated != NULL && residue == 5 ? opt_mutated : line.text + 17, chain, line.text + 22, x[0],
                   x[1], x[2], (int)line.size - 54, line.text + 54);
  }
  bt_text_add_string(text, "TER\n");
  free(data);
}

static const char *written(bt_text *text, const char *name) {
  bt_text_add_string(text, "END\n");
  assert_false(text->failed);
  const char *path = file_of(name, text->data);
  bt_text_destroy(text);
  return path;
}

static const double nowhere[3] = {0, 0, 0}, away[3] = {30, -12, 7}, aside[3] = {0, 40, 0};

static bt_structure *structure_of(const char *path) {
  bt_structure *s;
  bt_error error;
  support_ok(bt_structure_read(path, 1, &s, &error), &error);
  return s;
}

/* Around all of the first chain. */
static void box_of(const bt_molecule *molecule, double center[3], double size[3]) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < molecule->n_atoms; i++)
    for (int k = 0; molecule->atoms[i].chain == 'A' && k < 3; k++) {
      low[k] = fmin(low[k], molecule->atoms[i].x[k]);
      high[k] = fmax(high[k], molecule->atoms[i].x[k]);
    }
  for (int k = 0; k < 3; k++) {
    center[k] = 0.5 * (low[k] + high[k]);
    size[k] = high[k] - low[k];
  }
}

static void a_moved_copy_comes_back(void **state) {
  (void)state;
  needs_gemmi();
  bt_text text = {0};
  add_chain(&text, 'Q', 1.1, away, "TRP"); /* another chain's name, and a mutation */
  bt_structure *moving = structure_of(written(&text, "moved.pdb"));
  bt_prepared_receptor *fixed = prepared(PEPTIDE, NULL);
  const bt_molecule *onto = bt_prepared_receptor_rigid(fixed);
  double center[3], size[3];
  box_of(onto, center, size);
  bt_superposition motion;
  bt_error error;
  support_ok(bt_superpose_structure(moving, onto, center, size, &motion, &error), &error);
  assert_int_equal(motion.count, 20);
  assert_true(motion.rmsd < 0.01);
  double x[3] = {1, 2, 3};
  move(x, 1.1, away);
  bt_superposition_move(&motion, x);
  for (int k = 0; k < 3; k++) assert_near(x[k], k + 1, 0.02);
  bt_structure_destroy(moving);
  bt_prepared_receptor_destroy(fixed);
}

/* Of two equal chains at the box, the names are the other way round in the second file. */
static void equal_chains_are_paired_by_place(void **state) {
  (void)state;
  needs_gemmi();
  bt_text text = {0};
  add_chain(&text, 'A', 0.0, nowhere, NULL);
  add_chain(&text, 'B', 2.0, aside, NULL);
  bt_prepared_receptor *fixed = prepared(written(&text, "pair.pdb"), NULL);
  add_chain(&text, 'A', 2.0, aside, NULL);
  add_chain(&text, 'B', 0.0, nowhere, NULL);
  bt_structure *moving = structure_of(written(&text, "swapped.pdb"));
  for (int i = 0; i < moving->n_atoms; i++) move(moving->atoms[i].x, -0.7, away);
  const bt_molecule *onto = bt_prepared_receptor_rigid(fixed);
  double center[3], size[3];
  box_of(onto, center, size);
  for (int k = 0; k < 3; k++) size[k] += 200; /* both */
  bt_superposition motion;
  bt_error error;
  support_ok(bt_superpose_structure(moving, onto, center, size, &motion, &error), &error);
  assert_int_equal(motion.count, 40);
  assert_true(motion.rmsd < 0.02);
  bt_structure_destroy(moving);
  bt_prepared_receptor_destroy(fixed);
}

static void prepared_receptors_are_superposed(void **state) {
  (void)state;
  needs_gemmi();
  bt_prepared_receptor *fixed = prepared(PEPTIDE, NULL);
  const bt_molecule *onto = bt_prepared_receptor_rigid(fixed);
  bt_receptor_options options = bt_receptor_options_default();
  box_of(onto, options.box_center, options.box_size);
  options.opt_onto = onto;
  bt_text text = {0};
  add_chain(&text, 'A', 2.5, away, NULL);
  bt_prepared_receptor *p = prepared(written(&text, "moved.pdb"), &options);
  const bt_molecule *rigid = bt_prepared_receptor_rigid(p);
  assert_int_equal(rigid->n_atoms, onto->n_atoms);
  for (int i = 0; i < rigid->n_atoms; i++)
    if (strcmp(rigid->atoms[i].type, "HD") != 0)
      assert_true(bt_v3_distance(rigid->atoms[i].x, onto->atoms[i].x) < 0.02);
  bool noted = false;
  for (int i = 0; i < bt_prepared_receptor_note_count(p); i++)
    noted = noted || strstr(bt_prepared_receptor_note(p, i), "by 20 C-alpha atoms around the box, RMSD 0.00") != NULL;
  assert_true(noted);
  bt_superposition motion;
  bt_error error;
  support_ok(bt_superpose_molecule(rigid, onto, options.box_center, options.box_size, &motion, &error), &error);
  assert_true(motion.rmsd < 0.02);
  bt_prepared_receptor_destroy(p);
  bt_prepared_receptor_destroy(fixed);
}

static void another_protein_is_refused(void **state) {
  (void)state;
  needs_gemmi();
  bt_prepared_receptor *fixed = prepared(PEPTIDE, NULL);
  bt_structure *moving = structure_of(PEPTIDE);
  for (int r = 0; r < moving->n_residues; r++) memcpy(moving->residues[r].name, "ALA", 4);
  const bt_molecule *onto = bt_prepared_receptor_rigid(fixed);
  double center[3], size[3];
  box_of(onto, center, size);
  bt_superposition motion;
  bt_error error;
  assert_int_equal(bt_superpose_structure(moving, onto, center, size, &motion, &error), BT_ERR_INPUT);
  assert_non_null(strstr(error.remedy, "leave them where they are"));
  bt_structure_destroy(moving);
  bt_prepared_receptor_destroy(fixed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_moved_copy_comes_back), cmocka_unit_test(equal_chains_are_paired_by_place),
      cmocka_unit_test(prepared_receptors_are_superposed), cmocka_unit_test(another_protein_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
