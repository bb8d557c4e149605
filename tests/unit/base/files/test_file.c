/* test_file.c - files are read whole, and written whole or not at all. */
#include "base/files/file.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "unit/support.h"

static int entries(const char *folder) {
  DIR *directory = opendir(folder);
  assert_non_null(directory);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
    count += entry->d_name[0] != '.' || entry->d_name[1] == 'b';
  closedir(directory);
  return count;
}

static void assert_content(const char *path, const char *expected) {
  bt_error error;
  char *data;
  size_t size;
  support_ok(bt_file_read(path, &data, &size, &error), &error);
  assert_int_equal(size, strlen(expected));
  assert_string_equal(data, expected);
  free(data);
}

/* A loop of links neither exists nor is absent. */
static void kinds_of_paths(void **state) {
  (void)state;
  char folder[256], path[300];
  bt_error error;
  bt_file_kind kind;
  bool there;
  support_folder(folder, sizeof folder);
  support_ok(bt_file_kind_of(folder, &kind, &error), &error);
  assert_int_equal(kind, BT_FILE_FOLDER);
  support_ok(bt_file_kind_of("/dev/null", &kind, &error), &error);
  assert_int_equal(kind, BT_FILE_OTHER);
  snprintf(path, sizeof path, "%s/loop", folder);
  support_ok(bt_file_kind_of(path, &kind, &error), &error);
  assert_int_equal(kind, BT_FILE_ABSENT);
  assert_int_equal(symlink("loop", path), 0);
  assert_int_equal(bt_file_kind_of(path, &kind, &error), BT_ERR_IO);
  assert_int_equal(bt_file_look(path, &there, &error), BT_ERR_IO);
  snprintf(path, sizeof path, "%s/file", folder);
  bt_file_writer *writer;
  support_ok(bt_file_writer_open(path, &writer, &error), &error);
  support_ok(bt_file_writer_commit(writer, &error), &error);
  support_ok(bt_file_kind_of(path, &kind, &error), &error);
  assert_int_equal(kind, BT_FILE_PLAIN);
  assert_true(bt_file_says_absent(ENOENT) && bt_file_says_absent(ENAMETOOLONG));
  assert_false(bt_file_says_absent(EIO) || bt_file_says_absent(EACCES));
}

static void a_committed_file_is_complete(void **state) {
  (void)state;
  char folder[256], path[300];
  bt_error error;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/out.txt", folder);
  bt_file_writer *writer;
  support_ok(bt_file_writer_open(path, &writer, &error), &error);
  support_ok(bt_file_writer_add(writer, "abc", 3, &error), &error);
  assert_int_equal(access(path, F_OK), -1); /* nothing appears before the end */
  support_ok(bt_file_writer_seal(writer, &error), &error);
  assert_int_equal(access(path, F_OK), -1);
  support_ok(bt_file_writer_commit(writer, &error), &error);
  assert_content(path, "abc");
  support_ok(bt_file_write(path, "new", 3, &error), &error);
  assert_content(path, "new");
  assert_int_equal(entries(folder), 1);
  struct stat info;
  mode_t mask = umask(0);
  umask(mask);
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0666 & ~mask);
  unlink(path);
  rmdir(folder);
}

static void an_abandoned_file_leaves_nothing(void **state) {
  (void)state;
  char folder[256], path[300];
  bt_error error;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/out.txt", folder);
  support_ok(bt_file_write(path, "old", 3, &error), &error);
  bt_file_writer *writer;
  support_ok(bt_file_writer_open(path, &writer, &error), &error);
  support_ok(bt_file_writer_add(writer, "abc", 3, &error), &error);
  bt_file_writer_abandon(writer);
  bt_file_writer_abandon(NULL);
  assert_content(path, "old");
  assert_int_equal(entries(folder), 1);
  unlink(path);
  rmdir(folder);
}

static void large_data_arrive_unchanged(void **state) {
  (void)state;
  char folder[256], path[300];
  bt_error error;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/large", folder);
  size_t size = 5000001, piece = 70001;
  char *data = malloc(size), *back;
  for (size_t i = 0; i < size; i++) data[i] = (char)('a' + i % 26);
  bt_file_writer *writer;
  support_ok(bt_file_writer_open(path, &writer, &error), &error);
  for (size_t done = 0; done < size; done += piece)
    support_ok(bt_file_writer_add(writer, data + done, done + piece < size ? piece : size - done, &error), &error);
  support_ok(bt_file_writer_commit(writer, &error), &error);
  size_t back_size;
  support_ok(bt_file_read(path, &back, &back_size, &error), &error);
  assert_int_equal(back_size, size);
  assert_memory_equal(back, data, size);
  free(back);
  free(data);
  unlink(path);
  rmdir(folder);
}

static void a_link_is_replaced_not_written_through(void **state) {
  (void)state;
  char folder[256], path[300], link_path[300];
  bt_error error;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/target", folder);
  snprintf(link_path, sizeof link_path, "%s/link", folder);
  support_ok(bt_file_write(path, "old", 3, &error), &error);
  assert_int_equal(symlink("target", link_path), 0);
  support_ok(bt_file_write(link_path, "new", 3, &error), &error);
  assert_content(link_path, "new");
  assert_content(path, "old");
  struct stat info;
  assert_int_equal(lstat(link_path, &info), 0);
  assert_true(S_ISREG(info.st_mode));
  unlink(link_path);
  unlink(path);
  rmdir(folder);
}

