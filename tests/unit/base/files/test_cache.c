/* test_cache.c - the cache finds its entries but no damaged ones; it may be off or unwritable. */
#include "base/files/cache.h"

#include <berth/cache.h>
#include <dirent.h>
#include <sys/stat.h>

#include "unit/support.h"

static bt_hash key_of(const char *text) {
  bt_hash key = bt_hash_begin();
  bt_hash_add_text(&key, text);
  return key;
}

/* The only entry of a folder. */
static void entry_of(const char *folder, char *path, size_t size) {
  DIR *directory = opendir(folder);
  assert_non_null(directory);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, size, "%s/%s", folder, entry->d_name);
    count++;
  }
  closedir(directory);
  assert_int_equal(count, 1);
}

static void keys_depend_on_where_texts_end(void **state) {
  (void)state;
  bt_hash one = key_of("ab"), two = key_of("a");
  bt_hash_add_text(&one, "c");
  bt_hash_add_text(&two, "bc");
  assert_true(one.a != two.a && one.b != two.b);
  assert_true(one.a != one.b);
}

static void what_was_stored_is_loaded(void **state) {
  (void)state;
  char folder[256], nested[300], path[600];
  support_folder(folder, sizeof folder);
  snprintf(nested, sizeof nested, "%s/deeper/still", folder);
  setenv("BERTH_CACHE_DIR", nested, 1);
  char *data;
  size_t size;
  assert_false(bt_cache_load("test", key_of("x"), &data, &size));
  bt_cache_store("test", key_of("x"), "with\0nul", 8);
  assert_false(bt_cache_load("test", key_of("y"), &data, &size));
  assert_false(bt_cache_load("other", key_of("x"), &data, &size));
  assert_true(bt_cache_load("test", key_of("x"), &data, &size));
  assert_int_equal(size, 8);
  assert_memory_equal(data, "with\0nul", 9);
  free(data);

  /* one changed byte, or a missing end, and the entry counts as absent */
  entry_of(nested, path, sizeof path);
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  fseek(file, -1, SEEK_END);
  fputc('x', file);
  fclose(file);
  assert_false(bt_cache_load("test", key_of("x"), &data, &size));
  bt_cache_store("test", key_of("x"), "again", 5);
  assert_true(bt_cache_load("test", key_of("x"), &data, &size));
  free(data);
  assert_int_equal(truncate(path, 12), 0);
  assert_false(bt_cache_load("test", key_of("x"), &data, &size));
  bt_cache_remove("test", key_of("x"));
  assert_int_equal(access(path, F_OK), -1);

  rmdir(nested);
  snprintf(path, sizeof path, "%s/deeper", folder);
  rmdir(path);
  rmdir(folder);
}

/* Stores an entry; returns whether it can be loaded. */
static bool is_kept(void) {
  char *data;
  size_t size;
  bt_cache_store("test", key_of("x"), "data", 4);
  if (!bt_cache_load("test", key_of("x"), &data, &size)) return false;
  free(data);
  return true;
}

static void what_others_can_write_is_not_trusted(void **state) {
  (void)state;
  char folder[256], path[600];
  bt_error error;
  char *data;
  size_t size;
  support_folder(folder, sizeof folder);
  setenv("BERTH_CACHE_DIR", folder, 1);
  mode_t mask = umask(0);
  assert_true(is_kept()); /* whatever the mask is, others cannot write an entry */
  umask(mask);
  support_ok(bt_cache_check_trust(&error), &error);
  entry_of(folder, path, sizeof path);
  const mode_t shared[] = {0720, 0702, 01777};
  for (size_t k = 0; k < sizeof shared / sizeof *shared; k++) {
    chmod(folder, shared[k]);
    support_failed(bt_cache_check_trust(&error), BT_ERR_USAGE, &error, "is writable by others");
    assert_false(is_kept());
    bt_cache_remove("test", key_of("x"));
    assert_int_equal(access(path, F_OK), 0);
  }
  chmod(folder, 0755); /* readable is harmless */
  chmod(path, 0620);
  assert_false(bt_cache_load("test", key_of("x"), &data, &size));
  chmod(path, 0600);
  if (geteuid() == 0) { /* only root can give files away */
    assert_int_equal(chown(path, 65534, (gid_t)-1), 0);
    assert_false(bt_cache_load("test", key_of("x"), &data, &size));
    assert_int_equal(chown(path, 0, (gid_t)-1), 0);
    assert_int_equal(chown(folder, 65534, (gid_t)-1), 0);
    support_failed(bt_cache_check_trust(&error), BT_ERR_USAGE, &error, "belongs to another user");
    assert_false(is_kept());
    assert_int_equal(chown(folder, 0, (gid_t)-1), 0);
  }
  assert_true(bt_cache_load("test", key_of("x"), &data, &size));
  free(data);
  unlink(path);
  rmdir(folder);
}

