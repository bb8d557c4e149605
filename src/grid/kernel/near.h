/* near.h - sums over the atoms near a leaf, BT_LANES grid points at a time.
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
  bt_real sum, lowest, highest;
} hbond;

/* What every atom adds to; apart from the tile, so that it stays in registers. */
typedef struct sums {
  bt_real electrostatic, volume, solvation;
} sums;

typedef struct tile {
  const bt_grid_scene *scene;
  const bt_grid_leaf *leaf;
  int first; /* point of the leaf in lane 0 */
  bt_real px, py, pz;
  /* the closest hydrogen of each point and its bond */
  bt_int nearest;
  bt_real nearest_x, nearest_y, nearest_z;
  hbond *hbonds;               /* [probe] */
  float (*sums)[BT_LANES][BT_GRID_ROW_WIDTH]; /* [group] */
  int (*noted)[BT_LANES];         /* [NOTED] */
} tile;

/* A pair of BT_LANES points and one atom. */
typedef struct pairs {
  bt_real dx, dy, dz;    /* from the points to the atom */
  bt_real inverse;       /* 1/r */
  bt_int step;           /* floor(100 r), at least BT_GRID_OUTSIDE beyond 8 A */
  bt_int table;          /* the same, never more than BT_GRID_OUTSIDE */
} pairs;

/* Decides whether a distance is so close to a multiple of 0.01 A that single precision may select the wrong entry. */
static __attribute__((noinline)) bt_int exact_steps(const tile *t, int atom, unsigned doubtful, bt_int step) {
  for (int l = 0; l < BT_LANES; l++) {
    if ((doubtful >> l & 1u) == 0) continue;
    double r = bt_grid_exact_distance(t->scene, t->leaf, atom, t->first + l);
    step[l] = r <= 8.0 ? (int)(r * 100.0) : BT_GRID_OUTSIDE;
  }
  return step;
}

BT_FUNCTION pairs pair_up(const tile *t, const bt_grid_near_atom *a, int exact) {
  pairs p;
  p.dx = bt_splat(a->x) - t->px;
  p.dy = bt_splat(a->y) - t->py;
  p.dz = bt_splat(a->z) - t->pz;
  bt_real square = bt_max(p.dx * p.dx + p.dy * p.dy + p.dz * p.dz, bt_splat(1e-12f));
  p.inverse = reciprocal_root(square);
  bt_real steps = square * p.inverse * bt_splat(100.0f);
  p.step = min_int(bt_to_int(steps), bt_splat_int(BT_GRID_DISTANCE_ROWS - 1));
  if (!exact) return p;
  bt_real off = absolute(steps - bt_to_real(p.step) - bt_splat(0.5f));
  unsigned doubtful = bits(bt_and(bt_lt(bt_splat(t->scene->certain), off), bt_lt(steps, bt_splat(802.0f))));
  /* without doubt, step 800 begins beyond 8 A */
  p.step = bt_select_int(bt_eq_int(p.step, bt_splat_int(BT_GRID_OUTSIDE - 1)), bt_splat_int(BT_GRID_OUTSIDE), p.step);
  if (__builtin_expect(doubtful != 0, 0)) p.step = exact_steps(t, a->atom, doubtful, p.step);
  p.table = min_int(p.step, bt_splat_int(BT_GRID_OUTSIDE));
  return p;
}

BT_FUNCTION void add_charge(sums *sum, const bt_grid_near_atom *a, const pairs *p, bt_real screened) {
  sum->electrostatic += bt_splat(a->charge) * screened * bt_min(p->inverse, bt_splat(2.0f));
}

BT_FUNCTION void add_desolvation(sums *sum, const bt_grid_near_atom *a, bt_real gaussian) {
  sum->volume += bt_splat(a->volume) * gaussian;
  sum->solvation += bt_splat(a->solvation) * gaussian;
}

