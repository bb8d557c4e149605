/* bude.c - `berth bench bude`: on decks of miniBUDE, validates energies, then measures interactions per second; sweeps
 * poses per work-item and group sizes; switches off one optimization at a time; times search and selection. */
#include "bench/bude/bude.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/common/output.h"

static const char program[] = "berth bench bude";
static const int sweep_poses[] = {1, 2, 4, 8, 16, 32}, sweep_groups[] = {1, 32, 64, 128, 256};
enum { GENERATIONS = 8, MOST_ROWS = 64 };

/* Optimizations that can be switched off. The first is not a variant of the kernels, hence bit 0. */
static const struct {
  const char *name, *sentence;
  unsigned int bit;
} steps[] = {
    {"poses", "one pose (one vector of them on a CPU) per work-item", 0},
    {"square", "differences of coordinates instead of squares and a product", BT_BUDE_WITHOUT_SQUARE},
    {"kinds", "one loop for all runs of receptor atoms, regardless of their terms", BT_BUDE_WITHOUT_KINDS},
    {"runs", "receptor atoms not sorted: parameters of a pair read for every pair", BT_BUDE_WITHOUT_RUNS},
    {"table", "parameters of a pair computed for every pair from those of two types", BT_BUDE_WITHOUT_TABLE},
    {"select", "the same, and branches instead of ramps", BT_BUDE_WITHOUT_SELECT},
    {"local", "receptor atoms read from global memory", BT_BUDE_WITHOUT_LOCAL},
    {"fast", "square roots of full precision", BT_BUDE_WITHOUT_FAST},
    {"soa", "poses as an array of structures", BT_BUDE_WITHOUT_SOA},
    {"constants", "nothing of the force field compiled in", BT_BUDE_WITHOUT_CONSTANTS},
    {"parts", "whole ligands per work-item", BT_BUDE_WITHOUT_PARTS},
};

/* One measurement. */
typedef struct row {
  const char *kind;                    /* main, sweep or step */
  const char *opt_name, *opt_sentence; /* the optimization switched off */
  bude_result result;
  bt_status status; /* BT_ERR_LIMIT: no such kernel exists */
  char reason[512];
} row;

typedef struct bench_state {
  const char *opt_deck;
  cli_list without;
  int threads, poses, iterations, warm_up, conformations;
  bool sweep, steps, search, quiet;
  bench_output output;
  bt_bude_engine_options choice;
  bude_bench bench;
  double peak; /* operations per second */
  row rows[MOST_ROWS];
  int n_rows;
  bude_search found; /* by --search */
} bench_state;

/* Adds a row. A kernel that does not exist is recorded, not treated as a failure. */
static bt_status measure(bench_state *state, const bt_bude_engine_options *choice, row of, const char *opt_note,
                         bt_error *error) {
  row *r = &state->rows[state->n_rows++];
  *r = of;
  if (!state->quiet && opt_note != NULL)
    fprintf(stderr, "%s: %s: %d poses, groups of %d\n", program, opt_note, choice->poses_per_item, choice->group);
  r->status = bude_bench_run(&state->bench, choice, state->warm_up, state->iterations, &r->result, error);
  if (r->status != BT_OK) snprintf(r->reason, sizeof r->reason, "%s", error->message);
  return r->status == BT_ERR_LIMIT ? BT_OK : r->status;
}

static bt_status sweep(bench_state *state, const bt_bude_engine_options *tuned, bt_error *opt_error) {
  for (int p = 0; p < CLI_COUNT(sweep_poses); p++)
    for (int g = 0; g < CLI_COUNT(sweep_groups); g++) {
      bt_bude_engine_options choice = *tuned;
      choice.poses_per_item = sweep_poses[p];
      choice.group = sweep_groups[g];
      BT_TRY(measure(state, &choice, (row){.kind = "sweep"}, "sweep", opt_error));
    }
  return BT_OK;
}

/* Switches off each optimization in turn, at the number of poses per work-item for which this build has such kernels;
 * the row with all optimizations uses the same number. */
