/* pose.h - from genes to coordinates: rigid bodies composed along the torsion tree, then atoms transformed once. */
#ifndef BERTH_KERNEL_POSE_H
#define BERTH_KERNEL_POSE_H

/* Where the scratch numbers of a part begin in the gradients. */
BT_FUNCTION int bt_part_scratch(const bt_kernel_data *data, int scratch) {
  int end = 3 * data->sizes.n_atoms;
  return scratch < end ? scratch : scratch + end * (data->sizes.n_gradients - 1); /* behind all copies */
}

/* Atoms of a part whose body does not move. */
BT_FUNCTION void bt_pose_immobile(const bt_kernel_data *data, const bt_kernel_part *part, BT_SCRATCH bt_real *xyz,
                                  BT_SCRATCH bt_real *orientation) {
  for (int i = part->first_atom; i < part->end_atom; i++) {
    BT_AT(xyz, 3 * i) = bt_splat(data->atoms[i].x);
    BT_AT(xyz, 3 * i + 1) = bt_splat(data->atoms[i].y);
    BT_AT(xyz, 3 * i + 2) = bt_splat(data->atoms[i].z);
  }
  BT_AT(orientation, 0) = BT_AT(orientation, 1) = BT_AT(orientation, 2) = bt_splat(0.0f);
  BT_AT(orientation, 3) = bt_splat(1.0f);
}

/* Some atoms of a rigid body; the body's first part keeps its orientation for the bodies that hang on it. */
BT_FUNCTION void bt_pose_part(const bt_kernel_data *data, bt_kernel_part part, const BT_STATE bt_real *genes,
                              BT_SCRATCH bt_real *xyz, BT_SCRATCH bt_real *orientations) {
  bt_kernel_body body = data->bodies[part.body];
  BT_SCRATCH bt_real *orientation = &BT_AT(orientations, bt_part_scratch(data, part.scratch));
  if (body.immobile) {
    bt_pose_immobile(data, &part, xyz, orientation);
    return;
  }
  bt_quaternion q;
  bt_real ox, oy, oz; /* where the body's reference origin lies now */
  if (body.torsion < 0) {
    q.x = BT_AT(genes, BT_GENE_QUATERNION);
    q.y = BT_AT(genes, BT_GENE_QUATERNION + 1);
    q.z = BT_AT(genes, BT_GENE_QUATERNION + 2);
    q.w = BT_AT(genes, BT_GENE_QUATERNION + 3);
    ox = BT_AT(genes, BT_GENE_POSITION);
    oy = BT_AT(genes, BT_GENE_POSITION + 1);
    oz = BT_AT(genes, BT_GENE_POSITION + 2);
  } else {
    bt_quaternion parent, turn;
    bt_real s;
    int above = data->parts[data->bodies[body.parent].first_part].scratch;
    const BT_SCRATCH bt_real *from = &BT_AT(orientations, bt_part_scratch(data, above));
    parent.x = BT_AT(from, 0);
    parent.y = BT_AT(from, 1);
    parent.z = BT_AT(from, 2);
    parent.w = BT_AT(from, 3);
    bt_sincos_half(BT_AT(genes, BT_GENE_TORSION + body.torsion), &s, &turn.w);
    turn.x = s * bt_splat(body.ux);
    turn.y = s * bt_splat(body.uy);
    turn.z = s * bt_splat(body.uz);
    q = bt_quaternion_multiply(parent, turn);
    ox = BT_AT(xyz, 3 * body.axis_from);
    oy = BT_AT(xyz, 3 * body.axis_from + 1);
    oz = BT_AT(xyz, 3 * body.axis_from + 2);
  }
  if (part.first_atom == body.first_atom) {
    BT_AT(orientation, 0) = q.x;
    BT_AT(orientation, 1) = q.y;
    BT_AT(orientation, 2) = q.z;
    BT_AT(orientation, 3) = q.w;
  }
  bt_matrix m = bt_matrix_from_quaternion(q);
  for (int i = part.first_atom; i < part.end_atom; i++) {
    bt_kernel_atom atom = data->atoms[i];
    bt_real x = bt_splat(atom.x), y = bt_splat(atom.y), z = bt_splat(atom.z);
    BT_AT(xyz, 3 * i) = ox + m.xx * x + m.xy * y + m.xz * z;
    BT_AT(xyz, 3 * i + 1) = oy + m.yx * x + m.yy * y + m.yz * z;
    BT_AT(xyz, 3 * i + 2) = oz + m.zx * x + m.zy * y + m.zz * z;
  }
}

