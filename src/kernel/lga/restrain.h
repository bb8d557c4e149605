/* restrain.h - restraints: the constraints that users put on poses. src/pose/restraints.h has the equation, and the same
 * in double precision.
 *
 * In a team every rank looks at the contacts of its own atoms (those whose gradients it clears), and the rank with the
 * nearest one adds to energy and gradient; a restraint of a single contact is its atom's rank's alone.
 */
#ifndef BERTH_KERNEL_LGA_RESTRAIN_H
#define BERTH_KERNEL_LGA_RESTRAIN_H

#ifndef BT_RARE /* a function that few ligands need: out of line where inlining would cost all others registers */
#define BT_RARE BT_FUNCTION
#endif

/* What these functions need, by value: the address of a bt_kernel_data, whose members otherwise lie in registers, would
 * put it into memory. */
typedef struct bt_restraint_scene {
  const BT_GLOBAL bt_kernel_contact *contacts;
  const BT_SCRATCH bt_real *xyz;
  BT_SCRATCH bt_real *gradient, *sums; /* sums: a number of each rank */
  int rank;
} bt_restraint_scene;

/* The contact of a restraint that is nearest to being made. */
typedef struct bt_contact_state {
  bt_int index;
  bt_real r, miss; /* A; miss: from being made */
  bt_real order;   /* the nearer the contact, the smaller */
} bt_contact_state;

BT_FUNCTION bt_real bt_contact_square(bt_kernel_contact contact, const BT_SCRATCH bt_real *xyz) {
  bt_real dx = BT_AT(xyz, 3 * contact.atom) - bt_splat(contact.x);
  bt_real dy = BT_AT(xyz, 3 * contact.atom + 1) - bt_splat(contact.y);
  bt_real dz = BT_AT(xyz, 3 * contact.atom + 2) - bt_splat(contact.z);
  return bt_fma(dx, dx, bt_fma(dy, dy, dz * dz));
}

/* The contacts of this rank's atoms. */
#define BT_CONTACTS_FOR(c, scene, restraint)                                                           \
  for (int first = (restraint).first; first < (restraint).end; first = (scene).contacts[first].end)    \
    if ((scene).contacts[first].atom % BT_TEAM == (scene).rank)                                        \
      for (int c = first; c < (scene).contacts[first].end; c++)

/* Without a least distance the shortest is the nearest: one square root for all. */
BT_FUNCTION bt_contact_state bt_contact_shortest(bt_restraint_scene scene, bt_kernel_restraint restraint) {
  bt_contact_state best;
  bt_real square = bt_splat(BT_KERNEL_NO_LIMIT);
  best.index = bt_splat_int(restraint.first);
  BT_CONTACTS_FOR(c, scene, restraint) {
    bt_real r2 = bt_contact_square(scene.contacts[c], scene.xyz);
    bt_mask nearer = bt_lt(r2, square);
    square = bt_min(r2, square);
    best.index = bt_select_int(nearer, bt_splat_int(c), best.index);
  }
  best.r = bt_sqrt(bt_max(square, bt_splat(1e-12f)));
  best.miss = bt_max(best.r - bt_splat(restraint.most), bt_splat(0.0f));
  best.order = square;
  return best;
}

BT_FUNCTION bt_contact_state bt_contact_nearest(bt_restraint_scene scene, bt_kernel_restraint restraint) {
  bt_contact_state best;
  best.index = bt_splat_int(restraint.first);
  best.r = best.miss = bt_splat(BT_KERNEL_NO_LIMIT);
  BT_CONTACTS_FOR(c, scene, restraint) {
    bt_real r = bt_sqrt(bt_max(bt_contact_square(scene.contacts[c], scene.xyz), bt_splat(1e-12f)));
    bt_real miss = bt_max(bt_splat(restraint.least) - r, bt_max(r - bt_splat(restraint.most), bt_splat(0.0f)));
    bt_mask nearer = bt_lt(miss, best.miss);
    best.miss = bt_min(miss, best.miss);
    best.r = bt_select(nearer, r, best.r);
    best.index = bt_select_int(nearer, bt_splat_int(c), best.index);
  }
  best.order = best.miss;
  return best;
}

/* Is this rank's contact the nearest of all ranks? Of equal ones that of the lowest rank is. */
BT_FUNCTION bt_mask bt_contact_is_nearest(bt_restraint_scene scene, bt_real order) {
#if BT_TEAM == 1
  (void)scene;
  return bt_eq(order, order);
#else
  BT_AT(scene.sums, scene.rank) = order;
  BT_SYNC();
  bt_mask nearest = bt_eq(order, order);
  for (int r = 0; r < BT_TEAM; r++) {
    bt_real other = BT_AT(scene.sums, r);
    nearest = bt_and(nearest, bt_not(r < scene.rank ? bt_not(bt_lt(order, other)) : bt_lt(other, order)));
  }
  BT_SYNC(); /* before the next one writes */
  return nearest;
#endif
}

