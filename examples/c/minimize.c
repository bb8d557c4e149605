/* minimize.c - Where does a pose relax to? To the minimum that a local search reaches from the coordinates of a file.
 *
 *     minimize 1hpv.pdb 478 pose.sdf relaxed.sdf
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
  bt_ligand_reader *reader;
  bt_molecule *molecule;
  bt_energy before;
  bt_result *result;
  bt_prepare_options prepare = bt_prepare_options_default();
  if (argc != 5) return fprintf(stderr, "usage: minimize RECEPTOR BOX POSE OUTPUT.sdf\n"), EXIT_FAILURE;
  check(bt_target_open(argv[1], argv[2], NULL, &target, &error));
  check(bt_ligand_reader_open(argv[3], &prepare, &reader, &error));
  check(bt_ligand_reader_next(reader, &molecule, &error));
  if (molecule == NULL) return fprintf(stderr, "%s has no molecule\n", argv[3]), EXIT_FAILURE;
  check(bt_target_score(target, molecule, true, &before, &error));
  check(bt_target_minimize(target, molecule, &result, &error));
  printf("%s: %.2f kcal/mol, minimized %.2f kcal/mol\n", bt_molecule_name(molecule), before.free_energy,
         bt_result_ranked(result, 0).energy.free_energy);
  check(bt_result_write(result, argv[4], "sdf", NULL, &error));
  bt_result_destroy(result);
  bt_molecule_destroy(molecule);
  bt_ligand_reader_close(reader);
  bt_target_close(target);
  return EXIT_SUCCESS;
}
