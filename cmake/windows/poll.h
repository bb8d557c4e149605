/* poll.h - nothing is known of a descriptor. */
#ifndef BERTH_WINDOWS_POLL_H
#define BERTH_WINDOWS_POLL_H

enum { POLLOUT = 4, POLLERR = 8 };
struct pollfd {
  int fd;
  short events, revents;
};
#define poll(descriptors, count, timeout) ((void)(descriptors), 0)

#endif
