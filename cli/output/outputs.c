/* outputs.c - output folders and small text files; a file is written completely or not at all. */
#include "output/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "input/inputs.h"
#include "common/report.h"

static bt_status fail_io(bt_error *opt_error, const char *path, const char *what, int code) {
  const char *remedy = code == ENOSPC || code == EDQUOT                 ? "free some space, or write elsewhere"
                     : code == EACCES || code == EROFS || code == EPERM ? "choose a writable folder"
                     : code == EFBIG                     ? "raise the file size limit (ulimit -f)"
                     : code == ENOTDIR || code == EEXIST ? "remove the file of that name, or choose another folder"
                                                         : "choose another folder";
  return cli_fill_error(opt_error, BT_ERR_IO, path, remedy, "%s: %s", what, strerror(code));
}

/* Creates a file to find out, as permissions are not the only obstacle. */
static bt_status try_folder(const char *folder, bt_error *opt_error) {
  BT_SCOPED char *path = cli_path_join(folder, ".berth-attempt");
  if (path == NULL) return bt_fail_memory(opt_error);
  bt_file_clear_abandoned(folder);
  bt_file_writer *writer;
  errno = 0;
  if (bt_file_writer_open(path, &writer, NULL) != BT_OK)
    return fail_io(opt_error, folder, "cannot write into this folder", errno);
  bt_file_writer_abandon(writer);
  return BT_OK;
}

bt_status cli_folder_make(const char *path, bt_error *opt_error) {
  if (path[0] == '\0')
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "use a folder", "the name of the output folder is empty");
  BT_SCOPED char *part = strdup(path);
  if (part == NULL) return bt_fail_memory(opt_error);
  int code = 0;
  for (char *c = part + 1; code == 0; c++) {
    if (*c != '/' && *c != '\0') continue;
    char kept = *c;
    *c = '\0';
    if (mkdir(part, 0777) != 0 && errno != EEXIST) code = errno;
    *c = kept;
    if (kept == '\0') break;
  }
  struct stat info;
  if (code == 0 && stat(path, &info) == 0 && !S_ISDIR(info.st_mode)) code = ENOTDIR;
  if (code != 0) return fail_io(opt_error, path, "cannot create the output folder", code);
  return try_folder(path, opt_error);
}

bt_status cli_folder_check(const char *path, bt_error *opt_error) {
  BT_SCOPED char *folder = cli_path_folder(path);
  if (folder == NULL) return bt_fail_memory(opt_error);
  return try_folder(folder[0] != '\0' ? folder : ".", opt_error);
}

bt_status cli_file_open(const char *path, cli_file *ret_file, bt_error *opt_error) {
  *ret_file = (cli_file){.path = strdup(path)};
  bt_status status = ret_file->path != NULL ? bt_file_writer_open(path, &ret_file->writer, opt_error)
                                            : bt_fail_memory(opt_error);
  int descriptor = status == BT_OK ? dup(bt_file_writer_descriptor(ret_file->writer)) : -1;
  if (descriptor >= 0) ret_file->stream = fdopen(descriptor, "w");
  if (ret_file->stream != NULL) return BT_OK;
  if (status == BT_OK) status = fail_io(opt_error, path, "cannot create the file", errno);
  if (descriptor >= 0) close(descriptor);
  bt_file_writer_abandon(ret_file->writer);
  free(ret_file->path);
  *ret_file = (cli_file){0};
  return status;
}

bt_status cli_file_close(cli_file *file, bt_error *opt_error) {
  bool early = ferror(file->stream) != 0; /* then errno is that of the failed write, unless it was overwritten */
  if (!early) errno = 0;
  bool failed = fflush(file->stream) != 0 || early;
  int code = errno;
  if (fclose(file->stream) != 0 && !failed) {
    failed = true;
    code = errno;
  }
  bt_status status = BT_OK;
  if (!failed) {
    status = bt_file_writer_commit(file->writer, opt_error);
  } else {
    bt_file_writer_abandon(file->writer);
    status = fail_io(opt_error, file->path, "cannot write the file", code != 0 ? code : EIO);
  }
  free(file->path);
  *file = (cli_file){0};
  return status;
}

void cli_file_abandon(cli_file *file) {
  fclose(file->stream);
  bt_file_writer_abandon(file->writer);
  free(file->path);
  *file = (cli_file){0};
}

bt_status cli_file_write(const char *path, const char *text, bt_error *opt_error) {
  cli_file file;
  BT_TRY(cli_file_open(path, &file, opt_error));
  fputs(text, file.stream);
  return cli_file_close(&file, opt_error);
}

static bool is_plain_word(const char *word) {
  return word[0] != '\0' && strspn(word,
                                   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "_-+=./,:@%^") == strlen(word);
}

char *cli_command_line(const char *program, int argc, char **argv) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (stream == NULL) return NULL;
  fputs(program, stream);
  for (int i = 1; i < argc; i++) {
    fputc(' ', stream);
    if (is_plain_word(argv[i])) {
      fputs(argv[i], stream);
      continue;
    }
    fputc('\'', stream);
    for (const char *c = argv[i]; *c != '\0'; c++) {
      if (*c == '\'')
        fputs("'\\''", stream);
      else
        fputc((unsigned char)*c < ' ' ? '?' : *c, stream);
    }
    fputc('\'', stream);
  }
  if (fclose(stream) != 0) {
    free(text);
    return NULL;
  }
  return text;
}
