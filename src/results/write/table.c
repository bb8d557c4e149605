/* table.c - what a person sees on the terminal: one row per cluster, in 80 columns. */
#include <berth/score.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "results/analysis/strain.h"
#include "results/checks/checks.h"
#include "results/flags.h"
#include "results/write/pose_text.h"

enum { MOST_CLUSTERS = 10, BAR_WIDTH = 14, FEW_RUNS = 5 };

/* 1234567 -> 1,234,567 */
static void add_grouped(bt_text *text, int64_t number) {
  char digits[32];
  snprintf(digits, sizeof digits, "%" PRId64, number);
  size_t length = strlen(digits);
  for (size_t k = 0; k < length; k++) {
    if (k > 0 && (length - k) % 3 == 0 && digits[k - 1] != '-') bt_text_add_char(text, ',');
    bt_text_add_char(text, digits[k]);
  }
}

static void add_count(bt_text *text, int count, const char *what) {
  bt_text_printf(text, "%d %s%s", count, what, count == 1 ? "" : "s");
}

static int count_seeds(const bt_result *result) {
  int count = 0;
  for (int r = 0; r < result->n_runs; r++) count += result->runs[r].seed > 0;
  return count;
}

static void add_heading(bt_text *text, const bt_result *result) {
  const bt_ligand *ligand = result->ligand;
  bt_text_printf(text, "%s: ", bt_molecule_name(ligand->molecule));
  add_count(text, ligand->n_atoms, "atom");
  bt_text_add_string(text, ", ");
  add_count(text, ligand->n_torsions, "torsion");
  if (ligand->n_conformers > 0) bt_text_add_string(text, ", ");
  if (ligand->n_conformers > 0) add_count(text, 1 + ligand->n_conformers, "conformer");
  bt_text_add_string(text, "; ");
  int seeds = count_seeds(result);
  add_count(text, result->n_runs - seeds, "run");
  if (seeds > 0) bt_text_add_string(text, " and ");
  if (seeds > 0) add_count(text, seeds, "seed pose");
  bt_text_add_string(text, " in ");
  add_count(text, result->n_clusters, "cluster");
  bt_text_printf(text, ", scored by %s\n", bt_scoring_title(ligand->scoring));
  add_grouped(text, result->evaluations);
  bt_text_printf(text, " evaluations in %.2f s on %s%s\n\n", result->seconds,
                 result->device[0] != '\0' ? result->device : "cpu", result->autostopped ? ", stopped early" : "");
}

static void add_bar(bt_text *text, int size, int largest) {
  int length = largest <= BAR_WIDTH ? size : (int)ceil((double)size * BAR_WIDTH / largest);
  for (int k = 0; k < length; k++) bt_text_add_char(text, '#');
}

/* The first seed pose that ended in the cluster; 0: none. Its search may have found a lower energy of the same pose. */
static int seed_of(const bt_result *result, int cluster) {
  for (int r = 0; r < result->n_runs; r++)
    if (result->runs[r].cluster == cluster + 1 && result->runs[r].seed > 0) return result->runs[r].seed;
  return 0;
}

static void add_clusters(bt_text *text, const bt_result *result) {
  bool sites = result->n_runs > 0 && result->runs[0].site > 0, seeds = bt_result_has_seeds(result);
  bt_text_printf(text,
                 "cluster runs  best run  %11s     mean    inter    intra   RMSD%s%s\n"
                 "------- ----  --------  -----------  -------  -------  -------  -----%s%s\n",
                 bt_scoring_traits_of(result->ligand->scoring)->energy, !sites ? "" : result->ensemble ? "  rec." : "  site",
                 seeds ? "  seed" : "", sites ? "  ----" : "", seeds ? "  ----" : "");
  int shown = result->n_clusters <= MOST_CLUSTERS + 1 ? result->n_clusters : MOST_CLUSTERS, largest = 0;
  for (int c = 0; c < result->n_clusters; c++)
    if (result->clusters[c].size > largest) largest = result->clusters[c].size;
  for (int c = 0; c < shown; c++) {
    const bt_cluster *cluster = &result->clusters[c];
    const bt_run *run = &result->runs[cluster->leader];
    bt_text_printf(text, "%7d %4d  %8d", c + 1, cluster->size, cluster->leader + 1);
    bt_text_column(text, run->energy.free_energy, 13, 2, false);
    const double energies[] = {cluster->mean, run->energy.inter, run->energy.intra};
    for (int k = 0; k < 3; k++) bt_text_column(text, energies[k], 9, 2, false);
    if (bt_result_has_reference(result))
      bt_text_column(text, run->reference_rmsd, 7, 2, false);
    else
      bt_text_add_string(text, "      -");
    bt_text_add_string(text, bt_run_is_outside(run) || bt_run_clashes(run) ? " ! " : "   ");
    if (sites) bt_text_printf(text, "%3d  ", run->site);
    if (seeds && sites) bt_text_add_char(text, ' ');
    int seed = seed_of(result, c);
    if (seeds && seed > 0) bt_text_printf(text, "%3d  ", seed);
    if (seeds && seed == 0) bt_text_add_string(text, "  -  ");
    add_bar(text, cluster->size, largest);
    while (text->size > 0 && text->data[text->size - 1] == ' ') text->data[--text->size] = '\0';
    bt_text_add_char(text, '\n');
  }
  if (shown == result->n_clusters) return;
  bt_text_add_string(text, "    ... and ");
  add_count(text, result->n_clusters - shown, "more cluster");
  bt_text_add_char(text, '\n');
}

