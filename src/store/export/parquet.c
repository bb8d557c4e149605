/* parquet.c - a table as Apache Parquet. Metadata are Thrift structs in the compact protocol:
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md */
#include "store/export/parquet.h"

#include <berth/berth.h>
#include <stdlib.h>
#include <string.h>
#ifdef BT_WITH_ZSTD
#include <zstd.h>
#endif

#include "base/files/file.h"
#include "base/memory.h"

static const char MAGIC[] = "PAR1";

enum { GROUP_ROWS = 1 << 16, GROUP_BYTES = 1 << 24 /* of values */ };

/* Of the format's enumerations. */
enum { TYPE_BOOLEAN = 0, TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTE_ARRAY = 6 };
enum { OPTIONAL = 1, UTF8 = 0, DATA_PAGE = 0, PLAIN = 0, RLE = 3 };
#ifdef BT_WITH_ZSTD
enum { CODEC = 6, LEVEL = 3 };
#else
enum { CODEC = 0 };
#endif

/* --- Thrift -------------------------------------------------------------------------------------------- */

typedef enum thrift_type {
  THRIFT_I32 = 5,
  THRIFT_I64 = 6,
  THRIFT_BINARY = 8,
  THRIFT_LIST = 9,
  THRIFT_STRUCT = 12
} thrift_type;

static void add_varint(bt_text *to, uint64_t x) {
  for (; x >= 128; x >>= 7) bt_text_add_char(to, (char)(x | 128));
  bt_text_add_char(to, (char)x);
}

static void add_zigzag(bt_text *to, int64_t x) { add_varint(to, ((uint64_t)x << 1) ^ (uint64_t)(x >> 63)); }

/* Fields of a struct come in the order of their numbers; last: of the one before, 0 at first. */
static void add_field(bt_text *to, int *last, int number, thrift_type type) {
  bt_text_add_char(to, (char)((number - *last) << 4 | (int)type)); /* steps are at most 15 here */
  *last = number;
}

static void add_number(bt_text *to, int *last, int number, thrift_type type, int64_t value) {
  add_field(to, last, number, type);
  add_zigzag(to, value);
}

/* Bytes of the character that begins here; 0: this is no UTF-8. */
static size_t character(const unsigned char *at) {
  if (at[0] < 0x80) return 1;
  size_t n = at[0] >= 0xC2 && at[0] < 0xE0 ? 2
           : at[0] >= 0xE0 && at[0] < 0xF0 ? 3
           : at[0] >= 0xF0 && at[0] < 0xF5 ? 4
                                           : 0;
  for (size_t k = 1; k < n; k++)
    if ((at[k] & 0xC0) != 0x80) return 0;
  bool overlong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90);
  bool outside = (at[0] == 0xED && at[1] > 0x9F) || (at[0] == 0xF4 && at[1] > 0x8F); /* surrogates, beyond U+10FFFF */
  return n > 0 && !overlong && !outside ? n : 0;
}

/* With U+FFFD for each byte that is no UTF-8. */
static void add_utf8(bt_text *to, const char *text) {
  for (const char *at = text; *at != '\0';) {
    size_t n = character((const unsigned char *)at);
    if (n > 0)
      bt_text_add(to, at, n);
    else
      bt_text_add_string(to, "\xEF\xBF\xBD");
    at += n > 0 ? n : 1;
  }
}

static void add_string(bt_text *to, const char *text) {
  BT_ENDED_BY(bt_text_destroy) bt_text clean = {0};
  bt_text_add_string(&clean, "");
  add_utf8(&clean, text);
  to->failed = to->failed || clean.failed;
  if (to->failed) return;
  add_varint(to, clean.size);
  bt_text_add(to, clean.data, clean.size);
}

static void add_list(bt_text *to, int *last, int number, thrift_type type, int64_t count) {
  add_field(to, last, number, THRIFT_LIST);
  if (count < 15) {
    bt_text_add_char(to, (char)(count << 4 | (int)type));
  } else {
    bt_text_add_char(to, (char)(15 << 4 | (int)type));
    add_varint(to, (uint64_t)count);
  }
}

