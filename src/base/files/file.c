/* file.c - whole files into memory, and output files that appear complete or not at all. */
#include "base/files/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

const char *bt_file_label(const char *path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

/* ------------------------------------------------------------------------------------------------ reading -- */

static const char *read_remedy(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR: return "check the path";
    case EACCES:
    case EPERM: return "ask for permission to read it";
    case EISDIR: return "name a file, not a folder";
    case EMFILE:
    case ENFILE: return "allow more open files, see ulimit -n";
    default: return "check the file and its disk";
  }
}

bt_status bt_file_fail_read(const char *label, int code, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = label}, read_remedy(code), "cannot read: %s", strerror(code));
}

static bt_status fail_read(const char *path, int code, bt_error *opt_error) {
  return bt_file_fail_read(bt_file_label(path), code, opt_error);
}

bool bt_file_is_unreadable(const char *path) {
  struct stat info;
  if (stat(path, &info) == 0) return S_ISDIR(info.st_mode) || (access(path, R_OK) != 0 && errno == EACCES);
  if (errno == ENOENT) return lstat(path, &info) == 0; /* a link */
  return errno == EACCES || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG;
}

bool bt_file_says_absent(int code) { return code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG; }

bt_status bt_file_look(const char *path, bool *ret_there, bt_error *opt_error) {
  *ret_there = access(path, F_OK) == 0;
  return *ret_there || bt_file_says_absent(errno) ? BT_OK : fail_read(path, errno, opt_error);
}

bt_status bt_file_kind_of(const char *path, bt_file_kind *ret_kind, bt_error *opt_error) {
  struct stat info;
  bool there = stat(path, &info) == 0;
  *ret_kind = !there                    ? BT_FILE_ABSENT
              : S_ISREG(info.st_mode) ? BT_FILE_PLAIN
              : S_ISDIR(info.st_mode) ? BT_FILE_FOLDER
                                      : BT_FILE_OTHER;
  return there || bt_file_says_absent(errno) ? BT_OK : fail_read(path, errno, opt_error);
}

static bt_status fail_large(const char *path, size_t most, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = bt_file_label(path)}, "split the file",
                 "the file has more than %zu MiB", most >> 20);
}

static bt_status read_all(int descriptor, const char *path, size_t most, bt_text *text, bt_error *opt_error) {
  struct stat info;
  if (fstat(descriptor, &info) != 0) return fail_read(path, errno, opt_error);
  if (S_ISDIR(info.st_mode)) return fail_read(path, EISDIR, opt_error);
  if (S_ISREG(info.st_mode) && (uint64_t)info.st_size > most) return fail_large(path, most, opt_error);
  size_t step = S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size + 1 : 65536;
  for (;;) {
    if (!bt_text_reserve(text, step)) return bt_fail_memory(opt_error);
    ssize_t count = read(descriptor, text->data + text->size, step);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_read(path, errno, opt_error);
    text->size += (size_t)count;
    text->data[text->size] = '\0';
    if (text->size > most) return fail_large(path, most, opt_error);
    if (count == 0) return BT_OK;
    if (text->size >= 65536 || !S_ISREG(info.st_mode)) step = 65536;
  }
}

bt_status bt_file_read(const char *path, char **ret_data, size_t *ret_size, bt_error *opt_error) {
  return bt_file_read_most(path, SIZE_MAX, ret_data, ret_size, opt_error);
}

bt_status bt_file_read_most(const char *path, size_t most, char **ret_data, size_t *ret_size, bt_error *opt_error) {
  bool is_stdin = strcmp(path, "-") == 0;
  int descriptor = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return fail_read(path, errno, opt_error);
  bt_text text = {0};
  bt_status status = read_all(descriptor, path, most, &text, opt_error);
  if (!is_stdin) close(descriptor);
  *ret_size = text.size;
  return BT_HAND_OVER(status, text.data, ret_data, free);
}

/* ------------------------------------------------------------------------------------------------ writing -- */

struct bt_file_writer {
  char *path;  /* as given */
  char *aside; /* NULL when written directly */
  int descriptor;
  bool sealed;
  bt_text buffer;
};

enum { WRITE_SIZE = 1 << 20 };

static bt_status fail_write(const char *path, int code, bt_error *opt_error) {
  const char *remedy = "check the disk";
  if (code == ENOSPC || code == EDQUOT) remedy = "free disk space or write to another disk";
  if (code == EFBIG) remedy = "raise the file size limit (ulimit -f)";
  if (code == EACCES || code == EPERM || code == EROFS) remedy = "choose a writable folder";
  if (code == ENOENT || code == ENOTDIR) remedy = "create the folder first or choose another one";
  if (code == EISDIR) remedy = "name a file, not a folder";
  return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = path}, remedy, "cannot write: %s", strerror(code));
}

