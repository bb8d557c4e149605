/* symmetry.c - all mappings of one molecular graph onto another.
 *
 * Contents: 1. colors; 2. the tree of choices; 3. building it; 4. walking over it.
 *
 * Color refinement (Weisfeiler and Leman 1968): vertices begin with the color of their element and are distinguished
 * by the colors of their neighbors until nothing changes. A vertex unique in its color is mapped. The others form
 * components that do not constrain each other; in each, one vertex is mapped onto each vertex of its color in turn,
 * and the component is refined again (McKay 1981).
 */
#include "chem/symmetry.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* More than any drug-like molecule has; a fullerene has 120 mappings of 60 vertices. */
enum { MOST_PAIRS = 100000, MOST_WORK = 20000000 };

/* ---- 1. colors ---- */

/* Finalizer of splitmix64: spreads every bit over the word. */
static uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static int by_color(const void *a, const void *b) {
  uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
  return p < q ? -1 : p > q;
}

static int count_colors(const uint64_t *color, const int *set, int n, uint64_t *scratch) {
  for (int k = 0; k < n; k++) scratch[k] = color[set[k]];
  qsort(scratch, (size_t)n, sizeof *scratch, by_color);
  int count = n > 0;
  for (int k = 1; k < n; k++) count += scratch[k] != scratch[k - 1];
  return count;
}

/* One step: the new color is made of the old one and those of the neighbors, in any order. */
static void refine_once(const bt_graph *graph, uint64_t *color, const int *set, int n, uint64_t *scratch) {
  for (int k = 0; k < n; k++) {
    int v = set[k];
    uint64_t sum = 0;
    for (int e = graph->first[v]; e < graph->first[v + 1]; e++)
      sum += mix(color[graph->neighbor[e]] + 0x9e3779b97f4a7c15u);
    scratch[k] = mix(mix(color[v]) + sum);
  }
  for (int k = 0; k < n; k++) color[set[k]] = scratch[k];
}

static void color_by_element(const bt_graph *graph, uint64_t *color) {
  for (int i = 0; i < graph->n; i++) color[i] = mix((uint64_t)graph->element[i] + 1);
}

/* ---- 2. the tree of choices ---- */

/* A node fixes the mapping of some vertices and leaves components open; each component has alternatives, one of which
 * is to be chosen. Lists are chained by index; -1 ends them. */
typedef struct node {
  int first_pair, n_pairs;
  int component;   /* first component */
  int alternative; /* next alternative of the same component */
} node;

typedef struct component {
  int node; /* first alternative */
  int next; /* next component of the same node */
} component;

struct bt_symmetry {
  int n;
  node *nodes;
  component *components;
  int (*pairs)[2]; /* vertex of a, vertex of b */
  size_t n_nodes, n_components, n_pairs, node_room, component_room, pair_room;
};

void bt_symmetry_destroy(bt_symmetry *symmetry) {
  if (symmetry == NULL) return;
  free(symmetry->nodes);
  free(symmetry->components);
  free(symmetry->pairs);
  free(symmetry);
}

/* ---- 3. building it ---- */

typedef enum outcome { FITS, FITS_NOT, TOO_MANY, NO_MEMORY } outcome;

typedef struct builder {
  bt_symmetry *symmetry;
  const bt_graph *graph[2];
  uint64_t *color[2];
  uint64_t *scratch;
  int64_t work;
} builder;

static outcome add_node(builder *b, int *ret_index) {
  bt_symmetry *s = b->symmetry;
  if (!BT_GROW(s->nodes, &s->node_room, s->n_nodes + 1)) return NO_MEMORY;
  *ret_index = (int)s->n_nodes++;
  s->nodes[*ret_index] = (node){.first_pair = (int)s->n_pairs, .component = -1, .alternative = -1};
  return FITS;
}

static outcome add_component(builder *b, int of_node, int *ret_index) {
  bt_symmetry *s = b->symmetry;
  if (!BT_GROW(s->components, &s->component_room, s->n_components + 1)) return NO_MEMORY;
  *ret_index = (int)s->n_components++;
  s->components[*ret_index] = (component){.node = -1, .next = s->nodes[of_node].component};
  s->nodes[of_node].component = *ret_index;
  return FITS;
}

