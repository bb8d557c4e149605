/* feed.c - the source of `berth dock`: the first ligands are read ahead, the others while ligands are docked. */
#include <stdlib.h>

#include "common/report.h"
#include "dock/state.h"
#include "input/covalent.h"
#include "signals/interrupt.h"

/* The device should not idle for long while the first ligands are prepared one by one. */
static const double longest_read = 4.0; /* seconds */

/* Side chains must be able to move within the maps. */
static void enlarge_box(dock_state *state) {
  enum { MARGIN = 3 }; /* Angstrom */
  double low[3], high[3];
  const bt_molecule *flexible = state->receptor.opt_flexible;
  if (flexible == NULL || !state->settings.autobox || bt_molecule_extent(flexible, NULL, low, high, NULL) != BT_OK)
    return;
  if (bt_box_include(&state->settings.resolved_box, low, high, MARGIN) && !state->settings.quiet)
    cli_message(state->program, "note: the box was enlarged for the flexible residues");
}

static bt_status check_boxes(const dock_state *state, bt_error *opt_error) {
  const dock_settings *s = &state->settings;
  if (!dock_settings_computes_maps(s) || s->blind) return BT_OK;
  if (!dock_settings_several(s)) return cli_box_check(&s->resolved_box, &state->receptor, s->receptor, opt_error);
  for (int i = 0; i < s->n_boxes; i++) BT_TRY(cli_box_check(&s->boxes[i], &state->receptor, s->receptor, opt_error));
  return BT_OK;
}

static bt_status find_inputs(dock_state *state, bt_error *opt_error) {
  const dock_settings *s = &state->settings;
  const char *words[] = {s->receptor,
                         s->prepare.opt_flex,
                         s->opt_reference,
                         s->box.opt_autobox,
                         s->opt_parameters,
                         s->opt_dpf,
                         s->prepare.ligands.opt_template};
  BT_TRY(cli_guard_add(&state->inputs, words, CLI_COUNT(words), opt_error));
  return cli_guard_add(&state->inputs, (const char *const *)state->paths.items, state->paths.count, opt_error);
}

