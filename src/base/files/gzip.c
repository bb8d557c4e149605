/* gzip.c - compressed files. */
#include "base/files/gzip.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef BT_WITH_ZLIB
#include <zlib.h>
#endif

#include "base/memory.h"
#include "base/text/text.h"

bool bt_is_gzip(const char *data, size_t size) { return size >= 2 && memcmp(data, "\x1f\x8b", 2) == 0; }

#ifdef BT_WITH_ZLIB

static bt_status fail_damaged(bt_where where, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, where, "copy or compress it again",
                 "the compressed file is damaged or truncated");
}

static bt_status fail_large(bt_where where, size_t most, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_LIMIT, where, "split the file", "the file has more than %zu MiB", most >> 20);
}

/* One member after the other until the input is used up. */
static bt_status inflate_all(z_stream *stream, bt_text *text, size_t most, bt_where where, bt_error *opt_error) {
  int code = Z_OK;
  while (code == Z_OK || (code == Z_STREAM_END && stream->avail_in > 0)) {
    if (code == Z_STREAM_END && inflateReset(stream) != Z_OK) break;
    if (!bt_text_reserve(text, 65536)) return bt_fail_memory(opt_error);
    stream->next_out = (Bytef *)text->data + text->size;
    stream->avail_out = 65536;
    code = inflate(stream, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) return bt_fail_memory(opt_error);
    text->size += 65536 - stream->avail_out;
    text->data[text->size] = '\0';
    if (text->size > most) return fail_large(where, most, opt_error);
    if (code == Z_OK && stream->avail_in == 0 && stream->avail_out > 0) break;
  }
  if (code == Z_STREAM_END) return BT_OK;
  return fail_damaged(where, opt_error);
}

bt_status bt_gzip_inflate(const char *label, const char *data, size_t size, size_t most, char **ret_data,
                          size_t *ret_size, bt_error *opt_error) {
  bt_where where = {.file = label};
  if (most > INT_MAX) most = INT_MAX; /* what readers take */
  if (size > most) return fail_large(where, most, opt_error);
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return bt_fail_memory(opt_error);
  bt_text text = {0};
  bt_status status = inflate_all(&stream, &text, most, where, opt_error);
  inflateEnd(&stream);
  *ret_size = text.size;
  return BT_HAND_OVER(status, text.data, ret_data, free);
}

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

/* ------------------------------------------------------------------------------------------- block by block -- */

struct bt_gunzip {
  bt_stream_read_fn read;
  void *user;
  char *label;
  z_stream stream;
  bool begun, ended, between; /* inflateInit2 was called; no input is left; a member has ended */
  char input[1 << 16];
};

void bt_gunzip_close(bt_gunzip *opt_gunzip) {
  if (opt_gunzip == NULL) return;
  if (opt_gunzip->begun) inflateEnd(&opt_gunzip->stream);
  free(opt_gunzip->label);
  free(opt_gunzip);
}

bt_status bt_gunzip_open(bt_stream_read_fn read, void *user, const char *label, bt_gunzip **ret_gunzip,
                         bt_error *opt_error) {
  bt_gunzip *g = bt_allocate(1, sizeof *g);
  if (g == NULL) return bt_fail_memory(opt_error);
  g->read = read;
  g->user = user;
  g->label = bt_copy_text(label, strlen(label));
  g->begun = g->label != NULL && inflateInit2(&g->stream, 15 + 16) == Z_OK;
  bt_status status = g->begun ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, g, ret_gunzip, bt_gunzip_close);
}

static bt_status refill(bt_gunzip *g, bt_error *opt_error) {
  if (g->stream.avail_in > 0 || g->ended) return BT_OK;
  size_t count = 0;
  BT_TRY(g->read(g->user, g->input, sizeof g->input, &count, opt_error));
  g->ended = count == 0;
  g->stream.next_in = (Bytef *)g->input;
  g->stream.avail_in = (uInt)count;
  return BT_OK;
}

bt_status bt_gunzip_read(void *gunzip, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error) {
  bt_gunzip *g = gunzip;
  if (size > sizeof g->input) size = sizeof g->input;
  g->stream.next_out = (Bytef *)buffer;
  g->stream.avail_out = (uInt)size;
  *ret_count = 0;
  while (size > 0 && g->stream.avail_out == size) {
    BT_TRY(refill(g, opt_error));
    if (g->between && g->ended && g->stream.avail_in == 0) return BT_OK;
    if (g->between && inflateReset(&g->stream) != Z_OK) return fail_damaged((bt_where){.file = g->label}, opt_error);
    g->between = false;
    int code = inflate(&g->stream, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) return bt_fail_memory(opt_error);
    g->between = code == Z_STREAM_END;
    if (!g->between && code != Z_OK && (code != Z_BUF_ERROR || g->ended))
      return fail_damaged((bt_where){.file = g->label}, opt_error);
  }
  *ret_count = size - g->stream.avail_out;
  return BT_OK;
}

#else

static bt_status absent(const char *label, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label},
                 "decompress it with gunzip first, or build with zlib", "the file is compressed");
}

#pragma GCC diagnostic ignored "-Wunused-parameter"

bt_status bt_gzip_inflate(const char *label, const char *data, size_t size, size_t most, char **ret_data,
                          size_t *ret_size, bt_error *opt_error) {
  return absent(label, opt_error);
}

bt_status bt_gzip_deflate(const char *data, size_t size, bt_text *text, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "write it without .gz, or build with zlib",
                 "this build cannot compress files");
}

bt_status bt_gunzip_open(bt_stream_read_fn read, void *user, const char *label, bt_gunzip **ret_gunzip,
                         bt_error *opt_error) {
  return absent(label, opt_error);
}

bt_status bt_gunzip_read(void *gunzip, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error) {
  return absent("", opt_error);
}

void bt_gunzip_close(bt_gunzip *opt_gunzip) {}

#endif
