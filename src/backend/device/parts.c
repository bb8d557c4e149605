/* parts.c - see parts.h. */
#include "backend/device/parts.h"

#include <stdlib.h>
#include <string.h>

/* Parts of a body; their sizes differ by one atom at most, so only a body of one atom has a part of one. */
static int parts_of(const bt_kernel_body *body) {
  int atoms = body->end_atom - body->first_atom;
  return atoms > 0 ? (atoms + BT_PART_ATOMS - 1) / BT_PART_ATOMS : 1;
}

int bt_parts_single(const bt_kernel_data *data) {
  int count = 0;
  for (int b = 0; b < data->sizes.n_bodies; b++)
    count += data->bodies[b].end_atom - data->bodies[b].first_atom < 2;
  return count;
}

void bt_parts_destroy(bt_parts *parts) {
  free(parts->bodies);
  free(parts->parts);
  free(parts->levels);
  memset(parts, 0, sizeof *parts);
}

static void split(const bt_kernel_data *data, int b, bt_parts *p) {
  const bt_kernel_body *body = &data->bodies[b];
  int atoms = body->end_atom - body->first_atom, count = parts_of(body);
  p->bodies[b].first_part = p->n_parts;
  for (int k = 0; k < count; k++) {
    int first = body->first_atom + atoms * k / count, end = body->first_atom + atoms * (k + 1) / count;
    int scratch = end - first < 2 ? 3 * data->sizes.n_atoms + 6 * p->n_single++ : 3 * first;
    p->parts[p->n_parts++] = (bt_kernel_part){b, first, end, scratch};
  }
}

bt_status bt_parts_create(const bt_kernel_data *data, bt_parts *ret_parts, bt_error *opt_error) {
  int n = data->sizes.n_bodies, levels = data->sizes.n_levels, most = data->sizes.n_atoms + n, at = 0;
  bt_parts p = {.bodies = calloc((size_t)n, sizeof *p.bodies), .parts = calloc((size_t)most, sizeof *p.parts),
                .levels = calloc((size_t)(levels + 1 + most), sizeof *p.levels)};
  if (p.bodies == NULL || p.parts == NULL || p.levels == NULL) {
    bt_parts_destroy(&p);
    return bt_fail_memory(opt_error);
  }
  memcpy(p.bodies, data->bodies, (size_t)n * sizeof *p.bodies);
  for (int b = 0; b < n; b++) split(data, b, &p);
  for (int b = 0; b < n; b++)
    p.bodies[b].end_part = data->bodies[b].end_body < n ? p.bodies[data->bodies[b].end_body].first_part : p.n_parts;
  for (int level = 0; level < levels; level++) { /* in data the parts of a level are bodies */
    p.levels[level] = at;
    for (int k = data->levels[level]; k < data->levels[level + 1]; k++) {
      int b = data->levels[levels + 1 + k];
      for (int part = 0; part < parts_of(&data->bodies[b]); part++)
        p.levels[levels + 1 + at++] = p.bodies[b].first_part + part;
    }
  }
  p.levels[levels] = at;
  *ret_parts = p;
  return BT_OK;
}
