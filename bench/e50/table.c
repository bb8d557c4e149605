/* table.c - prints a study as tables. */
#include <math.h>
#include <stdio.h>

#include "bench/e50/study.h"

/* Seconds to probabilities of 50 % and 99 %, and ratios to the first configuration, if there are others. */
static void print_seconds(double seconds, int config, double ratio, double seconds_ratio) {
  bench_print("%10.3g%10.3g", seconds, bt_e50_seconds(seconds, 1.0, 0.99));
  if (config > 0) bench_print("%8.2f%9.2f", ratio, seconds_ratio);
  putchar('\n');
}

static void print_cell(const e50_study *study, int complex, int config, e50_criterion criterion) {
  const e50_cell *cell = e50_study_cell(study, complex, config);
  const bt_e50 *e = &cell->e50[criterion];
  bench_print("  %-20.20s %5d/%-5d%8.3g%9.3g -%8.3g%7.2f%c", study->configs[config].name, e->successes, e->runs,
              1e-6 * e->value, 1e-6 * e->low, 1e-6 * e->high, e->shape, e->interpolated ? '*' : ' ');
  print_seconds(bt_e50_seconds(e->value, cell->rate, 0.5), config, cell->ratios[criterion][0],
                cell->ratios[criterion][1]);
}

static void print_complex(const e50_study *study, int complex, e50_criterion criterion) {
  const e50_complex *of = &study->set.items[complex];
  printf("  %-8s %3d %8.2f", of->name, of->torsions, of->minimum);
  if (criterion == E50_RMSD && !of->by_rmsd) {
    printf(isfinite(of->minimum_rmsd) ? "  the minimum is %.2f A from the crystal pose\n"
                                       : "  the minimum is not known well enough\n", of->minimum_rmsd);
    return;
  }
  for (int k = 0; k < study->n_configs; k++) {
    if (k > 0) printf("%23s", "");
    print_cell(study, complex, k, criterion);
  }
}

static void print_means(const e50_study *study, e50_criterion criterion) {
  char title[64];
  snprintf(title, sizeof title, "  mean of %d", study->configs[0].means[criterion].complexes);
  for (int k = 0; k < study->n_configs; k++) {
    const e50_config *config = &study->configs[k];
    const e50_mean *mean = &config->means[criterion];
    const bt_e50_comparison *ratios = config->contest.of[criterion];
    if (mean->complexes == 0) return;
    bench_print("%-23s  %-20.20s %11s%8.3g%27s", k == 0 ? title : "", config->name, "", 1e-6 * mean->e50, "");
    print_seconds(mean->seconds, k, ratios[0].ratio, ratios[1].ratio);
  }
}

void e50_ratio_print(const char *first, const char *second, const bt_e50_comparison *of, const char *criterion,
                     bool seconds) {
  if (of->pairs == 0) return;
  printf("by %s: %s of %s / %s = %.3f (95 %% interval %.3f - %.3f, %d complexes, Wilcoxon p = %.2g): ", criterion,
         seconds ? "seconds" : "E50", second, first, of->ratio, of->low, of->high, of->pairs, of->probability);
  if (of->verdict == BT_E50_UNDECIDED)
    puts("undecided");
  else if (of->verdict == BT_E50_EQUIVALENT)
    puts("equivalent");
  else
    printf("%s needs %s %s\n", second, of->verdict == BT_E50_SECOND_FEWER ? "fewer" : "more",
           seconds ? "seconds" : "evaluations");
}

void e50_contest_print(const char *first, const char *second, const e50_contest *contest) {
  for (int c = 0; c < E50_CRITERIA; c++)
    for (int seconds = 0; seconds < 2; seconds++)
      e50_ratio_print(first, second, &contest->of[c][seconds], c == E50_SCORE ? "score" : "RMSD", seconds);
}

/* Of each configuration, over all complexes, where the machine has counters. */
static void print_joules(const e50_study *study) {
  for (int k = 0; k < study->n_configs; k++) {
    double joules = 0;
    int successes = 0, runs = 0;
    for (int i = 0; i < study->set.count; i++) {
      const e50_cell *cell = e50_study_cell(study, i, k);
      joules += bt_joules_sum(cell->trace.joules);
      successes += cell->e50[E50_SCORE].successes;
      runs += cell->trace.runs;
    }
    if (!isnan(joules))
      bench_print("energy of %s: %.4g J, %.3g J per run, %.3g J per success by score\n", study->configs[k].name, joules,
                  joules / runs, successes > 0 ? joules / successes : NAN);
  }
}

void e50_study_print(const void *user) {
  const e50_study *study = user;
  const bt_dock_options *o = &study->configs[0].search;
  printf("E50 in millions of evaluations, %d runs of up to %g million; valid: %s\n", o->runs,
         1e-6 * (double)o->evaluations, e50_study_valid(study) ? "yes" : "NO");
  for (int c = 0; c < E50_CRITERIA; c++) {
    if (c == E50_SCORE)
      printf("\nby score, within %g kcal/mol of the minimum\n", study->limits.window);
    else
      printf("\nby RMSD, within %g Angstrom of the crystal pose\n", study->limits.radius);
    printf("  %-8s %3s %8s  %-20s %11s %7s %19s %6s  %9s %9s%s\n", "", "tor", "minimum", "configuration", "successes",
           "E50", "95 %   ", "shape", "s to 50 %", "s to 99 %", study->n_configs > 1 ? "   E50 /    s /" : "");
    for (int i = 0; i < study->set.count; i++) print_complex(study, i, (e50_criterion)c);
    print_means(study, (e50_criterion)c);
  }
  puts(
      "\nshape: exponent of the curve, 1: memoryless; *: E50 is where the curve crosses one half, else of the model\n"
      "s: seconds until one run has succeeded with that probability, all runs searching at once; mean: geometric,\n"
      "a configuration without a success counting as half a success");
  if (study->n_configs > 1)
    printf("E50 /, s /: ratio to %s; of the mean, over the same complexes with intervals below\n",
           study->configs[0].name);
  print_joules(study);
  for (int k = 1; k < study->n_configs; k++)
    e50_contest_print(study->configs[0].name, study->configs[k].name, &study->configs[k].contest);
  if (study->opt_path != NULL) e50_against_print(study);
}
