/* unpack.c - compressed files, whatever their method. */
#include "base/files/unpack.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/files/codec.h"
#include "base/memory.h"
#include "base/text/text.h"

static const bt_codec *const codecs[] = {&bt_codec_gzip, &bt_codec_bzip2, &bt_codec_zstd};

struct bt_unpack {
  bt_stream_read_fn read;
  void *user;
  char *label;
  const bt_codec *opt_codec;  /* NULL: not compressed */
  void *state;                /* of the codec */
  bool known, ended, between; /* the method is known; the source is read; a member is complete */
  size_t at, size;            /* bytes [at, size) of the input are unread */
  char input[1 << 16];
};

static const bt_codec *codec_of(const char *data, size_t size) {
  for (size_t k = 0; k < sizeof codecs / sizeof *codecs; k++)
    if (codecs[k]->begins(data, size)) return codecs[k];
  return NULL;
}

bool bt_is_packed(const char *data, size_t size) { return codec_of(data, size) != NULL; }

size_t bt_packed_ending(const char *path, size_t size) {
  static const char *const endings[] = {".gz", ".bz2", ".zst"};
  for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
    size_t length = strlen(endings[k]);
    if (size > length && strncasecmp(path + size - length, endings[k], length) == 0) return length;
  }
  return 0;
}

bt_status bt_unpack_open(bt_stream_read_fn read, void *user, const char *label, bt_unpack **ret_unpack,
                         bt_error *opt_error) {
  bt_unpack *u = bt_allocate(1, sizeof *u);
  if (u == NULL) return bt_fail_memory(opt_error);
  u->read = read;
  u->user = user;
  u->label = bt_copy_text(label, strlen(label));
  bt_status status = u->label != NULL ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, u, ret_unpack, bt_unpack_close);
}

void bt_unpack_close(bt_unpack *opt_unpack) {
  if (opt_unpack == NULL) return;
  if (opt_unpack->state != NULL) opt_unpack->opt_codec->destroy(opt_unpack->state);
  free(opt_unpack->label);
  free(opt_unpack);
}

static bt_status fail_data(const bt_unpack *u, const char *what, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = u->label}, "copy or compress it again",
                 "the compressed file is %s (%s)", what, u->opt_codec->name);
}

static bt_status fail_absent(const bt_unpack *u, bt_error *opt_error) {
  char remedy[80];
  snprintf(remedy, sizeof remedy, "decompress it with %s first, or build with %s", u->opt_codec->program,
           u->opt_codec->library);
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = u->label}, remedy,
                 "the file is compressed (%s), which this build cannot read", u->opt_codec->name);
}

/* More input behind what is unread, if the source has any. */
static bt_status refill(bt_unpack *u, bt_error *opt_error) {
  size_t count = 0;
  if (u->ended) return BT_OK;
  if (u->at > 0) memmove(u->input, u->input + u->at, u->size - u->at);
  u->size -= u->at;
  u->at = 0;
  BT_TRY(u->read(u->user, u->input + u->size, sizeof u->input - u->size, &count, opt_error));
  u->ended = count == 0;
  u->size += count;
  return BT_OK;
}

