/* hit_list.c - which ligands are among the best n so far. */
#include "store/hit_list.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static bool worse(bt_hit a, bt_hit b) {
  return a.energy != b.energy ? a.energy > b.energy : a.ordinal > b.ordinal;
}

bool bt_hit_list_takes(const bt_hit_list *hits, double energy, int64_t ordinal) {
  if (hits->most < 0 || (int64_t)hits->count < hits->most) return true;
  return hits->most > 0 && worse(hits->heap[0], (bt_hit){energy, ordinal});
}

double bt_hit_list_limit(const bt_hit_list *hits) {
  if (hits->most < 0 || (int64_t)hits->count < hits->most) return INFINITY;
  return hits->most > 0 ? hits->heap[0].energy : -INFINITY;
}

static void rise(bt_hit *heap, size_t i) {
  for (size_t up; i > 0 && worse(heap[i], heap[up = (i - 1) / 2]); i = up) {
    bt_hit swap = heap[i];
    heap[i] = heap[up];
    heap[up] = swap;
  }
}

static void sink(bt_hit *heap, size_t count) {
  for (size_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
    if (child + 1 < count && worse(heap[child + 1], heap[child])) child++;
    if (!worse(heap[child], heap[i])) return;
    bt_hit swap = heap[i];
    heap[i] = heap[child];
    heap[child] = swap;
  }
}

bt_status bt_hit_list_add(bt_hit_list *hits, double energy, int64_t ordinal, int64_t *ret_out, bt_error *opt_error) {
  *ret_out = -1;
  if (hits->most < 0) return BT_OK;
  if ((int64_t)hits->count == hits->most) {
    *ret_out = hits->heap[0].ordinal;
    hits->heap[0] = (bt_hit){energy, ordinal};
    sink(hits->heap, hits->count);
    return BT_OK;
  }
  if (!BT_GROW(hits->heap, &hits->capacity, hits->count + 1)) return bt_fail_memory(opt_error);
  hits->heap[hits->count] = (bt_hit){energy, ordinal};
  rise(hits->heap, hits->count++);
  return BT_OK;
}

void bt_hit_list_free(bt_hit_list *hits) { free(hits->heap); }
