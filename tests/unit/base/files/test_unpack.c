/* test_unpack.c - gzip, bzip2 and Zstandard: members, damage, truncation, a byte at a time. */
#include "base/files/unpack.h"

#include "base/memory.h"

#include "unit/support.h"

#define TEXT "line 1\nline 2\n"
/* TEXT by gzip -n, bzip2 and zstd: whole members. */
static const char gz[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\xc9\xcc\x4b\x55\x30\xe4\xca\x01\x51\x46\x5c\x00\x01"
    "\xb4\x3d\x85\x0e\x00\x00\x00";
static const char bz2[] =
    "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x31\x88\x21\x68\x00\x00\x05\x59\x00\x00\x10\x40\x00\x30"
    "\x00\x02\x25\x20\x00\x31\x0c\x08\x12\x86\x46\x89\x31\x90\x87\x10\xf1\x77\x24\x53\x85\x09\x03\x18"
    "\x82\x16\x80";
static const char zst[] =
    "\x28\xb5\x2f\xfd\x04\x58\x71\x00\x00\x6c\x69\x6e\x65\x20\x31\x0a\x6c\x69\x6e\x65\x20\x32\x0a\x2e"
    "\xc8\x46\xb4";
/* A frame of Zstandard that is skipped, of 3 bytes. */
static const char skipped[] =
    "\x50\x2a\x4d\x18\x03\x00\x00\x00"
    "abc";

static const struct {
  const char *name, *data;
  size_t size;
} methods[] = {{"gzip", gz, sizeof gz - 1}, {"bzip2", bz2, sizeof bz2 - 1}, {"Zstandard", zst, sizeof zst - 1}};
enum { N_METHODS = sizeof methods / sizeof *methods };

/* Fails only with the right message where the build lacks the library. */
static bool is_built_in(bt_status status, const bt_error *error) {
  if (status == BT_OK) return true;
  assert_int_equal(status, BT_ERR_INPUT);
  assert_non_null(strstr(error->message, "which this build cannot read"));
  assert_non_null(strstr(error->remedy, "build with lib"));
  return false;
}

static bt_status unpack(const bt_text *packed, char **ret_data, size_t *ret_size, bt_error *error) {
  return bt_unpack_memory("x", packed->data, packed->size, 1000, ret_data, ret_size, error);
}

static void members_follow_each_other(void **state) {
  (void)state;
  for (int k = 0; k < N_METHODS; k++) {
    BT_ENDED_BY(bt_text_destroy) bt_text packed = {0};
    bt_error error = {0};
    char *data = NULL;
    size_t size = 0;
    bt_text_add(&packed, methods[k].data, methods[k].size);
    assert_true(bt_is_packed(packed.data, packed.size));
    if (!is_built_in(unpack(&packed, &data, &size, &error), &error)) continue;
    assert_string_equal(data, TEXT);
    free(data);
    bt_text_add(&packed, methods[k].data, methods[k].size);
    bt_text_add(&packed, "\0\0\0\0", 4); /* as of a tape */
    assert_int_equal(unpack(&packed, &data, &size, &error), BT_OK);
    assert_int_equal(size, 2 * strlen(TEXT));
    assert_string_equal(data, TEXT TEXT);
    free(data);
    support_failed(bt_unpack_memory("x", packed.data, packed.size, 20, &data, &size, &error), BT_ERR_LIMIT, &error,
                   "more than");
  }
}

static void frames_may_be_skipped(void **state) {
  (void)state;
  BT_ENDED_BY(bt_text_destroy) bt_text packed = {0};
  bt_error error = {0};
  char *data = NULL;
  size_t size;
  bt_text_add(&packed, skipped, sizeof skipped - 1);
  bt_text_add(&packed, zst, sizeof zst - 1);
  bt_text_add(&packed, skipped, sizeof skipped - 1);
  if (!is_built_in(unpack(&packed, &data, &size, &error), &error)) return;
  assert_string_equal(data, TEXT);
  free(data);
}

/* Wherever it is cut; and with anything but zeros behind it. */
static void damage_is_reported(void **state) {
  (void)state;
  for (int k = 0; k < N_METHODS; k++) {
    BT_ENDED_BY(bt_text_destroy) bt_text packed = {0};
    bt_error error = {0};
    char *data = NULL;
    size_t size;
    bt_text_add(&packed, methods[k].data, methods[k].size);
    if (!is_built_in(unpack(&packed, &data, &size, &error), &error)) continue;
    free(data);
    for (packed.size = BT_UNPACK_MAGIC; packed.size < methods[k].size; packed.size++) {
      support_failed(unpack(&packed, &data, &size, &error), BT_ERR_INPUT, &error, "truncated");
      assert_string_equal(error.file, "x");
      assert_non_null(strstr(error.message, methods[k].name));
    }
    bt_text_add(&packed, "rest", 4);
    support_failed(unpack(&packed, &data, &size, &error), BT_ERR_INPUT, &error, "damaged");
    packed.size = methods[k].size;
    packed.data[packed.size - 2] ^= 1; /* in a checksum */
    support_failed(unpack(&packed, &data, &size, &error), BT_ERR_INPUT, &error, "damaged");
  }
}

static bt_status give_a_byte(void *user, char *buffer, size_t size, size_t *ret_count, bt_error *opt_error) {
  (void)size, (void)opt_error;
  bt_span *rest = user;
  *ret_count = rest->size > 0;
  if (rest->size > 0) *buffer = *rest->text, *rest = (bt_span){rest->text + 1, rest->size - 1};
  return BT_OK;
}

/* As a pipe may; what is not compressed is passed on. */
static void a_byte_at_a_time(void **state) {
  (void)state;
  static const char *const plain[] = {TEXT, "", "B", "BZh\n", "BZhCO name\n"};
  enum { N_PLAIN = sizeof plain / sizeof *plain };
  for (int k = 0; k < N_METHODS + N_PLAIN; k++) {
    bt_span rest = k < N_METHODS ? (bt_span){methods[k].data, methods[k].size} : bt_span_from(plain[k - N_METHODS]);
    const char *expected = k < N_METHODS ? TEXT : plain[k - N_METHODS];
    bt_unpack *u;
    char buffer[64] = "";
    size_t size = 0, count = 1;
    bt_error error = {0};
    bt_status status = BT_OK;
    assert_int_equal(bt_unpack_open(give_a_byte, &rest, "pipe", &u, &error), BT_OK);
    for (; status == BT_OK && count > 0; size += count)
      status = bt_unpack_read(u, buffer + size, sizeof buffer - 1 - size, &count, &error);
    if (is_built_in(status, &error)) assert_string_equal(buffer, expected);
    bt_unpack_close(u);
  }
}

static void endings(void **state) {
  (void)state;
  assert_int_equal(bt_packed_ending("a.sdf.gz", 8), 3);
  assert_int_equal(bt_packed_ending("a.SMI.BZ2", 9), 4);
  assert_int_equal(bt_packed_ending("a.csv.zst", 9), 4);
  assert_int_equal(bt_packed_ending("a.csv", 5), 0);
  assert_int_equal(bt_packed_ending(".gz", 3), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_follow_each_other),
      cmocka_unit_test(frames_may_be_skipped),
      cmocka_unit_test(damage_is_reported),
      cmocka_unit_test(a_byte_at_a_time),
      cmocka_unit_test(endings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