/* Adds the pull of the nearest contact to the gradients of this rank's atoms; along: force by distance, above zero where
 * it is too long. */
BT_FUNCTION void bt_restraint_pull(bt_restraint_scene scene, bt_kernel_restraint restraint, bt_int index,
                                   bt_real along) {
  const BT_GLOBAL float *points = (const BT_GLOBAL float *)scene.contacts + 1; /* behind each atom's number */
  bt_int at = index * bt_splat_int((int)(sizeof(bt_kernel_contact) / sizeof(float)));
  bt_real px = bt_gather(points, at), py = bt_gather(points + 1, at), pz = bt_gather(points + 2, at);
  for (int first = restraint.first, end; first < restraint.end; first = end) {
    int atom = scene.contacts[first].atom;
    end = scene.contacts[first].end;
    if (atom % BT_TEAM != scene.rank) continue;
    bt_mask mine = bt_and(bt_lt_int(bt_splat_int(first - 1), index), bt_lt_int(index, bt_splat_int(end)));
    bt_real pull = bt_select_zero(mine, along);
    BT_SCRATCH bt_real *gradient = &BT_AT(scene.gradient, 3 * atom);
    const BT_SCRATCH bt_real *x = &BT_AT(scene.xyz, 3 * atom);
    BT_AT(gradient, 0) = bt_fma(pull, BT_AT(x, 0) - px, BT_AT(gradient, 0));
    BT_AT(gradient, 1) = bt_fma(pull, BT_AT(x, 1) - py, BT_AT(gradient, 1));
    BT_AT(gradient, 2) = bt_fma(pull, BT_AT(x, 2) - pz, BT_AT(gradient, 2));
  }
}

/* This rank's share. alone: no other rank has a contact. */
BT_FUNCTION bt_real bt_restraint_energy(bt_restraint_scene scene, bt_kernel_restraint restraint, int alone,
                                        int with_gradient) {
  bt_real width = bt_splat(BT_KERNEL_RESTRAINT_WIDTH), force = bt_splat(restraint.force);
  bt_contact_state best = restraint.least > 0.0f ? bt_contact_nearest(scene, restraint)
                                                 : bt_contact_shortest(scene, restraint);
  bt_mask mine = alone ? bt_eq(width, width) : bt_contact_is_nearest(scene, best.order);
  bt_real root = bt_sqrt(bt_fma(best.miss, best.miss, width * width));
  if (with_gradient) {
    bt_real slope = force * best.miss * bt_rcp(root * best.r), zero = bt_splat(0.0f);
    bt_mask shorter = bt_lt(best.r, bt_splat(restraint.least));
    bt_real along = bt_select(shorter, zero - slope, slope);
    bt_restraint_pull(scene, restraint, best.index, bt_select_zero(mine, along));
  }
  return bt_select_zero(mine, force * (root - width));
}

/* This rank's share of n restraints; adds to gradient[3 n_atoms] on request. */
BT_RARE bt_real bt_restraints_sum(const BT_GLOBAL bt_kernel_restraint *restraints, int n,
                                  const BT_GLOBAL bt_kernel_contact *contacts, const BT_SCRATCH bt_real *xyz,
                                  BT_SCRATCH bt_real *gradient, BT_SCRATCH bt_real *sums, int rank,
                                  int with_gradient) {
  bt_restraint_scene scene = {contacts, xyz, gradient, sums, rank};
  bt_real energy = bt_splat(0.0f);
  for (int k = 0; k < n; k++) {
    bt_kernel_restraint restraint = restraints[k];
    int alone = BT_TEAM == 1 || restraint.end - restraint.first == 1;
    if (BT_TEAM > 1 && alone && contacts[restraint.first].atom % BT_TEAM != rank) continue;
    energy = energy + bt_restraint_energy(scene, restraint, alone, with_gradient);
  }
  return energy;
}

/* Of a pose. The coordinates must be visible to all ranks, and no other rank may write the gradients of this one's atoms
 * meanwhile. Syncs, all ranks alike. */
BT_FUNCTION bt_real bt_restraints_energy(const bt_kernel_data *data, bt_pose_scratch scratch, int with_gradient) {
  return bt_restraints_sum(data->restraints, data->sizes.n_restraints, data->contacts, scratch.xyz,
                           scratch.atom_gradient, scratch.sums, scratch.rank, with_gradient);
}

#endif
