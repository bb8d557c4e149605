/* input.c - receptor, ligands and maps of `berth vina`. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "common/report.h"
#include "input/box.h"
#include "output/guard.h"
#include "vina/vina.h"

/* --- ligands ------------------------------------------------------------------------------------------- */

void vina_item_free(vina_item *item) {
  if (item == NULL) return;
  bt_result_destroy(item->docking.result);
  bt_molecule_destroy(item->opt_joined);
  cli_ligand_clear(&item->from);
  free(item);
}

bt_status vina_next(vina_state *state, vina_item **ret_item, bt_error *error) {
  bool found;
  vina_item *item = state->only;
  state->only = NULL;
  if (item == NULL) item = calloc(1, sizeof *item);
  *ret_item = item;
  if (item == NULL) return bt_fail_memory(error);
  if (item->from.name != NULL) return BT_OK;
  bt_status status = cli_ligands_next(&state->ligands, &item->from, &found, error);
  if (status != BT_OK || !found) return vina_item_free(item), *ret_item = NULL, status;
  item->docking.error = item->from.error;
  item->docking.molecule = item->from.molecule;
  return BT_OK;
}

/* Reads the ligand; with more than one in its file, it is ambiguous, unless poses are to be scored. */
static bt_status read_only(vina_state *state, bt_error *error) {
  vina_item *first, *second = NULL;
  BT_TRY(vina_next(state, &first, error));
  bt_status status = first != NULL ? vina_next(state, &second, error) : BT_OK;
  state->several = second != NULL && state->settings.score_only;
  if (status == BT_OK && (first == NULL || (second != NULL && !state->several)))
    status = cli_fill_error(error, BT_ERR_INPUT, state->settings.ligand.items[0],
                            "use a file with one molecule, or use --batch", "the file has %s molecule",
                            first == NULL ? "no" : "more than one");
  if (status == BT_OK && first->docking.error.status != BT_OK && !state->several)
    status = (*error = first->docking.error).status;
  vina_item_free(second);
  state->only = first;
  if (!state->several) return status;
  vina_item_free(first);
  state->only = NULL;
  cli_ligands_rewind(&state->ligands);
  return status;
}

/* The ligands of all files, which are read one by one so that errors name the right one. */
static bt_status read_each(vina_state *state, vina_item **items, const bt_molecule **molecules, bt_error *error) {
  for (int i = 0; i < state->paths.count; i++) {
    BT_TRY(vina_next(state, &items[i], error));
    if (items[i] == NULL || items[i]->from.file != i)
      return cli_fill_error(error, BT_ERR_INPUT, state->paths.items[items[i] == NULL ? i : i - 1],
                            "use one file for each ligand to be docked simultaneously", "the file has %s molecule",
                            items[i] == NULL ? "no" : "more than one");
    if (items[i]->docking.error.status != BT_OK) return (*error = items[i]->docking.error).status;
    molecules[i] = items[i]->from.molecule;
  }
  BT_TRY(vina_next(state, &items[state->paths.count], error));
  if (items[state->paths.count] == NULL) return BT_OK;
  return cli_fill_error(error, BT_ERR_INPUT, state->paths.items[state->paths.count - 1],
                        "use one file for each ligand to be docked simultaneously",
                        "the file has more than one molecule");
}

static bt_status join(vina_state *state, const bt_molecule *const *molecules, bt_error *error) {
  vina_item *item = state->only = calloc(1, sizeof *item);
  if (item == NULL) return bt_fail_memory(error);
  BT_TRY(bt_molecules_join(molecules, state->paths.count, &item->opt_joined, error));
  item->from.name = bt_molecule_name(item->opt_joined);
  item->docking.molecule = item->opt_joined;
  return BT_OK;
}

static bt_status read_together(vina_state *state, bt_error *error) {
  BT_SCOPED vina_item **items = bt_allocate((size_t)state->paths.count + 1, sizeof *items);
  BT_SCOPED const bt_molecule **molecules = bt_allocate((size_t)state->paths.count, sizeof *molecules);
  if (items == NULL || molecules == NULL) return bt_fail_memory(error);
  bt_status status = read_each(state, items, molecules, error);
  if (status == BT_OK) status = join(state, molecules, error);
  for (int i = 0; i <= state->paths.count; i++) vina_item_free(items[i]);
  return status;
}

typedef struct extent {
  double low[3], high[3];
} extent;

static void include(extent *of, const double from[3], const double to[3]) {
  for (int k = 0; k < 3; k++) {
    of->low[k] = fmin(of->low[k], from[k]);
    of->high[k] = fmax(of->high[k], to[k]);
  }
}

