/* minimizer.c - BFGS over the degrees of freedom of a pose. */
#include "pose/minimizer.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* No step changes a gene by more than this, A or rad: the quadratic model does not hold farther away. */
static const double longest_step = 0.5;
/* While nothing is known of the curvature a step does not promise more than this, kcal/mol: a clash would throw the
 * pose far away. */
static const double longest_promise = 10.0;
static const double sufficient_decrease = 1e-4; /* of what the slope promises (Armijo) */
enum { MOST_HALVINGS = 12 };

typedef struct minimizer {
  const bt_ligand *ligand;
  bt_objective_fn objective;
  const void *user;
  int n; /* degrees of freedom */
  bt_genotype trial;
  double *xyz, *atom_gradient; /* of the trial */
  double *gradient, *trial_gradient, *step, *change, *product;
  double *inverse; /* [n][n] approximates the inverse of the Hessian */
  double *ease;    /* [n] what its diagonal is proportional to in the beginning: see find_ease */
  bt_arena arena;
} minimizer;

static void minimizer_end(minimizer *m) {
  bt_genotype_destroy(&m->trial);
  bt_arena_destroy(&m->arena);
}

static bt_status minimizer_begin(minimizer *m, bt_error *opt_error) {
  size_t atoms = 3 * (size_t)m->ligand->n_atoms, n = (size_t)m->n;
  BT_TRY(bt_genotype_create(m->ligand->n_torsions, &m->trial, opt_error));
  BT_NEW(&m->arena, m->xyz, atoms);
  BT_NEW(&m->arena, m->atom_gradient, atoms);
  BT_NEW(&m->arena, m->gradient, n);
  BT_NEW(&m->arena, m->trial_gradient, n);
  BT_NEW(&m->arena, m->step, n);
  BT_NEW(&m->arena, m->change, n);
  BT_NEW(&m->arena, m->product, n);
  BT_NEW(&m->arena, m->inverse, n * n);
  BT_NEW(&m->arena, m->ease, n);
  return bt_arena_status(&m->arena, opt_error);
}

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

/* The quaternion of a rotation vector times q, of unit length. */
static void rotate(const double vector[3], double q[4]) {
  double angle = sqrt(dot(3, vector, vector)), s = angle > 0 ? sin(0.5 * angle) / angle : 0.5, w = cos(0.5 * angle);
  double x = s * vector[0], y = s * vector[1], z = s * vector[2];
  double r[4] = {w * q[0] + x * q[3] + y * q[2] - z * q[1], w * q[1] - x * q[2] + y * q[3] + z * q[0],
                 w * q[2] + x * q[1] - y * q[0] + z * q[3], w * q[3] - x * q[0] - y * q[1] - z * q[2]};
  double length = sqrt(dot(4, r, r));
  for (int c = 0; c < 4; c++) q[c] = r[c] / length;
}

/* The trial becomes the genotype moved by scale times the step. */
static void move(minimizer *m, const bt_genotype *from, double scale) {
  double vector[3];
  for (int c = 0; c < 3; c++) {
    m->trial.position[c] = from->position[c] + scale * m->step[c];
    vector[c] = scale * m->step[3 + c];
  }
  memcpy(m->trial.quaternion, from->quaternion, sizeof from->quaternion);
  rotate(vector, m->trial.quaternion);
  for (int t = 0; t < m->n - 6; t++) m->trial.torsions[t] = from->torsions[t] + scale * m->step[6 + t];
  bt_genotype_coordinates(m->ligand, &m->trial, m->xyz);
}

/* Atoms feel springs of one kind, so the energy is the stiffer along a degree of freedom the farther it moves them: its
 * share of the inverse Hessian is one over their mean square displacement. One that moves none gets a hundred. */
static void find_ease(minimizer *m, const bt_genotype *genotype) {
  const double tiny = 1e-4, least = 0.01;
  int numbers = 3 * m->ligand->n_atoms;
  double *before = m->atom_gradient; /* not needed yet */
  move(m, genotype, 0.0);            /* the step is zero */
  memcpy(before, m->xyz, (size_t)numbers * sizeof *before);
  for (int i = 0; i < m->n; i++) {
    double square = 0;
    m->step[i] = tiny;
    move(m, genotype, 1.0);
    m->step[i] = 0;
    for (int k = 0; k < numbers; k++) square += (m->xyz[k] - before[k]) * (m->xyz[k] - before[k]);
    m->ease[i] = 1.0 / (square / (tiny * tiny * m->ligand->n_atoms) + least);
  }
}

/* Moves; the trial's energy and gradient. */
static double try_step(minimizer *m, const bt_genotype *from, double scale) {
  move(m, from, scale);
  double energy = m->objective(m->user, m->xyz, m->atom_gradient);
  bt_genotype_gradient(m->ligand, &m->trial, m->xyz, m->atom_gradient, m->trial_gradient);
  return energy;
}

