/* pickle.h - the values in a stream of Python's pickle, protocol 2. Nothing is run: of all that a pickle can name, four
 * names are known, those which PyTorch's state dictionaries of floats consist of; every other one is an error.
 */
#ifndef BERTH_RESCORE_CNN_WEIGHTS_PICKLE_H
#define BERTH_RESCORE_CNN_WEIGHTS_PICKLE_H

#include "base/text/text.h"

typedef enum bt_pickle_kind {
  BT_PICKLE_OTHER, /* None, a float, a long number: never looked at */
  BT_PICKLE_BOOL,
  BT_PICKLE_INT,
  BT_PICKLE_TEXT,
  BT_PICKLE_NAME,    /* integer: its bt_pickle_name */
  BT_PICKLE_TUPLE,   /* items */
  BT_PICKLE_LIST,    /* items */
  BT_PICKLE_DICT,    /* items: key, value, key, value, ... */
  BT_PICKLE_STORAGE, /* integer: position of what identifies it, a tuple if the file is sound */
  BT_PICKLE_TENSOR   /* integer: position of the tuple of arguments of _rebuild_tensor_v2 */
} bt_pickle_kind;

typedef enum bt_pickle_name {
  BT_PICKLE_ORDERED_DICT,
  BT_PICKLE_REBUILD_TENSOR,
  BT_PICKLE_FLOAT_STORAGE,
  BT_PICKLE_LONG_STORAGE
} bt_pickle_name;

typedef struct bt_pickle_value {
  bt_pickle_kind kind;
  int64_t integer;
  bt_span text;    /* borrowed from the stream */
  uint32_t *items; /* positions in values; a container may hold itself */
  size_t count, room;
} bt_pickle_value;

/* Starts as {0}. */
typedef struct bt_pickle {
  bt_pickle_value *values;
  size_t count, room;
  uint32_t top; /* position of the value that the stream describes */
  size_t used;  /* bytes up to its end */
} bt_pickle;

/* Reads the pickle at the start of data, which must outlive it; label is the file's name in messages. */
bt_status bt_pickle_read(const char *label, bt_span data, bt_pickle *ret_pickle, bt_error *opt_error) BT_MUST_USE;
void bt_pickle_destroy(bt_pickle *pickle);

#endif
