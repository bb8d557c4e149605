/* assignment.c - the cheapest one-to-one assignment. */
#include "results/compare/assignment.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Rows are added one by one; each looks for the shortest augmenting path in reduced costs. Index n stands for the row
 * or column that is not yet assigned. */
bt_status bt_assignment_minimum(const double *cost, int n, double *ret_sum, bt_error *opt_error) {
  size_t room = (size_t)n + 1;
  BT_SCOPED double *real = bt_allocate(3 * room, sizeof *real);
  BT_SCOPED int *whole = bt_allocate(3 * room, sizeof *whole);
  if (real == NULL || whole == NULL) return bt_fail_memory(opt_error);
  double *row_price = real, *column_price = real + room, *distance = real + 2 * room;
  int *row_of = whole, *before = whole + room, *visited = whole + 2 * room;
  for (int j = 0; j <= n; j++) row_of[j] = n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= n; j++) {
      distance[j] = INFINITY;
      visited[j] = 0;
    }
    int column = n;
    row_of[n] = i;
    while (row_of[column] != n) {
      visited[column] = 1;
      int row = row_of[column], nearest = n;
      double shortest = INFINITY;
      for (int j = 0; j < n; j++) {
        if (visited[j]) continue;
        double reduced = cost[(size_t)row * (size_t)n + (size_t)j] - row_price[row] - column_price[j];
        if (reduced < distance[j]) {
          distance[j] = reduced;
          before[j] = column;
        }
        if (distance[j] < shortest || nearest == n) {
          shortest = distance[j];
          nearest = j;
        }
      }
      for (int j = 0; j <= n; j++) {
        if (visited[j]) {
          row_price[row_of[j]] += shortest;
          column_price[j] -= shortest;
        } else if (j < n) {
          distance[j] -= shortest;
        }
      }
      column = nearest;
    }
    for (int from; column != n; column = from) {
      from = before[column];
      row_of[column] = row_of[from];
    }
    row_of[n] = n;
  }
  *ret_sum = 0;
  for (int j = 0; j < n; j++) *ret_sum += cost[(size_t)row_of[j] * (size_t)n + (size_t)j];
  return BT_OK;
}
