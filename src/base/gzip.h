/* gzip.h - compressed input files. */
#ifndef BERTH_BASE_GZIP_H
#define BERTH_BASE_GZIP_H

#include "base/status.h"

/* Do the bytes begin as gzip's files do? */
bool bt_gzip_is(const char *data, size_t size);

/* Decompresses a whole file, also of several members; the result ends with a NUL that size does not count, free() it.
 * label is the file's name in messages. Fails in a build without zlib. */
bt_status bt_gzip_inflate(const char *label, const char *data, size_t size, char **ret_data, size_t *ret_size,
                          bt_error *opt_error) BT_MUST_USE;

#endif
