/* feed.c - from files to ligands: the source of `berth dock`. */
#include <stdlib.h>
#include <string.h>

#include "common/report.h"
#include "dock/state.h"
#include "signals/interrupt.h"

static bt_status find_inputs(dock_state *state, bt_error *opt_error) {
  const dock_settings *s = &state->settings;
  BT_TRY(cli_guard_add(&state->inputs, s->seeds.items, s->seeds.count, opt_error));
  BT_TRY(cli_guard_add(&state->inputs, s->ensemble.items, s->ensemble.count, opt_error));
  const char *words[] = {s->receptor,
                         s->prepare.opt_flex,
                         s->opt_reference,
                         s->box.opt_autobox,
                         s->opt_parameters,
                         s->opt_dpf,
                         s->constrain.opt_core,
                         s->constrain.opt_pharmacophore,
                         s->prepare.ligands.opt_template};
  BT_TRY(cli_guard_add(&state->inputs, words, CLI_COUNT(words), opt_error));
  return cli_guard_add(&state->inputs, (const char *const *)state->paths.items, state->paths.count, opt_error);
}

static bt_status open_target(dock_state *state, bt_error *opt_error) {
  const dock_settings *s = &state->settings;
  bt_protocol protocol = cli_protocol_of(&s->protocol, &s->search);
  protocol.strain = (bt_strain_of)s->strain;
  protocol.checks = (bt_checks_of)s->checks;
  bt_target_options options =
      cli_target_options(&state->program, &state->receptor, &s->prepare, s->opt_parameters, &protocol);
  options.boxes = s->n_boxes > 0 ? s->boxes : &s->resolved_box;
  options.n_boxes = s->blind ? 0 : s->n_boxes > 0 ? s->n_boxes : 1;
  options.pockets = s->blind ? s->pockets : 0;
  options.spacing = s->box.spacing;
  options.enlarge = s->autobox;
  BT_TRY(cli_constrain_open(&s->constrain, state->receptor.opened, &state->constraints, opt_error));
  options.opt_constraints = state->constraints;
  BT_SCOPED const bt_receptor **ensemble = bt_allocate((size_t)state->n_ensemble + 1, sizeof *ensemble);
  if (ensemble == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < state->n_ensemble; i++) ensemble[i] = state->ensemble[i].opened;
  options.opt_ensemble = ensemble; /* copied */
  options.n_ensemble = state->n_ensemble;
  BT_TRY(bt_target_open_with(&options, &state->target, opt_error));
  cli_protocol_update(&state->settings.protocol, state->target);
  for (int i = 0; i < bt_target_box_count(state->target); i++) {
    bt_box box = bt_target_box(state->target, i);
    BT_TRY(bt_box_check_in(&box, dock_receptor_at(state, state->n_ensemble > 0 ? i + 1 : 0)->opened, opt_error));
  }
  return BT_OK;
}

/* Poses as SDF and MOL2 need bonds. Those of a PDBQT ligand may be in Meeko's remarks; their absence is an error only
 * if one of the two was requested. */
static bt_status find_bonds(const dock_state *state, bt_molecule *molecule, bt_error *error) {
  const char *format = state->settings.opt_format;
  bool needed = format != NULL && (cli_words_have(format, "sdf") || cli_words_have(format, "mol2"));
  if ((format != NULL && !needed) || bt_molecule_has_chemistry(molecule)) return BT_OK;
  bt_status status = bt_molecule_find_chemistry(molecule, error);
  if (format != NULL || status == BT_ERR_MEMORY) return status;
  *error = (bt_error){0};
  return BT_OK;
}

/* A ligand prepared as a covalent adduct needs a receptor without the side chain. */
static bt_status check_tether(const dock_state *state, const cli_ligand *from, bt_error *error) {
  const char *own = bt_molecule_tether(from->molecule);
  if (own[0] == '\0' || state->receptor.opt_prepared == NULL || state->settings.prepare.ligands.opt_tether != NULL)
    return BT_OK; /* the target checks a receptor that was prepared elsewhere */
  return cli_fill_error(error, BT_ERR_USAGE, cli_ligands_path(&state->ligands, from), "add --covalent with that residue",
                        "the ligand is bonded to %s, but the receptor still contains that side chain", own);
}

/* Without a template, a reference from a PDB file takes its bonds from the first ligand, as it must be the same
 * molecule anyway. */
