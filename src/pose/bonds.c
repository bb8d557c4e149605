/* bonds.c - covalent bonds, guessed from distances as AutoDock 4 does.
 *
 * Two atoms are bonded when their distance lies in the range of their bond classes (data/forcefield/ad4-bonds.csv,
 * tolerance 0.1 A included). The ranges of N-N and N-O end early, so some real bonds are not found; the energies
 * of AutoDock 4 contain that, and so must ours.
 */
#include "pose/bonds.h"

#include <stdlib.h>

#include "base/memory.h"
#include "pose/glue.h"

enum { CLASS_COUNT = 7 };

typedef struct bond_range {
  double low2, high2; /* squared, A^2; empty when never bonded */
} bond_range;

typedef struct bond_list {
  int (*pairs)[2];
  size_t count, capacity;
} bond_list;

static bool append(bond_list *list, int i, int j) {
  if (!BT_GROW(list->pairs, &list->capacity, list->count + 1)) return false;
  list->pairs[list->count][0] = i;
  list->pairs[list->count][1] = j;
  list->count++;
  return true;
}

static void fill_ranges(bond_range ranges[CLASS_COUNT][CLASS_COUNT]) {
  for (int a = 0; a < CLASS_COUNT; a++) {
    for (int b = 0; b < CLASS_COUNT; b++) {
      double low, high;
      ranges[a][b] = (bond_range){1.0, -1.0};
      if (bt_ad4_bond_range(a, b, &low, &high)) ranges[a][b] = (bond_range){low * low, high * high};
    }
  }
}

/* A glue point interacts with nothing but its carbon, so its bonds would only make false 1-3 and 1-4 neighbours
 * where the open ring's conformation puts it near other atoms. */
static bool can_bond(const char *type) { return bt_glue_point(type) < 0 && !bt_is_hydration_water(type); }

static bool collect(const bt_ligand *ligand, int first, int end, bond_list *list) {
  bond_range ranges[CLASS_COUNT][CLASS_COUNT];
  fill_ranges(ranges);
  for (int i = first; i < end; i++) {
    const char *type_i = ligand->types[ligand->type[i]];
    if (!can_bond(type_i)) continue;
    const bond_range *row = ranges[ligand->parameters[ligand->type[i]]->bond_class];
    const double *xi = ligand->xyz + 3 * (size_t)i;
    for (int j = i + 1; j < end; j++) {
      const char *type_j = ligand->types[ligand->type[j]];
      if (!can_bond(type_j)) continue;
      const double *xj = ligand->xyz + 3 * (size_t)j;
      double dx = xi[0] - xj[0], dy = xi[1] - xj[1], dz = xi[2] - xj[2];
      double r2 = dx * dx + dy * dy + dz * dz;
      bond_range range = row[ligand->parameters[ligand->type[j]]->bond_class];
      int ring = bt_glue_carbon(type_i);
      bool closure = ring >= 0 && ring == bt_glue_carbon(type_j);
      if (!closure && (r2 < range.low2 || r2 > range.high2)) continue;
      if (!append(list, i, j)) return false;
    }
  }
  return true;
}

/* Lists of pairs (i < j, sorted) to lists of neighbours. */
static bool compress(int n_atoms, const bond_list *list, bt_bonds *bonds) {
  bonds->first = calloc((size_t)n_atoms + 1, sizeof *bonds->first);
  bonds->neighbour = malloc((2 * list->count + 1) * sizeof *bonds->neighbour);
  BT_SCOPED int *next = malloc((size_t)n_atoms * sizeof *next + 1);
  bool complete = bonds->first != NULL && bonds->neighbour != NULL && next != NULL;
  if (complete) {
    for (size_t k = 0; k < list->count; k++)
      for (int side = 0; side < 2; side++) bonds->first[list->pairs[k][side] + 1]++;
    for (int i = 0; i < n_atoms; i++) {
      bonds->first[i + 1] += bonds->first[i];
      next[i] = bonds->first[i];
    }
    /* lower neighbours first: the pairs are sorted by their first, then by their second atom */
    for (size_t k = 0; k < list->count; k++) bonds->neighbour[next[list->pairs[k][1]]++] = list->pairs[k][0];
    for (size_t k = 0; k < list->count; k++) bonds->neighbour[next[list->pairs[k][0]]++] = list->pairs[k][1];
  }
  return complete;
}

bt_status bt_bonds_find(const bt_ligand *ligand, bt_bonds *ret_bonds, bt_error *opt_error) {
  bond_list list = {0};
  *ret_bonds = (bt_bonds){0};
  bool complete = collect(ligand, 0, ligand->n_ligand_atoms, &list) &&
                  collect(ligand, ligand->n_ligand_atoms, ligand->n_atoms, &list) &&
                  compress(ligand->n_atoms, &list, ret_bonds);
  free(list.pairs);
  if (complete) return BT_OK;
  bt_bonds_destroy(ret_bonds);
  return bt_fail_memory(opt_error);
}

void bt_bonds_destroy(bt_bonds *bonds) {
  free(bonds->first);
  free(bonds->neighbour);
  *bonds = (bt_bonds){0};
}
