/* shapes.c - a hash table of fragments' coordinates, which are kept in the user's cache between runs.
 *
 * Contents: 1. the table; 2. as bytes; 3. the cache; 4. getting a shape.
 */
#include "chem/builder/shapes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/cache.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "base/xxhash.h"
#include "chem/builder/fragments.h"

static const char cache_kind[] = "fragments";
enum { MOST_BYTES = 256 << 20 /* that are kept: a quarter of a million fragments */ };

typedef struct entry {
  struct entry *next;
  uint64_t hash;
  size_t key_size;
  uint8_t *key;
  bt_shape shape;
} entry;

struct bt_shapes {
  bt_shape_maker make;
  bool cached;
  bt_hash cache_key;
  pthread_mutex_t lock; /* of what follows; entries themselves never change */
  entry **buckets;
  size_t n_buckets, n_entries, n_loaded, n_bytes;
  bool loaded;
};

/* ---- 1. the table ---- */

static size_t size_of(const bt_shape *shape) {
  return (size_t)shape->n_variants * (size_t)shape->n_rows * sizeof *shape->x;
}

static void destroy_entry(entry *e) {
  if (e == NULL) return;
  free(e->key);
  free(e->shape.x);
  free(e);
}

static entry *find(const bt_shapes *shapes, uint64_t hash, const uint8_t *key, size_t size) {
  for (entry *e = shapes->buckets[hash % shapes->n_buckets]; e != NULL; e = e->next)
    if (e->hash == hash && e->key_size == size && memcmp(e->key, key, size) == 0) return e;
  return NULL;
}

/* A table that cannot grow only becomes slower. */
static void grow(bt_shapes *shapes) {
  size_t more = 2 * shapes->n_buckets;
  entry **buckets = bt_allocate(more, sizeof(entry *));
  if (buckets == NULL) return;
  for (size_t b = 0; b < shapes->n_buckets; b++)
    for (entry *e = shapes->buckets[b], *next; e != NULL; e = next) {
      next = e->next;
      e->next = buckets[e->hash % more];
      buckets[e->hash % more] = e;
    }
  free(shapes->buckets);
  shapes->buckets = buckets;
  shapes->n_buckets = more;
}

/* Takes the entry over, unless there is one already, whose coordinates are equal. */
static entry *add(bt_shapes *shapes, entry *made) {
  entry *known = find(shapes, made->hash, made->key, made->key_size);
  if (known != NULL) {
    destroy_entry(made);
    return known;
  }
  if (shapes->n_entries >= shapes->n_buckets) grow(shapes);
  made->next = shapes->buckets[made->hash % shapes->n_buckets];
  shapes->buckets[made->hash % shapes->n_buckets] = made;
  shapes->n_entries++;
  shapes->n_bytes += sizeof *made + made->key_size + size_of(&made->shape);
  return made;
}

/* NULL when memory is exhausted. */
static entry *new_entry(const uint8_t *key, size_t key_size, int n_rows, int n_variants) {
  entry *e = bt_allocate(1, sizeof *e);
  if (e == NULL) return NULL;
  *e = (entry){.hash = bt_xxh64(key, key_size, 0), .key_size = key_size, .key = bt_allocate(key_size, 1)};
  e->shape = (bt_shape){.n_rows = n_rows, .n_variants = n_variants};
  if (e->key != NULL) memcpy(e->key, key, key_size);
  if (e->key != NULL) e->shape.x = bt_allocate((size_t)n_variants * (size_t)n_rows, sizeof *e->shape.x);
  if (e->shape.x != NULL) return e;
  destroy_entry(e);
  return NULL;
}

/* ---- 2. as bytes ---- */

typedef struct record {
  uint32_t key_size;
  uint16_t n_rows, n_variants;
} record;

static void write_entry(bt_text *text, const entry *e) {
  const record head = {.key_size = (uint32_t)e->key_size,
                       .n_rows = (uint16_t)e->shape.n_rows,
                       .n_variants = (uint16_t)e->shape.n_variants};
  bt_text_add(text, (const char *)&head, sizeof head);
  bt_text_add(text, (const char *)e->key, e->key_size);
  bt_text_add(text, (const char *)e->shape.x, size_of(&e->shape));
}

/* NULL at the end, and where memory is exhausted. */
static entry *read_entry(const char **at, const char *end) {
  record head;
  if ((size_t)(end - *at) < sizeof head) return NULL;
  memcpy(&head, *at, sizeof head);
  size_t size = head.key_size + (size_t)head.n_rows * head.n_variants * 3 * sizeof(float);
  if ((size_t)(end - *at) - sizeof head < size) return NULL;
  const char *data = *at + sizeof head;
  entry *e = new_entry((const uint8_t *)data, head.key_size, head.n_rows, head.n_variants);
  if (e != NULL) memcpy(e->shape.x, data + head.key_size, size - head.key_size);
  *at = data + size;
  return e;
}

/* ---- 3. the cache ---- */

