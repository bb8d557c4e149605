/* origin.c - see origin.h. */
#include "output/origin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/text/text.h"
#include "common/report.h"
#include "input/inputs.h"

bt_status cli_origin_refuse(const char *path, const char *what, bt_error *opt_error) {
  static const char remedy[] = "use --overwrite to replace it, or another folder";
  return cli_fill_error(opt_error, BT_ERR_USAGE, path, remedy, "%s", what);
}

/* Resolves links as far as the path exists; the last part of a pattern does not. */
static bt_status absolute(const char *path, char **ret_path, bt_error *opt_error) {
  *ret_path = realpath(path, NULL);
  if (*ret_path == NULL && !bt_file_says_absent(errno)) return bt_file_fail_read(path, errno, opt_error);
  if (*ret_path != NULL) return BT_OK;
  BT_SCOPED char *folder = bt_path_folder(path);
  if (folder == NULL) return bt_fail_memory(opt_error);
  BT_SCOPED char *place = realpath(folder, NULL);
  if (place == NULL && !bt_file_says_absent(errno)) return bt_file_fail_read(folder, errno, opt_error);
  *ret_path = place != NULL ? bt_path_join(place, bt_path_base(path)) : strdup(path);
  return *ret_path != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* Adds the path of the file relative to the folder, such as "../receptor.pdbqt"; both are absolute. */
static void add_way(bt_text *text, const char *folder, const char *file) {
  size_t same = 0;
  for (size_t i = 0;; i++) {
    bool end_of_folder = folder[i] == '\0' || folder[i] == '/', end_of_file = file[i] == '\0' || file[i] == '/';
    if (end_of_folder && end_of_file) same = i;
    if (folder[i] != file[i] || folder[i] == '\0') break;
  }
  for (const char *c = folder + same; *c != '\0'; c++)
    if (*c == '/' && c[1] != '\0') bt_text_add_string(text, "../");
  file += same;
  bt_text_add_string(text, *file == '/' ? file + 1 : file);
}

static bt_status add_input(bt_text *text, const char *kind, const char *folder, const char *path, bt_error *opt_error) {
  bt_text_printf(text, "%s ", kind);
  if (strcmp(path, "-") == 0) {
    bt_text_add_string(text, "-\n");
    return BT_OK;
  }
  BT_SCOPED char *file = NULL;
  BT_TRY(absolute(path, &file, opt_error));
  add_way(text, folder, file);
  bt_text_add_char(text, '\n');
  return BT_OK;
}

static bt_status format(const cli_origin *origin, bt_text *text, bt_error *opt_error) {
  BT_SCOPED char *folder = bt_path_folder(origin->record), *place = NULL;
  if (folder == NULL) return bt_fail_memory(opt_error);
  BT_TRY(absolute(folder, &place, opt_error));
  bt_text_add_string(text,
                     "# inputs of the files beside this; Berth replaces results of others with --overwrite only\n");
  if (origin->opt_receptor != NULL) BT_TRY(add_input(text, "receptor", place, origin->opt_receptor, opt_error));
  for (int i = 0; origin->opt_ligands != NULL && i < origin->opt_ligands->count; i++)
    BT_TRY(add_input(text, "ligand", place, origin->opt_ligands->items[i], opt_error));
  return bt_text_status(text, opt_error);
}

bt_status cli_origin_check(const cli_origin *origin, const char *output, bt_error *opt_error) {
  struct stat info;
  if (origin->overwrite || lstat(output, &info) != 0) return BT_OK;
  if (stat(output, &info) == 0 && !S_ISREG(info.st_mode)) return BT_OK; /* a device or pipe */
  BT_ENDED_BY(bt_text_destroy) bt_text ours = {0};
  BT_SCOPED char *theirs = NULL;
  size_t size;
  BT_TRY(format(origin, &ours, opt_error));
  if (access(origin->record, F_OK) != 0)
    return cli_origin_refuse(output, "it is unknown which inputs this file was made from", opt_error);
  BT_TRY(bt_file_read(origin->record, &theirs, &size, opt_error));
  return strcmp(theirs, ours.data) == 0 ? BT_OK
                                        : cli_origin_refuse(output, "this is the result of other inputs", opt_error);
}

bt_status cli_origin_keep(const cli_origin *origin, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  BT_TRY(format(origin, &text, opt_error));
  return bt_file_write_text(origin->record, &text, opt_error);
}
