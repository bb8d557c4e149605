/* fuzz.h - shared by all fuzz targets. A target is one function that must survive any bytes; it is linked with
 * libFuzzer in the fuzz preset, and with replay.c as an ordinary test of the seeds and of earlier findings. */
#ifndef BERTH_TESTS_FUZZ_H
#define BERTH_TESTS_FUZZ_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/status.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An invariant for any input. */
#define FUZZ_CHECK(condition)                                                       \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      abort();                                                                      \
    }                                                                               \
  } while (0)

/* A failure must say what happened and what to do, and its texts must be terminated. */
static inline void fuzz_check_failure(bt_status status, const bt_error *error) {
  char text[2048];
  FUZZ_CHECK(status == error->status && status != BT_OK && status != BT_ERR_MEMORY);
  FUZZ_CHECK(error->message[0] != '\0' && error->remedy[0] != '\0' && error->line >= 0);
  FUZZ_CHECK(strlen(bt_error_format(error, text, sizeof text)) > 0);
}

#endif
