/* input.c - receptor, ligands, box and networks of `berth gnina`. */
#include <berth/berth.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "common/report.h"
#include "gnina/gnina.h"
#include "input/box.h"
#include "output/guard.h"

/* --- ligands ------------------------------------------------------------------------------------------- */

void gnina_item_free(gnina_item *item) {
  if (item == NULL) return;
  bt_result_destroy(item->docking.result);
  cli_ligand_clear(&item->from);
  bt_text_destroy(&item->text);
  bt_text_destroy(&item->side_chains);
  free(item->poses);
  free(item);
}

/* Poses as SDF need bonds; those of a PDBQT ligand may be in Meeko's remarks. */
static bt_status find_bonds(const gnina_state *state, bt_molecule *molecule, bt_error *error) {
  if (state->output.format != GNINA_SDF || bt_molecule_has_chemistry(molecule)) return BT_OK;
  return bt_molecule_find_chemistry(molecule, error);
}

bt_status gnina_next(gnina_state *state, gnina_item **ret_item, bt_error *error) {
  bool found = false;
  gnina_item *item = calloc(1, sizeof *item);
  *ret_item = NULL;
  if (item == NULL) return bt_fail_memory(error);
  bt_status status = cli_ligands_next(&state->ligands, &item->from, &found, error);
  if (status != BT_OK || !found) return gnina_item_free(item), status;
  *ret_item = item;
  item->number = state->n_read++;
  item->docking.error = item->from.error;
  if (item->from.molecule != NULL && find_bonds(state, item->from.molecule, &item->docking.error) == BT_OK)
    item->docking.molecule = item->from.molecule;
  return BT_OK;
}

/* A pose that is scored brings its side chains along, which the receptor must not have; where they are not named, those
 * of the first pose are. */
static bt_status adopt_residues(gnina_state *state, const bt_molecule *pose, bt_error *error) {
  gnina_settings *s = &state->settings;
  BT_SCOPED char *flexible = NULL, *covalent = NULL;
  if (!s->given || s->prepare.opt_flex != NULL || s->opt_flex_names != NULL || s->opt_flex_around != NULL) return BT_OK;
  if (!bt_is_structure_file(s->receptor)) return BT_OK;
  BT_TRY(bt_pose_residues(pose, &flexible, &covalent, error));
  bt_text_add_string(&state->flexible, flexible);
  return bt_text_status(&state->flexible, error);
}

/* Whether there are several ligands and, for a box that lets them rotate, how long the longest one is. */
static bt_status survey(gnina_state *state, bt_error *error) {
  const gnina_settings *s = &state->settings;
  bool measure = s->opt_autobox != NULL && s->extend % 2 == 0 && !s->given;
  bool found = true;
  for (int n = 0; found && (measure || n < 2); n++) {
    cli_ligand ligand;
    BT_TRY(cli_ligands_next(&state->ligands, &ligand, &found, error));
    if (!found) break;
    state->several = n > 0;
    BT_ENDED_BY(gnina_points_free) gnina_points atoms = {0};
    const bt_molecule *molecule = ligand.molecule;
    bt_status status = measure && molecule != NULL ? gnina_points_add(&atoms, molecule, error) : BT_OK;
    if (status == BT_OK && n == 0 && molecule != NULL) status = adopt_residues(state, molecule, error);
    cli_ligand_clear(&ligand);
    if (status != BT_OK) return status;
    state->span = fmax(state->span, gnina_points_span(&atoms));
  }
  cli_ligands_rewind(&state->ligands);
  return BT_OK;
}

/* Before anything is docked: what is complete would be lost. */
static bt_status check_files(const gnina_state *state, bt_error *error) {
  for (int i = 0; i < state->paths.count; i++) {
    const char *path = state->paths.items[i];
    bool there = true;
    if (strcmp(path, "-") != 0) BT_TRY(bt_file_look(path, &there, error));
    if (!there) return cli_fill_error(error, BT_ERR_INPUT, path, "check the path", "there is no such file");
  }
  return BT_OK;
}

/* --- the box ------------------------------------------------------------------------------------------- */

