/* folder_lock.c - see folder_lock.h. */
#include "base/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* The folder itself is locked. Network file systems want a file that is open for writing. */
static int lock_file(const char *folder, int operation, bool *ret_busy) {
  BT_SCOPED char *path = bt_path_join(folder, ".berth-lock");
  int descriptor = path != NULL ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (descriptor < 0 || flock(descriptor, operation) == 0) return descriptor;
  *ret_busy = errno == EWOULDBLOCK;
  close(descriptor);
  return -1;
}

static int lock_folder(const char *folder, int operation, bool *ret_busy) {
  *ret_busy = false;
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), result = -1;
  if (descriptor < 0) return -1;
  do result = flock(descriptor, operation);
  while (result != 0 && errno == EINTR);
  if (result == 0) return descriptor;
  *ret_busy = errno == EWOULDBLOCK;
  close(descriptor);
  return *ret_busy ? -1 : lock_file(folder, operation, ret_busy);
}

bt_folder_lock bt_folder_lock_wait(const char *folder) {
  bool busy;
  return (bt_folder_lock){.descriptor = lock_folder(folder, LOCK_EX, &busy)};
}

bool bt_folder_lock_try(const char *folder, bt_folder_lock *ret_lock) {
  bool busy;
  ret_lock->descriptor = lock_folder(folder, LOCK_EX | LOCK_NB, &busy);
  return !busy;
}

void bt_folder_lock_release(bt_folder_lock *lock) {
  if (lock->descriptor >= 0) close(lock->descriptor);
  lock->descriptor = -1;
}