/* Adds the noted rows to the sums of every group of probes. */
static inline void add_rows(tile *t, int n_noted) {
  const bt_grid_tables *tables = t->scene->tables;
  for (int g = 0; g < tables->n_groups; g++) {
    const float *rows =
        tables->rows + (size_t)g * (size_t)tables->n_types * (size_t)(BT_GRID_ROWS * BT_GRID_ROW_WIDTH);
    row sum[BT_LANES];
    memcpy(sum, t->sums[g], sizeof sum);
    for (int n = 0; n < n_noted; n++) {
      BT_UNROLL
      for (int l = 0; l < BT_LANES; l++) {
        row energies;
        memcpy(&energies, rows + (unsigned)t->noted[n][l], sizeof energies);
        sum[l] += energies;
      }
    }
    memcpy(t->sums[g], sum, sizeof sum);
  }
}

BT_FUNCTION bt_real dot(const pairs *p, const float v[3]) {
  return (p->dx * bt_splat(v[0]) + p->dy * bt_splat(v[1]) + p->dz * bt_splat(v[2])) * p->inverse;
}

BT_FUNCTION bt_real limit(bt_real value) { return bt_min(bt_max(value, bt_splat(-1.0f)), bt_splat(1.0f)); }

/* Factor of a donor hydrogen: cos^2 or cos^4 of the angle between its bond and the direction to the point. */
BT_FUNCTION bt_real hydrogen_factor(const pairs *p, const bt_grid_direction *d) {
  bt_real cosine = bt_max(bt_splat(0.0f) - dot(p, d->axis), bt_splat(0.0f));
  bt_real square = cosine * cosine;
  return square * (square * bt_splat(d->quartic) + bt_splat(1.0f - d->quartic));
}

/* Weakening next to another hydrogen that is closer to the point; none where the hydrogen points away. */
BT_FUNCTION bt_real ramp_factor(const tile *t, int atom, const bt_grid_direction *d, bt_real factor) {
  bt_real cosine = limit(t->nearest_x * bt_splat(d->axis[0]) + t->nearest_y * bt_splat(d->axis[1]) +
                       t->nearest_z * bt_splat(d->axis[2]));
  bt_real half = root(bt_splat(0.5f) + bt_splat(0.5f) * cosine);
  bt_real value = polynomial(t->scene->tables->ramp, BT_GRID_RAMP_DEGREE, bt_splat(2.0f) * half - bt_splat(1.0f));
  value = bt_select(bt_eq_int(t->nearest, bt_splat_int(atom)), bt_splat(1.0f), value);
  return bt_select(bt_lt(bt_splat(0.0f), factor), value, bt_splat(1.0f));
}

BT_FUNCTION bt_real nitrogen_factor(const pairs *p, const bt_grid_direction *d) {
  bt_real cosine = bt_max(bt_splat(0.0f) - dot(p, d->axis), bt_splat(0.0f));
  return cosine * cosine;
}

/* Two lone pairs: a lobe in their plane, a tail behind the oxygen. u is the direction to the atom, n the normal. */
BT_FUNCTION bt_real oxygen_factor(const pairs *p, const bt_grid_direction *d) {
  bt_real ux = p->dx * p->inverse, uy = p->dy * p->inverse, uz = p->dz * p->inverse;
  bt_real nx = bt_splat(d->normal[0]), ny = bt_splat(d->normal[1]), nz = bt_splat(d->normal[2]);
  bt_real wx = uy * nz - uz * ny, wy = uz * nx - ux * nz, wz = ux * ny - uy * nx;
  bt_real square = wx * wx + wy * wy + wz * wz;
  bt_real out_of_plane = root(square + bt_splat(d->defect)); /* cosine of the angle out of the plane */
  bt_real in_plane = limit((wx * bt_splat(d->axis[0]) + wy * bt_splat(d->axis[1]) + wz * bt_splat(d->axis[2])) *
                         reciprocal_root(bt_max(square, bt_splat(1e-6f))));
  bt_real cosine = bt_splat(0.0f) - (ux * bt_splat(d->axis[0]) + uy * bt_splat(d->axis[1]) + uz * bt_splat(d->axis[2]));
  /* |sin 2t| of the angle t whose sine is in_plane */
  bt_real sine = bt_splat(2.0f) * absolute(in_plane) * root(bt_splat(1.0f) - in_plane * in_plane);
  bt_real front = bt_splat(0.9f) + bt_splat(0.1f) * sine;
  bt_real rest = bt_splat(0.116978f) - cosine * cosine;
  bt_real back = bt_splat(562.25f) * rest * rest * rest;
  back = bt_select(bt_lt(cosine, bt_splat(-0.34202f)), bt_splat(0.0f), back);
  return bt_select(bt_lt(cosine, bt_splat(0.0f)), back, front) * out_of_plane;
}

