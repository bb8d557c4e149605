/* near.h - sums over the atoms near a leaf, LANES grid points at a time.
 *
 * Two passes share the work. The first, lane by lane, finds distances, electrostatics, desolvation and hydrogen bonds,
 * and notes the row of the pair tables for every pair. The second adds these rows, each of which holds the energies of
 * up to eight probes: one load and one addition serve eight maps, without a gather.
 */
#ifndef BERTH_GRID_KERNEL_NEAR_H
#define BERTH_GRID_KERNEL_NEAR_H

#include <stdbool.h>

#include "grid/kernel/job.h"
#include "grid/kernel/lanes.h"

enum { NOTED = 128 }; /* atoms whose rows are noted before they are added */
static const float NO_EXTREME = 1e30f;

typedef float row __attribute__((vector_size(4 * BT_GRID_ROW_WIDTH)));

/* Directional energies of one probe. */
typedef struct hbond {
  reals sum, lowest, highest;
} hbond;

/* What every atom adds to; apart from the tile, so that it stays in registers. */
typedef struct sums {
  reals electrostatic, volume, solvation;
} sums;

typedef struct tile {
  const bt_grid_scene *scene;
  const bt_grid_leaf *leaf;
  int first; /* point of the leaf in lane 0 */
  reals px, py, pz;
  /* the closest hydrogen of each point and its bond */
  ints nearest;
  reals nearest_x, nearest_y, nearest_z;
  hbond *hbonds;               /* [probe] */
  float (*sums)[LANES][BT_GRID_ROW_WIDTH]; /* [group] */
  int (*noted)[LANES];         /* [NOTED] */
} tile;

/* A pair of LANES points and one atom. */
typedef struct pairs {
  reals dx, dy, dz;    /* from the points to the atom */
  reals inverse;       /* 1/r */
  ints step;           /* floor(100 r), at least BT_GRID_OUTSIDE beyond 8 A */
  ints table;          /* the same, never more than BT_GRID_OUTSIDE */
} pairs;

/* Decides where a distance lies so near to a multiple of 0.01 A that single precision might take the wrong entry. */
static __attribute__((noinline)) ints exact_steps(const tile *t, int atom, unsigned doubtful, ints step) {
  for (int l = 0; l < LANES; l++) {
    if ((doubtful >> l & 1u) == 0) continue;
    double r = bt_grid_exact_distance(t->scene, t->leaf, atom, t->first + l);
    step[l] = r <= 8.0 ? (int)(r * 100.0) : BT_GRID_OUTSIDE;
  }
  return step;
}

INLINE pairs pair_up(const tile *t, const bt_grid_near_atom *a, int exact) {
  pairs p;
  p.dx = splat(a->x) - t->px;
  p.dy = splat(a->y) - t->py;
  p.dz = splat(a->z) - t->pz;
  reals square = larger(p.dx * p.dx + p.dy * p.dy + p.dz * p.dz, splat(1e-12f));
  p.inverse = reciprocal_root(square);
  reals steps = square * p.inverse * splat(100.0f);
  p.step = smaller_int(truncate(steps), splat_int(BT_GRID_DISTANCE_ROWS - 1));
  if (!exact) return p;
  unsigned doubtful = bits(both(less(splat(t->scene->certain), absolute(steps - to_real(p.step) - splat(0.5f))),
                                less(steps, splat(802.0f))));
  /* without doubt, step 800 begins beyond 8 A */
  p.step = choose_int(equal_int(p.step, splat_int(BT_GRID_OUTSIDE - 1)), splat_int(BT_GRID_OUTSIDE), p.step);
  if (__builtin_expect(doubtful != 0, 0)) p.step = exact_steps(t, a->atom, doubtful, p.step);
  p.table = smaller_int(p.step, splat_int(BT_GRID_OUTSIDE));
  return p;
}

