/* pickle.c - a machine with a stack, a memo and marks, for the operations that state dictionaries are written with
 * (Python's documentation of pickletools lists all of them). */
#include "rescore/cnn/weights/pickle.h"

#include "base/memory.h"

/* Each operation takes a byte at least and makes one value at most, so that the stream's size bounds all memory. */
enum { MOST_BYTES = 1 << 20 };

typedef struct machine {
  const char *label;
  const char *start, *at, *end;
  bt_pickle *pickle;
  uint32_t *stack;
  size_t depth, room;
  size_t *marks; /* depths */
  size_t n_marks, marks_room;
  uint32_t *memo; /* value + 1; 0: none */
  size_t memo_room;
} machine;

static bt_status damaged(const machine *m, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = m->label},
                 "copy it again, or write a state dictionary with torch.save",
                 "the file is damaged or no state dictionary of PyTorch (byte %zu of a pickle)",
                 (size_t)(m->at - m->start));
}

/* ------------------------------------------------------------------------------------------------- operands -- */

/* size bytes; NULL: there are fewer. */
static const char *take(machine *m, size_t size) {
  if ((size_t)(m->end - m->at) < size) return NULL;
  const char *bytes = m->at;
  m->at += size;
  return bytes;
}

/* A little-endian number of up to eight bytes. */
static bool take_number(machine *m, size_t size, uint64_t *ret_number) {
  const char *bytes = take(m, size);
  *ret_number = 0;
  for (size_t k = 0; bytes != NULL && k < size; k++) *ret_number |= (uint64_t)(uint8_t)bytes[k] << 8 * k;
  return bytes != NULL;
}

static bool take_line(machine *m, bt_span *ret_line) {
  const char *end = memchr(m->at, '\n', (size_t)(m->end - m->at));
  if (end == NULL) return false;
  *ret_line = (bt_span){m->at, (size_t)(end - m->at)};
  m->at = end + 1;
  return true;
}

/* ---------------------------------------------------------------------------------------------------- stack -- */

static bt_status push_index(machine *m, uint32_t index, bt_error *opt_error) {
  return BT_APPEND(m->stack, m->depth, &m->room, index) ? BT_OK : bt_fail_memory(opt_error);
}

/* Owns the value's items, even on failure. */
static bt_status push(machine *m, bt_pickle_value value, bt_error *opt_error) {
  bt_pickle *p = m->pickle;
  if (!BT_APPEND(p->values, p->count, &p->room, value)) return free(value.items), bt_fail_memory(opt_error);
  return push_index(m, (uint32_t)(p->count - 1), opt_error);
}

/* What is above the last mark cannot be reached beyond it. */
static size_t floor_of(const machine *m) { return m->n_marks > 0 ? m->marks[m->n_marks - 1] : 0; }

static bool has(const machine *m, size_t count) { return m->depth - floor_of(m) >= count; }

static bt_pickle_value *top(const machine *m) { return &m->pickle->values[m->stack[m->depth - 1]]; }

/* Removes the last mark; false: there is none. */
static bool pop_mark(machine *m, size_t *ret_depth) {
  if (m->n_marks == 0) return false;
  *ret_depth = m->marks[--m->n_marks];
  return true;
}

/* Moves what is on the stack from depth `from` on to the end of a value's items. */
static bt_status move_items(machine *m, size_t from, bt_pickle_value *value, bt_error *opt_error) {
  size_t count = m->depth - from;
  if (count == 0) return BT_OK;
  if (!BT_GROW(value->items, &value->room, value->count + count)) return bt_fail_memory(opt_error);
  memcpy(value->items + value->count, m->stack + from, count * sizeof *value->items);
  value->count += count;
  m->depth = from;
  return BT_OK;
}

/* --------------------------------------------------------------------------------------------------- values -- */

static bt_status push_int(machine *m, size_t size, bt_error *opt_error) {
  uint64_t number;
  if (!take_number(m, size, &number)) return damaged(m, opt_error);
  int64_t integer = size == 4 ? (int32_t)(uint32_t)number : (int64_t)number;
  return push(m, (bt_pickle_value){.kind = BT_PICKLE_INT, .integer = integer}, opt_error);
}

/* A number of any size; those of more than seven bytes are not needed. */
static bt_status push_long(machine *m, bt_error *opt_error) {
  uint64_t size, number = 0;
  const char *bytes = take_number(m, 1, &size) ? take(m, size) : NULL;
  if (bytes == NULL) return damaged(m, opt_error);
  bool kept = size < 8 && (size == 0 || ((uint8_t)bytes[size - 1] & 0x80) == 0);
  for (size_t k = 0; kept && k < size; k++) number |= (uint64_t)(uint8_t)bytes[k] << 8 * k;
  return push(m, (bt_pickle_value){.kind = kept ? BT_PICKLE_INT : BT_PICKLE_OTHER, .integer = (int64_t)number},
              opt_error);
}

