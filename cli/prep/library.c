/* library.c - `berth prep library`: ligand files of any format -> one binary library. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/progress.h"
#include "common/report.h"
#include "input/inputs.h"
#include "input/lists.h"
#include "input/prepare.h"
#include "output/guard.h"
#include "output/origin.h"
#include "output/outputs.h"
#include "prep/prep.h"
#include "signals/interrupt.h"

static const char details[] =
    "Prepares every molecule as `berth prep ligand` does and stores the prepared ligands in one compact, indexed\n"
    "and checksummed file, any part of which `berth screen` can read without parsing. Ligands are read back\n"
    "exactly as they were prepared. Files of any length are read record by record, on all cores.\n"
    "OUTPUT.btl.inputs.txt names its inputs; a library of other inputs is replaced only with --overwrite.\n"
    "Molecules that cannot be prepared are listed with the reason in OUTPUT.rejects.csv; changes (a counter-ion\n"
    "removed, coordinates generated) in OUTPUT.notes.csv. docs/formats.md describes the format.\n"
    "Exit code: 0 all prepared, 1 invalid input or nothing prepared, 2 some rejected, 3 out of memory.";

static const char examples[] =
    "  berth prep library -l compounds.smi -o compounds.btl --ph 7.4\n"
    "  berth prep library -l vendor.csv -o vendor.btl --keep-fields price,supplier\n"
    "  berth prep library -l vendor/ -o vendor.btl\n"
    "      all .sdf, .mol2, .smi, .pdbqt and .tar.gz files of a folder and its subfolders\n"
    "  berth prep library -l prepared.tar.gz -o prepared.btl\n"
    "  zcat huge.sdf.gz | berth prep library -l - --input-format sdf -o huge.btl\n"
    "  berth prep library -l a.btl b.btl -o both.btl";

enum { MOST_SHOWN = 20 }; /* rejects printed; a library may have millions */

typedef struct library_state {
  const char *program, *output;
  cli_list words;
  cli_prepare prepare;
  int threads;
  bool json, quiet, overwrite;
  char *record; /* path of the file that names the inputs */
  cli_lists lists;
  bool terminal;
  double started, told;
  long done;
  bt_error error; /* of writing a list */
} library_state;

static bool parse(library_state *state, int argc, char **argv, int *ret_exit_code) {
  cli_option options[] = {
      {.group = "Input",
       CLI_LIGANDS_OPTION("ligand", &state->words, "ligands", ", .tar.gz, .btl, .pdb with --template")},
      CLI_PH_OPTION(state->prepare),
      {.group = "Output", OPT_STRING("output", 'o', &state->output, "FILE.btl", "the library")},
      {CLI_OVERWRITE_OPTION(&state->overwrite)},
      {OPT_FLAG("json", 0, &state->json, "print the summary as JSON")},
      {OPT_FLAG("quiet", 'q', &state->quiet, "print no notes, no progress")},
      {.group = "CPU", OPT_THREADS('t', &state->threads, 4096, "threads for preparation")},
      CLI_LIGAND_OPTIONS(state->prepare),
      CLI_PROTOMERS_OPTION(state->prepare),
      CLI_KEEP_FIELDS_OPTION(state->prepare),
      {.group = "Filter", CLI_FILTER_OPTION(state->prepare, "; unique: not in the library already")},
  };
  cli_spec spec = {state->program,
   "prepare ligands from files of any format as one binary library", "-l LIGAND... -o FILE.btl [options]",
                   details, examples, CLI_TABLE(options), &state->words};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  cli_prepare_resolve(&state->prepare);
  if (state->words.count == 0) return cli_refuse(state->program, "no ligand; use -l FILE, a folder, or - for stdin");
  if (state->output == NULL) return cli_refuse(state->program, "no output; use -o FILE.btl");
  if (!cli_path_ends(state->output, ".btl"))
    return cli_refuse(state->program, "%s: the name of a library must end with .btl", state->output);
  return true;
}

static void show(library_state *state) {
  double now = bt_seconds();
  state->done++;
  if (state->quiet || now - state->told < (state->terminal ? 0.2 : 30.0)) return;
  state->told = now;
  double rate = (double)state->done / (now - state->started);
  if (state->terminal)
    fprintf(stderr, "\r\033[K%ld ligands, %.0f/s", state->done, rate);
  else
    cli_message(state->program, "%ld ligands, %.0f/s", state->done, rate);
}

static void clear_line(const library_state *state) {
  if (state->terminal && !state->quiet) fputs("\r\033[K", stderr);
}

/* As bt_library_fn. */
static bool take(void *user, const char *name, const char *source, const bt_molecule *opt_molecule,
                 const bt_error *reason) {
  library_state *state = user;
  (void)source;
  bt_status status = BT_OK;
  if (opt_molecule == NULL || bt_molecule_note_count(opt_molecule) > 0) clear_line(state);
  if (opt_molecule != NULL)
    status = cli_lists_note(&state->lists, name, opt_molecule, &state->error);
  else if (reason->status == BT_ERR_FILTERED)
    cli_lists_count_filtered(&state->lists, reason->message);
  else
    status = cli_lists_reject(&state->lists, name, reason, &state->error);
  show(state);
  return status == BT_OK && !cli_interrupted();
}

