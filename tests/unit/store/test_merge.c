/* test_merge.c - parts of a screen become one database, or stay unchanged, wherever a full disk interrupts. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "store/store.h"
#include "unit/support.h"

enum { ROWS = 30, REASON = 200000 }; /* 6 MB a part, so that SQLite empties the log of a part when it is taken over */

static char folder[400];

static const char *path_of(char *path, const char *name) {
  snprintf(path, 512, "%s/%s", folder, name);
  return path;
}

static void settings(bt_store *store) {
  bt_error error;
  support_ok(bt_store_set(store, "format", "1", &error), &error);
  support_ok(bt_store_set(store, "shard", "0", &error), &error);
  support_ok(bt_store_set(store, "shards", "0", &error), &error);
}

/* Rejected ligands with long reasons: the quickest way to a large database. */
static void make_part(const char *path, int64_t first, int rows, int reason) {
  bt_store *store = NULL;
  bt_error error;
  char name[] = "lig", *text = malloc((size_t)reason + 1);
  assert_non_null(text);
  memset(text, 'x', (size_t)reason);
  text[reason] = '\0';
  support_ok(bt_store_open(path, BT_STORE_CREATE, -1, &store, &error), &error);
  support_ok(bt_store_begin(store, &error), &error);
  settings(store);
  for (int k = 0; k < rows; k++) {
    bt_store_row row = {.ordinal = first + k,
                        .name = name,
                        .source = name,
                        .state = "rejected",
                        .status = "BT_ERR_INPUT",
                        .reason = text};
    support_ok(bt_store_add(store, &row, &error), &error);
  }
  support_ok(bt_store_commit(store, &error), &error);
  bt_store_close(store);
  free(text);
}

static int64_t count_of(const char *path) {
  bt_screen_summary summary;
  bt_error error;
  support_ok(bt_screen_summarize(path, &summary, &error), &error);
  return summary.rejected;
}

static void limit_files(rlim_t bytes) {
  struct rlimit limit;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static int start(void **state) {
  (void)state;
  if (bt_sqlite_version()[0] == '\0') return 0;
  signal(SIGXFSZ, SIG_IGN);
  support_folder(folder, sizeof folder);
  return 0;
}

static bt_status put_together(bool gather, const char *const *parts, const char *whole, bt_error *error) {
  bt_screen_summary summary;
  return gather ? bt_screen_gather(parts, 2, whole, true, &summary, error)
                : bt_screen_merge(parts, 2, whole, true, &summary, error);
}

/* At 8 MB the rows of both parts are committed to the log, but do not fit into the database. */
static void check_limit(bool gather, rlim_t limit) {
  char a[512], b[512], whole[512], aside[600];
  bt_error error;
  if (bt_sqlite_version()[0] == '\0') skip();
  const char *parts[] = {path_of(a, "rank-0.db"), path_of(b, "rank-1.db")};
  make_part(a, 0, ROWS, REASON);
  make_part(b, ROWS, ROWS, REASON);
  path_of(whole, "screen.db");
  limit_files(limit);
  bt_status status = put_together(gather, parts, whole, &error);
  limit_files(RLIM_INFINITY);
  support_failed(status, BT_ERR_IO, &error, "continue");
  assert_int_equal(access(whole, F_OK), -1);
  snprintf(aside, sizeof aside, "%s.part-wal", whole);
  assert_int_equal(access(aside, F_OK), -1);
  assert_int_equal(count_of(a), ROWS);
  assert_int_equal(count_of(b), ROWS);
  support_ok(put_together(gather, parts, whole, &error), &error);
  assert_int_equal(count_of(whole), 2 * ROWS);
  snprintf(aside, sizeof aside, "%s-wal", whole);
  assert_int_equal(access(aside, F_OK), -1);
  assert_int_equal(access(a, F_OK), gather ? -1 : 0);
  unlink(whole), unlink(a), unlink(b);
}

static void test_gather_without_room(void **state) {
  (void)state;
  check_limit(true, 8 << 20);
  check_limit(true, 3 << 20);
}

static void test_merge_without_room(void **state) {
  (void)state;
  check_limit(false, 8 << 20);
  check_limit(false, 3 << 20);
}

/* What a killed rank leaves: nothing at all, or a file that it never filled. */
static void test_gather_what_was_never_begun(void **state) {
  (void)state;
  char a[512], b[512], whole[512];
  bt_screen_summary summary;
  bt_error error;
  if (bt_sqlite_version()[0] == '\0') skip();
  const char *parts[] = {path_of(a, "rank-0.db"), path_of(b, "rank-1.db")};
  make_part(a, 0, 3, 10);
  FILE *file = fopen(b, "w");
  assert_non_null(file);
  fclose(file);
  support_ok(bt_screen_gather(parts, 2, path_of(whole, "screen.db"), false, &summary, &error), &error);
  assert_int_equal(count_of(whole), 3);
  assert_int_equal(access(b, F_OK), -1);
  make_part(a, 3, 4, 10); /* of the next session */
  support_ok(bt_screen_gather(parts, 1, whole, true, &summary, &error), &error);
  assert_int_equal(count_of(whole), 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gather_without_room),
      cmocka_unit_test(test_merge_without_room),
      cmocka_unit_test(test_gather_what_was_never_begun),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
