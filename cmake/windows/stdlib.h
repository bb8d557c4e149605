/* stdlib.h - with what MinGW-w64 lacks. free() takes aligned memory, too: the linker's --wrap=free. */
#include_next <stdlib.h>
#ifndef BERTH_WINDOWS_STDLIB_H
#define BERTH_WINDOWS_STDLIB_H

char *realpath(const char *path, char *room);
char *mkdtemp(char *name);
void *aligned_alloc(size_t alignment, size_t size);

#endif
