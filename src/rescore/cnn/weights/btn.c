/* btn.c - Berth's file of a network: header, a row per tensor, name and source, floats. All numbers are little-endian.
 */
#include "rescore/cnn/weights/btn.h"

#include "base/memory.h"
#include "base/xxhash.h"

/* Offsets in the header; the checksum covers everything behind it. */
enum {
  AT_VERSION = 8,
  AT_ARCHITECTURE = 12,
  AT_BYTES = 16, /* of the file */
  AT_TENSORS = 32,
  AT_NAME = 36,   /* its size; the name follows the rows */
  AT_SOURCE = 40, /* its size; it follows the name */
  VERSION = 1,
  ALIGNMENT = 64
};

/* Offsets in the row of a tensor. */
enum { ROW_OFFSET = 0, ROW_SIZE = 8, ROW_RANK = 16, ROW_SHAPE = 20, ROW_NAME = 40, ROW = 128 };

static const char magic[8] = "BERTHBTN";

static void put(char *at, size_t size, uint64_t number) {
  for (size_t k = 0; k < size; k++) at[k] = (char)(uint8_t)(number >> 8 * k);
}

static uint64_t get(const char *at, size_t size) {
  uint64_t number = 0;
  for (size_t k = 0; k < size; k++) number |= (uint64_t)(uint8_t)at[k] << 8 * k;
  return number;
}

static size_t aligned(size_t offset) { return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

uint64_t bt_btn_checksum(const char *data, size_t size) {
  size_t from = BT_BTN_AT_CHECKSUM + 8;
  return bt_xxh64(data + from, size - from, 0);
}

/* ------------------------------------------------------------------------------------------------- reading -- */

bool bt_btn_is(const char *data, size_t size) { return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0; }

static bt_status damaged(const char *label, const char *what, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "copy it again, or install the network again",
                 "the file of a network is damaged: %s", what);
}

static bool read_row(const char *row, bt_span data, bt_cnn_view *view) {
  uint64_t offset = get(row + ROW_OFFSET, 8), rank = get(row + ROW_RANK, 4);
  if (rank > 5 || offset > data.size || row[ROW - 1] != '\0') return false;
  view->name = bt_span_from(row + ROW_NAME);
  view->rank = (int)rank;
  for (int k = 0; k < view->rank; k++) {
    uint64_t length = get(row + ROW_SHAPE + 4 * k, 4);
    if (length > BT_CNN_MOST_SIZE) return false;
    view->shape[k] = (int)length;
  }
  view->bytes = data.text + offset;
  return bt_cnn_shape_size(view->shape, view->rank, &view->size) && view->size == get(row + ROW_SIZE, 8) &&
         view->size <= (data.size - offset) / 4;
}

bt_status bt_btn_read(const char *label, bt_span data, bt_btn *ret_btn, bt_error *opt_error) {
  if (data.size < BT_BTN_HEADER || !bt_btn_is(data.text, data.size)) return damaged(label, "no header", opt_error);
  uint64_t version = get(data.text + AT_VERSION, 4);
  if (version != VERSION)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "install the network again with this Berth",
                   "the file of a network has version %u, and this Berth reads version %d", (unsigned)version, VERSION);
  if (get(data.text + AT_BYTES, 8) != data.size) return damaged(label, "it is truncated", opt_error);
  if (get(data.text + BT_BTN_AT_CHECKSUM, 8) != bt_btn_checksum(data.text, data.size))
    return damaged(label, "its checksum is wrong", opt_error);
  uint64_t count = get(data.text + AT_TENSORS, 4), name = get(data.text + AT_NAME, 4);
  uint64_t source = get(data.text + AT_SOURCE, 4);
  if (count > BT_CNN_MOST_TENSORS || BT_BTN_HEADER + count * ROW + name + source > data.size)
    return damaged(label, "its table is truncated", opt_error);
  const char *texts = data.text + BT_BTN_HEADER + count * ROW;
  *ret_btn = (bt_btn){.name = {texts, name},
                      .source = {texts + name, source},
                      .architecture = (uint32_t)get(data.text + AT_ARCHITECTURE, 4),
                      .views = bt_allocate(count, sizeof *ret_btn->views),
                      .count = (int)count};
  if (ret_btn->views == NULL) return bt_fail_memory(opt_error);
  for (size_t k = 0; k < count; k++) {
    if (read_row(data.text + BT_BTN_HEADER + k * ROW, data, &ret_btn->views[k])) continue;
    free(ret_btn->views);
    ret_btn->views = NULL;
    return damaged(label, "its table is wrong", opt_error);
  }
  return BT_OK;
}

/* ------------------------------------------------------------------------------------------------- writing -- */

static void add_values(bt_text *bytes, const bt_cnn_tensor *t) {
  for (size_t k = 0; k < t->size; k++) {
    uint32_t bits;
    char four[4];
    memcpy(&bits, &t->values[k], sizeof bits);
    put(four, 4, bits);
    bt_text_add(bytes, four, sizeof four);
  }
}

static void add_zeros(bt_text *bytes, size_t size) {
  static const char zeros[ALIGNMENT] = {0};
  bt_text_add(bytes, zeros, size);
}

bt_status bt_btn_write(const bt_cnn_weights *weights, bt_text *ret_bytes, bt_error *opt_error) {
  size_t name = strlen(weights->name), source = strlen(weights->source);
  size_t end = BT_BTN_HEADER + (size_t)weights->n_tensors * ROW + name + source;
  char header[BT_BTN_HEADER] = {0};
  bt_text_add(ret_bytes, header, sizeof header); /* completed below */
  for (int k = 0; k < weights->n_tensors; k++) {
    const bt_cnn_tensor *t = &weights->tensors[k];
    char row[ROW] = {0};
    end = aligned(end);
    put(row + ROW_OFFSET, 8, end);
    put(row + ROW_SIZE, 8, t->size);
    put(row + ROW_RANK, 4, (uint64_t)t->rank);
    for (int d = 0; d < t->rank; d++) put(row + ROW_SHAPE + 4 * d, 4, (uint64_t)t->shape[d]);
    if (!bt_span_copy(bt_span_from(t->name), row + ROW_NAME, ROW - ROW_NAME))
      return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "shorten it", "a tensor's name is too long: %.40s",
                     t->name);
    bt_text_add(ret_bytes, row, sizeof row);
    end += 4 * t->size;
  }
  bt_text_add(ret_bytes, weights->name, name);
  bt_text_add(ret_bytes, weights->source, source);
  for (int k = 0; k < weights->n_tensors; k++) {
    add_zeros(ret_bytes, aligned(ret_bytes->size) - ret_bytes->size);
    add_values(ret_bytes, &weights->tensors[k]);
  }
  BT_TRY(bt_text_status(ret_bytes, opt_error));
  char *data = ret_bytes->data;
  memcpy(data, magic, sizeof magic);
  put(data + AT_VERSION, 4, VERSION);
  put(data + AT_ARCHITECTURE, 4, weights->architecture);
  put(data + AT_BYTES, 8, ret_bytes->size);
  put(data + AT_TENSORS, 4, (uint64_t)weights->n_tensors);
  put(data + AT_NAME, 4, name);
  put(data + AT_SOURCE, 4, source);
  put(data + BT_BTN_AT_CHECKSUM, 8, bt_btn_checksum(data, ret_bytes->size));
  return BT_OK;
}