/* Columns of a re-scorer: its score or, where it gives values, these instead, then its rank; and where the pose lies
 * that was scored, if that is not the docked one. */
static int value_columns(const bt_rescored *of) { return of->n_values > 0 ? of->n_values : 1; }
static const char *column_name(const bt_rescored *of, int v) {
  return of->n_values > 0 ? of->value_names[v] : of->title;
}
static int column_width(const bt_rescored *of, int v) {
  int length = (int)strlen(column_name(of, v));
  return length > 10 ? length : 10;
}
static bool any_minimized(const bt_result *result, int k) {
  bool any = false;
  for (int c = 0; c < result->n_clusters; c++) any = any || result->rescored[k][c].minimized;
  return any;
}

static void add_rescored_heading(bt_text *text, const bt_result *result) {
  bt_text_printf(text, "\ncluster %10s", bt_scoring_title(result->ligand->scoring));
  for (int k = 0; k < result->n_rescored; k++) {
    const bt_rescored *of = &result->rescored[k][0];
    for (int v = 0; v < value_columns(of); v++) bt_text_printf(text, "  %*s", column_width(of, v), column_name(of, v));
    bt_text_add_string(text, any_minimized(result, k) ? "  rank  moved   RMSD" : "  rank");
  }
  bt_text_add_string(text, "\n------- ----------");
  for (int k = 0; k < result->n_rescored; k++) {
    const bt_rescored *of = &result->rescored[k][0];
    for (int v = 0; v < value_columns(of); v++) {
      bt_text_add_string(text, "  ");
      for (int i = 0; i < column_width(of, v); i++) bt_text_add_char(text, '-');
    }
    bt_text_add_string(text, any_minimized(result, k) ? "  ----  -----  -----" : "  ----");
  }
  bt_text_add_char(text, '\n');
}

static void add_one_rescored(bt_text *text, const bt_result *result, const bt_rescored *of, bool minimized) {
  if (of->n_values == 0) bt_text_column(text, of->score, column_width(of, 0) + 2, 2, false);
  for (int v = 0; v < of->n_values; v++) bt_text_column(text, of->values[v], column_width(of, v) + 2, 3, false);
  bt_text_printf(text, "%6d", of->rank);
  if (!minimized) return;
  bt_text_column(text, of->moved, 7, 2, false);
  if (bt_result_has_reference(result))
    bt_text_column(text, of->reference_rmsd, 7, 2, false);
  else
    bt_text_add_string(text, "      -");
}

/* What re-scorers say, beside the docking's own function. */
static void add_rescored(bt_text *text, const bt_result *result) {
  if (result->n_rescored == 0) return;
  bool minimized = false;
  for (int k = 0; k < result->n_rescored; k++) minimized = minimized || any_minimized(result, k);
  add_rescored_heading(text, result);
  for (int c = 0; c < result->n_clusters && c < MOST_CLUSTERS; c++) {
    bt_text_printf(text, "%7d", c + 1);
    bt_text_column(text, result->clusters[c].lowest, 11, 2, false);
    for (int k = 0; k < result->n_rescored; k++)
      add_one_rescored(text, result, &result->rescored[k][c], any_minimized(result, k));
    bt_text_add_char(text, '\n');
  }
  if (result->reordered)
    bt_text_printf(text, "Clusters in the order of --rank-by %s%s\n", bt_rank_name(result->ranked_by),
                   minimized ? "; moved: RMSD from the docked pose to the minimized one" : "");
}

