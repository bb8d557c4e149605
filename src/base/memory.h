/* memory.h - arrays that grow, with checked sizes, and memory that a scope owns. */
#ifndef BERTH_BASE_MEMORY_H
#define BERTH_BASE_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* Makes room for needed elements in array, a variable (NULL at first) that holds *capacity; grows by half at least, so
 * that appending n elements copies O(n). False when memory is exhausted; then the old array is still valid. */
#define BT_GROW(array, capacity, needed) bt_array_grow(&(array), capacity, (size_t)(needed), sizeof *(array))
bool bt_array_grow(void *array, size_t *capacity, size_t needed, size_t element_size) BT_MUST_USE;

/* Makes room as above and appends an element; count is a variable. False when memory is exhausted. */
#define BT_APPEND(array, count, capacity, ...) \
  (BT_GROW(array, capacity, (count) + 1) && ((array)[(count)++] = (__VA_ARGS__), true))

/* count * size bytes set to zero; NULL when memory or the range of size_t is exhausted. Never NULL for 0. */
void *bt_allocate(size_t count, size_t size);

/* Arrays that are freed together. Running out of memory is remembered, so that one check at the end is enough; later
 * allocations return NULL. Starts as {0}. */
typedef struct bt_arena {
  void **arrays;
  size_t count, room;
  bool failed;
} bt_arena;

/* Makes array, a variable, point to count elements, which are zero. */
#define BT_NEW(arena, array, count) ((array) = bt_arena_allocate(arena, (size_t)(count), sizeof *(array)))
void *bt_arena_allocate(bt_arena *arena, size_t count, size_t size);
bt_status bt_arena_status(const bt_arena *arena, bt_error *opt_error) BT_MUST_USE;
void bt_arena_destroy(bt_arena *arena);

/* For a program when it starts: from now on the C library returns freed memory to the system as soon as there is 1 MiB
 * of it, where it can be told so. Otherwise glibc keeps up to 64 MiB for each of eight heaps per core, of which threads
 * that prepare ligands and threads that dock them fill one after the other. */
void bt_memory_keep_little(void);

/* A copy of size bytes with a final NUL; NULL when memory is exhausted. */
char *bt_copy_text(const char *text, size_t size);

/* Copies a struct of an older or newer header, whose first member holds its size: the members that it has; others of
 * *to, which is of this size, stay as they are. */
void bt_copy_sized(void *to, size_t size, const void *from);

/* Before the declaration of a local pointer, which has to be initialized: what it points to is freed when the scope is
 * left, whichever way. */
#define BT_SCOPED __attribute__((cleanup(bt_free_scoped)))
/* The same for a variable with a destructor such as bt_arena_destroy or bt_text_destroy. */
#define BT_ENDED_BY(destroy) __attribute__((cleanup(destroy)))
static inline void bt_free_scoped(void *variable) {
  void *memory;
  memcpy(&memory, variable, sizeof memory);
  free(memory);
}

#endif
