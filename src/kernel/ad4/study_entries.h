/* study_entries.h - the kernels of `berth bench reductions`. They do nothing where the compat header has no BT_STUDY. */
#ifndef BERTH_KERNEL_AD4_STUDY_ENTRIES_H
#define BERTH_KERNEL_AD4_STUDY_ENTRIES_H

/* ADADELTA as in bt_entry_adadelta; each block writes two counts to launch->energies: the cycles that its first wave
 * spent in sums (waiting for other waves included), and all of its cycles. */
BT_FUNCTION void bt_entry_cycles_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                      BT_SCRATCH float *memory) {
#ifdef BT_STUDY
  bt_device d = bt_device_open(arena, maps, launch, memory);
  long long sums = 0, all = -(long long)BT_CLOCK();
  d.scratch.study.cycles = &sums;
  bt_device_searches(&d, launch, BT_KERNEL_LS_ADADELTA);
  all += (long long)BT_CLOCK();
  if (BT_ITEM != 0) return;
  BT_GLOBAL bt_offset *to = (BT_GLOBAL bt_offset *)(arena + launch->energies) + 2 * BT_GROUP;
  to[0] = sums;
  to[1] = all;
#else
  (void)arena, (void)maps, (void)launch, (void)memory;
#endif
}

/* Energy and gradient of given poses, one per block. For each pose BT_LAUNCH_PARTIALS_REALS numbers from
 * launch->energies on: bt_study_partials; [n_bodies][6] force and moment of each body and all that moves with it, as the
 * team added them up; the energy. */
BT_FUNCTION void bt_entry_partials_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                        BT_SCRATCH float *memory) {
#ifdef BT_STUDY
  bt_device d = bt_device_open(arena, maps, launch, memory);
  int index = d.block_first < launch->count ? d.block_first : launch->count - 1;
  int n = d.data.sizes.n_atoms, n_bodies = d.data.sizes.n_bodies;
  BT_GLOBAL float *to = (BT_GLOBAL float *)(arena + launch->energies) +
                        (long)index * BT_LAUNCH_PARTIALS_REALS(n, n_bodies, BT_TEAM);
  bt_device_load(&d, d.genes, 0,
                 (const BT_GLOBAL float *)(arena + launch->genes) + (long)index * BT_GENES(d.data.sizes.n_torsions));
  BT_SYNC();
  d.scratch.study.partials = to;
  bt_real limit = bt_splat(d.parameters->force_limit);
  bt_real energy = bt_pose_energy_gradient(&d.data, d.parameters, limit, d.genes, d.scratch);
  to += BT_TEAM + 6 * n;
  BT_TEAM_FOR(b, n_bodies, d.rank) {
    for (int c = 0; c < 6; c++) {
      float sum = 0.0f;
      for (int k = BT_MOMENTS_FIRST(b, &d.data.bodies[b]); k < BT_MOMENTS_END(b, &d.data.bodies[b]); k++) 
        sum = sum + BT_AT(BT_MOMENT(&d.data, d.scratch, k), c);
      to[6 * b + c] = sum;
    }
  }
  if (d.rank == 0) to[6 * n_bodies] = energy;
#else
  (void)arena, (void)maps, (void)launch, (void)memory;
#endif
}

#endif
