/* bude.c - `berth bench bude`: decks of the public mini-app: energies proved, then interactions per second; a
 * sweep over poses per work-item and groups; each optimisation switched off in turn; what search and selection take. */
#include "bench/bude/measure.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/common/output.h"
#include "input/inputs.h"
#include "common/json.h"
#include "common/options.h"
#include "common/report.h"

static const char program[] = "berth bench bude";

typedef struct bench_state {
  const char *opt_deck, *opt_device;
  cli_list without;
  int threads, poses, iterations, warm_up, conformations;
  bool sweep, steps, search, quiet;
  bench_output output;
  FILE *members, *table; /* what JSON and the table will say */
  char *members_text, *table_text;
  size_t members_size, table_size;
  bt_bude_bench_choice choice;
  bt_bude_bench *bench;
  double peak; /* operations per second */
  bool all_valid;
  bool follows; /* a row of the JSON stands before */
} bench_state;

/* One measurement and what it is compared with; opt_name: what was left out. */
typedef struct row {
  const char *opt_name, *opt_sentence;
  bt_bude_bench_result result;
  bt_status status;
  bt_error error;
} row;

static bt_status measure(bench_state *state, const bt_bude_bench_choice *choice, row *ret_row) {
  ret_row->status =
      bt_bude_bench_run(state->bench, choice, state->warm_up, state->iterations, &ret_row->result, &ret_row->error);
  if (ret_row->status == BT_OK && !ret_row->result.valid) state->all_valid = false;
  return ret_row->status == BT_ERR_LIMIT ? BT_OK : ret_row->status; /* what is not there is no failure */
}

static void note(const bench_state *state, const char *what, const bt_bude_bench_choice *choice) {
  if (!state->quiet)
    fprintf(stderr, "%s: %s: %d poses, groups of %d\n", program, what, choice->poses_per_item, choice->group);
}

/* ---- JSON ---- */

static void json_member(const bench_state *state, const char *name, double value) {
  fprintf(state->members, ", \"%s\": ", name);
  cli_json_number(state->members, value);
}

static void json_row(bench_state *state, const char *kind, const row *r) {
  const bt_bude_bench_result *m = &r->result;
  fprintf(state->members, "%s\n  {\"kind\": \"%s\"", state->follows ? "," : "", kind);
  state->follows = true;
  if (r->opt_name != NULL) {
    fprintf(state->members, ", \"without\": ");
    cli_json_string(state->members, r->opt_name);
  }
  if (r->status != BT_OK) {
    fprintf(state->members, ", \"valid\": false, \"reason\": ");
    cli_json_string(state->members, r->error.message);
    fprintf(state->members, "}");
    return;
  }
  fprintf(state->members, ", \"poses_per_item\": %d, \"lanes\": %d, \"group\": %d, \"part_atoms\": %d, \"valid\": %s",
          m->choice.poses_per_item, m->lanes, m->choice.group, m->choice.part_atoms, m->valid ? "true" : "false");
  json_member(state, "deviation_percent", m->deviation);
  json_member(state, "seconds", m->seconds);
  json_member(state, "seconds_best", m->seconds_best);
  json_member(state, "interactions_per_second", m->interactions);
  json_member(state, "operations_per_second", m->operations);
  json_member(state, "percent_of_peak", state->peak > 0 ? 100 * m->operations / state->peak : NAN);
  fprintf(state->members, "}");
}

/* ---- text ---- */

static void print_row(const bench_state *state, const row *r) {
  const bt_bude_bench_result *m = &r->result;
  if (r->status != BT_OK) {
    fprintf(state->table, "  not run: %s\n", r->error.message);
    return;
  }
  fprintf(state->table, "largest deviation %.4f %% of the reference energy (pose %zu; limit 0.025): %s\n", m->deviation,
          m->worst_pose + 1, m->valid ? "valid" : "NOT VALID, no speed is told");
  fprintf(state->table, "%d x %d poses per work-item, groups of %d, parts of %d atoms\n", m->choice.poses_per_item,
          m->lanes, m->choice.group, m->choice.part_atoms);
  if (!m->valid) return;
  fprintf(state->table, "%.6f s per iteration (best %.6f)\n", m->seconds, m->seconds_best);
  fprintf(state->table, "%.3f x 10^9 interactions/s\n", 1e-9 * m->interactions);
  fprintf(state->table, "%.1f GFLOP/s by the mini-app's count, %.1f %% of the %.1f GFLOP/s of multiply-adds alone\n",
          1e-9 * m->operations, 100 * m->operations / state->peak, 1e-9 * state->peak);
}

