/* xxhash.h - XXH64, a fast 64-bit hash for detecting damaged files; not cryptographic. */
#ifndef BERTH_BASE_XXHASH_H
#define BERTH_BASE_XXHASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t bt_xxh64(const void *data, size_t size, uint64_t seed);

#endif
