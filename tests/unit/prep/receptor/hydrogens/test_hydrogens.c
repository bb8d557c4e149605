/* test_hydrogens.c - positions of polar hydrogens, and the network of hydrogen bonds. */
#include "prep/network.h"
#include "unit/prep/receptor/receptor.h"

static double angle(const bt_atom *a, const bt_atom *b, const bt_atom *c) {
  double dot = 0.0;
  for (int k = 0; k < 3; k++) dot += (a->x[k] - b->x[k]) * (c->x[k] - b->x[k]);
  return acos(dot / apart(a, b) / apart(b, c)) * 180.0 / 3.14159265358979;
}

static void geometry(void **state) {
  (void)state;
  needs_gemmi();
  bt_receptor_options options = bt_receptor_options_default();
  options.ignore_hydrogens = true;
  bt_prepared_receptor *p = prepared(PEPTIDE, &options);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  const bt_atom *n = atom_named(m, 6, "N"), *h = atom_named(m, 6, "H");
  assert_true(fabs(apart(n, h) - 1.01) < 0.002);
  assert_true(fabs(angle(h, n, atom_named(m, 6, "CA")) - angle(h, n, atom_named(m, 5, "C"))) < 0.5); /* bisector */
  assert_true(apart(h, atom_named(m, 5, "O")) > 2.8); /* trans to the carbonyl */
  assert_true(fabs(apart(atom_named(m, 16, "OG"), atom_named(m, 16, "HG")) - 0.96) < 0.002);
  assert_true(fabs(angle(atom_named(m, 16, "CB"), atom_named(m, 16, "OG"), atom_named(m, 16, "HG")) - 109.5) < 0.2);
  assert_true(fabs(apart(atom_named(m, 2, "SG"), atom_named(m, 2, "HG")) - 1.34) < 0.002);
  const bt_atom *hz[3] = {atom_named(m, 9, "HZ1"), atom_named(m, 9, "HZ2"), atom_named(m, 9, "HZ3")};
  for (int k = 0; k < 3; k++) assert_true(fabs(angle(hz[k], atom_named(m, 9, "NZ"), hz[(k + 1) % 3]) - 109.5) < 1.0);
  /* amides and guanidinium are flat: hydrogens as far from the neighbor's atoms as 120 degrees make them */
  assert_true(fabs(angle(atom_named(m, 12, "HD21"), atom_named(m, 12, "ND2"), atom_named(m, 12, "HD22")) - 120.0) <
              0.2);
  assert_true(fabs(angle(atom_named(m, 15, "HH11"), atom_named(m, 15, "NH1"), atom_named(m, 15, "CZ")) - 120.0) < 0.2);
  for (int i = 0; i < m->n_atoms; i++)
    for (int j = 0; j < i; j++) assert_true(apart(&m->atoms[i], &m->atoms[j]) > 0.9);
  bt_prepared_receptor_destroy(p);
}

/* The same hydrogens, taken from the file, stay where they are. */
static void given_hydrogens_stay(void **state) {
  (void)state;
  needs_gemmi();
  bt_prepared_receptor *p = prepared(PEPTIDE, NULL);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  char *data;
  size_t size;
  bt_error error = {0};
  support_ok(bt_file_read(PEPTIDE, &data, &size, &error), &error);
  int found = 0, all = 0;
  for (int i = 0; i < m->n_atoms; i++) {
    if (strcmp(m->atoms[i].type, "HD") != 0) continue;
    char place[40];
    snprintf(place, sizeof place, "%8.3f%8.3f%8.3f", m->atoms[i].x[0], m->atoms[i].x[1], m->atoms[i].x[2]);
    all++;
    found += strstr(data, place) != NULL;
  }
  assert_int_equal(all, 40);
  assert_int_equal(found, 39); /* one of arginine is new */
  free(data);
  bt_prepared_receptor_destroy(p);
}

