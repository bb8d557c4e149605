/* pose.h - from genes to coordinates: rigid bodies composed along the torsion tree, then atoms transformed once. */
#ifndef BERTH_KERNEL_LGA_POSE_H
#define BERTH_KERNEL_LGA_POSE_H

/* Offset of a fragment's scratch numbers in the gradients. */
BT_FUNCTION int bt_fragment_scratch(const bt_kernel_data *data, int scratch) {
  int end = 3 * data->sizes.n_atoms;
  return scratch < end ? scratch : scratch + end * (data->sizes.n_gradients - 1); /* behind all copies */
}

/* Frame of a rigid body: its orientation and its reference origin. */
typedef struct bt_frame {
  bt_quaternion q;
  bt_real x, y, z;
} bt_frame;

/* Frame of the ligand's root, of a sliding root, or of the immobile body, whose atoms hold absolute positions. */
BT_FUNCTION bt_frame bt_frame_of_root(const BT_STATE bt_real *genes, int immobile, int slide) {
  bt_frame f;
  if (immobile || slide > 0) {
    f.q.x = f.q.y = f.q.z = f.x = f.y = f.z = bt_splat(0.0f);
    f.q.w = bt_splat(1.0f);
    if (immobile) return f;
    f.x = BT_AT(genes, slide);
    f.y = BT_AT(genes, slide + 1);
    f.z = BT_AT(genes, slide + 2);
    return f;
  }
  f.q.x = BT_AT(genes, BT_GENE_QUATERNION);
  f.q.y = BT_AT(genes, BT_GENE_QUATERNION + 1);
  f.q.z = BT_AT(genes, BT_GENE_QUATERNION + 2);
  f.q.w = BT_AT(genes, BT_GENE_QUATERNION + 3);
  f.x = BT_AT(genes, BT_GENE_POSITION);
  f.y = BT_AT(genes, BT_GENE_POSITION + 1);
  f.z = BT_AT(genes, BT_GENE_POSITION + 2);
  return f;
}

/* Rotation about an axis of the reference frame, given sine and cosine of half the angle. */
BT_FUNCTION bt_quaternion bt_turn(bt_real sine, bt_real cosine, float ux, float uy, float uz) {
  bt_quaternion turn;
  turn.x = sine * bt_splat(ux);
  turn.y = sine * bt_splat(uy);
  turn.z = sine * bt_splat(uz);
  turn.w = cosine;
  return turn;
}

/* Composes frames: inner is given within the frame (q, x, y, z). */
BT_FUNCTION bt_frame bt_frame_within(bt_quaternion q, bt_real x, bt_real y, bt_real z, bt_frame inner) {
  bt_frame f;
  bt_matrix m = bt_matrix_from_quaternion(q);
  f.x = x + m.xx * inner.x + m.xy * inner.y + m.xz * inner.z;
  f.y = y + m.yx * inner.x + m.yy * inner.y + m.yz * inner.z;
  f.z = z + m.zx * inner.x + m.zy * inner.y + m.zz * inner.z;
  f.q = bt_quaternion_multiply(q, inner.q);
  return f;
}

/* Atoms [first, end) of a body. */
BT_FUNCTION void bt_frame_place(const bt_kernel_data *data, bt_frame frame, int first, int end,
                                BT_SCRATCH bt_real *xyz) {
  bt_matrix m = bt_matrix_from_quaternion(frame.q);
  for (int i = first; i < end; i++) {
    bt_kernel_atom atom = data->atoms[i];
    bt_real x = bt_splat(atom.x), y = bt_splat(atom.y), z = bt_splat(atom.z);
    BT_AT(xyz, 3 * i) = frame.x + m.xx * x + m.xy * y + m.xz * z;
    BT_AT(xyz, 3 * i + 1) = frame.y + m.yx * x + m.yy * y + m.yz * z;
    BT_AT(xyz, 3 * i + 2) = frame.z + m.zx * x + m.zy * y + m.zz * z;
  }
}

