/* calls.c - wrappers of C library functions, substituted by the linker's --wrap. The build takes the list of functions
 * from the lines that begin with WRAP. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <locale.h>
#include <regex.h>
#include <search.h>
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/faults.h"

#define WRAP(name, kind, type, parameters, arguments, failed) \
  type __real_##name parameters;                              \
  type __wrap_##name parameters;                              \
  type __wrap_##name parameters {                             \
    if (FAULT_STRIKES(FAULT_##kind, #name)) return failed;    \
    return __real_##name arguments;                           \
  }

/* --- memory -------------------------------------------------------------------------------------------- */

WRAP(malloc, ALLOCATE, void *, (size_t size), (size), NULL)
WRAP(calloc, ALLOCATE, void *, (size_t count, size_t size), (count, size), NULL)
WRAP(realloc, ALLOCATE, void *, (void *old, size_t size), (old, size), NULL)
WRAP(aligned_alloc, ALLOCATE, void *, (size_t alignment, size_t size), (alignment, size), NULL)
WRAP(strdup, ALLOCATE, char *, (const char *text), (text), NULL)
WRAP(strndup, ALLOCATE, char *, (const char *text, size_t size), (text, size), NULL)
WRAP(open_memstream, ALLOCATE, FILE *, (char **data, size_t *size), (data, size), NULL)
WRAP(glob, ALLOCATE, int, (const char *pattern, int flags, int (*error)(const char *, int), glob_t *found),
     (pattern, flags, error, found), GLOB_NOSPACE)

WRAP(fmemopen, ALLOCATE, FILE *, (void *data, size_t size, const char *mode), (data, size, mode), NULL)
WRAP(tsearch, ALLOCATE, void *, (const void *key, void **root, int (*order)(const void *, const void *)),
     (key, root, order), NULL)
WRAP(newlocale, ALLOCATE, locale_t, (int mask, const char *name, locale_t base), (mask, name, base), (locale_t)0)
WRAP(regcomp, ALLOCATE, int, (regex_t * pattern, const char *text, int flags), (pattern, text, flags), REG_ESPACE)

/* --- files --------------------------------------------------------------------------------------------- */

WRAP(fopen, OPEN, FILE *, (const char *path, const char *mode), (path, mode), NULL)
WRAP(fdopen, OPEN, FILE *, (int descriptor, const char *mode), (descriptor, mode), NULL)
WRAP(tmpfile, OPEN, FILE *, (void), (), NULL)
WRAP(opendir, OPEN, DIR *, (const char *path), (path), NULL)
WRAP(mkstemp, OPEN, int, (char *path), (path), -1)
WRAP(dup, OPEN, int, (int descriptor), (descriptor), -1)
WRAP(scandir, OPEN, int,
     (const char *path, struct dirent ***list, int (*wanted)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     (path, list, wanted, order), -1)
WRAP(read, READ, ssize_t, (int descriptor, void *data, size_t size), (descriptor, data, size), -1)
WRAP(pread, READ, ssize_t, (int descriptor, void *data, size_t size, off_t at), (descriptor, data, size, at), -1)
WRAP(write, WRITE, ssize_t, (int descriptor, const void *data, size_t size), (descriptor, data, size), -1)
WRAP(pwrite, WRITE, ssize_t, (int descriptor, const void *data, size_t size, off_t at), (descriptor, data, size, at),
     -1)
WRAP(ftruncate, TRUNCATE, int, (int descriptor, off_t size), (descriptor, size), -1)
WRAP(openat, OPEN, int, (int folder, const char *path, int flags), (folder, path, flags), -1)
WRAP(fseek, READ, int, (FILE * stream, long at, int from), (stream, at, from), -1)
WRAP(ftell, READ, long, (FILE * stream), (stream), -1)
WRAP(unlinkat, UNLINK, int, (int folder, const char *path, int flags), (folder, path, flags), -1)
WRAP(readlink, STAT, ssize_t, (const char *path, char *text, size_t size), (path, text, size), -1)
WRAP(fchmod, STAT, int, (int descriptor, mode_t mode), (descriptor, mode), -1)
WRAP(flock, LOCK, int, (int descriptor, int operation), (descriptor, operation), -1)
WRAP(fcntl, LOCK, int, (int descriptor, int command, void *lock), (descriptor, command, lock), -1) /* F_SETLK alone */
WRAP(fsync, SYNC, int, (int descriptor), (descriptor), -1)
WRAP(fdatasync, SYNC, int, (int descriptor), (descriptor), -1)
WRAP(rename, RENAME, int, (const char *from, const char *to), (from, to), -1)
WRAP(unlink, UNLINK, int, (const char *path), (path), -1)
WRAP(rmdir, UNLINK, int, (const char *path), (path), -1)
WRAP(mkdir, FOLDER, int, (const char *path, mode_t mode), (path, mode), -1)
WRAP(mkdtemp, FOLDER, char *, (char *path), (path), NULL)
WRAP(stat, STAT, int, (const char *path, struct stat *info), (path, info), -1)
WRAP(lstat, STAT, int, (const char *path, struct stat *info), (path, info), -1)
WRAP(fstat, STAT, int, (int descriptor, struct stat *info), (descriptor, info), -1)
WRAP(access, STAT, int, (const char *path, int mode), (path, mode), -1)
WRAP(realpath, STAT, char *, (const char *path, char *resolved), (path, resolved), NULL)
WRAP(pthread_create, THREAD, int,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument),
     (thread, attributes, start, argument), EAGAIN)

