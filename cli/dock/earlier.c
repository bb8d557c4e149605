/* earlier.c - detects results of another ligand or receptor that an earlier run left in the output folder.
 *
 * Docking the same ligand to the same receptor again, with any settings, replaces its results: that is routine work.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/json.h"
#include "dock/state.h"
#include "common/report.h"
#include "output/origin.h"

/* A member of the object as text; NULL when it is null or absent. */
static char *text_of(bt_span object, const char *key) {
  bt_span value;
  return bt_json_find(object, key, &value) && value.size > 0 && value.text[0] == '"' ? bt_json_unquote(value) : NULL;
}

static bool is_same_file(const char *opt_theirs, const char *opt_ours) {
  if (opt_theirs == NULL || opt_ours == NULL || strcmp(opt_ours, "-") == 0) return true; /* unknown */
  return strcmp(opt_theirs, opt_ours) == 0 || cli_path_same(opt_theirs, opt_ours);
}

/* Maps read from files may name a receptor that is not next to them. */
static bool is_same_receptor(const char *opt_theirs, const char *opt_ours) {
  if (is_same_file(opt_theirs, opt_ours)) return true;
  return access(opt_theirs, F_OK) != 0 && strcmp(bt_path_base(opt_theirs), bt_path_base(opt_ours)) == 0;
}

/* Another record of the same file that has the same name, as parts of a library may: its molecule is another one. */
static bool is_other_record(bt_span object, const cli_ligand *ligand) {
  bt_span value;
  int64_t record = 0;
  if (!bt_json_find(object, "record", &value) || !bt_parse_int64(value, &record)) return false;
  if (ligand->record < 1 || record == ligand->record) return false;
  BT_SCOPED char *smiles = text_of(object, "smiles"), *name = text_of(object, "ligand_pdbqt"), *ours = NULL;
  if (smiles == NULL || bt_molecule_smiles(ligand->molecule)[0] == '\0')
    return bt_molecule_pdbqt(ligand->molecule, &ours, NULL) != BT_OK || name == NULL || strcmp(name, ours) != 0;
  return strcmp(smiles, bt_molecule_smiles(ligand->molecule)) != 0;
}

static bt_status check_result(const dock_state *state, const cli_ligand *ligand, const char *path, const char *text,
                              size_t size, bt_error *opt_error) {
  bt_span object = {.text = text, .size = size};
  BT_SCOPED char *file = text_of(object, "ligand_file"), *receptor = text_of(object, "receptor_file");
  if (!is_same_file(file, cli_ligands_path(&state->ligands, ligand)))
    return cli_origin_refuse(path, "this is the result of another ligand", opt_error);
  if (is_other_record(object, ligand))
    return cli_origin_refuse(path, "this is the result of another record of that name", opt_error);
  const char *ours = state->settings.receptor;
  bool molecule = state->receptor.opt_prepared == NULL && dock_settings_computes_maps(&state->settings);
  BT_SCOPED char *whole = molecule ? realpath(ours, NULL) : NULL;
  if (is_same_receptor(receptor, whole)) return BT_OK;
  return cli_origin_refuse(path, "this is the result of a docking to another receptor", opt_error);
}

bt_status dock_check_earlier(const dock_state *state, const cli_ligand *ligand, bt_error *opt_error) {
  if (state->settings.overwrite) return BT_OK;
  BT_SCOPED char *json = dock_output_path(state, ligand->name, "json"), *text = NULL;
  size_t size;
  if (json == NULL) return bt_fail_memory(opt_error);
  if (access(json, F_OK) == 0 && bt_file_read(json, &text, &size, NULL) == BT_OK)
    return check_result(state, ligand, json, text, size, opt_error);
  const char *ending;
  for (int i = 0; (ending = dock_ending(state, ligand, i)) != NULL; i++) {
    BT_SCOPED char *path = dock_output_path(state, ligand->name, ending);
    if (path == NULL) return bt_fail_memory(opt_error);
    if (access(path, F_OK) == 0)
      return cli_origin_refuse(path, "this file does not belong to a docking in this folder", opt_error);
  }
  return BT_OK;
}

bt_status dock_check_earlier_receptor(const dock_state *state, const char *path, const char *text,
                                      bt_error *opt_error) {
  BT_SCOPED char *before = NULL;
  size_t size;
  if (state->settings.overwrite || access(path, F_OK) != 0) return BT_OK;
  if (bt_file_read(path, &before, &size, NULL) == BT_OK && strcmp(before, text) == 0) return BT_OK;
  return cli_origin_refuse(path, "earlier results in this folder belong to this other receptor", opt_error);
}

/* The first row names a ligand, whose JSON names the file that it came from. */
static bt_status check_summary(const dock_state *state, bt_error *opt_error) {
  BT_SCOPED char *path = dock_output_path(state, "summary", "csv"), *text = NULL, *docking = NULL;
  size_t size;
  if (path == NULL) return bt_fail_memory(opt_error);
  if (access(path, F_OK) != 0) return BT_OK;
  if (bt_file_read(path, &text, &size, NULL) != BT_OK || strncmp(text, "rank,ligand,", strlen("rank,ligand,")) != 0)
    return cli_origin_refuse(path, "this file does not belong to a docking in this folder", opt_error);
  char *row = strstr(text, "\n1,"), *name = row != NULL ? row + strlen("\n1,") : NULL;
  if (name == NULL || name[0] == '"' || name[0] == '\'') return BT_OK; /* unknown */
  name[strcspn(name, ",\n")] = '\0';
  BT_SCOPED char *json = dock_output_path(state, name, "json");
  if (json == NULL) return bt_fail_memory(opt_error);
  if (access(json, F_OK) != 0 || bt_file_read(json, &docking, &size, NULL) != BT_OK) return BT_OK;
  BT_SCOPED char *file = text_of((bt_span){.text = docking, .size = size}, "ligand_file");
  bool ours = state->paths.count == 0;
  for (int i = 0; !ours && i < state->paths.count; i++) ours = is_same_file(file, state->paths.items[i]);
  return ours ? BT_OK : cli_origin_refuse(path, "this is the summary of other ligands", opt_error);
}

bt_status dock_check_earlier_summary(dock_state *state, bt_error *opt_error) {
  bt_status status = check_summary(state, opt_error);
  if (status != BT_ERR_USAGE || !state->settings.overwrite) return status;
  state->lists.replaces = true;
  return BT_OK;
}