#if BT_TEAM == 1

/* Body by body: each stores its orientation for its children. */
BT_FUNCTION void bt_pose_fragment(const bt_kernel_data *data, bt_kernel_fragment fragment,
                                  const BT_STATE bt_real *genes, BT_SCRATCH bt_real *xyz,
                                  BT_SCRATCH bt_real *orientations) {
  bt_kernel_body body = data->bodies[fragment.body];
  BT_SCRATCH bt_real *orientation = &BT_AT(orientations, bt_fragment_scratch(data, fragment.scratch));
  bt_frame frame;
  if (body.immobile || body.torsion < 0) {
    frame = bt_frame_of_root(genes, body.immobile, body.slide);
  } else {
    bt_quaternion parent;
    bt_real sine, cosine;
    int above = data->fragments[data->bodies[body.parent].first_fragment].scratch;
    const BT_SCRATCH bt_real *from = &BT_AT(orientations, bt_fragment_scratch(data, above));
    parent.x = BT_AT(from, 0);
    parent.y = BT_AT(from, 1);
    parent.z = BT_AT(from, 2);
    parent.w = BT_AT(from, 3);
    bt_sincos_half(BT_AT(genes, BT_GENE_TORSION + body.torsion), &sine, &cosine);
    frame.q = bt_quaternion_multiply(parent, bt_turn(sine, cosine, body.ux, body.uy, body.uz));
    frame.x = BT_AT(xyz, 3 * body.axis_from);
    frame.y = BT_AT(xyz, 3 * body.axis_from + 1);
    frame.z = BT_AT(xyz, 3 * body.axis_from + 2);
  }
  if (fragment.first_atom == body.first_atom) {
    BT_AT(orientation, 0) = frame.q.x;
    BT_AT(orientation, 1) = frame.q.y;
    BT_AT(orientation, 2) = frame.q.z;
    BT_AT(orientation, 3) = frame.q.w;
  }
  bt_frame_place(data, frame, fragment.first_atom, fragment.end_atom, xyz);
}

/* genes[BT_GENES] to scratch.xyz, along the torsion tree. */
BT_FUNCTION void bt_pose_coordinates(const bt_kernel_data *data, const BT_STATE bt_real *genes,
                                     bt_pose_scratch scratch) {
  for (int p = 0; p < data->sizes.n_fragments; p++)
    bt_pose_fragment(data, data->fragments[p], genes, scratch.xyz, scratch.atom_gradient);
}

#else

/* Frame of a body by walking up to the root; turns[2 n_torsions] holds sine and cosine of half of each torsion. */
BT_FUNCTION bt_frame bt_frame_of_body(const bt_kernel_data *data, int body, const BT_STATE bt_real *genes,
                                      const BT_SCRATCH bt_real *turns) {
  bt_frame frame = bt_frame_of_root(genes, 1, 0); /* the identity */
  int b = body;
  for (int torsion = data->bodies[b].torsion; torsion >= 0; torsion = data->bodies[b].torsion) {
    bt_quaternion turn = bt_turn(BT_AT(turns, 2 * torsion), BT_AT(turns, 2 * torsion + 1), data->bodies[b].ux,
                                 data->bodies[b].uy, data->bodies[b].uz);
    bt_real x = bt_splat(data->bodies[b].x), y = bt_splat(data->bodies[b].y), z = bt_splat(data->bodies[b].z);
    frame = bt_frame_within(turn, x, y, z, frame);
    b = data->bodies[b].parent;
  }
  bt_frame root = bt_frame_of_root(genes, data->bodies[b].immobile, data->bodies[b].slide);
  return bt_frame_within(root.q, root.x, root.y, root.z, frame);
}

/* genes[BT_GENES] to scratch.xyz. Every rank walks all the way from each of its fragments to the root, which costs
 * arithmetic but avoids a sync at every level of the tree. The genes must be visible to all ranks (BT_SYNC before);
 * afterwards the coordinates are. */
