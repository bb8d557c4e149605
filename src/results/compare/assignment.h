/* assignment.h - the cheapest one-to-one assignment. */
#ifndef BERTH_RESULTS_COMPARE_ASSIGNMENT_H
#define BERTH_RESULTS_COMPARE_ASSIGNMENT_H

#include "base/status.h"

/* Smallest sum of cost[i * n + p(i)] over all permutations p. Kuhn's Hungarian method in O(n^3): Kuhn, Naval Res.
 * Logist. Q. 2, 83 (1955), with the dual variables of Jonker and Volgenant, Computing 38, 325 (1987). */
bt_status bt_assignment_minimum(const double *cost, int n, double *ret_sum, bt_error *opt_error) BT_MUST_USE;

#endif
