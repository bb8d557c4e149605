/* memory.c - arrays that grow, with checked sizes. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

bool bt_array_grow(void *array, size_t *capacity, size_t needed, size_t element_size) {
  void *old;
  memcpy(&old, array, sizeof old);
  if (old != NULL && needed <= *capacity) return true;
  size_t wanted = *capacity + *capacity / 2 + 16;
  if (wanted < needed) wanted = needed;
  if (wanted > SIZE_MAX / 2 / element_size) return false;
  void *grown = realloc(old, wanted * element_size);
  if (grown == NULL) return false;
  memcpy(array, &grown, sizeof grown);
  *capacity = wanted;
  return true;
}

void *bt_allocate(size_t count, size_t size) {
  if (count == 0 || size == 0) count = size = 1;
  return calloc(count, size);
}

void *bt_arena_allocate(bt_arena *arena, size_t count, size_t size) {
  arena->failed = arena->failed || !BT_GROW(arena->arrays, &arena->room, arena->count + 1);
  if (arena->failed) return NULL;
  void *array = bt_allocate(count, size);
  if (array != NULL)
    arena->arrays[arena->count++] = array;
  else
    arena->failed = true;
  return array;
}

bt_status bt_arena_status(const bt_arena *arena, bt_error *opt_error) {
  return arena->failed ? bt_fail_memory(opt_error) : BT_OK;
}

void bt_arena_destroy(bt_arena *arena) {
  for (size_t i = 0; i < arena->count; i++) free(arena->arrays[i]);
  free(arena->arrays);
  *arena = (bt_arena){0};
}

void bt_memory_keep_little(void) {
#ifdef __GLIBC__
  enum { KEPT_BYTES = 1 << 20 };
  (void)mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
  (void)mallopt(M_MMAP_THRESHOLD, KEPT_BYTES); /* larger arrays are mapped; by default this grows to 32 MiB */
#endif
}

char *bt_copy_text(const char *text, size_t size) {
  char *copy = malloc(size + 1);
  if (copy == NULL) return NULL;
  if (size > 0) memcpy(copy, text, size);
  copy[size] = '\0';
  return copy;
}

void bt_copy_sized(void *to, size_t size, const void *from) {
  size_t theirs;
  memcpy(&theirs, from, sizeof theirs);
  memcpy(to, from, theirs < size ? theirs : size);
  memcpy(to, &size, sizeof size);
}
