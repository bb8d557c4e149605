/* test_rebuild.c - side chains that are removed and rebuilt, compared with the crystal's. */
#include "prep/receptor/rebuild/side_chains.h"
#include "unit/prep/receptor/receptor.h"

#define PWC BERTH_SOURCE_DIR "/examples/covalent/1pwc.pdb"

/* Lines of 1PWC without the ligand; of every fifth residue only the main chain, and the beta carbon of some. */
static char *cut(const char *only) {
  char *data = NULL;
  size_t size;
  bt_error error = {0};
  bt_text text = {0};
  support_ok(bt_file_read(PWC, &data, &size, &error), &error);
  bt_lines lines = bt_lines_of(data, size);
  for (bt_span line; bt_lines_next(&lines, &line);) {
    if (!bt_span_starts(line, "ATOM")) continue;
    char name[8];
    int number;
    bt_span_copy(bt_span_trim(bt_span_columns(line, 12, 16)), name, sizeof name);
    assert_true(bt_parse_int(bt_span_columns(line, 22, 26), &number));
    bool stump = number % 5 == 0 && (only == NULL || bt_span_equals(bt_span_columns(line, 17, 20), only));
    static const char *const main_chain[] = {"N", "CA", "C", "O", "OXT"};
    bool kept = !stump || (number % 2 == 0 && strcmp(name, "CB") == 0);
    for (int k = 0; k < 5; k++) kept = kept || strcmp(name, main_chain[k]) == 0;
    if (kept) bt_text_printf(&text, "%.*s\n", (int)line.size, line.text);
  }
  free(data);
  char *taken = NULL;
  support_ok(bt_text_take(&text, &taken, &error), &error);
  return taken;
}

static double between(const bt_atom *a, const bt_atom *b, const bt_atom *c) { /* degrees at b */
  double u[3], v[3];
  for (int k = 0; k < 3; k++) u[k] = a->x[k] - b->x[k], v[k] = c->x[k] - b->x[k];
  double dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  return acos(dot / (apart(a, b) * apart(b, c))) * 57.29577951308232;
}

static bool near_in_turn(double a, double b, double within) { return fabs(remainder(a - b, 360)) <= within; }

static double torsion(const bt_molecule *m, int number, const char *const names[4]) {
  double x[4][3], u[3], v[3], w[3], p[3], q[3];
  for (int k = 0; k < 4; k++) memcpy(x[k], atom_named(m, number, names[k])->x, sizeof x[k]);
  for (int k = 0; k < 3; k++) u[k] = x[1][k] - x[0][k], v[k] = x[2][k] - x[1][k], w[k] = x[3][k] - x[2][k];
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    p[k] = u[i] * v[j] - u[j] * v[i];
    q[k] = v[i] * w[j] - v[j] * w[i];
  }
  double sine = 0, cosine = 0, length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    sine += (p[i] * q[j] - p[j] * q[i]) * v[k] / length;
    cosine += p[k] * q[k];
  }
  return atan2(sine, cosine) * 57.29577951308232;
}

