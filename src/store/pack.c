/* pack.c - compression of texts for the database. */
#include "store/pack.h"

#include <stdlib.h>
#include <string.h>

#ifdef BT_WITH_ZLIB
#include <zlib.h>
#endif

static bt_status damaged(bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "restore it from a copy", "a compressed text is damaged");
}

#ifdef BT_WITH_ZLIB
/* False if compression does not help. */
static bool deflate_text(const char *text, size_t size, void **ret_data, size_t *ret_size) {
  uLongf packed = compressBound((uLong)size);
  void *data = malloc(packed);
  if (data != NULL && compress2(data, &packed, (const Bytef *)text, (uLong)size, 6) == Z_OK && packed < size) {
    *ret_data = data;
    *ret_size = packed;
    return true;
  }
  free(data);
  return false;
}
#endif

bt_status bt_pack(const char *text, size_t size, void **ret_data, size_t *ret_size, int *ret_encoding,
                  bt_error *opt_error) {
#ifdef BT_WITH_ZLIB
  *ret_encoding = BT_PACK_ZLIB;
  if (deflate_text(text, size, ret_data, ret_size)) return BT_OK;
#endif
  *ret_encoding = BT_PACK_PLAIN;
  *ret_size = size;
  *ret_data = malloc(size + 1);
  if (*ret_data == NULL) return bt_fail_memory(opt_error);
  memcpy(*ret_data, text, size);
  return BT_OK;
}

bt_status bt_unpack(const void *data, size_t packed_size, int encoding, size_t size, char **ret_text,
                    bt_error *opt_error) {
  if (size > (size_t)1 << 31 || (packed_size > 0 && data == NULL)) return damaged(opt_error);
  char *text = calloc(1, size + 1);
  if (text == NULL) return bt_fail_memory(opt_error);
  bool ok = false, memory = true;
  if (encoding == BT_PACK_PLAIN && packed_size == size) {
    if (size > 0) memcpy(text, data, size);
    ok = true;
  }
#ifdef BT_WITH_ZLIB
  uLongf unpacked = (uLongf)size;
  if (encoding == BT_PACK_ZLIB) {
    int code = uncompress((Bytef *)text, &unpacked, data, (uLong)packed_size);
    ok = code == Z_OK && unpacked == size;
    memory = code != Z_MEM_ERROR;
  }
#else
  if (encoding == BT_PACK_ZLIB) {
    free(text);
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "install zlib1g-dev and build again",
                   "this build has no zlib to decompress a text");
  }
#endif
  if (!ok) {
    free(text);
    return memory ? damaged(opt_error) : bt_fail_memory(opt_error);
  }
  *ret_text = text;
  return BT_OK;
}
