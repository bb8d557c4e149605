/* test_side_chains.c - side chains of every kind, removed from a crystal structure and rebuilt: geometry, chirality,
 * space; D-amino acids; atoms behind a gap; hydrogens of a stump. */
#include "prep/receptor/rebuild/side_chains.h"
#include "base/vector.h"
#include "unit/prep/receptor/receptor.h"
#include "unit/assert_near.h"

#define PWC BERTH_SOURCE_DIR "/examples/covalent/1pwc.pdb"

/* An edit of a line: false leaves it out. */
typedef bool edit(bt_span line, const char *residue, const char *atom, const void *context, bt_text *text);

static void add_line(bt_text *text, bt_span line) { bt_text_printf(text, "%.*s\n", (int)line.size, line.text); }

/* The protein of a text, edited, in a file; path as of file_of(). */
static const char *edited(const char *source, edit *one, const void *context) {
  bt_text text = {0};
  bt_lines lines = bt_lines_of(source, strlen(source));
  for (bt_span line; bt_lines_next(&lines, &line);) {
    char residue[8], atom[8];
    if (!bt_span_starts(line, "ATOM")) continue;
    bt_span_copy(bt_span_columns(line, 17, 20), residue, sizeof residue);
    bt_span_copy(bt_span_trim(bt_span_columns(line, 12, 16)), atom, sizeof atom);
    if (one(line, residue, atom, context, &text)) add_line(&text, line);
  }
  bt_error error = {0};
  char *taken = NULL;
  support_ok(bt_text_take(&text, &taken, &error), &error);
  const char *path = file_of("edited.pdb", taken);
  free(taken);
  return path;
}

static char *crystal(void) {
  char *data = NULL;
  size_t size;
  bt_error error = {0};
  support_ok(bt_file_read(PWC, &data, &size, &error), &error);
  return data;
}

static bool is_main_chain(const char *atom) {
  static const char *const names[] = {"N", "CA", "C", "O", "OXT"};
  for (int k = 0; k < 5; k++)
    if (strcmp(names[k], atom) == 0) return true;
  return false;
}

static bool everything(bt_span line, const char *residue, const char *atom, const void *context, bt_text *text) {
  (void)line, (void)residue, (void)atom, (void)context, (void)text;
  return true;
}

/* Only the main chain of residues of one name. */
static bool cut_kind(bt_span line, const char *residue, const char *atom, const void *kind, bt_text *text) {
  (void)line, (void)text;
  return strcmp(residue, kind) != 0 || is_main_chain(atom);
}

static bool is_heavy(const bt_atom *atom) { return atom->type[0] != 'H'; }

/* Volume spanned by three bonds of an atom, NAN without them; its sign is the hand. */
static double hand(const bt_molecule *m, int number, const char *const names[4]) {
  double v[3][3], across[3];
  const bt_atom *center = atom_named(m, number, names[0]);
  for (int k = 0; k < 3; k++) {
    const bt_atom *other = atom_named(m, number, names[k + 1]);
    if (center == NULL || other == NULL) return NAN;
    bt_v3_subtract(v[k], other->x, center->x);
  }
  bt_v3_cross(across, v[0], v[1]);
  return bt_v3_dot(across, v[2]);
}

static const char *const alpha[] = {"CA", "N", "C", "CB"};

static void check_hands(const bt_molecule *a, const bt_molecule *b, int number) {
  static const char *const centers[][4] = {
      {"CA", "N", "C", "CB"}, {"CB", "CA", "CG1", "CG2"}, {"CB", "CA", "OG1", "CG2"}, {"CG", "CB", "CD1", "CD2"}};
  for (int k = 0; k < 4; k++) {
    double one = hand(a, number, centers[k]), other = hand(b, number, centers[k]);
    if (fabs(one) < 1.0 || isnan(one)) continue; /* a planar atom has no hand */
    if (one * other <= 0.0) fail_msg("%d: %s has the wrong hand", number, centers[k][0]);
  }
}

