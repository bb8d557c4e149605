/* queue.c - waiting items, and batches of similar ones. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pipeline/pipeline.h"

/* A record of which some state was never settled has no row, and is docked again when the screen is resumed. */
static void release_states(bt_item_states *opt_states) {
  if (opt_states == NULL || __atomic_sub_fetch(&opt_states->references, 1, __ATOMIC_ACQ_REL) > 0) return;
  bt_store_row_destroy(opt_states->opt_best);
  free(opt_states);
}

void bt_item_clear(bt_item *item) {
  if (item->output != NULL) item->engine->destroy_output(item->output);
  if (item->input != NULL && item->docking == NULL) item->engine->destroy_input(item->input);
  free(item->note);
  free(item->name);
  free(item->source);
  free(item->properties);
  release_states(item->opt_states);
  *item = (bt_item){0};
}

bt_status bt_queue_open(bt_queue *queue, int capacity, bt_error *opt_error) {
  *queue = (bt_queue){.capacity = capacity};
  queue->items = bt_allocate((size_t)capacity, sizeof *queue->items);
  return queue->items != NULL ? BT_OK : bt_fail_memory(opt_error);
}

void bt_queue_close(bt_queue *queue) {
  for (int i = 0; i < queue->count; i++) bt_item_clear(&queue->items[i]);
  free(queue->items);
  *queue = (bt_queue){0};
}

bool bt_queue_put(bt_queue *queue, const bt_item *item) {
  if (queue->count == queue->capacity) return false;
  queue->items[queue->count++] = *item;
  return true;
}

/* Ligands of a batch finish together when they have similar numbers of torsions; atoms break ties. */
static int unlike(const bt_item *a, const bt_item *b) {
  return 1000 * abs(a->torsions - b->torsions) + abs(a->atoms - b->atoms);
}

typedef struct candidate {
  int unlike, index;
} candidate;

static int by_likeness(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  if (x->unlike != y->unlike) return x->unlike < y->unlike ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static int take_first(bt_queue *queue, int n, bt_item *items) {
  memcpy(items, queue->items, (size_t)n * sizeof *items);
  queue->count -= n;
  memmove(queue->items, queue->items + n, (size_t)queue->count * sizeof *items);
  return n;
}

static int by_size(const void *a, const void *b) {
  const bt_item *first = a, *second = b;
  if (first->torsions != second->torsions) return first->torsions > second->torsions ? -1 : 1;
  if (first->atoms != second->atoms) return first->atoms > second->atoms ? -1 : 1;
  return first->ordinal < second->ordinal ? -1 : 1;
}

void bt_items_sort(bt_item *items, int count) { qsort(items, (size_t)count, sizeof *items, by_size); }

int bt_queue_take(bt_queue *queue, int wanted, bt_item *items) {
  int n = wanted < queue->count ? wanted : queue->count;
  if (n <= 1 || n == queue->count) return n > 0 ? take_first(queue, n, items) : 0;
  candidate *order = bt_allocate((size_t)queue->count, sizeof *order);
  if (order == NULL) return take_first(queue, n, items); /* any batch is right */
  for (int i = 0; i < queue->count; i++) order[i] = (candidate){unlike(&queue->items[0], &queue->items[i]), i};
  qsort(order, (size_t)queue->count, sizeof *order, by_likeness);
  for (int k = 0; k < n; k++) {
    bt_item *item = &queue->items[order[k].index];
    items[k] = *item;
    item->ordinal = -1; /* taken */
  }
  int left = 0;
  for (int i = 0; i < queue->count; i++)
    if (queue->items[i].ordinal >= 0) queue->items[left++] = queue->items[i];
  queue->count = left;
  free(order);
  return n;
}