BT_FUNCTION void bt_pose_coordinates(const bt_kernel_data *data, const BT_STATE bt_real *genes,
                                     bt_pose_scratch scratch) {
  BT_SCRATCH bt_real *turns = scratch.atom_gradient; /* large enough: every torsion moves an atom, which has 3 */
  BT_TEAM_FOR(t, data->sizes.n_torsions, scratch.rank) {
    bt_real sine, cosine;
    bt_sincos_half(BT_AT(genes, BT_GENE_TORSION + t), &sine, &cosine);
    BT_AT(turns, 2 * t) = sine;
    BT_AT(turns, 2 * t + 1) = cosine;
  }
  BT_SYNC();
  BT_TEAM_FOR(k, data->sizes.n_fragments, scratch.rank) {
    bt_kernel_fragment fragment = data->by_depth[k];
    bt_frame frame = bt_frame_of_body(data, fragment.body, genes, turns);
    bt_frame_place(data, frame, fragment.first_atom, fragment.end_atom, scratch.xyz);
  }
  BT_SYNC();
}

#endif

/* The genes of one unit: four for the orientation, otherwise x alone. */
typedef bt_quaternion bt_unit_genes;

BT_FUNCTION bt_unit_genes bt_unit_load(int unit, const BT_STATE bt_real *genes) {
  bt_unit_genes g;
  int k = BT_UNIT_GENE(unit);
  g.x = g.y = g.z = g.w = BT_AT(genes, k);
  if (unit == BT_UNIT_ORIENTATION) {
    g.y = BT_AT(genes, k + 1);
    g.z = BT_AT(genes, k + 2);
    g.w = BT_AT(genes, k + 3);
  }
  return g;
}

BT_FUNCTION void bt_unit_store(int unit, bt_unit_genes g, BT_STATE bt_real *genes) {
  int k = BT_UNIT_GENE(unit);
  BT_AT(genes, k) = g.x;
  if (unit != BT_UNIT_ORIENTATION) return;
  BT_AT(genes, k + 1) = g.y;
  BT_AT(genes, k + 2) = g.z;
  BT_AT(genes, k + 3) = g.w;
}

/* Only in the lanes of mask. */
BT_FUNCTION void bt_unit_store_some(int unit, bt_mask mask, bt_unit_genes g, BT_STATE bt_real *genes) {
#ifdef BT_MASK_IS_BOOL
  if (mask) bt_unit_store(unit, g, genes);
#else
  bt_unit_genes old = bt_unit_load(unit, genes);
  old.x = bt_select(mask, g.x, old.x);
  old.y = bt_select(mask, g.y, old.y);
  old.z = bt_select(mask, g.z, old.z);
  old.w = bt_select(mask, g.w, old.w);
  bt_unit_store(unit, old, genes);
#endif
}

/* Whether a unit is a coordinate of a position, in Angstrom: of the ligand, or of a sliding root. */
BT_FUNCTION int bt_unit_is_length(const bt_kernel_data *data, int unit) {
  return unit < BT_UNIT_ORIENTATION || unit >= BT_UNITS(data->sizes.n_torsions) - data->sizes.n_slides;
}

/* One unit moved by a step: position + d, rotation vector d applied on the left, torsion + d (wrapped). is_length: see
 * bt_unit_is_length. */
BT_FUNCTION bt_unit_genes bt_unit_step(int unit, int is_length, bt_unit_genes g, bt_real dx, bt_real dy, bt_real dz) {
  if (is_length)
    g.x = g.x + dx;
  else if (unit == BT_UNIT_ORIENTATION)
    g = bt_quaternion_normalize(bt_quaternion_multiply(bt_quaternion_from_vector(dx, dy, dz), g));
  else
    g.x = bt_wrap_angle(g.x + dx);
  return g;
}

