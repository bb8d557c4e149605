/* move_inside.c - see move_inside.h. */
#include "engine/lga/search/move_inside.h"

#include <math.h>

/* How far inside the face an atom comes to rest: written coordinates have three decimals. */
static const double inside_angstrom = 0.002;

static bool nudge(const bt_ligand *ligand, const bt_part *part, const bt_maps *maps, double limit_angstrom,
                  double *position, double *xyz) {
  bool moved = false;
  for (int axis = 0; axis < 3; axis++) {
    double low = INFINITY, high = -INFINITY, shift = 0;
    for (int i = part->first_atom; i < part->end_atom; i++) {
      if (!ligand->feels_maps[i]) continue;
      low = fmin(low, xyz[3 * i + axis]);
      high = fmax(high, xyz[3 * i + axis]);
    }
    double below = maps->low[axis] + inside_angstrom - low, above = high - maps->high[axis] + inside_angstrom;
    if (below > 0 && above + below <= 0) shift = below;
    if (above > 0 && above + below <= 0) shift = -above;
    if (shift == 0 || fabs(shift) > limit_angstrom) continue;
    position[axis] += shift;
    for (int i = part->first_atom; i < part->end_atom; i++) xyz[3 * i + axis] += shift;
    moved = true;
  }
  return moved;
}

bool bt_move_inside(const bt_ligand *ligand, const bt_maps *maps, double limit_angstrom, bt_genotype *genotype,
                     double *xyz) {
  bool moved = false;
  for (int p = 0; p < ligand->n_parts && !ligand->tethered; p++) {
    const bt_part *part = &ligand->parts[p];
    double *position = p == 0 ? genotype->position : genotype->torsions + part->position;
    moved = nudge(ligand, part, maps, limit_angstrom, position, xyz) || moved;
  }
  return moved;
}
