/* genotype.h - the degrees of freedom of a pose and the coordinates that they define.
 *
 *   x_i = T + R(q) (T_torsions(x_ref,i) - center)      ligand atoms
 *   x_i = T_torsions(x_ref,i)                          flexible atoms
 *   x_i = P + Rx(a) Ry(b) Rz(c) (T_torsions(x_ref,i) - part's center)   atoms of a further ligand (bt_part)
 *
 * R(q) is the ordinary right-handed rotation of the unit quaternion q = (x, y, z, w); torsions are relative to
 * the input geometry, right-handed about axis_from -> axis_to.
 */
#ifndef BERTH_POSE_GENOTYPE_H
#define BERTH_POSE_GENOTYPE_H

#include "pose/ligand.h"

typedef struct bt_genotype {
  double position[3];   /* of the ligand's center, Angstrom, absolute */
  double quaternion[4]; /* x, y, z, w */
  double *torsions;     /* [ligand->n_torsions], radians; positions of further ligands: Angstrom, absolute */
} bt_genotype;

bt_status bt_genotype_create(int n_torsions, bt_genotype *ret_genotype, bt_error *opt_error) BT_MUST_USE;
void bt_genotype_destroy(bt_genotype *genotype);
void bt_genotype_copy(const bt_genotype *from, int n_torsions, bt_genotype *to);
/* The pose of the input file. */
void bt_genotype_identity(const bt_ligand *ligand, bt_genotype *genotype);
/* xyz[3 n_atoms], Angstrom. */
void bt_genotype_coordinates(const bt_ligand *ligand, const bt_genotype *genotype, double *xyz);
/* Gene gradient from the atoms' dE/dx: position (kcal/mol/A), rotation vector applied on the left about the
 * ligand's center (kcal/mol/rad), torsions (kcal/mol/rad; positions kcal/mol/A). gradient has 6 + n_torsions values. */
void bt_genotype_gradient(const bt_ligand *ligand, const bt_genotype *genotype, const double *xyz,
                          const double *atom_gradient, double *gradient);
/* Axis and angle (degrees, 0..360) of the quaternion. */
void bt_quaternion_to_axis_angle(const double quaternion[4], double axis[3], double *angle_degrees);

#endif