/* Every atom is there, on the right side, with usual lengths and angles; most side chains point the right way. */
static void test_against_the_crystal(void **state) {
  (void)state;
  needs_gemmi();
  char *text = cut(NULL);
  bt_receptor_options options = bt_receptor_options_default();
  const char *pnm[] = {"PNM"};
  options.remove = pnm;
  options.n_remove = 1;
  bt_prepared_receptor *whole = prepared(PWC, &options), *built = prepared(file_of("cut.pdb", text), NULL);
  const bt_molecule *a = bt_prepared_receptor_rigid(whole), *b = bt_prepared_receptor_rigid(built);
  int angles = 0, right = 0;
  for (int i = 0; i < a->n_atoms; i++) {
    const bt_atom *atom = &a->atoms[i];
    if (atom->resnum % 5 != 0 || strncmp(atom->type, "H", 1) == 0) continue;
    const bt_atom *twin = atom_named(b, atom->resnum, atom->name);
    if (twin == NULL) fail_msg("%s%d has no %s", atom->resname, atom->resnum, atom->name);
    if (strcmp(atom->resname, "HIS") != 0) assert_string_equal(twin->type, atom->type); /* its tautomer follows */
    if (strcmp(atom->name, "CB") == 0) assert_true(apart(atom, twin) < 0.3);
    static const char *const firsts[] = {"CG", "CG1", "OG", "OG1", "SG"};
    for (int k = 0; k < 5; k++) {
      if (strcmp(atom->name, firsts[k]) != 0 || strcmp(atom->resname, "PRO") == 0) continue;
      const char *const chi[] = {"N", "CA", "CB", firsts[k]};
      right += near_in_turn(torsion(a, atom->resnum, chi), torsion(b, atom->resnum, chi), 40);
      angles++;
    }
    int count;
    const bt_chain_atom *rows = bt_chain_atoms(atom->resname, &count);
    for (int k = 0; rows != NULL && k < count; k++) {
      if (strcmp(rows[k].name, atom->name) != 0) continue;
      const bt_atom *first = atom_named(b, atom->resnum, rows[k].from[0]);
      const bt_atom *second = atom_named(b, atom->resnum, rows[k].from[1]);
      assert_true(fabs(apart(twin, first) - rows[k].length) < 0.02);
      assert_true(fabs(between(twin, first, second) - rows[k].angle) < 1.0);
    }
  }
  print_message("chi 1 within 40 degrees of the crystal's: %d of %d\n", right, angles);
  assert_true(angles > 40);
  assert_true(3 * right >= 2 * angles);
  bt_prepared_receptor_destroy(whole);
  bt_prepared_receptor_destroy(built);
  free(text);
}

/* The second centers of isoleucine and threonine have the side of the crystal. */
static void test_sides(void **state) {
  (void)state;
  needs_gemmi();
  char *text = cut(NULL);
  bt_prepared_receptor *built = prepared(file_of("cut.pdb", text), NULL);
  const bt_molecule *m = bt_prepared_receptor_rigid(built);
  int seen = 0;
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *atom = &m->atoms[i];
    bool isoleucine = strcmp(atom->resname, "ILE") == 0 && strcmp(atom->name, "CG2") == 0;
    bool threonine = strcmp(atom->resname, "THR") == 0 && strcmp(atom->name, "CG2") == 0;
    if ((!isoleucine && !threonine) || atom->resnum % 5 != 0) continue;
    const char *const one[] = {"N", "CA", "CB", isoleucine ? "CG1" : "OG1"}, *const two[] = {"N", "CA", "CB", "CG2"};
    assert_true(near_in_turn(torsion(m, atom->resnum, two) - torsion(m, atom->resnum, one), -121, 6));
    seen++;
  }
  assert_true(seen > 3);
  bt_prepared_receptor_destroy(built);
  free(text);
}

/* No rebuilt atom touches another residue, and coordinates are reproducible. */
static void test_room(void **state) {
  (void)state;
  needs_gemmi();
  char *text = cut(NULL);
  const char *path = file_of("cut.pdb", text);
  bt_prepared_receptor *built = prepared(path, NULL), *again = prepared(path, NULL);
  const bt_molecule *m = bt_prepared_receptor_rigid(built);
  assert_string_equal(bt_prepared_receptor_rigid_pdbqt(built), bt_prepared_receptor_rigid_pdbqt(again));
  bt_lines lines = bt_lines_of(bt_prepared_receptor_pdb(built), strlen(bt_prepared_receptor_pdb(built)));
  int zero = 0;
  for (bt_span line; bt_lines_next(&lines, &line);)
    zero += bt_span_starts(line, "ATOM") && bt_span_equals(bt_span_columns(line, 54, 60), "  0.00") &&
            !bt_span_equals(bt_span_trim(bt_span_columns(line, 76, 78)), "H");
  assert_true(zero > 100);
  for (int i = 0; i < m->n_atoms; i++)
    for (int j = 0; m->atoms[i].resnum % 5 == 0 && j < m->n_atoms; j++) {
      const bt_atom *a = &m->atoms[i], *b = &m->atoms[j];
      if (a->resnum == b->resnum || a->type[0] == 'H' || b->type[0] == 'H' || strlen(a->name) < 2) continue;
      if (strcmp(a->name, "CA") == 0 || strcmp(a->name, "OXT") == 0 || strcmp(a->name, "CD") == 0) continue;
      if (a->name[0] == 'S' && b->name[0] == 'S') continue; /* a disulfide */
      if (apart(a, b) < 2.0)
        fail_msg("%s%d %s, %s%d %s", a->resname, a->resnum, a->name, b->resname, b->resnum, b->name);
    }
  bt_prepared_receptor_destroy(built);
  bt_prepared_receptor_destroy(again);
  free(text);
}

