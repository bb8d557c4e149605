/* fcntl.h - bytes of files are what they are, and no descriptor is inherited. */
#include "io_names.h"
#include_next <fcntl.h>
#ifndef O_CLOEXEC
#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)
#define O_DIRECTORY 0
#define O_NOFOLLOW 0
#define O_NONBLOCK 0
int openat(int folder, const char *name, int flags, ...); /* fails: a file is named by its whole path */
int unlinkat(int folder, const char *name, int flags);
#endif
