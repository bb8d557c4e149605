/* fragments.c - see fragments.h. */
#include "engine/lga/device/fragments.h"

#include <string.h>

/* Fragments of a body; their sizes differ by one atom at most, so only a body of one atom has a fragment of one. */
static int fragments_of(const bt_kernel_body *body) {
  int atoms = body->end_atom - body->first_atom;
  return atoms > 0 ? (atoms + BT_FRAGMENT_ATOMS - 1) / BT_FRAGMENT_ATOMS : 1;
}

int bt_fragments_count(const bt_kernel_data *data) {
  int count = 0;
  for (int b = 0; b < data->sizes.n_bodies; b++) count += fragments_of(&data->bodies[b]);
  return count;
}

static void split(const bt_kernel_data *data, int b, bt_fragments *p) {
  const bt_kernel_body *body = &data->bodies[b];
  int atoms = body->end_atom - body->first_atom, count = fragments_of(body);
  p->bodies[b].first_fragment = p->n_fragments;
  for (int k = 0; k < count; k++) {
    int first = body->first_atom + atoms * k / count, end = body->first_atom + atoms * (k + 1) / count;
    int scratch = end - first < 2 ? 3 * data->sizes.n_atoms + 6 * p->n_single++ : 3 * first;
    p->fragments[p->n_fragments++] =
        (bt_kernel_fragment){.body = b, .first_atom = first, .end_atom = end, .scratch = scratch};
  }
}

static int depth_of(const bt_kernel_data *data, int b) {
  int depth = 0;
  for (; data->bodies[b].torsion >= 0; b = data->bodies[b].parent) depth++;
  return depth;
}

/* The fragments, longest ways from the root first. */
static void fill_by_depth(const bt_kernel_data *data, bt_fragments *p) {
  int count = 0;
  for (int depth = data->sizes.n_bodies; depth >= 0; depth--)
    for (int fragment = 0; fragment < p->n_fragments; fragment++)
      if (depth_of(data, p->fragments[fragment].body) == depth) p->by_depth[count++] = p->fragments[fragment];
}

bt_status bt_fragments_create(const bt_kernel_data *data, bt_arena *arena, bt_fragments *ret_fragments,
                              bt_error *opt_error) {
  int n = data->sizes.n_bodies, most = bt_fragments_count(data);
  bt_fragments p = {0};
  BT_NEW(arena, p.bodies, n);
  BT_NEW(arena, p.fragments, most);
  BT_NEW(arena, p.by_depth, most);
  BT_TRY(bt_arena_status(arena, opt_error));
  memcpy(p.bodies, data->bodies, (size_t)n * sizeof *p.bodies);
  for (int b = 0; b < n; b++) split(data, b, &p);
  for (int b = 0; b < n; b++)
    p.bodies[b].end_fragment =
        data->bodies[b].end_body < n ? p.bodies[data->bodies[b].end_body].first_fragment : p.n_fragments;
  fill_by_depth(data, &p);
  *ret_fragments = p;
  return BT_OK;
}
