/* errors.c - errors of sums over many poses. */
#include <math.h>
#include <stdlib.h>

#include "bench/reductions/reductions.h"

bt_reduction_case reduction_case_of(const reduction_bench *bench, int ranks) {
  const bt_dock_data *data = bench->job.data;
  const bt_kernel_sizes *sizes = &data->kernel.sizes;
  return (bt_reduction_case){
      .bodies = data->bodies, .n_bodies = sizes->n_bodies, .n_atoms = sizes->n_atoms, .ranks = ranks};
}

static void add(double error, reduction_error *to) {
  to->mean += error;
  to->largest = fmax(to->largest, error);
  to->count++;
}

/* Adds the errors of one body's sums, three forces and three moments. */
static void add_body(int body, const float *sums, const double *exact, const double *magnitudes, reduction_error *to) {
  for (int k = 6 * body; k < 6 * body + 6; k++)
    if (magnitudes[k] > 0) add(fabs((double)sums[k] - exact[k]) / magnitudes[k], to);
}

/* dE/d(torsion): axis . (moment about the center - (pivot - center) x force), as in bt_pose_gradient_unit. */
static double torsion_gradient(const bench_pose *pose, int torsion, const float *sums) {
  const bt_body *body = pose->ligand->bodies;
  while (body->torsion != torsion) body++;
  const double *from = pose->xyz + 3 * (size_t)body->axis_from, *to = pose->xyz + 3 * (size_t)body->axis_to;
  const float *s = sums + 6 * (body - pose->ligand->bodies);
  double axis[3], arm[3], result = 0, length = 0;
  for (int c = 0; c < 3; c++) {
    axis[c] = to[c] - from[c];
    arm[c] = from[c] - pose->genotype.position[c];
    length += axis[c] * axis[c];
  }
  for (int c = 0; c < 3; c++) {
    int u = (c + 1) % 3, v = (c + 2) % 3;
    result += axis[c] * ((double)s[3 + c] - (arm[u] * (double)s[v] - arm[v] * (double)s[u]));
  }
  return result / sqrt(length);
}

void reduction_errors_add(const bench_pose *pose, const bt_reduction_case *c, const float *values, const float *sums,
                          const float *opt_gradient, reduction_errors *e) {
  size_t n = bt_reduction_sum_count(c);
  bool finite = true;
  for (size_t k = 0; k < n; k++) finite = finite && (isfinite(sums[k]) || (k < n - 1 && c->bodies[k / 6].immobile));
  add(!finite, &e->overflow);
  if (!finite) return;
  BT_SCOPED double *exact = bench_allocate(2 * n, sizeof *exact);
  double *magnitudes = exact + n;
  bt_reduction_exact(c, values, exact, magnitudes);
  add_body(0, sums, exact, magnitudes, &e->seven);
  double off = fabs((double)sums[n - 1] - exact[n - 1]);
  if (magnitudes[n - 1] > 0) add(off / magnitudes[n - 1], &e->seven);
  add(off, &e->energy);
  for (int b = 0; b < c->n_bodies; b++)
    if (c->bodies[b].torsion >= 0) add_body(b, sums, exact, magnitudes, &e->subtree);
  if (pose->on_cell_face || pose->largest == 0) return;
  off = 0;
  for (int k = 0; k < 6 + pose->ligand->n_torsions; k++) {
    double g = opt_gradient != NULL ? (double)opt_gradient[k]
             : k < 6                ? (double)sums[k]
                                    : torsion_gradient(pose, k - 6, sums);
    off = fmax(off, fabs(g - pose->gradient[k]));
  }
  add(off / pose->largest, &e->gradient);
}

bool reduction_sums_hold(const reduction_errors *e) {
  /* of the sum of |terms|: single precision reaches 1e-6 with the largest ligands, TF32 and halves stay above 1e-4 */
  static const double most = 1e-5;
  if (!(e->overflow.largest <= 0) || !(e->seven.largest <= most)) return false; /* also false if nothing was summed */
  return e->subtree.count == 0 || e->subtree.largest <= most;
}

reduction_errors reduction_errors_mean(reduction_errors e) {
  reduction_error *const all[] = {&e.seven, &e.subtree, &e.energy, &e.gradient, &e.overflow};
  for (int i = 0; i < CLI_COUNT(all); i++) {
    all[i]->mean /= (double)all[i]->count; /* NaN if there are none */
    if (all[i]->count == 0) all[i]->largest = NAN;
  }
  return e;
}
