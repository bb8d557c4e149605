/* energy.h - BUDE's energy of rigid poses: every ligand atom with every receptor atom, no grids, no branches.
 *
 * A work-item holds BT_BUDE_POSES poses (vectors of poses on a CPU) and one part of a ligand. It places each ligand
 * atom in its poses and loops over the receptor, whose atoms are sorted into runs of equal behavior: the parameters of
 * a pair, all but the distance, are read once per run, and each kind of run has a loop without the terms that are zero.
 * A receptor atom, read once, serves all poses.
 *
 * The squared distance is |l|^2 + |p|^2 - 2 l.p, four operations instead of six; its rounding errors are far below the
 * tolerance of 0.025 %.
 *
 * In addition to the lane type (lane_math.h), BT_BUDE_POSES and BT_BUDE_WITHOUT, the back end's lane.h supplies:
 * BT_ITEM, BT_ITEMS, BT_GROUP; BT_SYNC(); BT_LOCAL_MEMORY (1: groups have local memory); bt_load and bt_store (BT_LANES
 * contiguous floats), bt_load_strided; BT_READ_FLOAT4 where a 16-byte load has to be requested explicitly; bt_root
 * (lane_math.h); BT_SATURATE(x), min(1, max(0, x)), where that is free.
 */
#ifndef BERTH_KERNEL_BUDE_ENERGY_H
#define BERTH_KERNEL_BUDE_ENERGY_H

#include "launch.h"

#define BT_BUDE_LARGEST 3.402823466e+38f

/* The distance in Angstrom from the square of scaled coordinates. */
BT_FUNCTION bt_real bt_bude_root(bt_real q) {
#if (BT_BUDE_WITHOUT) & BT_BUDE_WITHOUT_FAST
  return bt_sqrt(bt_max(q, bt_splat(0.0f)));
#else
  return bt_root(q);
#endif
}

/* From local or from global memory. */
#ifdef BT_READ_FLOAT4
BT_FUNCTION bt_bude_site bt_bude_read_site(const bt_bude_site *from) {
  BT_FLOAT4 four = BT_READ_FLOAT4(from);
  bt_bude_site site = {four.x, four.y, four.z, four.w};
  return site;
}
#else
#define bt_bude_read_site(from) (*(from)) /* sites are aligned, so this is one load */
#endif

/* Loop overhead is amortized over some 16 pairs. */
#if !BT_LOCAL_MEMORY
#define BT_BUDE_UNROLL_SITES
#elif BT_BUDE_POSES >= 16
#define BT_BUDE_UNROLL_SITES BT_UNROLL_BY(1)
#elif BT_BUDE_POSES >= 8
#define BT_BUDE_UNROLL_SITES BT_UNROLL_BY(2)
#else
#define BT_BUDE_UNROLL_SITES BT_UNROLL_BY(4)
#endif

/* Poses of one work-item; x, y, z: the current ligand atom's scaled coordinates, times -2 where squares are used. */
typedef struct bt_bude_poses {
  bt_real x[BT_BUDE_POSES], y[BT_BUDE_POSES], z[BT_BUDE_POSES], square[BT_BUDE_POSES];
  bt_real sum[BT_BUDE_POSES];
} bt_bude_poses;

/* sin and cos of any angle. */
BT_FUNCTION void bt_bude_sincos(bt_real angle, bt_real *ret_sin, bt_real *ret_cos) {
  bt_real s, c;
  bt_sincos_half(bt_wrap_angle(angle), &s, &c);
  *ret_sin = bt_splat(2.0f) * s * c;
  *ret_cos = bt_splat(1.0f) - bt_splat(2.0f) * s * s;
}

#if (BT_BUDE_WITHOUT) & BT_BUDE_WITHOUT_SOA
#define BT_BUDE_COMPONENT(poses, stride, pose, k) ((void)(stride), bt_load_strided((poses) + 6 * (pose) + (k), 6))
#else
#define BT_BUDE_COMPONENT(poses, stride, pose, k) bt_load((poses) + (long)(k) * (stride) + (pose))
#endif

