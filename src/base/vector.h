/* vector.h - three coordinates. */
#ifndef BERTH_BASE_VECTOR_H
#define BERTH_BASE_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

static inline void bt_v3_copy(double to[3], const double from[3]) { memcpy(to, from, 3 * sizeof *to); }
static inline double bt_v3_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline void bt_v3_subtract(double to[3], const double a[3], const double b[3]) {
  for (int k = 0; k < 3; k++) to[k] = a[k] - b[k];
}
/* to = a + s b; to may be a. */
static inline void bt_v3_add(double to[3], const double a[3], double s, const double b[3]) {
  for (int k = 0; k < 3; k++) to[k] = a[k] + s * b[k];
}
static inline void bt_v3_cross(double to[3], const double a[3], const double b[3]) {
  double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  bt_v3_copy(to, c);
}
static inline double bt_v3_distance2(const double a[3], const double b[3]) {
  double d[3];
  bt_v3_subtract(d, a, b);
  return bt_v3_dot(d, d);
}
static inline double bt_v3_distance(const double a[3], const double b[3]) { return sqrt(bt_v3_distance2(a, b)); }
/* The volume that three points span with a fourth; its sign is their handedness. */
static inline double bt_v3_volume(const double from[3], const double a[3], const double b[3], const double c[3]) {
  double u[3], v[3], w[3], normal[3];
  bt_v3_subtract(u, a, from);
  bt_v3_subtract(v, b, from);
  bt_v3_subtract(w, c, from);
  bt_v3_cross(normal, v, w);
  return bt_v3_dot(u, normal);
}
/* Normalizes; false (and zero) for a zero vector. */
static inline bool bt_v3_unit(double v[3]) {
  double length = sqrt(bt_v3_dot(v, v));
  for (int k = 0; k < 3; k++) v[k] = length > 1e-9 ? v[k] / length : 0.0;
  return length > 1e-9;
}
/* Unit vector from a to b; false if they coincide. */
static inline bool bt_v3_towards(double to[3], const double a[3], const double b[3]) {
  bt_v3_subtract(to, b, a);
  return bt_v3_unit(to);
}
/* Any unit vector perpendicular to a unit vector. */
static inline void bt_v3_across(double to[3], const double v[3]) {
  double other[3] = {0.0, 0.0, 0.0};
  other[fabs(v[0]) < 0.6 ? 0 : 1] = 1.0;
  bt_v3_cross(to, v, other);
  bt_v3_unit(to);
}
/* The point at a length from b, with an angle (radians) at b to a, and a torsion c-a-b-point. */
static inline void bt_v3_by_torsion(double to[3], const double b[3], const double a[3], const double c[3],
                                    double length, double angle, double torsion) {
  double axis[3], side[3], other[3], normal[3];
  bt_v3_towards(axis, a, b);
  bt_v3_subtract(side, c, a);
  bt_v3_add(side, side, -bt_v3_dot(side, axis), axis);
  if (!bt_v3_unit(side)) bt_v3_across(side, axis);
  bt_v3_cross(normal, axis, side);
  bt_v3_copy(other, b);
  bt_v3_add(other, other, -length * cos(angle), axis);
  bt_v3_add(other, other, length * sin(angle) * cos(torsion), side);
  bt_v3_add(to, other, length * sin(angle) * sin(torsion), normal);
}

#endif
