/* stream.c - reading lines from a file, compressed or not, from memory. */
#include "base/files/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/unpack.h"
#include "base/memory.h"

enum { BLOCK = 1 << 16, LONGEST_LINE = 1 << 20 };

struct bt_stream {
  char *label;
  int descriptor;    /* -1: everything is in memory already */
  bt_unpack *unpack; /* of the file or of another source; NULL likewise */
  char *data;        /* bytes [at, size) are still unread */
  size_t at, size, room;
  bool ended, again;
  bt_span line; /* the last one */
  long number;
};

/* Ready to be filled in; NULL when memory is exhausted. */
static bt_stream *create(const char *label) {
  bt_stream *stream = bt_allocate(1, sizeof *stream);
  if (stream == NULL) return NULL;
  stream->descriptor = -1;
  stream->label = bt_copy_text(label, strlen(label));
  if (stream->label != NULL) return stream;
  free(stream);
  return NULL;
}

bt_status bt_stream_open_text(const char *text, size_t size, const char *label, bt_stream **ret_stream,
                              bt_error *opt_error) {
  bt_stream *stream = create(label);
  if (stream == NULL) return bt_fail_memory(opt_error);
  stream->data = bt_copy_text(text, size);
  stream->size = size;
  stream->ended = true;
  bt_status status = stream->data != NULL ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, stream, ret_stream, bt_stream_close);
}

static bt_status read_file(void *user, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error) {
  const bt_stream *stream = user;
  ssize_t count;
  do count = read(stream->descriptor, buffer, size);
  while (count < 0 && errno == EINTR);
  if (count < 0) return bt_file_fail_read(stream->label, errno, opt_error);
  *ret_count = (size_t)count;
  return BT_OK;
}

static bt_status open_file(bt_stream *stream, const char *path, bt_error *opt_error) {
  struct stat info;
  stream->descriptor = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
  if (stream->descriptor < 0) return bt_file_fail_read(stream->label, errno, opt_error);
  if (fstat(stream->descriptor, &info) == 0 && S_ISDIR(info.st_mode))
    return bt_file_fail_read(stream->label, EISDIR, opt_error);
  return bt_unpack_open(read_file, stream, stream->label, &stream->unpack, opt_error);
}

bt_status bt_stream_open(const char *path, bt_stream **ret_stream, bt_error *opt_error) {
  bt_stream *stream = create(bt_file_label(path));
  bt_status status = stream != NULL ? open_file(stream, path, opt_error) : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, stream, ret_stream, bt_stream_close);
}

bt_status bt_stream_open_source(bt_stream_read_fn read, void *user, const char *label, bt_stream **ret_stream,
                                bt_error *opt_error) {
  bt_stream *stream = create(label);
  bt_status status =
      stream != NULL ? bt_unpack_open(read, user, label, &stream->unpack, opt_error) : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, stream, ret_stream, bt_stream_close);
}

void bt_stream_close(bt_stream *opt_stream) {
  if (opt_stream == NULL) return;
  bt_unpack_close(opt_stream->unpack);
  if (opt_stream->descriptor >= 0) close(opt_stream->descriptor);
  free(opt_stream->label);
  free(opt_stream->data);
  free(opt_stream);
}

const char *bt_stream_label(const bt_stream *stream) { return stream->label; }
long bt_stream_line(const bt_stream *stream) { return stream->number; }

/* Up to BLOCK bytes to the end of data; 0 at the end of the file. */
static bt_status read_block(bt_stream *stream, size_t *ret_count, bt_error *opt_error) {
  if (!BT_GROW(stream->data, &stream->room, stream->size + BLOCK)) return bt_fail_memory(opt_error);
  bt_status status = bt_unpack_read(stream->unpack, stream->data + stream->size, BLOCK, ret_count, opt_error);
  if (status == BT_ERR_INPUT && opt_error != NULL) opt_error->line = stream->number;
  if (status == BT_OK) stream->size += *ret_count;
  return status;
}

static bt_status fill(bt_stream *stream, bt_error *opt_error) {
  if (stream->at > 0) {
    memmove(stream->data, stream->data + stream->at, stream->size - stream->at);
    stream->size -= stream->at;
    stream->at = 0;
  }
  size_t count = 0;
  BT_TRY(read_block(stream, &count, opt_error));
  stream->ended = count == 0;
  return BT_OK;
}

bt_status bt_stream_next(bt_stream *stream, bt_span *ret_line, bool *ret_found, bt_error *opt_error) {
  *ret_found = true;
  if (stream->again) {
    stream->again = false;
    stream->number++;
    *ret_line = stream->line;
    return BT_OK;
  }
  size_t looked = 0;
  const char *end = NULL;
  for (;;) {
    size_t left = stream->size - stream->at;
    if (left > looked) end = memchr(stream->data + stream->at + looked, '\n', left - looked);
    if (end != NULL || stream->ended || left >= LONGEST_LINE) break;
    looked = left;
    BT_TRY(fill(stream, opt_error));
  }
  size_t left = stream->size - stream->at;
  if (left == 0) {
    *ret_found = false;
    return BT_OK;
  }
  const char *start = stream->data + stream->at;
  size_t size = end != NULL ? (size_t)(end - start) : left;
  stream->at += size + (end != NULL);
  if (size > 0 && start[size - 1] == '\r') size--;
  if (stream->number == 0 && size >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0) start += 3, size -= 3;
  stream->number++;
  stream->line = *ret_line = (bt_span){start, size};
  return BT_OK;
}

bt_status bt_stream_read(bt_stream *stream, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error) {
  *ret_count = 0;
  while (*ret_count < size) {
    size_t left = stream->size - stream->at, wanted = size - *ret_count, count = left < wanted ? left : wanted;
    if (count > 0) memcpy(buffer + *ret_count, stream->data + stream->at, count);
    stream->at += count;
    *ret_count += count;
    if (count == wanted || stream->ended) break;
    BT_TRY(fill(stream, opt_error));
  }
  return BT_OK;
}

void bt_stream_back(bt_stream *stream) {
  stream->again = true;
  stream->number--;
}