static bt_status sweep(bench_state *state, const bt_bude_bench_choice *tuned, bt_error *opt_error) {
  static const int poses[] = {1, 2, 4, 8, 16, 32}, groups[] = {1, 32, 64, 128, 256};
  fprintf(state->table, "\n10^9 interactions/s, and GFLOP/s by the mini-app's count; parts of %d atoms\n%6s",
          tuned->part_atoms, "poses");
  for (int g = 0; g < CLI_COUNT(groups); g++) fprintf(state->table, "%22s %d", "group", groups[g]);
  fputs("\n", state->table);
  for (int p = 0; p < CLI_COUNT(poses); p++) {
    fprintf(state->table, "%6d", poses[p]);
    for (int g = 0; g < CLI_COUNT(groups); g++) {
      bt_bude_bench_choice choice = *tuned;
      row r = {.opt_name = NULL};
      choice.poses_per_item = poses[p];
      choice.group = groups[g];
      note(state, "sweep", &choice);
      if (measure(state, &choice, &r) != BT_OK) {
        if (opt_error != NULL) *opt_error = r.error;
        return r.status;
      }
      json_row(state, "sweep", &r);
      if (r.status != BT_OK)
        fprintf(state->table, "%25s", "-");
      else if (!r.result.valid)
        fprintf(state->table, "%25s", "NOT VALID");
      else
        fprintf(state->table, "%14.3f %10.1f", 1e-9 * r.result.interactions, 1e-9 * r.result.operations);
    }
    fputs("\n", state->table);
  }
  return BT_OK;
}

/* Each with the number of poses that this build has the kernels for, beside all of them at that number. */
static bt_status leave_out(bench_state *state, const bt_bude_bench_choice *tuned, bt_error *opt_error) {
  const char *name, *sentence;
  unsigned int bit;
  bool processor = strncmp(bt_bude_bench_device(state->bench), "cpu", 3) == 0;
  bt_bude_bench_choice choice = *tuned;
  row all = {.opt_name = ""};
  choice.poses_per_item = processor ? 4 : 8;
  note(state, "all optimisations", &choice);
  if (measure(state, &choice, &all) != BT_OK) {
    if (opt_error != NULL) *opt_error = all.error;
    return all.status;
  }
  json_row(state, "step", &all);
  fprintf(state->table, "\n%-12s %12s %8s %11s\n%-12s %12.3f %8.3f %11.4f\n", "without", "10^9 i/s", "ratio",
          "deviation", "nothing", 1e-9 * all.result.interactions, 1.0, all.result.deviation);
  for (int i = -1; i < 0 || bt_bude_bench_step(i, &name, &sentence, &bit); i++) {
    row r = {.opt_name = NULL};
    bt_bude_bench_choice less = choice;
    if (i < 0) {
      less.poses_per_item = 1;
      r.opt_name = "poses";
      r.opt_sentence = "one pose (one vector of them on a processor) per work-item";
    } else {
      less.without = bit;
      r.opt_name = name;
      r.opt_sentence = sentence;
    }
    note(state, r.opt_name, &less);
    if (measure(state, &less, &r) != BT_OK) {
      if (opt_error != NULL) *opt_error = r.error;
      return r.status;
    }
    json_row(state, "step", &r);
    if (r.status != BT_OK)
      fprintf(state->table, "%-12s %12s %8s %11s  %s\n", r.opt_name, "-", "-", "-", r.opt_sentence);
    else
      fprintf(state->table, "%-12s %12.3f %8.3f %11.4f  %s\n", r.opt_name, 1e-9 * r.result.interactions,
              r.result.interactions / all.result.interactions, r.result.deviation, r.opt_sentence);
  }
  return BT_OK;
}

static bt_status search(bench_state *state, const bt_bude_bench_choice *tuned, bt_error *opt_error) {
  enum { GENERATIONS = 8 };
  double whole, energies;
  bt_status status =
      bt_bude_bench_search(state->bench, tuned, state->conformations, GENERATIONS, &whole, &energies, opt_error);
  if (status != BT_OK) return status;
  double pairs = (double)bt_bude_bench_poses(state->bench) * (double)bt_bude_bench_protein_atoms(state->bench) *
                 (double)bt_bude_bench_ligand_atoms(state->bench) * GENERATIONS * state->conformations;
  fprintf(state->members, ", \"search\": {\"conformations\": %d, \"generations\": %d", state->conformations,
          GENERATIONS);
  json_member(state, "seconds", whole);
  json_member(state, "energy_seconds", energies);
  json_member(state, "search_percent", 100 * (1 - energies / whole));
  json_member(state, "interactions_per_second", pairs / whole);
  fprintf(state->members, "}");
  fprintf(state->table,
          "\nsearch, %d conformations at once, %d generations: %.6f s, of which energies %.6f s: search, selection and "
          "copies are %.2f %%\n%.3f x 10^9 interactions/s of the whole search\n",
          state->conformations, GENERATIONS, whole, energies, 100 * (1 - energies / whole), 1e-9 * pairs / whole);
  return BT_OK;
}

