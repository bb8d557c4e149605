/* pose.c - scoring and minimizing poses as they stand. */
#include <math.h>
#include <string.h>

#include "results/result.h"
#include "target/state.h"

static bool same_box(const bt_box *a, const bt_box *b) {
  bool same = a->spacing == b->spacing;
  for (int k = 0; k < 3; k++) same = same && a->center[k] == b->center[k] && a->npts[k] == b->npts[k];
  return same;
}

/* Around the pose and the side chains that move with it. */
static bt_status box_around(const bt_molecule *molecule, const bt_molecule *opt_flexible, bt_box *ret_box,
                            bt_error *error) {
  double low[3], high[3], from[3], to[3];
  BT_TRY(bt_molecule_extent(molecule, NULL, low, high, error));
  if (opt_flexible != NULL && bt_molecule_extent(opt_flexible, NULL, from, to, NULL) == BT_OK)
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], from[k]);
      high[k] = fmax(high[k], to[k]);
    }
  return bt_box_around(low, high, NULL, BT_BOX_PADDING, BT_BOX_SPACING, ret_box, error);
}

bt_status bt_target_maps_in(bt_target *target, const bt_box *box, bt_scoring scoring, const bt_ligand *opt_ligand,
                            const bt_maps **ret_maps, bt_error *opt_error) {
  bt_maps **maps = &target->maps_of_pose;
  bt_text_list *types = &target->types_of_pose;
  bool first = *maps == NULL, read = bt_receptor_is_maps(target->receptor);
  bt_box theirs = first ? *box : bt_maps_box(*maps);
  if (!first && !read && (bt_maps_scoring(*maps) != scoring || !same_box(box, &theirs))) {
    bt_maps_destroy(*maps);
    *maps = NULL;
    bt_text_list_destroy(types);
  }
  int before = types->count;
  if (target->options.all_types) BT_TRY(bt_types_likely(types, scoring, false, opt_error));
  if (opt_ligand != NULL) BT_TRY(bt_types_of_ligand(types, opt_ligand, opt_error));
  if (*maps == NULL || types->count > before) {
    bt_maps_destroy(*maps);
    *maps = NULL;
    BT_TRY(read ? bt_target_read_maps(target, scoring, types, maps, opt_error)
                : bt_target_compute_maps(target, target->receptor, box, scoring, types, maps, opt_error));
    if (first && !read) bt_maps_warn(*maps, target->options.opt_warn, target->options.opt_user);
  }
  *ret_maps = *maps;
  return BT_OK;
}

/* The maps that a pose is scored on: for sums over the receptor's atoms those of no types. */
static bt_status find_maps(bt_target *target, bool sums, bt_target_pose *pose, bt_error *opt_error) {
  bt_box box;
  if (pose->plan.recorded)
    box = pose->plan.box;
  else if (target->n_boxes > 0)
    box = target->boxes[0];
  else
    BT_TRY(box_around(pose->ligand->molecule, pose->plan.opt_flexible, &box, opt_error));
  return bt_target_maps_in(target, &box, pose->plan.scoring, sums ? NULL : pose->ligand, &pose->maps, opt_error);
}

static bt_status place(bt_target *target, const bt_molecule *molecule, bool ignore_docking, bool maps,
                       bt_target_pose *ret_pose, bt_error *opt_error) {
  *ret_pose = (bt_target_pose){0};
  const bt_torsional_count *torsional = &target->protocol.search.torsional;
  const bt_pose_request request = {.opt_receptor = target->receptor->rigid,
                                   .opt_flexible = target->receptor->flexible,
                                   .opt_scoring = &target->protocol.scoring,
                                   .opt_torsional = *torsional != BT_TORSIONAL_TORSDOF ? torsional : NULL,
                                   .ignore_docking = ignore_docking};
  if (!bt_molecule_has_pose(molecule))
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "dock it, or use coordinates in 3D",
                   "%s has no 3D coordinates that could be scored", bt_molecule_name(molecule));
  BT_TRY(bt_pose_plan_make(molecule, &request, &ret_pose->plan, opt_error));
  bt_status status = bt_ligand_create_as(molecule, ret_pose->plan.opt_flexible, ret_pose->plan.scoring,
                                         &ret_pose->ligand, opt_error);
  bool sums = bt_scoring_traits_of(ret_pose->plan.scoring)->sums && target->receptor->rigid != NULL &&
              !target->options.maps_alone && !maps;
  if (status == BT_OK) status = find_maps(target, sums, ret_pose, opt_error);
  if (status != BT_OK) bt_target_pose_clear(ret_pose);
  return status;
}

bt_status bt_target_place(bt_target *target, const bt_molecule *molecule, bool ignore_docking,
                          bt_target_pose *ret_pose, bt_error *opt_error) {
  return place(target, molecule, ignore_docking, false, ret_pose, opt_error);
}

void bt_target_pose_clear(bt_target_pose *pose) {
  bt_ligand_destroy(pose->ligand);
  bt_pose_plan_clear(&pose->plan);
  *pose = (bt_target_pose){0};
}

bt_status bt_target_score(bt_target *target, const bt_molecule *molecule, bool ignore_docking, bt_energy *ret_energy,
                          bt_error *opt_error) {
  bt_target_pose pose;
  BT_TRY(bt_target_place(target, molecule, ignore_docking, &pose, opt_error));
  bt_status status =
      bt_pose_score(pose.ligand, pose.maps, BT_FORM_TABULATED, &pose.plan, ret_energy, NULL, opt_error);
  bt_target_pose_clear(&pose);
  return status;
}

bt_status bt_target_minimize(bt_target *target, const bt_molecule *molecule, bt_result **ret_result,
                             bt_error *opt_error) {
  bt_target_pose pose;
  *ret_result = NULL;
  BT_TRY(place(target, molecule, false, true, &pose, opt_error));
  bt_dock_options options = target->protocol.search;
  options.opt_progress = NULL;
  options.torsional = pose.plan.torsional;
  bt_status status = bt_minimize(pose.ligand, pose.maps, &options, ret_result, opt_error);
  if (status == BT_OK) status = bt_result_own_maps(*ret_result, target->maps_of_pose, opt_error);
  if (status == BT_OK) status = bt_result_own_molecule(*ret_result, pose.plan.opt_residues, opt_error);
  if (status == BT_OK) pose.plan.opt_residues = NULL, pose.plan.opt_flexible = NULL;
  if (status == BT_OK) status = bt_result_own_ligand(*ret_result, pose.ligand, opt_error);
  if (status == BT_OK) pose.ligand = NULL;
  if (status != BT_OK) {
    bt_result_destroy(*ret_result);
    *ret_result = NULL;
  }
  bt_target_pose_clear(&pose);
  return status;
}