/* The ligand, and the residues that a given pose brings along. */
static bt_status include_item(const vina_settings *s, extent *of, const vina_item *item, bt_error *error) {
  double from[3], to[3];
  const bt_molecule *ligand = item->docking.molecule;
  bt_molecule *residues = NULL;
  if (ligand == NULL) return BT_OK; /* reported later */
  BT_TRY(bt_molecule_extent(ligand, NULL, from, to, error));
  include(of, from, to);
  if (s->given && !s->together) BT_TRY(bt_molecule_docked_residues(ligand, &residues, error));
  bt_status status = residues != NULL ? bt_molecule_extent(residues, NULL, from, to, error) : BT_OK;
  if (residues != NULL && status == BT_OK) include(of, from, to);
  bt_molecule_destroy(residues);
  return status;
}

/* All poses of the file. */
static bt_status include_poses(vina_state *state, extent *of, bt_error *error) {
  bt_status status = BT_OK;
  while (status == BT_OK) {
    vina_item *item;
    BT_TRY(vina_next(state, &item, error));
    if (item == NULL) break;
    status = include_item(&state->settings, of, item, error);
    vina_item_free(item);
  }
  cli_ligands_rewind(&state->ligands);
  return status;
}

/* With a margin of 4 Angstrom. Unreadable files of a batch are reported later. */
static bt_status box_around_ligands(vina_state *state, bt_error *error) {
  vina_settings *s = &state->settings;
  extent of = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  double from[3], to[3];
  if (!s->many) BT_TRY(state->several ? include_poses(state, &of, error) : include_item(s, &of, state->only, error));
  for (int i = 0; s->many && i < state->paths.count; i++)
    if (cli_place_extent(state->paths.items[i], NULL, 1, from, to, NULL) == BT_OK) include(&of, from, to);
  const double *low = of.low, *high = of.high;
  for (int k = 0; k < 3; k++) {
    s->center[k] = low[k] <= high[k] ? 0.5 * (low[k] + high[k]) : 0.0;
    s->size[k] = low[k] <= high[k] ? ceil(high[k] - low[k] + 8.0) : 1.0;
  }
  return BT_OK;
}

bt_status vina_read_inputs(vina_state *state, bt_error *error) {
  vina_settings *s = &state->settings;
  const char *excluded[] = {s->receptor, s->prepare.opt_flex};
  const cli_list *words = s->many ? &s->batch : &s->ligand;
  BT_TRY(cli_inputs_expand(words, true, excluded, CLI_COUNT(excluded), &state->paths, error));
  /* without a receptor, only flexible residues are read, as with maps */
  const char *path = s->receptor != NULL ? s->receptor : "maps.fld";
  BT_TRY(cli_receptor_load(state->program, path, &s->prepare, s->verbosity < 1, &state->receptor, error));
  state->ligands = cli_ligands_start(&state->paths, &s->prepare.ligands);
  state->ligands.twice = s->score_only;
  if (!s->many) BT_TRY(s->together ? read_together(state, error) : read_only(state, error));
  return s->autobox && s->receptor != NULL ? box_around_ligands(state, error) : BT_OK;
}

/* --- maps ---------------------------------------------------------------------------------------------- */

bt_status vina_open_target(vina_state *state, bt_error *error) {
  const vina_settings *s = &state->settings;
  const bt_box box = bt_box_from_size(s->center, s->size, s->spacing);
  bt_protocol protocol = cli_protocol_of(&s->protocol, &s->search);
  protocol.strain = BT_STRAIN_NONE;
  protocol.checks = BT_CHECKS_OFF;
  if (s->opt_maps != NULL) {
    vina_print(s, s->scoring == BT_SCORING_AD4 ? "Reading AD4.2 maps ... " : "Reading Vina maps ... ");
    BT_TRY(bt_maps_read_prefix(s->opt_maps, protocol.scoring, &state->opt_maps, error));
  } else {
    vina_print(s, "Computing ");
    vina_print(s, bt_scoring_title(protocol.scoring));
    vina_print(s, " grid ... ");
  }
  bt_target_options options = cli_target_options(&state->program, &state->receptor, &s->prepare, NULL, &protocol);
  options.opt_maps = state->opt_maps;
  options.boxes = &box;
  options.n_boxes = 1;
  options.maps_alone = s->no_refine;
  options.all_types = (s->many || state->several) && (!s->score_only || s->no_refine || s->opt_write_maps != NULL);
  return bt_target_open_with(&options, &state->target, error);
}
