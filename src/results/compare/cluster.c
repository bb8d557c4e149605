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
  if (result->reordered) memcpy(order, result->ranking, (size_t)result->n_poses * sizeof *order);
  if (result->reordered) return BT_OK;
  BT_SCOPED entry *entries = bt_allocate((size_t)result->n_poses, sizeof *entries);
  if (entries == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < result->n_poses; i++) entries[i] = (entry){result->runs[i].energy.free_energy, i};
  qsort(entries, (size_t)result->n_poses, sizeof *entries, by_energy);
  for (int i = 0; i < result->n_poses; i++) order[i] = entries[i].index;
  return BT_OK;
}

/* Puts a pose into a cluster; it has been found near the leader, or is the leader. */
static void join(bt_result *result, int index, int cluster, double distance) {
  bt_cluster *to = &result->clusters[cluster];
  bt_run *run = &result->runs[index];
  if (run->further)
    to->led_by_further = true;
  else
    to->size++;
  to->mean += (run->energy.free_energy - to->mean) / bt_cluster_poses(to);
  run->cluster = cluster + 1;
  run->rank_in_cluster = bt_cluster_poses(to);
  run->cluster_rmsd = distance;
}

static double tolerance(const bt_result *result) {
  return result->options.rmsd_tolerance * (bt_result_has_variants(result) ? 0.25 : 1.0);
}

static bt_status place(bt_result *result, int index, bt_error *opt_error) {
  bt_run *run = &result->runs[index];
  run->cluster = 0;
  for (int c = 0; c < result->n_clusters; c++) {
    const bt_run *leader = &result->runs[result->clusters[c].leader];
    double distance;
    BT_TRY(bt_rmsd_distance(result->rmsd, run->xyz, leader->xyz, &distance, opt_error));
    if (distance > tolerance(result)) continue;
    if (!run->further) join(result, index, c, distance);
    return BT_OK;
  }
  result->clusters[result->n_clusters++] = (bt_cluster){.leader = index, .lowest = run->energy.free_energy};
  join(result, index, result->n_clusters - 1, 0.0);
  return BT_OK;
}

/* Poses by cluster and by rank within it, in linear time: a cluster's first position is known from the sizes before. */
static bt_status rank(bt_result *result, bt_error *opt_error) {
  BT_SCOPED int *first = bt_allocate((size_t)result->n_clusters + 1, sizeof *first);
  if (first == NULL) return bt_fail_memory(opt_error);
  for (int c = 0; c < result->n_clusters; c++) first[c + 1] = first[c] + bt_cluster_poses(&result->clusters[c]);
  for (int i = 0; i < result->n_poses; i++)
    result->ranking[first[result->runs[i].cluster - 1] + result->runs[i].rank_in_cluster - 1] = i;
  return BT_OK;
}

/* Drops the further minima that are in no cluster. */
static void drop(bt_result *result) {
  int kept = result->n_runs;
  for (int i = kept; i < result->n_poses; i++) {
    int cluster = result->runs[i].cluster;
    if (cluster == 0) continue;
    bt_run taken = result->runs[kept];
    result->runs[kept] = result->runs[i];
    result->runs[i] = taken;
    result->clusters[cluster - 1].leader = kept++;
  }
  bt_result_shorten(result, kept);
}

/* cluster order[0] becomes the first; order[n_clusters]. */
static bt_status renumber(bt_result *result, const int *order, bt_error *opt_error) {
  size_t n = (size_t)result->n_clusters;
  BT_SCOPED bt_cluster *before = bt_allocate(n, sizeof *before);
  BT_SCOPED int *place = bt_allocate(n, sizeof *place);
  if (before == NULL || place == NULL) return bt_fail_memory(opt_error);
  memcpy(before, result->clusters, n * sizeof *before);
  for (int c = 0; c < result->n_clusters; c++) {
    result->clusters[c] = before[order[c]];
    place[order[c]] = c;
  }
  for (int i = 0; i < result->n_poses; i++) result->runs[i].cluster = place[result->runs[i].cluster - 1] + 1;
  return rank(result, opt_error);
}

/* Clusters of runs and of further minima by their lowest energies. */
static bt_status sort_clusters(bt_result *result, bt_error *opt_error) {
  size_t n = (size_t)result->n_clusters;
  BT_SCOPED entry *entries = bt_allocate(n, sizeof *entries);
  BT_SCOPED int *order = bt_allocate(n, sizeof *order);
  if (entries == NULL || order == NULL) return bt_fail_memory(opt_error);
  for (int c = 0; c < result->n_clusters; c++) entries[c] = (entry){result->clusters[c].lowest, c};
  qsort(entries, n, sizeof *entries, by_energy);
  for (int c = 0; c < result->n_clusters; c++) order[c] = entries[c].index;
  return renumber(result, order, opt_error);
}

