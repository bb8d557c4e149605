/* mutate_text.h - mutations that keep the structure of formats of lines and words, such as SDF and mmCIF. */
#ifndef BERTH_TESTS_FUZZ_MUTATE_TEXT_H
#define BERTH_TESTS_FUZZ_MUTATE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* One mutation, chosen by the seed; returns the new size, at most `room`. */
size_t fuzz_mutate_text(uint8_t *data, size_t size, size_t room, unsigned seed);

#endif
