/* table.c - see table.h. */
#include "bench/dockings/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "common/json.h"
#include "common/report.h"

void bench_table_free(bench_table *table) {
  free(table->rows);
  *table = (bench_table){0};
}

bt_status bench_table_add(bench_table *table, const bench_case *of, const bt_dock_options *options, int repeats,
                          bt_error *opt_error) {
  if (table->count == table->capacity) {
    int capacity = table->capacity > 0 ? 2 * table->capacity : 64;
    bench_row *rows = realloc(table->rows, (size_t)capacity * sizeof *rows);
    if (rows == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
    table->rows = rows;
    table->capacity = capacity;
  }
  bt_error error = {0};
  bench_row *row = &table->rows[table->count];
  *row = (bench_row){.of = of, .team = options->team, .runs = options->runs};
  row->status = bt_bench_docking(of->ligand, of->maps, options, repeats, &row->result, &error);
  const char *asked = options->opt_device != NULL ? options->opt_device : "auto";
  snprintf(row->device, sizeof row->device, "%s", row->result.device[0] != '\0' ? row->result.device : asked);
  snprintf(row->description, sizeof row->description, "%s", row->result.device_description);
  if (row->status != BT_OK) {
    bool fatal = row->status != BT_ERR_DEVICE && row->status != BT_ERR_LIMIT && row->status != BT_ERR_MEMORY &&
                 !(row->status == BT_ERR_USAGE && options->team > 0);
    if (fatal) {
      if (opt_error != NULL) *opt_error = error;
      return row->status;
    }
    snprintf(row->reason, sizeof row->reason, "%s", error.message);
  }
  table->count++;
  return BT_OK;
}

bool bench_table_valid(const bench_table *table) {
  int valid = 0;
  for (int r = 0; r < table->count; r++) {
    if (table->rows[r].status != BT_OK) continue;
    if (!table->rows[r].result.valid) return false;
    valid++;
  }
  return valid > 0;
}

double bench_row_rate(const bench_row *row) {
  bool known = row->status == BT_OK && row->result.valid && row->result.seconds > 0;
  return known ? (double)row->result.evaluations / row->result.seconds : NAN;
}

double bench_table_best(const bench_table *table, const bench_case *of, int runs) {
  double best = 0;
  for (int r = 0; r < table->count; r++)
    if (table->rows[r].of == of && (runs == 0 || table->rows[r].runs == runs))
      best = fmax(best, bench_row_rate(&table->rows[r]));
  return best;
}

static void member(FILE *f, const char *key, double value) {
  fprintf(f, ", \"%s\": ", key);
  cli_json_number(f, value);
}

void bench_row_json(FILE *f, const bench_table *table, const bench_row *row) {
  const bt_bench_docking_result *r = &row->result;
  bool done = row->status == BT_OK;
  fputs("{\"case\": ", f);
  cli_json_string(f, row->of->name);
  fputs(", \"device\": ", f);
  cli_json_string(f, row->device);
  fputs(", \"description\": ", f);
  cli_json_string(f, row->description);
  fprintf(f, ", \"measured\": %s, \"reason\": ", done ? "true" : "false");
  cli_json_string(f, row->reason);
  fprintf(f, ", \"valid\": %s, \"team\": %d, \"runs\": %d", done && r->valid ? "true" : "false", row->team, row->runs);
  if (done) {
    fprintf(f,
            ", \"team_first\": %d, \"team_last\": %d, \"threads\": %d, \"atoms\": %d, \"torsions\": %d, \"pairs\": %d, "
            "\"evaluations\": %lld",
            r->team, r->team_last, r->threads, r->atoms, r->torsions, r->pairs, (long long)r->evaluations);
    member(f, "worst_energy_in_tolerances", r->worst_energy);
    member(f, "worst_gradient_in_tolerances", r->worst_gradient);
    member(f, "energy_deviation", r->energy_deviation);
    member(f, "best_energy", r->best_energy);
    member(f, "seconds", r->valid ? r->seconds : NAN);
    member(f, "seconds_min", r->valid ? r->seconds_min : NAN);
    member(f, "seconds_max", r->valid ? r->seconds_max : NAN);
    member(f, "setup_seconds", r->valid ? r->setup_seconds : NAN);
    member(f, "evaluations_per_second", bench_row_rate(row));
    member(f, "ratio_to_best", bench_row_rate(row) / bench_table_best(table, row->of, row->runs));
  }
  fputc('}', f);
}

void bench_table_members(FILE *f, const bench_table *table, const bt_dock_options *options, int repeats) {
  fprintf(f,
          "\"valid\": %s, \"population\": %d, \"evaluations_per_run\": %lld, \"repeats\": %d, "
          "\"seed\": %llu, \"rows\": [",
          bench_table_valid(table) ? "true" : "false", options->population, (long long)options->evaluations, repeats,
          (unsigned long long)options->seed);
  for (int r = 0; r < table->count; r++) {
    if (r > 0) fputs(", ", f);
    bench_row_json(f, table, &table->rows[r]);
  }
  fputc(']', f);
}

void bench_table_print_reasons(const bench_table *table) {
  for (int r = 0; r < table->count; r++) {
    const bench_row *row = &table->rows[r];
    if (row->status == BT_OK && row->result.valid) continue;
    printf("  %s, %s", row->of->name, row->device);
    if (row->team > 0) printf(", team %d", row->team);
    printf(", %d runs: ", row->runs);
    if (row->status != BT_OK)
      puts(row->reason);
    else
      printf("not valid: energy %.2f, gradient %.2f of the tolerance\n", row->result.worst_energy,
             row->result.worst_gradient);
  }
}

void bench_case_print(const bench_table *table, const bench_case *of) {
  for (int r = 0; r < table->count; r++) {
    const bt_bench_docking_result *result = &table->rows[r].result;
    if (table->rows[r].of != of || table->rows[r].status != BT_OK) continue;
    printf("%s: %d atoms, %d torsions, %d pairs", of->name, result->atoms, result->torsions, result->pairs);
    return;
  }
  printf("%s: %d atoms, %d torsions", of->name, bt_ligand_atom_count(of->ligand), bt_ligand_torsion_count(of->ligand));
}
