/* support.h - included by every unit test: cmocka, the folder of shared inputs, temporary folders. */
#ifndef BERTH_TESTS_UNIT_SUPPORT_H
#define BERTH_TESTS_UNIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <berth/status.h>

/* Inputs that are too large for the repository: $BERTH_SHARED, or ../shared beside the source folder. Skips the
 * test when the file is absent. */
static inline void support_shared(char *path, size_t size, const char *name) {
  const char *folder = getenv("BERTH_SHARED");
  if (folder != NULL && folder[0] != '\0')
    snprintf(path, size, "%s/%s", folder, name);
  else
    snprintf(path, size, "%s/../shared/%s", BERTH_SOURCE_DIR, name);
  if (access(path, R_OK) == 0) return;
  print_message("skipped: no %s\n", path);
  skip();
}

/* A new folder below $TMPDIR or /tmp. */
static inline void support_folder(char *path, size_t size) {
  const char *base = getenv("TMPDIR");
  snprintf(path, size, "%s/berth-test-XXXXXX", base != NULL ? base : "/tmp");
  assert_non_null(mkdtemp(path));
}

static inline void support_ok(bt_status status, const bt_error *error) {
  char text[2048];
  if (status != BT_OK) fail_msg("%s: %s", bt_status_name(status), bt_error_format(error, text, sizeof text));
}

/* The call failed with this status, and its message contains the words. */
static inline void support_failed(bt_status status, bt_status expected, const bt_error *error, const char *words) {
  char text[2048];
  if (status == BT_OK) fail_msg("expected a failure about '%s'", words);
  bt_error_format(error, text, sizeof text);
  if (status != expected || error->status != expected) fail_msg("%s: %s", bt_status_name(status), text);
  if (strstr(text, words) == NULL) fail_msg("'%s' is not in '%s'", words, text);
  if (error->remedy[0] == '\0') fail_msg("no remedy in '%s'", text);
}

#endif
