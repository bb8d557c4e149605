/* archive.h - sequential access to the files of a tar archive, plain or compressed. */
#ifndef BERTH_LIBRARY_ARCHIVE_H
#define BERTH_LIBRARY_ARCHIVE_H

#include "base/files/stream.h"

typedef struct bt_archive bt_archive;

bt_status bt_archive_open(const char *path, bt_archive **ret_archive, bt_error *opt_error) BT_MUST_USE;
void bt_archive_close(bt_archive *opt_archive);
/* A member of an archive. */
typedef struct bt_archive_member {
  const char *name; /* valid until the next call; NULL: the end */
  uint64_t size;
  const char *opt_link; /* a hard or symbolic link without content of its own: its target */
  bool unreadable;      /* neither that nor a regular file: a device, a pipe, a sparse file */
} bt_archive_member;

/* The next member that is not a folder; the rest of the previous one is skipped. BT_ERR_INPUT if the archive is damaged
 * or truncated; it cannot be read any further. */
bt_status bt_archive_next(bt_archive *archive, bt_archive_member *ret_member, bt_error *opt_error) BT_MUST_USE;
/* Bytes of that member: a bt_stream_read_fn with the archive as user. */
bt_status bt_archive_read(void *archive, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error);

#endif