static void end_struct(bt_text *to) { bt_text_add_char(to, 0); }

/* --- columns ------------------------------------------------------------------------------------------- */

/* Of the current row group. */
typedef struct column {
  bt_text levels, values;
  int64_t run;   /* rows at the end that are all empty, or all are not, and not in levels yet */
  int run_level; /* 0: they are empty */
  int64_t n;     /* values */
} column;

struct bt_parquet {
  bt_file_writer *file;
  uint64_t at; /* bytes so far */
  const bt_export_column *columns;
  column *data; /* [n_columns] */
  int n_columns;
  int64_t rows, group_rows, n_groups;
  bt_text groups; /* their metadata */
  bt_text page, packed;
};

static int type_of(bt_cell_kind kind) {
  static const int types[] = {[BT_CELL_TEXT] = TYPE_BYTE_ARRAY,
                              [BT_CELL_REAL] = TYPE_DOUBLE,
                              [BT_CELL_INTEGER] = TYPE_INT64,
                              [BT_CELL_BOOLEAN] = TYPE_BOOLEAN};
  return types[kind];
}

static void add_bytes(bt_text *to, uint64_t value, int bytes) {
  for (int k = 0; k < bytes; k++) bt_text_add_char(to, (char)(value >> (8 * k) & 255));
}

static void set_bytes(char *at, uint64_t value, int bytes) {
  for (int k = 0; k < bytes; k++) at[k] = (char)(value >> (8 * k) & 255);
}

/* A run of equal definition levels, of one bit each: its length, then the level. */
static void end_run(column *c) {
  if (c->run == 0) return;
  add_varint(&c->levels, (uint64_t)c->run << 1);
  bt_text_add_char(&c->levels, (char)c->run_level);
  c->run = 0;
}

static void add_level(column *c, int level) {
  if (level != c->run_level) end_run(c);
  c->run_level = level;
  c->run++;
}

static void add_text(bt_text *values, const char *text) {
  size_t start = values->size;
  add_bytes(values, 0, 4); /* its length, known below */
  add_utf8(values, text);
  if (!values->failed) set_bytes(values->data + start, values->size - start - 4, 4);
}

static void add_value(column *c, bt_cell_kind kind, const bt_export_cell *cell) {
  uint64_t bits;
  if (kind == BT_CELL_TEXT) {
    add_text(&c->values, cell->text);
  } else if (kind == BT_CELL_REAL) {
    memcpy(&bits, &cell->real, sizeof bits);
    add_bytes(&c->values, bits, 8);
  } else if (kind == BT_CELL_INTEGER) {
    add_bytes(&c->values, (uint64_t)cell->integer, 8);
  } else { /* eight booleans a byte, the first lowest */
    if (c->n % 8 == 0) bt_text_add_char(&c->values, 0);
    if (cell->integer != 0 && !c->values.failed) c->values.data[c->values.size - 1] |= (char)(1 << (c->n % 8));
  }
  c->n++;
}

/* --- row groups ---------------------------------------------------------------------------------------- */

static bt_status write(bt_parquet *f, const bt_text *bytes, bt_error *opt_error) {
  BT_TRY(bt_text_status(bytes, opt_error));
  f->at += bytes->size;
  return bt_file_writer_add(f->file, bytes->data, bytes->size, opt_error);
}

/* f->page compressed; what is to be written, which is the page itself in builds without Zstandard. */
static bt_status compress(bt_parquet *f, bt_text **ret_bytes, bt_error *opt_error) {
  *ret_bytes = &f->page;
  BT_TRY(bt_text_status(&f->page, opt_error));
#ifdef BT_WITH_ZSTD
  f->packed.size = 0;
  if (!bt_text_reserve(&f->packed, ZSTD_compressBound(f->page.size))) return bt_fail_memory(opt_error);
  ZSTD_CCtx *context = ZSTD_createCCtx();
  if (context == NULL) return bt_fail_memory(opt_error);
  size_t room = ZSTD_compressBound(f->page.size);
  size_t n = ZSTD_compressCCtx(context, f->packed.data, room, f->page.data, f->page.size, LEVEL);
  ZSTD_freeCCtx(context);
  if (ZSTD_isError(n)) return bt_fail_memory(opt_error);
  f->packed.size = n;
  *ret_bytes = &f->packed;
#endif
  return BT_OK;
}

