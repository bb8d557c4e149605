/* scores.c - what re-scorers say of clusters, and their order by several scores. */
#include <berth/rescore.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "results/result.h"

/* ---- 1. scores ---- */

static void set_ranks(bt_rescored *clusters, int n) {
  for (int c = 0; c < n; c++) {
    clusters[c].rank = 1;
    for (int d = 0; d < n; d++) {
      double other = clusters[d].score, own = clusters[c].score;
      clusters[c].rank += other < own || (other == own && d < c);
    }
  }
}

bt_status bt_result_add_scores(bt_result *result, bt_rescored *clusters, bt_error *opt_error) {
  size_t count = (size_t)result->n_rescored + 1;
  bt_rescored **rescored = realloc(result->rescored, count * sizeof *rescored);
  if (rescored == NULL) return bt_fail_memory(opt_error);
  set_ranks(clusters, result->n_clusters);
  rescored[result->n_rescored++] = clusters;
  result->rescored = rescored;
  return BT_OK;
}

void bt_rescored_clear(bt_rescored *cluster) {
  free((double *)(uintptr_t)cluster->xyz);
  free((double *)(uintptr_t)cluster->values);
  *cluster = (bt_rescored){0};
}

void bt_rescored_destroy(bt_rescored *opt_clusters, int count) {
  for (int c = 0; opt_clusters != NULL && c < count; c++) bt_rescored_clear(&opt_clusters[c]);
  free(opt_clusters);
}

void bt_result_forget_scores(bt_result *result) {
  for (int k = 0; k < result->n_rescored; k++) bt_rescored_destroy(result->rescored[k], result->n_clusters);
  free(result->rescored);
  result->rescored = NULL;
  result->n_rescored = 0;
  result->reordered = false;
}

int bt_result_rescored_count(const bt_result *result) { return result->n_rescored; }

bt_rescored bt_result_rescored(const bt_result *result, int cluster, int index) {
  if (cluster < 0 || cluster >= result->n_clusters || index < 0 || index >= result->n_rescored) return (bt_rescored){0};
  bt_rescored found = result->rescored[index][cluster];
  if (found.xyz == NULL) found.xyz = result->runs[result->clusters[cluster].leader].xyz;
  return found;
}

/* ---- 2. order by several ---- */

/* What a unit of a score without a unit counts in a sum, kcal/mol: the log odds of networks lead to the same ranking
 * within a wide range of weights, so that 1 is as good as any. */
static const double unit_weight = 1.0;

static const char *const rank_names[] = {"score", "ranks", "blend", "sum"};

const char *bt_rank_name(bt_rank_by by) { return rank_names[by]; }
const char *bt_rank_choices(void) { return "score|ranks|blend|sum"; }

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

/* Of a cluster, the docking's own being 0. */
static double score_of(const bt_result *result, int cluster, int k) {
  return k == 0 ? result->clusters[cluster].lowest : result->rescored[k - 1][cluster].score;
}

/* What a pose's strain counts beside scores, where poses of several conformers are compared: within one conformer it
 * says little (docs/decisions/029-conformers.md). kcal/mol. */
static const double strain_weight = 0.1, most_strain = 40.0, unknown_strain = 10.0;

static double strain_of(const bt_result *result, int cluster) {
  double strain = result->runs[result->clusters[cluster].leader].strain;
  if (!result->with_strain || result->ligand->n_conformers == 0) return 0;
  return strain_weight * fmin(isfinite(strain) ? strain : unknown_strain, most_strain);
}

/* The same as it is added to others, kcal/mol. */
static double summand(const bt_result *result, int cluster, int k) {
  bool unitless = k > 0 && result->rescored[k - 1][cluster].unitless;
  return score_of(result, cluster, k) * (unitless ? unit_weight : 1.0);
}

/* Adds what one score says: its rank, the share of the lowest that a cluster lacks, or itself. */
static void add_score(const bt_result *result, bt_rank_by by, int k, entry *entries) {
  int n = result->n_clusters;
  double lowest = INFINITY;
  for (int c = 0; c < n; c++) lowest = fmin(lowest, score_of(result, c, k));
  for (int c = 0; c < n; c++) {
    double energy = score_of(result, c, k);
    if (by == BT_RANK_SUM) entries[c].value += summand(result, c, k);
    if (by == BT_RANK_BLEND) entries[c].value += (energy - lowest) / fmax(fabs(lowest), 1.0);
    for (int d = 0; by == BT_RANK_RANKS && d < n; d++) entries[c].value += score_of(result, d, k) < energy;
  }
}

