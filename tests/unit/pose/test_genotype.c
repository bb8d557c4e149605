/* test_genotype.c - genes give the pose that they describe, and gene gradients are its derivatives. */
#include <berth/berth.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "molecule_fixture.h"
#include "unit/assert_near.h"
#include "pose/genotype.h"

enum { CHAIN = 12, RESIDUE = 4, ATOMS = CHAIN + RESIDUE };

typedef struct subject {
  fixture chain, residue;
  bt_ligand *ligand;
  bt_genotype genotype;
} subject;

static double random_unit(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) / 9007199254740992.0;
}

static void subject_create(subject *s) {
  fixture_atom residue[RESIDUE] = {
      {"C", 10, 0, 0, 0}, {"C", 11.5, 0.2, 0, 1}, {"C", 12.2, 1.3, 0, 2}, {"OA", 13.6, 1.3, 0, 2}};
  int axes[][3] = {{-1, -1, -1}, {0, 0, 1}, {1, 1, 2}};
  bt_status status = bt_ligand_create(fixture_chain(&s->chain, CHAIN),
                                      fixture_molecule(&s->residue, BT_MOLECULE_FLEXIBLE, residue, RESIDUE, axes, 3),
                                      &s->ligand, NULL);
  assert_int_equal(status, BT_OK);
  assert_int_equal(bt_genotype_create(s->ligand->n_torsions, &s->genotype, NULL), BT_OK);
  bt_genotype_identity(s->ligand, &s->genotype);
}

static void subject_destroy(subject *s) {
  bt_genotype_destroy(&s->genotype);
  bt_ligand_destroy(s->ligand);
}

static void randomize(subject *s, uint64_t seed) {
  double norm = 0;
  for (int k = 0; k < 3; k++) s->genotype.position[k] = 20 * random_unit(&seed) - 10;
  for (int k = 0; k < 4; k++) {
    s->genotype.quaternion[k] = 2 * random_unit(&seed) - 1;
    norm += s->genotype.quaternion[k] * s->genotype.quaternion[k];
  }
  for (int k = 0; k < 4; k++) s->genotype.quaternion[k] /= sqrt(norm);
  for (int k = 0; k < s->ligand->n_torsions; k++) s->genotype.torsions[k] = 6.28 * random_unit(&seed);
}

static double distance(const double *xyz, int i, int j) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += (xyz[3 * i + k] - xyz[3 * j + k]) * (xyz[3 * i + k] - xyz[3 * j + k]);
  return sqrt(sum);
}

/* Dihedral i-j-k-l, degrees, IUPAC sign. */
static double dihedral(const double *xyz, int i, int j, int k, int l) {
  double b1[3], b2[3], b3[3];
  for (int c = 0; c < 3; c++) {
    b1[c] = xyz[3 * j + c] - xyz[3 * i + c];
    b2[c] = xyz[3 * k + c] - xyz[3 * j + c];
    b3[c] = xyz[3 * l + c] - xyz[3 * k + c];
  }
  double n1[3] = {b1[1] * b2[2] - b1[2] * b2[1], b1[2] * b2[0] - b1[0] * b2[2], b1[0] * b2[1] - b1[1] * b2[0]};
  double n2[3] = {b2[1] * b3[2] - b2[2] * b3[1], b2[2] * b3[0] - b2[0] * b3[2], b2[0] * b3[1] - b2[1] * b3[0]};
  double length = sqrt(b2[0] * b2[0] + b2[1] * b2[1] + b2[2] * b2[2]);
  double x = n1[0] * n2[0] + n1[1] * n2[1] + n1[2] * n2[2];
  double y = length * (b1[0] * n2[0] + b1[1] * n2[1] + b1[2] * n2[2]);
  return atan2(y, x) * 180 / 3.14159265358979323846;
}

static void the_identity_is_the_input_pose(void **state) {
  (void)state;
  subject s;
  double xyz[3 * ATOMS];
  subject_create(&s);
  bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
  for (int k = 0; k < 3 * ATOMS; k++) assert_near(xyz[k], s.ligand->xyz[k], 1e-12);
  subject_destroy(&s);
}

/* Right-handed, from axis_from to axis_to: looking along the axis a positive angle turns clockwise, so the dihedral
 * grows by it. Torsion 2 turns about atoms 3-4. */
static void a_torsion_adds_to_its_dihedral(void **state) {
  (void)state;
  subject s;
  double xyz[3 * ATOMS];
  subject_create(&s);
  double before = dihedral(s.ligand->xyz, 2, 3, 4, 5);
  s.genotype.torsions[2] = 40 * 3.14159265358979323846 / 180;
  s.genotype.torsions[0] = 1.0;
  s.genotype.torsions[4] = -2.0;
  bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
  double change = remainder(dihedral(xyz, 2, 3, 4, 5) - before, 360.0);
  assert_near(change, 40.0, 1e-9);
  assert_near(remainder(dihedral(xyz, 3, 4, 5, 6) - dihedral(s.ligand->xyz, 3, 4, 5, 6), 360.0), 0.0, 1e-9);
  subject_destroy(&s);
}

