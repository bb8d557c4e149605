/* graph.c - the molecular graph: which atoms are joined by bonds. */
#include "chem/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "chem/element.h"
#include "chem/glue.h"

static const double TOLERANCE = 0.4; /* Angstrom, beyond the sum of the radii */
static const double SHORTEST = 0.4;  /* Angstrom; closer atoms are alternatives of one place */

typedef struct builder {
  const bt_molecule *molecule;
  bt_graph *graph;
  int *vertex_of_atom; /* [n_atoms] -1: no vertex */
  bt_pair_list pairs;
} builder;

bool bt_pair_list_add(bt_pair_list *list, int i, int j) {
  if (!BT_GROW(list->items, &list->room, list->count + 1)) return false;
  list->items[list->count][0] = i < j ? i : j;
  list->items[list->count++][1] = i < j ? j : i;
  return true;
}

static bool is_bond_length(const builder *b, int i, int j) {
  const bt_graph *graph = b->graph;
  double sum = bt_element_radius(graph->element[i]) + bt_element_radius(graph->element[j]) + TOLERANCE;
  double r2 = bt_v3_distance2(b->molecule->atoms[graph->atom[i]].x, b->molecule->atoms[graph->atom[j]].x);
  return r2 > SHORTEST * SHORTEST && r2 < sum * sum;
}

/* A hydrogen belongs to the nearest heavy atom of its fragment, whatever the distances of the others. */
static bool bond_hydrogen(builder *b, int h) {
  const bt_graph *graph = b->graph;
  const bt_atom *atoms = b->molecule->atoms;
  int nearest = -1;
  double shortest = 0;
  for (int j = 0; j < graph->n; j++) {
    if (graph->element[j] <= 1 || atoms[graph->atom[j]].fragment != atoms[graph->atom[h]].fragment) continue;
    double r2 = bt_v3_distance2(atoms[graph->atom[h]].x, atoms[graph->atom[j]].x);
    if (nearest >= 0 && r2 >= shortest) continue;
    nearest = j;
    shortest = r2;
  }
  return nearest < 0 || !is_bond_length(b, h, nearest) || bt_pair_list_add(&b->pairs, h, nearest);
}

static bool is_one_ligand(const bt_molecule *molecule, const bt_atom *a, const bt_atom *b) {
  return molecule->n_joined == 0 || bt_molecule_root(molecule, a->fragment) == bt_molecule_root(molecule, b->fragment);
}

static bool collect(builder *b) {
  const bt_graph *graph = b->graph;
  const bt_molecule *molecule = b->molecule;
  for (int i = 0; i < graph->n; i++) {
    const bt_atom *atom = &molecule->atoms[graph->atom[i]];
    if (graph->element[i] == 1 && !bond_hydrogen(b, i)) return false;
    if (graph->element[i] <= 1) continue;
    for (int j = i + 1; j < graph->n; j++) {
      const bt_atom *other = &molecule->atoms[graph->atom[j]];
      if (graph->element[j] <= 1) continue;
      bool closure = bt_glue_carbon(atom->type) >= 0 && bt_glue_carbon(atom->type) == bt_glue_carbon(other->type) &&
                     is_one_ligand(molecule, atom, other);
      bool near = atom->fragment == other->fragment && is_bond_length(b, i, j);
      if ((closure || near) && !bt_pair_list_add(&b->pairs, i, j)) return false;
    }
  }
  for (int f = 0; f < molecule->n_fragments; f++) {
    const bt_fragment *fragment = &molecule->fragments[f];
    if (fragment->parent < 0) continue;
    int i = b->vertex_of_atom[fragment->axis_from], j = b->vertex_of_atom[fragment->axis_to];
    if (i >= 0 && j >= 0 && i != j && !bt_pair_list_add(&b->pairs, i, j)) return false;
  }
  return true;
}

static int by_vertices(const void *a, const void *b) {
  const int *p = a, *q = b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return p[1] < q[1] ? -1 : p[1] > q[1];
}