/* Downhill by the quadratic model; along the gradient if that model points uphill. Returns the slope along the step. */
static double choose_step(minimizer *m) {
  double largest = 0;
  bool guessed = false;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < m->n; i++) m->step[i] = -dot(m->n, m->inverse + (size_t)i * (size_t)m->n, m->gradient);
    if (dot(m->n, m->step, m->gradient) < 0) break;
    memset(m->inverse, 0, (size_t)m->n * (size_t)m->n * sizeof *m->inverse);
    for (int i = 0; i < m->n; i++) m->inverse[(size_t)i * (size_t)(m->n + 1)] = m->ease[i];
    guessed = true;
  }
  for (int i = 0; i < m->n; i++) largest = fmax(largest, fabs(m->step[i]));
  double shorter = largest > longest_step ? longest_step / largest : 1.0;
  double slope = shorter * dot(m->n, m->step, m->gradient);
  if (guessed && slope < -longest_promise) {
    shorter *= longest_promise / -slope;
    slope = -longest_promise;
  }
  for (int i = 0; i < m->n; i++) m->step[i] *= shorter;
  return slope;
}

/* Algorithm 6.1's update of the inverse from the step (times scale) and the change of the gradient. */
static void update(minimizer *m, double scale, bool first) {
  int n = m->n;
  for (int i = 0; i < n; i++) {
    m->step[i] *= scale;
    m->change[i] = m->trial_gradient[i] - m->gradient[i];
  }
  double curvature = dot(n, m->step, m->change);
  if (!(curvature > 1e-10)) return;
  if (first) { /* its scale is not known before (equation 6.20, in units of ease) */
    double along = 0;
    for (int i = 0; i < n; i++) along += m->ease[i] * m->change[i] * m->change[i];
    for (int i = 0; i < n; i++) m->inverse[(size_t)i * (size_t)(n + 1)] = curvature / along * m->ease[i];
  }
  for (int i = 0; i < n; i++) m->product[i] = dot(n, m->inverse + (size_t)i * (size_t)n, m->change);
  double factor = (1.0 + dot(n, m->change, m->product) / curvature) / curvature;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m->inverse[(size_t)i * (size_t)n + (size_t)j] +=
          factor * m->step[i] * m->step[j] - (m->step[i] * m->product[j] + m->product[i] * m->step[j]) / curvature;
}

static void keep(const minimizer *m, bt_genotype *genotype, double *xyz) {
  bt_genotype_copy(&m->trial, m->n - 6, genotype);
  memcpy(xyz, m->xyz, 3 * (size_t)m->ligand->n_atoms * sizeof *xyz);
}

static double largest_gradient(const minimizer *m) {
  double largest = 0;
  for (int i = 0; i < m->n; i++) largest = fmax(largest, fabs(m->gradient[i]));
  return largest;
}

static void iterate(minimizer *m, const bt_minimizer_limits *limits, bt_genotype *genotype, double *xyz,
                    double *energy) {
  int small = 0;
  bool first = true;
  for (int iteration = 0; iteration < limits->iterations && small < 2; iteration++) {
    if (largest_gradient(m) < limits->gradient) return;
    double slope = choose_step(m), scale = 1.0, found = 0;
    int halvings = 0;
    for (; halvings < MOST_HALVINGS; halvings++, scale *= 0.5) {
      found = try_step(m, genotype, scale);
      if (found <= *energy + sufficient_decrease * scale * slope) break;
    }
    if (halvings == MOST_HALVINGS) return;
    small = *energy - found < limits->decrease ? small + 1 : 0;
    update(m, scale, first);
    first = false;
    *energy = found;
    memcpy(m->gradient, m->trial_gradient, (size_t)m->n * sizeof *m->gradient);
    keep(m, genotype, xyz);
  }
}

bt_status bt_minimize_pose(const bt_ligand *ligand, bt_objective_fn objective, const void *user,
                           const bt_minimizer_limits *limits, bt_genotype *genotype, double *xyz, double *ret_energy,
                           bt_error *opt_error) {
  BT_ENDED_BY(minimizer_end) minimizer m = {.ligand = ligand, .objective = objective, .user = user};
  m.n = 6 + ligand->n_torsions;
  BT_TRY(minimizer_begin(&m, opt_error));
  find_ease(&m, genotype);
  double energy = try_step(&m, genotype, 0.0); /* the pose as it is: the step is zero */
  memcpy(m.gradient, m.trial_gradient, (size_t)m.n * sizeof *m.gradient);
  keep(&m, genotype, xyz);
  iterate(&m, limits, genotype, xyz, &energy);
  *ret_energy = energy;
  return BT_OK;
}