INLINE void add_charge(sums *sum, const bt_grid_near_atom *a, const pairs *p, reals screened) {
  sum->electrostatic += splat(a->charge) * screened * smaller(p->inverse, splat(2.0f));
}

INLINE void add_desolvation(sums *sum, const bt_grid_near_atom *a, reals gaussian) {
  sum->volume += splat(a->volume) * gaussian;
  sum->solvation += splat(a->solvation) * gaussian;
}

/* Adds the noted rows to the sums of every group of probes. */
static inline void add_rows(tile *t, int n_noted) {
  const bt_grid_tables *tables = t->scene->tables;
  for (int g = 0; g < tables->n_groups; g++) {
    const float *rows =
        tables->rows + (size_t)g * (size_t)tables->n_types * (size_t)(BT_GRID_ROWS * BT_GRID_ROW_WIDTH);
    row sum[LANES];
    memcpy(sum, t->sums[g], sizeof sum);
    for (int n = 0; n < n_noted; n++) {
      UNROLL
      for (int l = 0; l < LANES; l++) {
        row energies;
        memcpy(&energies, rows + (unsigned)t->noted[n][l], sizeof energies);
        sum[l] += energies;
      }
    }
    memcpy(t->sums[g], sum, sizeof sum);
  }
}

INLINE reals dot(const pairs *p, const float v[3]) {
  return (p->dx * splat(v[0]) + p->dy * splat(v[1]) + p->dz * splat(v[2])) * p->inverse;
}

INLINE reals limit(reals value) { return smaller(larger(value, splat(-1.0f)), splat(1.0f)); }

/* Factor of a donor hydrogen: cos^2 or cos^4 of the angle between its bond and the direction to the point. */
INLINE reals hydrogen_factor(const pairs *p, const bt_grid_direction *d) {
  reals cosine = larger(splat(0.0f) - dot(p, d->axis), splat(0.0f));
  reals square = cosine * cosine;
  return square * (square * splat(d->quartic) + splat(1.0f - d->quartic));
}

/* Weakening next to another hydrogen that is closer to the point; none where the hydrogen points away. */
INLINE reals ramp_factor(const tile *t, int atom, const bt_grid_direction *d, reals factor) {
  reals cosine = limit(t->nearest_x * splat(d->axis[0]) + t->nearest_y * splat(d->axis[1]) +
                       t->nearest_z * splat(d->axis[2]));
  reals half = root(splat(0.5f) + splat(0.5f) * cosine);
  reals value = polynomial(t->scene->tables->ramp, BT_GRID_RAMP_DEGREE, splat(2.0f) * half - splat(1.0f));
  value = choose(equal_int(t->nearest, splat_int(atom)), splat(1.0f), value);
  return choose(less(splat(0.0f), factor), value, splat(1.0f));
}

INLINE reals nitrogen_factor(const pairs *p, const bt_grid_direction *d) {
  reals cosine = larger(splat(0.0f) - dot(p, d->axis), splat(0.0f));
  return cosine * cosine;
}

/* Two lone pairs: a lobe in their plane, a tail behind the oxygen. u is the direction to the atom, n the normal. */
INLINE reals oxygen_factor(const pairs *p, const bt_grid_direction *d) {
  reals ux = p->dx * p->inverse, uy = p->dy * p->inverse, uz = p->dz * p->inverse;
  reals nx = splat(d->normal[0]), ny = splat(d->normal[1]), nz = splat(d->normal[2]);
  reals wx = uy * nz - uz * ny, wy = uz * nx - ux * nz, wz = ux * ny - uy * nx;
  reals square = wx * wx + wy * wy + wz * wz;
  reals out_of_plane = root(square + splat(d->defect)); /* cosine of the angle out of the plane */
  reals in_plane = limit((wx * splat(d->axis[0]) + wy * splat(d->axis[1]) + wz * splat(d->axis[2])) *
                         reciprocal_root(larger(square, splat(1e-6f))));
  reals cosine = splat(0.0f) - (ux * splat(d->axis[0]) + uy * splat(d->axis[1]) + uz * splat(d->axis[2]));
  /* |sin 2t| of the angle t whose sine is in_plane */
  reals sine = splat(2.0f) * absolute(in_plane) * root(splat(1.0f) - in_plane * in_plane);
  reals front = splat(0.9f) + splat(0.1f) * sine;
  reals rest = splat(0.116978f) - cosine * cosine;
  reals back = splat(562.25f) * rest * rest * rest;
  back = choose(less(cosine, splat(-0.34202f)), splat(0.0f), back);
  return choose(less(cosine, splat(0.0f)), back, front) * out_of_plane;
}

