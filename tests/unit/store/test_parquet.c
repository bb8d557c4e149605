/* test_parquet.c - what a Parquet file has: pages, levels, values, and metadata at its end. */
#include "store/export/parquet.h"

#include <string.h>
#include "base/files/file.h"
#include "base/files/stream.h"
#include "unit/support.h"

enum { COLUMNS = 4 };

static const bt_export_column columns[COLUMNS] = {{.name = (char[]){"text"}, .kind = BT_CELL_TEXT},
                                                  {.name = (char[]){"real"}, .kind = BT_CELL_REAL},
                                                  {.name = (char[]){"integer"}, .kind = BT_CELL_INTEGER},
                                                  {.name = (char[]){"boolean"}, .kind = BT_CELL_BOOLEAN}};

static int64_t take(const unsigned char **at) {
  uint64_t x = 0;
  for (int shift = 0;; shift += 7) {
    unsigned char byte = *(*at)++;
    x |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return (int64_t)(x >> 1) ^ -(int64_t)(x & 1);
  }
}

static int64_t field(const unsigned char **at, int head) {
  assert_int_equal(*(*at)++, head);
  return take(at);
}

typedef struct piece {
  const char *at;
  size_t left;
} piece;

/* As bt_stream_read_fn. */
static bt_status read_piece(void *user, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error) {
  (void)opt_error;
  piece *from = user;
  *ret_count = size < from->left ? size : from->left;
  memcpy(buffer, from->at, *ret_count);
  from->at += *ret_count;
  from->left -= *ret_count;
  return BT_OK;
}

/* Reads a page, which begins at *at and has no more than 4,096 bytes. */
static size_t page(const unsigned char **at, int64_t rows, unsigned char *data) {
  assert_int_equal(field(at, 0x15), 0);
  size_t plain = (size_t)field(at, 0x15), packed = (size_t)field(at, 0x15);
  assert_int_equal(*(*at)++, 0x2C);
  assert_int_equal(field(at, 0x15), rows);
  assert_int_equal(field(at, 0x15), 0);
  assert_int_equal(field(at, 0x15), 3);
  assert_int_equal(field(at, 0x15), 3);
  assert_int_equal(*(*at)++, 0);
  assert_int_equal(*(*at)++, 0);
  assert_true(plain <= 4096);
  piece rest = {(const char *)*at, packed};
  bt_stream *stream;
  bt_error error = {0};
  size_t got;
  support_ok(bt_stream_open_source(read_piece, &rest, "page", &stream, &error), &error); /* decompresses */
  support_ok(bt_stream_read(stream, (char *)data, 4096, &got, &error), &error);
  assert_int_equal(got, plain);
  bt_stream_close(stream);
  *at += packed;
  return plain;
}

static void write_rows(const char *path, const bt_export_cell (*rows)[COLUMNS], int n) {
  bt_parquet *file;
  bt_error error = {0};
  support_ok(bt_parquet_open(path, columns, COLUMNS, &file, &error), &error);
  for (int i = 0; i < n; i++) support_ok(bt_parquet_add(file, rows[i], &error), &error);
  support_ok(bt_parquet_commit(file, &error), &error);
}

static void test_values(void **state) {
  (void)state;
  static const bt_export_cell rows[3][COLUMNS] = {
      {{true, "a\xFFz", 0, 0}, {true, NULL, -1.5, 0}, {true, NULL, 0, -7}, {true, NULL, 0, 1}},
      {{false, NULL, 0, 0}, {false, "text", 0, 0}, {false, NULL, 0, 0}, {false, NULL, 0, 0}},
      {{true, "\xC3\xA9", 0, 0}, {true, NULL, 1e300, 0}, {true, NULL, 0, INT64_MAX}, {true, NULL, 0, 1}}};
  static const unsigned char levels[] = {6, 0, 0, 0, 2, 1, 2, 0, 2, 1}; /* a row with a value, one without, one with */
  char folder[512], path[600], *data;
  unsigned char got[4096];
  size_t size;
  bt_error error = {0};
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/x.parquet", folder);
  write_rows(path, rows, 3);
  support_ok(bt_file_read(path, &data, &size, &error), &error);
  assert_memory_equal(data, "PAR1", 4);
  assert_memory_equal(data + size - 4, "PAR1", 4);
  const unsigned char *at = (const unsigned char *)data + 4;
  static const unsigned char texts[] = "\5\0\0\0a\xEF\xBF\xBDz\2\0\0\0\xC3\xA9";
  assert_int_equal(page(&at, 3, got), sizeof levels + sizeof texts - 1);
  assert_memory_equal(got, levels, sizeof levels);
  assert_memory_equal(got + sizeof levels, texts, sizeof texts - 1);
  const double reals[] = {-1.5, 1e300};
  assert_int_equal(page(&at, 3, got), sizeof levels + sizeof reals);
  assert_memory_equal(got + sizeof levels, reals, sizeof reals); /* on hosts with little-endian doubles */
  const int64_t integers[] = {-7, INT64_MAX};
  assert_int_equal(page(&at, 3, got), sizeof levels + sizeof integers);
  assert_memory_equal(got + sizeof levels, integers, sizeof integers);
  assert_int_equal(page(&at, 3, got), sizeof levels + 1);
  assert_int_equal(got[sizeof levels], 3);
  const unsigned char *end = (const unsigned char *)data + size - 8;
  size_t footer = end[0] | (size_t)end[1] << 8;
  assert_ptr_equal(at, end - footer);
  assert_int_equal(field(&at, 0x15), 1); /* version */
  assert_int_equal(*at++, 0x19);
  assert_int_equal(*at++, (COLUMNS + 1) << 4 | 12);
  free(data);
}

static void test_no_rows(void **state) {
  (void)state;
  char folder[512], path[600], *data;
  size_t size;
  bt_error error = {0};
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/x.parquet", folder);
  write_rows(path, NULL, 0);
  support_ok(bt_file_read(path, &data, &size, &error), &error);
  assert_memory_equal(data, "PAR1\x15\2\x19", 7);
  free(data);
}

/* Row groups bound the memory: 200,000 rows have four. */
static void test_groups(void **state) {
  (void)state;
  char folder[512], path[600], *data;
  size_t size;
  bt_error error = {0};
  bt_parquet *file;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/x.parquet", folder);
  support_ok(bt_parquet_open(path, columns, COLUMNS, &file, &error), &error);
  for (int i = 0; i < 200000; i++) {
    const bt_export_cell row[COLUMNS] = {
        {true, "x", 0, 0}, {i % 3 == 0, NULL, i, 0}, {true, NULL, 0, i}, {false, NULL, 0, 0}};
    support_ok(bt_parquet_add(file, row, &error), &error);
  }
  support_ok(bt_parquet_commit(file, &error), &error);
  support_ok(bt_file_read(path, &data, &size, &error), &error);
  int groups = 0;
  for (const char *at = data; (at = memmem(at, size - (size_t)(at - data), "\4text\x15", 6)) != NULL; at++) groups++;
  assert_int_equal(groups, 4);
  free(data);
}

static void test_no_folder(void **state) {
  (void)state;
  bt_parquet *file = NULL;
  bt_error error = {0};
  support_failed(bt_parquet_open("/absent/x.parquet", columns, COLUMNS, &file, &error), BT_ERR_IO, &error, "/absent");
  bt_parquet_abandon(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_no_rows),
                                     cmocka_unit_test(test_groups), cmocka_unit_test(test_no_folder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
