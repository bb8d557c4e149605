/* keepers.c - which ligands are among the best n so far. */
#include "store/keepers.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static bool worse(bt_keeper a, bt_keeper b) {
  return a.energy != b.energy ? a.energy > b.energy : a.ordinal > b.ordinal;
}

bool bt_keepers_want(const bt_keepers *keepers, double energy, int64_t ordinal) {
  if (keepers->most < 0 || (int64_t)keepers->count < keepers->most) return true;
  return keepers->most > 0 && worse(keepers->heap[0], (bt_keeper){energy, ordinal});
}

double bt_keepers_limit(const bt_keepers *keepers) {
  if (keepers->most < 0 || (int64_t)keepers->count < keepers->most) return INFINITY;
  return keepers->most > 0 ? keepers->heap[0].energy : -INFINITY;
}

static void rise(bt_keeper *heap, size_t i) {
  for (size_t up; i > 0 && worse(heap[i], heap[up = (i - 1) / 2]); i = up) {
    bt_keeper swap = heap[i];
    heap[i] = heap[up];
    heap[up] = swap;
  }
}

static void sink(bt_keeper *heap, size_t count) {
  for (size_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
    if (child + 1 < count && worse(heap[child + 1], heap[child])) child++;
    if (!worse(heap[child], heap[i])) return;
    bt_keeper swap = heap[i];
    heap[i] = heap[child];
    heap[child] = swap;
  }
}

bt_status bt_keepers_add(bt_keepers *keepers, double energy, int64_t ordinal, int64_t *ret_out, bt_error *opt_error) {
  *ret_out = -1;
  if (keepers->most < 0) return BT_OK;
  if ((int64_t)keepers->count == keepers->most) {
    *ret_out = keepers->heap[0].ordinal;
    keepers->heap[0] = (bt_keeper){energy, ordinal};
    sink(keepers->heap, keepers->count);
    return BT_OK;
  }
  if (!BT_GROW(keepers->heap, &keepers->capacity, keepers->count + 1)) return bt_fail_memory(opt_error);
  keepers->heap[keepers->count] = (bt_keeper){energy, ordinal};
  rise(keepers->heap, keepers->count++);
  return BT_OK;
}

void bt_keepers_free(bt_keepers *keepers) { free(keepers->heap); }
