/* ligand.c - `berth prep ligand`: SDF, MOL2, SMILES and PDB -> PDBQT and SDF. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/folder_lock.h"
#include "common/progress.h"
#include "common/report.h"
#include "input/ligands.h"
#include "input/lists.h"
#include "input/prepare.h"
#include "output/guard.h"
#include "output/outputs.h"
#include "prep/prep.h"
#include "signals/interrupt.h"

static const char details[] =
    "Writes OUTPUT/NAME.pdbqt for every molecule, as Meeko would: hydrogens, AutoDock types, Gasteiger charges,\n"
    "torsions, opened macrocycles, and the remarks that restore the bonds of poses. An OUTPUT that ends\n"
    "in .pdbqt is a file for a single ligand; one that ends in .sdf holds all prepared molecules with\n"
    "their hydrogens and coordinates. Files of any length are read record by record.\n"
    "Molecules that cannot be prepared are reported and listed in OUTPUT/rejects.csv; changes\n"
    "(a counter-ion removed, coordinates generated) are listed in OUTPUT/notes.csv.\n"
    "Files of other molecules are replaced only with --overwrite. docs/preparation.md has the rules.\n"
    "Exit code: 0 all prepared, 1 invalid input or nothing prepared, 2 some rejected, 3 out of memory.";

static const char examples[] =
    "  berth prep ligand library.sdf.gz -o prepared/ --ph 7.4\n"
    "  berth prep ligand -l compounds.smi -o prepared/ --format pdbqt,sdf\n"
    "      with one conformer each\n"
    "  berth prep ligand ligand.mol2 -o ligand.pdbqt\n"
    "  berth prep ligand -r 1hpv.pdb --ligand-from 478 --template 'CC(C)CN(...' -o amprenavir.pdbqt\n"
    "  berth prep ligand lib.sdf -o prepared/ --json | jq -r '[.ligand, .torsions] | @tsv'";

typedef struct prep_state {
  const char *program;
  cli_list words;
  const char *opt_receptor, *opt_ligand_from, *output, *format;
  cli_prepare prepare;
  bool pdbqt, sdf, json, quiet, overwrite;
  bool to_pdbqt, to_sdf; /* the output is a single file */
  bt_text_list paths;
  cli_extract extract;
  cli_ligands ligands;
  cli_lists lists;
  bt_file_writer *all; /* of to_sdf */
  bt_file_set inputs; /* files that no output may replace */
  long prepared;
} prep_state;

/* --- options ------------------------------------------------------------------------------------------- */

static bool check(prep_state *state) {
  const char *program = state->program;
  if (state->words.count == 0 && state->opt_ligand_from == NULL)
    return cli_refuse(program, "no ligand; use -l FILE, a folder, or - for stdin");
  if ((state->opt_ligand_from == NULL) != (state->opt_receptor == NULL))
    return cli_refuse(program, state->opt_receptor == NULL
                                   ? "--ligand-from needs a structure file; use -r FILE"
                                   : "-r has no effect without --ligand-from; remove it or add --ligand-from");
  if (state->output == NULL) return cli_refuse(program, "no output; use -o FOLDER, FILE.pdbqt or FILE.sdf");
  state->to_pdbqt = cli_path_ends(state->output, ".pdbqt");
  state->to_sdf = cli_path_ends(state->output, ".sdf");
  state->pdbqt = cli_words_have(state->format, "pdbqt");
  state->sdf = cli_words_have(state->format, "sdf");
  return cli_words_check(program, "format", state->format, "pdbqt|sdf");
}

static bool parse(prep_state *state, int argc, char **argv, int *ret_exit_code) {
  cli_option options[] = {
      {.group = "Input", OPT_LIST("ligand", 'l', &state->words, "FILE",
       "ligands: .sdf, .mol2, .smi, .csv (also .gz, .bz2, .zst), .pdb with --template, .btl, .tar.gz; folders, patterns, or - for "
       "standard input")},
      {OPT_STRING("ligand-from", 0, &state->opt_ligand_from, "RES",
       "prepare this residue of the file given with -r")},
      {OPT_STRING("receptor", 'r', &state->opt_receptor, "FILE", "PDB or mmCIF file for --ligand-from")},
      CLI_PH_OPTION(state->prepare),
      {.group = "Output", OPT_STRING("output", 'o', &state->output, "OUTPUT",
       "folder, created if absent; or one .pdbqt or .sdf file")},
      {OPT_STRING("format", 0, &state->format, "LIST", "files in the folder: pdbqt, sdf or both")},
      {OPT_FLAG("overwrite", 0, &state->overwrite, "replace files of other molecules")},
      {OPT_FLAG("json", 0, &state->json, "print one JSON object per ligand and line")},
      {OPT_FLAG("quiet", 'q', &state->quiet, "print no notes")},
      CLI_LIGAND_OPTIONS(state->prepare),
      CLI_PROTOMERS_OPTION(state->prepare),
  };
  cli_spec spec = {state->program, "prepare ligands from SDF, MOL2, SMILES or PDB files as PDBQT",
                   "-l LIGAND... -o OUTPUT [options]", details, examples, CLI_TABLE(options), &state->words};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  cli_prepare_resolve(&state->prepare);
  state->prepare.receptor.opt_ligand = state->opt_ligand_from;
  return check(state);
}