/* Force and moment (about the ligand's center) of each fragment's atoms. Atom gradients must be visible to all ranks.
 */
BT_FUNCTION void bt_pose_moments(const bt_kernel_data *data, const BT_STATE bt_real *genes, bt_pose_scratch scratch) {
  bt_real cx = BT_AT(genes, 0), cy = BT_AT(genes, 1), cz = BT_AT(genes, 2);
  BT_TEAM_FOR(p, data->sizes.n_fragments, scratch.rank) {
    bt_kernel_fragment fragment = data->fragments[p];
    bt_real fx = bt_splat(0.0f), fy = fx, fz = fx, mx = fx, my = fx, mz = fx;
    for (int i = fragment.first_atom; i < fragment.end_atom; i++) {
      bt_real gx = BT_AT(scratch.atom_gradient, 3 * i), gy = BT_AT(scratch.atom_gradient, 3 * i + 1);
      bt_real gz = BT_AT(scratch.atom_gradient, 3 * i + 2);
#if BT_TEAM > 1
      for (int copy = 1; copy < data->sizes.n_gradients; copy++) {
        int at = 3 * (i + copy * data->sizes.n_atoms);
        gx = gx + BT_AT(scratch.atom_gradient, at);
        gy = gy + BT_AT(scratch.atom_gradient, at + 1);
        gz = gz + BT_AT(scratch.atom_gradient, at + 2);
      }
#endif
      bt_real x = BT_AT(scratch.xyz, 3 * i) - cx, y = BT_AT(scratch.xyz, 3 * i + 1) - cy;
      bt_real z = BT_AT(scratch.xyz, 3 * i + 2) - cz;
      fx = fx + gx;
      fy = fy + gy;
      fz = fz + gz;
      mx = mx + (y * gz - z * gy);
      my = my + (z * gx - x * gz);
      mz = mz + (x * gy - y * gx);
    }
#if BT_TEAM_SUBTREES
    BT_SCRATCH bt_real *moment = &BT_AT(scratch.moments, 6 * p);
#else
    BT_SCRATCH bt_real *moment = &BT_AT(scratch.atom_gradient, bt_fragment_scratch(data, fragment.scratch));
#endif
    BT_AT(moment, 0) = fx; /* in a small team this overwrites gradients already summed */
    BT_AT(moment, 1) = fy;
    BT_AT(moment, 2) = fz;
    BT_AT(moment, 3) = mx;
    BT_AT(moment, 4) = my;
    BT_AT(moment, 5) = mz;
  }
}

/* The partial sums that make up the force and moment of a body and everything that moves with it: their range, and
 * where each is. */
#if BT_TEAM_MATRIX || BT_TEAM_SUBTREES /* summed already, body by body */
#define BT_MOMENT(data, memory, b) (&BT_AT((memory).subtrees, 6 * (b)))
#define BT_MOMENTS_FIRST(b, body) (b)
#define BT_MOMENTS_END(b, body) ((b) + 1)
#else /* fragment by fragment */
#define BT_MOMENT(data, memory, p) \
  (&BT_AT((memory).atom_gradient, bt_fragment_scratch(data, (data)->fragments[p].scratch)))
#define BT_MOMENTS_FIRST(b, body) ((body)->first_fragment)
#define BT_MOMENTS_END(b, body) ((body)->end_fragment)
#endif

#if BT_TEAM_SUBTREES
/* Sums the moments over each body's subtree; the moments must be visible to all ranks. A rank sums one of a body's six
 * numbers at a time, three fragments per step. */
