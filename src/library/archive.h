/* archive.h - sequential access to the files of a tar archive, plain or gzipped. */
#ifndef BERTH_LIBRARY_ARCHIVE_H
#define BERTH_LIBRARY_ARCHIVE_H

#include "base/stream.h"

typedef struct bt_archive bt_archive;

bt_status bt_archive_open(const char *path, bt_archive **ret_archive, bt_error *opt_error) BT_MUST_USE;
void bt_archive_close(bt_archive *opt_archive);
/* The next regular file; what is left of the one before is skipped. name is valid until the next call, NULL at the end.
 * BT_ERR_INPUT if the archive is damaged or truncated; it cannot be read any further. */
bt_status bt_archive_next(bt_archive *archive, const char **ret_name, uint64_t *ret_size,
                          bt_error *opt_error) BT_MUST_USE;
/* Bytes of that file: a bt_stream_read_fn with the archive as user. */
bt_status bt_archive_read(void *archive, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error);

#endif
