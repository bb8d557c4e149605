/* folder_lock.h - one process at a time changes the files that several processes share in an output folder. */
#ifndef BERTH_BASE_FILES_FOLDER_LOCK_H
#define BERTH_BASE_FILES_FOLDER_LOCK_H

/* Starts as {.descriptor = -1}. */
typedef struct bt_folder_lock {
  int descriptor;
} bt_folder_lock;

/* Waits for the lock; it is released when its process dies. Without effect where the file system has no locks. */
bt_folder_lock bt_folder_lock_wait(const char *folder);
void bt_folder_lock_release(bt_folder_lock *lock);

#endif
