/* scratch.c - allocates a thread's memory; lists hold as many atoms as the receptor has. */
#include "grid/scratch.h"

#include <stdlib.h>

#include "base/memory.h"

enum { ALIGNMENT = 64 }; /* of the widest vectors */

static void allocate_atoms(bt_arena *arena, bt_grid_atom_list *list, int n) {
  BT_NEW(arena, list->items, n);
  BT_NEW(arena, list->x, n);
  BT_NEW(arena, list->y, n);
  BT_NEW(arena, list->z, n);
}

bt_grid_scratch *bt_grid_scratch_create(const bt_grid_job *job) {
  int n = job->n_atoms;
  size_t probes = (size_t)job->tables.n_probes;
  bt_grid_scratch *s = bt_allocate(1, sizeof *s);
  if (s == NULL) return NULL;
  allocate_atoms(&s->arena, &s->block, n);
  allocate_atoms(&s->arena, &s->part, n);
  bt_grid_index_list *lists[] = {&s->selected, &s->rest, &s->block_hydrogens, &s->part_hydrogens, &s->leaf_hydrogens};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) BT_NEW(&s->arena, lists[i]->items, n);
  BT_NEW(&s->arena, s->distance2, n);
  BT_NEW(&s->arena, s->local, n);
  BT_NEW(&s->arena, s->near, n);
  BT_NEW(&s->arena, s->charges, n);
  BT_NEW(&s->arena, s->leaf.affinity, probes);
  size_t size = job->kernels->workspace + probes * job->kernels->workspace_per_probe;
  s->workspace = aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  if (s->arena.failed || s->workspace == NULL) {
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
  if (opt_scratch == NULL) return;
  bt_arena_destroy(&opt_scratch->arena);
  free(opt_scratch->workspace);
  free(opt_scratch);
}
