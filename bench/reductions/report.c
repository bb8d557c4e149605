/* report.c - the tables of `berth bench reductions`: errors; then, as in the paper, dockings (its Table 3), the model
 * (Table 4), and predicted against measured speed-ups (Table 5). */
#include <berth/score.h>
#include <math.h>
#include <stdio.h>

#include "bench/reductions/reductions.h"

/* Fraction of a docking's time spent in the local search's kernel, from the paper. */
static const double kernel_share = 0.9;


static void print_errors(const reduction_bench *r) {
  puts("\nErrors of sums. Early: random poses; late: five generations later. Of sums, |error| / sum of |terms|;");
  puts("of the energy, kcal/mol; of the gradient in genes, largest error / largest component, against");
  puts(
      "double precision. Overflow: poses with a sum that is not finite, left out of the rest. The last column: errors");
  puts("beyond the rounding of single precision, or an overflow.");
  puts(
      "                            | seven sums: mean      max | torsions: mean      max | energy: max | gradient: mean"
      "      max | overflow");
  for (int i = 0; i < r->n_rows; i++) {
    const reduction_row *row = &r->rows[i];
    if (row->measured || row->reason[0] == '\0')
      for (int side = 0; side < 2; side++) {
        const reduction_errors *e = side == 0 ? &row->early : &row->late;
        char team[16] = "host";
        if (row->measured) snprintf(team, sizeof team, "%d", row->team);
        bench_print("%-6s %-13s %-5s   | %16.1e %8.1e | %14.1e %8.1e | %11.1e | %14.1e %8.1e | %6.1f%%%s\n", team,
                    bt_reduction_name((int)row->reduction), side == 0 ? "early" : "late", e->seven.mean,
                    e->seven.largest, e->subtree.mean, e->subtree.largest, e->energy.largest, e->gradient.mean,
                    e->gradient.largest, 100 * e->overflow.mean, reduction_sums_hold(e) ? "" : "  beyond");
      }
    if (row->reason[0] != '\0')
      printf("%-6d %-13s %s\n", row->team, bt_reduction_name((int)row->reduction), row->reason);
  }
}

static void print_dockings(const reduction_bench *r) {
  printf(
      "\nDockings (the paper's Table 3): %d runs, population %d, ADADELTA; energies in kcal/mol; seconds of a "
      "docking.\n",
      r->job.options.runs, r->job.options.population);
  puts("Success: runs within 1 kcal/mol of the lowest energy of the table.");
  puts(
      "team   reduction     valid (of tolerance) | evals/run | best energy @RMSD | best RMSD @energy |     min     max"
      "    mean     s.d. | success");
  for (int i = 0; i < r->n_rows; i++) {
    const reduction_row *row = &r->rows[i];
    if (!row->measured) continue;
    bench_print("%-6d %-13s %-3s %8.2f %8.2f | %9lld | %11.2f %5.2f | %9.2f %7.2f | %7.4f %7.4f %7.4f %8.4f | %d/%d\n",
                row->team, bt_reduction_name((int)row->reduction), row->valid ? "yes" : "NO", row->worst.energy,
                row->worst.gradient, (long long)row->evaluations, row->best_energy, row->best_energy_rmsd,
                row->best_rmsd, row->best_rmsd_energy, row->seconds_min, row->seconds_max, row->seconds,
                row->seconds_deviation, row->successes, row->runs);
  }
}

static void print_model(const reduction_bench *r) {
  static const double fractions[] = {0.0, 0.1, 0.2, 0.5, 0.9, 1.0};
  printf("\nThe model 1 / (f/S + 1 - f) (Table 4), S = %.1f:\n", r->peak);
  for (int i = 0; i < CLI_COUNT(fractions); i++)
    printf("  f = %.1f: %.2f", fractions[i], reduction_speedup(fractions[i], r->peak));
  putchar('\n');
}

/* The measured row that is a row's baseline, or NULL. */
static const reduction_row *baseline_of(const reduction_bench *r, const reduction_row *row) {
  bt_reduction baseline = reduction_baseline(row->reduction);
  for (int i = 0; i < r->n_rows; i++)
    if (r->rows[i].measured && r->rows[i].team == row->team && r->rows[i].reduction == baseline) return &r->rows[i];
  return NULL;
}

/* NaN for the baseline itself, and if either is not valid. */
static double measured_speedup(const reduction_row *row, const reduction_row *opt_baseline) {
  return opt_baseline != NULL && row != opt_baseline ? opt_baseline->microseconds / row->microseconds : NAN;
}

/* The baseline's, to which the model applies. */
static double effective_fraction(const reduction_row *row, const reduction_row *opt_baseline) {
  return opt_baseline != NULL && row != opt_baseline ? kernel_share * opt_baseline->fraction : NAN;
}

