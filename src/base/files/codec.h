/* codec.h - what the decompression of a file asks of a compression method. */
#ifndef BERTH_BASE_FILES_CODEC_H
#define BERTH_BASE_FILES_CODEC_H

#include <stdbool.h>
#include <stddef.h>

/* Input not yet used, and room for output. */
typedef struct bt_codec_buffers {
  const char *in;
  char *out;
  size_t in_size, out_size;
} bt_codec_buffers;

typedef enum bt_codec_step {
  BT_CODEC_MORE,  /* the member goes on: more input or more room is needed */
  BT_CODEC_ENDED, /* it is complete */
  BT_CODEC_DAMAGED,
  BT_CODEC_WIDE, /* its decompression needs more memory than is allowed */
  BT_CODEC_NO_MEMORY
} bt_codec_step;

/* A file is one member after the other; a member begins with a magic number. */
typedef struct bt_codec {
  const char *name, *library, *program; /* in messages: "bzip2", "libbz2", "bunzip2" */
  bool (*begins)(const char *data, size_t size);
  void *(*create)(void);        /* NULL: memory is exhausted; the member itself NULL: the build lacks the library */
  bool (*restart)(void *state); /* for the next member; false: memory is exhausted */
  bt_codec_step (*step)(void *state, bt_codec_buffers *buffers); /* moves the buffers on */
  void (*destroy)(void *opt_state);
} bt_codec;

extern const bt_codec bt_codec_gzip, bt_codec_bzip2, bt_codec_zstd;

#endif