static void a_cache_that_is_off_or_unwritable_does_no_harm(void **state) {
  (void)state;
  char *data;
  size_t size;
  const char *folders[] = {"", "/dev/null/cache"};
  for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
    setenv("BERTH_CACHE_DIR", folders[k], 1);
    bt_cache_store("test", key_of("x"), "data", 4);
    assert_false(bt_cache_load("test", key_of("x"), &data, &size));
    bt_cache_remove("test", key_of("x"));
  }
}

/* If nothing can be stored, one sentence names the folder, and no file is left behind. */
static void where_nothing_can_be_kept(void **state) {
  (void)state;
  char folder[256], file[300], below[400];
  bt_error error;
  support_folder(folder, sizeof folder);
  snprintf(below, sizeof below, "%s/deeper/still", folder);
  setenv("BERTH_CACHE_DIR", below, 1);
  support_ok(bt_cache_check_writable(&error), &error);
  assert_int_equal(access(below, F_OK), -1);
  snprintf(file, sizeof file, "%s/file", folder);
  fclose(fopen(file, "w"));
  snprintf(below, sizeof below, "%s/file/deeper", folder);
  setenv("BERTH_CACHE_DIR", below, 1);
  support_failed(bt_cache_check_writable(&error), BT_ERR_IO, &error,
                 "cannot write to the cache folder: Not a directory");
  assert_string_equal(error.file, below);
  setenv("BERTH_CACHE_DIR", file, 1);
  support_failed(bt_cache_check_writable(&error), BT_ERR_IO, &error, "Not a directory");
  if (geteuid() != 0) {
    chmod(folder, 0500);
    setenv("BERTH_CACHE_DIR", folder, 1);
    support_failed(bt_cache_check_writable(&error), BT_ERR_IO, &error, "Permission denied");
    chmod(folder, 0700);
  }
  setenv("BERTH_CACHE_DIR", "", 1); /* switched off */
  support_ok(bt_cache_check_writable(&error), &error);
  unlink(file);
  rmdir(folder);
}

/* The processor caches nothing and needs no folder; an untrusted folder is reported on every device. */
static void what_a_device_wants_of_the_cache(void **state) {
  (void)state;
  char folder[256];
  bt_error error;
  support_folder(folder, sizeof folder);
  setenv("BERTH_CACHE_DIR", "/dev/null/cache", 1);
  support_ok(bt_cache_check("cpu", &error), &error);
  support_ok(bt_cache_check("cpu/scalar", &error), &error);
  support_failed(bt_cache_check("cuda:0", &error), BT_ERR_IO, &error, "/dev/null/cache");
  support_failed(bt_cache_check("cpu,cuda:0", &error), BT_ERR_IO, &error, "/dev/null/cache");
  setenv("BERTH_CACHE_DIR", folder, 1);
  support_ok(bt_cache_check("cuda:0", &error), &error);
  chmod(folder, 0777);
  support_failed(bt_cache_check("cpu", &error), BT_ERR_USAGE, &error, "is writable by others");
  rmdir(folder);
}

static void without_a_home(void **state) {
  (void)state;
  bt_error error;
  const char *home = getenv("HOME");
  char kept[512];
  snprintf(kept, sizeof kept, "%s", home != NULL ? home : "/");
  unsetenv("BERTH_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  support_failed(bt_cache_check_writable(&error), BT_ERR_IO, &error, "neither XDG_CACHE_HOME nor HOME");
  setenv("HOME", "/dev/null", 1);
  support_failed(bt_cache_check_writable(&error), BT_ERR_IO, &error, "/dev/null/.cache/berth");
  setenv("HOME", kept, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_depend_on_where_texts_end),
      cmocka_unit_test(what_was_stored_is_loaded),
      cmocka_unit_test(what_others_can_write_is_not_trusted),
      cmocka_unit_test(a_cache_that_is_off_or_unwritable_does_no_harm),
      cmocka_unit_test(where_nothing_can_be_kept),
      cmocka_unit_test(what_a_device_wants_of_the_cache),
      cmocka_unit_test(without_a_home),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
