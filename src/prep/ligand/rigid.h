/* rigid.h - the rotation that superimposes one set of points on another. */
#ifndef BERTH_PREP_LIGAND_RIGID_H
#define BERTH_PREP_LIGAND_RIGID_H

/* The proper rotation about the centroids with the smallest sum of squared distances: to - center(to) = R (from -
 * center(from)). With points on one line, one of the rotations that fit. from[count], to[count]; R by rows. */
void bt_rigid_rotation(const double (*from)[3], const double (*to)[3], int count, double ret_rotation[3][3]);

#endif
