/* near.c - which residues are near the box of the docking. */
#include <math.h>

#include "prep/receptor/receptor.h"

/* Of the residue's nearest atom, Angstrom; 0 inside of the box; -1: no box is known. */
static double distance_to_box(const bt_receptor_work *prep, int residue) {
  const bt_receptor_options *o = prep->options;
  const bt_structure_residue *source = bt_receptor_source(prep, residue);
  double nearest = INFINITY;
  if (!(o->box_size[0] > 0.0 && o->box_size[1] > 0.0 && o->box_size[2] > 0.0)) return -1.0;
  for (int a = source->first_atom; a < source->end_atom; a++) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
      double beyond = fabs(prep->structure->atoms[a].x[k] - o->box_center[k]) - 0.5 * o->box_size[k];
      if (beyond > 0.0) sum += beyond * beyond;
    }
    nearest = fmin(nearest, sqrt(sum));
  }
  return nearest;
}

bool bt_receptor_is_far(const bt_receptor_work *prep, int residue) {
  return distance_to_box(prep, residue) > BT_NEAR_BOX;
}

bool bt_receptor_is_near(const bt_receptor_work *prep, int residue) {
  double distance = distance_to_box(prep, residue);
  return distance >= 0.0 && distance <= BT_NEAR_BOX;
}

bool bt_receptor_is_inside(const bt_receptor_work *prep, int residue) {
  const bt_receptor_options *o = prep->options;
  const bt_structure_residue *source = bt_receptor_source(prep, residue);
  int count = source->end_atom - source->first_atom;
  for (int k = 0; k < 3; k++) {
    double sum = 0.0;
    for (int a = source->first_atom; a < source->end_atom; a++) sum += prep->structure->atoms[a].x[k];
    if (count == 0 || !(fabs(sum / count - o->box_center[k]) < 0.5 * o->box_size[k])) return false;
  }
  return true;
}
