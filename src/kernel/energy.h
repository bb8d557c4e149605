/* energy.h - what the search minimises: energy of a pose, and its gradient in genes. */
#ifndef BERTH_KERNEL_ENERGY_H
#define BERTH_KERNEL_ENERGY_H

/* Scratch memory of one pose. */
typedef struct bt_pose_scratch {
  bt_real *xyz;           /* [3 n_atoms] */
  bt_real *orientation;   /* [4 n_bodies] */
  bt_real *atom_gradient; /* [3 n_atoms] */
  bt_real *moment;        /* [6 n_bodies] */
} bt_pose_scratch;

BT_FUNCTION bt_real bt_pose_energy(const BT_UNIFORM bt_kernel_data *data, const bt_real *genes,
                                   bt_pose_scratch scratch) {
  bt_pose_coordinates(data, genes, scratch.xyz, scratch.orientation);
  bt_real intra = bt_intra_energy(data, scratch.xyz, scratch.atom_gradient, 0); /* prefetches maps: so it comes first */
  return intra + bt_inter_energy(data, scratch.xyz, scratch.atom_gradient, 0);
}

/* gene_gradient[BT_DOFS]. */
BT_FUNCTION bt_real bt_pose_energy_gradient(const BT_UNIFORM bt_kernel_data *data, const bt_real *genes,
                                            bt_pose_scratch scratch, bt_real *gene_gradient) {
  bt_pose_coordinates(data, genes, scratch.xyz, scratch.orientation);
  for (int k = 0; k < 3 * data->n_atoms; k++) BT_AT(scratch.atom_gradient, k) = bt_splat(0.0f);
  bt_real energy = bt_intra_energy(data, scratch.xyz, scratch.atom_gradient, 1);
  energy = energy + bt_inter_energy(data, scratch.xyz, scratch.atom_gradient, 1);
  bt_pose_gradient(data, genes, scratch.xyz, scratch.atom_gradient, scratch.moment, gene_gradient);
  return energy;
}

#endif
