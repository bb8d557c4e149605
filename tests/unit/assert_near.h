/* assert_near.h - cmocka assertion for doubles: |actual - expected| <= tolerance, NaN fails. */
#ifndef BERTH_TESTS_ASSERT_NEAR_H
#define BERTH_TESTS_ASSERT_NEAR_H

#include <math.h>

#define assert_near(actual, expected, tolerance)                                                           \
  do {                                                                                                     \
    double near_actual = (actual), near_expected = (expected), near_tolerance = (tolerance);               \
    if (!(fabs(near_actual - near_expected) <= near_tolerance))                                            \
      fail_msg("%s is %.12g, not %.12g within %.3g", #actual, near_actual, near_expected, near_tolerance); \
  } while (0)

#endif