static bt_status read_reference(dock_state *state, const bt_molecule *ligand, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  if (settings->opt_reference == NULL || state->reference != NULL) return BT_OK;
  const bt_tether *tether = settings->prepare.ligands.opt_tether;
  const char *template = tether == NULL ? settings->prepare.ligands.opt_template : NULL;
  if (template == NULL && bt_molecule_smiles(ligand)[0] != '\0') template = bt_molecule_smiles(ligand);
  const char *structure = bt_is_structure_file(settings->receptor) ? settings->receptor : NULL;
  bt_place place;
  BT_TRY(bt_place_find(settings->opt_reference, structure, &place, opt_error));
  bt_status status =
      bt_place_molecule(&place, settings->prepare.receptor.model, template, tether, &state->reference, opt_error);
  bt_place_clear(&place);
  return status;
}

/* All checks of a ligand outside the target; what is the ligand's own fault is in its error. */
static bt_status check(dock_state *state, dock_item *item) {
  bt_error *error = &item->docking.error;
  *error = item->from.error;
  if (item->from.molecule == NULL) return error->status == BT_ERR_MEMORY ? BT_ERR_MEMORY : BT_OK;
  bt_status status = check_tether(state, &item->from, error);
  if (status == BT_OK) status = find_bonds(state, item->from.molecule, error);
  if (status == BT_OK) status = dock_check_files(state, &item->from, error);
  if (status == BT_OK) status = dock_check_earlier(state, &item->from, error);
  if (status != BT_OK) return status == BT_ERR_MEMORY ? status : BT_OK;
  if (read_reference(state, item->from.molecule, error) != BT_OK) return error->status;
  item->docking.molecule = item->from.molecule;
  item->docking.opt_reference = state->reference;
  return BT_OK;
}

/* The next ligand of the files; NULL at their end, or with state->error set. */
static dock_item *read_ligand(dock_state *state) {
  bool found = false;
  if (state->last) return NULL;
  dock_item *item = calloc(1, sizeof *item);
  bt_error *error = &state->error;
  bt_status status = item != NULL ? cli_ligands_next(&state->ligands, &item->from, &found, error) : bt_fail_memory(error);
  if (status == BT_OK && found && check(state, item) != BT_OK) status = (*error = item->docking.error).status;
  if (status == BT_OK && found) return item;
  state->last = true;
  dock_item_free(item);
  return NULL;
}

void dock_item_free(dock_item *item) {
  if (item == NULL) return;
  bt_result_destroy(item->docking.result);
  cli_ligand_clear(&item->from);
  free(item);
}

bt_target_ligand *dock_next(void *user) {
  dock_state *state = user;
  dock_item *item = NULL;
  for (int k = 0; k < 2 && item == NULL; k++) {
    item = state->first[k];
    state->first[k] = NULL;
  }
  if (item == NULL && !cli_interrupted()) item = read_ligand(state);
  if (item != NULL && item->docking.error.status == BT_OK)
    (void)!dock_read_seeds(state, &item->from, &item->docking.error);
  return item != NULL ? &item->docking : NULL;
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
  BT_TRY(dock_read_ensemble(state, opt_error));
  BT_TRY(open_target(state, opt_error));
  BT_TRY(find_inputs(state, opt_error));
  state->ligands = cli_ligands_start(&state->paths, &settings->prepare.ligands);
  if (state->extract.text != NULL) state->ligands.opt_extract = &state->extract;
  state->ligands.template_elsewhere = settings->opt_reference != NULL;
  state->ligands.first = settings->first_record;
  state->ligands.last = settings->last_record;
  static const char *const own[] = {"receptor", "summary", "notes", "rejects"}; /* names of the folder's own files */
  for (int k = 0; k < CLI_COUNT(own); k++)
    if (!cli_ligands_reserve(&state->ligands, own[k])) return bt_fail_memory(opt_error);
  for (int i = 0; i < state->n_ensemble; i++) {
    char name[32];
    snprintf(name, sizeof name, "receptor-%d", i + 2);
    if (!cli_ligands_reserve(&state->ligands, name)) return bt_fail_memory(opt_error);
  }
  for (int k = 0; k < 2; k++) state->first[k] = read_ligand(state);
  if (state->error.status != BT_OK && opt_error != NULL) *opt_error = state->error;
  if (state->error.status != BT_OK) return state->error.status;
  bool one_source = state->paths.count + (state->extract.text != NULL) == 1;
  state->single = one_source && state->first[1] == NULL && settings->opt_records == NULL;
  if (state->single && state->first[0] != NULL) state->only = state->first[0]->from.name;
  if (state->first[0] != NULL || settings->opt_records == NULL) return BT_OK;
  return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "use a range within the input files",
                        "no ligand in the records %s", settings->opt_records);
}
