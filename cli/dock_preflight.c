/* dock_preflight.c - everything that can be found wrong before the first evaluation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dock_state.h"
#include "map_types.h"
#include "outputs.h"
#include "report.h"

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "dock fewer ligands at a time", "out of memory");
}

bt_status dock_reject(dock_state *state, cli_ligand *ligand, const bt_error *error) {
  ligand->rejected = true;
  if (state->single) {
    state->single_exit_code = cli_fail(state->program, error);
    return BT_OK;
  }
  return cli_rejects_add(&state->rejects, ligand->name, error) ? BT_OK : BT_ERR_MEMORY;
}

/* Is it this ligand's fault, so that the others may go on? */
static bool concerns_ligand(bt_status status) { return status != BT_OK && status != BT_ERR_MEMORY; }

static bt_status read_one(const char *opt_path, bt_molecule_kind kind, const char *what, bt_molecule ***ret_list,
                          int *ret_count, bt_error *opt_error) {
  if (opt_path == NULL) return BT_OK;
  bt_status status = bt_molecule_read(opt_path, kind, ret_list, ret_count, opt_error);
  if (status == BT_OK && *ret_count != 1)
    status = cli_fill_error(opt_error, BT_ERR_INPUT, opt_path, "leave one of them in the file",
                            "%d models, but one %s is needed", *ret_count, what);
  return status;
}

/* Builds the ligand once to find faults and to learn its atom types. */
static bt_status check_ligand(dock_state *state, cli_ligand *item, const bt_molecule *molecule, bt_error *opt_error) {
  bt_ligand *ligand = NULL;
  bt_error error;
  const bt_molecule *flexible = state->n_flexible > 0 ? state->flexible[0] : NULL;
  bt_status status = bt_ligand_create(molecule, flexible, &ligand, &error);
  if (status == BT_OK && bt_ligand_atom_count(ligand) == 0)
    status =
        cli_fill_error(&error, BT_ERR_INPUT, state->paths.items[item->file], "give a ligand with atoms", "no atoms");
  if (concerns_ligand(status)) {
    bt_ligand_destroy(ligand);
    return dock_reject(state, item, &error);
  }
  if (status == BT_OK && !cli_ligands_add_types(&state->ligands, item, ligand)) status = out_of_memory(&error);
  bt_ligand_destroy(ligand);
  if (status != BT_OK && opt_error != NULL) *opt_error = error;
  return status;
}

static bt_status read_file(dock_state *state, int file, bt_error *opt_error) {
  bt_error error;
  int count = 0;
  bt_status status = cli_ligands_load(&state->ligands, file, &count, &error);
  state->single = state->paths.count == 1 && count <= 1;
  if (concerns_ligand(status)) {
    cli_ligand *item = cli_ligands_add(&state->ligands, file, 0);
    if (item == NULL) return out_of_memory(opt_error);
    return dock_reject(state, item, &error);
  }
  if (status != BT_OK) {
    if (opt_error != NULL) *opt_error = error;
    return status;
  }
  for (int model = 0; model < count; model++) {
    cli_ligand *item = cli_ligands_add(&state->ligands, file, model);
    const bt_molecule *molecule;
    if (item == NULL) return out_of_memory(opt_error);
    status = cli_ligands_molecule(&state->ligands, item, &molecule, opt_error);
    if (status == BT_OK) status = check_ligand(state, item, molecule, opt_error);
    if (status != BT_OK) return status;
  }
  return BT_OK;
}

bt_status dock_read_inputs(dock_state *state, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  const char *excluded[] = {settings->receptor, settings->opt_flex};
  bt_status status = cli_inputs_expand(&settings->ligands, excluded, CLI_COUNT(excluded), &state->paths, opt_error);
  if (status != BT_OK) return status;
  state->ligands = cli_ligands_start(&state->paths);
  status = read_one(settings->opt_flex, BT_MOLECULE_FLEXIBLE, "set of residues", &state->flexible, &state->n_flexible,
                    opt_error);
  if (status != BT_OK) return status;
  if (settings->opt_reference != NULL) { /* several models are fine: the first is taken */
    status = bt_molecule_read(settings->opt_reference, BT_MOLECULE_LIGAND, &state->reference, &state->n_reference,
                              opt_error);
    if (status != BT_OK) return status;
  }
  if (dock_settings_computes_maps(settings)) {
    status =
        read_one(settings->receptor, BT_MOLECULE_RECEPTOR, "receptor", &state->receptor, &state->n_receptor, opt_error);
    if (status != BT_OK) return status;
  }
  for (int file = 0; status == BT_OK && file < state->paths.count; file++) status = read_file(state, file, opt_error);
  return status;
}

/* --- maps ---------------------------------------------------------------------------------------------- */

