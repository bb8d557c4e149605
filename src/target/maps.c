/* maps.c - see maps.h. */
#include "target/maps.h"

#include <berth/score.h>
#include <berth/vina.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forcefield/vina.h"
#include "grid/maps/maps.h"
#include "target/boxes.h"
#include "target/state.h"

/* ---- 1. types ---- */

bt_status bt_types_of_ligand(bt_text_list *list, const bt_ligand *ligand, bt_error *opt_error) {
  for (int i = 0; i < ligand->n_map_types; i++)
    BT_TRY(bt_text_list_add_new(list, bt_span_from(ligand->map_types[i]), opt_error));
  return BT_OK;
}

bt_status bt_types_likely(bt_text_list *list, bt_scoring scoring, bool waters, bt_error *opt_error) {
  static const char *const of_ad4[] = {"HD", "C",  "A",  "N",  "NA", "OA", "F",  "S",  "SA", "Cl", "Br", "I",  "P",
                                       "H",  "HS", "NS", "OS", "Si", "B",  "Mg", "Ca", "Mn", "Fe", "Zn", "CL", "BR"};
  const char *type;
  if (bt_vina_law_of(scoring) != NULL) {
    for (int i = 0; (type = bt_vina_map_type(scoring, i)) != NULL; i++)
      BT_TRY(bt_text_list_add_new(list, bt_span_from(type), opt_error));
    return BT_OK;
  }
  for (size_t i = 0; i < sizeof of_ad4 / sizeof *of_ad4; i++)
    BT_TRY(bt_text_list_add_new(list, bt_span_from(of_ad4[i]), opt_error));
  return waters ? bt_text_list_add_new(list, bt_span_from("W"), opt_error) : BT_OK;
}

/* ---- 2. maps ---- */

bt_grid_options bt_target_grid_options(const bt_target *target, const bt_box *box, bt_scoring scoring) {
  bt_grid_options options = bt_grid_options_default();
  options.box = *box;
  options.threads = target->protocol.search.threads;
  options.scoring = scoring;
  options.opt_parameter_file = target->options.opt_parameters;
  options.stand_ins = target->options.stand_ins;
  if (target->options.zinc) options.zinc = BT_ZINC_ON;
  return options;
}

bt_status bt_target_compute_maps(const bt_target *target, const bt_receptor *receptor, const bt_box *box,
                                 bt_scoring scoring, const bt_text_list *types, bt_maps **ret_maps,
                                 bt_error *opt_error) {
  bt_grid_options options = bt_target_grid_options(target, box, scoring);
  *ret_maps = NULL;
  BT_TRY(bt_maps_add(ret_maps, receptor->rigid, (const char *const *)types->items, types->count, &options,
                     opt_error));
  if (target->options.maps_alone) bt_maps_leave_receptor(*ret_maps);
  return BT_OK;
}

bt_status bt_target_read_maps(const bt_target *target, bt_scoring scoring, const bt_text_list *types,
                              bt_maps **ret_maps, bt_error *opt_error) {
  if (target->options.opt_maps != NULL) {
    bt_maps_share(*ret_maps = target->options.opt_maps);
    return BT_OK;
  }
  const char *path = target->receptor->path;
  const char *const *names = (const char *const *)types->items;
  bt_status status = types->count > 0 ? bt_maps_read(path, names, types->count, ret_maps, opt_error) : BT_ERR_PARAMETER;
  if (status == BT_ERR_PARAMETER) status = bt_maps_read(path, NULL, 0, ret_maps, opt_error);
  if (status != BT_OK || bt_maps_scoring(*ret_maps) == scoring) return status;
  bt_scoring theirs = bt_maps_scoring(*ret_maps);
  char remedy[128];
  snprintf(remedy, sizeof remedy, "use --scoring %s, or maps that berth grid --scoring %s computes",
           bt_scoring_name(theirs), bt_scoring_name(scoring));
  bt_maps_destroy(*ret_maps);
  *ret_maps = NULL;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, remedy,
                 "the maps are for the scoring function %s, not %s", bt_scoring_title(theirs),
                 bt_scoring_title(scoring));
}

