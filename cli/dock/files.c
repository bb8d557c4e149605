/* files.c - the files of one ligand that `berth dock` writes. */
#include <assert.h>
#include <berth/report.h>
#include <string.h>

#include "dock/state.h"
#include "common/report.h"

static const struct {
  unsigned format;
  const char *ending;
} endings[] = {{CLI_FORMAT_DLG, "dlg"}, {CLI_FORMAT_XML, "xml"},   {CLI_FORMAT_PDBQT, "pdbqt"},
               {CLI_FORMAT_SDF, "sdf"}, {CLI_FORMAT_JSON, "json"}, {CLI_FORMAT_CSV, "csv"}};

enum { OF_JSON = 4 };
static_assert(OF_JSON < CLI_COUNT(endings), "order of endings");

static unsigned formats_of(const dock_state *state, const cli_ligand *ligand) {
  unsigned formats = state->settings.formats;
  if ((formats & CLI_FORMAT_AUTO) != 0 && bt_molecule_has_chemistry(ligand->molecule)) formats |= CLI_FORMAT_SDF;
  return formats | CLI_FORMAT_JSON; /* `berth report` reads it */
}

const char *dock_ending(const dock_state *state, const cli_ligand *ligand, int index) {
  unsigned formats = formats_of(state, ligand);
  for (int i = 0; i < CLI_COUNT(endings); i++)
    if ((formats & endings[i].format) != 0 && index-- == 0) return endings[i].ending;
  return NULL;
}

char *dock_output_path(const dock_state *state, const char *name, const char *ending) {
  const char *folder = state->settings.folder;
  const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
  return cli_format("%s%s%s.%s", folder, slash, name, ending);
}

static bt_status write_format(const bt_result *result, unsigned format, const char *path,
                              const bt_write_context *context, bt_error *opt_error) {
  switch (format) {
    case CLI_FORMAT_DLG: return bt_result_write_dlg(result, path, context, opt_error);
    case CLI_FORMAT_XML: return bt_result_write_xml(result, path, context, opt_error);
    case CLI_FORMAT_PDBQT: return bt_result_write_pdbqt(result, path, opt_error);
    case CLI_FORMAT_SDF: return bt_result_write_sdf(result, path, opt_error);
    case CLI_FORMAT_JSON: return bt_result_write_json(result, path, context, opt_error);
    default: return bt_result_write_csv(result, path, opt_error);
  }
}

static bt_status write_complex(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                               bt_error *opt_error) {
  static const char *const formats[] = {"", "complex.pdb", "complex.cif"};
  BT_SCOPED char *path = dock_output_path(state, ligand->name, formats[state->settings.complex]);
  if (path == NULL) return bt_fail_memory(opt_error);
  return bt_result_write_complex(result, 0, state->receptor.rigid, (bt_complex_format)(state->settings.complex - 1),
                                 path, opt_error);
}

bt_status dock_check_files(dock_state *state, const cli_ligand *ligand, bt_error *opt_error) {
  static const char *const complexes[] = {"complex.pdb", "complex.cif"};
  const char *ending;
  bt_status status = BT_OK;
  for (int i = 0; status == BT_OK && (ending = dock_ending(state, ligand, i)) != NULL; i++) {
    BT_SCOPED char *path = dock_output_path(state, ligand->name, ending);
    status = path != NULL ? bt_file_set_spare(&state->inputs, path, opt_error) : bt_fail_memory(opt_error);
  }
  if (status != BT_OK || state->settings.complex == 0) return status;
  BT_SCOPED char *path = dock_output_path(state, ligand->name, complexes[state->settings.complex - 1]);
  return path != NULL ? bt_file_set_spare(&state->inputs, path, opt_error) : bt_fail_memory(opt_error);
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
  BT_SCOPED char *notes = cli_receptor_notes(&state->receptor);
  context.opt_notes = notes;
  if (state->receptor.rigid != NULL && state->receptor.opt_prepared == NULL)
    context.opt_receptor_path = state->settings.receptor;
  bt_status status = BT_OK;
  unsigned formats = formats_of(state, ligand);
  for (int k = -1; status == BT_OK && k < CLI_COUNT(endings); k++) { /* JSON first: it identifies the others */
    int i = k < 0 ? OF_JSON : k;
    if ((formats & endings[i].format) == 0 || k == OF_JSON) continue;
    BT_SCOPED char *file = dock_output_path(state, ligand->name, endings[i].ending);
    if (file == NULL) status = bt_fail_memory(opt_error);
    if (status == BT_OK) status = write_format(result, endings[i].format, file, &context, opt_error);
  }
  if (status == BT_OK && state->settings.complex > 0) status = write_complex(state, ligand, result, opt_error);
  return status;
}
