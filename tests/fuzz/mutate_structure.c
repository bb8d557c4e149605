/* mutate_structure.c - libFuzzer's mutations of bytes, and three times out of four one that keeps lines and words. */
#include "fuzz/fuzz.h"
#include "fuzz/mutate_text.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, room);
  size_t now = fuzz_mutate_text(data, size, room, seed / 4);
  return now > 0 ? now : LLVMFuzzerMutate(data, size, room);
}
