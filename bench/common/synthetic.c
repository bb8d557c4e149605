/* synthetic.c - synthetic complexes, the same on every machine: a chain of atoms in a spherical pocket. */
#include <math.h>

#include "bench/common/cases.h"

static void add_atom(bt_text *text, int serial, const double xyz[3], double charge, const char *type) {
  bt_text_printf(text, "ATOM  %5d  %-3s LIG A   1    %8.3f%8.3f%8.3f  1.00  0.00    %6.3f %-2s\n", serial % 100000,
                 type, xyz[0], xyz[1], xyz[2], charge, type);
}

/* A zigzag chain with bonds of 1.54 Angstrom, wound into a helix of radius 5 Angstrom and pitch 4.5 Angstrom. */
static void chain_point(int i, int atoms, double xyz[3]) {
  double turn = 1.25 * i / 5.0, side = i % 2 == 0 ? 0.45 : -0.45;
  xyz[0] = (5.0 + side) * cos(turn);
  xyz[1] = (5.0 + side) * sin(turn);
  xyz[2] = 4.5 * 1.25 / 5.0 / 6.2832 * (i - 0.5 * atoms);
}

static void add_receptor(bt_text *text, int atoms) {
  static const char *const types[] = {"C", "OA", "C", "N", "A", "HD"};
  static const double charges[] = {0.1, -0.3, 0.05, -0.3, 0.02, 0.2};
  const double golden = 2.39996322972865332;
  int count = 300 + 4 * atoms;
  double radius = 9.0 + 0.05 * atoms;
  for (int k = 0; k < count; k++) {
    double z = 1.0 - (2.0 * k + 1.0) / count, r = sqrt(1.0 - z * z), scale = radius + (k % 3);
    double xyz[3] = {scale * r * cos(golden * k), scale * r * sin(golden * k), scale * z};
    add_atom(text, k + 1, xyz, charges[k % 6], types[k % 6]);
  }
}

/* The first atoms are rigid; after them every few bonds one is rotatable, some of them on side chains. */
static void add_ligand(bt_text *text, int atoms, int torsions) {
  static const char *const types[] = {"C", "C", "OA", "C", "N", "A", "C", "HD"};
  static const double charges[] = {0.12, -0.08, -0.31, 0.17, -0.29, 0.02, 0.11, 0.21};
  int each = torsions > 0 ? atoms / (torsions + 1) : atoms, next = atoms - each * torsions, at = 0;
  double xyz[3];
  bt_text_add_string(text, "ROOT\n");
  for (int t = 0; t <= torsions; t++, next += each) {
    if (t > 0) bt_text_printf(text, "BRANCH %3d %3d\n", at, at + 1);
    for (; at < next; at++) {
      chain_point(at, atoms, xyz);
      add_atom(text, at + 1, xyz, charges[at % 8], types[at % 8]);
    }
    if (t == 0) bt_text_add_string(text, "ENDROOT\n");
  }
  for (int t = torsions, first = atoms - each + 1; t > 0; t--, first -= each)
    bt_text_printf(text, "ENDBRANCH %3d %3d\n", first - 1, first);
  bt_text_printf(text, "TORSDOF %d\n", torsions);
}

void bench_synthetic_add(int atoms, int torsions, bt_text *receptor, bt_text *ligand) {
  add_receptor(receptor, atoms);
  add_ligand(ligand, atoms, torsions);
}
