/* receptors.h - receptors made in memory, for tests of the maps. */
#ifndef BERTH_TESTS_GRID_RECEPTORS_H
#define BERTH_TESTS_GRID_RECEPTORS_H

#include "chem/molecule.h"
#include "forcefield/ad4_table.h"
#include "grid/receptor/receptor.h"
#include "unit/support.h"

typedef struct test_atom {
  const char *type;
  double x, y, z, charge;
} test_atom;

/* A receptor of these atoms; atoms and path are freed by test_molecule_free(). */
static inline bt_molecule test_molecule(const test_atom *atoms, int n_atoms) {
  bt_molecule molecule = {.kind = BT_MOLECULE_RECEPTOR, .path = strdup("made/up.pdbqt"), .n_atoms = n_atoms};
  molecule.name = strdup("up");
  molecule.atoms = calloc((size_t)n_atoms + 1, sizeof *molecule.atoms);
  assert_non_null(molecule.atoms);
  for (int i = 0; i < n_atoms; i++) {
    bt_atom *a = &molecule.atoms[i];
    *a = (bt_atom){.x = {atoms[i].x, atoms[i].y, atoms[i].z}, .charge = atoms[i].charge, .serial = i + 1,
                   .fragment = -1, .line = i};
    snprintf(a->type, sizeof a->type, "%s", atoms[i].type);
  }
  molecule.first_line = 1;
  return molecule;
}

static inline void test_molecule_free(bt_molecule *molecule) {
  free(molecule->path);
  free(molecule->name);
  free(molecule->atoms);
}

/* The grid's view of a molecule in the frame of the origin. */
static inline bt_grid_receptor *test_receptor(const bt_molecule *molecule, const bt_ad4_table *table,
                                              const double center[3], bool disorder_h) {
  bt_error error;
  bt_grid_receptor *receptor;
  bt_grid_options options = bt_grid_options_default();
  for (int k = 0; k < 3; k++) options.box.center[k] = center[k];
  options.disorder_h = disorder_h;
  support_ok(bt_grid_receptor_create(molecule, table, &options, &receptor, &error), &error);
  return receptor;
}

/* Numbers that look random and are the same everywhere, in [0, 1). */
static inline double test_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 33) / 2147483648.0;
}

/* A receptor of many kinds of atoms at random places of a cube, some in groups that are bonded. */
static inline bt_molecule test_random_receptor(int n_atoms, double edge, uint64_t seed) {
  static const char *const types[] = {"C",  "A",  "N", "NA", "OA", "HD", "SA", "C", "OA", "HD",
                                      "HS", "OS", "NS", "Zn", "S",  "HD", "Cl", "P", "F",  "C"};
  test_atom *atoms = calloc((size_t)n_atoms, sizeof *atoms);
  assert_non_null(atoms);
  for (int i = 0; i < n_atoms; i++) {
    atoms[i].type = types[(int)(test_random(&seed) * 20.0)];
    bool bonded = i > 0 && test_random(&seed) < 0.7; /* within bonding distance of the atom before it */
    double *x = &atoms[i].x;
    for (int axis = 0; axis < 3; axis++) {
      double spread = 2.0 * (test_random(&seed) - 0.5);
      x[axis] = bonded ? (&atoms[i - 1].x)[axis] + 0.85 * spread : 0.5 * edge * spread;
      x[axis] = (double)(long)(x[axis] * 1000.0) / 1000.0;
    }
    atoms[i].charge = test_random(&seed) - 0.5;
  }
  bt_molecule molecule = test_molecule(atoms, n_atoms);
  free(atoms);
  return molecule;
}

#endif