/* Convergence is judged by how many runs have found the same pose. */
static void add_agreement(bt_text *text, const bt_result *result) {
  int agree = result->n_clusters > 0 ? result->clusters[0].size : 0, runs = 0;
  for (int r = 0; agree > 0 && r < result->n_runs; r++) /* runs that could have found it */
    runs += result->runs[r].site == result->runs[result->clusters[0].leader].site;
  if (result->n_clusters > 0 && agree == 0)
    bt_text_add_string(text, "Cluster 1 is a minimum in which no run ended\n");
  if (runs < FEW_RUNS || agree == 0) return;
  if (agree == 1)
    bt_text_printf(text, "! No other of the %d runs found the pose of cluster 1: search longer, with more runs\n",
                   runs);
  else
    bt_text_printf(text, "%d of %d runs agree on the pose of cluster 1\n", agree, runs);
}

/* Of the best pose. */
static void add_waters(bt_text *text, const bt_result *result) {
  if (!result->with_waters || result->n_clusters == 0) return;
  bt_text_add_string(text, "Waters of the best pose: ");
  bt_waters_add_count(text, &result->runs[result->clusters[0].leader].waters);
  bt_text_add_char(text, '\n');
}

/* Of the best pose, and how many poses have a fault. */
static void add_strain(bt_text *text, const bt_result *result) {
  if (!result->with_strain || result->n_clusters == 0) return;
  double strain = result->runs[result->clusters[0].leader].strain;
  if (!isnan(strain))
    bt_text_printf(text, "Strain of the best pose: %.1f kcal/mol (%s)\n", strain, result->strain_source);
  for (int k = 0; k < BT_FAULTS; k++) {
    int count = 0;
    for (int r = 0; r < result->n_poses; r++) count += (result->runs[r].faults & bt_fault_bit(k)) != 0;
    bool best = (result->runs[result->clusters[0].leader].faults & bt_fault_bit(k)) != 0;
    if (count > 0)
      bt_text_printf(text, "! %d of the poses ha%s %s%s\n", count, count > 1 ? "ve" : "s", bt_fault_text(k),
                     best ? ", the best pose among them" : "");
  }
}

/* Of the best pose, and how many of those that were checked fail. */
static void add_checks(bt_text *text, const bt_result *result) {
  int made = 0, failed = 0;
  if (!result->with_checks || result->n_clusters == 0) return;
  const bt_checks *best = &result->runs[result->clusters[0].leader].checks;
  for (int r = 0; r < result->n_poses; r++) {
    made += result->runs[r].checks.made;
    failed += result->runs[r].checks.failed != 0;
  }
  if (made == 0) return;
  bt_text_add_string(text, best->failed == 0 ? "Checks of the best pose: " : "! Checks that the best pose fails: ");
  bt_checks_add_text(text, best);
  bt_text_printf(text, "; %d of %d poses pass\n", made - failed, made);
}

static void add_notes(bt_text *text, const bt_result *result) {
  int outside = 0, clashes = 0;
  for (int k = 0; k < result->n_poses; k++) {
    outside += bt_run_is_outside(&result->runs[k]);
    clashes += bt_run_clashes(&result->runs[k]);
  }
  const char *reference = result->opt_reference != NULL ? bt_path_base(result->opt_reference->path) : "the input pose";
  if (bt_result_has_reference(result))
    bt_text_printf(text, "\nEnergies in kcal/mol; RMSD in Angstrom to %s%s\n", reference,
                   bt_rmsd_is_exact(result->rmsd) ? "" : " (a lower bound, the molecule is very symmetric)");
  else if (result->opt_reference == NULL)
    bt_text_add_string(text, "\nEnergies in kcal/mol; no RMSD, since the input has no pose (--reference gives one)\n");
  else
    bt_text_printf(text, "\nEnergies in kcal/mol; no RMSD, since %s is another molecule\n", reference);
  add_agreement(text, result);
  add_waters(text, result);
  add_strain(text, result);
  add_checks(text, result);
  if (outside > 0) bt_text_printf(text, "! %d of the poses extend beyond the box: enlarge it\n", outside);
  if (clashes > 0)
    bt_text_printf(text, "! %d of the poses clash with the receptor: search longer, or check the box\n", clashes);
}

bt_status bt_result_table(const bt_result *result, char **ret_text, bt_error *opt_error) {
  bt_text text = {0};
  add_heading(&text, result);
  add_clusters(&text, result);
  add_rescored(&text, result);
  add_notes(&text, result);
  return bt_text_take(&text, ret_text, opt_error);
}
