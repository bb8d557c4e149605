/* guard.c - see guard.h. */
#include "output/guard.h"

#include <berth/berth.h>
#include <berth/grid.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "base/files/pattern.h"
#include "common/report.h"
#include "output/origin.h"

enum { DEEPEST = 64 }; /* folders in folders, as in libraries */

static bt_status add_word(bt_file_set *inputs, const char *word, bt_error *opt_error) {
  BT_TRY(bt_file_set_add(inputs, word, opt_error));
  BT_SCOPED char *path = strdup(word);
  if (path == NULL) return bt_fail_memory(opt_error);
  for (char *colon; (colon = strrchr(path, ':')) != NULL;) {
    *colon = '\0';
    BT_TRY(bt_file_set_add(inputs, path, opt_error));
  }
  return BT_OK;
}

bt_status cli_guard_add(bt_file_set *inputs, const char *const *opt_words, int count, bt_error *opt_error) {
  for (int i = 0; i < count; i++)
    if (opt_words[i] != NULL) BT_TRY(add_word(inputs, opt_words[i], opt_error));
  return BT_OK;
}

static bool is_of_library(const char *name) {
  return bt_ligand_file_ending(name) > 0 || bt_is_library_file(name);
}

/* Links to folders could form cycles; libraries do not follow them either. */
static bt_status add_tree(bt_file_set *inputs, const char *path, int depth, bt_error *opt_error) {
  struct stat info;
  if ((depth == 0 ? stat(path, &info) : lstat(path, &info)) != 0 || !S_ISDIR(info.st_mode))
    return depth == 0 || is_of_library(path) ? bt_file_set_add(inputs, path, opt_error) : BT_OK;
  DIR *directory = depth < DEEPEST ? opendir(path) : NULL;
  bt_status status = BT_OK;
  errno = 0;
  for (struct dirent *entry; status == BT_OK && directory != NULL && (entry = readdir(directory)) != NULL; errno = 0) {
    if (entry->d_name[0] == '.') continue;
    BT_SCOPED char *name = bt_path_join(path, entry->d_name);
    status = name != NULL ? add_tree(inputs, name, depth + 1, opt_error) : bt_fail_memory(opt_error);
  }
  if (status == BT_OK && directory != NULL && errno != 0) status = bt_file_fail_read(path, errno, opt_error);
  if (directory != NULL) closedir(directory);
  return status;
}

bt_status cli_guard_add_library(bt_file_set *inputs, const cli_list *words, bool folders, bt_error *opt_error) {
  for (int i = 0; i < words->count; i++) {
    struct stat info;
    const char *word = words->items[i];
    glob_t found = {0};
    if (stat(word, &info) == 0 || bt_pattern_find(word, &found) != 0) {
      BT_TRY(folders ? add_tree(inputs, word, 0, opt_error) : bt_file_set_add(inputs, word, opt_error));
      continue;
    }
    bt_status status = BT_OK;
    for (size_t k = 0; status == BT_OK && k < found.gl_pathc; k++)
      status = folders ? add_tree(inputs, found.gl_pathv[k], 0, opt_error)
                       : bt_file_set_add(inputs, found.gl_pathv[k], opt_error);
    globfree(&found);
    BT_TRY(status);
  }
  return BT_OK;
}

bt_status cli_guard_check(bt_file_set *inputs, const char *folder, const char *name, bt_error *opt_error) {
  BT_SCOPED char *path = bt_path_join(folder, name);
  return path != NULL ? bt_file_set_spare(inputs, path, opt_error) : bt_fail_memory(opt_error);
}

static bt_status check_map(bt_file_set *inputs, const cli_origin *opt_origin, const char *prefix, const char *name,
                           const char *ending, bt_error *opt_error) {
  BT_SCOPED char *path = cli_format("%s.%s.%s", prefix, name, ending);
  if (path == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_file_set_spare(inputs, path, opt_error));
  return opt_origin != NULL ? cli_origin_check(opt_origin, path, opt_error) : BT_OK;
}

static bt_status check_all_maps(bt_file_set *inputs, const cli_origin *opt_origin, const char *prefix,
                                const bt_maps *maps, bt_error *opt_error) {
  BT_TRY(check_map(inputs, opt_origin, prefix, "maps", "fld", opt_error));
  BT_TRY(check_map(inputs, opt_origin, prefix, "maps", "xyz", opt_error));
  BT_TRY(check_map(inputs, opt_origin, prefix, "e", "map", opt_error));
  BT_TRY(check_map(inputs, opt_origin, prefix, "d", "map", opt_error));
  for (int k = 0; k < bt_maps_type_count(maps); k++)
    BT_TRY(check_map(inputs, opt_origin, prefix, bt_maps_type(maps, k), "map", opt_error));
  return BT_OK;
}

bt_status cli_guard_write_maps(bt_file_set *inputs, const char *prefix, const bt_maps *maps, const char *opt_receptor,
                               bool overwrite, bt_error *opt_error) {
  if (opt_receptor == NULL) {
    BT_TRY(check_all_maps(inputs, NULL, prefix, maps, opt_error));
    return bt_maps_write(maps, prefix, opt_error);
  }
  BT_SCOPED char *record = cli_format("%s.maps.inputs.txt", prefix);
  if (record == NULL) return bt_fail_memory(opt_error);
  const cli_origin origin = {.record = record, .opt_receptor = opt_receptor, .overwrite = overwrite};
  BT_TRY(check_all_maps(inputs, &origin, prefix, maps, opt_error));
  BT_TRY(bt_file_set_spare(inputs, record, opt_error));
  BT_TRY(bt_maps_write(maps, prefix, opt_error));
  return cli_origin_keep(&origin, opt_error);
}