/* ---- 3. of the search ---- */

void bt_target_drop_maps(bt_target *target) {
  bt_engine_close(target->engine);
  target->engine = NULL;
  for (int i = 0; target->maps != NULL && i < target->n_boxes; i++) bt_maps_destroy(target->maps[i]);
  free(target->maps);
  target->maps = NULL;
}

static void warn_of_size(const bt_target *target, const bt_box_load *load) {
  const bt_box *box = &load->box;
  bt_box_memory memory = bt_box_memory_of(load);
  if (bt_box_volume(box) <= BT_BOX_LARGE) return;
  bt_target_warn(target,
                 "the box of %.0f x %.0f x %.0f Angstrom has %.0f cubic Angstrom, more than the %.0f in which a search "
                 "finds poses reliably, and takes %.1f GB; use a smaller box, or several",
                 box->npts[0] * box->spacing, box->npts[1] * box->spacing, box->npts[2] * box->spacing,
                 bt_box_volume(box), BT_BOX_LARGE, (memory.maps + memory.copies) * 1e-9);
}

/* Boxes around the pockets, with room for the longest ligand. */
static bt_status place_boxes(bt_target *target, bt_error *opt_error) {
  const bt_target_options *o = &target->options;
  if (o->pockets == 0) return BT_OK;
  bt_grid_options grid = bt_target_grid_options(target, &(bt_box){.spacing = o->spacing}, BT_SCORING_AD4);
  if (target->pockets == NULL)
    BT_TRY(bt_pockets_find(target->receptor->rigid, &grid, &target->pockets, &target->n_found, opt_error));
  int count = target->n_found < o->pockets ? target->n_found : o->pockets;
  if (count == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = target->receptor->path}, "use a box",
                   "no pocket was found");
  free(target->boxes);
  target->n_boxes = count;
  target->boxes = bt_allocate((size_t)count, sizeof *target->boxes);
  if (target->boxes == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < count; i++)
    target->boxes[i] = bt_box_of_pocket(&target->pockets[i], target->longest, o->spacing);
  target->fitted = target->longest;
  bt_rescoring_close(target->rescoring); /* which is opened for the boxes */
  target->rescoring = NULL;
  return BT_OK;
}

static bt_status compute_all(bt_target *target, bt_error *opt_error) {
  bt_scoring scoring = target->protocol.scoring;
  target->load = (bt_box_load){.box = target->boxes[0], .scoring = scoring,
                               .n_types = target->types.count, .n_ligand_types = target->types.count,
                               .opt_device = target->protocol.search.opt_device};
  for (int i = 0; i < target->n_boxes; i++) {
    bt_box_load load = target->load;
    load.box = target->boxes[i];
    load.n_types *= target->n_boxes; /* all are kept */
    BT_TRY(bt_box_memory_check(&load, opt_error));
    if (!target->warned && i == 0) warn_of_size(target, &load);
    BT_TRY(bt_target_compute_maps(target, bt_target_receptor_of(target, i), &target->boxes[i], scoring, &target->types,
                                  &target->maps[i], opt_error));
    if (!target->warned) bt_maps_warn(target->maps[i], target->options.opt_warn, target->options.opt_user); /* once, even if maps are recomputed */
    target->warned = true;
  }
  return BT_OK;
}

/* New types in later ligands are rare, so all maps are recomputed for them. */
bt_status bt_target_fit_maps(bt_target *target, bt_error *opt_error) {
  if (target->maps != NULL && target->n_mapped == target->types.count && target->longest <= target->fitted) return BT_OK;
  bt_target_drop_maps(target);
  BT_TRY(place_boxes(target, opt_error));
  target->maps = bt_allocate((size_t)target->n_boxes, sizeof(bt_maps *));
  if (target->maps == NULL) return bt_fail_memory(opt_error);
  target->n_mapped = target->types.count;
  bt_status status = bt_receptor_is_maps(target->receptor)
                       ? bt_target_read_maps(target, target->protocol.scoring, &target->types, &target->maps[0],
                                             opt_error)
                       : compute_all(target, opt_error);
  if (status != BT_OK) bt_target_drop_maps(target);
  return status;
}
