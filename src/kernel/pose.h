/* pose.h - from genes to coordinates: rigid bodies composed along the torsion tree, then atoms transformed once. */
#ifndef BERTH_KERNEL_POSE_H
#define BERTH_KERNEL_POSE_H

/* genes[BT_GENES], xyz[3 n_atoms], orientation[4 n_bodies] (scratch that the gradient does not need). */
BT_FUNCTION void bt_pose_coordinates(const BT_UNIFORM bt_kernel_data *data, const bt_real *genes, bt_real *xyz,
                                     bt_real *orientation) {
  for (int b = 0; b < data->n_bodies; b++) {
    const BT_UNIFORM bt_kernel_body *body = &data->bodies[b];
    if (body->immobile) {
      for (int i = body->first_atom; i < body->end_atom; i++) {
        BT_AT(xyz, 3 * i) = bt_splat(data->atoms[i].x);
        BT_AT(xyz, 3 * i + 1) = bt_splat(data->atoms[i].y);
        BT_AT(xyz, 3 * i + 2) = bt_splat(data->atoms[i].z);
      }
      BT_AT(orientation, 4 * b) = BT_AT(orientation, 4 * b + 1) = BT_AT(orientation, 4 * b + 2) = bt_splat(0.0f);
      BT_AT(orientation, 4 * b + 3) = bt_splat(1.0f);
      continue;
    }
    bt_quaternion q;
    bt_real ox, oy, oz; /* where the body's reference origin lies now */
    if (body->torsion < 0) {
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
      parent.x = BT_AT(orientation, 4 * body->parent);
      parent.y = BT_AT(orientation, 4 * body->parent + 1);
      parent.z = BT_AT(orientation, 4 * body->parent + 2);
      parent.w = BT_AT(orientation, 4 * body->parent + 3);
      bt_sincos_half(BT_AT(genes, BT_GENE_TORSION + body->torsion), &s, &turn.w);
      turn.x = s * bt_splat(body->ux);
      turn.y = s * bt_splat(body->uy);
      turn.z = s * bt_splat(body->uz);
      q = bt_quaternion_multiply(parent, turn);
      ox = BT_AT(xyz, 3 * body->axis_from);
      oy = BT_AT(xyz, 3 * body->axis_from + 1);
      oz = BT_AT(xyz, 3 * body->axis_from + 2);
    }
    BT_AT(orientation, 4 * b) = q.x;
    BT_AT(orientation, 4 * b + 1) = q.y;
    BT_AT(orientation, 4 * b + 2) = q.z;
    BT_AT(orientation, 4 * b + 3) = q.w;
    bt_matrix m = bt_matrix_from_quaternion(q);
    for (int i = body->first_atom; i < body->end_atom; i++) {
      bt_real x = bt_splat(data->atoms[i].x), y = bt_splat(data->atoms[i].y), z = bt_splat(data->atoms[i].z);
      BT_AT(xyz, 3 * i) = ox + m.xx * x + m.xy * y + m.xz * z;
      BT_AT(xyz, 3 * i + 1) = oy + m.yx * x + m.yy * y + m.yz * z;
      BT_AT(xyz, 3 * i + 2) = oz + m.zx * x + m.zy * y + m.zz * z;
    }
  }
}

/* Moves genes by a step: position += d, rotation vector d applied on the left, torsions += d (wrapped). */
BT_FUNCTION void bt_pose_step(int n_torsions, const bt_real *from, const bt_real *step, bt_real *to) {
  for (int k = 0; k < 3; k++) BT_AT(to, k) = BT_AT(from, k) + BT_AT(step, k);
  bt_quaternion turn = bt_quaternion_from_vector(BT_AT(step, BT_DOF_ROTATION), BT_AT(step, BT_DOF_ROTATION + 1),
                                                 BT_AT(step, BT_DOF_ROTATION + 2));
  bt_quaternion q = {BT_AT(from, BT_GENE_QUATERNION), BT_AT(from, BT_GENE_QUATERNION + 1),
                     BT_AT(from, BT_GENE_QUATERNION + 2), BT_AT(from, BT_GENE_QUATERNION + 3)};
  q = bt_quaternion_normalize(bt_quaternion_multiply(turn, q));
  BT_AT(to, BT_GENE_QUATERNION) = q.x;
  BT_AT(to, BT_GENE_QUATERNION + 1) = q.y;
  BT_AT(to, BT_GENE_QUATERNION + 2) = q.z;
  BT_AT(to, BT_GENE_QUATERNION + 3) = q.w;
  for (int k = 0; k < n_torsions; k++)
    BT_AT(to, BT_GENE_TORSION + k) =
        bt_wrap_angle(BT_AT(from, BT_GENE_TORSION + k) + BT_AT(step, BT_DOF_TORSION + k));
}

