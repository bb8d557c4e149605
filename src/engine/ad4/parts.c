/* parts.c - see parts.h. */
#include "engine/ad4/parts.h"

#include <stdlib.h>
#include <string.h>

/* Parts of a body; their sizes differ by one atom at most, so only a body of one atom has a part of one. */
static int parts_of(const bt_kernel_body *body) {
  int atoms = body->end_atom - body->first_atom;
  return atoms > 0 ? (atoms + BT_PART_ATOMS - 1) / BT_PART_ATOMS : 1;
}

int bt_parts_count(const bt_kernel_data *data) {
  int count = 0;
  for (int b = 0; b < data->sizes.n_bodies; b++) count += parts_of(&data->bodies[b]);
  return count;
}

void bt_parts_destroy(bt_parts *parts) {
  free(parts->bodies);
  free(parts->parts);
  free(parts->places);
  memset(parts, 0, sizeof *parts);
}

static void split(const bt_kernel_data *data, int b, bt_parts *p) {
  const bt_kernel_body *body = &data->bodies[b];
  int atoms = body->end_atom - body->first_atom, count = parts_of(body);
  p->bodies[b].first_part = p->n_parts;
  for (int k = 0; k < count; k++) {
    int first = body->first_atom + atoms * k / count, end = body->first_atom + atoms * (k + 1) / count;
    int scratch = end - first < 2 ? 3 * data->sizes.n_atoms + 6 * p->n_single++ : 3 * first;
    p->parts[p->n_parts++] =
        (bt_kernel_part){.body = b, .first_atom = first, .end_atom = end, .scratch = scratch};
  }
}

static int depth_of(const bt_kernel_data *data, int b) {
  int depth = 0;
  for (; data->bodies[b].torsion >= 0; b = data->bodies[b].parent) depth++;
  return depth;
}

/* The parts, longest ways from the root first. */
static void fill_places(const bt_kernel_data *data, bt_parts *p) {
  int count = 0;
  for (int depth = data->sizes.n_bodies; depth >= 0; depth--)
    for (int part = 0; part < p->n_parts; part++)
      if (depth_of(data, p->parts[part].body) == depth) p->places[count++] = p->parts[part];
}

bt_status bt_parts_create(const bt_kernel_data *data, bt_parts *ret_parts, bt_error *opt_error) {
  int n = data->sizes.n_bodies, most = bt_parts_count(data);
  bt_parts p = {.bodies = calloc((size_t)n, sizeof *p.bodies), .parts = calloc((size_t)most, sizeof *p.parts),
                .places = calloc((size_t)most, sizeof *p.places)};
  if (p.bodies == NULL || p.parts == NULL || p.places == NULL) {
    bt_parts_destroy(&p);
    return bt_fail_memory(opt_error);
  }
  memcpy(p.bodies, data->bodies, (size_t)n * sizeof *p.bodies);
  for (int b = 0; b < n; b++) split(data, b, &p);
  for (int b = 0; b < n; b++)
    p.bodies[b].end_part = data->bodies[b].end_body < n ? p.bodies[data->bodies[b].end_body].first_part : p.n_parts;
  fill_places(data, &p);
  *ret_parts = p;
  return BT_OK;
}
