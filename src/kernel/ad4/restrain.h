/* restrain.h - restraints: the constraints that users put on poses. src/pose/restraints.h has the equation, and the same
 * in double precision.
 *
 * In a team every rank looks at all contacts, which are few, and adds to the gradients of its own atoms (those that it
 * clears), so that nothing has to be waited for; a restraint of a single contact is its atom's rank's alone.
 */
#ifndef BERTH_KERNEL_AD4_RESTRAIN_H
#define BERTH_KERNEL_AD4_RESTRAIN_H

#ifndef BT_RARE /* a function that few ligands need: out of line where inlining would cost all others registers */
#define BT_RARE BT_FUNCTION
#endif

/* A contact in a pose. */
typedef struct bt_contact_state {
  bt_real miss;       /* A from being made */
  bt_real gx, gy, gz; /* how that grows with the atom's position */
} bt_contact_state;

BT_FUNCTION bt_contact_state bt_contact_evaluate(const bt_kernel_contact *contact, const BT_SCRATCH bt_real *xyz) {
  bt_contact_state state;
  bt_real zero = bt_splat(0.0f);
  bt_real dx = BT_AT(xyz, 3 * contact->atom) - bt_splat(contact->x);
  bt_real dy = BT_AT(xyz, 3 * contact->atom + 1) - bt_splat(contact->y);
  bt_real dz = BT_AT(xyz, 3 * contact->atom + 2) - bt_splat(contact->z);
  bt_real r = bt_sqrt(dx * dx + dy * dy + dz * dz + bt_splat(1e-12f));
  bt_real above = r - bt_splat(contact->most), below = bt_splat(contact->least) - r;
  bt_real inverse = bt_rcp(r);
  bt_real along = bt_select_zero(bt_lt(zero, above), inverse) - bt_select_zero(bt_lt(zero, below), inverse);
  state.miss = bt_max(bt_max(above, below), zero);
  state.gx = along * dx;
  state.gy = along * dy;
  state.gz = along * dz;
  return state;
}

/* Adds the pull of the nearest contact, that of atom `of`, to the gradient of this rank's atoms. */
BT_FUNCTION void bt_restraint_pull(const bt_kernel_data *data, const bt_kernel_restraint *restraint, bt_int of,
                                   const bt_contact_state *pull, bt_pose_scratch scratch) {
  int last = -1;
  for (int c = restraint->first; c < restraint->end; c++) {
    int atom = data->contacts[c].atom;
    if (atom == last || atom % BT_TEAM != scratch.rank) continue;
    last = atom;
    bt_mask mine = bt_eq_int(of, bt_splat_int(atom));
    BT_SCRATCH bt_real *gradient = &BT_AT(scratch.atom_gradient, 3 * atom);
    BT_AT(gradient, 0) = BT_AT(gradient, 0) + bt_select_zero(mine, pull->gx);
    BT_AT(gradient, 1) = BT_AT(gradient, 1) + bt_select_zero(mine, pull->gy);
    BT_AT(gradient, 2) = BT_AT(gradient, 2) + bt_select_zero(mine, pull->gz);
  }
}

BT_FUNCTION bt_real bt_restraint_energy(const bt_kernel_data *data, const bt_kernel_restraint *restraint,
                                        bt_pose_scratch scratch, int with_gradient) {
  bt_real width = bt_splat(BT_KERNEL_RESTRAINT_WIDTH), force = bt_splat(restraint->force);
  bt_contact_state best = {bt_splat(BT_KERNEL_NO_LIMIT), bt_splat(0.0f), bt_splat(0.0f), bt_splat(0.0f)};
  bt_int of = bt_splat_int(0);
  for (int c = restraint->first; c < restraint->end; c++) {
    bt_kernel_contact contact = data->contacts[c];
    bt_contact_state state = bt_contact_evaluate(&contact, scratch.xyz);
    bt_mask nearer = bt_lt(state.miss, best.miss);
    best.miss = bt_select(nearer, state.miss, best.miss);
    if (!with_gradient) continue;
    best.gx = bt_select(nearer, state.gx, best.gx);
    best.gy = bt_select(nearer, state.gy, best.gy);
    best.gz = bt_select(nearer, state.gz, best.gz);
    of = bt_select_int(nearer, bt_splat_int(contact.atom), of);
  }
  bt_real root = bt_sqrt(best.miss * best.miss + width * width);
  if (with_gradient) {
    bt_real slope = force * best.miss * bt_rcp(root);
    best.gx = slope * best.gx;
    best.gy = slope * best.gy;
    best.gz = slope * best.gz;
    bt_restraint_pull(data, restraint, of, &best, scratch);
  }
  return force * (root - width);
}

/* This rank's share of all restraints; adds to atom_gradient[3 n_atoms] on request. The coordinates must be visible to
 * all ranks, and no other rank may write the gradients of this one's atoms meanwhile. */
BT_RARE bt_real bt_restraints_energy(const bt_kernel_data *data, bt_pose_scratch scratch, int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  for (int k = 0; k < data->sizes.n_restraints; k++) {
    bt_kernel_restraint restraint = data->restraints[k];
    int single = restraint.end - restraint.first == 1;
    int owner = (single ? data->contacts[restraint.first].atom : k) % BT_TEAM;
    if (single && owner != scratch.rank) continue;
    bt_real term = bt_restraint_energy(data, &restraint, scratch, with_gradient);
    if (owner == scratch.rank) energy = energy + term;
  }
  return energy;
}

#endif
