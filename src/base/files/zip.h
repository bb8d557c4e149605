/* zip.h - the files of a zip archive in memory, stored or deflated. */
#ifndef BERTH_BASE_FILES_ZIP_H
#define BERTH_BASE_FILES_ZIP_H

#include "base/text/text.h"

typedef struct bt_zip_entry {
  bt_span name;   /* with folders; borrowed from the archive, as is packed */
  bt_span packed; /* its bytes in the archive */
  size_t size;    /* when unpacked, as the archive says */
  uint32_t crc;
  bool deflated;
} bt_zip_entry;

/* Do the bytes begin as a zip archive with entries does? */
bool bt_is_zip(const char *data, size_t size);

/* The entries that are files; free() them. label is the archive's name in messages. BT_ERR_INPUT if it is damaged,
 * encrypted, larger than 4 GiB, or packed by other methods. */
bt_status bt_zip_list(const char *label, const char *data, size_t size, bt_zip_entry **ret_entries, size_t *ret_count,
                      bt_error *opt_error) BT_MUST_USE;

/* The content of an entry, checked against its CRC-32. *ret_memory is free()d by the caller when the content is no
 * longer needed: NULL if the entry is stored, as the content is then borrowed from the archive. BT_ERR_LIMIT when there
 * are more bytes than `most`. A deflated entry needs a build with zlib. */
bt_status bt_zip_read(const char *label, const bt_zip_entry *entry, size_t most, bt_span *ret_content,
                      char **ret_memory, bt_error *opt_error) BT_MUST_USE;

/* CRC-32 of zip and gzip files. */
uint32_t bt_crc32(const void *data, size_t size);

#endif
