/* arrays.c - How do I dock a molecule of my own program? Given as arrays of atoms and bonds, here acetamide in 3D.
 *
 *     arrays 1hpv.pdb 478
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

static const bt_atom_input atoms[] = {{"C", 0, {-1.36, -0.26, 0.00}}, /* hydrogens are added where they are absent */
                                      {"C", 0, {0.10, 0.16, 0.00}},
                                      {"O", 0, {0.42, 1.34, 0.00}},
                                      {"N", 0, {0.98, -0.87, 0.00}}};
static const bt_bond_input bonds[] = {{0, 1, 1}, {1, 2, 2}, {1, 3, 1}};

int main(int argc, char **argv) {
  bt_target *target;
  bt_molecule *molecule;
  bt_result *result;
  bt_protocol protocol = bt_protocol_default();
  if (argc != 3) return fprintf(stderr, "usage: arrays RECEPTOR BOX\n"), EXIT_FAILURE;
  protocol.search.seed = 42;
  bt_effort_apply(BT_EFFORT_SCREEN, 0, &protocol.search);
  check(bt_target_open(argv[1], argv[2], &protocol, &target, &error));
  check(bt_molecule_build("acetamide", atoms, 4, bonds, 3, NULL, &molecule, &error));
  check(bt_target_dock(target, molecule, &result, &error));
  const double *xyz = bt_result_coordinates(result, 0);
  printf("%s, %s: %.2f kcal/mol\n", bt_molecule_name(molecule), bt_molecule_smiles(molecule),
         bt_result_ranked(result, 0).energy.free_energy);
  for (int i = 0; i < bt_molecule_atom_count(molecule); i++)
    printf("%s %.3f %.3f %.3f\n", bt_ligand_atom_info(bt_result_ligand(result), i).name, xyz[3 * i], xyz[3 * i + 1],
           xyz[3 * i + 2]);
  bt_result_destroy(result); /* before the molecule, which it borrows */
  bt_molecule_destroy(molecule);
  bt_target_close(target);
  return EXIT_SUCCESS;
}
