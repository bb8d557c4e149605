/* preflight.c - everything of a batch that can be found wrong before the first evaluation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dock/state.h"
#include "grid/map_types.h"
#include "common/outputs.h"
#include "input/place.h"
#include "common/report.h"

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "dock fewer ligands at a time", "out of memory");
}

bt_status dock_reject(dock_state *state, dock_item *item, const bt_error *error) {
  item->rejected = true;
  if (state->single) {
    state->single_exit_code = cli_fail(state->program, error);
    return BT_OK;
  }
  return cli_rejects_add(&state->rejects, item->from.name, error, NULL);
}

int dock_left(const dock_state *state) {
  int left = 0;
  for (int i = 0; i < state->batch->count; i++) left += !state->batch->items[i].rejected;
  return left;
}

/* --- ligands ------------------------------------------------------------------------------------------- */

/* A reference from a PDB file takes its bonds from the first ligand, where no template is given: it has to be the same
 * molecule anyhow. */
static bt_status read_reference(dock_state *state, const bt_molecule *ligand, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  if (settings->opt_reference == NULL || state->reference != NULL) return BT_OK;
  const char *template = settings->prepare.ligands.opt_template;
  if (template == NULL && bt_molecule_smiles(ligand)[0] != '\0') template = bt_molecule_smiles(ligand);
  const char *structure = cli_is_structure(settings->receptor) ? settings->receptor : NULL;
  cli_place place;
  bt_status status = cli_place_parse(settings->opt_reference, structure, &place, opt_error);
  if (status == BT_OK)
    status = cli_place_molecule(&place, settings->prepare.receptor.model, template, &state->reference, opt_error);
  cli_place_free(&place);
  return status;
}

bt_status dock_accept(dock_state *state, bt_error *opt_error) {
  for (int i = 0; i < state->batch->count; i++) {
    dock_item *item = &state->batch->items[i];
    if (item->ligand == NULL) {
      if (dock_reject(state, item, &item->from.error) != BT_OK) return out_of_memory(opt_error);
      continue;
    }
    CLI_TRY(read_reference(state, item->from.molecule, opt_error));
    if (cli_types_add_ligand(&state->types, item->ligand, NULL) != BT_OK) return out_of_memory(opt_error);
  }
  return BT_OK;
}

bt_status dock_tell_notes(dock_state *state, bt_error *opt_error) {
  for (int i = 0; i < state->batch->count; i++) {
    const dock_item *item = &state->batch->items[i];
    if (item->ligand != NULL) CLI_TRY(cli_notes_add(&state->notes, item->from.name, item->from.molecule, opt_error));
  }
  return BT_OK;
}

/* --- maps ---------------------------------------------------------------------------------------------- */

static bool needs_type(const dock_item *item, const char *type) {
  bool needs = false;
  for (int k = 0; !item->rejected && !needs && k < bt_ligand_type_count(item->ligand); k++)
    needs = strcmp(bt_ligand_type(item->ligand, k), type) == 0;
  return needs;
}

/* Tells of all missing types in one line, before any ligand is rejected for one of them. */
static void list_missing(const dock_state *state) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (stream == NULL) return;
  int shown = 0;
  for (int t = 0; t < state->types.count; t++) {
    int users = 0;
    if (cli_maps_have(state->maps, state->types.names[t])) continue;
    for (int i = 0; i < state->batch->count; i++) users += needs_type(&state->batch->items[i], state->types.names[t]);
    if (users > 0)
      fprintf(stream, "%s%s (%d ligand%s)", shown++ > 0 ? ", " : "", state->types.names[t], users,
              users > 1 ? "s" : "");
  }
  if (fclose(stream) == 0 && shown > 0)
    cli_warning(state->program, "%s: no map for the atom types %s; these ligands are rejected",
                state->settings.receptor, text);
  free(text);
}

static bt_status reject_without_map(dock_state *state, bt_error *opt_error) {
  if (!state->single) list_missing(state);
  for (int i = 0; i < state->batch->count; i++) {
    dock_item *item = &state->batch->items[i];
    bool lacks = false;
    for (int k = 0; !item->rejected && !lacks && k < bt_ligand_type_count(item->ligand); k++)
      lacks = !cli_maps_have(state->maps, bt_ligand_type(item->ligand, k));
    if (!lacks) continue;
    bt_energy energy; /* the library's own check names the atom */
    bt_error error;
    bt_status status =
        bt_score(item->ligand, state->maps, BT_FORM_CONTINUOUS, BT_TORSIONAL_TORSDOF, &energy, NULL, &error);
    if (status == BT_ERR_MEMORY || (status != BT_OK && dock_reject(state, item, &error) != BT_OK))
      return out_of_memory(opt_error);
  }
  return BT_OK;
}

static bt_status compute_maps(dock_state *state, const char **types, int count, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  bt_grid_options options = bt_grid_options_default();
  options.box = settings->resolved_box;
  options.threads = settings->search.threads;
  options.opt_parameter_file = settings->opt_parameters;
  if (settings->prepare.receptor.zinc) options.zinc = BT_ZINC_ON;
  CLI_TRY(cli_maps_compute(state->receptor.rigid, types, count, &options, &state->maps, opt_error));
  if (settings->opt_write_maps == NULL) return BT_OK;
  CLI_SCOPED char *folder = cli_path_folder(settings->opt_write_maps);
  if (folder == NULL) return out_of_memory(opt_error);
  if (folder[0] != '\0') CLI_TRY(cli_folder_make(folder, opt_error));
  CLI_TRY(bt_maps_write(state->maps, settings->opt_write_maps, opt_error));
  state->fld_path = cli_format("%s.maps.fld", settings->opt_write_maps);
  return state->fld_path != NULL ? BT_OK : out_of_memory(opt_error);
}

static bt_status read_maps(dock_state *state, const char **types, int count, bt_error *opt_error) {
  free(state->fld_path);
  state->fld_path = strdup(state->settings.receptor);
  if (state->fld_path == NULL) return out_of_memory(opt_error);
  return cli_maps_read(state->fld_path, types, count, &state->maps, opt_error);
}

/* A type that a later batch brings is rare, so that all maps are made anew for it. */
static bt_status make_maps(dock_state *state, bt_error *opt_error) {
  if (state->maps != NULL && state->mapped_types == state->types.count) return BT_OK;
  CLI_SCOPED const char **types = calloc((size_t)state->types.count + 1, sizeof *types);
  if (types == NULL) return out_of_memory(opt_error);
  int count = 0;
  for (int t = 0; t < state->types.count; t++) {
    bool wanted = state->maps != NULL && cli_maps_have(state->maps, state->types.names[t]);
    for (int i = 0; i < state->batch->count && !wanted; i++)
      wanted = needs_type(&state->batch->items[i], state->types.names[t]);
    if (wanted) types[count++] = state->types.names[t];
  }
  bt_engine_close(state->engine);
  bt_maps_destroy(state->maps);
  state->engine = NULL;
  state->maps = NULL;
  bt_status status = dock_settings_computes_maps(&state->settings) ? compute_maps(state, types, count, opt_error)
                                                                   : read_maps(state, types, count, opt_error);
  state->mapped_types = state->types.count;
  return status;
}

bt_status dock_prepare_maps(dock_state *state, bt_error *opt_error) {
  CLI_TRY(make_maps(state, opt_error));
  return reject_without_map(state, opt_error);
}
