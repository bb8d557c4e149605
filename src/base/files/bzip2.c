/* bzip2.c - bzip2, by libbz2. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef BT_WITH_BZIP2
#include <bzlib.h>
#endif

#include "base/files/codec.h"
#include "base/memory.h"

/* "BZh", and the size of its blocks in 100 kB. */
static bool begins(const char *data, size_t size) {
  return size >= 4 && memcmp(data, "BZh", 3) == 0 && data[3] >= '1' && data[3] <= '9';
}

#ifdef BT_WITH_BZIP2

static void *create(void) {
  bz_stream *stream = bt_allocate(1, sizeof *stream);
  if (stream == NULL || BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK) return stream;
  free(stream);
  return NULL;
}

static void destroy(void *opt_state) {
  if (opt_state != NULL) BZ2_bzDecompressEnd(opt_state);
  free(opt_state);
}

static bool restart(void *state) {
  BZ2_bzDecompressEnd(state);
  return BZ2_bzDecompressInit(state, 0, 0) == BZ_OK;
}

static bt_codec_step step(void *state, bt_codec_buffers *b) {
  bz_stream *stream = state;
  stream->next_in = (char *)(uintptr_t)b->in;
  stream->avail_in = (unsigned)(b->in_size < INT_MAX ? b->in_size : INT_MAX);
  stream->next_out = b->out;
  stream->avail_out = (unsigned)(b->out_size < INT_MAX ? b->out_size : INT_MAX);
  int code = BZ2_bzDecompress(stream);
  b->in_size -= (size_t)(stream->next_in - b->in);
  b->out_size -= (size_t)(stream->next_out - b->out);
  b->in = stream->next_in;
  b->out = stream->next_out;
  if (code == BZ_MEM_ERROR) return BT_CODEC_NO_MEMORY;
  if (code == BZ_STREAM_END) return BT_CODEC_ENDED;
  return code == BZ_OK ? BT_CODEC_MORE : BT_CODEC_DAMAGED;
}

const bt_codec bt_codec_bzip2 = {"bzip2", "libbz2", "bunzip2", begins, create, restart, step, destroy};

#else

const bt_codec bt_codec_bzip2 = {"bzip2", "libbz2", "bunzip2", begins, NULL, NULL, NULL, NULL};

#endif