bt_status dock_read_inputs(dock_state *state, bt_error *opt_error) {
  dock_settings *settings = &state->settings;
  const char *excluded[] = {settings->receptor, settings->prepare.opt_flex};
  if (settings->opt_ligand_from == NULL)
    BT_TRY(cli_extract_smiles(&settings->smiles, &settings->ligands, &state->extract, opt_error));
  BT_TRY(cli_inputs_expand(&settings->ligands, true, excluded, CLI_COUNT(excluded), &state->paths, opt_error));
  if (settings->opt_ligand_from != NULL)
    BT_TRY(cli_extract_ligand(settings->receptor, &settings->prepare, &state->extract, opt_error));
  BT_TRY(cli_receptor_load(state->program, settings->receptor, &settings->prepare, settings->quiet, &state->receptor,
                           opt_error));
  cli_covalent_bind(&state->receptor, &settings->prepare);
  enlarge_box(state);
  BT_TRY(check_boxes(state, opt_error));
  BT_TRY(find_inputs(state, opt_error));
  state->ligands = cli_ligands_start(&state->paths, &settings->prepare.ligands);
  if (state->extract.text != NULL) state->ligands.opt_extract = &state->extract;
  state->ligands.template_elsewhere = settings->opt_reference != NULL;
  state->ligands.first = settings->first_record;
  state->ligands.last = settings->last_record;
  static const char *const own[] = {"receptor", "summary", "notes", "rejects"}; /* names of the folder's own files */
  for (int k = 0; k < CLI_COUNT(own); k++)
    if (!cli_ligands_reserve(&state->ligands, own[k])) return bt_fail_memory(opt_error);
  state->ahead = calloc(DOCK_AHEAD, sizeof *state->ahead);
  return state->ahead != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* Poses as SDF need bonds. Those of a PDBQT ligand may be in Meeko's remarks; their absence is an error only if SDF was
 * requested. */
static bt_status find_bonds(const dock_state *state, bt_molecule *molecule, bt_error *error) {
  unsigned formats = state->settings.formats;
  if ((formats & (CLI_FORMAT_SDF | CLI_FORMAT_AUTO)) == 0 || bt_molecule_has_chemistry(molecule)) return BT_OK;
  bt_status status = bt_molecule_find_chemistry(molecule, error);
  return (formats & CLI_FORMAT_SDF) != 0 || status == BT_ERR_MEMORY ? status : BT_OK;
}

/* A ligand prepared as a covalent adduct needs a receptor without the side chain. */
static bt_status check_tether(const dock_state *state, const dock_item *item, bt_error *error) {
  const char *own = bt_molecule_tether(item->from.molecule);
  if (own[0] == '\0' || state->receptor.rigid == NULL || state->settings.prepare.ligands.opt_tether != NULL)
    return BT_OK;
  if (state->receptor.opt_prepared == NULL)
    return bt_molecule_check_bond(item->from.molecule, state->receptor.rigid, error);
  return cli_fill_error(error, BT_ERR_USAGE, cli_ligands_path(&state->ligands, &item->from),
                        "add --covalent with that residue",
                        "the ligand is bonded to %s, but the receptor still contains that side chain", own);
}

/* All checks of a ligand that need no maps. */
static void build(const dock_state *state, dock_item *item) {
  bt_error *error = &item->from.error;
  bt_molecule *molecule = item->from.molecule;
  bt_scoring scoring = (bt_scoring)state->settings.scoring;
  bt_status status = check_tether(state, item, error);
  if (status == BT_OK) status = find_bonds(state, molecule, error);
  if (status == BT_OK)
    status = bt_ligand_create_as(molecule, state->receptor.opt_flexible, scoring, &item->ligand, error);
  if (status == BT_OK && bt_ligand_atom_count(item->ligand) == 0) {
    cli_fill_error(error, BT_ERR_INPUT, cli_ligands_path(&state->ligands, &item->from), "give a ligand with atoms",
                   "no atoms");
    bt_ligand_destroy(item->ligand);
    item->ligand = NULL;
  }
}

void dock_item_free(dock_item *item) {
  bt_result_destroy(item->docking.result);
  bt_ligand_destroy(item->ligand);
  cli_ligand_clear(&item->from);
  free(item);
}

/* The next ligand of the files; NULL at their end, or with state->error set. */
static dock_item *read_ligand(dock_state *state) {
  bool found = false;
  dock_item *item = state->last ? NULL : calloc(1, sizeof *item);
  if (state->last) return NULL;
  bt_status status = item != NULL ? cli_ligands_next(&state->ligands, &item->from, &found, &state->error)
                                  : bt_fail_memory(&state->error);
  if (found && item->from.molecule != NULL) build(state, item);
  if (found && item->ligand == NULL && item->from.error.status == BT_ERR_MEMORY)
    status = (state->error = item->from.error).status;
  if (status == BT_OK && found) return item;
  state->last = true;
  if (item != NULL) dock_item_free(item);
  return NULL;
}

bt_status dock_read_ahead(dock_state *state, bt_error *error) {
  double started = bt_seconds();
  /* reading two shows whether there is more than one */
  while (state->n_ahead < DOCK_AHEAD && !cli_interrupted() &&
         (state->n_ahead < 2 || bt_seconds() - started <= longest_read)) {
    dock_item *item = read_ligand(state);
    if (item == NULL) break;
    state->ahead[state->n_ahead++] = item;
  }
  *error = state->error;
  return error->status;
}

bt_docking *dock_next(void *user) {
  dock_state *state = user;
  dock_item *item = NULL;
  if (state->taken < state->n_ahead) {
    item = state->ahead[state->taken++];
  } else {
    state->taken = state->n_ahead = 0;
    if (!cli_interrupted()) item = read_ligand(state);
    if (item == NULL) return NULL;
    if (dock_check(state, item, &state->error) != BT_OK || state->types.count != state->mapped_types) {
      state->ahead[state->n_ahead++] = item;
      return NULL;
    }
  }
  state->given += item->ligand != NULL;
  return &item->docking;
}
