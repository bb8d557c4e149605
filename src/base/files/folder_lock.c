/* folder_lock.c - see folder_lock.h. */
#include "base/files/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"

/* Network file systems want a file that is open for writing. */
static int lock_file(const char *folder) {
  BT_SCOPED char *path = bt_path_join(folder, ".berth-lock");
  int descriptor = path != NULL ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (descriptor < 0 || flock(descriptor, LOCK_EX) == 0) return descriptor;
  close(descriptor);
  return -1;
}

/* The folder itself is locked. */
bt_folder_lock bt_folder_lock_wait(const char *folder) {
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), result = -1;
  if (descriptor < 0) return (bt_folder_lock){.descriptor = -1};
  do result = flock(descriptor, LOCK_EX);
  while (result != 0 && errno == EINTR);
  if (result == 0) return (bt_folder_lock){.descriptor = descriptor};
  close(descriptor);
  return (bt_folder_lock){.descriptor = lock_file(folder)};
}

void bt_folder_lock_release(bt_folder_lock *lock) {
  if (lock->descriptor >= 0) close(lock->descriptor);
  lock->descriptor = -1;
}
