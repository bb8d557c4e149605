/* ensemble.c - the further receptors of a docking into an ensemble. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "common/report.h"
#include "dock/state.h"

/* One model of a file. What names residues of the first file has no meaning here: a ligand at the box is left out as in
 * any receptor. */
static bt_status add_model(dock_state *state, const char *path, int model, bt_error *opt_error) {
  const dock_settings *s = &state->settings;
  cli_prepare prepare = cli_prepare_further(&s->prepare, model, s->no_superpose ? NULL : state->receptor.rigid);
  cli_receptor *longer = realloc(state->ensemble, ((size_t)state->n_ensemble + 1) * sizeof *longer);
  if (longer == NULL) return bt_fail_memory(opt_error);
  state->ensemble = longer;
  return cli_receptor_load(state->program, path, &prepare, s->quiet, &longer[state->n_ensemble++], opt_error);
}

/* Does the first receptor have this note? */
static bool is_told(const dock_state *state, const char *note) {
  const bt_prepared_receptor *first = state->receptor.opt_prepared;
  bool told = false;
  for (int i = 0; !told && i < bt_prepared_receptor_note_count(first); i++)
    told = strcmp(note, bt_prepared_receptor_note(first, i)) == 0;
  return told;
}

bt_status dock_receptor_notes(const dock_state *state, char **ret_notes, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  BT_SCOPED char *own = cli_receptor_notes(&state->receptor);
  *ret_notes = NULL;
  if (own != NULL) bt_text_add_string(&text, own);
  if (state->settings.prepare.waters == CLI_WATERS_TOGGLE && state->n_ensemble > 0) {
    const bt_prepared_receptor *watered = state->ensemble->opt_prepared;
    for (int i = 0; i < bt_prepared_receptor_note_count(watered); i++)
      if (!is_told(state, bt_prepared_receptor_note(watered, i)))
        bt_text_printf(&text, "%sreceptor 2: %s", text.size > 0 ? "\n" : "", bt_prepared_receptor_note(watered, i));
  }
  return text.size > 0 ? bt_text_take(&text, ret_notes, opt_error) : BT_OK;
}

/* The receptor once more, with the waters that it holds; without any it is left out. */
static bt_status add_watered(dock_state *state, bt_error *opt_error) {
  cli_prepare prepare = state->settings.prepare;
  const char *file = bt_molecule_name(state->receptor.rigid), *dot = strrchr(file, '.');
  int length = (int)(dot != NULL ? (size_t)(dot - file) : strlen(file));
  BT_SCOPED char *name = cli_format("%.*s with waters", length, file);
  if (name == NULL || (state->ensemble = calloc(1, sizeof *state->ensemble)) == NULL) return bt_fail_memory(opt_error);
  state->n_ensemble = 1;
  prepare.receptor.waters = BT_WATERS_BOUND;
  prepare.receptor.opt_name = name;
  BT_TRY(cli_receptor_load(state->program, state->settings.receptor, &prepare, true, state->ensemble, opt_error));
  const bt_prepared_receptor *watered = state->ensemble->opt_prepared;
  for (int i = 0; !state->settings.quiet && i < bt_prepared_receptor_note_count(watered); i++)
    if (!is_told(state, bt_prepared_receptor_note(watered, i)))
      cli_message(state->program, "note: %s: %s", name, bt_prepared_receptor_note(watered, i));
  if (bt_prepared_receptor_water_count(watered) > 0) return BT_OK;
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