static bt_status leave_out(bench_state *state, const bt_bude_engine_options *tuned, bt_error *opt_error) {
  bt_bude_engine_options choice = *tuned;
  choice.poses_per_item = strncmp(bt_bude_engine_device(state->bench.engine), "cpu", 3) == 0 ? 4 : 8;
  BT_TRY(measure(state, &choice, (row){.kind = "step", .opt_name = ""}, "all optimizations", opt_error));
  for (int i = 0; i < CLI_COUNT(steps); i++) {
    bt_bude_engine_options less = choice;
    if (steps[i].bit == 0) less.poses_per_item = 1;
    less.without = steps[i].bit;
    row of = {.kind = "step", .opt_name = steps[i].name, .opt_sentence = steps[i].sentence};
    if (bude_bench_has(&state->bench, &choice, steps[i].bit)) {
      BT_TRY(measure(state, &less, of, steps[i].name, opt_error));
      continue;
    }
    of.status = BT_ERR_LIMIT;
    snprintf(of.reason, sizeof of.reason, "the kernels of this device lack this optimization");
    state->rows[state->n_rows++] = of;
  }
  return BT_OK;
}

/* Interactions per second of the whole search. */
static double search_rate(const bench_state *state) {
  const bt_bude_deck *deck = state->bench.deck;
  return (double)deck->n_poses * (double)deck->n_protein * (double)deck->n_ligand * GENERATIONS * state->conformations /
         state->found.seconds;
}

static bool all_valid(const bench_state *state) {
  for (int i = 0; i < state->n_rows; i++)
    if (state->rows[i].status == BT_OK && !state->rows[i].result.valid) return false;
  return !state->search || state->found.valid;
}

/* Percent of the measured peak. */
static double of_peak(const bench_state *state, double operations) {
  return state->peak > 0 ? 100 * operations / state->peak : NAN;
}

static void write_row(bt_json *json, const bench_state *state, const row *r) {
  const bude_result *m = &r->result;
  bench_json(json, "{ kind %s", r->kind);
  if (r->opt_name != NULL) bench_json(json, "without %s", r->opt_name);
  bench_json(json, "valid %hhd", m->valid);
  if (r->status != BT_OK) {
    bench_json(json, "reason %s", r->reason);
  } else {
    bench_json(
        json,
        "poses_per_item %d lanes %d group %d part_atoms %d deviation_percent %g seconds %g "
        "seconds_best %g seconds_worst %g interactions_per_second %g operations_per_second %g percent_of_peak %g",
        m->used.poses_per_item, m->lanes, m->used.group, m->used.part_atoms, m->deviation, m->seconds, m->seconds_best,
        m->seconds_worst, m->interactions, m->operations, of_peak(state, m->operations));
    bench_json(json, "executed_operations_per_interaction %g executed_operations_per_second %g "
               "executed_percent_of_peak %g", m->executed, m->executed * m->interactions,
               of_peak(state, m->executed * m->interactions));
  }
  bench_json(json, "}");
}

static void write_members(bt_json *json, const void *user) {
  const bench_state *state = user;
  const bt_bude_deck *deck = state->bench.deck;
  bench_json(json, "deck %s poses %lu protein_atoms %lu ligand_atoms %lu device %s description %s "
             "peak_operations_per_second %g rows [", state->opt_deck, deck->n_poses, deck->n_protein, deck->n_ligand,
             bt_bude_engine_device(state->bench.engine), bt_bude_engine_description(state->bench.engine), state->peak);
  for (int i = 0; i < state->n_rows; i++) write_row(json, state, &state->rows[i]);
  bench_json(json, "]");
  if (state->search) {
    const bude_search *s = &state->found;
    bench_json(json, "search { conformations %d generations %d valid %hhd deviation_percent %g", state->conformations,
               (int)GENERATIONS, s->valid, s->deviation);
    if (s->valid)
      bench_json(json, "seconds %g energy_seconds %g search_percent %g interactions_per_second %g", s->seconds,
                 s->energy_seconds, 100 * (1 - s->energy_seconds / s->seconds), search_rate(state));
    bench_json(json, "}");
  }
  bench_json(json, "valid %hhd", all_valid(state));
}

static void print_main(const bench_state *state) {
  const bude_result *m = &state->rows[0].result;
  printf("largest deviation %.4f %% of the reference energy (pose %zu; limit 0.025): %s\n", m->deviation,
         m->worst_pose + 1, m->valid ? "valid" : "INVALID: no speed reported");
  printf("%d x %d poses per work-item, groups of %d, parts of %d atoms\n", m->used.poses_per_item, m->lanes,
         m->used.group, m->used.part_atoms);
  if (!m->valid) return;
  printf("%.6f s per iteration (best %.6f)\n", m->seconds, m->seconds_best);
  printf("%.3f x 10^9 interactions/s\n", 1e-9 * m->interactions);
  printf("peak, multiply-adds alone: %.1f GFLOP/s\n", 1e-9 * state->peak);
  printf("by miniBUDE's count: %.1f GFLOP/s, %.1f %% of the peak\n", 1e-9 * m->operations,
         of_peak(state, m->operations));
  bench_print("executed: %.1f GFLOP/s, %.1f %% of the peak; %.2f operations per interaction\n",
              1e-9 * m->executed * m->interactions, of_peak(state, m->executed * m->interactions), m->executed);
}

