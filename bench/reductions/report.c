/* report.c - the tables of `berth bench reductions`: errors first; then, as in the paper that it
 * follows, dockings (its Table 3), the model (Table 4), and the model beside what was measured (Table 5). */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/reductions/report.h"
#include "common/json.h"
#include "common/options.h"

/* Share of a docking's time that the local search's kernel takes, as the paper has it. */
static const double kernel_share = 0.9;

static const char *const names[] = {"auto", "simt", "tensor-fp16", "tensor-ec"};

static void cell(int width, const char *format, double value) {
  char text[64] = "-";
  if (!isnan(value)) snprintf(text, sizeof text, format, value);
  printf(" %*s", width, text);
}

static void print_errors(const bt_bench_reductions_result *r) {
  puts("\nErrors of sums. Early: random poses; late: five generations later. Of sums, |error| / sum of |terms|;");
  puts("of the energy, kcal/mol; of the gradient in genes, largest component's error / largest component, against");
  puts("double precision. Overflow: poses with a sum that is not finite, left out of the rest.");
  puts(
      "                          | seven sums: mean      max | torsions: mean      max | energy: max | gradient: mean  "
      "    max | overflow");
  for (int i = 0; i < r->n_rows; i++) {
    const bt_bench_reduction_row *row = &r->rows[i];
    if (row->measured || row->reason[0] == '\0')
      for (int side = 0; side < 2; side++) {
        const bt_bench_reduction_errors *e = side == 0 ? &row->early : &row->late;
        char team[16];
        snprintf(team, sizeof team, "%d", row->team);
        printf("%-6s %-11s %-5s   |", row->measured ? team : "host", names[row->reduction],
               side == 0 ? "early" : "late");
        cell(16, "%.1e", e->seven_mean), cell(8, "%.1e", e->seven_max);
        fputs(" |", stdout), cell(14, "%.1e", e->subtree_mean), cell(8, "%.1e", e->subtree_max);
        fputs(" |", stdout), cell(11, "%.1e", e->energy_max);
        fputs(" |", stdout), cell(14, "%.1e", e->gradient_mean), cell(8, "%.1e", e->gradient_max);
        fputs(" |", stdout), cell(7, "%.1f%%", 100 * e->overflow);
        putchar('\n');
      }
    if (row->reason[0] != '\0') printf("%-6d %-11s %s\n", row->team, names[row->reduction], row->reason);
  }
}

static void print_dockings(const bt_bench_reductions_result *r) {
  printf(
      "\nDockings (the paper's Table 3): %d runs, population %d, ADADELTA; energies in kcal/mol; seconds of a "
      "docking.\n",
      r->runs, r->population);
  puts("Success: runs within 1 kcal/mol of the lowest energy of the table.");
  puts(
      "team   reduction   valid (of tolerance) | evals/run | best energy @RMSD | best RMSD @energy |     min     max   "
      " mean     s.d. | success");
  for (int i = 0; i < r->n_rows; i++) {
    const bt_bench_reduction_row *row = &r->rows[i];
    if (!row->measured) continue;
    printf("%-6d %-11s %-3s", row->team, names[row->reduction], row->valid ? "yes" : "NO");
    cell(8, "%.2f", row->worst_energy), cell(8, "%.2f", row->worst_gradient);
    printf(" | %9lld |", (long long)row->evaluations);
    cell(11, "%.2f", row->best_energy), cell(5, "%.2f", row->best_energy_rmsd);
    fputs(" |", stdout), cell(9, "%.2f", row->best_rmsd), cell(7, "%.2f", row->best_rmsd_energy);
    fputs(" |", stdout), cell(7, "%.4f", row->seconds_min), cell(7, "%.4f", row->seconds_max);
    cell(7, "%.4f", row->seconds), cell(8, "%.4f", row->seconds_deviation);
    printf(" | %d/%d\n", row->successes, row->runs);
  }
}

static void print_model(const bt_bench_reductions_result *r) {
  static const double fractions[] = {0.0, 0.1, 0.2, 0.5, 0.9, 1.0};
  printf("\nThe model 1 / (f/S + 1 - f) (Table 4), S = %.1f:\n", r->peak);
  for (int i = 0; i < CLI_COUNT(fractions); i++)
    printf("  f = %.1f: %.2f", fractions[i], bt_bench_reductions_model(fractions[i], r->peak));
  putchar('\n');
}

static const bt_bench_reduction_row *simt_of(const bt_bench_reductions_result *r, int team) {
  for (int i = 0; i < r->n_rows; i++)
    if (r->rows[i].measured && r->rows[i].team == team && r->rows[i].reduction == BT_REDUCTION_SIMT) return &r->rows[i];
  return NULL;
}

static void print_speeds(const bt_bench_reductions_result *r) {
  puts(
      "\nPredicted and measured (Table 5). f: share of ADADELTA's clock cycles in sums; f_eff = 0.9 f; bound: S "
      "infinite.");
  puts("team   reduction   |     f   f_eff |    S  predicted   bound | simt us/eval  us/eval  measured");
  for (int i = 0; i < r->n_rows; i++) {
    const bt_bench_reduction_row *row = &r->rows[i], *simt = simt_of(r, row->team);
    if (!row->measured || simt == NULL) continue;
    double f = kernel_share * simt->fraction;
    printf("%-6d %-11s |", row->team, names[row->reduction]);
    cell(5, "%.3f", row->fraction), cell(7, "%.3f", kernel_share * row->fraction);
    fputs(" |", stdout);
    bool compared = row != simt;
    cell(4, "%.1f", compared ? r->peak : NAN);
    cell(10, "%.2f", compared ? bt_bench_reductions_model(f, r->peak) : NAN);
    cell(7, "%.2f", compared ? 1 / (1 - f) : NAN);
    fputs(" |", stdout), cell(12, "%.5f", simt->valid ? simt->microseconds : NAN);
    cell(8, "%.5f", row->valid ? row->microseconds : NAN);
    cell(9, "%.2f", compared && row->valid && simt->valid ? simt->microseconds / row->microseconds : NAN);
    putchar('\n');
  }
}