BT_FUNCTION void bt_pose_subtrees(const bt_kernel_data *data, bt_pose_scratch scratch) {
  int first = BT_TEAM_SEVEN ? 6 : 0; /* body 0 has its own sums then */
  BT_TEAM_FOR(k, 6 * data->sizes.n_bodies, first + scratch.rank) {
    int b = k / 6, p = data->bodies[b].first_fragment, end = data->bodies[b].end_fragment;
    const BT_SCRATCH bt_real *from = &BT_AT(scratch.moments, k - 6 * b);
    bt_real sum = BT_AT(from, 6 * p++);
    for (; p + 3 <= end; p += 3) {
      bt_real x = BT_AT(from, 6 * p), y = BT_AT(from, 6 * p + 6), z = BT_AT(from, 6 * p + 12);
      sum = sum + (x + (y + z));
    }
    for (; p < end; p++) sum = sum + BT_AT(from, 6 * p);
    BT_AT(scratch.subtrees, k) = sum;
  }
}
#endif

typedef struct bt_unit_gradient {
  bt_real x, y, z; /* y and z for the orientation only */
} bt_unit_gradient;

/* Gradient of one unit of genes from the moments: per Angstrom, per radian of rotation vector, per radian of torsion.
 * (cx, cy, cz) is the ligand's center, i.e. the genes' position for which the moments were computed. */
BT_FUNCTION bt_unit_gradient bt_pose_gradient_unit(const bt_kernel_data *data, int unit, bt_real cx, bt_real cy,
                                                   bt_real cz, bt_pose_scratch scratch) {
  bt_unit_gradient gradient;
  bt_real zero = bt_splat(0.0f);
  gradient.x = gradient.y = gradient.z = zero;
  int b = unit <= BT_UNIT_ORIENTATION ? 0 : data->torsion_bodies[unit - 4];
  const BT_GLOBAL bt_kernel_body *body = &data->bodies[b];
  int first = BT_MOMENTS_FIRST(b, body), end = BT_MOMENTS_END(b, body);
  if (!BT_TEAM_SEVEN) BT_STUDY_BEGIN(scratch);
  int slide = unit > BT_UNIT_ORIENTATION ? body->slide : 0;
  if (unit < BT_UNIT_ORIENTATION || slide > 0) {
    int axis = slide > 0 ? BT_UNIT_GENE(unit) - slide : unit;
    for (int p = first; p < end; p++) gradient.x = gradient.x + BT_AT(BT_MOMENT(data, scratch, p), axis);
    if (!BT_TEAM_SEVEN) BT_STUDY_END(scratch);
    return gradient;
  }
  bt_real fx = zero, fy = zero, fz = zero, mx = zero, my = zero, mz = zero;
  for (int p = first; p < end; p++) {
    const BT_SCRATCH bt_real *moment = BT_MOMENT(data, scratch, p);
    fx = fx + BT_AT(moment, 0);
    fy = fy + BT_AT(moment, 1);
    fz = fz + BT_AT(moment, 2);
    mx = mx + BT_AT(moment, 3);
    my = my + BT_AT(moment, 4);
    mz = mz + BT_AT(moment, 5);
  }
  if (!BT_TEAM_SEVEN) BT_STUDY_END(scratch);
  if (unit == BT_UNIT_ORIENTATION) {
    gradient.x = mx;
    gradient.y = my;
    gradient.z = mz;
    return gradient;
  }
  int a = body->axis_from, e = body->axis_to;
  bt_real ax = BT_AT(scratch.xyz, 3 * a), ay = BT_AT(scratch.xyz, 3 * a + 1), az = BT_AT(scratch.xyz, 3 * a + 2);
  bt_real ux = BT_AT(scratch.xyz, 3 * e) - ax, uy = BT_AT(scratch.xyz, 3 * e + 1) - ay;
  bt_real uz = BT_AT(scratch.xyz, 3 * e + 2) - az;
  ax = ax - cx;
  ay = ay - cy;
  az = az - cz;
  bt_real tx = mx - (ay * fz - az * fy), ty = my - (az * fx - ax * fz), tz = mz - (ax * fy - ay * fx);
  gradient.x = (ux * tx + uy * ty + uz * tz) * bt_splat(body->inverse_length);
  return gradient;
}

#endif
