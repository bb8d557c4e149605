/* sys/ioctl.h - the width of a terminal is not known. */
#ifndef BERTH_WINDOWS_IOCTL_H
#define BERTH_WINDOWS_IOCTL_H

struct winsize {
  unsigned short ws_col;
};
#define TIOCGWINSZ 0
#define ioctl(descriptor, request, size) ((void)(size)->ws_col, -1)

#endif
