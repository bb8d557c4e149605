/* seen.c - a hash table of hashes, with open addressing. */
#include "library/seen.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/xxhash.h"

typedef struct slot {
  uint64_t a, b; /* both 0: free */
} slot;

struct bt_seen {
  slot *slots;
  size_t n_slots, count; /* n_slots: a power of two */
};

bt_status bt_seen_create(bt_seen **ret_seen, bt_error *opt_error) {
  enum { FIRST_SLOTS = 1024 };
  bt_seen *seen = bt_allocate(1, sizeof *seen);
  if (seen == NULL) return bt_fail_memory(opt_error);
  seen->n_slots = FIRST_SLOTS;
  seen->slots = bt_allocate(seen->n_slots, sizeof *seen->slots);
  bt_status status = seen->slots != NULL ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, seen, ret_seen, bt_seen_destroy);
}

void bt_seen_destroy(bt_seen *opt_seen) {
  if (opt_seen == NULL) return;
  free(opt_seen->slots);
  free(opt_seen);
}

/* Where the hash is, or would be. */
static slot *find(slot *slots, size_t n_slots, slot hash) {
  size_t at = hash.a & (n_slots - 1);
  while ((slots[at].a != 0 || slots[at].b != 0) && (slots[at].a != hash.a || slots[at].b != hash.b))
    at = (at + 1) & (n_slots - 1);
  return &slots[at];
}

static bt_status grow(bt_seen *seen, bt_error *opt_error) {
  size_t more = 2 * seen->n_slots;
  slot *slots = bt_allocate(more, sizeof *slots);
  if (slots == NULL) return bt_fail_memory(opt_error);
  for (size_t i = 0; i < seen->n_slots; i++)
    if (seen->slots[i].a != 0 || seen->slots[i].b != 0) *find(slots, more, seen->slots[i]) = seen->slots[i];
  free(seen->slots);
  seen->slots = slots;
  seen->n_slots = more;
  return BT_OK;
}

bt_status bt_seen_add(bt_seen *seen, const char *text, size_t size, bool *ret_known, bt_error *opt_error) {
  const slot hash = {bt_xxh64(text, size, 1), bt_xxh64(text, size, 2) | 1};
  slot *place = find(seen->slots, seen->n_slots, hash);
  *ret_known = place->b != 0;
  if (*ret_known) return BT_OK;
  *place = hash;
  seen->count++;
  return 2 * seen->count > seen->n_slots ? grow(seen, opt_error) : BT_OK;
}
