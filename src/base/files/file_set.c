/* file_set.c - see file_set.h. */
#include "base/files/file_set.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct bt_file_id file_id;

void bt_file_set_destroy(bt_file_set *set) {
  free(set->items);
  *set = (bt_file_set){0};
}

static bool identify(const char *path, file_id *ret_id) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  *ret_id = (file_id){.device = info.st_dev, .inode = info.st_ino};
  return true;
}

bt_status bt_file_set_add(bt_file_set *set, const char *opt_path, bt_error *opt_error) {
  file_id id;
  if (opt_path == NULL || !identify(opt_path, &id)) return BT_OK;
  if (!BT_GROW(set->items, &set->room, set->count + 1)) return bt_fail_memory(opt_error);
  set->items[set->count++] = id;
  set->sorted = false;
  return BT_OK;
}

static int by_identity(const void *a, const void *b) {
  const file_id *first = a, *second = b;
  if (first->inode != second->inode) return first->inode < second->inode ? -1 : 1;
  return first->device != second->device ? (first->device < second->device ? -1 : 1) : 0;
}

bool bt_file_set_has(bt_file_set *set, const char *path) {
  file_id id;
  if (set->count == 0 || !identify(path, &id)) return false;
  if (!set->sorted) qsort(set->items, set->count, sizeof *set->items, by_identity);
  set->sorted = true;
  return bsearch(&id, set->items, set->count, sizeof id, by_identity) != NULL;
}

bt_status bt_file_set_spare(bt_file_set *inputs, const char *path, bt_error *opt_error) {
  if (!bt_file_set_has(inputs, path)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "choose another path for the output",
                 "this file is an input and would be overwritten");
}
