/* fragments.h - cuts a molecule into fragments (structure.h) in canonical order. */
#ifndef BERTH_CHEM_BUILDER_FRAGMENTS_H
#define BERTH_CHEM_BUILDER_FRAGMENTS_H

#include "base/memory.h"
#include "chem/builder/structure.h"

/* Neighbors of atoms: those of atom i, ascending, are neighbor[first[i]] to neighbor[first[i + 1] - 1]. */
typedef struct bt_adjacency {
  int *first, *neighbor, *bond;
} bt_adjacency;

typedef struct bt_fragment_use {
  bt_fragment_graph graph;
  int *source;   /* [n_vertices + n_slots] the molecule's atom that lies there, or across the cut bond */
  bool *outside; /* [n_vertices + n_slots] whether it is across a cut bond */
  bool mirrored; /* the graph is that of the mirror image: enantiomers share their coordinates */
} bt_fragment_use;

typedef struct bt_fragmentation {
  const bt_build_structure *structure;
  bt_adjacency adjacency;
  int n_fragments;
  int *fragment;         /* [n_atoms] which one an atom belongs to */
  bool *cut;             /* [n_bonds] */
  bt_fragment_use *uses; /* [n_fragments] */
} bt_fragmentation;

/* False: an atom whose kind is unknown, or memory is exhausted (arena->failed). Everything belongs to the arena. */
bool bt_fragments_cut(const bt_build_structure *structure, bt_arena *arena, bt_fragmentation *ret_cut) BT_MUST_USE;

/* The atom as others have it for a cap. Its cap is BT_CAP_NONE if it is of no known kind. */
bt_fragment_atom bt_fragment_cap(const bt_fragmentation *c, int atom);

/* ret_rank[n]: the place of each vertex in an order that depends on the graph alone, but for vertices that are
 * equivalent, or that refinement of neighborhoods cannot tell apart. hash[n]: what is known of each vertex by itself;
 * it is overwritten. The neighbors of vertex i are neighbor[first[i]] on, over bonds of these orders. */
bool bt_canonical_ranks(int n, const int *first, const int *neighbor, const int8_t *order, uint64_t *hash,
                        int *ret_rank, bt_arena *arena) BT_MUST_USE;

/* The graph as bytes: equal for equal graphs, and all of it. NULL when memory is exhausted. */
uint8_t *bt_fragment_key(const bt_fragment_graph *graph, bt_arena *arena, size_t *ret_size);

#endif