/* disorder_h: cos^4 of the deviation from the cone on which the hydrogen and the lone pairs lie, 71.5 degrees. */
INLINE reals hydroxyl_factor(const pairs *p, const bt_grid_direction *d) {
  const float cos_cone = 0.317224f, sin_cone = 0.948351f; /* of 1.24791 radians */
  reals cosine = limit(splat(0.0f) - dot(p, d->axis));
  reals deviation = cosine * splat(cos_cone) + root(splat(1.0f) - cosine * cosine) * splat(sin_cone);
  reals square = larger(deviation, splat(0.0f));
  square = square * square;
  return square * square;
}

/* Repulsion removes the angular dependence. */
INLINE reals blend(reals factor, reals energy) {
  reals softness = smaller(larger(energy * splat(0.01f), splat(0.0f)), splat(1.0f));
  return factor + (splat(1.0f) - factor) * softness;
}

INLINE const float *directional_table(const tile *t, int probe) {
  const bt_grid_tables *tables = t->scene->tables;
  return tables->directional + (size_t)probe * (size_t)tables->n_types * (size_t)BT_GRID_ROWS;
}

/* Keeps the smallest and the largest energy of a list of probes with this atom. */
INLINE void keep_extremes(tile *t, const bt_grid_probe_list *list, ints rows, ints table, reals factor) {
  mask outside = equal_int(table, splat_int(BT_GRID_OUTSIDE));
  for (int i = 0; i < list->count; i++) {
    hbond *h = &t->hbonds[list->probes[i]];
    reals energy = gather(directional_table(t, list->probes[i]), rows);
    energy = energy * blend(factor, energy);
    h->lowest = smaller(h->lowest, choose(outside, splat(NO_EXTREME), energy));
    h->highest = larger(h->highest, choose(outside, splat(-NO_EXTREME), energy));
  }
}

INLINE void add_donor(tile *t, const bt_grid_near_atom *a, const pairs *p, reals factor, reals ramp) {
  const bt_grid_tables *tables = t->scene->tables;
  ints rows = p->table + splat_int(a->first_row);
  for (int i = 0; i < tables->acceptors.count; i++) {
    int probe = tables->acceptors.probes[i];
    reals energy = gather(directional_table(t, probe), rows);
    t->hbonds[probe].sum += energy * ramp * blend(factor, energy);
  }
  keep_extremes(t, &tables->nitrogens, rows, p->table, factor);
}

INLINE void add_acceptor(tile *t, const bt_grid_near_atom *a, const pairs *p, reals factor) {
  keep_extremes(t, &t->scene->tables->donors, p->table + splat_int(a->first_row), p->table, factor);
}