static char *beside(const char *output, const char *ending) {
  return cli_format("%.*s.%s", (int)(strlen(output) - strlen(".btl")), output, ending);
}

static cli_origin origin_of(const library_state *state) {
  return (cli_origin){.record = state->record, .opt_ligands = &state->words, .overwrite = state->overwrite};
}

static bt_status check_outputs(const library_state *state, bt_error *error) {
  const char *outputs[] = {state->output, state->lists.opt_notes, state->lists.opt_rejects, state->record};
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  for (int k = 0; k < state->words.count; k++) BT_TRY(cli_inputs_check(state->words.items[k], error));
  BT_TRY(cli_guard_add_library(&inputs, &state->words, false, error)); /* the library itself is skipped in folders */
  BT_TRY(cli_guard_add(&inputs, &state->prepare.ligands.opt_template, 1, error));
  for (int k = 0; k < CLI_COUNT(outputs); k++) BT_TRY(bt_file_set_spare(&inputs, outputs[k], error));
  const cli_origin origin = origin_of(state);
  for (int k = 0; k < CLI_COUNT(outputs) - 1; k++) BT_TRY(cli_origin_check(&origin, outputs[k], error));
  return BT_OK;
}

static bt_status print_summary(const library_state *state, const bt_library_result *result, double seconds,
                               bt_error *error) {
  double each = (double)result->bytes / (double)result->ligands;
  if (state->json) {
    bt_text text = {0};
    bt_json json = cli_json_start(&text);
    bt_json_printf(&json, "{ library %s ligands %" PRId64 " rejected %" PRId64 " filtered %" PRId64
                   " bytes %" PRIu64, state->output, result->ligands, result->rejected, result->filtered,
                   result->bytes);
    bt_json_printf(&json, "bytes_per_ligand %.1f seconds %.3f }", each, seconds);
    return cli_print_json(&text, error);
  }
  printf("%lld ligand%s in %s, %.0f bytes each; %lld rejected; in %.2f seconds\n", (long long)result->ligands,
         result->ligands == 1 ? "" : "s", state->output, each, (long long)result->rejected, seconds);
  cli_lists_tell_filtered(&state->lists, stdout);
  return BT_OK;
}

static int run(library_state *state) {
  bt_error error = {0}, list_error = {0};
  bt_library_options options = bt_library_options_default();
  bt_library_result result;
  options.prepare = state->prepare.ligands;
  options.threads = state->threads;
  options.opt_each = take;
  options.opt_user = state;
  state->lists.opt_notes = beside(state->output, "notes.csv");
  state->lists.opt_rejects = beside(state->output, "rejects.csv");
  state->record = cli_format("%s.inputs.txt", state->output);
  if (state->lists.opt_notes == NULL || state->lists.opt_rejects == NULL || state->record == NULL)
    return bt_fail_memory(&error), cli_fail(state->program, &error);
  if (check_outputs(state, &error) != BT_OK) return cli_fail(state->program, &error);
  state->terminal = isatty(STDERR_FILENO);
  state->started = state->told = bt_seconds();
  cli_interrupt_watch(NULL);
  bt_status status = bt_library_write(state->words.items, state->words.count, state->output, &options, &result, &error);
  clear_line(state);
  bool cancelled = status == BT_ERR_CANCELLED; /* then lists would describe a library that does not exist */
  bt_status lists = BT_OK;
  if (cancelled)
    cli_lists_abandon(&state->lists);
  else
    lists = cli_lists_write(&state->lists, true, &list_error);
  if (cancelled && state->error.status != BT_OK) return cli_fail(state->program, &state->error);
  if (cancelled)
    return cli_message(state->program, "%s; nothing was written", cli_interrupt_words()), cli_interrupt_exit_code();
  if (status != BT_OK) return cli_fail(state->program, &error);
  if (lists != BT_OK) return cli_fail(state->program, &list_error);
  const cli_origin origin = origin_of(state);
  if (cli_origin_keep(&origin, &error) != BT_OK) return cli_fail(state->program, &error);
  if (print_summary(state, &result, bt_seconds() - state->started, &error) != BT_OK)
    return cli_fail(state->program, &error);
  return result.rejected > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

int prep_library(int argc, char **argv) {
  library_state state = {.program = "berth prep library", .prepare = cli_prepare_default()};
  state.lists.program = state.program;
  state.lists.most_shown = MOST_SHOWN;
  int exit_code;
  if (parse(&state, argc, argv, &exit_code)) {
    state.lists.quiet = state.quiet;
    exit_code = run(&state);
  }
  cli_lists_free(&state.lists);
  free(state.record);
  cli_list_free(&state.words);
  cli_prepare_free(&state.prepare);
  return exit_code;
}
