/* compat.c - what the headers and static libraries of a newer glibc call and glibc 2.28 does not have, by what it has;
 * linked into the wheel by scripts/wheel. Hidden, so that nothing else is bound to it. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>

/* In glibc since its beginning, but not in its headers any more; stat64 is stat on 64-bit processors. The version of
 * struct stat is the only one that Linux has there. */
int __xstat(int version, const char *path, struct stat *found);
int __lxstat(int version, const char *path, struct stat *found);
int __fxstat(int version, int file, struct stat *found);
int __fxstatat(int version, int folder, const char *path, struct stat *found, int flags);
#ifdef __x86_64__
enum { VERSION = 1 };
#else
enum { VERSION = 0 };
#endif

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN int stat(const char *path, struct stat *found) { return __xstat(VERSION, path, found); }
HIDDEN int lstat(const char *path, struct stat *found) { return __lxstat(VERSION, path, found); }
HIDDEN int fstat(int file, struct stat *found) { return __fxstat(VERSION, file, found); }
HIDDEN int fstatat(int folder, const char *path, struct stat *found, int flags) {
  return __fxstatat(VERSION, folder, path, found, flags);
}
HIDDEN int stat64(const char *, struct stat64 *) __attribute__((alias("stat")));
HIDDEN int lstat64(const char *, struct stat64 *) __attribute__((alias("lstat")));
HIDDEN int fstat64(int, struct stat64 *) __attribute__((alias("fstat")));

/* false: other threads may run, so that reference counts stay atomic */
HIDDEN char __libc_single_threaded = 0;

HIDDEN uint32_t arc4random(void) {
  uint32_t number;
  if (getrandom(&number, sizeof number, 0) != sizeof number) abort();
  return number;
}
