/* unpack.h - decompresses gzip, bzip2 and Zstandard, recognized by their magic numbers. */
#ifndef BERTH_BASE_FILES_UNPACK_H
#define BERTH_BASE_FILES_UNPACK_H

#include "base/files/stream.h"

enum { BT_UNPACK_MAGIC = 4 }; /* bytes that tell the method */

/* Do the bytes begin like a compressed file? */
bool bt_is_packed(const char *data, size_t size);
/* Length of the ending of a compressed file (".gz", ".bz2", ".zst", in any case); 0 for others. */
size_t bt_packed_ending(const char *path, size_t size);

/* Decompresses what a function reads, block by block in constant memory; what is not compressed is passed on. Members
 * (frames of Zstandard) may follow each other, and zero bytes the last of them. label is the file's name in messages,
 * and is copied. BT_ERR_INPUT: the data are damaged or truncated, or this build lacks the library of the method. */
typedef struct bt_unpack bt_unpack;

bt_status bt_unpack_open(bt_stream_read_fn read, void *user, const char *label, bt_unpack **ret_unpack,
                         bt_error *opt_error) BT_MUST_USE;
/* A bt_stream_read_fn with the bt_unpack as user. */
bt_status bt_unpack_read(void *unpack, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error);
void bt_unpack_close(bt_unpack *opt_unpack);

/* The same for a whole file in memory; the result ends with a NUL that size does not count, free() it. BT_ERR_LIMIT
 * when there are more bytes than `most`. */
bt_status bt_unpack_memory(const char *label, const char *data, size_t size, size_t most, char **ret_data,
                           size_t *ret_size, bt_error *opt_error) BT_MUST_USE;

#endif