static void print_speeds(const reduction_bench *r) {
  puts(
      "\nPredicted and measured (Table 5). f: share of ADADELTA's clock cycles in sums; cycles: of an evaluation's "
      "sums.");
  puts("Against the baseline of the row, simt or sequential: f_eff = 0.9 f of the baseline; bound: S infinite.");
  puts("team   reduction     |     f  cycles  us/eval | baseline    f_eff    S  predicted  bound  measured");
  for (int i = 0; i < r->n_rows; i++) {
    const reduction_row *row = &r->rows[i], *baseline = baseline_of(r, row);
    if (!row->measured) continue;
    double f = effective_fraction(row, baseline);
    bool compared = baseline != NULL && baseline != row;
    bench_print("%-6d %-13s | %5.3f %7.0f %8.5f | %-10s %6.3f %4.1f %10.2f %6.2f %9.2f\n", row->team,
                bt_reduction_name((int)row->reduction), row->fraction, row->cycles, row->microseconds,
                compared ? bt_reduction_name((int)baseline->reduction) : "-", f, compared ? r->peak : NAN,
                reduction_speedup(f, r->peak), 1 / (1 - f), measured_speedup(row, baseline));
  }
}

void reduction_print(const void *user) {
  const reduction_bench *r = user;
  const bt_ligand *ligand = r->of.ligand;
  printf("%s: %d atoms, %d torsions, %d bodies, %d pairs; %d early and %d late poses\n", r->of.name, ligand->n_atoms,
         ligand->n_torsions, ligand->n_bodies, ligand->n_pairs, REDUCTION_POSES, REDUCTION_POSES);
  printf("  %s: %s; ", r->subject.device, r->subject.description);
  bench_print_build();
  if (r->reason[0] != '\0') printf("  %s\n", r->reason);
  printf("  valid: %s (all but half precision against double precision)\n", r->valid ? "yes" : "NO");
  print_errors(r);
  if (r->reason[0] != '\0') return;
  print_dockings(r);
  if (!isnan(r->peak)) print_model(r);
  print_speeds(r);
}

static void write_errors(bt_json *json, const char *key, const reduction_errors *e) {
  bt_json_key(json, key);
  bench_json(json, "{ seven_mean %g seven_max %g torsions_mean %g torsions_max %g energy_mean %g energy_max %g "
             "gradient_mean %g gradient_max %g overflow %g }", e->seven.mean, e->seven.largest, e->subtree.mean,
             e->subtree.largest, e->energy.mean, e->energy.largest, e->gradient.mean, e->gradient.largest,
             e->overflow.mean);
}

static void write_measured(bt_json *json, const reduction_bench *r, const reduction_row *row) {
  const reduction_row *baseline = baseline_of(r, row);
  double share = effective_fraction(row, baseline);
  bench_json(json,
             "valid %hhd worst_energy_in_tolerances %g worst_gradient_in_tolerances %g cycles_in_sums %g "
             "cycles_per_evaluation %g dockings %d evaluations_per_run %ld seconds %g seconds_min %g seconds_max %g "
             "seconds_deviation %g microseconds %g baseline %s effective_fraction %g predicted_speedup %g bound %g "
             "measured_speedup %g best_energy %g best_energy_rmsd %g best_rmsd %g best_rmsd_energy %g successes %d "
             "runs %d",
             row->valid, row->worst.energy, row->worst.gradient, row->fraction, row->cycles, row->dockings,
             row->evaluations, row->seconds, row->seconds_min, row->seconds_max, row->seconds_deviation,
             row->microseconds, bt_reduction_name((int)reduction_baseline(row->reduction)), share,
             reduction_speedup(share, r->peak), 1 / (1 - share), measured_speedup(row, baseline), row->best_energy,
             row->best_energy_rmsd, row->best_rmsd, row->best_rmsd_energy, row->successes, row->runs);
}

void reduction_members(bt_json *json, const void *user) {
  const reduction_bench *r = user;
  const bt_dock_options *o = &r->job.options;
  bench_json(json, "ligand %s valid %hhd", r->of.name, r->valid);
  bench_subject_json(json, &r->subject);
  bench_json(json, "bodies %d poses %d reason %s peak_ratio %g docking_runs %d population %d evaluations %ld rows [",
             r->of.ligand->n_bodies, (int)REDUCTION_POSES, r->reason, r->peak, o->runs, o->population, o->evaluations);
  for (int i = 0; i < r->n_rows; i++) {
    const reduction_row *row = &r->rows[i];
    bench_json(json, "{ reduction %s team %d measured %hhd reason %s", bt_reduction_name((int)row->reduction),
               row->team, row->measured, row->reason);
    if (!row->measured && row->reason[0] == '\0') bench_json(json, "valid %hhd", row->valid);
    if (row->measured || row->reason[0] == '\0') {
      write_errors(json, "early", &row->early);
      write_errors(json, "late", &row->late);
    }
    if (row->measured) write_measured(json, r, row);
    bench_json(json, "}");
  }
  bench_json(json, "]");
}
