/* pockets.c - Which pocket does a ligand prefer? The best three of a receptor are found, and docked into.
 *
 *     pockets 1hpv.pdb "CC(=O)Oc1ccccc1C(=O)O aspirin"
 */
#include <berth/target.h>
#include <stdio.h>
#include <stdlib.h>

static bt_error error;

static void check(bt_status status) {
  char text[2048];
  if (status == BT_OK) return;
  fprintf(stderr, "%s\n", bt_error_format(&error, text, sizeof text));
  exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
  bt_receptor *receptor;
  bt_target *target;
  bt_result *result;
  bt_receptor_source source = {.path = argv[1]};
  bt_protocol protocol = bt_protocol_default();
  bt_target_options options = bt_target_options_default();
  int found;
  if (argc != 3) return fprintf(stderr, "usage: pockets RECEPTOR SMILES\n"), EXIT_FAILURE;
  protocol.search.seed = 42;
  bt_effort_apply(BT_EFFORT_SCREEN, 0, &protocol.search);
  check(bt_receptor_open(&source, &receptor, &error));
  options.receptor = receptor;
  options.pockets = 3; /* or options.boxes, any number of them (bt_boxes_find) */
  options.opt_protocol = &protocol;
  check(bt_target_open_with(&options, &target, &error));
  check(bt_target_dock_text(target, "smiles", argv[2], &result, &error));
  const bt_pocket *pockets = bt_target_pockets(target, &found);
  printf("docked into %d of %d pockets\n", bt_target_box_count(target), found);
  for (int i = 0; i < bt_result_pose_count(result); i++) {
    bt_run_summary pose = bt_result_ranked(result, i);
    const double *center = pockets[pose.site - 1].center;
    if (pose.rank_in_cluster == 1)
      printf("%.2f kcal/mol in pocket %d around (%.1f, %.1f, %.1f)\n", pose.energy.free_energy, pose.site, center[0],
             center[1], center[2]);
  }
  bt_result_destroy(result);
  bt_target_close(target);
  bt_receptor_close(receptor);
  return EXIT_SUCCESS;
}
