/* preflight.c - all checks of ligands that are possible before the first evaluation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report.h"
#include "dock/state.h"
#include "grid/map_types.h"
#include "output/guard.h"
#include "output/outputs.h"

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "dock fewer ligands at a time", "out of memory");
}

bt_status dock_reject(dock_state *state, const dock_item *item, bt_error *opt_error) {
  if (!state->single) return cli_lists_reject(&state->lists, item->from.name, &item->docking.error, opt_error);
  state->single_exit_code = cli_fail(state->program, &item->docking.error);
  return BT_OK;
}

/* Reports and drops the ligands read ahead that cannot be docked. */
static bt_status reject_all(dock_state *state, bt_error *opt_error) {
  int kept = 0, count = state->n_ahead;
  bt_status status = BT_OK;
  for (int i = 0; i < count; i++) {
    dock_item *item = state->ahead[i];
    bool good = item->docking.error.status == BT_OK;
    if (!good && status == BT_OK) status = dock_reject(state, item, opt_error);
    if (good)
      state->ahead[kept++] = item;
    else
      dock_item_free(item);
  }
  state->n_ahead = kept;
  return status;
}

/* --- ligands ------------------------------------------------------------------------------------------- */

/* Without a template, a reference from a PDB file takes its bonds from the first ligand, as it must be the same
 * molecule anyway. */
static bt_status read_reference(dock_state *state, const bt_molecule *ligand, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  if (settings->opt_reference == NULL || state->reference != NULL) return BT_OK;
  const bt_tether *tether = settings->prepare.ligands.opt_tether;
  const char *template = tether == NULL ? settings->prepare.ligands.opt_template : NULL;
  if (template == NULL && bt_molecule_smiles(ligand)[0] != '\0') template = bt_molecule_smiles(ligand);
  const char *structure = bt_structure_file_is(settings->receptor) ? settings->receptor : NULL;
  bt_place place;
  BT_TRY(bt_place_find(settings->opt_reference, structure, &place, opt_error));
  bt_status status =
      bt_place_molecule(&place, settings->prepare.receptor.model, template, tether, &state->reference, opt_error);
  bt_place_clear(&place);
  return status;
}

/* Boxes around pockets must have room for the ligand. */
static void note_length(dock_state *state, const bt_molecule *ligand) {
  double low[3], high[3], length2 = 0;
  if (!state->settings.blind || bt_molecule_extent(ligand, NULL, low, high, NULL) != BT_OK) return;
  for (int k = 0; k < 3; k++) length2 += (high[k] - low[k]) * (high[k] - low[k]);
  if (sqrt(length2) > state->sites.longest) state->sites.longest = sqrt(length2);
}

bt_status dock_check(dock_state *state, dock_item *item, bt_error *opt_error) {
  item->docking = (bt_docking){.opt_ligand = item->ligand};
  if (item->ligand == NULL) item->docking.error = item->from.error;
  if (item->ligand == NULL) return BT_OK;
  bt_status status = dock_check_files(state, &item->from, &item->docking.error);
  if (status == BT_OK) status = dock_check_earlier(state, &item->from, &item->docking.error);
  const dock_settings *s = &state->settings;
  if (status == BT_OK && dock_settings_computes_maps(s) && !s->blind && !dock_settings_several(s))
    status = bt_box_fits(&s->resolved_box, item->ligand, &item->docking.error);
  if (status == BT_ERR_MEMORY && opt_error != NULL) *opt_error = item->docking.error;
  if (status != BT_OK) {
    item->docking.opt_ligand = NULL;
    return status == BT_ERR_MEMORY ? status : BT_OK;
  }
  BT_TRY(read_reference(state, item->from.molecule, opt_error));
  item->docking.opt_reference = state->reference;
  note_length(state, item->from.molecule);
  return cli_types_add_ligand(&state->types, item->ligand, opt_error);
}

bt_status dock_accept(dock_state *state, bt_error *opt_error) {
  for (int i = 0; i < state->n_ahead; i++) BT_TRY(dock_check(state, state->ahead[i], opt_error));
  return reject_all(state, opt_error);
}

