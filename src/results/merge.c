/* merge.c - dockings of one ligand in several boxes become one result, ranked and clustered together. */
#include <berth/rescore.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static void mark(bt_result *result, int site) {
  for (int r = 0; r < result->n_poses; r++) {
    result->runs[r].site = site;
    result->runs[r].opt_maps = result->maps;
  }
}

/* Counters and the warning. */
static void add_up(bt_result *to, const bt_result *from) {
  to->evaluations += from->evaluations;
  to->seconds += from->seconds;
  to->autostopped = to->autostopped && from->autostopped;
  if (from->generations > to->generations) to->generations = from->generations;
  if (to->warning[0] == '\0') snprintf(to->warning, sizeof to->warning, "%s", from->warning);
}

/* Moves the runs of all into the first, then their further minima. */
static bt_status move_all(bt_result *const *results, int count, int n_runs, int n_poses, bt_error *opt_error) {
  bt_result *to = results[0];
  bt_run *all = bt_allocate((size_t)n_poses, sizeof *all);
  int *ranking = bt_allocate((size_t)n_poses, sizeof *ranking), at = 0;
  bt_cluster *clusters = bt_allocate((size_t)n_poses, sizeof *clusters);
  if (all == NULL || ranking == NULL || clusters == NULL) {
    free(all);
    free(ranking);
    free(clusters);
    return bt_fail_memory(opt_error);
  }
  for (int further = 0; further < 2; further++)
    for (int i = 0; i < count; i++) {
      int first = further ? results[i]->n_runs : 0, last = further ? results[i]->n_poses : results[i]->n_runs;
      for (int r = first; r < last; r++) all[at++] = results[i]->runs[r];
    }
  for (int i = 0; i < count; i++) results[i]->n_poses = results[i]->n_runs = 0;
  bt_result_forget_scores(to);
  free(to->runs);
  free(to->ranking);
  free(to->clusters);
  to->runs = all;
  to->ranking = ranking;
  to->clusters = clusters;
  to->n_runs = n_runs;
  to->n_poses = n_poses;
  return BT_OK;
}

/* Moves all into the first result, and clusters them anew. */
static bt_status merge(bt_result **results, int count, bt_error *opt_error) {
  int runs = 0, poses = 0;
  for (int i = 0; i < count; i++) {
    runs += results[i]->n_runs;
    poses += results[i]->n_poses;
  }
  BT_TRY(move_all(results, count, runs, poses, opt_error));
  bt_result *to = results[0];
  for (int i = 1; i < count; i++) {
    add_up(to, results[i]);
    bt_result_destroy(results[i]);
    results[i] = NULL;
  }
  bt_refine_affinities(to->ligand, &to->runs->energy, to->n_poses, sizeof *to->runs);
  return bt_result_cluster(to, opt_error);
}

bt_status bt_result_merge(bt_result **results, const int *sites, int count, bt_error *opt_error) {
  BT_TRY(check(results, count, opt_error));
  for (int i = 0; i < count; i++) mark(results[i], sites[i]);
  return merge(results, count, opt_error);
}

bt_status bt_result_join(bt_result **results, const int *numbers, int count, const bt_ligand *ligand,
                         const bt_dock_options *options, bt_error *opt_error) {
  for (int i = 0; i < count; i++)
    for (int r = 0; r < results[i]->n_poses; r++) results[i]->runs[r].conformer = numbers[i];
  bt_result *to = results[0];
  bt_dock_options used = *options;
  used.evaluations = to->options.evaluations; /* found when the search began */
  used.mutation_rate = to->options.mutation_rate;
  used.local_search_iterations = to->options.local_search_iterations;
  to->options = used;
  to->ligand = ligand;
  double seconds = 0; /* they were searched side by side */
  for (int i = 0; i < count; i++) seconds = fmax(seconds, results[i]->seconds);
  bt_status status = merge(results, count, opt_error);
  to->seconds = seconds;
  return status;
}

bt_status bt_result_add_seeds(bt_result *result, bt_result **seeds, const int *numbers, int count,
                              bt_error *opt_error) {
  BT_SCOPED bt_result **all = bt_allocate((size_t)count + 1, sizeof *all);
  if (all == NULL) return bt_fail_memory(opt_error);
  all[0] = result;
  for (int i = 0; i < count; i++) {
    bt_run *run = &seeds[i]->runs[0];
    all[i + 1] = seeds[i];
    run->conformer = numbers[i];
    run->seed = bt_run_ligand(result, run)->molecule->seed;
  }
  bool autostopped = result->autostopped;
  bt_status status = merge(all, count + 1, opt_error);
  for (int i = 0; i < count; i++) seeds[i] = all[i + 1];
  result->autostopped = autostopped;
  return status;
}
