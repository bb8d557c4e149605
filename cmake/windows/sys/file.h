/* sys/file.h - locks of files. */
#ifndef BERTH_WINDOWS_FILE_H
#define BERTH_WINDOWS_FILE_H

enum { LOCK_EX = 2, LOCK_NB = 4 };
int flock(int descriptor, int how);

#endif
