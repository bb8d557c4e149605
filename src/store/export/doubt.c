/* doubt.c - see doubt.h. */
#include "store/export/doubt.h"

#include <stdlib.h>

#define NETWORKS "cnn"                         /* the re-scorer */
static const double among = 0.05, beyond = 0.3; /* shares of the ligands */

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

bt_status bt_doubt_open(bt_store *store, bt_doubt *ret_doubt, bt_error *opt_error) {
  *ret_doubt = (bt_doubt){0};
  BT_TRY(bt_store_scores(store, NETWORKS, &ret_doubt->scores, &ret_doubt->count, opt_error));
  if (ret_doubt->count > 0) qsort(ret_doubt->scores, ret_doubt->count, sizeof *ret_doubt->scores, ascending);
  return BT_OK;
}

void bt_doubt_close(bt_doubt *doubt) {
  free(doubt->scores);
  *doubt = (bt_doubt){0};
}

/* How many are below the value. */
static size_t count_below(const bt_doubt *doubt, double value) {
  size_t low = 0, high = doubt->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (doubt->scores[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int bt_doubt_of(const bt_doubt *doubt, int64_t rank, const bt_store_row *row) {
  double all = (double)doubt->count;
  const bt_named_score *score = bt_score_list_find(&row->scores, NETWORKS);
  if (score == NULL || (double)rank > among * all) return -1;
  double better = (double)count_below(doubt, score->value) / all;
  return better > beyond ? (int)(100 * better) : -1;
}