/* disorder_h: cos^4 of the deviation from the cone on which the hydrogen and the lone pairs lie, 71.5 degrees. */
BT_FUNCTION bt_real hydroxyl_factor(const pairs *p, const bt_grid_direction *d) {
  const float cos_cone = 0.317224f, sin_cone = 0.948351f; /* of 1.24791 radians */
  bt_real cosine = limit(bt_splat(0.0f) - dot(p, d->axis));
  bt_real deviation = cosine * bt_splat(cos_cone) + root(bt_splat(1.0f) - cosine * cosine) * bt_splat(sin_cone);
  bt_real square = bt_max(deviation, bt_splat(0.0f));
  square = square * square;
  return square * square;
}

/* Repulsion removes the angular dependence. */
BT_FUNCTION bt_real blend(bt_real factor, bt_real energy) {
  bt_real softness = bt_min(bt_max(energy * bt_splat(0.01f), bt_splat(0.0f)), bt_splat(1.0f));
  return factor + (bt_splat(1.0f) - factor) * softness;
}

BT_FUNCTION const float *directional_table(const tile *t, int probe) {
  const bt_grid_tables *tables = t->scene->tables;
  return tables->directional + (size_t)probe * (size_t)tables->n_types * (size_t)BT_GRID_ROWS;
}

/* Keeps the smallest and the largest energy of a list of probes with this atom. */
BT_FUNCTION void keep_extremes(tile *t, const bt_grid_probe_list *list, bt_int rows, bt_int table, bt_real factor) {
  bt_mask outside = bt_eq_int(table, bt_splat_int(BT_GRID_OUTSIDE));
  for (int i = 0; i < list->count; i++) {
    hbond *h = &t->hbonds[list->probes[i]];
    bt_real energy = bt_gather(directional_table(t, list->probes[i]), rows);
    energy = energy * blend(factor, energy);
    h->lowest = bt_min(h->lowest, bt_select(outside, bt_splat(NO_EXTREME), energy));
    h->highest = bt_max(h->highest, bt_select(outside, bt_splat(-NO_EXTREME), energy));
  }
}

BT_FUNCTION void add_donor(tile *t, const bt_grid_near_atom *a, const pairs *p, bt_real factor, bt_real ramp) {
  const bt_grid_tables *tables = t->scene->tables;
  bt_int rows = p->table + bt_splat_int(a->first_row);
  for (int i = 0; i < tables->acceptors.count; i++) {
    int probe = tables->acceptors.probes[i];
    bt_real energy = bt_gather(directional_table(t, probe), rows);
    t->hbonds[probe].sum += energy * ramp * blend(factor, energy);
  }
  keep_extremes(t, &tables->nitrogens, rows, p->table, factor);
}

BT_FUNCTION void add_acceptor(tile *t, const bt_grid_near_atom *a, const pairs *p, bt_real factor) {
  keep_extremes(t, &t->scene->tables->donors, p->table + bt_splat_int(a->first_row), p->table, factor);
}