static void writer_free(bt_file_writer *writer) {
  if (writer->descriptor >= 0) close(writer->descriptor);
  bt_text_destroy(&writer->buffer);
  free(writer->path);
  free(writer->aside);
  free(writer);
}

static const char aside_start[] = ".berth-", aside_end[] = ".part";

/* A lock marks the file as owned and is released when its process dies. A clean-up of abandoned files may have removed
 * this one between its creation and the lock. */
static bool take_possession(int descriptor) {
  struct stat info;
  bool taken = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; /* some file systems have no locks */
  return taken && (fstat(descriptor, &info) != 0 || info.st_nlink > 0);
}

void bt_file_clear_abandoned(const char *folder) {
  DIR *directory = opendir(folder);
  if (directory == NULL) return;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    const char *name = entry->d_name;
    size_t size = strlen(name), end = strlen(aside_end);
    if (strncmp(name, aside_start, strlen(aside_start)) != 0 || size < end || strcmp(name + size - end, aside_end) != 0)
      continue;
    int descriptor = openat(dirfd(directory), name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlinkat(dirfd(directory), name, 0);
    close(descriptor);
  }
  closedir(directory);
}

/* A new file beside the final one; the name is short, so that long final names stay possible. */
static bt_status open_aside(bt_file_writer *writer, bt_error *opt_error) {
  BT_SCOPED char *folder = bt_path_folder(writer->path);
  size_t room = folder != NULL ? strlen(folder) + 64 : 0;
  BT_SCOPED char *name = folder != NULL ? malloc(room) : NULL;
  if (name == NULL) return bt_fail_memory(opt_error);
  for (unsigned attempt = 0;; attempt++) {
    snprintf(name, room, "%s/%s%ld-%u%s", folder, aside_start, (long)getpid(), attempt, aside_end);
    writer->descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (writer->descriptor >= 0 ? take_possession(writer->descriptor) : errno != EEXIST) break;
    if (writer->descriptor >= 0) close(writer->descriptor);
  }
  if (writer->descriptor < 0) return fail_write(writer->path, errno, opt_error);
  writer->aside = name;
  name = NULL;
  return BT_OK;
}

static bool begins(const char *path, const char *folder) { return strncmp(path, folder, strlen(folder)) == 0; }

/* Links in /dev and /proc, such as /dev/stdout, refer to files that are already open; /dev/shm is an ordinary
 * folder. */
static bool is_device_link(const char *path) {
  struct stat info;
  if (begins(path, "/dev/shm/") || !(begins(path, "/dev/") || begins(path, "/proc/"))) return false;
  return lstat(path, &info) != 0 || S_ISLNK(info.st_mode);
}

static bt_status writer_start(bt_file_writer *writer, const char *path, bt_error *opt_error) {
  writer->path = bt_copy_text(path, strlen(path));
  if (writer->path == NULL) return bt_fail_memory(opt_error);
  struct stat info;
  if (path[0] == '\0') return fail_write("(empty path)", ENOENT, opt_error);
  bool exists = stat(path, &info) == 0;
  if (!exists && errno != ENOENT) return fail_write(path, errno, opt_error); /* it may be a device */
  if (exists && S_ISDIR(info.st_mode)) return fail_write(path, EISDIR, opt_error);
  if (exists && (!S_ISREG(info.st_mode) || is_device_link(path))) {
    writer->descriptor = open(path, O_WRONLY | O_CLOEXEC);
    return writer->descriptor < 0 ? fail_write(path, errno, opt_error) : BT_OK;
  }
  return open_aside(writer, opt_error);
}

bt_status bt_file_writer_open(const char *path, bt_file_writer **ret_writer, bt_error *opt_error) {
  bt_file_writer *writer = bt_allocate(1, sizeof *writer);
  if (writer == NULL) return bt_fail_memory(opt_error);
  writer->descriptor = -1;
  bt_status status = writer_start(writer, path, opt_error);
  return BT_HAND_OVER(status, writer, ret_writer, writer_free);
}

void bt_file_writer_keep_private(bt_file_writer *writer) { (void)!fchmod(writer->descriptor, 0600); }

