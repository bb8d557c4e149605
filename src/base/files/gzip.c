/* gzip.c - gzip (RFC 1952), by zlib. */
#include "base/files/gzip.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef BT_WITH_ZLIB
#include <zlib.h>
#endif

#include "base/files/codec.h"
#include "base/memory.h"

static bool begins(const char *data, size_t size) { return size >= 2 && memcmp(data, "\x1f\x8b", 2) == 0; }

#ifdef BT_WITH_ZLIB

static void *create(void) {
  z_stream *stream = bt_allocate(1, sizeof *stream);
  if (stream == NULL || inflateInit2(stream, 15 + 16) == Z_OK) return stream;
  free(stream);
  return NULL;
}

static void destroy(void *opt_state) {
  if (opt_state != NULL) inflateEnd(opt_state);
  free(opt_state);
}

static bool restart(void *state) { return inflateReset(state) == Z_OK; }

static bt_codec_step step(void *state, bt_codec_buffers *b) {
  z_stream *stream = state;
  stream->next_in = (Bytef *)(uintptr_t)b->in;
  stream->avail_in = (uInt)(b->in_size < INT_MAX ? b->in_size : INT_MAX);
  stream->next_out = (Bytef *)b->out;
  stream->avail_out = (uInt)(b->out_size < INT_MAX ? b->out_size : INT_MAX);
  int code = inflate(stream, Z_NO_FLUSH);
  b->in_size -= (size_t)((char *)stream->next_in - b->in);
  b->out_size -= (size_t)((char *)stream->next_out - b->out);
  b->in = (char *)stream->next_in;
  b->out = (char *)stream->next_out;
  if (code == Z_MEM_ERROR) return BT_CODEC_NO_MEMORY;
  if (code == Z_STREAM_END) return BT_CODEC_ENDED;
  return code == Z_OK || code == Z_BUF_ERROR ? BT_CODEC_MORE : BT_CODEC_DAMAGED;
}

const bt_codec bt_codec_gzip = {"gzip", "zlib", "gunzip", begins, create, restart, step, destroy};

bt_status bt_gzip_deflate(const char *data, size_t size, bt_text *text, bt_error *opt_error) {
  if (size > INT_MAX)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "write it uncompressed",
                   "2 GiB are compressed at once at most");
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return bt_fail_memory(opt_error);
  size_t most = deflateBound(&stream, (uLong)size);
  bool done = most <= UINT_MAX && bt_text_reserve(text, most);
  if (done) {
    stream.next_out = (Bytef *)text->data + text->size;
    stream.avail_out = (uInt)most;
    done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    if (done) text->size += most - stream.avail_out;
    text->data[text->size] = '\0';
  }
  deflateEnd(&stream);
  return done ? BT_OK : bt_fail_memory(opt_error);
}

#else

const bt_codec bt_codec_gzip = {"gzip", "zlib", "gunzip", begins, NULL, NULL, NULL, NULL};

bt_status bt_gzip_deflate(const char *data, size_t size, bt_text *text, bt_error *opt_error) {
  (void)data, (void)size, (void)text;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "write it without .gz, or build with zlib",
                 "this build cannot compress files");
}

#endif