/* --- one ligand ---------------------------------------------------------------------------------------- */

static bt_status find_inputs(prep_state *state, bt_error *error) {
  const char *words[] = {state->opt_receptor, state->prepare.ligands.opt_template};
  BT_TRY(cli_guard_add(&state->inputs, words, CLI_COUNT(words), error));
  return cli_guard_add(&state->inputs, (const char *const *)state->paths.items, state->paths.count, error);
}

/* The common file is opened with the first molecule, which identifies an earlier file. */
static bt_status add_to_sdf(prep_state *state, const char *text, bt_error *error) {
  if (state->all == NULL) {
    if (!state->overwrite) BT_TRY(prep_check_earlier(state->output, text, true, error));
    BT_TRY(bt_file_writer_open(state->output, &state->all, error));
  }
  return bt_file_writer_add(state->all, text, strlen(text), error);
}

static bt_status write_sdf(prep_state *state, const cli_ligand *item, const char *opt_path, bt_error *error) {
  BT_SCOPED char *text = NULL;
  BT_TRY(bt_molecule_sdf(item->molecule, NULL, NULL, 0, &text, error));
  if (opt_path == NULL) return add_to_sdf(state, text, error);
  if (!state->overwrite) BT_TRY(prep_check_earlier(opt_path, text, true, error));
  return bt_file_write(opt_path, text, strlen(text), error);
}

static bt_status write_pdbqt(const prep_state *state, const cli_ligand *item, const char *path, bt_error *error) {
  BT_SCOPED char *text = NULL;
  if (!state->overwrite) {
    BT_TRY(bt_molecule_pdbqt(item->molecule, &text, error));
    BT_TRY(prep_check_earlier(path, text, false, error));
  }
  return bt_molecule_write_pdbqt(item->molecule, path, error);
}

static char *path_of(const prep_state *state, const char *name, const char *ending) {
  BT_SCOPED char *base = cli_format("%s.%s", name, ending);
  return base != NULL ? bt_path_join(state->output, base) : NULL;
}

static bt_status write_in_folder(prep_state *state, const cli_ligand *item, const char *ending, bt_error *error) {
  BT_SCOPED char *path = path_of(state, item->name, ending);
  if (path == NULL) return bt_fail_memory(error);
  BT_TRY(bt_file_set_spare(&state->inputs, path, error));
  bt_folder_lock lock = bt_folder_lock_wait(state->output); /* checked and written as one */
  bt_status status = strcmp(ending, "sdf") == 0 ? write_sdf(state, item, path, error)
                                                : write_pdbqt(state, item, path, error);
  bt_folder_lock_release(&lock);
  return status;
}

static bt_status write_files(prep_state *state, const cli_ligand *item, bt_error *error) {
  if (state->to_sdf) return write_sdf(state, item, NULL, error);
  if (state->to_pdbqt) {
    if (state->prepared == 0) return write_pdbqt(state, item, state->output, error);
    return cli_fill_error(error, BT_ERR_USAGE, state->output, "use a folder with -o",
                          "more than one ligand; only the first is written");
  }
  bt_status status = BT_OK;
  if (state->pdbqt) status = write_in_folder(state, item, "pdbqt", error);
  if (status == BT_OK && state->sdf) status = write_in_folder(state, item, "sdf", error);
  return status;
}

static bt_status print_json(const cli_ligand *item, const bt_ligand *ligand, bt_error *error) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(&json, "{ ligand %s record %d smiles %s atoms %d torsions %d types [", item->name, item->model + 1,
                 bt_molecule_smiles(item->molecule), bt_ligand_atom_count(ligand), bt_ligand_torsion_count(ligand));
  for (int i = 0; i < bt_ligand_type_count(ligand); i++) bt_json_string(&json, bt_ligand_type(ligand, i));
  bt_json_printf(&json, "] notes [");
  for (int i = 0; i < bt_molecule_note_count(item->molecule); i++)
    bt_json_string(&json, bt_molecule_note(item->molecule, i));
  bt_json_printf(&json, "] }");
  return cli_print_json(&text, error);
}