/* Gene gradient from the atoms' gradients: per Angstrom, per radian of rotation vector, per radian of torsion.
 * moment[6 n_bodies] is scratch: force and moment (about the ligand's center) of each body and all below it. */
BT_FUNCTION void bt_pose_gradient(const BT_UNIFORM bt_kernel_data *data, const bt_real *genes, const bt_real *xyz,
                                  const bt_real *atom_gradient, bt_real *moment, bt_real *gene_gradient) {
  bt_real cx = BT_AT(genes, 0), cy = BT_AT(genes, 1), cz = BT_AT(genes, 2);
  for (int k = 0; k < 6 * data->n_bodies; k++) BT_AT(moment, k) = bt_splat(0.0f);
  for (int b = data->n_bodies - 1; b >= 0; b--) { /* children before parents */
    const BT_UNIFORM bt_kernel_body *body = &data->bodies[b];
    if (body->immobile) continue;
    bt_real fx = BT_AT(moment, 6 * b), fy = BT_AT(moment, 6 * b + 1), fz = BT_AT(moment, 6 * b + 2);
    bt_real mx = BT_AT(moment, 6 * b + 3), my = BT_AT(moment, 6 * b + 4), mz = BT_AT(moment, 6 * b + 5);
    for (int i = body->first_atom; i < body->end_atom; i++) {
      bt_real gx = BT_AT(atom_gradient, 3 * i), gy = BT_AT(atom_gradient, 3 * i + 1);
      bt_real gz = BT_AT(atom_gradient, 3 * i + 2);
      bt_real x = BT_AT(xyz, 3 * i) - cx, y = BT_AT(xyz, 3 * i + 1) - cy, z = BT_AT(xyz, 3 * i + 2) - cz;
      fx = fx + gx;
      fy = fy + gy;
      fz = fz + gz;
      mx = mx + (y * gz - z * gy);
      my = my + (z * gx - x * gz);
      mz = mz + (x * gy - y * gx);
    }
    if (body->torsion < 0) {
      BT_AT(gene_gradient, 0) = fx;
      BT_AT(gene_gradient, 1) = fy;
      BT_AT(gene_gradient, 2) = fz;
      BT_AT(gene_gradient, BT_DOF_ROTATION) = mx;
      BT_AT(gene_gradient, BT_DOF_ROTATION + 1) = my;
      BT_AT(gene_gradient, BT_DOF_ROTATION + 2) = mz;
      continue;
    }
    int a = body->axis_from, e = body->axis_to, p = body->parent;
    bt_real ax = BT_AT(xyz, 3 * a), ay = BT_AT(xyz, 3 * a + 1), az = BT_AT(xyz, 3 * a + 2);
    bt_real ux = BT_AT(xyz, 3 * e) - ax, uy = BT_AT(xyz, 3 * e + 1) - ay, uz = BT_AT(xyz, 3 * e + 2) - az;
    ax = ax - cx;
    ay = ay - cy;
    az = az - cz;
    bt_real tx = mx - (ay * fz - az * fy), ty = my - (az * fx - ax * fz), tz = mz - (ax * fy - ay * fx);
    BT_AT(gene_gradient, BT_DOF_TORSION + body->torsion) =
        (ux * tx + uy * ty + uz * tz) * bt_splat(body->inverse_length);
    BT_AT(moment, 6 * p) = BT_AT(moment, 6 * p) + fx;
    BT_AT(moment, 6 * p + 1) = BT_AT(moment, 6 * p + 1) + fy;
    BT_AT(moment, 6 * p + 2) = BT_AT(moment, 6 * p + 2) + fz;
    BT_AT(moment, 6 * p + 3) = BT_AT(moment, 6 * p + 3) + mx;
    BT_AT(moment, 6 * p + 4) = BT_AT(moment, 6 * p + 4) + my;
    BT_AT(moment, 6 * p + 5) = BT_AT(moment, 6 * p + 5) + mz;
  }
}

#endif
