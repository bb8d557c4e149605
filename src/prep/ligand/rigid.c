/* rigid.c - superposition by quaternions: Horn, J. Opt. Soc. Am. A 4, 629 (1987). */
#include "prep/ligand/rigid.h"

#include <math.h>
#include <string.h>

/* Diagonalizes a symmetric 4 x 4 matrix by Jacobi rotations; columns of v become its eigenvectors. */
static void diagonalize(double a[4][4], double v[4][4]) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) v[i][j] = i == j;
  for (int sweep = 0; sweep < 50; sweep++) {
    double off = 0, size = 0;
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) *(i == j ? &size : &off) += a[i][j] * a[i][j];
    if (off <= 1e-24 * (size + off)) return;
    for (int p = 0; p < 3; p++)
      for (int q = p + 1; q < 4; q++) {
        if (a[p][q] == 0) continue;
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
        double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 4; k++) {
          double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y;
          a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 4; k++) {
          double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
        }
        for (int k = 0; k < 4; k++) {
          double x = v[k][p], y = v[k][q];
          v[k][p] = c * x - s * y;
          v[k][q] = s * x + c * y;
        }
      }
  }
}

static void to_matrix(const double q[4], double r[3][3]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
  memcpy(r, m, sizeof m);
}

void bt_rigid_rotation(const double (*from)[3], const double (*to)[3], int count, double ret_rotation[3][3]) {
  double a[3] = {0}, b[3] = {0}, s[3][3] = {{0}};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      a[k] += from[i][k] / count;
      b[k] += to[i][k] / count;
    }
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++) s[k][l] += (from[i][k] - a[k]) * (to[i][l] - b[l]);
  double n[4][4] = {{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
                    {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
                    {s[2][0] - s[0][2], s[0][1] + s[1][0], -s[0][0] + s[1][1] - s[2][2], s[1][2] + s[2][1]},
                    {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], -s[0][0] - s[1][1] + s[2][2]}};
  double v[4][4], q[4];
  diagonalize(n, v);
  int best = 0;
  for (int i = 1; i < 4; i++)
    if (n[i][i] > n[best][best]) best = i;
  for (int k = 0; k < 4; k++) q[k] = v[k][best];
  to_matrix(q, ret_rotation);
}