static void page_header(bt_text *to, int64_t rows, size_t plain, size_t packed) {
  int last = 0, of_data = 0;
  add_number(to, &last, 1, THRIFT_I32, DATA_PAGE);
  add_number(to, &last, 2, THRIFT_I32, (int64_t)plain);
  add_number(to, &last, 3, THRIFT_I32, (int64_t)packed);
  add_field(to, &last, 5, THRIFT_STRUCT);
  add_number(to, &of_data, 1, THRIFT_I32, rows);
  add_number(to, &of_data, 2, THRIFT_I32, PLAIN);
  add_number(to, &of_data, 3, THRIFT_I32, RLE);
  add_number(to, &of_data, 4, THRIFT_I32, RLE);
  end_struct(to);
  end_struct(to);
}

/* A column of the group in the metadata. */
static void column_metadata(bt_parquet *f, int k, uint64_t offset, size_t plain, size_t packed) {
  bt_text *to = &f->groups;
  int last = 0, of_data = 0;
  add_number(to, &last, 2, THRIFT_I64, (int64_t)offset);
  add_field(to, &last, 3, THRIFT_STRUCT);
  add_number(to, &of_data, 1, THRIFT_I32, type_of(f->columns[k].kind));
  add_list(to, &of_data, 2, THRIFT_I32, 2);
  add_zigzag(to, PLAIN);
  add_zigzag(to, RLE);
  add_list(to, &of_data, 3, THRIFT_BINARY, 1);
  add_string(to, f->columns[k].name);
  add_number(to, &of_data, 4, THRIFT_I32, CODEC);
  add_number(to, &of_data, 5, THRIFT_I64, f->group_rows);
  add_number(to, &of_data, 6, THRIFT_I64, (int64_t)plain);
  add_number(to, &of_data, 7, THRIFT_I64, (int64_t)packed);
  add_number(to, &of_data, 9, THRIFT_I64, (int64_t)offset);
  end_struct(to);
  end_struct(to);
}

static bt_status write_column(bt_parquet *f, int k, size_t *total, bt_error *opt_error) {
  column *c = &f->data[k];
  BT_ENDED_BY(bt_text_destroy) bt_text header = {0};
  bt_text *bytes;
  end_run(c);
  BT_TRY(bt_text_status(&c->levels, opt_error));
  BT_TRY(bt_text_status(&c->values, opt_error));
  f->page.size = 0;
  add_bytes(&f->page, c->levels.size, 4);
  bt_text_add(&f->page, c->levels.data, c->levels.size);
  if (c->values.size > 0) bt_text_add(&f->page, c->values.data, c->values.size);
  BT_TRY(compress(f, &bytes, opt_error));
  uint64_t offset = f->at;
  page_header(&header, f->group_rows, f->page.size, bytes->size);
  column_metadata(f, k, offset, header.size + f->page.size, header.size + bytes->size);
  *total += header.size + f->page.size;
  BT_TRY(write(f, &header, opt_error));
  BT_TRY(write(f, bytes, opt_error));
  c->levels.size = c->values.size = 0;
  c->n = 0;
  return BT_OK;
}

static bt_status write_group(bt_parquet *f, bt_error *opt_error) {
  int last = 0;
  size_t total = 0;
  if (f->group_rows == 0) return BT_OK;
  add_list(&f->groups, &last, 1, THRIFT_STRUCT, f->n_columns);
  for (int k = 0; k < f->n_columns; k++) BT_TRY(write_column(f, k, &total, opt_error));
  add_number(&f->groups, &last, 2, THRIFT_I64, (int64_t)total);
  add_number(&f->groups, &last, 3, THRIFT_I64, f->group_rows);
  end_struct(&f->groups);
  f->n_groups++;
  f->rows += f->group_rows;
  f->group_rows = 0;
  return bt_text_status(&f->groups, opt_error);
}