/* All atoms of one kind; kind is a constant in every call, so that each kind gets a loop of its own. */
BT_FUNCTION void add_kind(tile *t, sums *sum, bt_grid_kind kind) {
  const bt_grid_tables *tables = t->scene->tables;
  int n_noted = 0;
  int first = kind == BT_GRID_PLAIN ? 0 : t->leaf->end[kind - 1];
  for (int i = first; i < t->leaf->end[kind]; i++) {
    const bt_grid_near_atom *a = &t->leaf->near[i];
    const bt_grid_direction *d = &t->scene->directions[a->atom];
    pairs p = pair_up(t, a, 1);
    bt_real screened, gaussian;
    gather_pairs(tables->by_distance, p.step, &screened, &gaussian);
    add_charge(sum, a, &p, screened);
    add_desolvation(sum, a, gaussian);
    bt_int rows = (p.table + bt_splat_int(a->first_row)) * bt_splat_int(BT_GRID_ROW_WIDTH);
    memcpy(t->noted[n_noted++], &rows, sizeof rows);
    switch (kind) {
      case BT_GRID_HYDROGEN: {
        bt_real factor = hydrogen_factor(&p, d);
        add_donor(t, a, &p, factor, ramp_factor(t, a->atom, d, factor));
        break;
      }
      case BT_GRID_SPHERICAL_DONOR: add_donor(t, a, &p, bt_splat(1.0f), bt_splat(1.0f)); break;
      case BT_GRID_NITROGEN: add_acceptor(t, a, &p, nitrogen_factor(&p, d)); break;
      case BT_GRID_OXYGEN: add_acceptor(t, a, &p, oxygen_factor(&p, d)); break;
      case BT_GRID_HYDROXYL: add_acceptor(t, a, &p, hydroxyl_factor(&p, d)); break;
      case BT_GRID_SPHERICAL_ACCEPTOR: add_acceptor(t, a, &p, bt_splat(1.0f)); break;
      default: break;
    }
    if (n_noted == NOTED) {
      add_rows(t, n_noted);
      n_noted = 0;
    }
  }
  add_rows(t, n_noted);
}

BT_FUNCTION void add_charges(const tile *t, sums *sum) {
  for (int i = 0; i < t->leaf->n_charges; i++) {
    const bt_grid_near_atom *a = &t->leaf->charges[i];
    pairs p = pair_up(t, a, 0);
    bt_real screened, gaussian;
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
BT_FUNCTION void find_nearest(tile *t) {
  const double *origin = t->leaf->origin;
  bt_real best = bt_splat(NO_EXTREME), second = bt_splat(NO_EXTREME);
  bt_int nearest = bt_splat_int(0);
  for (int i = 0; i < t->leaf->n_hydrogens; i++) {
    const double *x = t->scene->x[t->leaf->hydrogens[i]];
    bt_real dx = bt_splat((float)(x[0] - origin[0])) - t->px;
    bt_real dy = bt_splat((float)(x[1] - origin[1])) - t->py;
    bt_real dz = bt_splat((float)(x[2] - origin[2])) - t->pz;
    bt_real square = dx * dx + dy * dy + dz * dz;
    bt_mask closer = bt_lt(square, best);
    second = bt_min(second, bt_max(square, best));
    best = bt_min(best, square);
    nearest = bt_select_int(closer, bt_splat_int(t->leaf->hydrogens[i]), nearest);
  }
  int index[BT_LANES];
  memcpy(index, &nearest, sizeof index);
  unsigned doubtful = bits(bt_lt(second - best, best * bt_splat(1e-5f) + bt_splat(1e-4f)));
  float x[BT_LANES], y[BT_LANES], z[BT_LANES];
  for (int l = 0; l < BT_LANES; l++) {
    if (doubtful >> l & 1u) index[l] = exact_nearest(t, t->first + l);
    const bt_grid_direction *d = &t->scene->directions[index[l]];
    x[l] = d->axis[0];
    y[l] = d->axis[1];
    z[l] = d->axis[2];
  }
  memcpy(&t->nearest, index, sizeof index);
  t->nearest_x = bt_load(x);
  t->nearest_y = bt_load(y);
  t->nearest_z = bt_load(z);
}

#endif