/* Places an atom: R = Rz(c) Ry(b) Rx(a), then the translation. */
BT_FUNCTION void bt_bude_place(bt_bude_poses *mine, int k, const BT_GLOBAL float *poses, int stride, int pose,
                               const BT_GLOBAL bt_bude_atom *atom, float scale) {
  bt_real sa, ca, sb, cb, sc, cc;
  bt_bude_sincos(BT_BUDE_COMPONENT(poses, stride, pose, 0), &sa, &ca);
  bt_bude_sincos(BT_BUDE_COMPONENT(poses, stride, pose, 1), &sb, &cb);
  bt_bude_sincos(BT_BUDE_COMPONENT(poses, stride, pose, 2), &sc, &cc);
  bt_real px = bt_splat(atom->x), py = bt_splat(atom->y), pz = bt_splat(atom->z);
  bt_real y1 = ca * py - sa * pz, z1 = sa * py + ca * pz;
  bt_real x2 = cb * px + sb * z1, z2 = cb * z1 - sb * px;
  bt_real x = bt_splat(scale) * (cc * x2 - sc * y1 + BT_BUDE_COMPONENT(poses, stride, pose, 3));
  bt_real y = bt_splat(scale) * (sc * x2 + cc * y1 + BT_BUDE_COMPONENT(poses, stride, pose, 4));
  bt_real z = bt_splat(scale) * (z2 + BT_BUDE_COMPONENT(poses, stride, pose, 5));
#if (BT_BUDE_WITHOUT) & BT_BUDE_WITHOUT_SQUARE
  const bt_real factor = bt_splat(1.0f);
#else
  const bt_real factor = bt_splat(-2.0f);
#endif
  mine->x[k] = factor * x;
  mine->y[k] = factor * y;
  mine->z[k] = factor * z;
  mine->square[k] = x * x + y * y + z * z;
}

BT_FUNCTION bt_real bt_bude_distance(const bt_bude_poses *mine, int k, bt_bude_site site) {
#if (BT_BUDE_WITHOUT) & BT_BUDE_WITHOUT_SQUARE
  const bt_real x = mine->x[k] - bt_splat(site.x), y = mine->y[k] - bt_splat(site.y), z = mine->z[k] - bt_splat(site.z);
  return bt_bude_root(x * x + y * y + z * z);
#else
  /* in this order the sums become small early: errors of 1e-5 Angstrom^2 */
  bt_real q = bt_fma(mine->z[k], bt_splat(site.z), bt_splat(site.square));
  q = bt_fma(mine->y[k], bt_splat(site.y), q);
  q = bt_fma(mine->x[k], bt_splat(site.x), q);
  return bt_bude_root(q + mine->square[k]);
#endif
}

/* A back end that compiles at run time knows parameters that all types of the force field share. */
#ifdef BT_BUDE_HARDNESS
#define BT_BUDE_HARDNESS_OF(pair) ((float)(BT_BUDE_HARDNESS))
#else
#define BT_BUDE_HARDNESS_OF(pair) ((pair)->hardness)
#endif

/* Adds the terms of that kind at distance r to sum. */
BT_FUNCTION bt_real bt_bude_terms(bt_real sum, bt_real r, const int kind, const bt_bude_pair *pair) {
#ifdef BT_SATURATE
  sum =
      bt_fma(bt_splat(BT_BUDE_HARDNESS_OF(pair)), BT_SATURATE(bt_fma(bt_splat(-pair->slope), r, bt_splat(1.0f))), sum);
  if (kind & BT_BUDE_CHARGE)
    sum = bt_fma(bt_splat(pair->charge),
                 BT_SATURATE(bt_fma(bt_splat(-pair->charge_slope), r, bt_splat(pair->charge_offset))), sum);
  if (kind & BT_BUDE_DESOLVATION)
    sum = bt_fma(bt_splat(pair->desolvation),
                 BT_SATURATE(bt_fma(bt_splat(-pair->desolvation_slope), r, bt_splat(pair->desolvation_offset))), sum);
#else
  /* outside the core no ramp exceeds 1, so with r clamped there, one side of each limit suffices */
  bt_real outside = bt_max(r, bt_splat(pair->reach));
  sum = bt_fma(bt_splat(BT_BUDE_HARDNESS_OF(pair) * pair->slope), outside - r, sum);
  if (kind & BT_BUDE_CHARGE)
    sum = bt_fma(bt_splat(pair->charge),
                 bt_max(bt_splat(pair->charge_offset) - bt_splat(pair->charge_slope) * outside, bt_splat(0.0f)), sum);
  if (kind & BT_BUDE_DESOLVATION)
    sum = bt_fma(
        bt_splat(pair->desolvation),
        bt_max(bt_splat(pair->desolvation_offset) - bt_splat(pair->desolvation_slope) * outside, bt_splat(0.0f)), sum);
#endif
  return sum;
}