WRAP(posix_spawnp, THREAD, int,
     (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
      char *const argv[], char *const environment[]),
     (pid, file, actions, attributes, argv, environment), EAGAIN)
WRAP(fork, THREAD, pid_t, (void), (), -1)
WRAP(pipe2, OPEN, int, (int ends[2], int flags), (ends, flags), -1)
WRAP(mmap, OPEN, void *, (void *at, size_t size, int protection, int flags, int descriptor, off_t offset),
     (at, size, protection, flags, descriptor, offset), MAP_FAILED)
WRAP(dlopen, OPEN, void *, (const char *path, int flags), (path, flags), NULL)
WRAP(readdir, READ, struct dirent *, (DIR * folder), (folder), NULL)

/* zlib, libbz2 and Zstandard, where they are built in; -4 is Z_MEM_ERROR, -3 BZ_MEM_ERROR. */
int __real_inflateInit2_(void *stream, int bits, const char *version, int size) __attribute__((weak));
int __real_deflateInit2_(void *stream, int level, int method, int bits, int memory, int strategy, const char *version,
                         int size) __attribute__((weak));
int __real_compress2(void *packed, unsigned long *size, const void *data, unsigned long count, int level)
    __attribute__((weak));
int __real_uncompress(void *data, unsigned long *size, const void *packed, unsigned long count) __attribute__((weak));
void *__real_ZSTD_createCCtx(void) __attribute__((weak));
void *__real_ZSTD_createDCtx(void) __attribute__((weak));
WRAP(inflateInit2_, ALLOCATE, int, (void *stream, int bits, const char *version, int size),
     (stream, bits, version, size), -4)
WRAP(deflateInit2_, ALLOCATE, int,
     (void *stream, int level, int method, int bits, int memory, int strategy, const char *version, int size),
     (stream, level, method, bits, memory, strategy, version, size), -4)
WRAP(compress2, ALLOCATE, int, (void *packed, unsigned long *size, const void *data, unsigned long count, int level),
     (packed, size, data, count, level), -4)
WRAP(uncompress, ALLOCATE, int, (void *data, unsigned long *size, const void *packed, unsigned long count),
     (data, size, packed, count), -4)
WRAP(ZSTD_createCCtx, ALLOCATE, void *, (void), (), NULL)
WRAP(ZSTD_createDCtx, ALLOCATE, void *, (void), (), NULL)
int __real_BZ2_bzDecompressInit(void *stream, int verbosity, int small) __attribute__((weak));
WRAP(BZ2_bzDecompressInit, ALLOCATE, int, (void *stream, int verbosity, int small), (stream, verbosity, small), -3)

/* A closed file is released even if closing reports an error. */
#define WRAP_CLOSE(name, type)                        \
  int __real_##name(type handle);                     \
  int __wrap_##name(type handle);                     \
  int __wrap_##name(type handle) {                    \
    bool strikes = FAULT_STRIKES(FAULT_CLOSE, #name); \
    int code = errno, result = __real_##name(handle); \
    if (strikes) errno = code;                        \
    return strikes ? -1 : result;                     \
  }
WRAP_CLOSE(close, int)
WRAP_CLOSE(fclose, FILE *)

/* --- streams: a failure leaves its mark in the stream; what is said of it on standard error does not fail ---- */

/* Standard error, which reports failures, and memory streams, which make no system calls, do not fail. */
static bool may_fail(FILE *stream) { return stream == NULL || (stream != stderr && fileno(stream) >= 0); }

static void mark(FILE *stream) {
  (void)stream;
#ifdef __GLIBC__
  stream->_flags |= 0x20; /* what ferror looks at */
#endif
}

