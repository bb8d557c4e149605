/* test_stream.c - lines from memory, files and gzip. */
#include "base/files/gzip.h"
#include "base/files/unpack.h"
#include "base/files/stream.h"
#include "unit/support.h"

static void expect_line(bt_stream *stream, const char *text) {
  bt_span line;
  bool found;
  assert_int_equal(bt_stream_next(stream, &line, &found, NULL), BT_OK);
  assert_true(found);
  assert_int_equal(line.size, strlen(text));
  assert_memory_equal(line.text, text, line.size);
}

static void expect_end(bt_stream *stream) {
  bt_span line;
  bool found;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(bt_stream_next(stream, &line, &found, NULL), BT_OK);
    assert_false(found);
  }
}

static void test_text(void **state) {
  (void)state;
  bt_stream *stream;
  const char text[] =
      "\xef\xbb\xbf"
      "one\r\n\ntwo\nlast";
  assert_int_equal(bt_stream_open_text(text, sizeof text - 1, "label", &stream, NULL), BT_OK);
  expect_line(stream, "one");
  expect_line(stream, "");
  assert_int_equal(bt_stream_line(stream), 2);
  bt_stream_back(stream);
  expect_line(stream, "");
  assert_int_equal(bt_stream_line(stream), 2);
  expect_line(stream, "two");
  expect_line(stream, "last");
  expect_end(stream);
  assert_string_equal(bt_stream_label(stream), "label");
  bt_stream_close(stream);
}

static void test_long_file(void **state) {
  (void)state;
  char path[] = "stream-XXXXXX";
  FILE *file = fdopen(mkstemp(path), "w");
  for (int i = 0; i < 100000; i++) fprintf(file, "line %d\n", i);
  fclose(file);
  bt_stream *stream;
  assert_int_equal(bt_stream_open(path, &stream, NULL), BT_OK);
  for (int i = 0; i < 100000; i++) {
    char expected[32];
    snprintf(expected, sizeof expected, "line %d", i);
    expect_line(stream, expected);
  }
  expect_end(stream);
  bt_stream_close(stream);

  char command[128], packed[64];
  snprintf(command, sizeof command, "gzip -c %s > %s.gz", path, path);
  snprintf(packed, sizeof packed, "%s.gz", path);
  if (system(command) == 0) {
    bt_error error = {0};
    bt_span line;
    bool found;
    assert_int_equal(bt_stream_open(packed, &stream, NULL), BT_OK);
    bt_status status = bt_stream_next(stream, &line, &found, &error);
    if (status == BT_OK)
      assert_true(found && bt_span_equals(line, "line 0"));
    else
      assert_non_null(strstr(error.message, "compressed")); /* a build without zlib */
    bt_stream_close(stream);
    if (status == BT_OK) { /* cut off */
      assert_int_equal(truncate(packed, 20000), 0);
      assert_int_equal(bt_stream_open(packed, &stream, NULL), BT_OK);
      do status = bt_stream_next(stream, &line, &found, &error);
      while (status == BT_OK && found);
      assert_int_equal(status, BT_ERR_INPUT); /* it stays so, whoever reads it */
      bt_stream_close(stream);
    }
    remove(packed);
  }
  remove(path);
}

/* Members one after the other are one file. */
static void test_compressed_here(void **state) {
  (void)state;
  bt_text packed = {0};
  bt_error error = {0};
  char *data = NULL;
  size_t size = 0;
  if (bt_gzip_deflate("line 1\nline", 11, &packed, &error) != BT_OK) {
    assert_non_null(strstr(error.message, "compress")); /* a build without zlib */
    return;
  }
  assert_int_equal(bt_gzip_deflate("", 0, &packed, &error), BT_OK);
  assert_int_equal(bt_gzip_deflate(" 2\n", 3, &packed, &error), BT_OK);
  assert_true(bt_is_packed(packed.data, packed.size));
  assert_int_equal(bt_unpack_memory("x.gz", packed.data, packed.size, 100, &data, &size, &error), BT_OK);
  assert_int_equal(size, 14);
  assert_string_equal(data, "line 1\nline 2\n");
  free(data);
  bt_text_destroy(&packed);
}

static void test_failures(void **state) {
  (void)state;
  bt_stream *stream;
  bt_error error = {0};
  assert_int_equal(bt_stream_open("does/not/exist", &stream, &error), BT_ERR_IO);
  assert_string_equal(error.file, "does/not/exist");
  assert_int_equal(bt_stream_open(".", &stream, &error), BT_ERR_IO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_long_file),
      cmocka_unit_test(test_compressed_here),
      cmocka_unit_test(test_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
