/* bonds.c - covalent bonds, guessed from distances as AutoDock 4 does.
 *
 * Two atoms are bonded when their distance lies in the range of their bond classes (data/forcefield/ad4-bonds.csv,
 * tolerance 0.1 A included). The ranges of N-N and N-O end early, so some real bonds are not found; the energies
 * of AutoDock 4 contain that, and so must ours.
 */
#include "pose/bonds.h"

#include <stdlib.h>

#include "base/vector.h"
#include "chem/glue.h"
#include "chem/graph.h"

enum { CLASS_COUNT = 7 };

typedef struct bond_range {
  double low2, high2; /* squared, A^2; empty when never bonded */
} bond_range;

static void fill_ranges(bond_range ranges[CLASS_COUNT][CLASS_COUNT]) {
  for (int a = 0; a < CLASS_COUNT; a++) {
    for (int b = 0; b < CLASS_COUNT; b++) {
      double low, high;
      ranges[a][b] = (bond_range){1.0, -1.0};
      if (bt_ad4_bond_range(a, b, &low, &high)) ranges[a][b] = (bond_range){low * low, high * high};
    }
  }
}

/* A glue point interacts with nothing but its carbon, so its bonds would only make false 1-3 and 1-4 neighbors
 * where the open ring's conformation puts it near other atoms. */
static bool can_bond(const char *type) { return bt_glue_point(type) < 0 && !bt_is_hydration_water(type); }

static bool collect(const bt_ligand *ligand, int first, int end, bt_pair_list *list) {
  bond_range ranges[CLASS_COUNT][CLASS_COUNT];
  fill_ranges(ranges);
  for (int i = first; i < end; i++) {
    const char *type_i = ligand->types[ligand->type[i]];
    if (!can_bond(type_i)) continue;
    const bond_range *row = ranges[ligand->parameters[ligand->type[i]]->bond_class];
    const double *xi = ligand->xyz + 3 * (size_t)i;
    int part = bt_ligand_part(ligand, i);
    for (int j = i + 1; j < end; j++) {
      if (bt_ligand_part(ligand, j) != part) break; /* the next ligand's */
      const char *type_j = ligand->types[ligand->type[j]];
      if (!can_bond(type_j)) continue;
      double r2 = bt_v3_distance2(xi, ligand->xyz + 3 * (size_t)j);
      bond_range range = row[ligand->parameters[ligand->type[j]]->bond_class];
      int ring = bt_glue_carbon(type_i);
      bool closure = ring >= 0 && ring == bt_glue_carbon(type_j);
      if (!closure && (r2 < range.low2 || r2 > range.high2)) continue;
      if (!bt_pair_list_add(list, i, j)) return false;
    }
  }
  return true;
}

bt_status bt_bonds_find(const bt_ligand *ligand, bt_bonds *ret_bonds, bt_error *opt_error) {
  bt_pair_list list = {0};
  *ret_bonds = (bt_bonds){0};
  bool complete = collect(ligand, 0, ligand->n_ligand_atoms, &list) &&
                  collect(ligand, ligand->n_ligand_atoms, ligand->n_atoms, &list) &&
                  bt_pair_list_neighbors(&list, ligand->n_atoms, &ret_bonds->arena, &ret_bonds->first,
                                          &ret_bonds->neighbor);
  free(list.items);
  if (complete) return BT_OK;
  bt_bonds_destroy(ret_bonds);
  return bt_fail_memory(opt_error);
}

void bt_bonds_destroy(bt_bonds *bonds) {
  bt_arena_destroy(&bonds->arena);
  *bonds = (bt_bonds){0};
}