/* genes[BT_GENES] to scratch.xyz, level by level of the torsion tree: bodies of one level do not depend on each other.
 * The genes must be visible to all ranks (BT_SYNC before). */
BT_FUNCTION void bt_pose_coordinates(const bt_kernel_data *data, const BT_STATE bt_real *genes,
                                     bt_pose_scratch scratch) {
  const BT_GLOBAL int *order = data->levels + data->sizes.n_levels + 1;
  for (int level = 0; level < data->sizes.n_levels; level++) {
    for (int k = data->levels[level] + scratch.rank; k < data->levels[level + 1]; k += BT_TEAM)
      bt_pose_part(data, data->parts[order[k]], genes, scratch.xyz, scratch.atom_gradient);
    BT_SYNC();
  }
}

/* The genes of one unit: the orientation has four, every other one x alone. */
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

/* One unit moved by a step: position + d, rotation vector d applied on the left, torsion + d (wrapped). */
BT_FUNCTION bt_unit_genes bt_unit_step(int unit, bt_unit_genes g, bt_real dx, bt_real dy, bt_real dz) {
  if (unit < BT_UNIT_ORIENTATION)
    g.x = g.x + dx;
  else if (unit == BT_UNIT_ORIENTATION)
    g = bt_quaternion_normalize(bt_quaternion_multiply(bt_quaternion_from_vector(dx, dy, dz), g));
  else
    g.x = bt_wrap_angle(g.x + dx);
  return g;
}

/* Force and moment (about the ligand's center) of each part's atoms. Atom gradients must be visible to all ranks. */
BT_FUNCTION void bt_pose_moments(const bt_kernel_data *data, const BT_STATE bt_real *genes, bt_pose_scratch scratch) {
  bt_real cx = BT_AT(genes, 0), cy = BT_AT(genes, 1), cz = BT_AT(genes, 2);
  BT_TEAM_FOR(p, data->sizes.n_parts, scratch.rank) {
    bt_kernel_part part = data->parts[p];
    bt_real fx = bt_splat(0.0f), fy = fx, fz = fx, mx = fx, my = fx, mz = fx;
    for (int i = part.first_atom; i < part.end_atom; i++) {
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
    BT_SCRATCH bt_real *moment = &BT_AT(scratch.atom_gradient, bt_part_scratch(data, part.scratch));
    BT_AT(moment, 0) = fx; /* in place of what was added up */
    BT_AT(moment, 1) = fy;
    BT_AT(moment, 2) = fz;
    BT_AT(moment, 3) = mx;
    BT_AT(moment, 4) = my;
    BT_AT(moment, 5) = mz;
  }
}

/* The sums that make up the force and moment of a body and all that moves with it: a range, and where each one is. */
#if BT_TEAM_MATRIX /* they are added up already, body by body */
#define BT_MOMENT(data, memory, b) (&BT_AT((memory).subtrees, 6 * (b)))
#define BT_MOMENTS_FIRST(b, body) (b)
#define BT_MOMENTS_END(b, body) ((b) + 1)
#else /* part by part */
#define BT_MOMENT(data, memory, p) (&BT_AT((memory).atom_gradient, bt_part_scratch(data, (data)->parts[p].scratch)))
#define BT_MOMENTS_FIRST(b, body) ((body)->first_part)
#define BT_MOMENTS_END(b, body) ((body)->end_part)
#endif

typedef struct bt_unit_gradient {
  bt_real x, y, z; /* y and z of the orientation only */
} bt_unit_gradient;

/* Gradient of one unit of genes from the moments: per Angstrom, per radian of rotation vector, per radian of torsion.
 * (cx, cy, cz) is the ligand's center: the genes' position at which the moments were taken. */
BT_FUNCTION bt_unit_gradient bt_pose_gradient_unit(const bt_kernel_data *data, int unit, bt_real cx, bt_real cy,
                                                   bt_real cz, bt_pose_scratch scratch) {
  bt_unit_gradient gradient;
  bt_real zero = bt_splat(0.0f);
  gradient.x = gradient.y = gradient.z = zero;
  int b = unit <= BT_UNIT_ORIENTATION ? 0 : data->torsion_bodies[unit - 4];
  const BT_GLOBAL bt_kernel_body *body = &data->bodies[b];
  int first = BT_MOMENTS_FIRST(b, body), end = BT_MOMENTS_END(b, body);
  BT_STUDY_BEGIN(scratch);
  if (unit < BT_UNIT_ORIENTATION) {
    for (int p = first; p < end; p++) gradient.x = gradient.x + BT_AT(BT_MOMENT(data, scratch, p), unit);
    BT_STUDY_END(scratch);
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
  BT_STUDY_END(scratch);
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
