/* trace.c - how runs came down, in files that a study can be resumed from. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/e50/set.h"
#include "common/json.h"
#include "common/outputs.h"
#include "common/report.h"

static const char format_name[] = "berth bench e50 trace";

void e50_trace_free(e50_trace *trace) {
  free(trace->steps);
  free(trace->evaluations);
  *trace = (e50_trace){0};
}

static void string_member(FILE *f, const char *key, const char *text) {
  fprintf(f, "\"%s\": ", key);
  cli_json_string(f, text);
  fputs(",\n", f);
}

bt_status e50_trace_write(const char *path, const char *complex, const char *config, const char *settings,
                          const e50_trace *trace, bt_error *opt_error) {
  const bt_bench_convergence_result *r = &trace->result;
  cli_file file;
  bt_status status = cli_file_open(path, &file, opt_error);
  if (status != BT_OK) return status;
  FILE *f = file.stream;
  fputs("{", f);
  string_member(f, "format", format_name);
  string_member(f, "complex", complex);
  string_member(f, "configuration", config);
  string_member(f, "settings", settings);
  string_member(f, "device", r->device);
  string_member(f, "description", r->device_description);
  string_member(f, "commit", trace->commit);
  fprintf(f, "\"valid\": %s, \"worst_energy_in_tolerances\": ", r->valid ? "true" : "false");
  cli_json_number(f, r->worst_energy);
  fprintf(f,
          ",\n\"threads\": %d, \"atoms\": %d, \"torsions\": %d, \"pairs\": %d, \"generations\": %lld,\n\"seconds\": ",
          r->threads, r->atoms, r->torsions, r->pairs, (long long)r->generations);
  cli_json_number(f, r->seconds);
  fputs(", \"docking_seconds\": ", f);
  cli_json_number(f, r->docking_seconds);
  fputs(",\n\"evaluations\": [", f);
  for (int run = 0; run < trace->runs; run++)
    fprintf(f, "%s%lld", run > 0 ? ", " : "", (long long)trace->evaluations[run]);
  fputs("],\n\"steps\": [", f); /* run, evaluations, energy, RMSD */
  for (size_t i = 0; i < trace->n_steps; i++) {
    const bt_bench_step *s = &trace->steps[i];
    fprintf(f, "%s[%d, %lld, %.4f, %.3f]", i > 0 ? ",\n" : "\n", s->run, (long long)s->evaluations, s->energy, s->rmsd);
  }
  fputs("]}\n", f);
  return cli_file_close(&file, opt_error);
}

static bt_status damaged(const char *path, const char *what, bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_INPUT, path, "remove it, so that it is computed again", "%s", what);
}

static bool is_count(double value, double most) { return value >= 0 && value <= most && value == floor(value); }

static bt_status take_evaluations(const char *path, const cli_json *json, int runs, e50_trace *trace,
                                  bt_error *opt_error) {
  const cli_json *items;
  if (cli_json_get_array(json, "evaluations", &items) != runs) return damaged(path, "runs are missing", opt_error);
  trace->evaluations = calloc((size_t)runs, sizeof *trace->evaluations);
  if (trace->evaluations == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
  for (int run = 0; run < runs; run++) {
    if (!is_count(items[run].number, 9e15)) return damaged(path, "evaluations are no number", opt_error);
    trace->evaluations[run] = (int64_t)items[run].number;
    trace->result.evaluations += trace->evaluations[run];
  }
  trace->runs = runs;
  return BT_OK;
}

static bt_status take_steps(const char *path, const cli_json *json, e50_trace *trace, bt_error *opt_error) {
  const cli_json *items;
  int count = cli_json_get_array(json, "steps", &items);
  trace->steps = calloc((size_t)count + 1, sizeof *trace->steps);
  if (trace->steps == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
  trace->n_steps = (size_t)count;
  for (int i = 0; i < count; i++) {
    const cli_json *v = items[i].items;
    bool good = items[i].count == 4;
    for (int k = 0; k < 4 && good; k++) good = v[k].kind == CLI_JSON_NUMBER;
    if (!good || !is_count(v[0].number, trace->runs - 1) || !is_count(v[1].number, 9e15))
      return damaged(path, "a step is not valid", opt_error);
    trace->steps[i] = (bt_bench_step){(int)v[0].number, (int64_t)v[1].number, v[2].number, v[3].number};
  }
  return BT_OK;
}

static void take_result(const cli_json *json, e50_trace *trace) {
  bt_bench_convergence_result *r = &trace->result;
  const cli_json *valid = cli_json_get(json, "valid");
  const struct {
    const char *key;
    int *to;
  } counts[] = {{"threads", &r->threads}, {"atoms", &r->atoms}, {"torsions", &r->torsions}, {"pairs", &r->pairs}};
  r->valid = valid != NULL && valid->kind == CLI_JSON_BOOL && valid->number == 1;
  r->worst_energy = cli_json_get_number(json, "worst_energy_in_tolerances");
  r->seconds = cli_json_get_number(json, "seconds");
  r->docking_seconds = cli_json_get_number(json, "docking_seconds");
  for (int i = 0; i < CLI_COUNT(counts); i++) {
    double value = cli_json_get_number(json, counts[i].key);
    *counts[i].to = is_count(value, 1e9) ? (int)value : 0;
  }
  snprintf(r->device, sizeof r->device, "%s", cli_json_get_text(json, "device"));
  snprintf(r->device_description, sizeof r->device_description, "%s", cli_json_get_text(json, "description"));
  snprintf(trace->commit, sizeof trace->commit, "%s", cli_json_get_text(json, "commit"));
}

bt_status e50_trace_read(const char *path, const char *settings, int runs, e50_trace *ret_trace, bool *ret_found,
                         bt_error *opt_error) {
  *ret_trace = (e50_trace){0};
  *ret_found = access(path, F_OK) == 0;
  if (!*ret_found) return BT_OK;
  cli_json json;
  bt_status status = cli_json_read(path, &json, opt_error);
  if (status == BT_OK && strcmp(cli_json_get_text(&json, "format"), format_name) != 0)
    status = damaged(path, "this is no trace of a study", opt_error);
  if (status == BT_OK && strcmp(cli_json_get_text(&json, "settings"), settings) != 0)
    status = cli_fill_error(opt_error, BT_ERR_USAGE, path, "give another -o folder, or the same options",
                            "it was made with other settings: %.300s", cli_json_get_text(&json, "settings"));
  if (status == BT_OK) status = take_evaluations(path, &json, runs, ret_trace, opt_error);
  if (status == BT_OK) status = take_steps(path, &json, ret_trace, opt_error);
  if (status == BT_OK) take_result(&json, ret_trace);
  cli_json_free(&json);
  return status;
}
