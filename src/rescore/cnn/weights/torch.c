/* torch.c - the tensors of a state dictionary: their names, shapes and storages from a pickle, and where in the file
 * the bytes of each storage are.
 *
 * 1. values of a pickle   2. tensors   3. the stream   4. the zip archive
 */
#include "rescore/cnn/weights/torch.h"

#include <stdio.h>

#include "base/files/zip.h"
#include "base/memory.h"
#include "rescore/cnn/weights/pickle.h"

/* A tensor whose bytes are still to be found. */
typedef struct tensor {
  bt_cnn_view view;
  bt_span storage;      /* its key */
  int64_t offset, held; /* elements: first one in the storage, and all of the storage */
  bool floats;          /* else 64-bit integers, which count batches in training and are left out */
} tensor;

static bt_status damaged(const char *label, const char *what, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label},
                 "copy it again, or write a state dictionary with torch.save",
                 "the file is damaged or no state dictionary of PyTorch: %s", what);
}

/* --------------------------------------------------------------------------------- 1. values of a pickle -- */

/* The item of a container if it is of that kind; NULL: it is not, or there is none. */
static const bt_pickle_value *item(const bt_pickle *p, const bt_pickle_value *container, size_t index,
                                   bt_pickle_kind kind) {
  if (container == NULL || index >= container->count) return NULL;
  const bt_pickle_value *value = &p->values[container->items[index]];
  return value->kind == kind ? value : NULL;
}

static bt_span text_of(const bt_pickle *p, const bt_pickle_value *container, size_t index) {
  const bt_pickle_value *value = item(p, container, index, BT_PICKLE_TEXT);
  return value != NULL ? value->text : (bt_span){"", 0};
}

/* False if the item is not an integer within [0, BT_CNN_MOST_SIZE]. */
static bool number_of(const bt_pickle *p, const bt_pickle_value *container, size_t index, int64_t *ret_number) {
  const bt_pickle_value *value = item(p, container, index, BT_PICKLE_INT);
  if (value == NULL || value->integer < 0 || value->integer > BT_CNN_MOST_SIZE) return false;
  *ret_number = value->integer;
  return true;
}

/* The tuple that a storage or tensor refers to. */
static const bt_pickle_value *tuple_of(const bt_pickle *p, const bt_pickle_value *value) {
  const bt_pickle_value *tuple = value != NULL ? &p->values[value->integer] : NULL;
  return tuple != NULL && tuple->kind == BT_PICKLE_TUPLE ? tuple : NULL;
}

/* ------------------------------------------------------------------------------------------- 2. tensors -- */

/* ("storage", type, key, device, number of elements[, view of another storage: None]) */
static bool read_storage(const bt_pickle *p, const bt_pickle_value *tuple, tensor *t) {
  const bt_pickle_value *type = item(p, tuple, 1, BT_PICKLE_NAME);
  t->storage = text_of(p, tuple, 2);
  t->floats = type != NULL && type->integer == BT_PICKLE_FLOAT_STORAGE;
  return bt_span_equals(text_of(p, tuple, 0), "storage") && type != NULL &&
         (t->floats || type->integer == BT_PICKLE_LONG_STORAGE) && t->storage.size > 0 &&
         number_of(p, tuple, 4, &t->held) && (tuple->count == 5 || item(p, tuple, 5, BT_PICKLE_OTHER) != NULL);
}

/* Is the tensor's order that of a C array? Steps along dimensions of 1 have no meaning. */
static bool read_shape(const bt_pickle *p, const bt_pickle_value *shape, const bt_pickle_value *steps, tensor *t) {
  int64_t expected = 1;
  if (shape == NULL || steps == NULL || shape->count != steps->count || shape->count > 5) return false;
  t->view.rank = (int)shape->count;
  for (int k = t->view.rank - 1; k >= 0; k--) {
    int64_t length, along;
    if (!number_of(p, shape, (size_t)k, &length) || !number_of(p, steps, (size_t)k, &along)) return false;
    if (length > 1 && along != expected) return false;
    t->view.shape[k] = (int)length;
    expected *= length;
    if (expected > BT_CNN_MOST_SIZE) return false;
  }
  return bt_cnn_shape_size(t->view.shape, t->view.rank, &t->view.size);
}

/* _rebuild_tensor_v2(storage, offset, shape, steps, requires_grad, hooks) */
static bool read_tensor(const bt_pickle *p, const bt_pickle_value *value, tensor *t) {
  const bt_pickle_value *arguments = tuple_of(p, value);
  const bt_pickle_value *storage = tuple_of(p, item(p, arguments, 0, BT_PICKLE_STORAGE));
  return arguments != NULL && storage != NULL && read_storage(p, storage, t) &&
         number_of(p, arguments, 1, &t->offset) &&
         read_shape(p, item(p, arguments, 2, BT_PICKLE_TUPLE), item(p, arguments, 3, BT_PICKLE_TUPLE), t) &&
         t->offset <= t->held && (int64_t)t->view.size <= t->held - t->offset;
}