static void test_said_and_switched_off(void **state) {
  (void)state;
  needs_gemmi();
  char *text = cut("LYS");
  const char *path = file_of("cut.pdb", text);
  bt_prepared_receptor *built = prepared(path, NULL);
  bool told = false;
  for (int i = 0; i < bt_prepared_receptor_note_count(built); i++)
    told = told || strstr(bt_prepared_receptor_note(built, i), "incomplete side chain") != NULL;
  assert_true(told);
  int number = 0;
  for (int i = 0; i < bt_prepared_receptor_rigid(built)->n_atoms && number == 0; i++) {
    const bt_atom *atom = &bt_prepared_receptor_rigid(built)->atoms[i];
    if (strcmp(atom->resname, "LYS") == 0 && atom->resnum % 10 == 5) number = atom->resnum;
  }
  assert_true(number > 0);
  char name[24];
  snprintf(name, sizeof name, "A:LYS%d", number);
  assert_true(reported(built, name, "rebuilt: CB CG CD CE NZ"));
  assert_int_equal(count_type(bt_prepared_receptor_rigid(built), number, "HD"), 4); /* of N and NZ */
  bt_prepared_receptor_destroy(built);

  bt_receptor_options options = bt_receptor_options_default();
  options.keep_incomplete = true;
  bt_prepared_receptor *stump = prepared(path, &options);
  assert_true(reported(stump, name, "atoms missing: CB CG CD CE NZ"));
  assert_null(atom_named(bt_prepared_receptor_rigid(stump), number, "NZ"));
  bt_prepared_receptor_destroy(stump);
  free(text);
}

/* Two atoms occupy the place of the side chain: it stays incomplete, with a message. */
static void test_no_room(void **state) {
  (void)state;
  needs_gemmi();
  char text[4000] = "";
  size_t used = 0;
  static const char *const stump =
      "ATOM      1  N   SER A   1       1.000   1.000   1.000  1.00  0.00           N\n"
      "ATOM      2  CA  SER A   1       2.458   1.000   1.000  1.00  0.00           C\n"
      "ATOM      3  C   SER A   1       3.009   2.420   1.000  1.00  0.00           C\n"
      "ATOM      4  O   SER A   1       2.251   3.390   1.000  1.00  0.00           O\n"
      "ATOM      5  OXT SER A   1       4.251   2.390   1.000  1.00  0.00           O\n";
  used = (size_t)snprintf(text, sizeof text, "%s", stump);
  for (int k = 0; k < 12; k++) /* a wall of ions on both sides */
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "HETATM%5d ZN    ZN B%4d    %8.3f%8.3f%8.3f  1.00  0.00          ZN\n", k + 6, k + 1,
                             3.0 + 1.3 * (k % 3 - 1), 0.2 + 1.3 * (k / 3 % 2), k < 6 ? -0.6 : 2.6);
  bt_prepared_receptor *p = prepared(file_of("wall.pdb", text), NULL);
  assert_true(reported(p, "A:SER1", "there is no room for them"));
  assert_null(atom_named(bt_prepared_receptor_rigid(p), 1, "OG"));
  bt_prepared_receptor_destroy(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_the_crystal), cmocka_unit_test(test_sides),
                                     cmocka_unit_test(test_room), cmocka_unit_test(test_said_and_switched_off),
                                     cmocka_unit_test(test_no_room)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
