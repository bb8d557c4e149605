/* outputs.c - see outputs.h. */
#include "output/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "input/inputs.h"
#include "common/report.h"

static bt_status fail_io(bt_error *opt_error, const char *path, const char *what, int code) {
  const char *remedy = code == ENOSPC || code == EDQUOT                 ? "free some space, or write elsewhere"
                     : code == EACCES || code == EROFS || code == EPERM ? "choose a writable folder"
                     : code == ENOTDIR || code == EEXIST ? "remove the file of that name, or choose another folder"
                                                         : "choose another folder";
  return cli_fill_error(opt_error, BT_ERR_IO, path, remedy, "%s: %s", what, strerror(code));
}

/* Creates a file to find out, as permissions are not the only obstacle. */
static bt_status try_folder(const char *folder, bt_error *opt_error) {
  BT_SCOPED char *path = bt_path_join(folder, ".berth-attempt");
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
  BT_SCOPED char *folder = bt_path_folder(path);
  return folder != NULL ? try_folder(folder, opt_error) : bt_fail_memory(opt_error);
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
