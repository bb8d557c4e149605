/* ligands.h - chains of carbon atoms, the second of nitrogen, with maps, ready for a job. */
#ifndef BERTH_TESTS_BACKEND_LIGANDS_H
#define BERTH_TESTS_BACKEND_LIGANDS_H

#include <berth/berth.h>

#include "engine/lga/device/kernel_data.h"
#include "engine/lga/search/options.h"
#include "unit/chain.h"

enum { LIGANDS = 3 };

typedef struct ligand_set {
  bt_molecule **lists[LIGANDS];
  int n_lists[LIGANDS];
  bt_ligand *ligands[LIGANDS];
  bt_dock_data *data[LIGANDS];
  bt_maps *maps;
} ligand_set;

/* Chains of so many atoms, read from files that it writes to the folder. */
static inline void ligand_set_open(ligand_set *set, const bt_box *box, const int atoms[LIGANDS], const char *folder) {
  bt_error error;
  char path[600];
  const char *types[] = {"C", "N"};
  support_ok(bt_maps_create(box, types, 2, &set->maps, &error), &error);
  for (int l = 0; l < LIGANDS; l++) {
    snprintf(path, sizeof path, "%s/lig%d.pdbqt", folder, l);
    chain_write(path, atoms[l], types[l == 1]);
    support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &set->lists[l], &set->n_lists[l], &error), &error);
    support_ok(bt_ligand_create(set->lists[l][0], NULL, &set->ligands[l], &error), &error);
    support_ok(bt_dock_data_create(set->ligands[l], set->maps, &set->data[l], &error), &error);
    unlink(path);
  }
}

static inline void ligand_set_close(ligand_set *set) {
  for (int l = 0; l < LIGANDS; l++) {
    bt_dock_data_destroy(set->data[l]);
    bt_ligand_destroy(set->ligands[l]);
    bt_molecule_list_destroy(set->lists[l], set->n_lists[l]);
  }
  bt_maps_destroy(set->maps);
}

#endif
