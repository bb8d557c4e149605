/* cells.c - a cell list in a hash table, so that memory does not grow with the extent of the coordinates. */
#include "base/cells.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vector.h"

struct bt_cells {
  int count, buckets; /* buckets is a power of 2 */
  double edge;
  double (*x)[3];
  int *first;     /* [buckets + 1] */
  int *order;     /* points by bucket */
  bt_arena arena; /* of all arrays */
};

static void cube_of(const bt_cells *cells, const double x[3], int cube[3]) {
  for (int k = 0; k < 3; k++) cube[k] = (int)floor(x[k] / cells->edge);
}

static int bucket_of(const bt_cells *cells, const int cube[3]) {
  uint32_t h = (uint32_t)cube[0] * 73856093u ^ (uint32_t)cube[1] * 19349663u ^ (uint32_t)cube[2] * 83492791u;
  return (int)((h ^ h >> 15) & (uint32_t)(cells->buckets - 1));
}

bt_status bt_cells_create(const double (*x)[3], int count, double edge, bt_cells **ret_cells, bt_error *opt_error) {
  *ret_cells = NULL;
  bt_cells *cells = bt_allocate(1, sizeof *cells);
  if (cells == NULL) return bt_fail_memory(opt_error);
  cells->count = count;
  cells->edge = edge;
  for (cells->buckets = 16; cells->buckets < count && cells->buckets < 1 << 28;) cells->buckets *= 2;
  BT_NEW(&cells->arena, cells->x, count);
  BT_NEW(&cells->arena, cells->first, cells->buckets + 2);
  BT_NEW(&cells->arena, cells->order, count);
  bt_status status = bt_arena_status(&cells->arena, opt_error);
  int cube[3];
  for (int i = 0; status == BT_OK && i < count; i++) {
    bt_v3_copy(cells->x[i], x[i]);
    cube_of(cells, x[i], cube);
    cells->first[bucket_of(cells, cube) + 2]++;
  }
  for (int b = 2; status == BT_OK && b <= cells->buckets + 1; b++) cells->first[b] += cells->first[b - 1];
  for (int i = 0; status == BT_OK && i < count; i++) {
    cube_of(cells, x[i], cube);
    cells->order[cells->first[bucket_of(cells, cube) + 1]++] = i;
  }
  return BT_HAND_OVER(status, cells, ret_cells, bt_cells_destroy);
}

void bt_cells_destroy(bt_cells *opt_cells) {
  if (opt_cells == NULL) return;
  bt_arena_destroy(&opt_cells->arena);
  free(opt_cells);
}

void bt_cells_near(const bt_cells *cells, const double place[3], double reach, bt_cells_visit *visit, void *context) {
  int middle[3], cube[3], there[3];
  cube_of(cells, place, middle);
  for (int step = 0; step < 27; step++) {
    int offset[3] = {step / 9 - 1, step / 3 % 3 - 1, step % 3 - 1};
    for (int k = 0; k < 3; k++) cube[k] = middle[k] + offset[k];
    int bucket = bucket_of(cells, cube);
    for (int k = cells->first[bucket]; k < cells->first[bucket + 1]; k++) {
      int point = cells->order[k];
      cube_of(cells, cells->x[point], there);
      if (there[0] != cube[0] || there[1] != cube[1] || there[2] != cube[2]) continue; /* another cube's hash */
      double d2 = bt_v3_distance2(place, cells->x[point]);
      if (d2 <= reach * reach) visit(context, point, d2);
    }
  }
}
