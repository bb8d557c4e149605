/* sys/mman.h - files that are read as memory. */
#ifndef BERTH_WINDOWS_MMAN_H
#define BERTH_WINDOWS_MMAN_H

#include <stddef.h>

enum { PROT_READ = 1, MAP_PRIVATE = 2, MADV_DONTNEED = 4, MADV_HUGEPAGE = 14 };
#define MAP_FAILED ((void *)-1)
void *mmap(void *wanted, size_t size, int protection, int flags, int descriptor, long long offset);
int munmap(void *data, size_t size);
int madvise(void *data, size_t size, int advice);

#endif