bt_status bt_parquet_add(bt_parquet *f, const bt_export_cell *cells, bt_error *opt_error) {
  size_t bytes = 0;
  for (int k = 0; k < f->n_columns; k++) {
    add_level(&f->data[k], cells[k].there);
    if (cells[k].there) add_value(&f->data[k], f->columns[k].kind, &cells[k]);
    bytes += f->data[k].values.size;
  }
  f->group_rows++;
  return f->group_rows < GROUP_ROWS && bytes < GROUP_BYTES ? BT_OK : write_group(f, opt_error);
}

/* --- the file ------------------------------------------------------------------------------------------ */

bt_status bt_parquet_open(const char *path, const bt_export_column *columns, int n_columns, bt_parquet **ret_file,
                          bt_error *opt_error) {
  bt_parquet *f = bt_allocate(1, sizeof *f);
  if (f == NULL) return bt_fail_memory(opt_error);
  f->columns = columns;
  f->n_columns = n_columns;
  f->data = bt_allocate((size_t)n_columns, sizeof *f->data);
  f->at = strlen(MAGIC);
  bt_status status = f->data != NULL ? bt_file_writer_open(path, &f->file, opt_error) : bt_fail_memory(opt_error);
  if (status == BT_OK) status = bt_file_writer_add(f->file, MAGIC, strlen(MAGIC), opt_error);
  return BT_HAND_OVER(status, f, ret_file, bt_parquet_abandon);
}

void bt_parquet_abandon(bt_parquet *f) {
  if (f == NULL) return;
  bt_file_writer_abandon(f->file);
  for (int k = 0; f->data != NULL && k < f->n_columns; k++) {
    bt_text_destroy(&f->data[k].levels);
    bt_text_destroy(&f->data[k].values);
  }
  free(f->data);
  bt_text_destroy(&f->groups);
  bt_text_destroy(&f->page);
  bt_text_destroy(&f->packed);
  free(f);
}

static void schema(const bt_parquet *f, bt_text *to) {
  int last = 0;
  add_field(to, &last, 4, THRIFT_BINARY); /* the root */
  add_string(to, "screen");
  add_number(to, &last, 5, THRIFT_I32, f->n_columns);
  end_struct(to);
  for (int k = 0; k < f->n_columns; k++) {
    bool text = f->columns[k].kind == BT_CELL_TEXT;
    last = 0;
    add_number(to, &last, 1, THRIFT_I32, type_of(f->columns[k].kind));
    add_number(to, &last, 3, THRIFT_I32, OPTIONAL);
    add_field(to, &last, 4, THRIFT_BINARY);
    add_string(to, f->columns[k].name);
    if (text) add_number(to, &last, 6, THRIFT_I32, UTF8);
    if (text) { /* a union, whose first field, an empty struct, is STRING */
      int of_union = 0;
      add_field(to, &last, 10, THRIFT_STRUCT);
      add_field(to, &of_union, 1, THRIFT_STRUCT);
      end_struct(to);
      end_struct(to);
    }
    end_struct(to);
  }
}

static bt_status write_footer(bt_parquet *f, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text footer = {0};
  int last = 0;
  add_number(&footer, &last, 1, THRIFT_I32, 1);
  add_list(&footer, &last, 2, THRIFT_STRUCT, f->n_columns + 1);
  schema(f, &footer);
  add_number(&footer, &last, 3, THRIFT_I64, f->rows);
  add_list(&footer, &last, 4, THRIFT_STRUCT, f->n_groups);
  if (f->groups.size > 0) bt_text_add(&footer, f->groups.data, f->groups.size);
  add_field(&footer, &last, 6, THRIFT_BINARY);
  add_string(&footer, "Berth version " BT_VERSION);
  end_struct(&footer);
  add_bytes(&footer, footer.size, 4);
  bt_text_add_string(&footer, MAGIC);
  return write(f, &footer, opt_error);
}

bt_status bt_parquet_commit(bt_parquet *f, bt_error *opt_error) {
  bt_status status = write_group(f, opt_error);
  if (status == BT_OK) status = write_footer(f, opt_error);
  if (status == BT_OK) {
    status = bt_file_writer_commit(f->file, opt_error);
    f->file = NULL;
  }
  bt_parquet_abandon(f);
  return status;
}