/* Bonds and distances across one atom are those of the crystal. */
static void check_shape(const bt_molecule *a, const bt_molecule *b, int number, const char *kind) {
  for (int i = 0; i < a->n_atoms; i++)
    for (int j = 0; j < i; j++) {
      const bt_atom *p = &a->atoms[i], *q = &a->atoms[j];
      if (p->resnum != number || q->resnum != number || !is_heavy(p) || !is_heavy(q) || apart(p, q) > 1.9) continue;
      double off = apart(p, q) - apart(atom_named(b, number, p->name), atom_named(b, number, q->name));
      if (fabs(off) > 0.2) fail_msg("%s%d: %s-%s is off by %.2f", kind, number, p->name, q->name, off);
    }
}

static void check_room(const bt_molecule *b, const char *kind) {
  for (int i = 0; i < b->n_atoms; i++) {
    const bt_atom *p = &b->atoms[i];
    if (strcmp(p->resname, kind) != 0 || !is_heavy(p) || is_main_chain(p->name)) continue;
    for (int j = 0; j < b->n_atoms; j++) {
      const bt_atom *q = &b->atoms[j];
      bool bonded = p->type[0] == 'S' && q->type[0] == 'S'; /* a disulfide */
      bonded = bonded || (strcmp(kind, "PRO") == 0 && strcmp(q->name, "C") == 0);
      if (q->resnum != p->resnum && is_heavy(q) && !bonded && apart(p, q) < 2.2)
        fail_msg("%s%d %s is %.2f from %s%d %s", kind, p->resnum, p->name, apart(p, q), q->resname, q->resnum, q->name);
    }
  }
}

/* Does the first torsion point where that of the crystal does, within 40 degrees? -1: there is none. By the distance of
 * the atom behind the beta carbon: 40 degrees about CA-CB move it by 0.97 Angstrom. */
static int same_rotamer(const bt_molecule *a, const bt_molecule *b, int number) {
  static const char *const firsts[] = {"CG", "CG1", "OG", "OG1", "SG"};
  for (int k = 0; k < 5; k++) {
    const bt_atom *one = atom_named(a, number, firsts[k]), *other = atom_named(b, number, firsts[k]);
    if (one != NULL && other != NULL) return apart(one, other) < 0.97;
  }
  return -1;
}

static void test_every_kind(void **state) {
  (void)state;
  needs_gemmi();
  static const char *const kinds[] = {"ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "HIS", "ILE", "LEU",
                                      "LYS", "MET", "PHE", "PRO", "SER", "THR", "TRP", "TYR", "VAL"};
  char *text = crystal();
  bt_prepared_receptor *whole = prepared(edited(text, everything, NULL), NULL);
  const bt_molecule *a = bt_prepared_receptor_rigid(whole);
  int angles = 0, right = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    bt_prepared_receptor *built = prepared(edited(text, cut_kind, kinds[k]), NULL);
    const bt_molecule *b = bt_prepared_receptor_rigid(built);
    for (int i = 0; i < a->n_atoms; i++) {
      const bt_atom *atom = &a->atoms[i];
      if (strcmp(atom->resname, kinds[k]) != 0 || !is_heavy(atom)) continue;
      if (atom_named(b, atom->resnum, atom->name) == NULL)
        fail_msg("%s%d has no %s", kinds[k], atom->resnum, atom->name);
    }
    for (int i = 0; i < a->n_atoms; i++) {
      if (strcmp(a->atoms[i].resname, kinds[k]) != 0 || strcmp(a->atoms[i].name, "CA") != 0) continue;
      check_hands(a, b, a->atoms[i].resnum);
      check_shape(a, b, a->atoms[i].resnum, kinds[k]);
      int same = same_rotamer(a, b, a->atoms[i].resnum);
      angles += same >= 0;
      right += same > 0;
    }
    check_room(b, kinds[k]);
    bt_prepared_receptor_destroy(built);
  }
  print_message("first torsion as in the crystal: %d of %d\n", right, angles);
  assert_true(angles > 250);
  assert_true(4 * right >= 3 * angles);
  bt_prepared_receptor_destroy(whole);
  free(text);
}