static void bonds_and_angles_stay(void **state) {
  (void)state;
  subject s;
  double xyz[3 * ATOMS];
  subject_create(&s);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    randomize(&s, seed);
    bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
    for (int i = 0; i + 1 < CHAIN; i++) assert_near(distance(xyz, i, i + 1), distance(s.ligand->xyz, i, i + 1), 1e-10);
    for (int i = 0; i + 2 < CHAIN; i++) assert_near(distance(xyz, i, i + 2), distance(s.ligand->xyz, i, i + 2), 1e-10);
    /* the residue's anchor and the atom at the end of its first axis stay where they are */
    for (int k = 3 * CHAIN; k < 3 * CHAIN + 6; k++) assert_near(xyz[k], s.ligand->xyz[k], 1e-12);
  }
  subject_destroy(&s);
}

/* q = (0, 0, sin 45, cos 45) turns x to y. */
static void rotations_are_right_handed(void **state) {
  (void)state;
  subject s;
  double xyz[3 * ATOMS];
  subject_create(&s);
  s.genotype.quaternion[2] = s.genotype.quaternion[3] = sqrt(0.5);
  bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
  for (int i = 0; i < CHAIN; i++) {
    const double *c = s.ligand->center, *x = s.ligand->xyz + 3 * i;
    assert_near(xyz[3 * i], c[0] - (x[1] - c[1]), 1e-12);
    assert_near(xyz[3 * i + 1], c[1] + (x[0] - c[0]), 1e-12);
    assert_near(xyz[3 * i + 2], x[2], 1e-12);
  }
  subject_destroy(&s);
}

/* Any smooth function of the coordinates will do: sum of sin(w_k x_k). */
static double toy_energy(const double *xyz, double *opt_gradient) {
  double energy = 0;
  for (int k = 0; k < 3 * ATOMS; k++) {
    double w = 0.3 + 0.05 * (k % 7);
    energy += sin(w * xyz[k]);
    if (opt_gradient != NULL) opt_gradient[k] = w * cos(w * xyz[k]);
  }
  return energy;
}

static double energy_after_step(subject *s, int dof, double step) {
  double xyz[3 * ATOMS], saved[7], saved_torsion = 0;
  bt_genotype *g = &s->genotype;
  for (int k = 0; k < 3; k++) saved[k] = g->position[k];
  for (int k = 0; k < 4; k++) saved[3 + k] = g->quaternion[k];
  if (dof < 3) {
    g->position[dof] += step;
  } else if (dof < 6) { /* q <- (sin(step/2) e, cos(step/2)) q */
    double p[3] = {0, 0, 0}, w = cos(0.5 * step), *q = g->quaternion, *o = saved + 3;
    p[dof - 3] = sin(0.5 * step);
    q[0] = w * o[0] + p[0] * o[3] + p[1] * o[2] - p[2] * o[1];
    q[1] = w * o[1] + p[1] * o[3] + p[2] * o[0] - p[0] * o[2];
    q[2] = w * o[2] + p[2] * o[3] + p[0] * o[1] - p[1] * o[0];
    q[3] = w * o[3] - p[0] * o[0] - p[1] * o[1] - p[2] * o[2];
  } else {
    saved_torsion = g->torsions[dof - 6];
    g->torsions[dof - 6] += step;
  }
  bt_genotype_coordinates(s->ligand, g, xyz);
  for (int k = 0; k < 3; k++) g->position[k] = saved[k];
  for (int k = 0; k < 4; k++) g->quaternion[k] = saved[3 + k];
  if (dof >= 6) g->torsions[dof - 6] = saved_torsion;
  return toy_energy(xyz, NULL);
}

static void gene_gradients_are_derivatives(void **state) {
  (void)state;
  subject s;
  double xyz[3 * ATOMS], atom_gradient[3 * ATOMS], gradient[6 + 64];
  subject_create(&s);
  for (uint64_t seed = 100; seed < 110; seed++) {
    randomize(&s, seed);
    bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
    toy_energy(xyz, atom_gradient);
    bt_genotype_gradient(s.ligand, &s.genotype, xyz, atom_gradient, gradient);
    for (int dof = 0; dof < 6 + s.ligand->n_torsions; dof++) {
      const double h = 1e-5;
      double numerical = (energy_after_step(&s, dof, h) - energy_after_step(&s, dof, -h)) / (2 * h);
      assert_near(gradient[dof], numerical, 1e-7 * (1 + fabs(numerical)));
    }
  }
  subject_destroy(&s);
}

static void quaternions_become_axis_and_angle(void **state) {
  (void)state;
  double axis[3], angle;
  bt_quaternion_to_axis_angle((double[4]){0, 0.6 * sin(1.0), 0.8 * sin(1.0), cos(1.0)}, axis, &angle);
  assert_near(angle, 2.0 * 180 / 3.14159265358979323846, 1e-10);
  assert_near(axis[1], 0.6, 1e-12);
  assert_near(axis[2], 0.8, 1e-12);
  bt_quaternion_to_axis_angle((double[4]){0, 0, 0, 1}, axis, &angle);
  assert_near(angle, 0.0, 0.0);
  assert_near(axis[0], 1.0, 0.0);
  bt_quaternion_to_axis_angle((double[4]){0, 0, sin(2.5), cos(2.5)}, axis, &angle); /* more than half a turn */
  assert_near(angle, 5.0 * 180 / 3.14159265358979323846, 1e-10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_identity_is_the_input_pose), cmocka_unit_test(a_torsion_adds_to_its_dihedral),
      cmocka_unit_test(bonds_and_angles_stay),          cmocka_unit_test(rotations_are_right_handed),
      cmocka_unit_test(gene_gradients_are_derivatives), cmocka_unit_test(quaternions_become_axis_and_angle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
