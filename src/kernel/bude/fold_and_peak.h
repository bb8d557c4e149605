/* fold_and_peak.h - small kernels: the sum over a ligand's parts, and peak multiply-add throughput. */
#ifndef BERTH_KERNEL_BUDE_FOLD_AND_PEAK_H
#define BERTH_KERNEL_BUDE_FOLD_AND_PEAK_H

#include "launch.h"

/* One work-item per BT_LANES poses, over all ligands in sequence; parts are summed in fixed order, that of the atoms.
 */
BT_FUNCTION void bt_bude_fold_body(BT_GLOBAL char *arena, const bt_bude_launch *launch, BT_SCRATCH float *memory) {
  const int per_ligand = launch->stride / BT_LANES;
  const long index = (long)BT_GROUP * BT_ITEMS + BT_ITEM;
  (void)memory;
  if (index >= (long)launch->n_ligands * per_ligand) return;
  const int ligand = (int)(index / per_ligand), pose = (int)(index - (long)ligand * per_ligand) * BT_LANES;
  const BT_GLOBAL float *parts =
      (const BT_GLOBAL float *)(arena + launch->parts) + (long)ligand * launch->n_parts * launch->stride + pose;
  bt_real energy = bt_splat(0.0f);
  for (int part = 0; part < launch->n_parts; part++)
    energy = energy + bt_load(parts + (long)part * launch->stride);
  bt_store((BT_GLOBAL float *)(arena + launch->energies) + (long)ligand * launch->stride + pose,
                bt_select(bt_eq(energy, energy), energy, bt_splat(3.402823466e+38f)));
}

/* 2 * BT_BUDE_PEAK_CHAINS * BT_BUDE_PEAK_STEPS * launch->count operations per lane of each work-item: measures the
 * device's peak. */
#define BT_BUDE_PEAK_CHAINS 12
#define BT_BUDE_PEAK_STEPS 8
BT_FUNCTION void bt_bude_peak_body(BT_GLOBAL char *arena, const bt_bude_launch *launch, BT_SCRATCH float *memory) {
  bt_real chain[BT_BUDE_PEAK_CHAINS];
  const bt_real factor = bt_splat(1.0f - 1e-7f * launch->scale), step = bt_splat(1e-3f * launch->scale);
  (void)memory;
  BT_UNROLL for (int c = 0; c < BT_BUDE_PEAK_CHAINS; c++) chain[c] = bt_splat((float)(c + BT_ITEM));
  for (int i = 0; i < launch->count; i++)
    BT_UNROLL for (int s = 0; s < BT_BUDE_PEAK_STEPS; s++) BT_UNROLL for (int c = 0; c < BT_BUDE_PEAK_CHAINS; c++)
        chain[c] = bt_fma(chain[c], factor, step);
  bt_real sum = chain[0];
  BT_UNROLL for (int c = 1; c < BT_BUDE_PEAK_CHAINS; c++) sum = sum + chain[c];
  /* never true, but the compiler cannot tell */
  if (bt_any(bt_lt(sum, bt_splat(-1e30f)))) bt_store((BT_GLOBAL float *)(arena + launch->energies), sum);
}

#endif