/* Two waters and a serine: each hydrogen bond is found. */
static void hydrogens_turn_to_acceptors(void **state) {
  (void)state;
  needs_gemmi();
  const char *text =
      "ATOM      1  N   SER A   1       1.450   0.000   0.000  1.00  0.00           N\n"
      "ATOM      2  CA  SER A   1       0.000   0.000   0.000  1.00  0.00           C\n"
      "ATOM      3  C   SER A   1      -0.510   1.430   0.000  1.00  0.00           C\n"
      "ATOM      4  O   SER A   1       0.260   2.390   0.000  1.00  0.00           O\n"
      "ATOM      5  CB  SER A   1      -0.520  -0.730  -1.240  1.00  0.00           C\n"
      "ATOM      6  OG  SER A   1      -0.070  -2.080  -1.230  1.00  0.00           O\n"
      "HETATM    7  O   HOH A   2      -1.700  -3.800   0.100  1.00  0.00           O\n"
      "HETATM    8  O   HOH A   3      -4.300  -3.900  -0.600  1.00  0.00           O\nEND\n";
  static const char *const keep[] = {"HOH"};
  bt_receptor_options options = bt_receptor_options_default();
  options.keep = keep;
  options.n_keep = 1;
  bt_prepared_receptor *p = prepared(file_of("ser.pdb", text), &options);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  const bt_atom *og = atom_named(m, 1, "OG"), *hg = atom_named(m, 1, "HG"), *one = atom_named(m, 2, "O");
  const bt_atom *two = atom_named(m, 3, "O");
  double bonds = 0;
  bonds += apart(hg, one) < 2.2;
  for (int h = 1; h <= 2; h++) {
    const char *name = h == 1 ? "H1" : "H2";
    bonds += apart(atom_named(m, 2, name), og) < 2.2;
    bonds += apart(atom_named(m, 2, name), two) < 2.2;
    bonds += apart(atom_named(m, 3, name), one) < 2.2;
  }
  assert_int_equal((int)bonds, 2); /* one between each two neighbors, not both ways */
  assert_int_equal(count_type(m, -1, "OA"), 4);
  bt_prepared_receptor_destroy(p);
}

static void network_finds_the_minimum(void **state) {
  (void)state;
  /* a chain of 30 groups of 3 states: alike neighbors are bad, state 2 costs a little, the first group must take 1 */
  enum { N = 30 };
  int counts[N], states[N];
  for (int i = 0; i < N; i++) counts[i] = 3;
  bt_network *network;
  bt_error error = {0};
  support_ok(bt_network_create(N, counts, &network, &error), &error);
  double alike[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < N; i++) bt_network_set(network, i, 2, 0.5);
  bt_network_set(network, 0, 0, INFINITY);
  for (int i = 0; i + 1 < N; i++) support_ok(bt_network_join(network, i, i + 1, alike, &error), &error);
  support_ok(bt_network_solve(network, states, &error), &error);
  assert_int_not_equal(states[0], 0);
  double total = 0.0;
  for (int i = 0; i < N; i++) {
    total += 0.5 * (states[i] == 2);
    total += i > 0 && states[i] == states[i - 1];
  }
  assert_true(total <= 1.0); /* the lowest is 0; descent may keep one defect */
  bt_network_destroy(network);
  /* five groups: all combinations are tried */
  support_ok(bt_network_create(5, counts, &network, &error), &error);
  double unlike[9] = {0, 5, 5, 5, -1, 5, 5, 5, 0};
  for (int i = 0; i < 5; i++) bt_network_set(network, i, 0, -0.5);
  for (int i = 0; i + 1 < 5; i++) support_ok(bt_network_join(network, i, i + 1, unlike, &error), &error);
  support_ok(bt_network_solve(network, states, &error), &error);
  for (int i = 0; i < 5; i++) assert_int_equal(states[i], 1); /* -4 against -2.5 */
  assert_true(fabs(bt_network_energy(network, states, 2, 0) - 9.5) < 1e-9);
  bt_network_destroy(network);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(geometry),
      cmocka_unit_test(given_hydrogens_stay),
      cmocka_unit_test(hydrogens_turn_to_acceptors),
      cmocka_unit_test(network_finds_the_minimum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