static void write_members(FILE *stream, const void *user) {
  const bench_state *state = user;
  fwrite(state->members_text, 1, state->members_size, stream);
}

static void print_table(const void *user) {
  const bench_state *state = user;
  fwrite(state->table_text, 1, state->table_size, stdout);
}

static void describe(bench_state *state, const row *first) {
  fprintf(state->members, "\"deck\": ");
  cli_json_string(state->members, state->opt_deck);
  fprintf(state->members, ", \"poses\": %zu, \"protein_atoms\": %zu, \"ligand_atoms\": %zu, \"device\": ",
          bt_bude_bench_poses(state->bench), bt_bude_bench_protein_atoms(state->bench),
          bt_bude_bench_ligand_atoms(state->bench));
  cli_json_string(state->members, bt_bude_bench_device(state->bench));
  fprintf(state->members, ", \"description\": ");
  cli_json_string(state->members, bt_bude_bench_description(state->bench));
  json_member(state, "peak_operations_per_second", state->peak);
  fprintf(state->members, ", \"rows\": [");
  json_row(state, "main", first);
  fprintf(state->table, "%s: %zu protein atoms, %zu ligand atoms, %zu poses\n%s, %s, commit %s, %s\n", state->opt_deck,
          bt_bude_bench_protein_atoms(state->bench), bt_bude_bench_ligand_atoms(state->bench),
          bt_bude_bench_poses(state->bench), bt_bude_bench_device(state->bench),
          bt_bude_bench_description(state->bench), bt_build_commit(), bt_build_compiler());
  print_row(state, first);
}

static bt_status measure_all(bench_state *state, bt_error *error) {
  row main_row = {.opt_name = NULL};
  bt_status status = bt_bude_bench_open(state->opt_deck, state->opt_device, state->threads, (size_t)state->poses,
                                        &state->bench, error);
  if (status == BT_OK) status = bt_bude_bench_peak(state->bench, &state->peak, error);
  if (status != BT_OK) return status;
  state->all_valid = true;
  measure(state, &state->choice, &main_row);
  if (main_row.status != BT_OK) {
    *error = main_row.error;
    return main_row.status;
  }
  const bt_bude_bench_choice tuned = main_row.result.choice;
  describe(state, &main_row);
  if (state->sweep) status = sweep(state, &tuned, error);
  if (status == BT_OK && state->steps) status = leave_out(state, &tuned, error);
  fprintf(state->members, "\n ]");
  if (status == BT_OK && state->search) status = search(state, &tuned, error);
  fprintf(state->members, ", \"valid\": %s", state->all_valid ? "true" : "false");
  return status;
}

static bt_status run(bench_state *state, bt_error *error) {
  state->members = open_memstream(&state->members_text, &state->members_size);
  state->table = open_memstream(&state->table_text, &state->table_size);
  bool ok = state->members != NULL && state->table != NULL;
  bt_status status = ok ? measure_all(state, error) : cli_fill_error(error, BT_ERR_MEMORY, NULL, "", "out of memory");
  if (state->members != NULL && fclose(state->members) != 0) ok = false;
  if (state->table != NULL && fclose(state->table) != 0) ok = false;
  if (!ok && status == BT_OK) status = cli_fill_error(error, BT_ERR_MEMORY, NULL, "", "out of memory");
  if (status == BT_OK) status = bench_output_write(&state->output, "bude", write_members, print_table, state, error);
  free(state->members_text);
  free(state->table_text);
  return status;
}

/* The words of --without as bits. */
static bool choose_steps(bench_state *state) {
  for (int w = 0; w < state->without.count; w++) {
    const char *name, *sentence;
    unsigned int bit, found = 0;
    for (int i = 0; bt_bude_bench_step(i, &name, &sentence, &bit); i++)
      if (strcmp(name, state->without.items[w]) == 0) found = bit;
    if (found == 0)
      return cli_refuse(
          program,
          "--without: '%.40s' is none of square, kinds, runs, table, select, local, fast, soa, constants, "
          "parts",
          state->without.items[w]);
    state->choice.without |= found;
  }
  return true;
}