static bt_status keep(prep_state *state, const cli_ligand *item, bt_error *error) {
  bt_error reason;
  bt_ligand *ligand = NULL; /* a ligand that cannot be docked is rejected */
  bt_status status = bt_ligand_create(item->molecule, NULL, &ligand, &reason);
  if (status == BT_OK && (state->sdf || state->to_sdf) && !bt_molecule_has_chemistry(item->molecule))
    status = bt_molecule_find_chemistry(item->molecule, &reason);
  if (status == BT_OK) {
    status = write_files(state, item, error);
    /* a path that is an input, or a file of another molecule, rejects only this ligand */
    if (status == BT_ERR_USAGE && !state->to_pdbqt && !state->to_sdf) {
      bt_ligand_destroy(ligand);
      reason = *error;
      return cli_lists_reject(&state->lists, item->name, &reason, error);
    }
    if (status == BT_OK) status = cli_lists_done(&state->lists, item->name, error);
    if (status == BT_OK) status = cli_lists_note(&state->lists, item->name, item->molecule, error);
    if (status == BT_OK && state->json) status = print_json(item, ligand, error);
    state->prepared += status == BT_OK;
  } else if (status == BT_ERR_MEMORY) {
    *error = reason;
  } else {
    status = cli_lists_reject(&state->lists, item->name, &reason, error);
  }
  bt_ligand_destroy(ligand);
  return status;
}

/* --- all ----------------------------------------------------------------------------------------------- */

static bt_status open_output(prep_state *state, bt_error *error) {
  BT_TRY(find_inputs(state, error));
  if (state->to_sdf || state->to_pdbqt) BT_TRY(bt_file_set_spare(&state->inputs, state->output, error));
  if (state->to_sdf || state->to_pdbqt) return cli_folder_check(state->output, error);
  state->lists.grows = true;
  state->lists.opt_notes = path_of(state, "notes", "csv");
  state->lists.opt_rejects = path_of(state, "rejects", "csv");
  if (state->lists.opt_notes == NULL || state->lists.opt_rejects == NULL) return bt_fail_memory(error);
  return cli_folder_make(state->output, error);
}

static bt_status prepare_all(prep_state *state, bt_error *error) {
  bt_status status = BT_OK;
  cli_interrupt_watch(NULL);
  for (bool found = true; status == BT_OK;) {
    cli_ligand item;
    status = cli_ligands_next(&state->ligands, &item, &found, error);
    if (status != BT_OK || !found) break;
    status = item.molecule != NULL ? keep(state, &item, error)
                                   : cli_lists_reject(&state->lists, item.name, &item.error, error);
    cli_ligand_clear(&item);
    if (status == BT_OK) status = cli_check_interrupt(error);
  }
  return status;
}

static int run(prep_state *state) {
  bt_error error = {0}, list_error = {0};
  double started = bt_seconds();
  const char *excluded[] = {state->opt_receptor};
  bt_status status = cli_inputs_expand(&state->words, true, excluded, 1, &state->paths, &error);
  if (status == BT_OK && state->opt_ligand_from != NULL)
    status = cli_extract_ligand(state->opt_receptor, &state->prepare, &state->extract, &error);
  state->ligands = cli_ligands_start(&state->paths, &state->prepare.ligands);
  if (state->extract.text != NULL) state->ligands.opt_extract = &state->extract;
  if (status == BT_OK) status = open_output(state, &error);
  if (status != BT_OK) return cli_fail(state->program, &error);
  status = prepare_all(state, &error);
  bt_status lists = BT_OK;
  if (status != BT_OK && status != BT_ERR_CANCELLED)
    bt_file_writer_abandon(state->all);
  else if (state->all != NULL)
    lists = bt_file_writer_commit(state->all, &list_error);
  bt_folder_lock lock = {.descriptor = -1};
  if (state->lists.grows) lock = bt_folder_lock_wait(state->output);
  if (lists == BT_OK) lists = cli_lists_write(&state->lists, true, &list_error);
  bt_folder_lock_release(&lock);
  if (status == BT_ERR_CANCELLED)
    return cli_message(state->program, "%s; %ld ligands are complete", cli_interrupt_words(), state->prepared),
           cli_interrupt_exit_code();
  if (status != BT_OK) return cli_fail(state->program, &error);
  if (lists != BT_OK) return cli_fail(state->program, &list_error);
  if (!state->json && state->prepared > 0)
    printf("%ld ligand%s prepared, %d rejected, in %.2f seconds\n", state->prepared, state->prepared == 1 ? "" : "s",
           state->lists.n_rejects, bt_seconds() - started);
  if (state->ligands.n_empty > 0 && !state->quiet)
    cli_message(state->program, "note: %ld SDF record%s without atoms skipped", state->ligands.n_empty,
                state->ligands.n_empty == 1 ? "" : "s");
  return state->prepared == 0 ? CLI_EXIT_BAD : state->lists.n_rejects > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

int prep_ligand(int argc, char **argv) {
  prep_state state = {.program = "berth prep ligand", .prepare = cli_prepare_default(), .format = "pdbqt"};
  state.lists.program = state.program;
  int exit_code;
  if (parse(&state, argc, argv, &exit_code)) {
    state.lists.quiet = state.quiet;
    exit_code = run(&state);
  }
  cli_ligands_free(&state.ligands);
  cli_lists_free(&state.lists);
  bt_file_set_destroy(&state.inputs);
  bt_text_list_destroy(&state.paths);
  cli_list_free(&state.words);
  cli_prepare_free(&state.prepare);
  free(state.extract.text);
  free(state.extract.name);
  return exit_code;
}
