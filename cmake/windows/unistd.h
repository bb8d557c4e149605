/* unistd.h - with what MinGW-w64 lacks. */
#include "io_names.h"
#include_next <unistd.h>
#ifndef _SC_PAGESIZE
#define _SC_NPROCESSORS_ONLN 0
#define _SC_PHYS_PAGES 1
#define _SC_PAGESIZE 2
#define _SC_CLK_TCK 3
#define fsync _commit
long sysconf(int what);
int fork(void); /* fails */
int setpgid(int process, int group);
int getppid(void);
int geteuid(void);
int gethostname(char *name, size_t size);
ssize_t readlink(const char *path, char *target, size_t size); /* fails */
ssize_t pread(int descriptor, void *data, size_t size, long long offset);
ssize_t pwrite(int descriptor, const void *data, size_t size, long long offset);
#endif