static bool parse(bench_state *state, int argc, char **argv, int *ret_exit_code) {
  cli_option options[] = {
      {.group = "Input",
       .name = "deck",
       .kind = CLI_STRING,
       .target = &state->opt_deck,
       .value = "FOLDER",
       .help = "forcefield.in, protein.in, ligand.in, poses.in and ref_energies.out of the mini-app"},
      {.name = "poses",
       .letter = 'n',
       .kind = CLI_INT,
       .target = &state->poses,
       .value = "N",
       .low = 1,
       .high = 1 << 26,
       .opt_default = "all",
       .help = "the first N poses"},
      {.group = "Device",
       .name = "device",
       .kind = CLI_STRING,
       .target = &state->opt_device,
       .value = "NAME",
       .opt_default = "auto",
       .help = "as in berth devices, such as cuda:0 or cpu/avx2"},
      {.name = "threads",
       .letter = 't',
       .kind = CLI_INT,
       .target = &state->threads,
       .value = "N",
       .low = 1,
       .high = 65536,
       .opt_default = "all",
       .help = "threads of the CPU"},
      {.name = "poses-per-item",
       .kind = CLI_INT,
       .target = &state->choice.poses_per_item,
       .value = "N",
       .low = 1,
       .high = 32,
       .opt_default = "tuned",
       .help = "1, 2, 4, 8, 16 or 32; vectors of poses on a processor"},
      {.name = "group",
       .kind = CLI_INT,
       .target = &state->choice.group,
       .value = "N",
       .low = 1,
       .high = 256,
       .opt_default = "tuned",
       .help = "work-items of a group"},
      {.name = "part",
       .kind = CLI_INT,
       .target = &state->choice.part_atoms,
       .value = "N",
       .low = 1,
       .high = 1 << 28,
       .opt_default = "tuned",
       .help = "ligand atoms that a work-item evaluates"},
      {.name = "without",
       .kind = CLI_LIST,
       .target = &state->without,
       .value = "NAME...",
       .opt_default = "",
       .help = "optimisations to leave out: square, kinds, runs, table, select, local, fast, soa, constants, parts"},
      {.group = "Benchmark",
       .name = "iterations",
       .kind = CLI_INT,
       .target = &state->iterations,
       .value = "N",
       .low = 1,
       .high = 100000,
       .help = "iterations that are timed, each scores all poses"},
      {.name = "warm-up",
       .kind = CLI_INT,
       .target = &state->warm_up,
       .value = "N",
       .high = 100000,
       .help = "iterations before these"},
      {.name = "sweep",
       .kind = CLI_FLAG,
       .target = &state->sweep,
       .help = "all numbers of poses per work-item with all groups"},
      {.name = "steps", .kind = CLI_FLAG, .target = &state->steps, .help = "each optimisation left out in turn"},
      {.name = "search",
       .kind = CLI_FLAG,
       .target = &state->search,
       .help = "whole searches of 8 generations, and what search and selection take of them"},
      {.name = "conformations",
       .kind = CLI_INT,
       .target = &state->conformations,
       .value = "N",
       .low = 1,
       .high = 4096,
       .help = "conformations that --search docks at once"},
      BENCH_OUTPUT_OPTIONS(state->output),
      {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .target = &state->quiet, .help = "no progress"},
  };
  cli_spec spec = {
      .program = program,
      .summary = "interactions per second of the BUDE engine, after its energies were proved",
      .usage = "--deck FOLDER [options]",
      .options = options,
      .n_options = CLI_COUNT(options),
      .opt_details =
          "An interaction is one ligand atom with one protein atom in one pose. Energies are valid when none is\n"
          "off by more than 0.025 % of its reference (where one of the two is 1 or more); otherwise no speed is\n"
          "told. Operations are counted as the mini-app does: 27 W + n_l (2 + 18 W + n_p (10 + 30 W)) + W for\n"
          "W poses of a work-item, whatever the kernel really executes. The peak is that of a loop of\n"
          "multiply-adds in the same run.",
      .opt_examples =
          "  berth bench bude --deck bm1\n"
          "  berth bench bude --deck bm1 --device cuda:0 --sweep --steps --search --json",
  };
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  *ret_exit_code = CLI_EXIT_BAD;
  if (state->opt_deck == NULL)
    return cli_refuse(program, "--deck is missing: give a folder of the mini-app, such as bm1");
  return choose_steps(state) && bench_output_check(program, &state->output, argc, argv);
}

int bench_bude(int argc, char **argv) {
  bench_state state = {.iterations = 8, .warm_up = 2, .conformations = 20};
  bt_error error;
  int exit_code;
  if (parse(&state, argc, argv, &exit_code)) {
    bt_status status = run(&state, &error);
    exit_code = status != BT_OK ? cli_fail(program, &error) : state.all_valid ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
  }
  bt_bude_bench_close(state.bench);
  cli_list_free(&state.without);
  bench_output_free(&state.output);
  return exit_code;
}
