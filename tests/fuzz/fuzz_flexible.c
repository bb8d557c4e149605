/* fuzz_flexible.c - PDBQT files of flexible residues, alone and together with a ligand. */
#include "fuzz/pdbqt.h"

static const char ligand_text[] =
    "ROOT\n"
    "ATOM      1  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00     0.171 C \n"
    "ENDROOT\nTORSDOF 0\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int count, n_ligands;
  bt_molecule **list = fuzz_read_molecules(data, size, BT_MOLECULE_FLEXIBLE, &count), **ligands;
  FUZZ_CHECK(bt_molecule_from_memory("lig", ligand_text, sizeof ligand_text - 1, BT_MOLECULE_LIGAND, &ligands,
                                     &n_ligands, NULL) == BT_OK);
  for (int i = 0; i < count; i++) {
    if (list[i]->n_atoms > 200) continue;
    bt_ligand *ligand = NULL;
    bt_error error;
    bt_status status = bt_ligand_create(ligands[0], list[i], &ligand, &error);
    if (status != BT_OK)
      fuzz_check_failure(status, &error);
    else
      FUZZ_CHECK(bt_ligand_atom_count(ligand) == list[i]->n_atoms + 1);
    bt_ligand_destroy(ligand);
    status = bt_ligand_create_as(ligands[0], list[i], BT_SCORING_VINARDO, &ligand, &error);
    if (status != BT_OK)
      fuzz_check_failure(status, &error);
    else
      FUZZ_CHECK(bt_ligand_atom_count(ligand) == list[i]->n_atoms + 1);
    bt_ligand_destroy(ligand);
  }
  bt_molecule_list_destroy(ligands, n_ligands);
  bt_molecule_list_destroy(list, count);
  return 0;
}