#if BT_LOCAL_MEMORY && !((BT_BUDE_WITHOUT)&BT_BUDE_WITHOUT_LOCAL)
#define BT_BUDE_STAGED 1
#define BT_BUDE_SITES const BT_SCRATCH bt_bude_site *
#else
#define BT_BUDE_STAGED 0
#define BT_BUDE_SITES const BT_GLOBAL bt_bude_site *
#endif

BT_FUNCTION void bt_bude_walk(bt_bude_poses *mine, const int kind, const bt_bude_pair *pair, BT_BUDE_SITES sites,
                              int count) {
  BT_BUDE_UNROLL_SITES for (int p = 0; p < count; p++) {
    bt_bude_site site = bt_bude_read_site(sites + p);
    BT_UNROLL for (int k = 0; k < BT_BUDE_POSES; k++) mine->sum[k] =
        bt_bude_terms(mine->sum[k], bt_bude_distance(mine, k, site), kind, pair);
  }
}

/* Evaluates the runs of the tile, from run on; returns the first run of the next tile. */
BT_FUNCTION int bt_bude_tile(bt_bude_poses *mine, const bt_bude_launch *launch, const BT_GLOBAL bt_bude_run *runs,
                             int run, const BT_GLOBAL bt_bude_pair *pairs, BT_BUDE_SITES sites, int first, int end) {
  for (; run < launch->n_runs && runs[run].first < end; run++) {
    const bt_bude_pair pair = pairs[run];
    const int count = runs[run].count;
    BT_BUDE_SITES of_run = sites + (runs[run].first - first);
#if (BT_BUDE_WITHOUT) & BT_BUDE_WITHOUT_KINDS
    bt_bude_walk(mine, BT_BUDE_CHARGE | BT_BUDE_DESOLVATION, &pair, of_run, count);
#else
    switch (pair.kind) {
      case 0: bt_bude_walk(mine, 0, &pair, of_run, count); break;
      case BT_BUDE_CHARGE: bt_bude_walk(mine, BT_BUDE_CHARGE, &pair, of_run, count); break;
      case BT_BUDE_DESOLVATION: bt_bude_walk(mine, BT_BUDE_DESOLVATION, &pair, of_run, count); break;
      default: bt_bude_walk(mine, BT_BUDE_CHARGE | BT_BUDE_DESOLVATION, &pair, of_run, count);
    }
#endif
  }
  return run;
}

/* The work of one work-item. */
typedef struct bt_bude_task {
  const BT_GLOBAL bt_bude_atom *atoms; /* of the ligand */
  int from, to;                        /* atoms of the part */
  const BT_GLOBAL float *poses;        /* of the ligand */
  int first, last;                     /* this work-item's first pose, and the last valid one */
} bt_bude_task;

/* Places an atom in the work-item's poses. The compiler must not know that the poses are the same for every atom, or it
 * would keep their matrices in the registers that the inner loop needs. */
BT_FUNCTION void bt_bude_place_all(bt_bude_poses *mine, const bt_bude_task *task, const bt_bude_launch *launch, int l) {
  BT_UNROLL for (int k = 0; k < BT_BUDE_POSES; k++) {
    const int pose = task->first + k * BT_ITEMS * BT_LANES;
    bt_bude_place(mine, k, task->poses + l * launch->zero, launch->stride, pose < task->last ? pose : task->last,
                  task->atoms + l, launch->scale);
  }
}

