/* database.c - makes SQLite's calls fail: a file system wrapped around the default one, and its allocator. */
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "faults/faults.h"

/* Followed in memory by the file of the default file system. */
typedef struct fault_file {
  sqlite3_file base;
  sqlite3_file *real;
} fault_file;

static sqlite3_vfs vfs, *plain;
static sqlite3_mem_methods memory;

static sqlite3_file *real_of(sqlite3_file *file) { return ((fault_file *)file)->real; }
static bool strikes(fault_kind kind, const char *function) { return fault_strikes(kind, function, 0); }

/* --- files --------------------------------------------------------------------------------------------- */

static int close_file(sqlite3_file *file) { return real_of(file)->pMethods->xClose(real_of(file)); }

static int read_file(sqlite3_file *file, void *data, int size, sqlite3_int64 at) {
  if (strikes(FAULT_DATABASE_READ, "xRead")) return SQLITE_IOERR_READ;
  return real_of(file)->pMethods->xRead(real_of(file), data, size, at);
}

static int write_file(sqlite3_file *file, const void *data, int size, sqlite3_int64 at) {
  if (!strikes(FAULT_DATABASE_WRITE, "xWrite")) return real_of(file)->pMethods->xWrite(real_of(file), data, size, at);
  if (size > 1) (void)real_of(file)->pMethods->xWrite(real_of(file), data, size / 2, at); /* as disks fill */
  return SQLITE_FULL;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  if (strikes(FAULT_DATABASE_TRUNCATE, "xTruncate")) return SQLITE_IOERR_TRUNCATE;
  return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int sync_file(sqlite3_file *file, int flags) {
  if (strikes(FAULT_DATABASE_SYNC, "xSync")) return SQLITE_IOERR_FSYNC;
  return real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int size_file(sqlite3_file *file, sqlite3_int64 *ret_size) {
  if (strikes(FAULT_DATABASE_READ, "xFileSize")) return SQLITE_IOERR_FSTAT;
  return real_of(file)->pMethods->xFileSize(real_of(file), ret_size);
}

static int lock_file(sqlite3_file *file, int level) {
  if (strikes(FAULT_DATABASE_LOCK, "xLock")) return SQLITE_IOERR_LOCK;
  return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int unlock_file(sqlite3_file *file, int level) { return real_of(file)->pMethods->xUnlock(real_of(file), level); }

static int check_lock(sqlite3_file *file, int *ret_locked) {
  if (strikes(FAULT_DATABASE_LOCK, "xCheckReservedLock")) return SQLITE_IOERR_CHECKRESERVEDLOCK;
  return real_of(file)->pMethods->xCheckReservedLock(real_of(file), ret_locked);
}

static int control(sqlite3_file *file, int what, void *argument) {
  return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}

static int sector_size(sqlite3_file *file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }
static int features(sqlite3_file *file) { return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file)); }

static int map_shared(sqlite3_file *file, int page, int size, int extend, void volatile **ret_memory) {
  if (strikes(FAULT_DATABASE_MAP, "xShmMap")) return SQLITE_IOERR_SHMMAP;
  return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, ret_memory);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  bool gives_back = (flags & SQLITE_SHM_UNLOCK) != 0;
  if (!gives_back && strikes(FAULT_DATABASE_LOCK, "xShmLock")) return SQLITE_IOERR_SHMLOCK;
  return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void barrier(sqlite3_file *file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }
static int unmap_shared(sqlite3_file *file, int delete) {
  return real_of(file)->pMethods->xShmUnmap(real_of(file), delete);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_file,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = features,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = barrier,
    .xShmUnmap = unmap_shared,
};

/* --- the file system ------------------------------------------------------------------------------------- */

static int open_file(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *opt_ret_flags) {
  fault_file *ours = (fault_file *)file;
  (void)self;
  ours->base.pMethods = NULL;
  ours->real = (sqlite3_file *)(ours + 1);
  if (strikes(FAULT_DATABASE_OPEN, "xOpen")) return SQLITE_CANTOPEN;
  int result = plain->xOpen(plain, name, ours->real, flags, opt_ret_flags);
  if (ours->real->pMethods != NULL) ours->base.pMethods = &methods;
  return result;
}

static int delete_file(sqlite3_vfs *self, const char *name, int sync_folder) {
  (void)self;
  if (strikes(FAULT_DATABASE_DELETE, "xDelete")) return SQLITE_IOERR_DELETE;
  return plain->xDelete(plain, name, sync_folder);
}

static int access_file(sqlite3_vfs *self, const char *name, int flags, int *ret_there) {
  (void)self;
  if (strikes(FAULT_DATABASE_OPEN, "xAccess")) return SQLITE_IOERR_ACCESS;
  return plain->xAccess(plain, name, flags, ret_there);
}

/* --- memory -------------------------------------------------------------------------------------------- */

static void *allocate(int size) { return strikes(FAULT_DATABASE_MEMORY, "xMalloc") ? NULL : memory.xMalloc(size); }

static void *reallocate(void *old, int size) {
  return strikes(FAULT_DATABASE_MEMORY, "xRealloc") ? NULL : memory.xRealloc(old, size);
}

__attribute__((constructor)) static void wrap(void) {
  sqlite3_mem_methods ours;
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory);
  ours = memory;
  ours.xMalloc = allocate;
  ours.xRealloc = reallocate;
  if (sqlite3_config(SQLITE_CONFIG_MALLOC, &ours) != SQLITE_OK) abort();
  plain = sqlite3_vfs_find(NULL);
  vfs = *plain;
  vfs.zName = "faults";
  vfs.szOsFile = (int)sizeof(fault_file) + plain->szOsFile;
  vfs.pNext = NULL;
  vfs.xOpen = open_file;
  vfs.xDelete = delete_file;
  vfs.xAccess = access_file;
  if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK) abort();
}
