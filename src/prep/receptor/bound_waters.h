/* bound_waters.h - which crystal waters the receptor holds.
 *
 * A water of the file is bound if it meets all of these; the ligand is not there, and waters do not count for each
 * other:
 *
 *   place   within BT_NEAR_BOX (8 Angstrom) of the box; without a box, anywhere
 *   order   occupancy at least 0.5
 *   room    no heavy atom of the receptor, and no bound water, within 2.3 Angstrom, 1.6 from a metal: what stands
 *           closer is another location of the same atoms, or a copy of the water by symmetry. Of two such waters the
 *           one with the higher occupancy stays, then the one with more hydrogen bonds, then the one with the lower B
 *           factor
 *   burial  at least 25 heavy atoms of the receptor within 6 Angstrom
 *   hold    three hydrogen bonds, and a B factor of at most 1.25 times the mean of the atoms within 6 Angstrom; or
 *           two, and at most 0.8 times: better ordered than what it is bound to
 *
 * A hydrogen bond is a nitrogen, oxygen or sulfur within 3.5 Angstrom, but no nitrogen with three heavy neighbors, or a
 * metal within 2.8 Angstrom. Of two that are less than 2.6 Angstrom apart, such as the oxygens of a carboxylate, the
 * nearer counts: a water has one bond in one direction. B factors that are all zero (in models) say nothing: the ratio
 * is 1.
 */
#ifndef BERTH_PREP_RECEPTOR_BOUND_WATERS_H
#define BERTH_PREP_RECEPTOR_BOUND_WATERS_H

#include <stdbool.h>

/* What was found at a water. */
typedef struct bt_water_hold {
  bool judged, bound;
  bool crowded; /* stands where something else is */
  int bonds;    /* hydrogen bonds and metals */
  int around;   /* heavy atoms of the receptor within 6 Angstrom */
  double occupancy, b_factor;
  double b_ratio; /* to the mean of those atoms */
} bt_water_hold;

#endif