#if (BT_BUDE_WITHOUT) & (BT_BUDE_WITHOUT_RUNS | BT_BUDE_WITHOUT_TABLE | BT_BUDE_WITHOUT_SELECT)
#include "unoptimized.h"
#else
BT_FUNCTION void bt_bude_sum(bt_bude_poses *mine, BT_GLOBAL char *arena, const bt_bude_launch *launch,
                             const bt_bude_task *task, BT_SCRATCH float *memory) {
  const BT_GLOBAL bt_bude_site *all_sites = (const BT_GLOBAL bt_bude_site *)(arena + launch->receptor);
  const BT_GLOBAL bt_bude_run *runs = (const BT_GLOBAL bt_bude_run *)(arena + launch->runs);
  const BT_GLOBAL bt_bude_pair *pairs = (const BT_GLOBAL bt_bude_pair *)(arena + launch->pairs);
  int next_run = 0;
  for (int first = 0; first < launch->n_receptor; first += launch->tile) {
    const int end = first + launch->tile < launch->n_receptor ? first + launch->tile : launch->n_receptor;
    const int run = next_run;
#if BT_BUDE_STAGED
    BT_SCRATCH bt_bude_site *sites = (BT_SCRATCH bt_bude_site *)memory;
    if (first > 0) BT_SYNC();
    for (int p = BT_ITEM; p < end - first; p += BT_ITEMS) sites[p] = bt_bude_read_site(all_sites + first + p);
    BT_SYNC();
#else
    const BT_GLOBAL bt_bude_site *sites = all_sites + first;
    (void)memory;
#endif
    for (int l = task->from; l < task->to; l++) {
      bt_bude_place_all(mine, task, launch, l);
      next_run =
          bt_bude_tile(mine, launch, runs, run, pairs + (long)task->atoms[l].type * launch->n_runs, sites, first, end);
    }
  }
}
#endif

/* Groups: [ligand][part][block of poses]; pose k of a work-item lies BT_ITEMS after pose k - 1, so that accesses of
 * neighboring work-items are contiguous. Poses past the end repeat the last ones. */
BT_FUNCTION void bt_bude_energy_body(BT_GLOBAL char *arena, const bt_bude_launch *launch, BT_SCRATCH float *memory) {
  const int step = BT_ITEMS * BT_LANES, block = step * BT_BUDE_POSES;
  const int n_blocks = (launch->stride + block - 1) / block;
  const int unit = BT_GROUP / n_blocks;
  const int ligand = unit / launch->n_parts, part = unit - ligand * launch->n_parts;
  const bt_bude_extent extent = ((const BT_GLOBAL bt_bude_extent *)(arena + launch->ligands))[ligand];
  bt_bude_task task;
  task.atoms = (const BT_GLOBAL bt_bude_atom *)(arena + launch->atoms) + extent.first;
  task.from = part * launch->part_atoms;
  task.to = task.from + launch->part_atoms < extent.count ? task.from + launch->part_atoms : extent.count;
  task.poses = (const BT_GLOBAL float *)(arena + launch->poses) + (long)ligand * 6 * launch->stride;
  task.first = (BT_GROUP - unit * n_blocks) * block + BT_ITEM * BT_LANES;
  task.last = launch->stride - (BT_ITEMS - BT_ITEM) * BT_LANES;

  bt_bude_poses mine;
  BT_UNROLL for (int k = 0; k < BT_BUDE_POSES; k++) mine.sum[k] = bt_splat(0.0f);
  bt_bude_sum(&mine, arena, launch, &task, memory);

  BT_GLOBAL float *parts = (BT_GLOBAL float *)(arena + launch->parts);
  BT_GLOBAL float *energies = (BT_GLOBAL float *)(arena + launch->energies) + (long)ligand * launch->stride;
  if (launch->n_parts > 1) parts += ((long)ligand * launch->n_parts + part) * launch->stride;
  BT_UNROLL for (int k = 0; k < BT_BUDE_POSES; k++) {
    int pose = task.first + k * step;
    if (pose > task.last) pose = task.last;
    bt_real energy = mine.sum[k];
    if (launch->n_parts > 1)
      bt_store(parts + pose, energy);
    else
      bt_store(energies + pose, bt_select(bt_eq(energy, energy), energy, bt_splat(BT_BUDE_LARGEST)));
  }
}

#endif
