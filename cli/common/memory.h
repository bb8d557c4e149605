/* memory.h - arrays that grow, and memory that a scope owns. */
#ifndef BERTH_CLI_COMMON_MEMORY_H
#define BERTH_CLI_COMMON_MEMORY_H

#include <berth/berth.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one element more in array, a variable (NULL at first) that holds count of *capacity. False when memory
 * is exhausted; then the array is as it was. */
#define CLI_GROW(array, count, capacity) cli_grow(&(array), count, capacity, sizeof *(array))
bool cli_grow(void *array, int count, int *capacity, size_t size);

/* Before the declaration of a local pointer, which has to be initialised: what it points to is freed when the scope is
 * left, whichever way. */
#define CLI_SCOPED __attribute__((cleanup(cli_free_scoped)))
static inline void cli_free_scoped(void *variable) {
  void *memory;
  memcpy(&memory, variable, sizeof memory);
  free(memory);
}

/* A text as printf writes it, allocated; NULL without memory. */
char *cli_format(const char *format, ...) BT_PRINTF(1, 2);

#endif
