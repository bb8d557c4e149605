/* study_entries.h - the kernels of `berth bench reductions`. They do nothing where the compat header has no BT_STUDY.
 */
#ifndef BERTH_KERNEL_LGA_STUDY_STUDY_ENTRIES_H
#define BERTH_KERNEL_LGA_STUDY_STUDY_ENTRIES_H

/* ADADELTA as in bt_entry_adadelta; each block writes two counts to launch->energies: the cycles that its first wave
 * spent in sums (including waiting for other waves), and its total cycles. */
BT_FUNCTION void bt_entry_cycles_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                      BT_SCRATCH float *memory) {
#ifdef BT_STUDY
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  long long sums = 0, all = -(long long)BT_CLOCK();
  w.scratch.study.cycles = &sums;
  bt_search_all(&w, launch, BT_KERNEL_LS_ADADELTA);
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
 * launch->energies on: bt_study_partials; [n_bodies][6] the team's sums of force and moment over each body's subtree;
 * the energy. */
BT_FUNCTION void bt_entry_partials_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                        BT_SCRATCH float *memory) {
#ifdef BT_STUDY
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  int index = w.block_first < launch->count ? w.block_first : launch->count - 1;
  int n = w.data.sizes.n_atoms, n_bodies = w.data.sizes.n_bodies;
  BT_GLOBAL float *to =
      (BT_GLOBAL float *)(arena + launch->energies) + (long)index * BT_LAUNCH_PARTIALS_REALS(n, n_bodies, BT_TEAM);
  bt_item_load(&w, w.genes, 0,
               (const BT_GLOBAL float *)(arena + launch->genes) + (long)index * BT_GENES(w.data.sizes.n_torsions));
  BT_SYNC();
  w.scratch.study.partials = to;
  bt_real limit = bt_splat(w.parameters->force_limit);
  bt_real energy = bt_pose_energy_gradient(&w.data, w.parameters, limit, w.genes, w.scratch);
  to += BT_TEAM + 6 * n;
  BT_TEAM_FOR(b, n_bodies, w.rank) {
    for (int c = 0; c < 6; c++) {
      float sum = 0.0f;
      for (int k = BT_MOMENTS_FIRST(b, &w.data.bodies[b]); k < BT_MOMENTS_END(b, &w.data.bodies[b]); k++)
        sum = sum + BT_AT(BT_MOMENT(&w.data, w.scratch, k), c);
      to[6 * b + c] = sum;
    }
  }
  if (w.rank == 0) to[6 * n_bodies] = energy;
#else
  (void)arena, (void)maps, (void)launch, (void)memory;
#endif
}

#endif