/* rows: those of kind sweep. */
static void print_sweep(const row *rows, int part_atoms) {
  printf("\n10^9 interactions/s, and GFLOP/s by miniBUDE's count; parts of %d atoms\n%6s", part_atoms, "poses");
  for (int g = 0; g < CLI_COUNT(sweep_groups); g++) printf("%22s %d", "group", sweep_groups[g]);
  for (int i = 0; i < CLI_COUNT(sweep_poses) * CLI_COUNT(sweep_groups); i++) {
    const bude_result *m = &rows[i].result;
    if (i % CLI_COUNT(sweep_groups) == 0) printf("\n%6d", sweep_poses[i / CLI_COUNT(sweep_groups)]);
    if (rows[i].status != BT_OK || !m->valid)
      printf("%25s", rows[i].status != BT_OK ? "-" : "INVALID");
    else
      printf("%14.3f %10.1f", 1e-9 * m->interactions, 1e-9 * m->operations);
  }
  puts("");
}

/* rows: with all optimizations, then without each. */
static void print_steps(const row *rows) {
  printf("\n%-12s %12s %8s %8s %11s\n", "without", "10^9 i/s", "spread", "ratio", "deviation");
  for (int i = 0; i <= CLI_COUNT(steps); i++) {
    const row *r = &rows[i];
    const double known = r->status == BT_OK ? 1 : NAN;
    double spread = 100 * (r->result.seconds_worst - r->result.seconds_best) / r->result.seconds;
    bench_print("%-12s%13.3f%8.1f%%%9.3f%12.4f%s%s\n", i == 0 ? "nothing" : r->opt_name,
                1e-9 * r->result.interactions * known, spread * known,
                i == 0 ? 1 : r->result.interactions / rows[0].result.interactions * known,
                r->result.deviation * known, i == 0 ? "" : "  ", i == 0 ? "" : r->opt_sentence);
  }
}

static void print_table(const void *user) {
  const bench_state *state = user;
  const bt_bude_deck *deck = state->bench.deck;
  printf("%s: %zu protein atoms, %zu ligand atoms, %zu poses\n%s, %s, commit %s, %s\n", state->opt_deck,
         deck->n_protein, deck->n_ligand, deck->n_poses, bt_bude_engine_device(state->bench.engine),
         bt_bude_engine_description(state->bench.engine), bt_build_commit(), bt_build_compiler());
  print_main(state);
  if (state->sweep) print_sweep(&state->rows[1], state->rows[0].result.used.part_atoms);
  if (state->steps) print_steps(&state->rows[state->n_rows - 1 - CLI_COUNT(steps)]);
  const bude_search *s = &state->found;
  if (state->search && !s->valid)
    printf("\nsearch: an energy deviates by %.4f %% from that of its pose: INVALID: no speed reported\n", s->deviation);
  else if (state->search)
    printf(
        "\nsearch, %d conformations at once, %d generations: %.6f s, of which energies %.6f s: search, selection and "
        "copies are %.2f %%\n%.3f x 10^9 interactions/s of the whole search\n",
        state->conformations, GENERATIONS, s->seconds, s->energy_seconds, 100 * (1 - s->energy_seconds / s->seconds),
        1e-9 * search_rate(state));
}

/* Converts the arguments of --without to bits. */
static bt_status choose_steps(bench_state *state, bt_error *opt_error) {
  for (int w = 0; w < state->without.count; w++) {
    unsigned int found = 0;
    for (int i = 0; i < CLI_COUNT(steps); i++)
      if (strcmp(steps[i].name, state->without.items[w]) == 0) found = steps[i].bit;
    if (found == 0)
      return bench_refuse(opt_error,
                          "--without: '%.40s' is not one of square, kinds, runs, table, select, local, fast, soa, "
                          "constants, parts",
                          state->without.items[w]);
    state->choice.without |= found;
  }
  return BT_OK;
}

