/* canonical.c - canonical order of a fragment's vertices, and its key.
 *
 * Vertices are told apart by their neighborhoods, refined until no more classes appear; then one vertex of the lowest
 * class that several share is set apart, and refinement goes on. Where such vertices are not equivalent, two equal
 * graphs may get different keys: then coordinates are made twice, and nothing else happens.
 */
#include "chem/builder/fragments.h"

static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return x ^ x >> 31;
}

static int compare_hashes(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static int count_classes(const uint64_t *hash, int n, uint64_t *sorted) {
  int count = n > 0;
  memcpy(sorted, hash, (size_t)n * sizeof *hash);
  qsort(sorted, (size_t)n, sizeof *sorted, compare_hashes);
  for (int i = 1; i < n; i++) count += sorted[i] != sorted[i - 1];
  return count;
}

/* The lowest hash that several vertices share. */
static uint64_t lowest_shared(const uint64_t *sorted, int n) {
  for (int i = 1; i < n; i++)
    if (sorted[i] == sorted[i - 1]) return sorted[i];
  return 0;
}

bool bt_canonical_ranks(int n, const int *first, const int *neighbor, const int8_t *order, uint64_t *hash,
                        int *ret_rank, bt_arena *arena) {
  uint64_t *next, *sorted;
  BT_NEW(arena, next, n);
  BT_NEW(arena, sorted, n);
  if (arena->failed) return false;
  int classes = count_classes(hash, n, sorted);
  while (classes < n) {
    for (int i = 0; i < n; i++) {
      uint64_t sum = 0; /* does not depend on the order of neighbors */
      for (int k = first[i]; k < first[i + 1]; k++) sum += mix(hash[neighbor[k]] + (uint64_t)order[k]);
      next[i] = mix(hash[i] ^ mix(sum));
    }
    int refined = count_classes(next, n, sorted);
    if (refined == classes) {
      uint64_t shared = lowest_shared(sorted, n);
      for (int i = 0; i < n; i++)
        if (next[i] == shared) {
          next[i] = mix(shared + 1);
          break;
        }
      refined = count_classes(next, n, sorted);
    }
    classes = refined;
    memcpy(hash, next, (size_t)n * sizeof *hash);
  }
  for (int i = 0; i < n; i++) {
    ret_rank[i] = 0;
    for (int j = 0; j < n; j++) ret_rank[i] += hash[j] < hash[i];
  }
  return true;
}

uint8_t *bt_fragment_key(const bt_fragment_graph *graph, bt_arena *arena, size_t *ret_size) {
  uint8_t *key, *to;
  *ret_size = 4 + 6 * (size_t)graph->n_vertices + 6 * (size_t)graph->n_bonds;
  BT_NEW(arena, key, *ret_size);
  if (key == NULL) return NULL;
  to = key;
  *to++ = (uint8_t)graph->n_vertices;
  *to++ = (uint8_t)(graph->n_vertices >> 8);
  *to++ = (uint8_t)graph->n_bonds;
  *to++ = (uint8_t)(graph->n_bonds >> 8);
  for (int i = 0; i < graph->n_vertices; i++) {
    const bt_fragment_atom *atom = &graph->atoms[i];
    *to++ = (uint8_t)atom->element;
    *to++ = (uint8_t)atom->charge;
    *to++ = (uint8_t)atom->cap;
    *to++ = (uint8_t)atom->slots;
    *to++ = (uint8_t)atom->parity;
    *to++ = (uint8_t)atom->aromatic;
  }
  for (int k = 0; k < graph->n_bonds; k++) {
    const bt_fragment_bond *bond = &graph->bonds[k];
    *to++ = (uint8_t)bond->a;
    *to++ = (uint8_t)(bond->a >> 8);
    *to++ = (uint8_t)bond->b;
    *to++ = (uint8_t)(bond->b >> 8);
    *to++ = (uint8_t)bond->order;
    *to++ = (uint8_t)bond->side;
  }
  return key;
}
