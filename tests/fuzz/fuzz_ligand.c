/* fuzz_ligand.c - PDBQT ligands, from the file to the list of interacting pairs. */
#include "fuzz/pdbqt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int count;
  bt_molecule **list = fuzz_read_molecules(data, size, BT_MOLECULE_LIGAND, &count);
  for (int i = 0; i < count; i++) {
    if (list[i]->n_atoms > 200) continue; /* pairs grow with the square */
    bt_ligand *ligand = NULL;
    bt_error error;
    bt_status status = bt_ligand_create(list[i], NULL, &ligand, &error);
    if (status != BT_OK)
      fuzz_check_failure(status, &error);
    else
      FUZZ_CHECK(bt_ligand_atom_count(ligand) == list[i]->n_atoms && bt_ligand_type_count(ligand) > 0);
    bt_ligand_destroy(ligand);
    status = bt_ligand_create_as(list[i], NULL, BT_SCORING_VINA, &ligand, &error);
    if (status != BT_OK)
      fuzz_check_failure(status, &error);
    else
      FUZZ_CHECK(bt_ligand_atom_count(ligand) == list[i]->n_atoms);
    bt_ligand_destroy(ligand);
  }
  bt_molecule_list_destroy(list, count);
  return 0;
}