static bt_status place_box(gnina_state *state, bt_error *error) {
  gnina_settings *s = &state->settings;
  double low[3], high[3];
  if (s->opt_autobox != NULL) {
    const char *opt_structure = bt_is_structure_file(s->receptor) ? s->receptor : NULL;
    BT_TRY(cli_place_extent(s->opt_autobox, opt_structure, s->prepare.receptor.model, low, high, error));
    for (int k = 0; k < 3; k++) {
      s->center[k] = 0.5 * (low[k] + high[k]);
      s->size[k] = fmax(high[k] - low[k] + 2.0 * s->margin, state->span);
    }
  }
  for (int k = 0; k < 3; k++) {
    s->prepare.receptor.box_center[k] = s->center[k];
    s->prepare.receptor.box_size[k] = s->size[k];
  }
  return s->given ? BT_OK : bt_box_at(s->center, s->size, BT_BOX_SPACING, &state->box, error);
}

/* Poses that are scored say themselves where the site is. */
static void tell_place(gnina_state *state) {
  gnina_settings *s = &state->settings;
  double low[3], high[3];
  const char *path = state->paths.items[0];
  if (!s->given || s->size[0] > 0 || strcmp(path, "-") == 0) return;
  if (cli_place_extent(path, NULL, 1, low, high, NULL) != BT_OK) return;
  for (int k = 0; k < 3; k++) {
    s->prepare.receptor.box_center[k] = 0.5 * (low[k] + high[k]);
    s->prepare.receptor.box_size[k] = high[k] - low[k] + 2.0 * BT_BOX_PADDING;
  }
}

/* --- all of it ----------------------------------------------------------------------------------------- */

static bt_status open_target(gnina_state *state, bt_error *error) {
  const gnina_settings *s = &state->settings;
  bt_protocol protocol = bt_protocol_default();
  protocol.scoring = s->scoring;
  protocol.metals = false; /* gnina's numbers */
  protocol.rescore = "";
  protocol.strain = BT_STRAIN_NONE;
  protocol.checks = BT_CHECKS_OFF;
  protocol.search = s->search;
  bt_target_options options = cli_target_options(&state->program, &state->receptor, &s->prepare, NULL, &protocol);
  options.boxes = s->given ? NULL : &state->box;
  options.n_boxes = s->given ? 0 : 1;
  options.enlarge = true; /* side chains of --flexdist may reach out of a box around the ligand */
  BT_TRY(bt_target_open_with(&options, &state->target, error));
  return s->given ? BT_OK : bt_box_check_in(&state->box, state->receptor.opened, error);
}

static bt_status open_networks(gnina_state *state, bt_error *error) {
  const gnina_settings *s = &state->settings;
  const bt_network_setting setting = {.opt_names = s->networks.data,
                                      .receptor = state->receptor.rigid,
                                      .opt_flexible = state->receptor.opt_flexible,
                                      .opt_device = s->search.opt_device,
                                      .threads = s->cpu};
  return s->judged ? bt_networks_open(&setting, &state->networks, error) : BT_OK;
}

bt_status gnina_read_inputs(gnina_state *state, bt_error *error) {
  gnina_settings *s = &state->settings;
  const char *excluded[] = {s->receptor, s->prepare.opt_flex};
  BT_TRY(cli_inputs_expand(&s->ligand, true, excluded, CLI_COUNT(excluded), &state->paths, error));
  BT_TRY(check_files(state, error));
  state->ligands = cli_ligands_start(&state->paths, &s->prepare.ligands);
  state->ligands.twice = true;
  BT_TRY(survey(state, error));
  BT_TRY(place_box(state, error));
  tell_place(state);
  if (!cli_prepare_take_out(state->program, &s->prepare, s->receptor, s->opt_autobox)) return bt_fail_memory(error);
  BT_TRY(gnina_find_flexible(state, error));
  BT_TRY(cli_receptor_load(state->program, s->receptor, &s->prepare, s->quiet, &state->receptor, error));
  BT_TRY(open_networks(state, error));
  return open_target(state, error);
}

bt_status gnina_find_inputs(const gnina_state *state, bt_file_set *inputs, bt_error *error) {
  const gnina_settings *s = &state->settings;
  const char *words[] = {s->receptor, s->prepare.opt_flex, s->opt_config, s->opt_autobox, s->opt_flex_around};
  BT_TRY(cli_guard_add(inputs, words, CLI_COUNT(words), error));
  BT_TRY(cli_guard_add(inputs, s->models.items, s->models.count, error));
  return cli_guard_add(inputs, (const char *const *)state->paths.items, state->paths.count, error);
}
