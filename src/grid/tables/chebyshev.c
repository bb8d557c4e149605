/* chebyshev.c - interpolation at Chebyshev nodes. */
#include "grid/tables/chebyshev.h"

#include <math.h>

enum { MOST_NODES = 16 };

double bt_chebyshev_node(int i, int n) { return cos(acos(-1.0) * (i + 0.5) / n); }

void bt_chebyshev_fit(double (*f)(const void *context, double x), const void *context, double low, double high,
                      int degree, float *ret_coefficients) {
  int n = degree + 1;
  double value[MOST_NODES], power[MOST_NODES] = {0.0};
  for (int i = 0; i < n; i++) value[i] = f(context, 0.5 * (low + high) + 0.5 * (high - low) * bt_chebyshev_node(i, n));
  /* T_k(z) as powers of z, by T_{k+1} = 2 z T_k - T_{k-1} */
  double before[MOST_NODES] = {0.0}, now[MOST_NODES] = {1.0};
  for (int k = 0; k < n; k++) {
    double coefficient = 0.0;
    for (int i = 0; i < n; i++) coefficient += value[i] * cos(k * acos(bt_chebyshev_node(i, n)));
    coefficient *= (k == 0 ? 1.0 : 2.0) / n;
    for (int i = 0; i < n; i++) power[i] += coefficient * now[i];
    double next[MOST_NODES] = {0.0};
    for (int i = 0; i < n; i++)
      next[i] = (k == 0 ? 1.0 : 2.0) * (i > 0 ? now[i - 1] : 0.0) - (k == 0 ? 0.0 : before[i]);
    for (int i = 0; i < n; i++) {
      before[i] = now[i];
      now[i] = next[i];
    }
  }
  for (int i = 0; i < n; i++) ret_coefficients[i] = (float)power[i];
}

void bt_chebyshev_weights(double z, int n, double *ret_weights) {
  for (int i = 0; i < n; i++) {
    double weight = 1.0, node = bt_chebyshev_node(i, n);
    for (int j = 0; j < n; j++)
      if (j != i) weight *= (z - bt_chebyshev_node(j, n)) / (node - bt_chebyshev_node(j, n));
    ret_weights[i] = weight;
  }
}