static void what_a_killed_process_left_is_removed(void **state) {
  (void)state;
  char folder[256], path[300];
  bt_error error;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/out", folder);
  pid_t child = fork();
  if (child == 0) {
    bt_file_writer *writer;
    if (bt_file_writer_open(path, &writer, &error) == BT_OK) raise(SIGKILL);
    _exit(1);
  }
  int how;
  assert_int_equal(waitpid(child, &how, 0), child);
  assert_true(WIFSIGNALED(how));
  bt_file_writer *mine;
  support_ok(bt_file_writer_open(path, &mine, &error), &error);
  assert_int_equal(entries(folder), 2);
  bt_file_clear_abandoned(folder);
  assert_int_equal(entries(folder), 1); /* that of a writer at work stays */
  support_ok(bt_file_writer_add(mine, "abc", 3, &error), &error);
  support_ok(bt_file_writer_seal(mine, &error), &error);
  bt_file_clear_abandoned(folder);
  support_ok(bt_file_writer_commit(mine, &error), &error);
  assert_content(path, "abc");
  assert_int_equal(entries(folder), 1);
  unlink(path);
  rmdir(folder);
}

static void failures_name_the_file_and_a_remedy(void **state) {
  (void)state;
  bt_error error;
  char *data;
  size_t size;
  support_failed(bt_file_read("/nonexistent/x", &data, &size, &error), BT_ERR_IO, &error,
                 "/nonexistent/x: cannot read");
  support_failed(bt_file_read("/", &data, &size, &error), BT_ERR_IO, &error, "name a file, not a folder");
  support_failed(bt_file_write("/nonexistent/x", "a", 1, &error), BT_ERR_IO, &error, "create the folder first");
  support_failed(bt_file_write("/", "a", 1, &error), BT_ERR_IO, &error, "not a folder");
  support_failed(bt_file_write("", "a", 1, &error), BT_ERR_IO, &error, "cannot write");
}

static void a_full_disk_is_reported(void **state) {
  (void)state;
  if (access("/dev/full", W_OK) != 0) skip();
  bt_error error;
  support_failed(bt_file_write("/dev/full", "abc", 3, &error), BT_ERR_IO, &error, "free disk space");
  struct stat info;
  assert_int_equal(stat("/dev/full", &info), 0);
  assert_true(S_ISCHR(info.st_mode)); /* the device was not replaced by a file */
}

static void a_file_in_shared_memory_is_replaced(void **state) {
  (void)state;
  char path[] = "/dev/shm/berth-test-XXXXXX";
  int descriptor = mkstemp(path);
  if (descriptor < 0) skip();
  close(descriptor);
  bt_error error;
  support_ok(bt_file_write(path, "a long text", 11, &error), &error);
  support_ok(bt_file_write(path, "short", 5, &error), &error);
  assert_content(path, "short");
  unlink(path);
}

static void an_unwritable_folder_is_reported(void **state) {
  (void)state;
  if (geteuid() == 0) skip(); /* root may write anywhere */
  char folder[256], path[300];
  bt_error error;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/out", folder);
  assert_int_equal(chmod(folder, 0500), 0);
  support_failed(bt_file_write(path, "abc", 3, &error), BT_ERR_IO, &error, "choose a writable folder");
  rmdir(folder);
}

static void assert_text(char *owned, const char *expected) {
  assert_string_equal(owned, expected);
  free(owned);
}

static void paths_are_joined_and_taken_apart(void **state) {
  (void)state;
  assert_text(bt_path_folder("a/b.map"), "a");
  assert_text(bt_path_folder("b.map"), ".");
  assert_text(bt_path_folder("/b.map"), "/");
  assert_string_equal(bt_path_base("/x/y/b.map"), "b.map");
  assert_string_equal(bt_path_base("b.map"), "b.map");
  assert_text(bt_path_join("a", "b"), "a/b");
  assert_text(bt_path_join("a/", "b"), "a/b");
  assert_text(bt_path_join("a", "/b"), "/b");
  assert_text(bt_path_join(".", "b"), "b");
  assert_text(bt_path_join("", "b"), "b");
  assert_text(bt_path_join("/", "b"), "/b");
  assert_text(bt_path_stem("x/lig.pdbqt", ".pdbqt"), "lig");
  assert_text(bt_path_stem("x/lig.v2.pdbqt", ".pdbqt"), "lig.v2");
  assert_text(bt_path_stem(".pdbqt", ".pdbqt"), ".pdbqt");
  assert_text(bt_path_stem("lig.txt", ".pdbqt"), "lig.txt");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_committed_file_is_complete),        cmocka_unit_test(an_abandoned_file_leaves_nothing),
      cmocka_unit_test(large_data_arrive_unchanged),         cmocka_unit_test(a_link_is_replaced_not_written_through),
      cmocka_unit_test(what_a_killed_process_left_is_removed),
      cmocka_unit_test(failures_name_the_file_and_a_remedy), cmocka_unit_test(a_full_disk_is_reported),
      cmocka_unit_test(a_file_in_shared_memory_is_replaced), cmocka_unit_test(kinds_of_paths),
      cmocka_unit_test(an_unwritable_folder_is_reported),    cmocka_unit_test(paths_are_joined_and_taken_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