/* All atoms of one kind; kind is a constant in every call, so that each kind gets a loop of its own. */
INLINE void add_kind(tile *t, sums *sum, bt_grid_kind kind) {
  const bt_grid_tables *tables = t->scene->tables;
  int n_noted = 0;
  int first = kind == BT_GRID_PLAIN ? 0 : t->leaf->end[kind - 1];
  for (int i = first; i < t->leaf->end[kind]; i++) {
    const bt_grid_near_atom *a = &t->leaf->near[i];
    const bt_grid_direction *d = &t->scene->directions[a->atom];
    pairs p = pair_up(t, a, 1);
    reals screened, gaussian;
    gather_pairs(tables->by_distance, p.step, &screened, &gaussian);
    add_charge(sum, a, &p, screened);
    add_desolvation(sum, a, gaussian);
    store_int(t->noted[n_noted++], (p.table + splat_int(a->first_row)) * splat_int(BT_GRID_ROW_WIDTH));
    switch (kind) {
      case BT_GRID_HYDROGEN: {
        reals factor = hydrogen_factor(&p, d);
        add_donor(t, a, &p, factor, ramp_factor(t, a->atom, d, factor));
        break;
      }
      case BT_GRID_SPHERICAL_DONOR: add_donor(t, a, &p, splat(1.0f), splat(1.0f)); break;
      case BT_GRID_NITROGEN: add_acceptor(t, a, &p, nitrogen_factor(&p, d)); break;
      case BT_GRID_OXYGEN: add_acceptor(t, a, &p, oxygen_factor(&p, d)); break;
      case BT_GRID_HYDROXYL: add_acceptor(t, a, &p, hydroxyl_factor(&p, d)); break;
      case BT_GRID_SPHERICAL_ACCEPTOR: add_acceptor(t, a, &p, splat(1.0f)); break;
      default: break;
    }
    if (n_noted == NOTED) {
      add_rows(t, n_noted);
      n_noted = 0;
    }
  }
  add_rows(t, n_noted);
}

INLINE void add_charges(const tile *t, sums *sum) {
  for (int i = 0; i < t->leaf->n_charges; i++) {
    const bt_grid_near_atom *a = &t->leaf->charges[i];
    pairs p = pair_up(t, a, 0);
    reals screened, gaussian;
    gather_pairs(t->scene->tables->by_distance, p.step, &screened, &gaussian);
    add_charge(sum, a, &p, screened);
  }
}

/* The candidate nearest to a point in double precision; the first of equals. */
static __attribute__((noinline)) int exact_nearest(const tile *t, int point) {
  int nearest = 0;
  double best = 999999.0;
  for (int i = 0; i < t->leaf->n_hydrogens; i++) {
    double r = bt_grid_exact_distance(t->scene, t->leaf, t->leaf->hydrogens[i], point);
    if (r < best) {
      best = r;
      nearest = t->leaf->hydrogens[i];
    }
  }
  return nearest;
}

/* Finds the closest hydrogen of every point; the leaf's candidates include it. */
INLINE void find_nearest(tile *t) {
  const double *origin = t->leaf->origin;
  reals best = splat(NO_EXTREME), second = splat(NO_EXTREME);
  ints nearest = splat_int(0);
  for (int i = 0; i < t->leaf->n_hydrogens; i++) {
    const double *x = t->scene->x[t->leaf->hydrogens[i]];
    reals dx = splat((float)(x[0] - origin[0])) - t->px;
    reals dy = splat((float)(x[1] - origin[1])) - t->py;
    reals dz = splat((float)(x[2] - origin[2])) - t->pz;
    reals square = dx * dx + dy * dy + dz * dz;
    mask closer = less(square, best);
    second = smaller(second, larger(square, best));
    best = smaller(best, square);
    nearest = choose_int(closer, splat_int(t->leaf->hydrogens[i]), nearest);
  }
  int index[LANES];
  store_int(index, nearest);
  unsigned doubtful = bits(less(second - best, best * splat(1e-5f) + splat(1e-4f)));
  float x[LANES], y[LANES], z[LANES];
  for (int l = 0; l < LANES; l++) {
    if (doubtful >> l & 1u) index[l] = exact_nearest(t, t->first + l);
    const bt_grid_direction *d = &t->scene->directions[index[l]];
    x[l] = d->axis[0];
    y[l] = d->axis[1];
    z[l] = d->axis[2];
  }
  t->nearest = load_int(index);
  t->nearest_x = load(x);
  t->nearest_y = load(y);
  t->nearest_z = load(z);
}

#endif