static void load(bt_shapes *shapes) {
  char *data;
  size_t size;
  if (!bt_cache_load(cache_kind, shapes->cache_key, &data, &size)) return;
  const char *at = data;
  for (entry *e; (e = read_entry(&at, data + size)) != NULL;) add(shapes, e);
  shapes->n_loaded = shapes->n_entries;
  free(data);
}

/* With what other processes have added meanwhile. A large file is not written anew for a few fragments: the tasks of a
 * cluster would do that at the same time. */
static void store(bt_shapes *shapes) {
  enum { SMALL_SHARE = 50 };
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  size_t made = shapes->n_entries - shapes->n_loaded;
  if (made == 0 || made < shapes->n_loaded / SMALL_SHARE) return;
  load(shapes);
  for (size_t b = 0; b < shapes->n_buckets; b++)
    for (const entry *e = shapes->buckets[b]; e != NULL; e = e->next) write_entry(&text, e);
  if (!text.failed) bt_cache_store(cache_kind, shapes->cache_key, text.data, text.size);
}

bt_status bt_shapes_create(bt_shape_maker make, const char *opt_version, bt_shapes **ret_shapes, bt_error *opt_error) {
  enum { FIRST_BUCKETS = 1024 };
  bt_shapes *shapes = bt_allocate(1, sizeof *shapes);
  if (shapes == NULL) return bt_fail_memory(opt_error);
  shapes->make = make;
  shapes->cached = opt_version != NULL;
  shapes->cache_key = bt_hash_begin();
  if (opt_version != NULL) bt_hash_add_text(&shapes->cache_key, opt_version);
  shapes->n_buckets = FIRST_BUCKETS;
  shapes->buckets = bt_allocate(shapes->n_buckets, sizeof(entry *));
  pthread_mutex_init(&shapes->lock, NULL);
  bt_status status = shapes->buckets != NULL ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, shapes, ret_shapes, bt_shapes_destroy);
}

void bt_shapes_destroy(bt_shapes *opt_shapes) {
  bt_shapes *shapes = opt_shapes;
  if (shapes == NULL) return;
  if (shapes->cached && shapes->loaded) store(shapes);
  for (size_t b = 0; shapes->buckets != NULL && b < shapes->n_buckets; b++)
    for (entry *e = shapes->buckets[b], *next; e != NULL; e = next) {
      next = e->next;
      destroy_entry(e);
    }
  free(shapes->buckets);
  pthread_mutex_destroy(&shapes->lock);
  free(shapes);
}

/* ---- 4. getting a shape ---- */

static const entry *find_locked(bt_shapes *shapes, const uint8_t *key, size_t size) {
  pthread_mutex_lock(&shapes->lock);
  if (shapes->cached && !shapes->loaded) load(shapes);
  shapes->loaded = true;
  const entry *e = find(shapes, bt_xxh64(key, size, 0), key, size);
  pthread_mutex_unlock(&shapes->lock);
  return e;
}

/* Outside of the lock: another thread may make the same fragment meanwhile. When the table is full, it is the arena's.
 */
static bt_status make(bt_shapes *shapes, const bt_fragment_graph *graph, const uint8_t *key, size_t size,
                      bt_arena *arena, const bt_shape **ret_shape, bt_error *opt_error) {
  bt_shape made = {0}, *shape;
  entry *e = NULL;
  BT_TRY(shapes->make(graph, &made, opt_error));
  pthread_mutex_lock(&shapes->lock);
  bool kept = shapes->n_bytes < MOST_BYTES;
  if (kept) e = new_entry(key, size, made.n_rows, made.n_variants);
  if (e != NULL && made.x != NULL) memcpy(e->shape.x, made.x, size_of(&made));
  if (e != NULL) *ret_shape = &add(shapes, e)->shape;
  pthread_mutex_unlock(&shapes->lock);
  if (!kept && BT_NEW(arena, shape, 1) != NULL) {
    *ret_shape = shape;
    *shape = made;
    if (BT_NEW(arena, shape->x, made.n_rows * made.n_variants) != NULL && made.x != NULL)
      memcpy(shape->x, made.x, size_of(&made));
  }
  free(made.x);
  return arena->failed || (kept && e == NULL) ? bt_fail_memory(opt_error) : BT_OK;
}

bt_status bt_shapes_get(bt_shapes *shapes, const bt_fragment_graph *graph, bt_arena *arena, const bt_shape **ret_shape,
                        bt_error *opt_error) {
  size_t size;
  uint8_t *key = bt_fragment_key(graph, arena, &size);
  if (key == NULL) return bt_fail_memory(opt_error);
  const entry *e = find_locked(shapes, key, size);
  if (e == NULL) return make(shapes, graph, key, size, arena, ret_shape, opt_error);
  *ret_shape = &e->shape;
  return BT_OK;
}

size_t bt_shapes_count(bt_shapes *shapes) {
  pthread_mutex_lock(&shapes->lock);
  size_t count = shapes->n_entries;
  pthread_mutex_unlock(&shapes->lock);
  return count;
}