static bt_status read_tensors(const char *label, const bt_pickle *p, tensor **ret_tensors, int *ret_count,
                              bt_error *opt_error) {
  const bt_pickle_value *dictionary = &p->values[p->top];
  size_t count = dictionary->count / 2;
  if (dictionary->kind != BT_PICKLE_DICT || count == 0) return damaged(label, "it holds no dictionary", opt_error);
  if (count > BT_CNN_MOST_TENSORS) return damaged(label, "it holds too many tensors", opt_error);
  tensor *tensors = bt_allocate(count, sizeof *tensors);
  if (tensors == NULL) return bt_fail_memory(opt_error);
  bt_status status = BT_OK;
  for (size_t k = 0; status == BT_OK && k < count; k++) {
    tensor *t = &tensors[k];
    t->view.name = text_of(p, dictionary, 2 * k);
    char what[160];
    snprintf(what, sizeof what, "%.*s is not a contiguous tensor of floats", BT_SHOWN(t->view.name));
    if (!read_tensor(p, item(p, dictionary, 2 * k + 1, BT_PICKLE_TENSOR), t)) status = damaged(label, what, opt_error);
  }
  *ret_count = (int)count;
  return BT_HAND_OVER(status, tensors, ret_tensors, free);
}

/* The bytes of a storage were found: gives them to all its tensors. */
static bool place(tensor *tensors, int count, bt_span key, bt_span bytes) {
  for (int k = 0; k < count; k++) {
    tensor *t = &tensors[k];
    if (t->storage.size != key.size || memcmp(t->storage.text, key.text, key.size) != 0) continue;
    size_t element = t->floats ? 4 : 8;
    if (bytes.size / element < (size_t)t->held) return false;
    t->view.bytes = bytes.text + element * (size_t)t->offset;
  }
  return true;
}

/* Tensors of floats with their bytes. */
static bt_status collect(const char *label, const tensor *tensors, int count, bt_cnn_view **ret_views, int *ret_count,
                         bt_error *opt_error) {
  bt_cnn_view *views = bt_allocate((size_t)count, sizeof *views);
  if (views == NULL) return bt_fail_memory(opt_error);
  bt_status status = BT_OK;
  *ret_count = 0;
  for (int k = 0; k < count; k++) {
    if (tensors[k].view.bytes == NULL) status = damaged(label, "the values of a tensor are missing", opt_error);
    if (tensors[k].floats) views[(*ret_count)++] = tensors[k].view;
  }
  return BT_HAND_OVER(status, views, ret_views, free);
}

/* ---------------------------------------------------------------------------------------- 3. the stream -- */

/* The pickle of a number by which the stream begins, behind the protocol's version. */
static const char magic[] = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";

bool bt_torch_is_stream(const char *data, size_t size) {
  return size >= 2 + sizeof magic - 1 && (uint8_t)data[0] == 0x80 && memcmp(data + 2, magic, sizeof magic - 1) == 0;
}

static bt_status next_pickle(const char *label, bt_span *rest, bt_pickle *ret_pickle, bt_error *opt_error) {
  BT_TRY(bt_pickle_read(label, *rest, ret_pickle, opt_error));
  rest->text += ret_pickle->used;
  rest->size -= ret_pickle->used;
  return BT_OK;
}

/* The version, 1001, and a description of the machine that wrote. */
static bt_status check_head(const char *label, const bt_pickle *version, const bt_pickle *machine,
                            bt_error *opt_error) {
  const bt_pickle_value *number = &version->values[version->top], *facts = &machine->values[machine->top];
  if (number->kind != BT_PICKLE_INT || number->integer != 1001)
    return damaged(label, "the version of its format is not 1001", opt_error);
  for (size_t k = 0; facts->kind == BT_PICKLE_DICT && k + 1 < facts->count; k += 2) {
    const bt_pickle_value *order = item(machine, facts, k + 1, BT_PICKLE_BOOL);
    if (bt_span_equals(text_of(machine, facts, k), "little_endian") && order != NULL && order->integer == 0)
      return damaged(label, "it was written by a big-endian machine", opt_error);
  }
  return BT_OK;
}

/* For each key of the list, in its order: the number of elements, then these. */
static bt_status place_all(const char *label, const bt_pickle *keys, bt_span rest, tensor *tensors, int count,
                           bt_error *opt_error) {
  const bt_pickle_value *list = &keys->values[keys->top];
  if (list->kind != BT_PICKLE_LIST || list->count > BT_CNN_MOST_TENSORS)
    return damaged(label, "it has no list of storages", opt_error);
  for (size_t k = 0; k < list->count; k++) {
    bt_span key = text_of(keys, list, k);
    int t = 0;
    while (t < count &&
           (tensors[t].storage.size != key.size || memcmp(tensors[t].storage.text, key.text, key.size) != 0))
      t++;
    if (t == count) return damaged(label, "a storage belongs to no tensor", opt_error);
    uint64_t held = 0;
    for (size_t b = 0; b < 8 && b < rest.size; b++) held |= (uint64_t)(uint8_t)rest.text[b] << 8 * b;
    size_t bytes = (size_t)tensors[t].held * (tensors[t].floats ? 4 : 8);
    if (rest.size < 8 || rest.size - 8 < bytes) return damaged(label, "it is truncated", opt_error);
    if (held != (uint64_t)tensors[t].held || !place(tensors, count, key, (bt_span){rest.text + 8, bytes}))
      return damaged(label, "a storage has another size than its tensor", opt_error);
    rest.text += 8 + bytes;
    rest.size -= 8 + bytes;
  }
  return BT_OK;
}

