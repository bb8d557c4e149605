/* poses.h - molecules and results for tests of everything that comes after the search. */
#ifndef BERTH_TESTS_POSES_H
#define BERTH_TESTS_POSES_H

#include "formats/pdbqt/pdbqt.h"
#include "results/result.h"
#include "unit/assert_near.h"
#include "unit/score/scene.h"
#include "unit/support.h"

static inline bt_molecule *poses_molecule(const char *path, const char *text, bt_molecule_kind kind) {
  bt_molecule **list, *molecule;
  int count;
  bt_error error;
  support_ok(bt_molecule_from_memory(path, text, strlen(text), kind, &list, &count, &error), &error);
  assert_int_equal(count, 1);
  molecule = list[0];
  free(list);
  return molecule;
}

/* A ligand of the shared complexes; skips the test when it is absent. */
static inline bt_molecule *poses_shared(const char *complex, const char *file) {
  char path[1024], name[256];
  snprintf(name, sizeof name, "data/set42/%s/%s.pdbqt", complex, file);
  support_shared(path, sizeof path, name);
  bt_molecule **list, *molecule;
  int count;
  bt_error error;
  support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &list, &count, &error), &error);
  molecule = list[0];
  free(list);
  return molecule;
}

static inline bt_ligand *poses_ligand(const bt_molecule *molecule, const bt_molecule *opt_flexible) {
  bt_ligand *ligand;
  bt_error error;
  support_ok(bt_ligand_create(molecule, opt_flexible, &ligand, &error), &error);
  return ligand;
}

/* A pose somewhere within +-shift Angstrom and +-turn degrees in all torsions of the input pose. */
static inline void poses_random(const bt_ligand *ligand, uint64_t *state, double shift, double turn,
                                bt_genotype *genotype, double *xyz) {
  bt_genotype_identity(ligand, genotype);
  for (int k = 0; k < 3; k++) genotype->position[k] += shift * (2 * scene_random(state) - 1);
  for (int k = 0; k < 3; k++) genotype->quaternion[k] = turn / 180 * (2 * scene_random(state) - 1);
  for (int k = 0; k < ligand->n_torsions; k++)
    genotype->torsions[k] = turn / 57.29577951308232 * (2 * scene_random(state) - 1);
  bt_genotype_coordinates(ligand, genotype, xyz);
}

#endif