/* At the offset; -1 appends. */
static bt_status write_bytes(bt_file_writer *writer, off_t offset, const char *data, size_t size, bt_error *opt_error) {
  while (size > 0) {
    ssize_t count = offset < 0 ? write(writer->descriptor, data, size) : pwrite(writer->descriptor, data, size, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail_write(writer->path, count < 0 ? errno : ENOSPC, opt_error);
    data += count;
    size -= (size_t)count;
    if (offset >= 0) offset += count;
  }
  return BT_OK;
}

static bt_status flush(bt_file_writer *writer, bt_error *opt_error) {
  BT_TRY(write_bytes(writer, -1, writer->buffer.data, writer->buffer.size, opt_error));
  writer->buffer.size = 0;
  return BT_OK;
}

bt_status bt_file_writer_add(bt_file_writer *writer, const char *data, size_t size, bt_error *opt_error) {
  if (writer->buffer.size + size > WRITE_SIZE) {
    BT_TRY(flush(writer, opt_error));
    if (size > WRITE_SIZE) return write_bytes(writer, -1, data, size, opt_error);
  }
  bt_text_add(&writer->buffer, data, size);
  return bt_text_status(&writer->buffer, opt_error);
}

bt_status bt_file_writer_patch(bt_file_writer *writer, uint64_t offset, const char *data, size_t size,
                               bt_error *opt_error) {
  BT_TRY(flush(writer, opt_error));
  return write_bytes(writer, (off_t)offset, data, size, opt_error);
}

bt_status bt_file_writer_seal(bt_file_writer *writer, bt_error *opt_error) {
  if (writer->sealed) return BT_OK;
  BT_TRY(flush(writer, opt_error));
  /* a full disk may only be reported here; pipes and some devices cannot be synchronized, which is not an error */
  if (fsync(writer->descriptor) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
    return fail_write(writer->path, errno, opt_error);
  writer->sealed = true;
  return BT_OK;
}

bt_status bt_file_make_folder(const char *path, bt_error *opt_error) {
  BT_SCOPED char *part = bt_copy_text(path, strlen(path));
  if (part == NULL) return bt_fail_memory(opt_error);
  if (part[0] == '\0') return fail_write("(empty path)", ENOENT, opt_error);
  for (char *c = part + 1;; c++) {
    if (*c != '/' && *c != '\0') continue;
    char kept = *c;
    *c = '\0';
    if (mkdir(part, 0777) != 0 && errno != EEXIST) return fail_write(path, errno, opt_error);
    *c = kept;
    if (kept == '\0') return BT_OK;
  }
}

bt_status bt_file_sync(const char *path, bt_error *opt_error) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return bt_file_fail_read(path, errno, opt_error);
  int code = fsync(descriptor) != 0 ? errno : 0;
  close(descriptor);
  /* some file systems cannot synchronize a folder, which is not an error */
  return code == 0 || code == EINVAL || code == ENOTSUP || code == EROFS ? BT_OK : fail_write(path, code, opt_error);
}

/* Renames before closing, because closing releases the lock. */
bt_status bt_file_writer_commit(bt_file_writer *writer, bt_error *opt_error) {
  bt_status status = bt_file_writer_seal(writer, opt_error);
  if (status == BT_OK && writer->aside != NULL) {
    if (rename(writer->aside, writer->path) != 0)
      status = fail_write(writer->path, errno, opt_error);
    else
      free(writer->aside), writer->aside = NULL;
  } else if (status == BT_OK) {
    int descriptor = writer->descriptor;
    writer->descriptor = -1;
    if (close(descriptor) != 0 && errno != EINTR) status = fail_write(writer->path, errno, opt_error);
  }
  bt_file_writer_abandon(writer);
  return status;
}

void bt_file_writer_abandon(bt_file_writer *opt_writer) {
  if (opt_writer == NULL) return;
  if (opt_writer->aside != NULL) unlink(opt_writer->aside);
  writer_free(opt_writer);
}

bt_status bt_file_write(const char *path, const char *data, size_t size, bt_error *opt_error) {
  bt_file_writer *writer;
  BT_TRY(bt_file_writer_open(path, &writer, opt_error));
  bt_status status = bt_file_writer_add(writer, data, size, opt_error);
  if (status == BT_OK) return bt_file_writer_commit(writer, opt_error);
  bt_file_writer_abandon(writer);
  return status;
}

bt_status bt_file_write_text(const char *path, const bt_text *text, bt_error *opt_error) {
  BT_TRY(bt_text_status(text, opt_error));
  return bt_file_write(path, text->data, text->size, opt_error);
}
