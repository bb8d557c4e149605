/* library.c - `berth bude library`: typed ligands with their conformers as binary records. */
#include <stdio.h>

#include "bude/bude.h"
#include "common/report.h"
#include "output/guard.h"
#include "output/outputs.h"
#include "signals/interrupt.h"

static const char details[] =
    "Reads ligands as `berth bude` does, generates their conformers, and writes them as records of 16 bytes per heavy\n"
    "atom, which need no parsing when the library is docked. A library is tied to the force field that typed it.\n"
    "Exit code: 0 success, 1 invalid input or nothing written, 2 some ligands were rejected, 3 out of memory.";

static const char examples[] =
    "  berth bude library -l ligands.sdf.gz -o ligands.bude\n"
    "  berth bude library -l conformers.mol2 -o ligands.bude --conformers 0\n"
    "      only the conformers of the file";

typedef struct writing {
  bt_bude_library *compiled;
  long compounds, conformers;
} writing;

static bool parse(bude_state *state, int argc, char **argv, int *ret_exit_code) {
  cli_option options[] = {
      {.group = "Input", OPT_LIST("ligand", 'l', &state->words, "FILE",
       "ligands: .mol2, .sdf, .smi (also .gz), libraries, folders, patterns, or - for standard input")},
      {OPT_REAL("ph", 0, &state->prepare.ph, "PH", 0, 14, "protonate SDF and SMILES at this pH"),
       .opt_default = "as stated by the files, else 7.4"},
      {OPT_STRING("output", 'o', &state->output, "FILE", "the library")},
      {CLI_OVERWRITE_OPTION(&state->overwrite)},
      {OPT_FLAG("quiet", 'q', &state->quiet, "print no notes")},
      BUDE_LIGAND_OPTIONS(state),
  };
  cli_spec spec = {state->program, "a library of conformers for the BUDE engine", "-l LIGAND... -o FILE [options]",
                   details, examples, CLI_TABLE(options), &state->words};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  if (state->words.count == 0) return cli_refuse(state->program, "no ligand; use -l FILE, a folder, or -");
  if (state->output == NULL) return cli_refuse(state->program, "no output; use -o FILE");
  return true;
}

static bt_status add(bude_state *state, writing *w, const bt_bude_compound *compound, bt_error *error) {
  bt_error reason;
  bt_status status = bt_bude_library_add(w->compiled, compound, &reason);
  if (status == BT_ERR_LIMIT)
    return cli_lists_reject(&state->lists, bt_bude_compound_name(compound), &reason, error);
  if (status != BT_OK) return *error = reason, status;
  w->compounds++;
  w->conformers += bt_bude_compound_conformer_count(compound);
  return BT_OK;
}

static bt_status write_all(bude_state *state, writing *w, bt_error *error) {
  for (bt_bude_compound *compound;;) {
    BT_TRY(bude_next(state, &compound, error));
    if (compound == NULL) return BT_OK;
    bt_status status = add(state, w, compound, error);
    bt_bude_compound_destroy(compound);
    if (status != BT_OK) return status;
  }
}

static bt_status check_output(bude_state *state, bt_error *error) {
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  BT_TRY(cli_guard_add(&inputs, (const char *const *)state->paths.items, state->paths.count, error));
  BT_TRY(cli_guard_add_library(&inputs, &state->words, true, error));
  cli_origin origin;
  BT_TRY(bude_origin(state, cli_format("%s.inputs.txt", state->output), &origin, error));
  BT_TRY(bt_file_set_spare(&inputs, state->output, error));
  BT_TRY(bt_file_set_spare(&inputs, state->record, error));
  return cli_origin_check(&origin, state->output, error);
}

static bt_status commit(const bude_state *state, bt_bude_library *compiled, bt_error *error) {
  const cli_origin origin = {.record = state->record, .opt_ligands = &state->words};
  BT_TRY(bt_bude_library_commit(compiled, error));
  return cli_origin_keep(&origin, error);
}

static int run(bude_state *state) {
  bt_error error = {0};
  writing w = {0};
  cli_interrupt_watch(NULL);
  bt_status status = cli_inputs_expand(&state->words, true, NULL, 0, &state->paths, &error);
  if (status == BT_OK) status = check_output(state, &error);
  state->single = state->paths.count == 1;
  if (status == BT_OK) status = bude_open(state, false, &error);
  if (status == BT_OK) status = bt_bude_library_create(state->bude, state->output, &w.compiled, &error);
  if (status == BT_OK) status = write_all(state, &w, &error);
  if (w.compiled != NULL && status == BT_OK && w.compounds > 0)
    status = commit(state, w.compiled, &error);
  else
    bt_bude_library_abandon(w.compiled);
  int exit_code;
  if (!bude_exit(state, status, &error, "nothing was written", &exit_code)) return exit_code;
  if (w.compounds == 0) return CLI_EXIT_BAD;
  if (!state->quiet)
    printf("%ld ligand%s with %ld conformers written, %d rejected\n", w.compounds, w.compounds == 1 ? "" : "s",
           w.conformers, state->lists.n_rejects);
  return state->lists.n_rejects > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

int bude_library(int argc, char **argv) {
  bude_state state = {
      .program = "berth bude library", .prepare = cli_prepare_default(), .options = bt_bude_options_default()};
  state.lists.program = state.program;
  int exit_code;
  if (parse(&state, argc, argv, &exit_code)) exit_code = run(&state);
  bude_free(&state);
  return exit_code;
}
