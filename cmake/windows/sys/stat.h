/* sys/stat.h - folders have no mode. */
#include "../io_names.h"
#include_next <sys/stat.h>
#ifndef BERTH_WINDOWS_STAT_H
#define BERTH_WINDOWS_STAT_H

#include <direct.h>
#define mkdir(path, mode) _mkdir(path)
#define lstat stat
#define S_ISLNK(mode) false
int fchmod(int descriptor, int mode);

#endif
