/* report.c - the figures of `berth bench screen`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/screen/screen.h"
#include "common/outputs.h"

typedef struct summary {
  double score, free_energy; /* means of the best, kcal/mol */
  double deviation;          /* the largest */
  const char *device;
} summary;

static summary summarize(const screen_state *state) {
  summary s = {.device = ""};
  for (int i = 0; i < state->capacity; i++) {
    const screen_record *r = &state->records[i];
    if (r->name == NULL) continue;
    s.score += r->best_score / state->docked;
    s.free_energy += r->best_free_energy / state->docked;
    s.deviation = fmax(s.deviation, r->deviation);
    if (s.device[0] == '\0') s.device = r->device;
  }
  return s;
}

bool screen_valid(const screen_state *state) {
  summary s = summarize(state);
  return state->docked > 0 && isfinite(s.score) && s.deviation <= 1.0;
}

static double rate(double count, double seconds) { return seconds > 0 ? count / seconds : NAN; }

static void write_members(bt_json *json, const void *user) {
  const screen_state *state = user;
  const screen_settings *settings = state->settings;
  const bt_dock_options *o = &settings->search;
  summary s = summarize(state);
  bool valid = screen_valid(state);
  bench_json(json, "valid %hhd worst_energy_in_tolerances %g device %s fallbacks %d ligands %d rejected %d batch %d "
             "streams %d runs %d population %d heuristics %hhd autostop %hhd seed %lu evaluations %ld "
             "mean_best_score %g mean_best_free_energy %g start_seconds %g reading_seconds %g docking_seconds %g "
             "whole_seconds %g", valid, s.deviation, s.device, state->fallbacks, state->docked, state->rejected,
             settings->batch, settings->streams, o->runs, o->population, o->heuristics, o->autostop, o->seed,
             state->evaluations, s.score, s.free_energy, state->seconds_start, state->seconds_reading, state->seconds,
             state->seconds_whole);
  double speed = valid ? 1 : NAN; /* a program that is wrong has none */
  bench_json(json, "docking_ligands_per_second %g whole_ligands_per_second %g docking_evaluations_per_second %g",
             speed * rate(state->docked, state->seconds), speed * rate(state->docked, state->seconds_whole),
             speed * rate((double)state->evaluations, state->seconds));
}

static void print_text(const void *user) {
  const screen_state *state = user;
  const screen_settings *settings = state->settings;
  const bt_dock_options *o = &settings->search;
  summary s = summarize(state);
  printf("%d ligands docked, %d rejected; %s, %d runs of %d individuals, %s%s\n", state->docked, state->rejected,
         s.device, o->runs, o->population, o->heuristics ? "evaluations by heuristics" : "given evaluations",
         o->autostop ? ", autostop" : "");
  printf("  batches of %d, %d streams, commit %s, %s\n", settings->batch, settings->streams, bt_build_commit(),
         bt_build_compiler());
  printf("  valid: %s (largest deviation from double precision: %.2f of the tolerance)\n",
         screen_valid(state) ? "yes" : "NO", s.deviation);
  if (!screen_valid(state)) {
    puts("  no speed is reported for wrong energies");
    return;
  }
  printf("  mean best energy  %9.4f kcal/mol (inter + intra), %.4f (free energy of binding)\n", s.score, s.free_energy);
  printf("  docking           %9.2f s  %9.3f ligands/s  %9.3f million evaluations/s\n", state->seconds,
         rate(state->docked, state->seconds), 1e-6 * rate((double)state->evaluations, state->seconds));
  printf("  whole             %9.2f s  %9.3f ligands/s  (start %.2f s; reading beside docking %.2f s)\n",
         state->seconds_whole, rate(state->docked, state->seconds_whole), state->seconds_start, state->seconds_reading);
}

bt_status screen_report(screen_state *state, bt_error *opt_error) {
  return bench_output_write(&state->settings->output, "screen", screen_valid(state), write_members, print_text, state,
                            opt_error);
}

bt_status screen_write_csv(const screen_state *state, bt_error *opt_error) {
  if (state->settings->opt_csv == NULL) return BT_OK;
  cli_file file;
  bt_status status = cli_file_open(state->settings->opt_csv, &file, opt_error);
  if (status != BT_OK) return status;
  fputs("ligand,atoms,torsions,best_score,best_free_energy,evaluations,seconds,device\n", file.stream);
  for (int i = 0; i < state->capacity; i++) {
    const screen_record *r = &state->records[i];
    if (r->name == NULL) continue;
    cli_csv_field(file.stream, r->name);
    fprintf(file.stream, ",%d,%d,%.6f,%.6f,%lld,%.6f,", r->atoms, r->torsions, r->best_score, r->best_free_energy,
            (long long)r->evaluations, r->seconds);
    cli_csv_field(file.stream, r->device);
    fputc('\n', file.stream);
  }
  return cli_file_close(&file, opt_error);
}
