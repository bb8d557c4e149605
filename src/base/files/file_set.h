/* file_set.h - files by device and inode, whatever their names: would an output overwrite an input? */
#ifndef BERTH_BASE_FILES_FILE_SET_H
#define BERTH_BASE_FILES_FILE_SET_H

#include <berth/status.h>
#include <sys/types.h>

typedef struct bt_file_set {
  struct bt_file_id {
    dev_t device;
    ino_t inode;
  } *items;
  size_t count, room;
  bool sorted;
} bt_file_set;

void bt_file_set_destroy(bt_file_set *set);

/* Adds a regular file; anything else, and NULL, is ignored. Links are followed. */
bt_status bt_file_set_add(bt_file_set *set, const char *opt_path, bt_error *opt_error) BT_MUST_USE;
/* Is there a file of this name, and is it one of the set, by any name? */
bool bt_file_set_has(bt_file_set *set, const char *path);
/* BT_ERR_USAGE when the output at this path would overwrite one of these inputs. */
bt_status bt_file_set_spare(bt_file_set *inputs, const char *path, bt_error *opt_error) BT_MUST_USE;

#endif
