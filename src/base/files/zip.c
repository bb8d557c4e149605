/* zip.c - the files of a zip archive in memory (APPNOTE.TXT, version 6.3), without its 64-bit extension. */
#include "base/files/zip.h"

#ifdef BT_WITH_ZLIB
#include <zlib.h>
#endif

#include "base/memory.h"

enum {
  LOCAL_SIZE = 30,   /* header before an entry's bytes */
  CENTRAL_SIZE = 46, /* row of the directory at the archive's end */
  END_SIZE = 22,     /* what follows the directory, before a comment of at most 65535 bytes */
  MOST_COMMENT = 65535
};

/* Little-endian unsigned integers. */
static uint32_t u16(const char *at) { return (uint32_t)(uint8_t)at[0] | (uint32_t)(uint8_t)at[1] << 8; }

static uint32_t u32(const char *at) { return u16(at) | u16(at + 2) << 16; }

bool bt_is_zip(const char *data, size_t size) { return size >= 4 && memcmp(data, "PK\3\4", 4) == 0; }

static bt_status damaged(const char *label, const char *what, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "copy or download it again",
                 "the zip archive is damaged: %s", what);
}

/* Half a byte at a time. */
uint32_t bt_crc32(const void *data, size_t size) {
  static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                     0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  const uint8_t *bytes = data;
  uint32_t crc = 0xffffffff;
  for (size_t k = 0; k < size; k++) {
    crc = table[(crc ^ bytes[k]) & 15] ^ crc >> 4;
    crc = table[(crc ^ bytes[k] >> 4) & 15] ^ crc >> 4;
  }
  return ~crc;
}

/* The record that says where the directory is; NULL: none. */
static const char *find_end(const char *data, size_t size) {
  if (size < END_SIZE) return NULL;
  size_t lowest = size - END_SIZE > MOST_COMMENT ? size - END_SIZE - MOST_COMMENT : 0;
  for (size_t at = size - END_SIZE;; at--) {
    if (memcmp(data + at, "PK\5\6", 4) == 0) return data + at;
    if (at == lowest) return NULL;
  }
}

/* Fills an entry from its row of the directory, whose fixed part is within the archive. */
static bt_status read_row(const char *label, bt_span archive, const char *row, bt_zip_entry *ret_entry,
                          bt_error *opt_error) {
  bt_where where = {.file = label};
  uint32_t flags = u16(row + 8), method = u16(row + 10), packed = u32(row + 20), size = u32(row + 24);
  size_t offset = u32(row + 42);
  if (packed == UINT32_MAX || size == UINT32_MAX || offset == UINT32_MAX)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "unpack it first", "the zip archive is larger than 4 GiB");
  if ((flags & 1) != 0)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "unpack it first", "the zip archive is encrypted");
  if (method != 0 && method != 8)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "unpack it first, or pack it again by the method deflate",
                   "the zip archive is packed by the method %u", (unsigned)method);
  if (offset > archive.size || archive.size - offset < LOCAL_SIZE || memcmp(archive.text + offset, "PK\3\4", 4) != 0)
    return damaged(label, "an entry is not where its directory says", opt_error);
  /* the header before the bytes has lengths of its own */
  offset += LOCAL_SIZE + u16(archive.text + offset + 26) + u16(archive.text + offset + 28);
  if (offset > archive.size || archive.size - offset < packed || (method == 0 && packed != size))
    return damaged(label, "an entry is truncated", opt_error);
  *ret_entry = (bt_zip_entry){.name = {row + CENTRAL_SIZE, u16(row + 28)},
                              .packed = {archive.text + offset, packed},
                              .size = size,
                              .crc = u32(row + 16),
                              .deflated = method == 8};
  return BT_OK;
}

/* The row of the directory at *at, which becomes the offset of the next one; NULL if it does not end before limit. */
static const char *row_at(const char *data, size_t *at, size_t limit) {
  if (*at > limit || limit - *at < CENTRAL_SIZE) return NULL;
  const char *row = data + *at;
  *at += CENTRAL_SIZE + u16(row + 28) + u16(row + 30) + u16(row + 32);
  return *at <= limit && memcmp(row, "PK\1\2", 4) == 0 ? row : NULL;
}

bt_status bt_zip_list(const char *label, const char *data, size_t size, bt_zip_entry **ret_entries, size_t *ret_count,
                      bt_error *opt_error) {
  const char *end = find_end(data, size);
  if (end == NULL) return damaged(label, "its directory is missing", opt_error);
  size_t number = u16(end + 10), at = u32(end + 16), limit = (size_t)(end - data), count = 0;
  bt_zip_entry *entries = bt_allocate(number, sizeof *entries);
  bt_status status = entries != NULL ? BT_OK : bt_fail_memory(opt_error);
  for (size_t k = 0; status == BT_OK && k < number; k++) {
    const char *row = row_at(data, &at, limit);
    if (row != NULL)
      status = read_row(label, (bt_span){data, size}, row, &entries[count], opt_error);
    else
      status = damaged(label, "its directory is damaged", opt_error);
    bt_span name = entries[count].name;
    count += status == BT_OK && name.size > 0 && name.text[name.size - 1] != '/'; /* not a folder */
  }
  *ret_count = count;
  return BT_HAND_OVER(status, entries, ret_entries, free);
}

#ifdef BT_WITH_ZLIB

static bt_status unpack(const char *label, const bt_zip_entry *entry, char *content, bt_error *opt_error) {
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)entry->packed.text, .avail_in = (uInt)entry->packed.size};
  if (inflateInit2(&stream, -15) != Z_OK) return bt_fail_memory(opt_error);
  stream.next_out = (Bytef *)content;
  stream.avail_out = (uInt)entry->size;
  int code = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (code == Z_MEM_ERROR) return bt_fail_memory(opt_error);
  return code == Z_STREAM_END && stream.avail_out == 0 ? BT_OK
                                                       : damaged(label, "an entry cannot be unpacked", opt_error);
}

#else

static bt_status unpack(const char *label, const bt_zip_entry *entry, char *content, bt_error *opt_error) {
  (void)entry, (void)content;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "unpack it first (unzip), or build with zlib",
                 "the zip archive is compressed");
}

#endif

bt_status bt_zip_read(const char *label, const bt_zip_entry *entry, size_t most, bt_span *ret_content,
                      char **ret_memory, bt_error *opt_error) {
  *ret_memory = NULL;
  *ret_content = entry->packed;
  if (entry->size > most)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = label}, "check the archive",
                   "%.*s has more than %zu MiB", BT_SHOWN(entry->name), most >> 20);
  if (entry->deflated) {
    char *content = bt_allocate(entry->size + 1, 1);
    if (content == NULL) return bt_fail_memory(opt_error);
    bt_status status = unpack(label, entry, content, opt_error);
    BT_TRY(BT_HAND_OVER(status, content, ret_memory, free));
    *ret_content = (bt_span){content, entry->size};
  }
  if (bt_crc32(ret_content->text, ret_content->size) == entry->crc) return BT_OK;
  free(*ret_memory);
  *ret_memory = NULL;
  return damaged(label, "the checksum of an entry is wrong", opt_error);
}
