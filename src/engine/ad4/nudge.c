/* nudge.c - see nudge.h. */
#include "engine/ad4/nudge.h"

#include <math.h>

/* How far inside the face an atom comes to rest: written coordinates have three decimals. */
static const double inside_angstrom = 0.002;

bool bt_nudge_inside(const bt_ligand *ligand, const bt_maps *maps, double limit_angstrom, bt_genotype *genotype,
                     double *xyz) {
  bool moved = false;
  for (int axis = 0; axis < 3; axis++) {
    double low = INFINITY, high = -INFINITY, shift = 0;
    for (int i = 0; i < ligand->n_ligand_atoms; i++) {
      if (!ligand->feels_maps[i]) continue;
      low = fmin(low, xyz[3 * i + axis]);
      high = fmax(high, xyz[3 * i + axis]);
    }
    double below = maps->low[axis] + inside_angstrom - low, above = high - maps->high[axis] + inside_angstrom;
    if (below > 0 && above + below <= 0) shift = below;
    if (above > 0 && above + below <= 0) shift = -above;
    if (shift == 0 || fabs(shift) > limit_angstrom) continue;
    genotype->position[axis] += shift;
    for (int i = 0; i < ligand->n_ligand_atoms; i++) xyz[3 * i + axis] += shift;
    moved = true;
  }
  return moved;
}
