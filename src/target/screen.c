/* screen.c - a library docked into a target: maps for all likely types, re-scorers, and what the database records. */
#include <berth/score.h>

#include "base/threads.h"
#include "target/state.h"

enum { TYPES_OF_A_LIGAND = 5 }; /* of most ligands */

/* All types that a ligand is likely to have, as those of a library are unknown before it is read. */
static bt_status prepare_maps(bt_target *target, bt_error *opt_error) {
  int threads = target->protocol.search.threads;
  BT_TRY(bt_types_likely(&target->types, target->protocol.scoring, target->options.ligands.hydrated, opt_error));
  if (bt_receptor_is_maps(target->receptor)) return bt_target_fit_maps(target, opt_error);
  bt_box_load load = {.box = target->boxes[0], .scoring = target->protocol.scoring, .n_types = target->types.count,
                      .n_ligand_types = TYPES_OF_A_LIGAND,
                      .at_once = threads > 0 ? threads : bt_thread_count_default(),
                      .opt_device = target->protocol.search.opt_device};
  BT_TRY(bt_box_memory_check(&load, opt_error));
  BT_TRY(bt_target_fit_maps(target, opt_error));
  target->load = load;
  return BT_OK;
}

bt_status bt_target_fill_screen(bt_target *target, bt_screen_options *options, bt_error *opt_error) {
  if (target->n_boxes != 1)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = target->receptor->path},
                   target->n_receptors > 1 ? "screen with one receptor after the other, and rank them by bt_screen_rank_receptors" : "open the target with one box",
                   "a screen needs one box and receptor, not %d", target->n_boxes);
  BT_TRY(bt_box_check_in(&target->boxes[0], target->receptor, opt_error));
  BT_TRY(prepare_maps(target, opt_error));
  BT_TRY(bt_target_open_rescoring(target, true, opt_error));
  if (target->receptor->rigid != NULL && target->receptor_text == NULL)
    BT_TRY(bt_molecule_pdbqt(target->receptor->rigid, &target->receptor_text, opt_error));
  const char *filter = options->prepare.opt_filter, *keep_fields = options->prepare.opt_keep_fields;
  options->prepare = target->options.ligands;
  if (filter != NULL) options->prepare.opt_filter = filter;
  if (keep_fields != NULL) options->prepare.opt_keep_fields = keep_fields;
  options->prepare.ensemble = false; /* a database keeps one molecule of each ligand */
  if (options->prepare.conformers > 1) options->prepare.conformers = 1;
  if (options->prepare.coordinates == BT_COORDINATES_AUTO) options->prepare.coordinates = BT_COORDINATES_BUILT;
  options->maps = target->maps[0];
  options->opt_rescoring = target->rescoring;
  options->rank_by = target->protocol.rank_by;
  options->opt_flexible = target->receptor->flexible;
  options->opt_constraints = target->options.opt_constraints;
  options->opt_receptor_pdbqt = target->receptor_text;
  options->search = target->protocol.search;
  options->search.opt_progress = NULL;
  options->search.variants = BT_VARIANTS_NONE; /* the few poses of a ligand differ */
  if (options->poses > options->search.poses) options->search.poses = options->poses;
  options->opt_parameters = target->options.opt_parameters;
  return BT_OK;
}

bt_status bt_target_screen(bt_target *target, const bt_screen_options *options, bt_screen_progress *ret_progress,
                           bt_error *opt_error) {
  bt_screen_options screen = *options;
  *ret_progress = (bt_screen_progress){0};
  BT_TRY(bt_target_fill_screen(target, &screen, opt_error));
  return bt_screen_run(&screen, ret_progress, opt_error);
}
