/* Chebyshev interpolation reproduces polynomials of degree 3 exactly, from cube to half cube to points. */
#include <math.h>

#include "grid/potential.h"
#include "grid/tables/chebyshev.h"
#include "unit/assert_near.h"
#include "unit/support.h"

static double cubic(double x, double y, double z) { return 1.0 + x * y * y - 0.3 * z * z * z + x * x * x - y * z; }

static void cubics_are_exact_through_all_levels(void **state) {
  (void)state;
  /* a cube of 16 points per axis with spacing 1, first point at 0 */
  double nodes[BT_GRID_NODE_COUNT], half[BT_GRID_NODE_COUNT], points[8 * 8 * 8];
  for (int i = 0; i < BT_GRID_NODE_COUNT; i++) {
    double x[3] = {0};
    int index[3] = {i % 4, i / 4 % 4, i / 16};
    for (int axis = 0; axis < 3; axis++) x[axis] = 7.5 * (1.0 + bt_chebyshev_node(index[axis], 4));
    nodes[i] = cubic(x[0], x[1], x[2]);
  }
  bt_grid_weights lower, upper, to_points;
  bt_grid_weights_to_half(16, 0, &lower);
  bt_grid_weights_to_half(16, 1, &upper);
  bt_grid_weights_to_points(8, &to_points);
  bt_grid_interpolate(&upper, &lower, &upper, 4, nodes, half);
  bt_grid_interpolate(&to_points, &to_points, &to_points, 8, half, points);
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 8; j++)
      for (int i = 0; i < 8; i++) {
        double expected = cubic(i + 8, j, k + 8);
        assert_near(points[(k * 8 + j) * 8 + i], expected, 1e-9 * fabs(expected) + 1e-9);
      }
}

static double sine(const void *context, double x) { return sin(x * *(const double *)context); }

static void fits_are_near_the_function(void **state) {
  (void)state;
  const double frequency = 2.0;
  float c[11];
  bt_chebyshev_fit(sine, &frequency, 1.0, 3.0, 10, c);
  for (double x = 1.0; x <= 3.0; x += 0.01) {
    double z = x - 2.0, sum = 0.0;
    for (int i = 10; i >= 0; i--) sum = sum * z + (double)c[i];
    assert_near(sum, sin(frequency * x), 2e-6);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubics_are_exact_through_all_levels),
      cmocka_unit_test(fits_are_near_the_function),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
