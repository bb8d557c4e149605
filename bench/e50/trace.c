/* trace.c - files of the traces, from which a study can be resumed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "bench/common/json_read.h"
#include "bench/e50/study.h"

static const char format_name[] = "berth bench e50 trace";

bt_status e50_trace_write(const char *path, const char *complex, const char *config, const char *settings,
                          const e50_trace *t, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_json file = {.text = &text, .pretty = 2}, *json = &file;
  bench_json(json, "{ format %s complex %s configuration %s settings %s", format_name, complex, config, settings);
  bench_subject_json(json, &t->subject);
  bench_json(json,
             "commit %s valid %hhd worst_energy_in_tolerances %g generations %ld seconds %g docking_seconds %g "
             "joules_processors %g joules_gpus %g evaluations [",
             t->commit, t->valid, t->worst_energy, t->generations, t->seconds, t->docking_seconds, t->joules.processors,
             t->joules.gpus);
  for (int run = 0; run < t->runs; run++) bt_json_integer(json, t->evaluations[run]);
  bench_json(json, "] steps ["); /* run, evaluations, energy, RMSD */
  for (size_t i = 0; i < t->n_steps; i++)
    bench_json(json, "[ %d %ld %g %g ]", t->steps[i].run, t->steps[i].evaluations, t->steps[i].energy,
               t->steps[i].rmsd);
  bench_json(json, "] }");
  BT_TRY(bt_text_status(&text, opt_error));
  return bt_file_write(path, text.data, text.size, opt_error);
}

static bt_status damaged(const char *path, const char *what, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "remove it, so that it is computed again", "%s",
                 what);
}

static bool is_count(double value, double most) { return value >= 0 && value <= most && value == floor(value); }

static bt_status take_evaluations(const char *path, const cli_json *json, int runs, e50_trace *trace,
                                  bt_error *opt_error) {
  const cli_json *items;
  if (cli_json_get_array(json, "evaluations", &items) != runs) return damaged(path, "runs are missing", opt_error);
  trace->evaluations = bench_keep((size_t)runs, sizeof *trace->evaluations);
  for (int run = 0; run < runs; run++) {
    if (!is_count(items[run].number, 9e15)) return damaged(path, "evaluations are not a number", opt_error);
    trace->evaluations[run] = (int64_t)items[run].number;
    trace->total += trace->evaluations[run];
  }
  trace->runs = runs;
  return BT_OK;
}

static bt_status take_steps(const char *path, const cli_json *json, e50_trace *trace, bt_error *opt_error) {
  const cli_json *items;
  int count = cli_json_get_array(json, "steps", &items);
  if (!BT_GROW(trace->steps, &trace->capacity, count)) return bt_fail_memory(opt_error);
  trace->n_steps = (size_t)count;
  for (int i = 0; i < count; i++) {
    const cli_json *v = items[i].items;
    bool good = items[i].count == 4;
    for (int k = 0; k < 4 && good; k++) good = v[k].kind == CLI_JSON_NUMBER;
    if (!good || !is_count(v[0].number, trace->runs - 1) || !is_count(v[1].number, 9e15))
      return damaged(path, "a step is not valid", opt_error);
    trace->steps[i] = (e50_step){(int)v[0].number, (int64_t)v[1].number, v[2].number, v[3].number};
  }
  return BT_OK;
}

static void take_result(const cli_json *json, e50_trace *t) {
  static const char *const keys[] = {"threads", "atoms", "torsions", "pairs"};
  int *const counts[] = {&t->subject.threads, &t->subject.atoms, &t->subject.torsions, &t->subject.pairs};
  t->valid = cli_json_get_bool(json, "valid");
  t->worst_energy = cli_json_get_number(json, "worst_energy_in_tolerances");
  t->seconds = cli_json_get_number(json, "seconds");
  t->docking_seconds = cli_json_get_number(json, "docking_seconds");
  t->joules.processors = cli_json_get_number(json, "joules_processors");
  t->joules.gpus = cli_json_get_number(json, "joules_gpus");
  for (int i = 0; i < CLI_COUNT(counts); i++) {
    double value = cli_json_get_number(json, keys[i]);
    *counts[i] = is_count(value, 1e9) ? (int)value : 0;
  }
  snprintf(t->subject.device, sizeof t->subject.device, "%s", cli_json_get_text(json, "device"));
  snprintf(t->subject.description, sizeof t->subject.description, "%s", cli_json_get_text(json, "description"));
  snprintf(t->commit, sizeof t->commit, "%s", cli_json_get_text(json, "commit"));
}

bt_status e50_trace_read(const char *path, const char *settings, int runs, e50_trace *ret_trace, bool *ret_found,
                         bt_error *opt_error) {
  *ret_trace = (e50_trace){0};
  *ret_found = access(path, F_OK) == 0;
  if (!*ret_found) return BT_OK;
  BT_ENDED_BY(cli_json_free) cli_json json = {0};
  BT_TRY(cli_json_read(path, &json, opt_error));
  if (strcmp(cli_json_get_text(&json, "format"), format_name) != 0)
    return damaged(path, "this is not a trace of a study", opt_error);
  if (strcmp(cli_json_get_text(&json, "settings"), settings) != 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "use another -o folder, or the same options",
                   "it was made with other settings: %.300s", cli_json_get_text(&json, "settings"));
  BT_TRY(take_evaluations(path, &json, runs, ret_trace, opt_error));
  BT_TRY(take_steps(path, &json, ret_trace, opt_error));
  take_result(&json, ret_trace);
  return BT_OK;
}