/* Going through the pairs in order fills every list in ascending order: first come the lower neighbors (as second
 * members of pairs of lower vertices), then the higher ones. */
bool bt_pair_list_neighbors(const bt_pair_list *pairs, int n, bt_arena *arena, int **ret_first, int **ret_neighbor) {
  BT_SCOPED int *next = bt_allocate((size_t)n, sizeof *next);
  int *first, *neighbor;
  BT_NEW(arena, first, n + 1);
  BT_NEW(arena, neighbor, 2 * pairs->count);
  if (next == NULL || arena->failed) return false;
  for (size_t k = 0; k < pairs->count; k++)
    for (int side = 0; side < 2; side++) first[pairs->items[k][side] + 1]++;
  for (int i = 0; i < n; i++) first[i + 1] += next[i] = first[i];
  for (size_t k = 0; k < pairs->count; k++)
    for (int side = 0; side < 2; side++) neighbor[next[pairs->items[k][side]]++] = pairs->items[k][1 - side];
  *ret_first = first;
  *ret_neighbor = neighbor;
  return true;
}

static bool compress(builder *b) {
  bt_pair_list *pairs = &b->pairs;
  if (pairs->count > 1) qsort(pairs->items, pairs->count, sizeof *pairs->items, by_vertices);
  size_t unique = 0;
  for (size_t k = 0; k < pairs->count; k++)
    if (k == 0 || by_vertices(pairs->items[k], pairs->items[unique - 1]) != 0)
      memmove(pairs->items[unique++], pairs->items[k], sizeof *pairs->items);
  pairs->count = unique;
  return bt_pair_list_neighbors(pairs, b->graph->n, &b->graph->arena, &b->graph->first, &b->graph->neighbor);
}

static bool choose_vertices(builder *b, bool hydrogens) {
  const bt_molecule *molecule = b->molecule;
  bt_graph *graph = b->graph;
  BT_NEW(&graph->arena, graph->atom, molecule->n_atoms);
  BT_NEW(&graph->arena, graph->element, molecule->n_atoms);
  b->vertex_of_atom = bt_allocate((size_t)molecule->n_atoms, sizeof *b->vertex_of_atom);
  if (b->vertex_of_atom == NULL || graph->arena.failed) return false;
  int lightest = hydrogens ? 1 : 2;
  for (; graph->n == 0 && lightest >= 0; lightest--) {
    for (int i = 0; i < molecule->n_atoms; i++) {
      int element = bt_element_of_type(molecule->atoms[i].type);
      b->vertex_of_atom[i] = element >= lightest ? graph->n : -1;
      if (element < lightest) continue;
      graph->atom[graph->n] = i;
      graph->element[graph->n++] = element;
    }
  }
  return true;
}

bt_status bt_graph_create(const bt_molecule *molecule, bool hydrogens, bt_graph **ret_graph, bt_error *opt_error) {
  builder b = {.molecule = molecule, .graph = calloc(1, sizeof *b.graph)};
  bool complete = b.graph != NULL && choose_vertices(&b, hydrogens) && collect(&b) && compress(&b);
  free(b.vertex_of_atom);
  free(b.pairs.items);
  bt_status status = complete ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, b.graph, ret_graph, bt_graph_destroy);
}

void bt_graph_destroy(bt_graph *graph) {
  if (graph == NULL) return;
  bt_arena_destroy(&graph->arena);
  free(graph);
}

bool bt_graph_equal(const bt_graph *a, const bt_graph *b) {
  if (a->n != b->n || a->first[a->n] != b->first[b->n]) return false;
  size_t n = (size_t)a->n, bonds = (size_t)a->first[n];
  return memcmp(a->element, b->element, n * sizeof *a->element) == 0 &&
         memcmp(a->first, b->first, (n + 1) * sizeof *a->first) == 0 &&
         memcmp(a->neighbor, b->neighbor, bonds * sizeof *a->neighbor) == 0;
}
