/* mutate_text.h - changes of texts of lines and words that keep their structure: SDF, mmCIF and what is like them. */
#ifndef BERTH_TESTS_FUZZ_MUTATE_TEXT_H
#define BERTH_TESTS_FUZZ_MUTATE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* One change, which the seed chooses; returns the new size, at most `room`. */
size_t fuzz_mutate_text(uint8_t *data, size_t size, size_t room, unsigned seed);

#endif
