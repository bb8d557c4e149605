/* molecule_fixture.h - molecules written down in a test, without files. */
#ifndef BERTH_TESTS_MOLECULE_FIXTURE_H
#define BERTH_TESTS_MOLECULE_FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chem/molecule.h"

typedef struct fixture_atom {
  const char *type;
  double x, y, z;
  int fragment;
} fixture_atom;

typedef struct fixture {
  bt_molecule molecule;
  bt_atom atoms[512];
  bt_fragment fragments[128];
  bt_residue residues[8];
} fixture;

static char fixture_path[] = "fixture.pdbqt";

/* axes[k] = {parent fragment, axis_from, axis_to} of fragment k; {-1, -1, -1} for a root. Atom k is on line
 * k + 2 of the imaginary file, has serial k + 1 and charge 0.1 (k mod 5 - 2). */
static inline const bt_molecule *fixture_molecule(fixture *f, bt_molecule_kind kind, const fixture_atom *atoms,
                                                  int n_atoms, int (*axes)[3], int n_fragments) {
  memset(f, 0, sizeof *f);
  for (int k = 0; k < n_atoms; k++) {
    f->atoms[k] = (bt_atom){.x = {atoms[k].x, atoms[k].y, atoms[k].z},
                            .charge = 0.1 * (k % 5 - 2),
                            .serial = k + 1,
                            .line = k + 1,
                            .fragment = atoms[k].fragment};
    snprintf(f->atoms[k].type, sizeof f->atoms[k].type, "%s", atoms[k].type);
  }
  for (int k = 0; k < n_fragments; k++) {
    bt_fragment *fragment = &f->fragments[k];
    *fragment =
        (bt_fragment){.parent = axes[k][0], .axis_from = axes[k][1], .axis_to = axes[k][2], .first_atom = n_atoms};
    for (int i = 0; i < n_atoms; i++) {
      int below = atoms[i].fragment;
      while (below >= 0 && below < n_fragments && below != k) below = axes[below][0];
      if (below != k) continue;
      if (i < fragment->first_atom) fragment->first_atom = i;
      fragment->end_atom = i + 1;
    }
  }
  if (kind == BT_MOLECULE_FLEXIBLE) { /* one residue per root */
    for (int k = 0; k < n_fragments; k++) {
      if (axes[k][0] >= 0) continue;
      f->residues[f->molecule.n_residues++] =
          (bt_residue){.root = k, .first_atom = f->fragments[k].first_atom, .end_atom = f->fragments[k].end_atom};
    }
  }
  f->molecule.kind = kind;
  f->molecule.path = f->molecule.name = fixture_path;
  f->molecule.model = 1;
  f->molecule.n_atoms = n_atoms;
  f->molecule.n_fragments = n_fragments;
  f->molecule.atoms = f->atoms;
  f->molecule.fragments = f->fragments;
  f->molecule.residues = f->residues;
  f->molecule.first_line = 1;
  f->molecule.torsdof = -1;
  return &f->molecule;
}

/* A zigzag carbon chain of n atoms whose every inner bond turns: atoms 0 and 1 are the root, then one atom each. */
static inline const bt_molecule *fixture_chain(fixture *f, int n) {
  fixture_atom atoms[512];
  int axes[128][3] = {{-1, -1, -1}};
  for (int k = 0; k < n; k++) {
    atoms[k] = (fixture_atom){"C", 1.26 * k, k % 2 == 0 ? 0.0 : 0.85, 0.3 * sin(0.4 * k), k < 2 ? 0 : k - 2};
    if (k >= 3) memcpy(axes[k - 2], (int[3]){k - 3, k - 2, k - 1}, sizeof axes[0]);
  }
  if (n >= 3) atoms[2].fragment = 0;
  return fixture_molecule(f, BT_MOLECULE_LIGAND, atoms, n, axes, n < 3 ? 1 : n - 2);
}

#endif