#define WRAP_STREAM(name, kind, type, parameters, arguments, stream, failed)                      \
  type __real_##name parameters;                                                                  \
  type __wrap_##name parameters;                                                                  \
  type __wrap_##name parameters {                                                                 \
    if (!may_fail(stream) || !FAULT_STRIKES(FAULT_##kind, #name)) return __real_##name arguments; \
    if (stream != NULL) mark(stream);                                                             \
    return failed;                                                                                \
  }
WRAP_STREAM(fread, READ, size_t, (void *data, size_t size, size_t count, FILE *stream), (data, size, count, stream),
            stream, 0)
WRAP_STREAM(fgets, READ, char *, (char *line, int size, FILE *stream), (line, size, stream), stream, NULL)
WRAP_STREAM(__getdelim, READ, ssize_t, (char **line, size_t *size, int delimiter, FILE *stream),
            (line, size, delimiter, stream), stream, -1)
WRAP_STREAM(fwrite, WRITE, size_t, (const void *data, size_t size, size_t count, FILE *stream),
            (data, size, count, stream), stream, 0)
WRAP_STREAM(fputs, WRITE, int, (const char *text, FILE *stream), (text, stream), stream, EOF)
WRAP_STREAM(puts, WRITE, int, (const char *text), (text), stdout, EOF)
WRAP_STREAM(fputc, WRITE, int, (int c, FILE *stream), (c, stream), stream, EOF)
WRAP_STREAM(putc, WRITE, int, (int c, FILE *stream), (c, stream), stream, EOF)
WRAP_STREAM(putchar, WRITE, int, (int c), (c), stdout, EOF)
WRAP_STREAM(fflush, WRITE, int, (FILE * stream), (stream), stream, EOF)

/* --- any number of arguments ---------------------------------------------------------------------------- */

/* Calls of the wrapped function itself must not be counted again, hence the v... of the library. */
#define WRAP_FORMAT(name, kind, parameters, last, call, can_fail, on_failure, failed) \
  int __wrap_##name parameters;                                                       \
  int __wrap_##name parameters {                                                      \
    if ((can_fail) && FAULT_STRIKES(FAULT_##kind, #name)) {                           \
      on_failure;                                                                     \
      return failed;                                                                  \
    }                                                                                 \
    va_list values;                                                                   \
    va_start(values, last);                                                           \
    int result = call;                                                                \
    va_end(values);                                                                   \
    return result;                                                                    \
  }
int __real_vasprintf(char **text, const char *format, va_list values);
WRAP_FORMAT(fprintf, WRITE, (FILE * stream, const char *format, ...), format, vfprintf(stream, format, values),
            may_fail(stream), mark(stream), -1)
WRAP_FORMAT(printf, WRITE, (const char *format, ...), format, vfprintf(stdout, format, values), true, mark(stdout), -1)
WRAP_FORMAT(__fprintf_chk, WRITE, (FILE * stream, int flag, const char *format, ...), format,
            ((void)flag, vfprintf(stream, format, values)), may_fail(stream), mark(stream), -1)
WRAP_FORMAT(__printf_chk, WRITE, (int flag, const char *format, ...), format,
            ((void)flag, vfprintf(stdout, format, values)), true, mark(stdout), -1)
WRAP_FORMAT(asprintf, ALLOCATE, (char **text, const char *format, ...), format, __real_vasprintf(text, format, values),
            true, *text = NULL, -1)
WRAP_FORMAT(__asprintf_chk, ALLOCATE, (char **text, int flag, const char *format, ...), format,
            ((void)flag, __real_vasprintf(text, format, values)), true, *text = NULL, -1)
WRAP(vasprintf, ALLOCATE, int, (char **text, const char *format, va_list values), (text, format, values), -1)
WRAP(__vasprintf_chk, ALLOCATE, int, (char **text, int flag, const char *format, va_list values),
     (text, flag, format, values), -1)
WRAP(__read_chk, READ, ssize_t, (int descriptor, void *data, size_t size, size_t room), (descriptor, data, size, room),
     -1)
WRAP_STREAM(__fgets_chk, READ, char *, (char *line, size_t room, int size, FILE *stream), (line, room, size, stream),
            stream, NULL)

/* open has a mode only where it makes a file. */
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
  va_list values;
  if (FAULT_STRIKES(FAULT_OPEN, "open")) return -1;
  va_start(values, flags);
  unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(values, unsigned) : 0;
  va_end(values);
  return __real_open(path, flags, mode);
}
WRAP(__open_2, OPEN, int, (const char *path, int flags), (path, flags), -1)

/* --- C++ ------------------------------------------------------------------------------------------------- */

/* Absent where nothing in C++ is built in. */
void *__real__Znwm(size_t size) __attribute__((weak));
void *__wrap__Znwm(size_t size);
void _ZSt17__throw_bad_allocv(void) __attribute__((weak));

void *__wrap__Znwm(size_t size) { /* operator new */
  if (FAULT_STRIKES(FAULT_ALLOCATE, "new")) _ZSt17__throw_bad_allocv();
  return __real__Znwm(size);
}