bt_status bt_result_rank(bt_result *result, bt_rank_by by, bt_error *opt_error) {
  int n = result->n_clusters, last = result->n_rescored;
  if (last == 0) return BT_OK;
  BT_SCOPED entry *entries = bt_allocate((size_t)n, sizeof *entries);
  BT_SCOPED int *order = bt_allocate((size_t)n, sizeof *order);
  BT_SCOPED bt_rescored *before = bt_allocate((size_t)n, sizeof *before);
  if (entries == NULL || order == NULL || before == NULL) return bt_fail_memory(opt_error);
  for (int c = 0; c < n; c++) entries[c] = (entry){.tie = score_of(result, c, last), .cluster = c};
  for (int k = 0; k <= last && by != BT_RANK_SCORE; k++) add_score(result, by, k, entries);
  for (int c = 0; c < n && by == BT_RANK_SUM; c++) entries[c].value += strain_of(result, c);
  qsort(entries, (size_t)n, sizeof *entries, by_value);
  for (int c = 0; c < n; c++) order[c] = entries[c].cluster;
  BT_TRY(bt_result_reorder(result, order, opt_error));
  result->ranked_by = by;
  for (int k = 0; k < last; k++) {
    memcpy(before, result->rescored[k], (size_t)n * sizeof *before);
    for (int c = 0; c < n; c++) result->rescored[k][c] = before[order[c]];
  }
  if (!bt_result_has_variants(result)) return BT_OK;
  BT_TRY(bt_result_thin(result, opt_error));
  for (int k = 0; k < last; k++) set_ranks(result->rescored[k], result->n_clusters);
  return BT_OK;
}

/* last: of those that scored it; NULL: none did. */
static const char *ligands_by(bt_rank_by by, const char *docking, const char *opt_last) {
  if (opt_last == NULL || by == BT_RANK_RANKS) return docking;
  return by == BT_RANK_SCORE ? opt_last : bt_rank_name(by);
}

const char *bt_rank_ligands_by(bt_rank_by by, const char *docking, const char *rescorers) {
  const char *comma = strrchr(rescorers, ',');
  return ligands_by(by, docking, comma != NULL ? comma + 1 : rescorers[0] != '\0' ? rescorers : NULL);
}

static const char *docked_by(const bt_result *result) {
  return result->opt_rigid != NULL ? result->opt_rigid->engine : bt_scoring_name(result->ligand->scoring);
}

/* Re-scored clusters stay in the order of the docking until they are ranked. */
static bool is_ranked(const bt_result *result) { return result->n_rescored > 0 && result->reordered; }

const char *bt_result_ranks_ligands_by(const bt_result *result) {
  const char *last = is_ranked(result) ? result->rescored[result->n_rescored - 1][0].name : NULL;
  return ligands_by(result->ranked_by, docked_by(result), last);
}

const char *bt_result_ranked_by(const bt_result *result) {
  if (is_ranked(result) && result->ranked_by == BT_RANK_RANKS) return bt_rank_name(BT_RANK_RANKS);
  return bt_result_ranks_ligands_by(result);
}

double bt_result_rank_rest(const bt_result *result, int cluster, bt_rank_by by) {
  if (by == BT_RANK_SCORE) return 0;
  return by == BT_RANK_SUM ? score_of(result, cluster, 0) + strain_of(result, cluster) : NAN;
}

double bt_result_rank_energy(const bt_result *result, int cluster) {
  if (cluster < 0 || cluster >= result->n_clusters) return NAN;
  int n = is_ranked(result) && result->ranked_by != BT_RANK_RANKS ? result->n_rescored : 0;
  if (n == 0 || result->ranked_by == BT_RANK_SCORE) return score_of(result, cluster, n);
  double sum = result->ranked_by == BT_RANK_SUM ? strain_of(result, cluster) : 0;
  for (int k = 0; k <= n; k++) sum += summand(result, cluster, k);
  return result->ranked_by == BT_RANK_SUM ? sum : sum / (n + 1);
}
