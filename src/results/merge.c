/* merge.c - dockings of one ligand in several boxes become one result, ranked and clustered together. */
#include <berth/rescore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "results/result.h"
#include "score/refine.h"

static bt_status check(bt_result *const *results, int count, bt_error *opt_error) {
  for (int i = 1; i < count; i++)
    if (results[i]->ligand != results[0]->ligand)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = results[i]->ligand->molecule->path},
                     "merge the results of one ligand", "this is the result of another ligand");
  return BT_OK;
}

/* Makes room for the runs of all; what was there stays. */
static bt_status make_room(bt_result *to, int runs, bt_error *opt_error) {
  bt_run *all = bt_allocate((size_t)runs, sizeof *all);
  int *ranking = bt_allocate((size_t)runs, sizeof *ranking);
  bt_cluster *clusters = bt_allocate((size_t)runs, sizeof *clusters);
  if (all == NULL || ranking == NULL || clusters == NULL) {
    free(all);
    free(ranking);
    free(clusters);
    return bt_fail_memory(opt_error);
  }
  memcpy(all, to->runs, (size_t)to->n_runs * sizeof *all);
  bt_result_forget_scores(to);
  free(to->runs);
  free(to->ranking);
  free(to->clusters);
  to->runs = all;
  to->ranking = ranking;
  to->clusters = clusters;
  return BT_OK;
}

static void mark(bt_result *result, int site) {
  for (int r = 0; r < result->n_runs; r++) {
    result->runs[r].site = site;
    result->runs[r].opt_maps = result->maps;
  }
}

/* Moves the runs of one result behind those of another. */
static void take(bt_result *to, bt_result *from) {
  memcpy(to->runs + to->n_runs, from->runs, (size_t)from->n_runs * sizeof *to->runs);
  memset(from->runs, 0, (size_t)from->n_runs * sizeof *from->runs);
  to->n_runs += from->n_runs;
  to->evaluations += from->evaluations;
  to->seconds += from->seconds;
  to->autostopped = to->autostopped && from->autostopped;
  if (from->generations > to->generations) to->generations = from->generations;
  if (to->warning[0] == '\0') snprintf(to->warning, sizeof to->warning, "%s", from->warning);
}

bt_status bt_result_merge(bt_result **results, const int *sites, int count, bt_error *opt_error) {
  BT_TRY(check(results, count, opt_error));
  int runs = 0;
  for (int i = 0; i < count; i++) runs += results[i]->n_runs;
  bt_result *to = results[0];
  BT_TRY(make_room(to, runs, opt_error));
  for (int i = 0; i < count; i++) mark(results[i], sites[i]);
  for (int i = 1; i < count; i++) {
    take(to, results[i]);
    bt_result_destroy(results[i]);
    results[i] = NULL;
  }
  bt_refine_affinities(to->ligand, &to->runs->energy, to->n_runs, sizeof *to->runs);
  return bt_result_cluster(to, opt_error);
}