static bt_status find_method(bt_unpack *u, bt_error *opt_error) {
  while (u->size < BT_UNPACK_MAGIC && !u->ended) BT_TRY(refill(u, opt_error)); /* pipes may give a byte at a time */
  u->opt_codec = codec_of(u->input, u->size);
  if (u->opt_codec != NULL && u->opt_codec->create == NULL) return fail_absent(u, opt_error);
  if (u->opt_codec != NULL) u->state = u->opt_codec->create();
  u->known = u->opt_codec == NULL || u->state != NULL;
  return u->known ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status pass_on(bt_unpack *u, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error) {
  size_t left = u->size - u->at;
  if (left == 0 && !u->ended) return u->read(u->user, buffer, size, ret_count, opt_error);
  if (size > left) size = left;
  if (size > 0) memcpy(buffer, u->input + u->at, size);
  u->at += size;
  *ret_count = size;
  return BT_OK;
}

/* Steps over zero bytes between and behind members, to the next one; *ret_end: there is none. */
static bt_status next_member(bt_unpack *u, bool *ret_end, bt_error *opt_error) {
  for (;;) {
    while (u->at < u->size && u->input[u->at] == '\0') u->at++;
    if (u->at < u->size || u->ended) break;
    BT_TRY(refill(u, opt_error));
  }
  *ret_end = u->at == u->size;
  if (*ret_end) return BT_OK;
  u->between = false;
  return u->opt_codec->restart(u->state) ? BT_OK : bt_fail_memory(opt_error);
}

/* Adds what one call of the codec gives to *count. */
static bt_status step(bt_unpack *u, char *buffer, size_t size, size_t *count, bt_error *opt_error) {
  bt_codec_buffers b = {u->input + u->at, buffer, u->size - u->at, size};
  bt_codec_step result = u->opt_codec->step(u->state, &b);
  bool moved = b.in_size < u->size - u->at || b.out_size < size;
  u->at = u->size - b.in_size;
  *count = size - b.out_size;
  u->between = result == BT_CODEC_ENDED;
  if (result == BT_CODEC_NO_MEMORY) return bt_fail_memory(opt_error);
  if (result == BT_CODEC_DAMAGED) return fail_data(u, "damaged", opt_error);
  if (result == BT_CODEC_MORE && !moved && u->ended) return fail_data(u, "truncated", opt_error);
  if (result == BT_CODEC_WIDE)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = u->label}, "compress it again without --long or --ultra",
                   "decompression needs more than 128 MiB of memory");
  return BT_OK;
}

bt_status bt_unpack_read(void *unpack, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error) {
  bt_unpack *u = unpack;
  *ret_count = 0;
  if (!u->known) BT_TRY(find_method(u, opt_error));
  if (u->opt_codec == NULL) return pass_on(u, buffer, size, ret_count, opt_error);
  while (size > 0 && *ret_count == 0) {
    bool end = false;
    if (u->between) BT_TRY(next_member(u, &end, opt_error));
    if (end) return BT_OK;
    if (u->at == u->size) BT_TRY(refill(u, opt_error));
    BT_TRY(step(u, buffer, size, ret_count, opt_error));
  }
  return BT_OK;
}

/* ------------------------------------------------------------------------------------------------ in memory -- */

static bt_status read_span(void *user, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error) {
  (void)opt_error;
  bt_span *rest = user;
  *ret_count = size < rest->size ? size : rest->size;
  memcpy(buffer, rest->text, *ret_count);
  *rest = (bt_span){rest->text + *ret_count, rest->size - *ret_count};
  return BT_OK;
}

static bt_status read_all(bt_unpack *u, size_t most, bt_text *text, bt_error *opt_error) {
  for (size_t count = 1; count > 0;) {
    if (!bt_text_reserve(text, sizeof u->input)) return bt_fail_memory(opt_error);
    BT_TRY(bt_unpack_read(u, text->data + text->size, sizeof u->input, &count, opt_error));
    text->size += count;
    text->data[text->size] = '\0';
    if (text->size > most)
      return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = u->label}, "split the file",
                     "the file has more than %zu MiB", most >> 20);
  }
  return BT_OK;
}

bt_status bt_unpack_memory(const char *label, const char *data, size_t size, size_t most, char **ret_data,
                           size_t *ret_size, bt_error *opt_error) {
  bt_span rest = {data, size};
  bt_unpack *u = NULL;
  bt_text text = {0};
  if (most > INT_MAX) most = INT_MAX; /* what readers take */
  BT_TRY(bt_unpack_open(read_span, &rest, label, &u, opt_error));
  bt_status status = read_all(u, most, &text, opt_error);
  bt_unpack_close(u);
  *ret_size = text.size;
  return BT_HAND_OVER(status, text.data, ret_data, free);
}
