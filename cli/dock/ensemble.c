/* ensemble.c - the further receptors of a docking into an ensemble. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "common/report.h"
#include "dock/state.h"

/* One model of a file. What names residues of the first file has no meaning here: a ligand at the box is left out as in
 * any receptor. */
static bt_status add_model(dock_state *state, const char *path, int model, bt_error *opt_error) {
  const dock_settings *s = &state->settings;
  cli_prepare prepare = s->prepare;
  prepare.receptor.model = model;
  prepare.receptor.opt_ligand = NULL;
  prepare.receptor.places = NULL;
  prepare.receptor.n_places = 0;
  prepare.receptor.opt_onto = s->no_superpose ? NULL : state->receptor.rigid;
  cli_receptor *longer = realloc(state->ensemble, ((size_t)state->n_ensemble + 1) * sizeof *longer);
  if (longer == NULL) return bt_fail_memory(opt_error);
  state->ensemble = longer;
  return cli_receptor_load(state->program, path, &prepare, s->quiet, &longer[state->n_ensemble++], opt_error);
}

/* Notes of the second receptor that the first has not. */
static void tell_difference(const dock_state *state, const bt_prepared_receptor *second) {
  const bt_prepared_receptor *first = state->receptor.opt_prepared;
  for (int i = 0; i < bt_prepared_receptor_note_count(second); i++) {
    const char *note = bt_prepared_receptor_note(second, i);
    bool told = state->settings.quiet;
    for (int j = 0; !told && j < bt_prepared_receptor_note_count(first); j++)
      told = strcmp(note, bt_prepared_receptor_note(first, j)) == 0;
    if (!told) cli_message(state->program, "note: %s with waters: %s", state->settings.receptor, note);
  }
}

/* The receptor once more, with the waters that it holds; without any it is left out. */
static bt_status add_watered(dock_state *state, bt_error *opt_error) {
  cli_prepare prepare = state->settings.prepare;
  BT_SCOPED char *name = cli_format("%s with waters", bt_molecule_name(state->receptor.rigid));
  if (name == NULL || (state->ensemble = calloc(1, sizeof *state->ensemble)) == NULL) return bt_fail_memory(opt_error);
  state->n_ensemble = 1;
  prepare.receptor.waters = BT_WATERS_BOUND;
  prepare.receptor.opt_name = name;
  BT_TRY(cli_receptor_load(state->program, state->settings.receptor, &prepare, true, state->ensemble, opt_error));
  tell_difference(state, state->ensemble->opt_prepared);
  if (bt_prepared_receptor_water_count(state->ensemble->opt_prepared) > 0) return BT_OK;
  dock_free_ensemble(state);
  state->ensemble = NULL;
  state->n_ensemble = 0;
  return BT_OK;
}

bt_status dock_read_ensemble(dock_state *state, bt_error *opt_error) {
  const dock_settings *s = &state->settings;
  if (s->prepare.waters == CLI_WATERS_TOGGLE) return add_watered(state, opt_error);
  for (int i = 0; i < s->ensemble.count; i++) {
    const char *path = s->ensemble.items[i];
    bool same = strcmp(path, s->receptor) == 0;
    int models = 1;
    if (bt_is_structure_file(path)) BT_TRY(bt_receptor_model_count(path, &models, opt_error));
    int before = state->n_ensemble;
    for (int model = 1; model <= models; model++)
      if (!same || model != s->prepare.receptor.model) BT_TRY(add_model(state, path, model, opt_error));
    if (state->n_ensemble == before)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "name other structures",
                     "--ensemble names the receptor itself, which has a single model");
  }
  return BT_OK;
}

void dock_free_ensemble(dock_state *state) {
  for (int i = 0; i < state->n_ensemble; i++) cli_receptor_free(&state->ensemble[i]);
  free(state->ensemble);
}

const cli_receptor *dock_receptor_at(const dock_state *state, int number) {
  return number > 1 && number - 2 < state->n_ensemble ? &state->ensemble[number - 2] : &state->receptor;
}
