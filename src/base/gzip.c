/* gzip.c - compressed input files. */
#include "base/gzip.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef BT_WITH_ZLIB
#include <zlib.h>
#endif

#include "base/text.h"

bool bt_gzip_is(const char *data, size_t size) { return size >= 2 && memcmp(data, "\x1f\x8b", 2) == 0; }

#ifdef BT_WITH_ZLIB

static const size_t LARGEST = (size_t)INT_MAX; /* what readers take at most */

/* One member after the other until the input is used up. */
static bt_status inflate_all(z_stream *stream, bt_text *text, bt_where where, bt_error *opt_error) {
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
    if (text->size > LARGEST)
      return bt_fail(opt_error, BT_ERR_LIMIT, where, "split the file", "the file has more than 2 GiB");
    if (code == Z_OK && stream->avail_in == 0 && stream->avail_out > 0) break;
  }
  if (code == Z_STREAM_END) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, where, "copy or compress it again",
                 "the compressed file is damaged or cut off");
}

bt_status bt_gzip_inflate(const char *label, const char *data, size_t size, char **ret_data, size_t *ret_size,
                          bt_error *opt_error) {
  bt_where where = {.file = label};
  if (size > LARGEST) return bt_fail(opt_error, BT_ERR_LIMIT, where, "split the file", "the file has more than 2 GiB");
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return bt_fail_memory(opt_error);
  bt_text text = {0};
  bt_status status = inflate_all(&stream, &text, where, opt_error);
  inflateEnd(&stream);
  *ret_size = text.size;
  return BT_HAND_OVER(status, text.data, ret_data, free);
}

#else

bt_status bt_gzip_inflate(const char *label, const char *data, size_t size, char **ret_data, size_t *ret_size,
                          bt_error *opt_error) {
  (void)data;
  (void)size;
  (void)ret_data;
  (void)ret_size;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label},
                 "decompress it with gunzip first, or build with zlib", "the file is compressed");
}

#endif