bt_status dock_tell_notes(dock_state *state, dock_item *item, bt_error *opt_error) {
  bool known = item->noted;
  item->noted = true;
  return known ? BT_OK : cli_lists_note(&state->lists, item->from.name, item->from.molecule, opt_error);
}

/* --- maps ---------------------------------------------------------------------------------------------- */

static bool needs_type(const bt_ligand *ligand, const char *type) {
  bool needs = false;
  for (int k = 0; !needs && k < bt_ligand_type_count(ligand); k++)
    needs = strcmp(bt_ligand_type(ligand, k), type) == 0;
  return needs;
}

/* Reports all missing types in one line, before any ligand is rejected for one of them. */
static void list_missing(const dock_state *state) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (stream == NULL) return;
  int shown = 0;
  for (int t = 0; t < state->types.count; t++) {
    int users = 0;
    if (cli_maps_have(state->maps, state->types.names[t])) continue;
    for (int i = 0; i < state->n_ahead; i++) users += needs_type(state->ahead[i]->ligand, state->types.names[t]);
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
  for (int i = 0; i < state->n_ahead; i++) {
    dock_item *item = state->ahead[i];
    bool lacks = false;
    for (int k = 0; !lacks && k < bt_ligand_type_count(item->ligand); k++)
      lacks = !cli_maps_have(state->maps, bt_ligand_type(item->ligand, k));
    bt_energy energy; /* the library's own check names the atom */
    if (lacks && bt_score(item->ligand, state->maps, BT_FORM_CONTINUOUS, BT_TORSIONAL_TORSDOF, &energy, NULL,
                          &item->docking.error) == BT_ERR_MEMORY)
      return out_of_memory(opt_error);
  }
  return reject_all(state, opt_error);
}

static bt_status compute_maps(dock_state *state, const char **types, int count, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  bt_grid_options options = cli_maps_options(&settings->prepare, &settings->resolved_box, settings->search.threads,
                                             (bt_scoring)settings->scoring, settings->opt_parameters);
  state->load = cli_maps_load(&options, types, count, settings->search.opt_device);
  BT_TRY(bt_box_memory_check(&state->load, opt_error));
  if (!state->warned) cli_box_warn(state->program, &state->load);
  BT_TRY(cli_maps_compute(state->receptor.rigid, types, count, &options, &state->maps, opt_error));
  if (!state->warned) cli_maps_warn(state->program, state->maps); /* only once, even if maps are recomputed */
  state->warned = true;
  if (settings->opt_write_maps == NULL) return BT_OK;
  BT_SCOPED char *folder = cli_path_folder(settings->opt_write_maps);
  if (folder == NULL) return out_of_memory(opt_error);
  if (folder[0] != '\0') BT_TRY(cli_folder_make(folder, opt_error));
  BT_TRY(cli_guard_write_maps(&state->inputs, settings->opt_write_maps, state->maps, settings->receptor,
                              settings->overwrite, opt_error));
  state->fld_path = cli_format("%s.maps.fld", settings->opt_write_maps);
  return state->fld_path != NULL ? BT_OK : out_of_memory(opt_error);
}

/* New types in later ligands are rare, so all maps are recomputed for them. */
static bt_status make_maps(dock_state *state, bt_error *opt_error) {
  if (state->maps != NULL && state->mapped_types == state->types.count && state->sites.longest <= state->sites.fitted)
    return BT_OK;
  BT_SCOPED const char **types = cli_types_list(&state->types);
  if (types == NULL) return out_of_memory(opt_error);
  bt_maps_destroy(state->maps);
  free(state->fld_path);
  state->maps = NULL;
  state->fld_path = NULL;
  state->mapped_types = state->types.count;
  if (dock_settings_several(&state->settings)) return dock_sites_map(state, types, state->types.count, opt_error);
  if (dock_settings_computes_maps(&state->settings)) return compute_maps(state, types, state->types.count, opt_error);
  if ((state->fld_path = strdup(state->settings.receptor)) == NULL) return out_of_memory(opt_error);
  return cli_maps_read(state->fld_path, types, state->types.count, (bt_scoring)state->settings.scoring, &state->maps,
                       opt_error);
}

bt_status dock_prepare_maps(dock_state *state, bt_error *opt_error) {
  BT_TRY(make_maps(state, opt_error));
  return reject_without_map(state, opt_error);
}