/* The crystal in a mirror, under the names of D-amino acids; of every fifth only the main chain. */
static bool mirror(bt_span line, const char *residue, const char *atom, const void *context, bt_text *text) {
  static const char *const names[][2] = {{"ALA", "DAL"}, {"ILE", "DIL"}, {"LEU", "DLE"}, {"SER", "DSN"}, {"THR", "DTH"},
                                         {"VAL", "DVA"}, {"LYS", "DLY"}, {"PRO", "DPR"}, {"GLY", "GLY"}};
  (void)context;
  int number;
  double x;
  assert_true(bt_parse_int(bt_span_columns(line, 22, 26), &number));
  assert_true(bt_parse_double(bt_span_trim(bt_span_columns(line, 30, 38)), &x));
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(names[k][0], residue) == 0 && (number % 5 != 0 || is_main_chain(atom)))
      bt_text_printf(text, "%.17s%s%.10s%8.3f%.*s\n", line.text, names[k][1], line.text + 20, -x, (int)line.size - 38,
                     line.text + 38);
  return false;
}

static void test_mirrored(void **state) {
  (void)state;
  needs_gemmi();
  char *text = crystal();
  bt_prepared_receptor *built = prepared(edited(text, mirror, NULL), NULL);
  const bt_molecule *m = bt_prepared_receptor_rigid(built);
  int given = 0, made = 0;
  static const char *const behind[][4] = {{"CB", "CA", "CG1", "CG2"}, {"CB", "CA", "OG1", "CG2"}};
  double sides[2][2] = {{0}};
  for (int i = 0; i < m->n_atoms; i++) {
    int number = m->atoms[i].resnum;
    if (strcmp(m->atoms[i].name, "CB") != 0) continue;
    if (hand(m, number, alpha) >= 0.0) fail_msg("%s%d is an L-amino acid", m->atoms[i].resname, number);
    *(number % 5 == 0 ? &made : &given) += 1;
    for (int k = 0; k < 2; k++) {
      if (strcmp(m->atoms[i].resname, k == 0 ? "DIL" : "DTH") != 0) continue;
      double volume = hand(m, number, behind[k]);
      if (volume * sides[k][1] < 0.0) fail_msg("%s%d has the other side", m->atoms[i].resname, number);
      sides[k][1] = volume;
    }
  }
  assert_true(given > 80);
  assert_true(made > 15);
  bt_prepared_receptor_destroy(built);
  free(text);
}

/* The atom of lysine and of methionine in the middle of the chain. */
static bool cut_middle(bt_span line, const char *residue, const char *atom, const void *context, bt_text *text) {
  (void)line, (void)context, (void)text;
  return !(strcmp(residue, "LYS") == 0 && strcmp(atom, "CG") == 0) &&
         !(strcmp(residue, "MET") == 0 && strcmp(atom, "SD") == 0);
}

/* Rebuilt atoms are bonded to those that the file has behind them. */
static void test_gap(void **state) {
  (void)state;
  needs_gemmi();
  char *text = crystal();
  bt_prepared_receptor *built = prepared(edited(text, cut_middle, NULL), NULL);
  const bt_molecule *m = bt_prepared_receptor_rigid(built);
  int seen = 0;
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *atom = &m->atoms[i];
    bool lysine = strcmp(atom->resname, "LYS") == 0 && strcmp(atom->name, "CD") == 0;
    bool methionine = strcmp(atom->resname, "MET") == 0 && strcmp(atom->name, "CE") == 0;
    if (!lysine && !methionine) continue;
    const bt_atom *new_atom = atom_named(m, atom->resnum, lysine ? "CG" : "SD");
    if (new_atom == NULL) continue;
    double off = apart(atom, new_atom) - (lysine ? 1.520 : 1.791);
    if (fabs(off) > 0.3) fail_msg("%s%d: the bond is off by %.2f", atom->resname, atom->resnum, off);
    seen++;
  }
  assert_true(seen > 12);
  bt_prepared_receptor_destroy(built);
  free(text);
}

