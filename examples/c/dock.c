/* dock.c - How do I dock two SMILES? Into a box around a residue of a PDB file; energies are printed, poses go to SDF
 * files.
 *
 *     dock 1hpv.pdb 478
 */
#include <berth/target.h>
#include <stdio.h>

int main(int argc, char **argv) {
  static const char *const ligands[] = {"CC(=O)Oc1ccccc1C(=O)O aspirin", "NCCc1ccccc1 amine"};
  char text[2048];
  bt_target *target = NULL;
  bt_error error = {.message = "usage: dock RECEPTOR.pdb RESIDUE"};
  bt_protocol protocol = bt_protocol_default();
  protocol.search.seed = 42;
  bool well = argc == 3 && bt_target_open(argv[1], argv[2], &protocol, &target, &error) == BT_OK;
  for (int i = 0; well && i < 2; i++) {
    char path[32];
    bt_result *result = NULL;
    snprintf(path, sizeof path, "ligand-%d.sdf", i + 1);
    well = bt_target_dock_text(target, "smiles", ligands[i], &result, &error) == BT_OK &&
           bt_result_write(result, path, NULL, NULL, &error) == BT_OK;
    if (well) printf("%s: %.12g kcal/mol, in %s\n", ligands[i], bt_result_ranked(result, 0).energy.free_energy, path);
    bt_result_destroy(result);
  }
  if (!well) fprintf(stderr, "%s\n", bt_error_format(&error, text, sizeof text));
  bt_target_close(target);
  return well ? 0 : 1;
}
