/* sources.c - expands paths to files. */
#include "library/sources.h"

#include <berth/place.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "base/files/pattern.h"
#include "base/memory.h"

enum { DEEPEST = 64 }; /* folders in folders */

bt_status bt_sources_append(bt_sources *sources, const char *path, const bt_format *opt_format, bt_error *opt_error) {
  if (!BT_GROW(sources->items, &sources->room, sources->count + 1)) return bt_fail_memory(opt_error);
  if (!bt_format_is(opt_format, BT_SOURCES)) opt_format = NULL;
  sources->items[sources->count] = (bt_source){bt_copy_text(path, strlen(path)), opt_format};
  if (sources->items[sources->count].path == NULL) return bt_fail_memory(opt_error);
  sources->count++;
  return BT_OK;
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }
static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static bt_status add_folder(bt_sources *sources, const char *folder, int depth, bt_error *opt_error);

/* Skipping files that cannot be read now would change the library once they can. */
static bt_status look(const char *path, bool follow, struct stat *info, bool *ret_there, bt_error *opt_error) {
  *ret_there = (follow ? stat(path, info) : lstat(path, info)) == 0;
  if (*ret_there || errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG) return BT_OK;
  return bt_file_fail_read(path, errno, opt_error);
}

static bt_status is_excluded(const bt_sources *sources, const struct stat *info, bool *ret_excluded,
                             bt_error *opt_error) {
  struct stat other;
  bool there = false;
  *ret_excluded = false;
  if (sources->opt_excluded != NULL) BT_TRY(look(sources->opt_excluded, true, &other, &there, opt_error));
  *ret_excluded = there && other.st_dev == info->st_dev && other.st_ino == info->st_ino;
  return BT_OK;
}

static bt_status add_entry(bt_sources *sources, const char *folder, const char *name, int depth, bt_error *opt_error) {
  BT_SCOPED char *path = bt_path_join(folder, name);
  struct stat info;
  if (path == NULL) return bt_fail_memory(opt_error);
  const bt_format *format = bt_format_of(name);
  bool known, excluded = false;
  BT_TRY(look(path, false, &info, &known, opt_error));
  if (known && S_ISDIR(info.st_mode)) /* links to folders could form cycles */
    return depth < DEEPEST ? add_folder(sources, path, depth + 1, opt_error) : BT_OK;
  if (format == NULL || format->is & (BT_FORMAT_STRUCTURE | BT_FORMAT_TABLE))
    return BT_OK; /* more likely receptors, results */
  if (known) BT_TRY(is_excluded(sources, &info, &excluded, opt_error));
  return excluded ? BT_OK : bt_sources_append(sources, path, format, opt_error);
}

static bt_status add_folder(bt_sources *sources, const char *folder, int depth, bt_error *opt_error) {
  BT_SCOPED struct dirent **entries = NULL;
  int count = scandir(folder, &entries, is_visible, by_name);
  if (count < 0)
    return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = folder}, "check its permissions",
                   "cannot list the folder: %s", strerror(errno));
  bt_status status = BT_OK;
  for (int i = 0; i < count; i++) {
    if (status == BT_OK) status = add_entry(sources, folder, entries[i]->d_name, depth, opt_error);
    free(entries[i]);
  }
  return status;
}

static bt_status add_pattern(bt_sources *sources, const char *pattern, const bt_format *stdin_format,
                             bt_error *opt_error) {
  glob_t found;
  int code = bt_pattern_find(pattern, &found);
  if (code == GLOB_NOSPACE) return bt_fail_memory(opt_error);
  if (code != 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = pattern}, "check the pattern", "no file matches");
  bt_status status = BT_OK;
  for (size_t i = 0; i < found.gl_pathc && status == BT_OK; i++)
    status = bt_sources_add(sources, found.gl_pathv[i], stdin_format, opt_error);
  globfree(&found);
  return status;
}

bt_status bt_sources_add(bt_sources *sources, const char *path, const bt_format *stdin_format, bt_error *opt_error) {
  struct stat info;
  if (strcmp(path, "-") == 0) {
    for (size_t i = 0; i < sources->count; i++)
      if (strcmp(sources->items[i].path, "-") == 0) return BT_OK;
    return bt_sources_append(sources, path, stdin_format != NULL ? stdin_format : &bt_format_pdbqt, opt_error);
  }
  bool exists;
  BT_TRY(look(path, true, &info, &exists, opt_error));
  if (!exists && strpbrk(path, "*?[") != NULL) return add_pattern(sources, path, stdin_format, opt_error);
  if (exists && S_ISDIR(info.st_mode)) {
    size_t before = sources->count;
    BT_TRY(add_folder(sources, path, 0, opt_error));
    if (sources->count > before) return BT_OK;
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "use a folder with ligands",
                   "%s file in this folder",
                   bt_format_advise("no", BT_SOURCES, BT_FORMAT_STRUCTURE | BT_FORMAT_TABLE).text);
  }
  return bt_sources_append(sources, path, bt_format_of(path), opt_error);
}

void bt_sources_destroy(bt_sources *sources) {
  for (size_t i = 0; i < sources->count; i++) free(sources->items[i].path);
  free(sources->items);
  *sources = (bt_sources){0};
}
