/* chebyshev.h - polynomials through the Chebyshev nodes of an interval.
 *
 * Nodes in [-1, 1]: z_i = cos(pi (i + 1/2) / n). Interpolation there is within a small factor of the best polynomial.
 */
#ifndef BERTH_GRID_TABLES_CHEBYSHEV_H
#define BERTH_GRID_TABLES_CHEBYSHEV_H

#include <stddef.h>

double bt_chebyshev_node(int i, int n);

/* Fits f on [low, high] by a polynomial sum_i c_i z^i in z = (2x - low - high) / (high - low); degree <= 15. */
void bt_chebyshev_fit(double (*f)(const void *context, double x), const void *context, double low, double high,
                      int degree, float *ret_coefficients);

/* weights[i] such that sum_i weights[i] f(z_i) is the value at z of the polynomial through n nodes. */
void bt_chebyshev_weights(double z, int n, double *ret_weights);

#endif
