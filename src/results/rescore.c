/* rescore.c - clusters in further scoring functions, and their order by several of them. */
#include <berth/rescore.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "results/result.h"
#include "score/refine.h"

typedef struct rescoring {
  const bt_result *result;
  const bt_ligand *ligand;
  const bt_scorer *scorer;
  bt_rescored *clusters; /* [n_clusters] */
  atomic_int next;
  bt_error *errors; /* [threads] */
} rescoring;

/* ---- 1. one function ---- */

static bt_status minimize(const rescoring *job, const bt_run *run, bt_rescored *to, bt_error *error) {
  const bt_ligand *ligand = job->ligand;
  const bt_result *result = job->result;
  BT_ENDED_BY(bt_genotype_destroy) bt_genotype genotype = {0};
  BT_TRY(bt_genotype_create(ligand->n_torsions, &genotype, error));
  bt_genotype_copy(&run->genotype, ligand->n_torsions, &genotype);
  double *xyz = bt_allocate(3 * (size_t)ligand->n_atoms, sizeof *xyz);
  to->xyz = xyz;
  if (xyz == NULL) return bt_fail_memory(error);
  BT_TRY(bt_refine(job->scorer, ligand, &genotype, xyz, error));
  bt_score_coordinates(job->scorer, xyz, &to->energy, NULL);
  to->scoring = ligand->scoring;
  to->reference_rmsd = run->reference_rmsd;
  if (result->reference_xyz != NULL)
    BT_TRY(bt_rmsd_distance(result->rmsd, xyz, result->reference_xyz, &to->reference_rmsd, error));
  return bt_rmsd_distance(result->rmsd, xyz, run->xyz, &to->moved, error);
}

static void minimize_some(void *context, int thread) {
  rescoring *job = context;
  bt_error *error = &job->errors[thread];
  for (int c; error->status == BT_OK && (c = atomic_fetch_add(&job->next, 1)) < job->result->n_clusters;)
    error->status = minimize(job, &job->result->runs[job->result->clusters[c].leader], &job->clusters[c], error);
}

static bt_status minimize_all(rescoring *job, int threads, bt_error *opt_error) {
  if (threads <= 0) threads = bt_thread_count_default();
  if (threads > job->result->n_clusters) threads = job->result->n_clusters;
  BT_SCOPED bt_error *errors = bt_allocate((size_t)threads, sizeof *errors);
  if (errors == NULL) return bt_fail_memory(opt_error);
  job->errors = errors;
  bt_parallel(threads, minimize_some, job);
  for (int t = 0; t < threads; t++) {
    if (errors[t].status == BT_OK) continue;
    if (opt_error != NULL) *opt_error = errors[t];
    return errors[t].status;
  }
  return BT_OK;
}

static void set_ranks(const rescoring *job) {
  for (int c = 0; c < job->result->n_clusters; c++) {
    bt_rescored *of = &job->clusters[c];
    of->rank = 1;
    for (int d = 0; d < job->result->n_clusters; d++) {
      double other = job->clusters[d].energy.free_energy, own = of->energy.free_energy;
      of->rank += other < own || (other == own && d < c);
    }
  }
}

static bt_status check(const bt_result *result, const bt_ligand *ligand, bt_error *opt_error) {
  const bt_where where = {.file = ligand->molecule->path};
  if (ligand->molecule != result->ligand->molecule || ligand->opt_flexible != result->ligand->opt_flexible)
    return bt_fail(opt_error, BT_ERR_USAGE, where, "create the ligand from the molecules that were docked",
                   "another molecule was docked");
  bool known = ligand->scoring == result->ligand->scoring;
  for (int k = 0; k < result->n_rescored; k++) known = known || result->rescored[k][0].scoring == ligand->scoring;
  if (!known) return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, where, "give each scoring function once",
                 "the poses have already been scored with this function");
}

static void forget(bt_rescored *clusters, int count) {
  for (int c = 0; clusters != NULL && c < count; c++) free((double *)(uintptr_t)clusters[c].xyz);
  free(clusters);
}

void bt_result_forget_scores(bt_result *result) {
  for (int k = 0; k < result->n_rescored; k++) forget(result->rescored[k], result->n_clusters);
  result->n_rescored = 0;
  result->reordered = false;
}

bt_status bt_result_rescore(bt_result *result, const bt_ligand *ligand, const bt_maps *maps, int threads,
                            bt_error *opt_error) {
  BT_TRY(check(result, ligand, opt_error));
  bt_scorer *scorer = NULL;
  BT_TRY(bt_scorer_create(ligand, maps, BT_FORM_TABULATED, result->options.torsional, &scorer, opt_error));
  rescoring job = {.result = result, .ligand = ligand, .scorer = scorer};
  job.clusters = bt_allocate((size_t)result->n_clusters, sizeof *job.clusters);
  bt_status status = job.clusters != NULL ? minimize_all(&job, threads, opt_error) : bt_fail_memory(opt_error);
  bt_scorer_destroy(scorer);
  if (status != BT_OK) {
    forget(job.clusters, result->n_clusters);
    return status;
  }
  bt_refine_affinities(ligand, &job.clusters->energy, result->n_clusters, sizeof *job.clusters);
  set_ranks(&job);
  result->rescored[result->n_rescored++] = job.clusters;
  return BT_OK;
}

