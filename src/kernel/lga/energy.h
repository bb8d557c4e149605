/* energy.h - the objective function: energy of a pose, and its gradient with respect to the genes.
 *
 * The parameters hold the wall around the box. The gradient is exact where no force reaches the limit, in kcal/mol/A.
 * All ranks of a team get the same energy. The genes must be visible to all ranks (BT_SYNC before), and so are the
 * results: callers sync before they change genes that other ranks read.
 */
#ifndef BERTH_KERNEL_LGA_ENERGY_H
#define BERTH_KERNEL_LGA_ENERGY_H

/* Starts streaming the rank's first pairs. */
BT_FUNCTION void bt_energy_open(const bt_kernel_data *data, bt_pose_scratch scratch, bt_stream *stream) {
#ifdef BT_STREAM
  if (data->sizes.n_phases > 0) bt_stream_open(stream, scratch.stream, &data->pairs[data->slots[scratch.rank].pair]);
#else
  (void)data, (void)scratch;
  *stream = 0;
#endif
}

BT_FUNCTION bt_real bt_pose_energy(const bt_kernel_data *data, const BT_GLOBAL bt_search_parameters *parameters,
                                   const BT_STATE bt_real *genes, bt_pose_scratch scratch) {
  bt_stream stream;
  bt_energy_open(data, scratch, &stream);
  bt_pose_coordinates(data, genes, scratch);
  bt_real intra = bt_intra_energy(data, scratch, &stream, bt_splat(0.0f), 0); /* first, because it prefetches the maps
                                                                               */
  if (data->sizes.n_restraints > 0) intra = intra + bt_restraints_energy(data, scratch, 0);
  return bt_team_sum(intra + bt_inter_energy(data, parameters, bt_splat(0.0f), scratch, 0), scratch);
}

/* Leaves in scratch what bt_pose_gradient_unit needs, visible to all ranks. with_energy is a compile-time constant;
 * without it the energy returned is zero. */
BT_FUNCTION bt_real bt_pose_gradient(const bt_kernel_data *data, const BT_GLOBAL bt_search_parameters *parameters,
                                     bt_real limit, const BT_STATE bt_real *genes, bt_pose_scratch scratch,
                                     int with_energy) {
  bt_stream stream;
  bt_energy_open(data, scratch, &stream);
  bt_pose_coordinates(data, genes, scratch);
  int n = data->sizes.n_atoms;
#if BT_TEAM_TILES /* every rank clears and fills the gradients of its own atoms */
  BT_TEAM_FOR(i, n, scratch.rank) {
    for (int copy = 0; copy < data->sizes.n_gradients; copy++)
      for (int c = 0; c < 3; c++) BT_AT(scratch.atom_gradient, 3 * (i + copy * n) + c) = bt_splat(0.0f);
  }
  bt_real energy = bt_inter_energy(data, parameters, limit, scratch, 1);
  if (data->sizes.n_restraints > 0) energy = energy + bt_restraints_energy(data, scratch, 1);
  BT_SYNC();
  energy = energy + bt_intra_energy(data, scratch, &stream, limit, 1);
#else
  for (int k = 0; k < 3 * n; k++) BT_AT(scratch.atom_gradient, k) = bt_splat(0.0f);
  bt_real energy = bt_intra_energy(data, scratch, &stream, limit, 1);
  energy = energy + bt_inter_energy(data, parameters, limit, scratch, 1);
  if (data->sizes.n_restraints > 0) energy = energy + bt_restraints_energy(data, scratch, 1);
#endif
  if (!with_energy) energy = bt_splat(0.0f);
  BT_STUDY_PARTIALS(data, genes, energy, scratch);
#if BT_TEAM_SEVEN /* only the seven sums are timed, as in the papers */
  bt_real seven[BT_SEVEN];
  bt_seven_partials(data, genes, energy, scratch, seven);
  BT_STUDY_BEGIN(scratch);
  bt_seven_sums(seven, scratch);
  BT_STUDY_END(scratch);
  bt_pose_moments(data, genes, scratch);
  BT_SYNC();
  bt_pose_subtrees(data, scratch);
  bt_seven_store(seven, scratch);
  BT_SYNC();
  return seven[6];
#else
  BT_STUDY_BEGIN(scratch);
#if BT_TEAM_MATRIX
  energy = bt_team_matrix_sums(data, genes, energy, scratch);
#else
  bt_pose_moments(data, genes, scratch);
  energy = bt_team_sum(energy, scratch); /* its sync makes the moments visible, too */
#if BT_TEAM_SUBTREES
  bt_pose_subtrees(data, scratch);
  BT_SYNC();
#endif
#endif
  BT_STUDY_END(scratch);
  return energy;
#endif
}

/* Energy and gradient, for gradient-based local search. */
BT_FUNCTION bt_real bt_pose_energy_gradient(const bt_kernel_data *data,
                                            const BT_GLOBAL bt_search_parameters *parameters,
                                            bt_real limit, const BT_STATE bt_real *genes, bt_pose_scratch scratch) {
#if BT_STUDY_SEPARATE
  bt_real energy = bt_pose_energy(data, parameters, genes, scratch);
  BT_SYNC(); /* all ranks have read the sum and the coordinates */
  bt_pose_gradient(data, parameters, limit, genes, scratch, 0);
  return energy;
#else
  return bt_pose_gradient(data, parameters, limit, genes, scratch, 1);
#endif
}

#endif