static outcome add_pair(builder *b, int of_node, int i, int j) {
  bt_symmetry *s = b->symmetry;
  if (s->n_pairs >= MOST_PAIRS) return TOO_MANY;
  if (!BT_GROW(s->pairs, &s->pair_room, s->n_pairs + 1)) return NO_MEMORY;
  s->pairs[s->n_pairs][0] = i;
  s->pairs[s->n_pairs++][1] = j;
  s->nodes[of_node].n_pairs++;
  return FITS;
}

/* Refines the colors of two sets of n vertices side by side until they are stable; false if they differ. */
static bool refine(builder *b, int *const set[2], int n) {
  int count = 0;
  for (;;) {
    int counts[2];
    for (int side = 0; side < 2; side++) counts[side] = count_colors(b->color[side], set[side], n, b->scratch);
    if (counts[0] != counts[1]) return false;
    if (counts[0] == count) break;
    count = counts[0];
    for (int side = 0; side < 2; side++) {
      refine_once(b->graph[side], b->color[side], set[side], n, b->scratch);
      for (int k = 0; k < n; k++)
        b->work += 1 + b->graph[side]->first[set[side][k] + 1] - b->graph[side]->first[set[side][k]];
    }
  }
  return true;
}

/* Vertices with their colors, sorted by color and then by vertex. */
typedef struct colored {
  uint64_t color;
  int vertex;
} colored;

static int by_color_and_vertex(const void *a, const void *b) {
  const colored *p = a, *q = b;
  if (p->color != q->color) return p->color < q->color ? -1 : 1;
  return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

static bool sort_by_color(const uint64_t *color, int *set, int n) {
  BT_SCOPED colored *list = bt_allocate((size_t)n, sizeof *list);
  if (list == NULL) return false;
  for (int k = 0; k < n; k++) list[k] = (colored){color[set[k]], set[k]};
  qsort(list, (size_t)n, sizeof *list, by_color_and_vertex);
  for (int k = 0; k < n; k++) set[k] = list[k].vertex;
  return true;
}

static int root_of(const int *parent, int k) {
  while (parent[k] != k) k = parent[k];
  return k;
}

/* A cell is a run of one color in the sorted set. Two cells constrain each other when some but not all of the bonds
 * between them exist; cells are joined accordingly. cell[k] is the cell of the k-th vertex, start[c] its first. */
static bool join_cells(const builder *b, const int *set, int n, int *cell, int *start, int n_cells, int *parent) {
  const bt_graph *graph = b->graph[0];
  BT_SCOPED int *cell_of = bt_allocate((size_t)graph->n, sizeof *cell_of);
  BT_SCOPED int *bonds = bt_allocate((size_t)n_cells, sizeof *bonds);
  if (cell_of == NULL || bonds == NULL) return false;
  for (int i = 0; i < graph->n; i++) cell_of[i] = -1;
  for (int k = 0; k < n; k++) cell_of[set[k]] = cell[k];
  for (int c = 0; c < n_cells; c++) parent[c] = c;
  for (int c = 0; c < n_cells; c++) {
    int v = set[start[c]];
    for (int e = graph->first[v]; e < graph->first[v + 1]; e++)
      if (cell_of[graph->neighbor[e]] >= 0) bonds[cell_of[graph->neighbor[e]]]++;
    for (int e = graph->first[v]; e < graph->first[v + 1]; e++) {
      int other = cell_of[graph->neighbor[e]];
      if (other < 0) continue;
      if (other != c && bonds[other] > 0 && bonds[other] < start[other + 1] - start[other])
        parent[root_of(parent, other)] = root_of(parent, c);
      bonds[other] = 0;
    }
  }
  return true;
}

static outcome build_node(builder *b, int *const set[2], int n, int *ret_index);

/* Alternatives of one component: its first vertex onto each vertex of the same color. */
static outcome build_component(builder *b, int of_node, int *const set[2], int n) {
  int index;
  outcome result = add_component(b, of_node, &index);
  if (result != FITS) return result;
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  uint64_t *kept[2];
  int *order[2];
  for (int side = 0; side < 2; side++) {
    BT_NEW(&arena, kept[side], n);
    BT_NEW(&arena, order[side], n);
  }
  if (arena.failed) return NO_MEMORY;
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < n; k++) kept[side][k] = b->color[side][set[side][k]];
  bool any = false;
  for (int k = 0; result == FITS && k < n && kept[1][k] == kept[0][0]; k++) { /* the first cell of b */
    for (int side = 0; side < 2; side++) {
      memcpy(order[side], set[side], (size_t)n * sizeof(int));
      for (int i = 0; i < n; i++) b->color[side][set[side][i]] = kept[side][i];
    }
    b->color[0][set[0][0]] = b->color[1][set[1][k]] = mix(kept[0][0] ^ 0x5851f42d4c957f2du);
    size_t n_nodes = b->symmetry->n_nodes, n_components = b->symmetry->n_components, n_pairs = b->symmetry->n_pairs;
    int child;
    result = build_node(b, order, n, &child);
    if (result == FITS) {
      b->symmetry->nodes[child].alternative = b->symmetry->components[index].node;
      b->symmetry->components[index].node = child;
      any = true;
    } else if (result == FITS_NOT) { /* forget the branch */
      b->symmetry->n_nodes = n_nodes;
      b->symmetry->n_components = n_components;
      b->symmetry->n_pairs = n_pairs;
      result = FITS;
    }
  }
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < n; i++) b->color[side][set[side][i]] = kept[side][i];
  return result == FITS && !any ? FITS_NOT : result;
}

