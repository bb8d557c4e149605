/* inputs.c - expands the arguments of -l to files. */
#include "input/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/pattern.h"
#include "base/files/unpack.h"
#include "common/report.h"
#include "input/prepare.h"

bool cli_path_ends(const char *path, const char *suffix) {
  size_t length = strlen(path), size = strlen(suffix);
  return length >= size && strcasecmp(path + length - size, suffix) == 0;
}

/* Structures in a folder are more likely receptors. */
static bool is_found_in_folder(const char *name, bool raw) {
  const bt_format *format = bt_format_of(name);
  if (bt_format_is(format, BT_FORMAT_PREPARED)) return raw || bt_packed_ending(name, strlen(name)) == 0;
  return raw && bt_format_is(format, BT_FORMAT_LIGANDS) && !bt_format_is(format, BT_FORMAT_STRUCTURE | BT_FORMAT_TABLE);
}

bool cli_path_same(const char *first, const char *second) {
  struct stat a, b;
  return stat(first, &a) == 0 && stat(second, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool is_excluded(const char *path, const char *const *opt_excluded, int n_excluded) {
  for (int i = 0; i < n_excluded; i++)
    if (opt_excluded[i] != NULL && cli_path_same(path, opt_excluded[i])) return true;
  return false;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bt_status expand_folder(const char *folder, bool raw, const char *const *opt_excluded, int n_excluded,
                               bt_text_list *paths, bt_error *opt_error) {
  DIR *directory = opendir(folder);
  if (directory == NULL)
    return cli_fill_error(opt_error, BT_ERR_IO, folder, "check its permissions", "cannot list the folder: %s",
                          strerror(errno));
  int first = paths->count;
  bt_status status = BT_OK;
  errno = 0;
  for (struct dirent *entry; status == BT_OK && (entry = readdir(directory)) != NULL; errno = 0) {
    if (entry->d_name[0] == '.' || !is_found_in_folder(entry->d_name, raw)) continue;
    BT_SCOPED char *path = bt_path_join(folder, entry->d_name);
    if (path == NULL)
      status = bt_fail_memory(opt_error);
    else if (!is_excluded(path, opt_excluded, n_excluded))
      status = bt_text_list_add(paths, bt_span_from(path), opt_error);
  }
  int code = errno; /* distinguishes a read error from the end */
  closedir(directory);
  if (status != BT_OK) return status;
  if (code != 0) return bt_file_fail_read(folder, code, opt_error);
  if (paths->count == first)
    return cli_fill_error(opt_error, BT_ERR_USAGE, folder, "use a folder with ligands",
                          raw ? "no .pdbqt, .sdf, .mol2 or .smi file in this folder" : "no .pdbqt file in this folder");
  qsort(paths->items + first, (size_t)(paths->count - first), sizeof *paths->items, by_name);
  return BT_OK;
}

/* Its rows as CSV on standard output, and where they go. */
static bt_status refuse_parquet(const char *path, bt_error *opt_error) {
  char remedy[400];
  snprintf(remedy, sizeof remedy,
           "pipe its rows (pip install duckdb): python3 -c \"import duckdb; duckdb.sql(\\\"COPY (FROM '%.120s') TO "
           "'/dev/stdout' (FORMAT csv)\\\")\" | berth prep library -l - --input-format csv -o LIBRARY.btl", path);
  return cli_fill_error(opt_error, BT_ERR_USAGE, path, remedy, "Parquet is read by the Python package alone");
}

bt_status cli_inputs_check(const char *word, bt_error *opt_error) {
  glob_t found;
  if (strcmp(word, "-") == 0) return BT_OK;
  if (access(word, F_OK) == 0 && cli_path_ends(word, ".parquet")) return refuse_parquet(word, opt_error);
  if (access(word, F_OK) == 0)
    return cli_path_ends(word, ".xlsx") || cli_path_ends(word, ".xls")
             ? cli_fill_error(opt_error, BT_ERR_USAGE, word, "save it as CSV", "spreadsheets are not read")
             : BT_OK;
  if (strpbrk(word, "*?[") != NULL && bt_pattern_find(word, &found) == 0) {
    globfree(&found);
    return BT_OK;
  }
  if (strncmp(word, "InChI=", 6) == 0)
    return cli_fill_error(opt_error, BT_ERR_USAGE, word, "use a SMILES, or an SDF file", "an InChI cannot be read");
  if (cli_looks_like_smiles(word))
    return cli_fill_error(opt_error, BT_ERR_USAGE, word, "if it is a SMILES, write it into a .smi file",
                          "there is no file of this name");
  return BT_OK;
}

static bt_status expand_pattern(const char *pattern, const char *const *opt_excluded, int n_excluded,
                                bt_text_list *paths, bt_error *opt_error) {
  glob_t found;
  int code = bt_pattern_find(pattern, &found);
  if (code == GLOB_NOSPACE) return bt_fail_memory(opt_error);
  if (code != 0)
    return cli_fill_error(opt_error, BT_ERR_USAGE, pattern, "check the path", "no file matches this pattern");
  bt_status status = BT_OK;
  for (size_t i = 0; status == BT_OK && i < found.gl_pathc; i++)
    if (!is_excluded(found.gl_pathv[i], opt_excluded, n_excluded))
      status = bt_text_list_add(paths, bt_span_from(found.gl_pathv[i]), opt_error);
  globfree(&found);
  return status;
}

bt_status cli_inputs_expand(const cli_list *words, bool raw, const char *const *opt_excluded, int n_excluded,
                            bt_text_list *ret_paths, bt_error *opt_error) {
  *ret_paths = (bt_text_list){0};
  bool standard_input = false;
  bt_status status = BT_OK;
  for (int i = 0; status == BT_OK && i < words->count; i++) {
    const char *word = words->items[i];
    bool piped = strcmp(word, "-") == 0;
    if (piped && standard_input) continue;
    standard_input = standard_input || piped;
    bt_file_kind kind = BT_FILE_OTHER;
    if (!piped) status = bt_file_kind_of(word, &kind, opt_error);
    if (status != BT_OK) break;
    status = cli_inputs_check(word, opt_error);
    if (status != BT_OK) break;
    if (kind == BT_FILE_FOLDER) {
      status = expand_folder(word, raw, opt_excluded, n_excluded, ret_paths, opt_error);
    } else if (kind == BT_FILE_ABSENT && strpbrk(word, "*?[") != NULL) {
      status = expand_pattern(word, opt_excluded, n_excluded, ret_paths, opt_error);
    } else {
      status = bt_text_list_add(ret_paths, bt_span_from(word), opt_error);
    }
  }
  if (status != BT_OK) bt_text_list_destroy(ret_paths);
  return status;
}
