/* screen.c - `berth bench screen`: ligands per second of a device that docks in batches. */
#include "bench/screen/screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/files/file.h"
#include "bench/bench.h"
#include "bench/common/cases.h"
#include "common/report.h"
#include "output/outputs.h"

typedef struct summary {
  double score, free_energy; /* means of the best, kcal/mol */
  double deviation;          /* largest */
  const char *device;
} summary;

static summary summarize(const screen_bench *b) {
  summary s = {.device = ""};
  for (int i = 0; i < b->n_records; i++) {
    const screen_record *r = &b->records[i];
    if (r->name == NULL) continue;
    s.score += r->best_score / b->docked;
    s.free_energy += r->best_free_energy / b->docked;
    s.deviation = fmax(s.deviation, r->deviation);
    if (s.device[0] == '\0') s.device = r->device;
  }
  return s;
}

static bool is_valid(const screen_bench *b) {
  summary s = summarize(b);
  return b->docked > 0 && isfinite(s.score) && s.deviation <= 1.0;
}

/* Count per second; NaN if the screen is not valid. */
static double rate(const screen_bench *b, double count, double seconds) {
  return is_valid(b) && seconds > 0 ? count / seconds : NAN;
}

static void write_members(bt_json *json, const void *user) {
  const screen_bench *b = user;
  const bt_dock_options *o = &b->search;
  summary s = summarize(b);
  bench_json(json, "valid %hhd worst_energy_in_tolerances %g device %s fallbacks %d ligands %d rejected %d batch %d "
             "streams %d runs %d population %d heuristics %hhd autostop %hhd seed %lu evaluations %ld "
             "mean_best_score %g mean_best_free_energy %g start_seconds %g reading_seconds %g docking_seconds %g "
             "whole_seconds %g docking_ligands_per_second %g whole_ligands_per_second %g "
             "docking_evaluations_per_second %g", is_valid(b), s.deviation, s.device, b->fallbacks, b->docked,
             b->rejected, b->batch, b->streams, o->runs, o->population, o->heuristics, o->autostop, o->seed,
             b->evaluations, s.score, s.free_energy, b->seconds_start, b->seconds_reading, b->seconds,
             b->seconds_whole, rate(b, b->docked, b->seconds), rate(b, b->docked, b->seconds_whole),
             rate(b, (double)b->evaluations, b->seconds));
}

static void print_table(const void *user) {
  const screen_bench *b = user;
  const bt_dock_options *o = &b->search;
  summary s = summarize(b);
  printf("%d ligands docked, %d rejected; %s, %d runs of %d individuals, %s%s\n", b->docked, b->rejected, s.device,
         o->runs, o->population, o->heuristics ? "evaluations by heuristics" : "fixed evaluations",
         o->autostop ? ", autostop" : "");
  printf("  batches of %d, %d streams, ", b->batch, b->streams);
  bench_print_build();
  printf("  valid: %s (largest deviation from double precision: %.2f of the tolerance)\n",
         is_valid(b) ? "yes" : "NO", s.deviation);
  if (!is_valid(b)) {
    puts("  no speed is reported if energies are wrong");
    return;
  }
  printf("  mean best energy  %9.4f kcal/mol (inter + intra), %.4f (free energy of binding)\n", s.score, s.free_energy);
  printf("  docking           %9.2f s  %9.3f ligands/s  %9.3f million evaluations/s\n", b->seconds,
         rate(b, b->docked, b->seconds), 1e-6 * rate(b, (double)b->evaluations, b->seconds));
  printf("  whole             %9.2f s  %9.3f ligands/s  (start %.2f s; reading beside docking %.2f s)\n",
         b->seconds_whole, rate(b, b->docked, b->seconds_whole), b->seconds_start, b->seconds_reading);
}

static bt_status write_csv(const screen_bench *b, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_add_string(&text, "ligand,atoms,torsions,best_score,best_free_energy,evaluations,seconds,device\n");
  for (int i = 0; i < b->n_records; i++) {
    const screen_record *r = &b->records[i];
    if (r->name == NULL) continue;
    bt_text_csv(&text, r->name);
    bt_text_printf(&text, ",%d,%d,%.6f,%.6f,%lld,%.6f,", r->atoms, r->torsions, r->best_score, r->best_free_energy,
                   (long long)r->evaluations, r->seconds);
    bt_text_csv(&text, r->device);
    bt_text_add_char(&text, '\n');
  }
  return bt_file_write_text(b->opt_csv, &text, opt_error);
}

/* Runs a generation of the first ligand, so that drivers and kernels are loaded before timing starts. */
static bt_status warm_up(const screen_bench *b, bt_error *opt_error) {
  bt_molecule *molecule = NULL;
  bt_ligand *ligand = NULL;
  bt_result *result = NULL;
  bt_dock_options options = b->search;
  options.generations = options.local_search_iterations = 1;
  /* a ligand that cannot be docked is reported later */
  bt_status status = bench_molecule_read(b->paths.items[0], NULL, BT_MOLECULE_LIGAND, &molecule, opt_error);
  if (status == BT_OK) status = bt_ligand_create(molecule, NULL, &ligand, opt_error);
  if (status == BT_OK) status = bt_dock(ligand, b->maps, NULL, &options, &result, opt_error);
  bt_result_destroy(result);
  bt_ligand_destroy(ligand);
  bt_molecule_destroy(molecule);
  return status == BT_ERR_DEVICE || status == BT_ERR_USAGE ? status : BT_OK;
}