/* Maps the vertices that are unique in their color, then the components of the others. The sets are sorted by color. */
static outcome place(builder *b, int index, int *const set[2], int n, int *cell, int *start, int *parent,
                     int *part[2]) {
  int n_cells = 0;
  for (int k = 0; k < n; k++) {
    if (b->color[0][set[0][k]] != b->color[1][set[1][k]]) return FITS_NOT;
    if (k == 0 || b->color[0][set[0][k]] != b->color[0][set[0][k - 1]]) start[n_cells++] = k;
    cell[k] = n_cells - 1;
  }
  start[n_cells] = n;
  outcome result = FITS;
  for (int c = 0; result == FITS && c < n_cells; c++)
    if (start[c + 1] - start[c] == 1) result = add_pair(b, index, set[0][start[c]], set[1][start[c]]);
  if (result != FITS) return result;
  if (!join_cells(b, set[0], n, cell, start, n_cells, parent)) return NO_MEMORY;
  for (int root = 0; result == FITS && root < n_cells; root++) {
    if (root_of(parent, root) != root || start[root + 1] - start[root] == 1) continue;
    int size = 0, smallest = root;
    for (int c = 0; c < n_cells; c++)
      if (root_of(parent, c) == root && start[c + 1] - start[c] < start[smallest + 1] - start[smallest]) smallest = c;
    /* the smallest cell first: it has the fewest alternatives */
    for (int turn = -1; turn < n_cells; turn++) {
      int c = turn < 0 ? smallest : turn;
      if (root_of(parent, c) != root || (turn >= 0 && c == smallest)) continue;
      for (int k = start[c]; k < start[c + 1]; k++, size++)
        for (int side = 0; side < 2; side++) part[side][size] = set[side][k];
    }
    result = build_component(b, index, part, size);
  }
  return result;
}

static outcome build_node(builder *b, int *const set[2], int n, int *ret_index) {
  if (b->work > MOST_WORK) return TOO_MANY;
  if (!refine(b, set, n)) return FITS_NOT;
  outcome result = add_node(b, ret_index);
  if (result != FITS) return result;
  size_t room = (size_t)n + 1;
  BT_SCOPED int *memory = bt_allocate(5 * room, sizeof *memory);
  if (memory == NULL) return NO_MEMORY;
  int *part[2] = {memory + 3 * room, memory + 4 * room};
  for (int side = 0; side < 2; side++)
    if (!sort_by_color(b->color[side], set[side], n)) result = NO_MEMORY;
  if (result == FITS) result = place(b, *ret_index, set, n, memory, memory + room, memory + 2 * room, part);
  return result;
}