/* Types of the ligands that are still to be docked; the caller frees the array. */
static const char **wanted_types(const cli_ligands *ligands, int *ret_count) {
  const char **types = calloc((size_t)ligands->n_types + 1, sizeof *types);
  int count = 0;
  for (int t = 0; types != NULL && t < ligands->n_types; t++) {
    bool wanted = false;
    for (int i = 0; i < ligands->count && !wanted; i++)
      for (int k = 0; k < ligands->items[i].n_types && !wanted; k++)
        wanted = !ligands->items[i].rejected && ligands->items[i].types[k] == t;
    if (wanted) types[count++] = ligands->types[t];
  }
  *ret_count = count;
  return types;
}

/* Tells of all missing types in one line, before any ligand is rejected for one of them. */
static void list_missing(const dock_state *state, const bool *missing) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (stream == NULL) return;
  const cli_ligands *ligands = &state->ligands;
  for (int t = 0, shown = 0; t < ligands->n_types; t++) {
    int users = 0;
    for (int i = 0; missing[t] && i < ligands->count; i++)
      for (int k = 0; !ligands->items[i].rejected && k < ligands->items[i].n_types; k++)
        users += ligands->items[i].types[k] == t;
    if (users > 0)
      fprintf(stream, "%s%s (%d ligand%s)", shown++ > 0 ? ", " : "", ligands->types[t], users, users > 1 ? "s" : "");
  }
  if (fclose(stream) == 0)
    cli_warning(state->program, "%s: no map for the atom types %s; these ligands are rejected",
                state->settings.receptor, text);
  free(text);
}

/* The library's own check names the atom. */
static bt_status check_types(dock_state *state, cli_ligand *item, bt_error *opt_error) {
  const bt_molecule *molecule;
  bt_status status = cli_ligands_molecule(&state->ligands, item, &molecule, opt_error);
  if (status != BT_OK) return status;
  bt_ligand *ligand = NULL;
  bt_error error;
  bt_energy energy;
  status = bt_ligand_create(molecule, state->n_flexible > 0 ? state->flexible[0] : NULL, &ligand, &error);
  if (status == BT_OK)
    status = bt_score(ligand, state->maps, BT_FORM_CONTINUOUS, BT_TORSIONAL_TORSDOF, &energy, NULL, &error);
  bt_ligand_destroy(ligand);
  if (concerns_ligand(status)) return dock_reject(state, item, &error);
  if (status != BT_OK && opt_error != NULL) *opt_error = error;
  return status;
}

static bt_status reject_without_map(dock_state *state, bt_error *opt_error) {
  cli_ligands *ligands = &state->ligands;
  bool *missing = calloc((size_t)ligands->n_types + 1, sizeof *missing);
  if (missing == NULL) return out_of_memory(opt_error);
  bool any = false;
  for (int t = 0; t < ligands->n_types; t++) any |= missing[t] = !cli_maps_have(state->maps, ligands->types[t]);
  if (any && !state->single) list_missing(state, missing);
  bt_status status = BT_OK;
  for (int i = 0; any && status == BT_OK && i < ligands->count; i++) {
    bool lacks = false;
    for (int k = 0; k < ligands->items[i].n_types; k++) lacks |= missing[ligands->items[i].types[k]];
    if (lacks && !ligands->items[i].rejected) status = check_types(state, &ligands->items[i], opt_error);
  }
  free(missing);
  return status;
}

static bt_status compute_maps(dock_state *state, const char **types, int count, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  bt_grid_options options = bt_grid_options_default();
  options.box = settings->resolved_box;
  options.threads = settings->search.threads;
  options.opt_parameter_file = settings->opt_parameters;
  bt_status status = cli_maps_compute(state->receptor[0], types, count, &options, &state->maps, opt_error);
  if (status != BT_OK || settings->opt_write_maps == NULL) return status;
  char *folder = cli_path_folder(settings->opt_write_maps);
  if (folder == NULL) return out_of_memory(opt_error);
  if (folder[0] != '\0') status = cli_folder_make(folder, opt_error);
  free(folder);
  if (status == BT_OK) status = bt_maps_write(state->maps, settings->opt_write_maps, opt_error);
  if (status == BT_OK && asprintf(&state->fld_path, "%s.maps.fld", settings->opt_write_maps) < 0) {
    state->fld_path = NULL;
    status = out_of_memory(opt_error);
  }
  return status;
}

static bt_status read_maps(dock_state *state, const char **types, int count, bt_error *opt_error) {
  state->fld_path = strdup(state->settings.receptor);
  if (state->fld_path == NULL) return out_of_memory(opt_error);
  return cli_maps_read(state->fld_path, types, count, &state->maps, opt_error);
}

bt_status dock_prepare_maps(dock_state *state, bt_error *opt_error) {
  int count = 0;
  const char **types = wanted_types(&state->ligands, &count);
  if (types == NULL) return out_of_memory(opt_error);
  bt_status status = dock_settings_computes_maps(&state->settings) ? compute_maps(state, types, count, opt_error)
                                                                   : read_maps(state, types, count, opt_error);
  free(types);
  return status == BT_OK ? reject_without_map(state, opt_error) : status;
}
