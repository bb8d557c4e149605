/* archive.c - tar archives: records of 512 bytes, a header before each file (POSIX ustar, pax and GNU's long names). */
#include "library/archive.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
  RECORD = 512,
  AT_SIZE = 124,
  AT_CHECKSUM = 148,
  AT_TYPE = 156,
  AT_LINK = 157,
  AT_MAGIC = 257,
  AT_PREFIX = 345,
  LONGEST_HEADER = 1 << 20 /* bytes of a long name or of pax records */
};

struct bt_archive {
  bt_stream *stream;
  char *path;
  char *name;      /* of the current file */
  char *long_name; /* for the next file; NULL: its header has it */
  char *link, *long_link; /* likewise: what it is a link to */
  uint64_t long_size;
  bool has_long_size;
  uint64_t left, padding; /* bytes of the current file that are not read yet, and behind it */
};

static bt_status fail(const bt_archive *archive, bt_error *opt_error, const char *what) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = archive->path}, "copy or pack it again",
                 "the archive is damaged: %s", what);
}

bt_status bt_archive_open(const char *path, bt_archive **ret_archive, bt_error *opt_error) {
  bt_archive *archive = bt_allocate(1, sizeof *archive);
  if (archive == NULL) return bt_fail_memory(opt_error);
  archive->path = bt_copy_text(path, strlen(path));
  bt_status status =
      archive->path == NULL ? bt_fail_memory(opt_error) : bt_stream_open(path, &archive->stream, opt_error);
  return BT_HAND_OVER(status, archive, ret_archive, bt_archive_close);
}

void bt_archive_close(bt_archive *opt_archive) {
  if (opt_archive == NULL) return;
  bt_stream_close(opt_archive->stream);
  free(opt_archive->path);
  free(opt_archive->name);
  free(opt_archive->long_name);
  free(opt_archive->link);
  free(opt_archive->long_link);
  free(opt_archive);
}

bt_status bt_archive_read(void *user, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error) {
  bt_archive *archive = user;
  if (size > archive->left) size = (size_t)archive->left;
  BT_TRY(bt_stream_read(archive->stream, buffer, size, ret_count, opt_error));
  archive->left -= *ret_count;
  return *ret_count == size ? BT_OK : fail(archive, opt_error, "it ends within a file");
}

static bt_status skip(bt_archive *archive, bt_error *opt_error) {
  char buffer[1 << 14];
  archive->left += archive->padding;
  archive->padding = 0;
  while (archive->left > 0) {
    size_t count;
    BT_TRY(bt_archive_read(archive, buffer, sizeof buffer, &count, opt_error));
  }
  return BT_OK;
}

/* Octal digits, or big-endian with the first bit set. */
static bool read_number(const char *field, int width, uint64_t *ret_value) {
  const unsigned char *at = (const unsigned char *)field;
  *ret_value = 0;
  if (at[0] >= 128) {
    if (at[0] != 128) return false;
    for (int i = 1; i < width; i++) {
      if (*ret_value >> 55 != 0) return false;
      *ret_value = *ret_value << 8 | at[i];
    }
    return true;
  }
  int i = 0;
  while (i < width && at[i] == ' ') i++;
  for (; i < width && at[i] >= '0' && at[i] <= '7'; i++) *ret_value = *ret_value << 3 | (uint64_t)(at[i] - '0');
  return i == width || at[i] == ' ' || at[i] == '\0';
}

static bool checksum_fits(const char *header) {
  uint64_t wanted;
  long sum = 0;
  for (int i = 0; i < RECORD; i++) sum += i >= AT_CHECKSUM && i < AT_CHECKSUM + 8 ? ' ' : (unsigned char)header[i];
  return read_number(header + AT_CHECKSUM, 8, &wanted) && (long)wanted == sum;
}