static bt_status run(void *user, bt_error *error) {
  screen_bench *b = user;
  if (b->fld == NULL || b->ligands.count == 0) return bench_refuse(error, "use -m MAPS.fld and -l LIGANDS");
  if (b->evaluations_per_run > 0) {
    b->search.evaluations = b->evaluations_per_run;
    b->search.heuristics = false;
  }
  BT_TRY(cli_device_resolve(&b->device, &b->search, error));
  double began = bt_seconds();
  if (b->opt_csv != NULL) BT_TRY(cli_folder_check(b->opt_csv, error));
  BT_TRY(cli_inputs_expand(&b->ligands, false, NULL, 0, &b->paths, error));
  BT_TRY(bt_maps_read(b->fld, NULL, 0, &b->maps, error));
  BT_TRY(warm_up(b, error));
  b->seconds_start = bt_seconds() - began;
  BT_TRY(screen_dock(b, error));
  b->seconds_whole = bt_seconds() - began;
  if (b->opt_csv != NULL) BT_TRY(write_csv(b, error));
  b->output.exit_code = b->docked == 0 ? CLI_EXIT_BAD : b->rejected > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
  if (b->docked == 0) return BT_OK;
  return bench_output_write(&b->output, "screen", is_valid(b), write_members, print_table, b, error);
}

static const char details[] =
    "Ligands are read while others are docked. Docking time counts from the first batch, without\n"
    "idle times; the whole time begins with the maps. The results of a ligand do not depend on\n"
    "--batch or --streams, up to rounding on a GPU. The energy of every pose is compared with\n"
    "double precision; if one is wrong, no speed is reported and the exit code is 3.";

static const char examples[] =
    "  berth bench screen -m protein.maps.fld -l library/ --batch 512\n"
    "  berth bench screen -m protein.maps.fld -l library/ --limit 100 --batch 1 --streams 1 --csv one.csv\n"
    "  berth bench screen -m protein.maps.fld -l 'library/*.pdbqt' --device cuda:0 --json";

int bench_screen(int argc, char **argv) {
  screen_bench bench = {.batch = 2048, .streams = 1, .search = bt_dock_options_default()};
  bt_dock_options *search = &bench.search;
  search->seed = 1;
  search->poses = 1;
  cli_option options[] = {
      {.group = "Input", OPT_STRING("maps", 'm', &bench.fld, "FILE", "AutoGrid maps, .maps.fld")},
      {OPT_LIST("ligand", 'l', &bench.ligands, "FILE", "ligands, .pdbqt: files, folders or patterns")},
      {OPT_INT("limit", 0, &bench.limit, "N", 1, 1e9, "dock the first N ligands only"), .opt_default = "all"},
      {.group = "Benchmark", OPT_INT("batch", 0, &bench.batch, "N", 1, 1000000,
       "ligands handed to the device together; 1: one by one")},
      {OPT_INT("streams", 0, &bench.streams, "N", 1, 64, "batches docked at the same time")},
      {OPT_STRING("csv", 0, &bench.opt_csv, "FILE", "write the best energy of every ligand"), .opt_default = ""},
      BENCH_OUTPUT_OPTIONS(bench.output),
      BENCH_QUIET_OPTION(bench.quiet),
      {.group = "Search", OPT_INT("runs", 'n', &search->runs, "N", 1, 10000, "runs of each ligand")},
      {OPT_INT("population", 'p', &search->population, "N", 2, 1000000, "individuals per run")},
      {OPT_INT64("evals", 0, &bench.evaluations_per_run, "N", 1, 1e12, "evaluations per run"),
       .opt_default = "by heuristics"},
      {OPT_SWITCH("autostop", 0, &search->autostop, "stop when converged")},
      {OPT_SEED("seed", 0, &search->seed, "random seed")},
      CLI_DEVICE_OPTIONS(bench.device),
      CLI_DEVICES_OPTION(bench.device),
      {OPT_INT("threads", 0, &search->threads, "N", 0, 65536, "threads of the host, per stream"),
       .opt_default = "all cores"},
  };
  cli_spec spec = {"berth bench screen", "ligands per second when docking many ligands in batches",
                   "-m MAPS.fld -l LIGANDS... [options]", details, examples, CLI_TABLE(options), NULL};
  int exit_code = bench_main(&spec, &bench.output, argc, argv, run, &bench);
  for (int i = 0; i < bench.n_records; i++) free(bench.records[i].name);
  free(bench.records);
  bt_maps_destroy(bench.maps);
  bt_text_list_destroy(&bench.paths);
  cli_list_free(&bench.ligands);
  return exit_code;
}
