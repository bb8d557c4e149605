/* table.c - a study as tables for people. */
#include <math.h>
#include <stdio.h>

#include "bench/e50/study.h"

/* Millions of evaluations, three digits. */
static void print_millions(double value, int width) { bench_cell(width, "%.3g", 1e-6 * value); }

static void print_seconds(double seconds) {
  bench_cell(10, "%.3g", seconds);
  bench_cell(10, "%.3g", bt_e50_seconds(seconds, 1.0, 0.99));
}

static void print_cell(const e50_study *study, int complex, int config, e50_criterion criterion) {
  const e50_cell *cell = e50_study_cell(study, complex, config);
  const bt_e50 *e = &cell->e50[criterion];
  printf("  %-20.20s %5d/%-5d", study->configs[config].name, e->successes, e->runs);
  print_millions(e->value, 8);
  print_millions(e->low, 9);
  fputs(" -", stdout);
  print_millions(e->high, 8);
  bench_cell(7, "%.2f", e->shape);
  putchar(e->interpolated ? '*' : ' ');
  print_seconds(bt_e50_seconds(e->value, cell->rate, 0.5));
  if (config > 0) bench_cell(8, "%.2f", cell->ratio[criterion]);
  if (config > 0) bench_cell(9, "%.2f", cell->seconds_ratio[criterion]);
  putchar('\n');
}

static void print_complex(const e50_study *study, int complex, e50_criterion criterion) {
  const e50_complex *of = &study->set.items[complex];
  const e50_row *row = &study->rows[complex];
  printf("  %-8s %3d %8.2f", of->name, of->torsions, row->minimum);
  if (criterion == E50_RMSD && !row->by_rmsd) {
    fputs("  the minimum is ", stdout);
    if (isfinite(row->minimum_rmsd))
      printf("%.2f A from the crystal pose\n", row->minimum_rmsd);
    else
      puts("not known well enough");
    return;
  }
  for (int k = 0; k < study->n_configs; k++) {
    if (k > 0) printf("%23s", "");
    print_cell(study, complex, k, criterion);
  }
}

static void print_means(const e50_study *study, e50_criterion criterion) {
  if (study->means[0][criterion].complexes == 0) return;
  char title[64];
  snprintf(title, sizeof title, "  mean of %d", study->means[0][criterion].complexes);
  for (int k = 0; k < study->n_configs; k++) {
    const e50_mean *mean = &study->means[k][criterion];
    const e50_contest *contest = &study->contests[k];
    printf("%-23s  %-20.20s %11s", k == 0 ? title : "", study->configs[k].name, "");
    print_millions(mean->e50, 8);
    printf("%27s", "");
    print_seconds(mean->seconds);
    if (k > 0) bench_cell(8, "%.2f", contest->evaluations[criterion].ratio);
    if (k > 0) bench_cell(9, "%.2f", contest->seconds[criterion].ratio);
    putchar('\n');
  }
}

void e50_ratio_print(const char *first, const char *second, const bt_e50_comparison *of, const char *criterion,
                     bool seconds) {
  if (of->pairs == 0) return;
  printf("by %s: %s of %s / %s = %.3f (95 %% interval %.3f - %.3f, %d complexes, Wilcoxon p = %.2g): ", criterion,
         seconds ? "seconds" : "E50", second, first, of->ratio, of->low, of->high, of->pairs, of->probability);
  if (of->verdict == BT_E50_UNDECIDED)
    puts("nothing is decided");
  else if (of->verdict == BT_E50_EQUIVALENT)
    puts("they need the same");
  else
    printf("%s needs %s %s\n", second, of->verdict == BT_E50_SECOND_FEWER ? "fewer" : "more",
           seconds ? "seconds" : "evaluations");
}

void e50_contest_print(const char *first, const char *second, const e50_contest *contest) {
  for (int c = 0; c < E50_CRITERIA; c++) {
    const char *criterion = c == E50_SCORE ? "score" : "RMSD";
    e50_ratio_print(first, second, &contest->evaluations[c], criterion, false);
    e50_ratio_print(first, second, &contest->seconds[c], criterion, true);
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
      "s: seconds until one run has succeeded with that chance, all runs searching at the same time; mean: geometric, "
      "a\n"
      "configuration without a success counting half a one");
  if (study->n_configs > 1)
    printf("E50 /, s /: ratio to %s; of the mean, over the same complexes with intervals below\n",
           study->configs[0].name);
  for (int k = 1; k < study->n_configs; k++)
    e50_contest_print(study->configs[0].name, study->configs[k].name, &study->contests[k]);
  if (study->against.opt_path != NULL) e50_against_print(study);
}
