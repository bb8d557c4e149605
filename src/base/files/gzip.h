/* gzip.h - compressed files that are written; unpack.h reads them. */
#ifndef BERTH_BASE_FILES_GZIP_H
#define BERTH_BASE_FILES_GZIP_H

#include "base/text/text.h"

/* Adds the bytes as a complete member of a gzip file; members one after the other are a file of all. Fails in a build
 * without zlib. */
bt_status bt_gzip_deflate(const char *data, size_t size, bt_text *text, bt_error *opt_error) BT_MUST_USE;

#endif