static bt_status push_text(machine *m, size_t length_size, bt_error *opt_error) {
  uint64_t size;
  const char *bytes = take_number(m, length_size, &size) ? take(m, size) : NULL;
  if (bytes == NULL) return damaged(m, opt_error);
  return push(m, (bt_pickle_value){.kind = BT_PICKLE_TEXT, .text = {bytes, size}}, opt_error);
}

static bt_status push_name(machine *m, bt_error *opt_error) {
  static const struct {
    const char *module, *name;
  } known[] = {[BT_PICKLE_ORDERED_DICT] = {"collections", "OrderedDict"},
               [BT_PICKLE_REBUILD_TENSOR] = {"torch._utils", "_rebuild_tensor_v2"},
               [BT_PICKLE_FLOAT_STORAGE] = {"torch", "FloatStorage"},
               [BT_PICKLE_LONG_STORAGE] = {"torch", "LongStorage"}};
  bt_span module, name;
  if (!take_line(m, &module) || !take_line(m, &name)) return damaged(m, opt_error);
  for (int k = 0; k < (int)(sizeof known / sizeof *known); k++)
    if (bt_span_equals(module, known[k].module) && bt_span_equals(name, known[k].name))
      return push(m, (bt_pickle_value){.kind = BT_PICKLE_NAME, .integer = k}, opt_error);
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = m->label},
                 "save the network's state_dict(), in single precision, with torch.save",
                 "the file is not a plain state dictionary of floats: it names %.*s.%.*s", BT_SHOWN(module),
                 BT_SHOWN(name));
}

/* Of the topmost count values, or with a negative one of those above the last mark. */
static bt_status push_tuple(machine *m, int count, bt_error *opt_error) {
  size_t from;
  if (count < 0 ? !pop_mark(m, &from) : !has(m, (size_t)count)) return damaged(m, opt_error);
  if (count >= 0) from = m->depth - (size_t)count;
  bt_pickle_value tuple = {.kind = BT_PICKLE_TUPLE};
  BT_TRY(move_items(m, from, &tuple, opt_error));
  return push(m, tuple, opt_error);
}

/* The call of a name with a tuple of arguments. */
static bt_status reduce(machine *m, bt_error *opt_error) {
  if (!has(m, 2)) return damaged(m, opt_error);
  const bt_pickle_value *arguments = top(m), *name = &m->pickle->values[m->stack[m->depth - 2]];
  if (arguments->kind != BT_PICKLE_TUPLE || name->kind != BT_PICKLE_NAME) return damaged(m, opt_error);
  bt_pickle_value value = {.kind = BT_PICKLE_DICT};
  if (name->integer == BT_PICKLE_REBUILD_TENSOR) {
    value.kind = BT_PICKLE_TENSOR;
    value.integer = m->stack[m->depth - 1];
  } else if (name->integer != BT_PICKLE_ORDERED_DICT || arguments->count > 0) {
    return damaged(m, opt_error);
  }
  m->depth -= 2;
  return push(m, value, opt_error);
}

/* Appends what is above the last mark, or the topmost count values, to the container below. */
static bt_status extend(machine *m, bt_pickle_kind kind, int count, bt_error *opt_error) {
  size_t from;
  if (count < 0 ? !pop_mark(m, &from) : !has(m, (size_t)count)) return damaged(m, opt_error);
  if (count >= 0) from = m->depth - (size_t)count;
  bool odd = kind == BT_PICKLE_DICT && (m->depth - from) % 2 != 0;
  if (odd || from <= floor_of(m)) return damaged(m, opt_error);
  bt_pickle_value *container = &m->pickle->values[m->stack[from - 1]];
  return container->kind == kind ? move_items(m, from, container, opt_error) : damaged(m, opt_error);
}

static bt_status put(machine *m, size_t size, bt_error *opt_error) {
  uint64_t index;
  if (!take_number(m, size, &index) || !has(m, 1) || index >= (uint64_t)(m->end - m->start))
    return damaged(m, opt_error);
  size_t before = m->memo_room;
  if (!BT_GROW(m->memo, &m->memo_room, index + 1)) return bt_fail_memory(opt_error);
  memset(m->memo + before, 0, (m->memo_room - before) * sizeof *m->memo);
  m->memo[index] = m->stack[m->depth - 1] + 1;
  return BT_OK;
}

