/* scene.h - synthetic affinity maps for tests of energies. */
#ifndef BERTH_TESTS_SCENE_H
#define BERTH_TESTS_SCENE_H

#include <berth/berth.h>

#include "unit/support.h"

#include "score/score.h"
#include "unit/assert_near.h"

/* A box of npts cells of 0.375 A around center, for the types that the ligand needs; maps are zero. */
static inline bt_maps *scene_maps(const bt_ligand *ligand, const double center[3], int npts) {
  const char *types[32];
  bt_box box = {.center = {center[0], center[1], center[2]}, .npts = {npts, npts, npts}, .spacing = 0.375};
  bt_maps *maps;
  bt_error error;
  int count = bt_ligand_type_count(ligand);
  assert_true(count <= 32);
  for (int t = 0; t < count; t++) types[t] = bt_ligand_type(ligand, t);
  support_ok(bt_maps_create(&box, types, count, &maps, &error), &error);
  return maps;
}

/* Calls fill(x, y, z) at every point of a map. */
static inline void scene_fill(bt_maps *maps, int index, double (*fill)(double x, double y, double z)) {
  float *value = maps->values[index];
  for (int k = 0; k <= maps->box.npts[2]; k++)
    for (int j = 0; j <= maps->box.npts[1]; j++)
      for (int i = 0; i <= maps->box.npts[0]; i++)
        *value++ = (float)fill(maps->low[0] + i * maps->box.spacing, maps->low[1] + j * maps->box.spacing,
                               maps->low[2] + k * maps->box.spacing);
}

/* Numbers in [0, 1) that look random. */
static inline double scene_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) / 9007199254740992.0;
}

#endif
