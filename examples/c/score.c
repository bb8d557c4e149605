/* score.c - What is the energy of these poses, as they stand? Of every molecule of a file, in its place in a receptor.
 *
 *     score 1hpv.pdb 478 poses.sdf
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
  bt_prepare_options prepare = bt_prepare_options_default();
  prepare.as_docked = prepare.together = true; /* poses of Berth get the energy of their docking */
  if (argc != 4) return fprintf(stderr, "usage: score RECEPTOR BOX POSES\n"), EXIT_FAILURE;
  check(bt_target_open(argv[1], argv[2], NULL, &target, &error)); /* box NULL: one around each pose */
  check(bt_ligand_reader_open(argv[3], &prepare, &reader, &error));
  for (;;) {
    bt_energy energy;
    check(bt_ligand_reader_next(reader, &molecule, &error));
    if (molecule == NULL) break;
    check(bt_target_score(target, molecule, false, &energy, &error));
    printf("%s: %.2f kcal/mol, of which %.2f with the receptor\n", bt_molecule_name(molecule), energy.free_energy,
           energy.inter);
    bt_molecule_destroy(molecule);
  }
  bt_ligand_reader_close(reader);
  bt_target_close(target);
  return EXIT_SUCCESS;
}
