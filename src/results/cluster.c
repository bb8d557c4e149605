/* cluster.c - which runs found the same pose: greedy clustering around the runs of lowest energy.
 *
 * As in AutoDock 4, clusters are never rearranged: a run joins the first cluster that takes it, even if a later leader
 * is nearer.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "results/flags.h"
#include "results/result.h"

typedef struct entry {
  double energy;
  int index;
} entry;

static int by_energy(const void *a, const void *b) {
  const entry *p = a, *q = b;
  if (p->energy != q->energy) return p->energy < q->energy ? -1 : 1;
  return p->index < q->index ? -1 : p->index > q->index;
}

bt_status bt_result_order(const bt_result *result, int *order, bt_error *opt_error) {
  if (result->reordered) memcpy(order, result->ranking, (size_t)result->n_runs * sizeof *order);
  if (result->reordered) return BT_OK;
  BT_SCOPED entry *entries = bt_allocate((size_t)result->n_runs, sizeof *entries);
  if (entries == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < result->n_runs; i++) entries[i] = (entry){result->runs[i].energy.free_energy, i};
  qsort(entries, (size_t)result->n_runs, sizeof *entries, by_energy);
  for (int i = 0; i < result->n_runs; i++) order[i] = entries[i].index;
  return BT_OK;
}

/* Puts a run into a cluster; it has been found near the leader. */
static void join(bt_result *result, int index, int cluster, double distance) {
  bt_cluster *to = &result->clusters[cluster];
  bt_run *run = &result->runs[index];
  to->size++;
  to->mean += (run->energy.free_energy - to->mean) / to->size;
  run->cluster = cluster + 1;
  run->rank_in_cluster = to->size;
  run->cluster_rmsd = distance;
}

static bt_status place(bt_result *result, int index, bt_error *opt_error) {
  bt_run *run = &result->runs[index];
  for (int c = 0; c < result->n_clusters; c++) {
    const bt_run *leader = &result->runs[result->clusters[c].leader];
    double distance;
    BT_TRY(bt_rmsd_distance(result->rmsd, run->xyz, leader->xyz, &distance, opt_error));
    if (distance > result->options.rmsd_tolerance) continue;
    join(result, index, c, distance);
    return BT_OK;
  }
  result->clusters[result->n_clusters] = (bt_cluster){.leader = index, .lowest = run->energy.free_energy};
  join(result, index, result->n_clusters++, 0.0);
  return BT_OK;
}

/* Runs by cluster and by rank within it, in linear time: a cluster's first position is known from the sizes before. */
static bt_status rank(bt_result *result, bt_error *opt_error) {
  BT_SCOPED int *first = bt_allocate((size_t)result->n_clusters + 1, sizeof *first);
  if (first == NULL) return bt_fail_memory(opt_error);
  for (int c = 0; c < result->n_clusters; c++) first[c + 1] = first[c] + result->clusters[c].size;
  for (int i = 0; i < result->n_runs; i++)
    result->ranking[first[result->runs[i].cluster - 1] + result->runs[i].rank_in_cluster - 1] = i;
  return BT_OK;
}

bt_status bt_result_cluster(bt_result *result, bt_error *opt_error) {
  BT_TRY(bt_result_check(result, opt_error));
  bt_result_forget_scores(result);
  result->n_clusters = 0;
  BT_TRY(bt_result_order(result, result->ranking, opt_error));
  for (int k = 0; k < result->n_runs; k++) BT_TRY(place(result, result->ranking[k], opt_error));
  for (int i = 0; i < result->n_runs; i++) {
    bt_run *run = &result->runs[i];
    run->reference_rmsd = result->opt_reference != NULL ? BT_RMSD_NO_MATCH : NAN;
    if (result->reference_xyz != NULL)
      BT_TRY(bt_rmsd_distance(result->rmsd, run->xyz, result->reference_xyz, &run->reference_rmsd, opt_error));
  }
  return rank(result, opt_error);
}

bt_status bt_result_reorder(bt_result *result, const int *order, bt_error *opt_error) {
  size_t n = (size_t)result->n_clusters;
  BT_SCOPED bt_cluster *before = bt_allocate(n, sizeof *before);
  BT_SCOPED int *place = bt_allocate(n, sizeof *place);
  if (before == NULL || place == NULL) return bt_fail_memory(opt_error);
  memcpy(before, result->clusters, n * sizeof *before);
  for (int c = 0; c < result->n_clusters; c++) {
    result->clusters[c] = before[order[c]];
    place[order[c]] = c;
  }
  for (int i = 0; i < result->n_runs; i++) result->runs[i].cluster = place[result->runs[i].cluster - 1] + 1;
  result->reordered = true;
  return rank(result, opt_error);
}
