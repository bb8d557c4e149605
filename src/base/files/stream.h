/* stream.h - a text file line by line in constant memory; compressed files are decompressed on the fly (unpack.h). */
#ifndef BERTH_BASE_FILES_STREAM_H
#define BERTH_BASE_FILES_STREAM_H

#include "base/text/text.h"

typedef struct bt_stream bt_stream;

/* path "-" is standard input. */
bt_status bt_stream_open(const char *path, bt_stream **ret_stream, bt_error *opt_error) BT_MUST_USE;
/* Reads a text in memory, which is copied; label is for messages. */
bt_status bt_stream_open_text(const char *text, size_t size, const char *label, bt_stream **ret_stream,
                              bt_error *opt_error) BT_MUST_USE;
/* The same from a callback, compressed or not: up to size bytes into buffer, *ret_count 0 at the end. user is borrowed. */
typedef bt_status (*bt_stream_read_fn)(void *user, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error);
bt_status bt_stream_open_source(bt_stream_read_fn read, void *user, const char *label, bt_stream **ret_stream,
                                bt_error *opt_error) BT_MUST_USE;
void bt_stream_close(bt_stream *opt_stream);

const char *bt_stream_label(const bt_stream *stream);
/* Number of the line last read, from 1. */
long bt_stream_line(const bt_stream *stream);
/* The next line without its end, valid until the next call; *ret_found is false at the end. A line of more than 1 MiB
 * is cut there. NUL bytes are kept: see bt_text_is_binary. */
bt_status bt_stream_next(bt_stream *stream, bt_span *ret_line, bool *ret_found, bt_error *opt_error) BT_MUST_USE;
/* Bytes instead of lines: up to size of them, unpacked; *ret_count is less only at the end. */
bt_status bt_stream_read(bt_stream *stream, char *buffer, size_t size, size_t *ret_count,
                         bt_error *opt_error) BT_MUST_USE;
/* Pushes the last line back: the next call returns it again. */
void bt_stream_back(bt_stream *stream);

#endif
