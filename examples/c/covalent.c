/* covalent.c - How do I dock a ligand that is bonded to the receptor? To a residue, with a box around it.
 *
 *     covalent 1pwc.pdb A:SER62 "CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O penicillin"
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
  if (argc != 4) return fprintf(stderr, "usage: covalent RECEPTOR.pdb RESIDUE SMILES\n"), EXIT_FAILURE;
  bt_receptor_options prepare = bt_receptor_options_default();
  bt_receptor_source source = {.path = argv[1], .opt_prepare = &prepare};
  bt_box_request box = {
      .words = argv[2], .opt_structure = argv[1], .model = prepare.model, .padding = BT_BOX_COVALENT_PADDING};
  bt_target_options options = bt_target_options_default();
  bt_protocol protocol = bt_protocol_default();
  bt_box *boxes;
  char *residues;
  check(bt_boxes_find(&box, &boxes, &options.n_boxes, &residues, &error));
  bt_boxes_tell(boxes, options.n_boxes, &prepare);
  prepare.opt_covalent = argv[2];
  check(bt_receptor_open(&source, &receptor, &error));
  protocol.search.seed = 42;
  bt_effort_apply(BT_EFFORT_SCREEN, 0, &protocol.search);
  options.receptor = receptor;
  options.boxes = boxes;
  options.opt_protocol = &protocol;
  check(bt_target_open_with(&options, &target, &error));
  check(bt_target_dock_text(target, "smiles", argv[3], &result, &error)); /* prepared as an adduct of the residue */
  printf("%.2f kcal/mol\n", bt_result_ranked(result, 0).energy.free_energy);
  check(bt_result_write(result, "adduct.sdf", NULL, NULL, &error));
  bt_result_destroy(result);
  bt_target_close(target);
  bt_receptor_close(receptor);
  free(boxes);
  free(residues);
  return EXIT_SUCCESS;
}