static bt_status get(machine *m, size_t size, bt_error *opt_error) {
  uint64_t index;
  if (!take_number(m, size, &index) || index >= m->memo_room || m->memo[index] == 0) return damaged(m, opt_error);
  return push_index(m, m->memo[index] - 1, opt_error);
}

/* A storage in place of what identifies it. */
static bt_status push_storage(machine *m, bt_error *opt_error) {
  if (!has(m, 1)) return damaged(m, opt_error);
  uint32_t identity = m->stack[--m->depth];
  return push(m, (bt_pickle_value){.kind = BT_PICKLE_STORAGE, .integer = identity}, opt_error);
}

static bt_status step(machine *m, uint8_t operation, bt_error *opt_error) {
  switch (operation) {
    case 0x80: return take(m, 1) != NULL ? BT_OK : damaged(m, opt_error); /* protocol */
    case 'N': return push(m, (bt_pickle_value){.kind = BT_PICKLE_OTHER}, opt_error);
    case 'G': return take(m, 8) != NULL ? push(m, (bt_pickle_value){0}, opt_error) : damaged(m, opt_error);
    case 0x88:
    case 0x89: return push(m, (bt_pickle_value){.kind = BT_PICKLE_BOOL, .integer = operation == 0x88}, opt_error);
    case 'J': return push_int(m, 4, opt_error);
    case 'K': return push_int(m, 1, opt_error);
    case 'M': return push_int(m, 2, opt_error);
    case 0x8a: return push_long(m, opt_error);
    case 'U': return push_text(m, 1, opt_error);
    case 'T':
    case 'X': return push_text(m, 4, opt_error);
    case 'c': return push_name(m, opt_error);
    case '}': return push(m, (bt_pickle_value){.kind = BT_PICKLE_DICT}, opt_error);
    case ']': return push(m, (bt_pickle_value){.kind = BT_PICKLE_LIST}, opt_error);
    case '(': return BT_APPEND(m->marks, m->n_marks, &m->marks_room, m->depth) ? BT_OK : bt_fail_memory(opt_error);
    case ')': return push_tuple(m, 0, opt_error);
    case 't': return push_tuple(m, -1, opt_error);
    case 0x85:
    case 0x86:
    case 0x87: return push_tuple(m, operation - 0x84, opt_error);
    case 'a': return extend(m, BT_PICKLE_LIST, 1, opt_error);
    case 'e': return extend(m, BT_PICKLE_LIST, -1, opt_error);
    case 's': return extend(m, BT_PICKLE_DICT, 2, opt_error);
    case 'u': return extend(m, BT_PICKLE_DICT, -1, opt_error);
    case 'q': return put(m, 1, opt_error);
    case 'r': return put(m, 4, opt_error);
    case 'h': return get(m, 1, opt_error);
    case 'j': return get(m, 4, opt_error);
    case 'Q': return push_storage(m, opt_error);
    case 'R': return reduce(m, opt_error);
    case 'b': /* attributes, such as the versions of a network's layers, which are not needed */
      if (!has(m, 2)) return damaged(m, opt_error);
      m->depth--;
      return BT_OK;
    default: return damaged(m, opt_error);
  }
}

static bt_status run(machine *m, bt_error *opt_error) {
  while (m->at < m->end) {
    uint8_t operation = (uint8_t)*m->at++;
    if (operation != '.') {
      BT_TRY(step(m, operation, opt_error));
      continue;
    }
    if (!has(m, 1) || m->n_marks > 0) break;
    m->pickle->top = m->stack[m->depth - 1];
    m->pickle->used = (size_t)(m->at - m->start);
    return BT_OK;
  }
  return damaged(m, opt_error);
}

bt_status bt_pickle_read(const char *label, bt_span data, bt_pickle *ret_pickle, bt_error *opt_error) {
  bt_pickle pickle = {0};
  size_t size = data.size < MOST_BYTES ? data.size : MOST_BYTES;
  machine m = {.label = label, .start = data.text, .at = data.text, .end = data.text + size, .pickle = &pickle};
  bt_status status = run(&m, opt_error);
  free(m.stack);
  free(m.marks);
  free(m.memo);
  if (status == BT_OK)
    *ret_pickle = pickle;
  else
    bt_pickle_destroy(&pickle);
  return status;
}

void bt_pickle_destroy(bt_pickle *pickle) {
  for (size_t k = 0; k < pickle->count; k++) free(pickle->values[k].items);
  free(pickle->values);
  *pickle = (bt_pickle){0};
}