static bt_status read_stream(const char *label, bt_span data, bt_cnn_view **ret_views, int *ret_count,
                             bt_error *opt_error) {
  enum { HEAD, MACHINE, STATE, KEYS, PARTS };
  bt_pickle parts[PARTS] = {0};
  size_t skip = 2 + sizeof magic - 1;
  bt_span rest = {data.text + skip, data.size - skip};
  bt_status status = BT_OK;
  for (int k = 0; status == BT_OK && k < PARTS; k++) status = next_pickle(label, &rest, &parts[k], opt_error);
  tensor *tensors = NULL;
  int count = 0;
  if (status == BT_OK) status = check_head(label, &parts[HEAD], &parts[MACHINE], opt_error);
  if (status == BT_OK) status = read_tensors(label, &parts[STATE], &tensors, &count, opt_error);
  if (status == BT_OK) status = place_all(label, &parts[KEYS], rest, tensors, count, opt_error);
  if (status == BT_OK) status = collect(label, tensors, count, ret_views, ret_count, opt_error);
  for (int k = 0; k < PARTS; k++) bt_pickle_destroy(&parts[k]);
  free(tensors);
  return status;
}

/* ------------------------------------------------------------------------------------- 4. the zip archive -- */

/* The stored entry of the folder with that name; false: none. */
static bool find(const bt_zip_entry *entries, size_t count, bt_span folder, const char *name, bt_zip_entry *ret_entry) {
  for (size_t k = 0; k < count; k++) {
    bt_span whole = entries[k].name;
    if (whole.size < folder.size || memcmp(whole.text, folder.text, folder.size) != 0) continue;
    if (!bt_span_equals((bt_span){whole.text + folder.size, whole.size - folder.size}, name)) continue;
    *ret_entry = entries[k];
    return !entries[k].deflated;
  }
  return false;
}

static bt_status place_entries(const char *label, const bt_zip_entry *entries, size_t n, bt_span folder,
                               tensor *tensors, int count, bt_error *opt_error) {
  for (int k = 0; k < count; k++) {
    tensor *t = &tensors[k];
    if (t->view.bytes != NULL) continue; /* of the same storage as one before */
    char name[96];
    snprintf(name, sizeof name, "data/%.*s", BT_SHOWN(t->storage));
    bt_zip_entry entry;
    bt_span bytes;
    char *memory;
    if (!find(entries, n, folder, name, &entry)) return damaged(label, "the values of a tensor are missing", opt_error);
    BT_TRY(bt_zip_read(label, &entry, SIZE_MAX, &bytes, &memory, opt_error)); /* stored: no memory */
    if (!place(tensors, count, t->storage, bytes))
      return damaged(label, "a storage has another size than its tensor", opt_error);
  }
  return BT_OK;
}

static bt_status read_archive(const char *label, bt_span data, bt_cnn_view **ret_views, int *ret_count,
                              bt_error *opt_error) {
  static const char last[] = "data.pkl";
  BT_SCOPED bt_zip_entry *entries = NULL;
  BT_ENDED_BY(bt_pickle_destroy) bt_pickle pickle = {0};
  BT_SCOPED tensor *tensors = NULL;
  size_t n = 0, end = sizeof last - 1;
  int count = 0;
  BT_TRY(bt_zip_list(label, data.text, data.size, &entries, &n, opt_error));
  bt_span folder = {"", 0}, bytes;
  for (size_t k = 0; k < n; k++) /* the archive's only folder has any name */
    if (entries[k].name.size > end && memcmp(entries[k].name.text + entries[k].name.size - end, last, end) == 0)
      folder = (bt_span){entries[k].name.text, entries[k].name.size - end};
  bt_zip_entry entry;
  char *memory;
  if (!find(entries, n, folder, last, &entry)) return damaged(label, "it has no stored data.pkl", opt_error);
  BT_TRY(bt_zip_read(label, &entry, SIZE_MAX, &bytes, &memory, opt_error));
  BT_TRY(bt_pickle_read(label, bytes, &pickle, opt_error));
  BT_TRY(read_tensors(label, &pickle, &tensors, &count, opt_error));
  if (find(entries, n, folder, "byteorder", &entry) && !bt_span_equals(entry.packed, "little"))
    return damaged(label, "it was written by a big-endian machine", opt_error);
  BT_TRY(place_entries(label, entries, n, folder, tensors, count, opt_error));
  return collect(label, tensors, count, ret_views, ret_count, opt_error);
}

bt_status bt_torch_read(const char *label, bt_span data, bt_cnn_view **ret_views, int *ret_count, bt_error *opt_error) {
  return bt_is_zip(data.text, data.size) ? read_archive(label, data, ret_views, ret_count, opt_error)
                                         : read_stream(label, data, ret_views, ret_count, opt_error);
}
