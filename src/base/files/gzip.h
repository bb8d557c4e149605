/* gzip.h - compressed files. */
#ifndef BERTH_BASE_FILES_GZIP_H
#define BERTH_BASE_FILES_GZIP_H

#include "base/files/stream.h"
#include "base/text/text.h"

/* Do the bytes begin with gzip's magic number? */
bool bt_is_gzip(const char *data, size_t size);

/* Decompresses a whole file of one or more members; the result ends with a NUL that size does not count, free() it.
 * label is the file's name in messages. BT_ERR_LIMIT when there are more bytes than `most`. Fails in a build without
 * zlib. */
bt_status bt_gzip_inflate(const char *label, const char *data, size_t size, size_t most, char **ret_data,
                          size_t *ret_size, bt_error *opt_error) BT_MUST_USE;

/* Adds the bytes as a complete member of a gzip file; members one after the other are a file of all. Fails in a build
 * without zlib. */
bt_status bt_gzip_deflate(const char *data, size_t size, bt_text *text, bt_error *opt_error) BT_MUST_USE;

/* Decompresses what a function reads, block by block in constant memory. label is copied. */
typedef struct bt_gunzip bt_gunzip;

bt_status bt_gunzip_open(bt_stream_read_fn read, void *user, const char *label, bt_gunzip **ret_gunzip,
                         bt_error *opt_error) BT_MUST_USE;
/* A bt_stream_read_fn with the bt_gunzip as user. */
bt_status bt_gunzip_read(void *gunzip, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error);
void bt_gunzip_close(bt_gunzip *opt_gunzip);

#endif
