/* test_zip.c - zip archives in memory: entries, checksums, what is refused, damage. */
#include "base/files/zip.h"
#include "base/memory.h"
#include "torch_files.h"
#include "unit/support.h"

static bt_text archive(void) {
  torch_zip zip = {0};
  torch_zip_add(&zip, "folder/", "", 0);
  torch_zip_add(&zip, "folder/a.txt", "123456789", 9);
  torch_zip_add(&zip, "empty", "", 0);
  torch_zip_end(&zip);
  return zip.bytes;
}

static void refused(bt_text *file, const char *words) {
  bt_zip_entry *entries = NULL;
  size_t count;
  bt_error error = {0};
  bt_status status = bt_zip_list("x.zip", file->data, file->size, &entries, &count, &error);
  support_failed(status, BT_ERR_INPUT, &error, words);
  bt_text_destroy(file);
}

static void test_entries(void **state) {
  (void)state;
  bt_text file = archive();
  bt_zip_entry *entries = NULL;
  size_t count;
  bt_error error = {0};
  bt_span content;
  char *memory;
  assert_true(bt_is_zip(file.data, file.size));
  assert_int_equal(bt_crc32("123456789", 9), 0xcbf43926); /* the check value of the CRC catalog */
  support_ok(bt_zip_list("x.zip", file.data, file.size, &entries, &count, &error), &error);
  assert_int_equal(count, 2); /* without the folder */
  assert_true(bt_span_equals(entries[0].name, "folder/a.txt") && bt_span_equals(entries[1].name, "empty"));
  support_ok(bt_zip_read("x.zip", &entries[0], 9, &content, &memory, &error), &error);
  assert_true(bt_span_equals(content, "123456789") && memory == NULL);
  support_ok(bt_zip_read("x.zip", &entries[1], 9, &content, &memory, &error), &error);
  assert_int_equal(content.size, 0);
  support_failed(bt_zip_read("x.zip", &entries[0], 8, &content, &memory, &error), BT_ERR_LIMIT, &error, "folder/a.txt");
  entries[0].crc++;
  support_failed(bt_zip_read("x.zip", &entries[0], 9, &content, &memory, &error), BT_ERR_INPUT, &error, "checksum");
  free(entries);
  bt_text_destroy(&file);
}

/* "a" twice over, packed by the method deflate: one block of fixed codes. */
static void test_deflated(void **state) {
  (void)state;
  static const char packed[] = "\x4b\x4c\x04\x00";
  bt_zip_entry entry = {.name = {"a", 1}, .packed = {packed, 4}, .size = 2, .crc = bt_crc32("aa", 2), .deflated = true};
  bt_span content;
  char *memory;
  bt_error error = {0};
  bt_status status = bt_zip_read("x.zip", &entry, 9, &content, &memory, &error);
  if (status != BT_OK && strstr(error.remedy, "zlib") != NULL) {
    print_message("skipped: a build without zlib\n");
    skip();
  }
  support_ok(status, &error);
  assert_true(bt_span_equals(content, "aa") && memory != NULL);
  free(memory);
  for (size_t size = 1; size < 5; size++) { /* sizes other than the true one */
    entry.size = size;
    entry.crc = bt_crc32("aa", 2) + (size == 2);
    support_failed(bt_zip_read("x.zip", &entry, 9, &content, &memory, &error), BT_ERR_INPUT, &error, "damaged");
    assert_null(memory);
  }
}

static void test_refusals(void **state) {
  (void)state;
  bt_text file = archive();
  for (size_t keep = 0, size = file.size; keep < size; keep += 5) {
    file.size = keep;
    refused(&file, "damaged");
    file = archive();
  }
  char *row = file.data + file.size - 22 - (46 + 5); /* of the last entry */
  assert_memory_equal(row, "PK\1\2", 4);
  row[8] = 1;
  refused(&file, "encrypted");
  file = archive();
  row = file.data + file.size - 22 - (46 + 5);
  row[10] = 12;
  refused(&file, "packed by the method 12");
  file = archive();
  row = file.data + file.size - 22 - (46 + 5);
  memset(row + 42, 0xff, 4);
  refused(&file, "larger than 4 GiB");
  file = archive();
  row = file.data + file.size - 22 - (46 + 5);
  row[42] ^= 1;
  refused(&file, "not where its directory says");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_entries),
      cmocka_unit_test(test_deflated),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
