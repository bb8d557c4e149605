/* genotype.c - the degrees of freedom of a pose and the coordinates that they define.
 *
 * Torsions turn about axes of the input geometry, so they are applied from the leaves to the root: by the time a
 * body is turned, everything below it has its final shape. Plain double precision, the oracle of kernel/lga/pose.h.
 */
#include "pose/genotype.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/vector.h"

typedef struct matrix {
  double m[3][3];
} matrix;

/* Right-handed rotation of the quaternion (x, y, z, w), which need not be of unit length. */
static matrix matrix_from_quaternion(const double q[4]) {
  double norm = bt_v3_dot(q, q) + q[3] * q[3];
  double s = norm > 0 ? 2.0 / norm : 0.0;
  double x = q[0], y = q[1], z = q[2], w = q[3];
  return (matrix){{{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
                   {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
                   {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)}}};
}

static matrix matrix_from_axis(const double axis[3], double angle) {
  double length = sqrt(bt_v3_dot(axis, axis)), s = sin(0.5 * angle) / length;
  double q[4] = {s * axis[0], s * axis[1], s * axis[2], cos(0.5 * angle)};
  return matrix_from_quaternion(q);
}

/* x <- target + M (x - origin) */
static void move(const matrix *m, const double origin[3], const double target[3], double x[3]) {
  double r[3];
  bt_v3_subtract(r, x, origin);
  for (int k = 0; k < 3; k++) x[k] = target[k] + bt_v3_dot(m->m[k], r);
}

bt_status bt_genotype_create(int n_torsions, bt_genotype *ret_genotype, bt_error *opt_error) {
  *ret_genotype = (bt_genotype){.quaternion = {0, 0, 0, 1}};
  ret_genotype->torsions = calloc((size_t)n_torsions + 1, sizeof *ret_genotype->torsions);
  return ret_genotype->torsions != NULL ? BT_OK : bt_fail_memory(opt_error);
}

void bt_genotype_destroy(bt_genotype *genotype) {
  if (genotype == NULL) return;
  free(genotype->torsions);
  genotype->torsions = NULL;
}

void bt_genotype_copy(const bt_genotype *from, int n_torsions, bt_genotype *to) {
  memcpy(to->position, from->position, sizeof to->position);
  memcpy(to->quaternion, from->quaternion, sizeof to->quaternion);
  memcpy(to->torsions, from->torsions, (size_t)n_torsions * sizeof *to->torsions);
}

void bt_genotype_identity(const bt_ligand *ligand, bt_genotype *genotype) {
  memcpy(genotype->position, ligand->center, sizeof genotype->position);
  for (int k = 0; k < 4; k++) genotype->quaternion[k] = k == 3;
  for (int k = 0; k < ligand->n_torsions; k++) genotype->torsions[k] = 0.0;
  for (int p = 1; p < ligand->n_parts; p++)
    memcpy(genotype->torsions + ligand->parts[p].position, ligand->parts[p].center, sizeof ligand->parts[p].center);
}

/* The turns of a further part one after the other: about x, about the y that this has turned, about the z that both
 * have. axes[k] is the k-th of them as it lies, the result the product of all. */
static matrix turns_of_part(const bt_part *part, const bt_genotype *genotype, double axes[3][3]) {
  matrix product = matrix_from_quaternion((const double[4]){0, 0, 0, 1});
  for (int k = 0; k < 3; k++) {
    double unit[3] = {k == 0, k == 1, k == 2};
    matrix turn = matrix_from_axis(unit, genotype->torsions[part->turn + k]), before = product;
    for (int i = 0; i < 3; i++) {
      axes[k][i] = before.m[i][k];
      for (int j = 0; j < 3; j++)
        product.m[i][j] = before.m[i][0] * turn.m[0][j] + before.m[i][1] * turn.m[1][j] + before.m[i][2] * turn.m[2][j];
    }
  }
  return product;
}

/* The atoms [0, end) that position and orientation move. */
static int moving_end(const bt_ligand *ligand) { return ligand->tethered ? 0 : ligand->parts[0].end_atom; }

void bt_genotype_coordinates(const bt_ligand *ligand, const bt_genotype *genotype, double *xyz) {
  memcpy(xyz, ligand->xyz, 3 * (size_t)ligand->n_atoms * sizeof *xyz);
  for (int b = ligand->n_bodies - 1; b >= 0; b--) { /* parents precede their children */
    const bt_body *body = &ligand->bodies[b];
    if (body->torsion < 0 || genotype->torsions[body->torsion] == 0.0) continue;
    const double *from = ligand->xyz + 3 * (size_t)body->axis_from, *to = ligand->xyz + 3 * (size_t)body->axis_to;
    double axis[3];
    bt_v3_subtract(axis, to, from);
    matrix turn = matrix_from_axis(axis, genotype->torsions[body->torsion]);
    for (int i = body->first_atom; i < body->end_atom; i++)
      if (i != body->axis_to) move(&turn, from, from, xyz + 3 * (size_t)i);
  }
  matrix rotation = matrix_from_quaternion(genotype->quaternion);
  for (int i = 0; i < moving_end(ligand); i++)
    move(&rotation, ligand->center, genotype->position, xyz + 3 * (size_t)i);
  for (int p = 1; p < ligand->n_parts; p++) {
    const bt_part *part = &ligand->parts[p];
    double axes[3][3];
    matrix turned = turns_of_part(part, genotype, axes);
    for (int i = part->first_atom; i < part->end_atom; i++)
      move(&turned, part->center, genotype->torsions + part->position, xyz + 3 * (size_t)i);
  }
}

/* Force and moment about a point of a range of atoms. */
static void add_forces(const double *xyz, const double *atom_gradient, int first, int end, const double about[3],
                       double ret_force[3], double ret_moment[3]) {
  for (int k = 0; k < 3; k++) ret_force[k] = ret_moment[k] = 0.0;
  for (int i = first; i < end; i++) {
    const double *g = atom_gradient + 3 * (size_t)i;
    double arm[3], moment[3];
    bt_v3_subtract(arm, xyz + 3 * (size_t)i, about);
    bt_v3_cross(moment, arm, g);
    for (int k = 0; k < 3; k++) {
      ret_force[k] += g[k];
      ret_moment[k] += moment[k];
    }
  }
}

void bt_genotype_gradient(const bt_ligand *ligand, const bt_genotype *genotype, const double *xyz,
                          const double *atom_gradient, double *gradient) {
  add_forces(xyz, atom_gradient, 0, moving_end(ligand), genotype->position, gradient, gradient + 3);
  for (int p = 1; p < ligand->n_parts; p++) {
    const bt_part *part = &ligand->parts[p];
    double axes[3][3], moment[3];
    turns_of_part(part, genotype, axes);
    add_forces(xyz, atom_gradient, part->first_atom, part->end_atom, genotype->torsions + part->position,
               gradient + 6 + part->position, moment);
    for (int k = 0; k < 3; k++) gradient[6 + part->turn + k] = bt_v3_dot(axes[k], moment);
  }
  for (int b = 0; b < ligand->n_bodies; b++) {
    const bt_body *body = &ligand->bodies[b];
    if (body->torsion < 0) continue;
    const double *from = xyz + 3 * (size_t)body->axis_from, *to = xyz + 3 * (size_t)body->axis_to;
    double axis[3], force[3], moment[3];
    bt_v3_subtract(axis, to, from);
    add_forces(xyz, atom_gradient, body->first_atom, body->end_atom, from, force, moment);
    gradient[6 + body->torsion] = bt_v3_dot(axis, moment) / sqrt(bt_v3_dot(axis, axis));
  }
}

void bt_quaternion_to_axis_angle(const double quaternion[4], double axis[3], double *angle_degrees) {
  const double degrees_per_radian = 180.0 / 3.14159265358979323846;
  double sine = sqrt(bt_v3_dot(quaternion, quaternion));
  *angle_degrees = 2.0 * atan2(sine, quaternion[3]) * degrees_per_radian;
  if (*angle_degrees >= 360.0) *angle_degrees = 0.0; /* -1 is the identity as well */
  for (int k = 0; k < 3; k++) axis[k] = sine > 0 ? quaternion[k] / sine : (k == 0 ? 1.0 : 0.0);
}
