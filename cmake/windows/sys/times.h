/* sys/times.h - processor time of the program. */
#ifndef BERTH_WINDOWS_TIMES_H
#define BERTH_WINDOWS_TIMES_H

#include <time.h>
struct tms {
  clock_t tms_utime, tms_stime;
};
clock_t times(struct tms *ret_used);

#endif
