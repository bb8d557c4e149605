/* files.c - the files of one ligand that `berth dock` writes. */
#include <berth/report.h>
#include <string.h>

#include "dock/state.h"
#include "common/report.h"

static bool has_format(const dock_state *state, const cli_ligand *ligand, const char *word) {
  const dock_settings *s = &state->settings;
  if (strcmp(word, "json") == 0) return true; /* `berth report` reads it */
  if (s->opt_format != NULL) return cli_words_have(s->opt_format, word);
  if (strcmp(word, "sdf") == 0) return bt_molecule_has_chemistry(ligand->molecule);
  return cli_words_have(s->protocol.scoring == BT_SCORING_AD4 ? "dlg,pdbqt,csv" : "pdbqt,csv", word);
}

const char *dock_ending(const dock_state *state, const cli_ligand *ligand, int index) {
  const char *word;
  for (int i = 0; (word = bt_result_format(i)) != NULL; i++)
    if (has_format(state, ligand, word) && index-- == 0) return word;
  return NULL;
}

char *dock_output_path(const dock_state *state, const char *name, const char *ending) {
  const char *folder = state->settings.folder;
  const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
  return cli_format("%s%s%s.%s", folder, slash, name, ending);
}

static const char *complex_ending(const dock_state *state) {
  return state->settings.complex == 1 ? "complex.pdb" : "complex.cif";
}

static bt_status check_file(dock_state *state, const cli_ligand *ligand, const char *ending, bt_error *opt_error) {
  BT_SCOPED char *path = dock_output_path(state, ligand->name, ending);
  return path != NULL ? bt_file_set_spare(&state->inputs, path, opt_error) : bt_fail_memory(opt_error);
}

bt_status dock_check_files(dock_state *state, const cli_ligand *ligand, bt_error *opt_error) {
  const char *ending;
  for (int i = 0; (ending = dock_ending(state, ligand, i)) != NULL; i++)
    BT_TRY(check_file(state, ligand, ending, opt_error));
  for (int i = 0; (ending = dock_session_ending(state, i)) != NULL; i++)
    BT_TRY(check_file(state, ligand, ending, opt_error));
  return state->settings.complex > 0 ? check_file(state, ligand, complex_ending(state), opt_error) : BT_OK;
}

/* A complex without a context. */
static bt_status write_file(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                            const char *ending, const bt_write_context *opt_context, bt_error *opt_error) {
  BT_SCOPED char *path = dock_output_path(state, ligand->name, ending);
  if (path == NULL) return bt_fail_memory(opt_error);
  if (opt_context != NULL) return bt_result_write(result, path, ending, opt_context, opt_error);
  int position = 0; /* the best pose that is not left out */
  while (bt_result_leaves_out(result, bt_result_ranked(result, position).cluster)) position++;
  const cli_receptor *receptor = dock_receptor_at(state, bt_result_ranked(result, position).site);
  return bt_result_write_complex(result, position, receptor->rigid, path, opt_error);
}

bt_status dock_write_files(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                           bt_error *opt_error) {
  const char *path = cli_ligands_path(&state->ligands, ligand);
  /* log parsers name a ligand by its file, so ligands of one file need individual names */
  BT_SCOPED char *name = ligand->raw ? cli_format("%s.pdbqt", ligand->name) : NULL;
  if (ligand->raw && name == NULL) return bt_fail_memory(opt_error);
  bt_write_context context = {.opt_command_line = state->command_line,
                              .opt_fld_path = state->fld_path,
                              .opt_ligand_path = ligand->raw                            ? name
                                               : path == NULL || strcmp(path, "-") == 0 ? NULL
                                                                                        : path,
                              .opt_flexible_path = state->receptor.opt_flexible_path,
                              .opt_dpf_path = state->settings.opt_dpf,
                              .record = ligand->record};
  char protonation[CLI_PROTONATION];
  if (cli_protonation(&state->settings.prepare, state->settings.receptor, protonation, sizeof protonation))
    context.opt_protonation = protonation;
  BT_SCOPED char *notes = NULL;
  BT_TRY(dock_receptor_notes(state, &notes, opt_error));
  context.opt_notes = notes;
  if (state->receptor.rigid != NULL && state->receptor.opt_prepared == NULL)
    context.opt_receptor_path = state->settings.receptor;
  const char *ending;
  BT_TRY(write_file(state, ligand, result, "json", &context, opt_error)); /* first: it identifies the others */
  for (int i = 0; (ending = dock_ending(state, ligand, i)) != NULL; i++)
    if (strcmp(ending, "json") != 0) BT_TRY(write_file(state, ligand, result, ending, &context, opt_error));
  BT_TRY(dock_write_sessions(state, ligand, opt_error));
  if (state->settings.complex == 0) return BT_OK;
  return write_file(state, ligand, result, complex_ending(state), NULL, opt_error);
}
