/* lane_math.h - small functions on lanes that all back ends share, so that their results agree to rounding.
 *
 * The back end's lane.h supplies: bt_real, bt_int, bt_uint, bt_mask; bt_splat, bt_splat_int; arithmetic by operators;
 * bt_lt, bt_ge, bt_lt_int, bt_eq_int; bt_and, bt_or, bt_not, bt_any; bt_select, bt_select_int; bt_min, bt_max, bt_sqrt,
 * bt_fma (a b + c), bt_rcp and bt_rsqrt (full precision), bt_rcp_fast (12 bits or more); bt_to_int (truncates),
 * bt_to_real; bt_gather, bt_prefetch (a hint; may do nothing); BT_MASK_IS_BOOL if a bt_mask can be an if's condition;
 * bt_mulhi; BT_AT(array, index). BT_ROOT_SCALE and bt_root if it has a fast one, BT_EXP_MINUS and bt_exp_minus
 * likewise.
 */
#ifndef BERTH_KERNEL_LANE_LANE_MATH_H
#define BERTH_KERNEL_LANE_LANE_MATH_H

#define BT_TWO_PI 6.28318530717959f
#define BT_INVERSE_TWO_PI 0.159154943091895f

#ifndef BT_ROOT_SCALE
/* The length, given the square of BT_ROOT_SCALE times it, which rounding may have made negative. */
#define BT_ROOT_SCALE 1.0f
BT_FUNCTION bt_real bt_root(bt_real q) { return bt_sqrt(bt_max(q, bt_splat(0.0f))); }
#endif

#ifndef BT_EXP_MINUS
/* exp(-x) for x >= 0 to 1e-6: the eighth power of 1 / exp(x / 8), a polynomial. Constant from x = 20 on. */
BT_FUNCTION bt_real bt_exp_minus(bt_real x) {
  bt_real v = bt_min(x * bt_splat(0.125f), bt_splat(2.5f)), e = bt_splat(1.0f / 720.0f);
  e = bt_fma(e, v, bt_splat(1.0f / 120.0f));
  e = bt_fma(e, v, bt_splat(1.0f / 24.0f));
  e = bt_fma(e, v, bt_splat(1.0f / 6.0f));
  e = bt_fma(e, v, bt_splat(0.5f));
  e = bt_rcp(bt_fma(bt_fma(e, v, bt_splat(1.0f)), v, bt_splat(1.0f)));
  e = e * e;
  e = e * e;
  return e * e;
}
#endif

/* Nearest integer for |x| < 2^22, by the rounding of an addition. */
BT_FUNCTION bt_real bt_round(bt_real x) {
  bt_real shifted = x + bt_splat(12582912.0f);
  return shifted - bt_splat(12582912.0f);
}

/* Wraps an angle to [-pi, pi]. */
BT_FUNCTION bt_real bt_wrap_angle(bt_real angle) {
  return angle - bt_splat(BT_TWO_PI) * bt_round(angle * bt_splat(BT_INVERSE_TWO_PI));
}

/* sin and cos of half an angle in [-pi, pi]; errors below 2e-7. */
BT_FUNCTION void bt_sincos_half(bt_real angle, bt_real *ret_sin, bt_real *ret_cos) {
  bt_real h = bt_splat(0.5f) * angle, z = h * h;
  bt_real s = bt_splat(2.600055890e-6f);
  s = s * z + bt_splat(-1.980661573e-4f);
  s = s * z + bt_splat(8.333017299e-3f);
  s = s * z + bt_splat(-1.666665710e-1f);
  *ret_sin = h + h * z * s;
  bt_real c = bt_splat(-2.619381976e-7f);
  c = c * z + bt_splat(2.476930447e-5f);
  c = c * z + bt_splat(-1.388856917e-3f);
  c = c * z + bt_splat(4.166665577e-2f);
  *ret_cos = bt_splat(1.0f) + z * (bt_splat(-0.5f) + z * c);
}

typedef struct bt_quaternion {
  bt_real x, y, z, w;
} bt_quaternion;

/* The product p q: the rotation q followed by p. */
BT_FUNCTION bt_quaternion bt_quaternion_multiply(bt_quaternion p, bt_quaternion q) {
  bt_quaternion r;
  r.x = p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y;
  r.y = p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x;
  r.z = p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w;
  r.w = p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z;
  return r;
}

/* The rotation by |v| radians about v; the quaternion's sign is arbitrary. */
BT_FUNCTION bt_quaternion bt_quaternion_from_vector(bt_real vx, bt_real vy, bt_real vz) {
  bt_real angle = bt_max(bt_sqrt(vx * vx + vy * vy + vz * vz), bt_splat(1e-12f));
  bt_real s;
  bt_quaternion q;
  /* reducing by whole turns flips the sign of both sine and cosine, which is the same rotation */
  bt_sincos_half(bt_wrap_angle(angle), &s, &q.w);
  bt_real scale = s * bt_rcp(angle);
  q.x = vx * scale;
  q.y = vy * scale;
  q.z = vz * scale;
  return q;
}

BT_FUNCTION bt_quaternion bt_quaternion_normalize(bt_quaternion q) {
  bt_real scale = bt_rsqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  q.x = q.x * scale;
  q.y = q.y * scale;
  q.z = q.z * scale;
  q.w = q.w * scale;
  return q;
}

typedef struct bt_matrix {
  bt_real xx, xy, xz, yx, yy, yz, zx, zy, zz;
} bt_matrix;

BT_FUNCTION bt_matrix bt_matrix_from_quaternion(bt_quaternion q) {
  bt_matrix m;
  bt_real x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  bt_real one = bt_splat(1.0f);
  bt_real wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  bt_real xx = q.x * x2, xy = q.x * y2, xz = q.x * z2, yy = q.y * y2, yz = q.y * z2, zz = q.z * z2;
  m.xx = one - (yy + zz);
  m.xy = xy - wz;
  m.xz = xz + wy;
  m.yx = xy + wz;
  m.yy = one - (xx + zz);
  m.yz = yz - wx;
  m.zx = xz - wy;
  m.zy = yz + wx;
  m.zz = one - (xx + yy);
  return m;
}

#endif
