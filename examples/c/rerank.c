/* rerank.c - Do other scoring functions agree? Clusters of a docking are scored by further re-scorers and ranked by
 * all.
 *
 *     rerank 1hpv.pdb 478 "CC(=O)Oc1ccccc1C(=O)O aspirin" vinardo,ad4
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
  bt_target *target;
  bt_result *result;
  bt_protocol protocol = bt_protocol_default();
  char words[256];
  if (argc != 5) return fprintf(stderr, "usage: rerank RECEPTOR BOX SMILES RE-SCORERS\n"), EXIT_FAILURE;
  protocol.search.seed = 42;
  protocol.rescore = argv[4]; /* bt_rescorer_words() has all names */
  protocol.rank_by = BT_RANK_BLEND;
  bt_effort_apply(BT_EFFORT_SCREEN, 0, &protocol.search);
  bt_protocol_words(&protocol, words, sizeof words);
  printf("%s\n", words);
  check(bt_target_open(argv[1], argv[2], &protocol, &target, &error));
  check(bt_target_dock_text(target, "smiles", argv[3], &result, &error));
  for (int i = 0, cluster = 0; i < bt_result_pose_count(result); i++) {
    bt_run_summary pose = bt_result_ranked(result, i);
    if (pose.rank_in_cluster != 1) continue;
    printf("cluster %d: docked %.2f kcal/mol", pose.cluster, pose.energy.free_energy);
    for (int k = 0; k < bt_result_rescored_count(result); k++) {
      bt_rescored by = bt_result_rescored(result, cluster, k);
      printf(", %s %.2f%s (rank %d)", by.title, by.score, by.unitless ? "" : " kcal/mol", by.rank);
      for (int v = 0; v < by.n_values; v++) printf(", %s %.3f", by.value_names[v], by.values[v]);
    }
    printf("\n");
    cluster++;
  }
  bt_result_destroy(result);
  bt_target_close(target);
  return EXIT_SUCCESS;
}