static bt_status keep_text(char **to, const char *text, size_t size, bt_error *opt_error) {
  free(*to);
  *to = bt_copy_text(text, size);
  return *to != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* Records "LENGTH KEY=VALUE\n" of pax: path, target of a link, and size matter here. */
static bt_status read_pax(bt_archive *archive, const char *text, size_t size, bt_error *opt_error) {
  for (size_t at = 0; at < size;) {
    const char *blank = memchr(text + at, ' ', size - at);
    int64_t length = 0;
    if (blank == NULL || !bt_parse_int64((bt_span){text + at, (size_t)(blank - text) - at}, &length) || length < 5 ||
        (uint64_t)length > size - at || text[at + (size_t)length - 1] != '\n' || blank + 1 - text - (long)at >= length)
      return fail(archive, opt_error, "pax records");
    bt_span pair = {blank + 1, (size_t)(text + at + length - 1 - (blank + 1))};
    if (bt_span_starts(pair, "path=")) {
      BT_TRY(keep_text(&archive->long_name, pair.text + 5, pair.size - 5, opt_error));
    } else if (bt_span_starts(pair, "linkpath=")) {
      BT_TRY(keep_text(&archive->long_link, pair.text + 9, pair.size - 9, opt_error));
    } else if (bt_span_starts(pair, "size=")) {
      archive->has_long_size = bt_parse_uint64((bt_span){pair.text + 5, pair.size - 5}, &archive->long_size);
    }
    at += (size_t)length;
  }
  return BT_OK;
}

/* An extension entry that describes the next file. */
static bt_status read_extra(bt_archive *archive, char type, bt_error *opt_error) {
  if (archive->left > LONGEST_HEADER) return fail(archive, opt_error, "a header is too long");
  size_t size = (size_t)archive->left, count;
  BT_SCOPED char *text = bt_allocate(size + 1, 1);
  if (text == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_archive_read(archive, text, size, &count, opt_error));
  if (type == 'x') return read_pax(archive, text, size, opt_error);
  if (type == 'K') return keep_text(&archive->long_link, text, strlen(text), opt_error);
  return type == 'L' ? keep_text(&archive->long_name, text, strlen(text), opt_error) : BT_OK;
}

static bt_status take_name(bt_archive *archive, const char *header, bt_error *opt_error) {
  bt_text name = {0};
  if (archive->long_name == NULL) {
    bool prefix = memcmp(header + AT_MAGIC, "ustar", 6) == 0 && header[AT_PREFIX] != '\0';
    if (prefix) {
      bt_text_add(&name, header + AT_PREFIX, strnlen(header + AT_PREFIX, 155));
      bt_text_add_char(&name, '/');
    }
    bt_text_add(&name, header, strnlen(header, 100));
    BT_TRY(bt_text_status(&name, opt_error));
  }
  free(archive->name);
  archive->name = archive->long_name != NULL ? archive->long_name : name.data;
  archive->long_name = NULL;
  return BT_OK;
}

static bt_status take_link(bt_archive *archive, const char *header, bt_error *opt_error) {
  if (archive->long_link == NULL)
    return keep_text(&archive->link, header + AT_LINK, strnlen(header + AT_LINK, 100), opt_error);
  free(archive->link);
  archive->link = archive->long_link;
  archive->long_link = NULL;
  return BT_OK;
}

bt_status bt_archive_next(bt_archive *archive, bt_archive_member *ret_member, bt_error *opt_error) {
  *ret_member = (bt_archive_member){.name = NULL};
  for (;;) {
    char header[RECORD];
    size_t count;
    BT_TRY(skip(archive, opt_error));
    BT_TRY(bt_stream_read(archive->stream, header, sizeof header, &count, opt_error));
    if (count == 0) return BT_OK;
    if (count < sizeof header) return fail(archive, opt_error, "it ends within a header");
    if (header[0] == '\0') return BT_OK; /* the end mark */
    uint64_t size;
    if (!checksum_fits(header) || !read_number(header + AT_SIZE, 12, &size))
      return fail(archive, opt_error, "a header is wrong");
    char type = header[AT_TYPE];
    bool extra = type == 'L' || type == 'K' || type == 'x' || type == 'g';
    if (!extra && archive->has_long_size) size = archive->long_size;
    if (size > (uint64_t)1 << 60) return fail(archive, opt_error, "a size is wrong");
    archive->left = type >= '1' && type <= '6' ? 0 : size; /* links, devices and folders have no content */
    archive->padding = (RECORD - archive->left % RECORD) % RECORD;
    if (extra) {
      BT_TRY(read_extra(archive, type, opt_error));
      continue;
    }
    BT_TRY(take_name(archive, header, opt_error));
    BT_TRY(take_link(archive, header, opt_error));
    archive->has_long_size = false;
    if (type == '5') continue;
    bool link = type == '1' || type == '2', regular = type == '0' || type == '\0' || type == '7';
    *ret_member = (bt_archive_member){.name = archive->name,
                                      .size = size,
                                      .opt_link = link ? archive->link : NULL,
                                      .unreadable = !link && !regular};
    return BT_OK;
  }
}
