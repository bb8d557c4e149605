/* scratch.c - allocates a thread's memory; lists hold as many atoms as the receptor has. */
#include "grid/scratch.h"

#include <stdlib.h>

#include "base/memory.h"

enum { ALIGNMENT = 64 }; /* of the widest vectors */

static bool allocate_atoms(bt_grid_atom_list *list, size_t n) {
  list->items = bt_allocate(n, sizeof *list->items);
  list->x = bt_allocate(n, sizeof *list->x);
  list->y = bt_allocate(n, sizeof *list->y);
  list->z = bt_allocate(n, sizeof *list->z);
  return list->items != NULL && list->x != NULL && list->y != NULL && list->z != NULL;
}

static void free_atoms(bt_grid_atom_list *list) {
  free(list->items);
  free(list->x);
  free(list->y);
  free(list->z);
}

bt_grid_scratch *bt_grid_scratch_create(const bt_grid_job *job) {
  size_t n = (size_t)job->n_atoms, probes = (size_t)job->tables.n_probes;
  bt_grid_scratch *s = bt_allocate(1, sizeof *s);
  if (s == NULL) return NULL;
  bool complete = allocate_atoms(&s->block, n) && allocate_atoms(&s->part, n);
  bt_grid_index_list *lists[] = {&s->selected, &s->rest, &s->block_hydrogens, &s->part_hydrogens, &s->leaf_hydrogens};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    lists[i]->items = bt_allocate(n, sizeof *lists[i]->items);
    complete = complete && lists[i]->items != NULL;
  }
  s->distance2 = bt_allocate(n, sizeof *s->distance2);
  s->local = bt_allocate(n, sizeof *s->local);
  s->near = bt_allocate(n, sizeof *s->near);
  s->charges = bt_allocate(n, sizeof *s->charges);
  s->leaf.affinity = bt_allocate(probes, sizeof *s->leaf.affinity);
  size_t size = job->kernels->workspace + probes * job->kernels->workspace_per_probe;
  s->workspace = aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  complete = complete && s->distance2 != NULL && s->local != NULL && s->near != NULL && s->charges != NULL &&
             s->leaf.affinity != NULL && s->workspace != NULL;
  if (!complete) {
    bt_grid_scratch_destroy(s);
    return NULL;
  }
  bt_grid_weights_to_half(BT_GRID_BLOCK, 0, &s->lower);
  bt_grid_weights_to_half(BT_GRID_BLOCK, 1, &s->upper);
  bt_grid_weights_to_half(BT_GRID_COARSE, 0, &s->coarse_lower);
  bt_grid_weights_to_half(BT_GRID_COARSE, 1, &s->coarse_upper);
  bt_grid_weights_to_points(BT_GRID_PART, &s->points);
  return s;
}

void bt_grid_scratch_destroy(bt_grid_scratch *opt_scratch) {
  bt_grid_scratch *s = opt_scratch;
  if (s == NULL) return;
  free_atoms(&s->block);
  free_atoms(&s->part);
  free(s->selected.items);
  free(s->rest.items);
  free(s->block_hydrogens.items);
  free(s->part_hydrogens.items);
  free(s->leaf_hydrogens.items);
  free(s->distance2);
  free(s->local);
  free(s->near);
  free(s->charges);
  free(s->leaf.affinity);
  free(s->workspace);
  free(s);
}