static bt_status run(void *user, bt_error *error) {
  bench_state *state = user;
  bude_bench *bench = &state->bench;
  if (state->opt_deck == NULL)
    return bench_refuse(error, "--deck is missing: use a folder of miniBUDE, such as bm1");
  BT_TRY(choose_steps(state, error));
  state->choice.threads = state->threads;
  BT_TRY(bude_bench_open(bench, state->opt_deck, state->threads, (size_t)state->poses, error));
  BT_TRY(bude_bench_peak(bench, &state->peak, error));
  BT_TRY(measure(state, &state->choice, (row){.kind = "main"}, NULL, error));
  BT_TRY(state->rows[0].status);
  bt_bude_engine_options tuned = state->rows[0].result.used;
  if (state->sweep) BT_TRY(sweep(state, &tuned, error));
  if (state->steps) BT_TRY(leave_out(state, &tuned, error));
  if (state->search)
    BT_TRY(bude_bench_search(bench, &tuned, state->conformations, GENERATIONS, &state->found, error));
  return bench_output_write(&state->output, "bude", all_valid(state), write_members, print_table, state, error);
}

static const char details[] =
    "An interaction is one ligand atom with one protein atom in one pose. Energies are valid if none\n"
    "deviates by more than 0.025 % from its reference (where either is 1 or more); otherwise no speed\n"
    "is reported. The peak is that of a loop of multiply-adds in the same run. Operations are counted\n"
    "in two ways. miniBUDE's count is 27 W + n_l (2 + 18 W + n_p (10 + 30 W)) + W for W poses per\n"
    "work-item, whatever the kernel actually executes, and may exceed the peak. Executed operations are\n"
    "those of this kernel's innermost loop, with a multiply-add as two and a root or a limit as one.";

static const char examples[] =
    "  berth bench bude --deck bm1\n"
    "  berth bench bude --deck bm1 --device cuda:0 --sweep --steps --search --json";

int bench_bude(int argc, char **argv) {
  bench_state state = {.iterations = 8, .warm_up = 2, .conformations = 20, .bench.device = "auto"};
  cli_option options[] = {
      {.group = "Input", OPT_STRING("deck", 0, &state.opt_deck, "FOLDER",
       "forcefield.in, protein.in, ligand.in, poses.in and ref_energies.out of miniBUDE")},
      {OPT_INT("poses", 'n', &state.poses, "N", 1, 1 << 26, "use the first N poses"), .opt_default = "all"},
      {.group = "Device", OPT_STRING("device", 0, &state.bench.device, "NAME",
       "name as in berth devices, such as cuda:0 or cpu/avx2"), .opt_default = "auto"},
      {OPT_INT("threads", 't', &state.threads, "N", 1, 65536, "threads of the CPU"), .opt_default = "all"},
      {OPT_INT("poses-per-item", 0, &state.choice.poses_per_item, "N", 1, 32,
       "1, 2, 4, 8, 16 or 32; vectors of poses on a CPU"), .opt_default = "tuned"},
      {OPT_INT("group", 0, &state.choice.group, "N", 1, 256, "work-items per group"), .opt_default = "tuned"},
      {OPT_INT("part", 0, &state.choice.part_atoms, "N", 1, 1 << 28, "ligand atoms per work-item"),
       .opt_default = "tuned"},
      {OPT_LIST("without", 0, &state.without, "NAME",
       "optimizations to switch off: square, kinds, runs, table, select, local, fast, soa, constants, parts"),
       .opt_default = ""},
      {.group = "Benchmark", OPT_INT("iterations", 0, &state.iterations, "N", 1, 100000,
       "timed iterations, each of which scores all poses")},
      {OPT_INT("warm-up", 0, &state.warm_up, "N", 0, 100000, "untimed iterations before these")},
      {OPT_FLAG("sweep", 0, &state.sweep, "measure all combinations of poses per work-item and group size")},
      {OPT_FLAG("steps", 0, &state.steps, "switch off each optimization in turn")},
      {OPT_FLAG("search", 0, &state.search,
       "also time whole searches of 8 generations, and the share of search and selection")},
      {OPT_INT("conformations", 0, &state.conformations, "N", 1, 4096, "conformations docked at once by --search")},
      BENCH_OUTPUT_OPTIONS(state.output),
      BENCH_QUIET_OPTION(state.quiet),
  };
  cli_spec spec = {program, "interactions per second of the BUDE engine, with validated energies",
                   "--deck FOLDER [options]", details, examples, CLI_TABLE(options), NULL};
  int exit_code = bench_main(&spec, &state.output, argc, argv, run, &state);
  bude_bench_close(&state.bench);
  cli_list_free(&state.without);
  return exit_code;
}