/* ---- 2. order by several ---- */

static const char *const rank_names[] = {"score", "ranks", "blend"};

const char *bt_rank_name(bt_rank_by by) { return rank_names[by]; }
const char *bt_rank_choices(void) { return "score|ranks|blend"; }
const char *bt_rank_words(void) { return "score, ranks, blend"; }

bool bt_rank_find(const char *name, bt_rank_by *ret_by) {
  int k = bt_span_index(bt_span_from(name), rank_names, (int)(sizeof rank_names / sizeof *rank_names));
  if (k >= 0) *ret_by = (bt_rank_by)k;
  return k >= 0;
}

typedef struct entry {
  double value, tie;
  int cluster;
} entry;

static int by_value(const void *a, const void *b) {
  const entry *p = a, *q = b;
  if (p->value != q->value) return p->value < q->value ? -1 : 1;
  if (p->tie != q->tie) return p->tie < q->tie ? -1 : 1;
  return p->cluster < q->cluster ? -1 : p->cluster > q->cluster;
}

/* Of a cluster in function k, the docking's own being 0. */
static double energy_in(const bt_result *result, int cluster, int k) {
  return k == 0 ? result->clusters[cluster].lowest : result->rescored[k - 1][cluster].energy.free_energy;
}

/* Adds what a function says: its rank, or the share of the lowest energy that a cluster lacks. */
static void add_function(const bt_result *result, bt_rank_by by, int k, entry *entries) {
  int n = result->n_clusters;
  double lowest = INFINITY;
  for (int c = 0; c < n; c++) lowest = fmin(lowest, energy_in(result, c, k));
  for (int c = 0; c < n; c++) {
    double energy = energy_in(result, c, k);
    if (by == BT_RANK_BLEND) entries[c].value += (energy - lowest) / fmax(fabs(lowest), 1.0);
    for (int d = 0; by == BT_RANK_RANKS && d < n; d++) entries[c].value += energy_in(result, d, k) < energy;
  }
}

bt_status bt_result_rank(bt_result *result, bt_rank_by by, bt_error *opt_error) {
  int n = result->n_clusters, last = result->n_rescored;
  if (last == 0) return BT_OK;
  BT_SCOPED entry *entries = bt_allocate((size_t)n, sizeof *entries);
  BT_SCOPED int *order = bt_allocate((size_t)n, sizeof *order);
  BT_SCOPED bt_rescored *before = bt_allocate((size_t)n, sizeof *before);
  if (entries == NULL || order == NULL || before == NULL) return bt_fail_memory(opt_error);
  for (int c = 0; c < n; c++) entries[c] = (entry){.tie = energy_in(result, c, last), .cluster = c};
  for (int k = 0; k <= last && by != BT_RANK_SCORE; k++) add_function(result, by, k, entries);
  qsort(entries, (size_t)n, sizeof *entries, by_value);
  for (int c = 0; c < n; c++) order[c] = entries[c].cluster;
  BT_TRY(bt_result_reorder(result, order, opt_error));
  result->ranked_by = by;
  for (int k = 0; k < last; k++) {
    memcpy(before, result->rescored[k], (size_t)n * sizeof *before);
    for (int c = 0; c < n; c++) result->rescored[k][c] = before[order[c]];
  }
  return BT_OK;
}

const char *bt_rank_ligands_by(bt_rank_by by, bt_scoring docking, int n_rescored, bt_scoring last) {
  if (n_rescored == 0 || by == BT_RANK_RANKS) return bt_scoring_name(docking);
  return by == BT_RANK_SCORE ? bt_scoring_name(last) : bt_rank_name(by);
}

/* Re-scored clusters stay in the order of the docking until they are ranked. */
static bool is_ranked(const bt_result *result) { return result->n_rescored > 0 && result->reordered; }

const char *bt_result_ranks_ligands_by(const bt_result *result) {
  int n = is_ranked(result) ? result->n_rescored : 0;
  bt_scoring last = n > 0 ? result->rescored[n - 1][0].scoring : result->ligand->scoring;
  return bt_rank_ligands_by(result->ranked_by, result->ligand->scoring, n, last);
}

const char *bt_result_ranked_by(const bt_result *result) {
  if (is_ranked(result) && result->ranked_by == BT_RANK_RANKS) return bt_rank_name(BT_RANK_RANKS);
  return bt_result_ranks_ligands_by(result);
}

double bt_result_rank_energy(const bt_result *result, int cluster) {
  if (cluster < 0 || cluster >= result->n_clusters) return NAN;
  int n = is_ranked(result) && result->ranked_by != BT_RANK_RANKS ? result->n_rescored : 0;
  if (n == 0 || result->ranked_by == BT_RANK_SCORE) return energy_in(result, cluster, n);
  double sum = 0;
  for (int k = 0; k <= n; k++) sum += energy_in(result, cluster, k);
  return sum / (n + 1);
}

int bt_result_rescored_count(const bt_result *result) { return result->n_rescored; }

bt_rescored bt_result_rescored(const bt_result *result, int cluster, int index) {
  if (cluster < 0 || cluster >= result->n_clusters || index < 0 || index >= result->n_rescored) return (bt_rescored){0};
  return result->rescored[index][cluster];
}