/* Serines without their oxygen, with a hydrogen of the beta carbon in its direction, as other programs write them. */
static bool stump(bt_span line, const char *residue, const char *atom, const void *molecule, bt_text *text) {
  int number;
  assert_true(bt_parse_int(bt_span_columns(line, 22, 26), &number));
  if (strcmp(residue, "SER") != 0 || (strcmp(atom, "OG") != 0 && strcmp(atom, "HG") != 0)) return true;
  if (strcmp(atom, "HG") == 0) return false;
  const bt_atom *beta = atom_named(molecule, number, "CB"), *oxygen = atom_named(molecule, number, "OG");
  double x[3], direction[3];
  bt_v3_towards(direction, beta->x, oxygen->x);
  bt_v3_copy(x, beta->x);
  bt_v3_add(x, x, 1.09, direction);
  bt_text_printf(text, "%.12s HB3%.14s%8.3f%8.3f%8.3f  1.00  0.00           H\n", line.text, line.text + 16, x[0], x[1],
                 x[2]);
  return false;
}

static void test_hydrogens_of_a_stump(void **state) {
  (void)state;
  needs_gemmi();
  char *text = crystal();
  bt_prepared_receptor *whole = prepared(edited(text, everything, NULL), NULL);
  bt_prepared_receptor *built =
      prepared(edited(bt_prepared_receptor_pdb(whole), stump, bt_prepared_receptor_rigid(whole)), NULL);
  const bt_molecule *m = bt_prepared_receptor_rigid(built);
  int seen = 0;
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *oxygen = &m->atoms[i];
    if (strcmp(oxygen->resname, "SER") != 0 || strcmp(oxygen->name, "OG") != 0) continue;
    const bt_atom *hydrogen = atom_named(m, oxygen->resnum, "HG");
    assert_non_null(hydrogen);
    assert_near(apart(oxygen, hydrogen), 0.96, 0.005);
    seen++;
  }
  assert_true(seen > 20);
  bt_prepared_receptor_destroy(built);
  bt_prepared_receptor_destroy(whole);
  free(text);
}

/* Arginine's end, and alanine's beta carbon: only the chosen angles are reported. */
static bool cut_ends(bt_span line, const char *residue, const char *atom, const void *context, bt_text *text) {
  (void)line, (void)context, (void)text;
  static const char *const end[] = {"CZ", "NH1", "NH2"};
  for (int k = 0; k < 3; k++)
    if (strcmp(residue, "ARG") == 0 && strcmp(atom, end[k]) == 0) return false;
  return strcmp(residue, "ALA") != 0 || is_main_chain(atom);
}

static void test_angles_are_told(void **state) {
  (void)state;
  needs_gemmi();
  char *text = crystal();
  bt_prepared_receptor *built = prepared(edited(text, cut_ends, NULL), NULL);
  const bt_molecule *m = bt_prepared_receptor_rigid(built);
  int arginines = 0, alanines = 0;
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *atom = &m->atoms[i];
    bool arginine = strcmp(atom->resname, "ARG") == 0;
    if (strcmp(atom->name, "CB") != 0 || (!arginine && strcmp(atom->resname, "ALA") != 0)) continue;
    char name[32];
    snprintf(name, sizeof name, "A:%s%d", atom->resname, atom->resnum);
    if (!reported(built, name, "rebuilt:")) continue;
    assert_true(reported(built, name, arginine ? "rebuilt: CZ NH1 NH2 (chi 4 " : "rebuilt: CB"));
    assert_true(arginine || !reported(built, name, "chi"));
    *(arginine ? &arginines : &alanines) += 1;
  }
  assert_true(arginines > 5);
  assert_true(alanines > 10);
  assert_false(reported(built, "A:GLY3", "rebuilt"));
  bt_prepared_receptor_destroy(built);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_kind), cmocka_unit_test(test_mirrored),
                                     cmocka_unit_test(test_gap), cmocka_unit_test(test_hydrogens_of_a_stump),
                                     cmocka_unit_test(test_angles_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
