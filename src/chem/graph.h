/* graph.h - the molecular graph: which atoms are joined by bonds.
 *
 * The rules are chemical (covalent radii), not AutoDock's own of pose/bonds.h, which decide energies and miss N-N and
 * N-O bonds. Bond orders are unknown, so resonance forms are one graph: both oxygens of a carboxylate are alike.
 */
#ifndef BERTH_CHEM_GRAPH_H
#define BERTH_CHEM_GRAPH_H

#include <berth/types.h>

#include "base/memory.h"
#include "chem/molecule.h"

/* Pairs of vertices, the lower one first; starts as {0}. free() the items. */
typedef struct bt_pair_list {
  int (*items)[2];
  size_t count, room;
} bt_pair_list;

bool bt_pair_list_add(bt_pair_list *list, int i, int j) BT_MUST_USE;
/* Lists of neighbors, ascending, as in bt_graph, from pairs in ascending order. False when memory is exhausted. */
bool bt_pair_list_neighbors(const bt_pair_list *pairs, int n, bt_arena *arena, int **ret_first,
                             int **ret_neighbor) BT_MUST_USE;

typedef struct bt_graph {
  int n;
  int *atom;    /* [n] index into the molecule's atoms, ascending */
  int *element; /* [n] atomic number */
  int *first;   /* [n + 1] */
  int *neighbor; /* of vertex i, ascending: neighbor[first[i]] ... neighbor[first[i + 1] - 1] */
  bt_arena arena; /* of all arrays */
} bt_graph;

/* Vertices are the heavy atoms, and the hydrogens of the file if wanted; glue points and hydration waters are not. A
 * molecule of hydrogens only keeps them. Bonds inside a rigid fragment come from distances (below the sum of the
 * covalent radii + 0.4 A; a hydrogen has one), between fragments from BRANCH records and macrocycle closures, so that
 * the graph does not depend on torsions. */
bt_status bt_graph_create(const bt_molecule *molecule, bool hydrogens, bt_graph **ret_graph,
                          bt_error *opt_error) BT_MUST_USE;
void bt_graph_destroy(bt_graph *graph);

/* Do both graphs have the same elements and bonds, vertex by vertex? */
bool bt_graph_equal(const bt_graph *a, const bt_graph *b);

#endif
