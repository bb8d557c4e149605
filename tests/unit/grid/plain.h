/* plain.h - maps at one point in plain double precision, written directly from AutoGrid's rules: no cells, no
 * interpolation, no vectors. The reference for the kernels. */
#ifndef BERTH_TESTS_GRID_PLAIN_H
#define BERTH_TESTS_GRID_PLAIN_H

#include <math.h>

#include "grid/receptor/receptor.h"
#include "grid/tables/tables.h"

typedef struct plain_maps {
  const bt_grid_receptor *receptor;
  const bt_ad4_table *table;
  const bt_ad4_type *probes[32];
  int n_probes;
  double dielectric; /* as in bt_grid_options */
  double (*tables)[32][BT_GRID_PAIR_ROWS]; /* [probe][receptor type] */
} plain_maps;

static inline void plain_start(plain_maps *plain, double smooth) {
  plain->tables = calloc(sizeof plain->probes / sizeof *plain->probes, sizeof *plain->tables);
  assert_non_null(plain->tables);
  assert_true(plain->receptor->n_types <= 32);
  for (int p = 0; p < plain->n_probes; p++)
    for (int t = 0; t < plain->receptor->n_types; t++) {
      bt_ad4_pair pair = bt_ad4_weighted_pair_law(&plain->table->weights, plain->probes[p], plain->receptor->types[t]);
      bt_grid_pair_table(&pair, smooth, plain->tables[p][t]);
    }
}

static inline double plain_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double plain_limit(double x) { return fmin(1.0, fmax(-1.0, x)); }

static inline int plain_nearest_hydrogen(const bt_grid_receptor *receptor, const double c[3]) {
  int nearest = 0;
  double best = 999999.0;
  for (int i = 0; i < receptor->n_atoms; i++) {
    int code = bt_grid_hbond(receptor, &receptor->atoms[i]);
    if (code != 1 && code != 2) continue;
    double d[3];
    for (int axis = 0; axis < 3; axis++) d[axis] = receptor->atoms[i].x[axis] - c[axis];
    double r = sqrt(plain_dot(d, d));
    if (r < best) {
      best = r;
      nearest = i;
    }
  }
  return nearest;
}

/* Angular factors of atom a towards the point; u is the unit vector from the point to the atom. */
static inline void plain_factors(const bt_grid_receptor *receptor, int a, int nearest, const double u[3], double *acc,
                                 double *don, double *ramp) {
  const double pi = acos(-1.0);
  const bt_grid_atom *atom = &receptor->atoms[a];
  double cosine = -plain_dot(u, atom->axis);
  *acc = *don = *ramp = 1.0;
  switch (bt_grid_hbond(receptor, atom)) {
    case 2:
      *acc = cosine <= 0.0 ? 0.0 : atom->power == 0 ? cosine : pow(cosine, atom->power);
      if (cosine > 0.0 && a != nearest) {
        double angle = acos(plain_limit(plain_dot(receptor->atoms[nearest].axis, atom->axis)));
        *ramp = 0.5 - 0.5 * cos(angle * 120.0 / 90.0);
      }
      break;
    case 4: *don = cosine <= 0.0 ? 0.0 : cosine * cosine; break;
    case 5: {
      if (atom->disordered) {
        double angle = acos(plain_limit(cosine));
        *don = angle <= 1.24791 + pi / 2.0 ? pow(cos(angle - 1.24791), 4.0) : 0.0;
        break;
      }
      const double *n = atom->normal;
      double t0 = pi / 2.0 - acos(plain_limit(plain_dot(u, n)));
      double w[3] = {u[1] * n[2] - u[2] * n[1], u[2] * n[0] - u[0] * n[2], u[0] * n[1] - u[1] * n[0]};
      double length = sqrt(fmax(1e-6, plain_dot(w, w)));
      double ti = fabs(acos(plain_limit(plain_dot(w, atom->axis) / length)) - pi / 2.0);
      if (cosine >= 0.0)
        *don = (0.9 + 0.1 * sin(2.0 * ti)) * cos(t0);
      else if (cosine >= -0.34202)
        *don = 562.25 * pow(0.116978 - cosine * cosine, 3.0) * cos(t0);
      else
        *don = 0.0;
      break;
    }
    default: break;
  }
}

/* Values of all probes, then electrostatics, then desolvation, at c (in the frame of the receptor). */
static inline void plain_point(const plain_maps *plain, const double c[3], double *ret_values) {
  const bt_grid_receptor *receptor = plain->receptor;
  int n = plain->n_probes, nearest = plain_nearest_hydrogen(receptor, c);
  double lowest[32], highest[32];
  for (int p = 0; p < n + 2; p++) ret_values[p] = 0.0;
  for (int p = 0; p < n; p++) lowest[p] = 1e30, highest[p] = -1e30;
  for (int a = 0; a < receptor->n_atoms; a++) {
    const bt_grid_atom *atom = &receptor->atoms[a];
    const bt_ad4_type *type = receptor->types[atom->type];
    double d[3];
    for (int axis = 0; axis < 3; axis++) d[axis] = atom->x[axis] - c[axis];
    double r = fmax(1e-6, sqrt(plain_dot(d, d)));
    int k = (int)(r * 100.0), charge_k = k < 16383 ? k : 16383;
    double epsilon = plain->dielectric > 0.0 ? plain->dielectric
                     : charge_k == 0         ? 1.0
                                             : bt_ad4_dielectric(charge_k / 100.0);
    ret_values[n] += atom->charge / fmax(r, 0.5) * 332.0 / epsilon * plain->table->weights.electrostatic;
    if (r > 8.0 || (atom->disordered && type->hbond == 2)) continue;
    double u[3] = {d[0] / r, d[1] / r, d[2] / r}, acc, don, ramp;
    plain_factors(receptor, a, nearest, u, &acc, &don, &ramp);
    double gaussian =
        k == 0 ? 0.0 : plain->table->weights.desolvation * exp(-(k / 100.0) * (k / 100.0) / (2.0 * 3.6 * 3.6));
    bool donor = type->hbond == 1 || type->hbond == 2, acceptor = type->hbond >= 3;
    for (int p = 0; p < n; p++) {
      const bt_ad4_type *probe = plain->probes[p];
      double e = plain->tables[p][atom->type][k], soft = fmin(1.0, fmax(0.0, e / 100.0));
      if ((probe->hbond == 3 || probe->hbond == 5) && donor) {
        ret_values[p] += e * ramp * (acc + (1.0 - acc) * soft);
      } else if ((probe->hbond == 4 && donor) || ((probe->hbond == 1 || probe->hbond == 2) && acceptor)) {
        double factor = probe->hbond == 4 ? acc : don;
        double z = e * (factor + (1.0 - factor) * soft);
        lowest[p] = fmin(lowest[p], z);
        highest[p] = fmax(highest[p], z);
      } else {
        ret_values[p] += e;
      }
      ret_values[p] += gaussian * (probe->solvation * type->volume +
                                   (type->solvation + 0.01097 * fabs(atom->charge)) * probe->volume);
    }
    ret_values[n + 1] += 0.01097 * type->volume * gaussian;
  }
  for (int p = 0; p < n; p++)
    if (lowest[p] < 1e29) ret_values[p] += lowest[p] + highest[p];
}

#endif
