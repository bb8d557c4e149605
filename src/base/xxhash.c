/* xxhash.c - XXH64 as its specification describes it: four lanes of 8 bytes, then the rest, then mixing. */
#include "base/xxhash.h"

#include <string.h>

static const uint64_t P1 = 0x9E3779B185EBCA87u, P2 = 0xC2B2AE3D27D4EB4Fu, P3 = 0x165667B19E3779F9u,
                      P4 = 0x85EBCA77C2B2AE63u, P5 = 0x27D4EB2F165667C5u;

static uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static uint64_t load(const unsigned char *at, int bytes) {
  uint64_t x = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (bytes == 8) return memcpy(&x, at, 8), x;
#endif
  for (int i = 0; i < bytes; i++) x |= (uint64_t)at[i] << (8 * i);
  return x;
}

static uint64_t step(uint64_t lane, uint64_t word) { return rotate(lane + word * P2, 31) * P1; }
static uint64_t join(uint64_t hash, uint64_t lane) { return (hash ^ step(0, lane)) * P1 + P4; }

uint64_t bt_xxh64(const void *data, size_t size, uint64_t seed) {
  const unsigned char *at = data;
  uint64_t hash = seed + P5;
  size_t left = size;
  if (left >= 32) {
    uint64_t a = seed + P1 + P2, b = seed + P2, c = seed, d = seed - P1;
    for (; left >= 32; at += 32, left -= 32) {
      a = step(a, load(at, 8));
      b = step(b, load(at + 8, 8));
      c = step(c, load(at + 16, 8));
      d = step(d, load(at + 24, 8));
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
    hash = join(join(join(join(hash, a), b), c), d);
  }
  hash += size;
  for (; left >= 8; at += 8, left -= 8) hash = rotate(hash ^ step(0, load(at, 8)), 27) * P1 + P4;
  if (left >= 4) {
    hash = rotate(hash ^ load(at, 4) * P1, 23) * P2 + P3;
    at += 4;
    left -= 4;
  }
  for (; left > 0; at++, left--) hash = rotate(hash ^ *at * P5, 11) * P1;
  hash = (hash ^ hash >> 33) * P2;
  hash = (hash ^ hash >> 29) * P3;
  return hash ^ hash >> 32;
}