static bt_status place_all(bt_result *result, bt_error *opt_error) {
  BT_TRY(bt_result_order(result, result->ranking, opt_error));
  for (int further = 0; further < 2; further++)
    for (int k = 0; k < result->n_poses; k++)
      if ((result->ranking[k] >= result->n_runs) == further) BT_TRY(place(result, result->ranking[k], opt_error));
  drop(result);
  return sort_clusters(result, opt_error);
}

static bt_status measure(bt_result *result, bt_error *opt_error) {
  for (int i = 0; i < result->n_poses; i++) {
    bt_run *run = &result->runs[i];
    run->reference_rmsd = result->opt_reference != NULL ? BT_RMSD_NO_MATCH : NAN;
    if (result->reference_xyz != NULL)
      BT_TRY(bt_rmsd_distance(result->rmsd, run->xyz, result->reference_xyz, &run->reference_rmsd, opt_error));
  }
  return BT_OK;
}

bt_status bt_result_cluster(bt_result *result, bt_error *opt_error) {
  BT_TRY(bt_result_check(result, opt_error));
  bt_result_forget_scores(result);
  result->n_clusters = 0;
  BT_TRY(place_all(result, opt_error));
  return measure(result, opt_error);
}

bt_status bt_result_list(bt_result *result, bt_error *opt_error) {
  result->n_clusters = result->n_poses;
  for (int i = 0; i < result->n_poses; i++) {
    double energy = result->runs[i].energy.free_energy;
    result->clusters[i] = (bt_cluster){.leader = i, .lowest = energy};
    result->ranking[i] = i;
    join(result, i, i, 0.0);
  }
  return measure(result, opt_error);
}

/* The cluster before this one that it joins; into[c]: itself, or the one that an earlier cluster has joined. */
static bt_status find_near(const bt_result *result, const int *into, int cluster, int *ret_near, bt_error *opt_error) {
  const bt_run *own = &result->runs[result->clusters[cluster].leader];
  *ret_near = cluster;
  for (int c = 0; c < cluster && *ret_near == cluster; c++) {
    double distance;
    if (into[c] != c) continue;
    BT_TRY(bt_rmsd_distance(result->rmsd, own->xyz, result->runs[result->clusters[c].leader].xyz, &distance,
                            opt_error));
    if (distance <= result->options.rmsd_tolerance) *ret_near = c;
  }
  return BT_OK;
}

/* The poses of a cluster that has joined another: its runs stay, its further minimum goes. */
static bt_status move_runs(bt_result *result, int from, int into, bt_error *opt_error) {
  const double *leader = result->runs[result->clusters[into].leader].xyz;
  for (int i = 0; i < result->n_poses; i++) {
    bt_run *run = &result->runs[i];
    double distance;
    if (run->cluster != from + 1) continue;
    run->cluster = 0;
    if (run->further) continue;
    BT_TRY(bt_rmsd_distance(result->rmsd, run->xyz, leader, &distance, opt_error));
    join(result, i, into, distance);
  }
  return BT_OK;
}

/* Closes the gaps that clusters without poses have left. */
static void close_gaps(bt_result *result, const int *into) {
  int kept = 0;
  for (int c = 0; c < result->n_clusters; c++) {
    if (into[c] != c) {
      for (int k = 0; k < result->n_rescored; k++) bt_rescored_clear(&result->rescored[k][c]);
      continue;
    }
    result->clusters[kept] = result->clusters[c];
    for (int k = 0; k < result->n_rescored; k++) {
      bt_rescored taken = result->rescored[k][c];
      result->rescored[k][c] = (bt_rescored){0};
      result->rescored[k][kept] = taken;
    }
    for (int i = 0; i < result->n_poses; i++)
      if (result->runs[i].cluster == c + 1) result->runs[i].cluster = kept + 1;
    kept++;
  }
  result->n_clusters = kept;
}

bt_status bt_result_thin(bt_result *result, bt_error *opt_error) {
  BT_SCOPED int *into = bt_allocate((size_t)result->n_clusters, sizeof *into);
  if (into == NULL) return bt_fail_memory(opt_error);
  for (int c = 0; c < result->n_clusters; c++) {
    BT_TRY(find_near(result, into, c, &into[c], opt_error));
    if (into[c] != c) BT_TRY(move_runs(result, c, into[c], opt_error));
  }
  close_gaps(result, into);
  drop(result);
  return rank(result, opt_error);
}

bt_status bt_result_reorder(bt_result *result, const int *order, bt_error *opt_error) {
  BT_TRY(renumber(result, order, opt_error));
  result->reordered = true;
  return BT_OK;
}