bt_status bt_symmetry_create(const bt_graph *a, const bt_graph *b, bt_symmetry **ret_symmetry, bool *ret_too_many,
                             bt_error *opt_error) {
  *ret_symmetry = NULL;
  *ret_too_many = false;
  if (a->n != b->n) return BT_OK;
  size_t n = (size_t)a->n;
  builder build = {.symmetry = calloc(1, sizeof *build.symmetry), .graph = {a, b}};
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  int *set[2];
  for (int side = 0; side < 2; side++) {
    BT_NEW(&arena, set[side], n);
    BT_NEW(&arena, build.color[side], n);
  }
  BT_NEW(&arena, build.scratch, n);
  outcome result = NO_MEMORY;
  if (build.symmetry != NULL && !arena.failed) {
    int root;
    build.symmetry->n = a->n;
    for (int side = 0; side < 2; side++) {
      color_by_element(build.graph[side], build.color[side]);
      for (int i = 0; i < a->n; i++) set[side][i] = i;
    }
    result = build_node(&build, set, a->n, &root);
  }
  if (result == FITS)
    *ret_symmetry = build.symmetry;
  else
    bt_symmetry_destroy(build.symmetry);
  *ret_too_many = result == TOO_MANY;
  return result == NO_MEMORY ? bt_fail_memory(opt_error) : BT_OK;
}

bt_status bt_symmetry_classes(const bt_graph *graph, int *ret_class, bt_error *opt_error) {
  size_t n = (size_t)graph->n;
  BT_SCOPED uint64_t *color = bt_allocate(n, sizeof *color), *scratch = bt_allocate(n, sizeof *scratch);
  BT_SCOPED int *all = bt_allocate(n, sizeof *all);
  if (color == NULL || scratch == NULL || all == NULL) return bt_fail_memory(opt_error);
  color_by_element(graph, color);
  for (int i = 0; i < graph->n; i++) all[i] = i;
  for (int count = 0, next; (next = count_colors(color, all, graph->n, scratch)) != count; count = next)
    refine_once(graph, color, all, graph->n, scratch);
  int classes = 0;
  for (int i = 0; i < graph->n; i++) {
    ret_class[i] = -1;
    for (int j = 0; j < i && ret_class[i] < 0; j++)
      if (color[j] == color[i]) ret_class[i] = ret_class[j];
    if (ret_class[i] < 0) ret_class[i] = classes++;
  }
  return BT_OK;
}

/* ---- 4. walking over it ---- */

static double count_from(const bt_symmetry *s, int index) {
  double product = 1;
  for (int c = s->nodes[index].component; c >= 0; c = s->components[c].next) {
    double sum = 0;
    for (int k = s->components[c].node; k >= 0; k = s->nodes[k].alternative) sum += count_from(s, k);
    product *= sum;
  }
  return product;
}

double bt_symmetry_count(const bt_symmetry *symmetry) { return count_from(symmetry, 0); }

static void map_from(const bt_symmetry *s, int index, int *map) {
  const node *at = &s->nodes[index];
  for (int k = at->first_pair; k < at->first_pair + at->n_pairs; k++) map[s->pairs[k][0]] = s->pairs[k][1];
  for (int c = at->component; c >= 0; c = s->components[c].next) map_from(s, s->components[c].node, map);
}

void bt_symmetry_mapping(const bt_symmetry *symmetry, int *map) { map_from(symmetry, 0, map); }

static double minimum_from(const bt_symmetry *s, int index, const double *xa, const double *xb) {
  const node *at = &s->nodes[index];
  double sum = 0;
  for (int k = at->first_pair; k < at->first_pair + at->n_pairs; k++) {
    const double *p = xa + 3 * (size_t)s->pairs[k][0], *q = xb + 3 * (size_t)s->pairs[k][1];
    double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
    sum += x * x + y * y + z * z;
  }
  for (int c = at->component; c >= 0; c = s->components[c].next) {
    double least = INFINITY;
    for (int k = s->components[c].node; k >= 0; k = s->nodes[k].alternative)
      least = fmin(least, minimum_from(s, k, xa, xb));
    sum += least;
  }
  return sum;
}

double bt_symmetry_minimum(const bt_symmetry *symmetry, const double *xa, const double *xb) {
  return minimum_from(symmetry, 0, xa, xb);
}