void bench_reductions_text(const void *user) {
  const bench_reductions_finding *found = user;
  const bt_bench_reductions_result *r = found->result;
  printf("%s: %d atoms, %d torsions, %d bodies, %d pairs; %d early and %d late poses\n", found->ligand, r->atoms,
         r->torsions, r->bodies, r->pairs, r->poses, r->poses);
  printf("  %s: %s; commit %s, %s\n", r->device, r->device_description, bt_build_commit(), bt_build_compiler());
  if (r->reason[0] != '\0') printf("  %s\n", r->reason);
  if (r->reason[0] == '\0')
    printf("  valid: %s (simt and tensor-ec against double precision)\n", r->valid ? "yes" : "NO");
  print_errors(r);
  if (r->reason[0] != '\0') return;
  print_dockings(r);
  if (!isnan(r->peak)) print_model(r);
  print_speeds(r);
}

static void json_errors(FILE *f, const char *key, const bt_bench_reduction_errors *e) {
  const struct {
    const char *key;
    double value;
  } figures[] = {
      {"seven_mean", e->seven_mean},       {"seven_max", e->seven_max},       {"torsions_mean", e->subtree_mean},
      {"torsions_max", e->subtree_max},    {"energy_mean", e->energy_mean},   {"energy_max", e->energy_max},
      {"gradient_mean", e->gradient_mean}, {"gradient_max", e->gradient_max}, {"overflow", e->overflow}};
  fprintf(f, ", \"%s\": {", key);
  for (int i = 0; i < CLI_COUNT(figures); i++) {
    fprintf(f, "%s\"%s\": ", i > 0 ? ", " : "", figures[i].key);
    cli_json_number(f, figures[i].value);
  }
  fputc('}', f);
}

static void json_row(FILE *f, const bt_bench_reductions_result *r, const bt_bench_reduction_row *row) {
  const bt_bench_reduction_row *simt = simt_of(r, row->team);
  double share = simt != NULL ? kernel_share * simt->fraction : NAN;
  const struct {
    const char *key;
    double value;
  } figures[] = {{"worst_energy_in_tolerances", row->worst_energy},
                 {"worst_gradient_in_tolerances", row->worst_gradient},
                 {"cycles_in_sums", row->fraction},
                 {"dockings", row->dockings},
                 {"evaluations_per_run", (double)row->evaluations},
                 {"seconds", row->seconds},
                 {"seconds_min", row->seconds_min},
                 {"seconds_max", row->seconds_max},
                 {"seconds_deviation", row->seconds_deviation},
                 {"microseconds", row->microseconds},
                 {"predicted_speedup", row != simt ? bt_bench_reductions_model(share, r->peak) : NAN},
                 {"measured_speedup", simt != NULL && row != simt ? simt->microseconds / row->microseconds : NAN},
                 {"best_energy", row->best_energy},
                 {"best_energy_rmsd", row->best_energy_rmsd},
                 {"best_rmsd", row->best_rmsd},
                 {"best_rmsd_energy", row->best_rmsd_energy},
                 {"successes", row->successes},
                 {"runs", row->runs}};
  fprintf(f, "{\"reduction\": \"%s\", \"team\": %d, \"measured\": %s, \"reason\": ", names[row->reduction], row->team,
          row->measured ? "true" : "false");
  cli_json_string(f, row->reason);
  if (row->measured || row->reason[0] == '\0') {
    json_errors(f, "early", &row->early);
    json_errors(f, "late", &row->late);
  }
  if (row->measured) {
    fprintf(f, ", \"valid\": %s", row->valid ? "true" : "false");
    for (int i = 0; i < CLI_COUNT(figures); i++) {
      fprintf(f, ", \"%s\": ", figures[i].key);
      cli_json_number(f, figures[i].value);
    }
  }
  fputc('}', f);
}

void bench_reductions_members(FILE *f, const void *user) {
  const bench_reductions_finding *found = user;
  const bt_bench_reductions_result *r = found->result;
  fputs("\"ligand\": ", f);
  cli_json_string(f, found->ligand);
  fprintf(f, ", \"valid\": %s, \"atoms\": %d, \"torsions\": %d, \"bodies\": %d, \"pairs\": %d, \"poses\": %d",
          r->valid ? "true" : "false", r->atoms, r->torsions, r->bodies, r->pairs, r->poses);
  fprintf(f, ", \"device\": \"%s\", \"description\": ", r->device);
  cli_json_string(f, r->device_description);
  fputs(", \"reason\": ", f);
  cli_json_string(f, r->reason);
  fputs(", \"peak_ratio\": ", f);
  cli_json_number(f, r->peak);
  fprintf(f, ", \"docking_runs\": %d, \"population\": %d, \"evaluations\": %lld, \"rows\": [", r->runs, r->population,
          (long long)r->evaluations);
  for (int i = 0; i < r->n_rows; i++) {
    if (i > 0) fputs(", ", f);
    json_row(f, r, &r->rows[i]);
  }
  fputc(']', f);
}
