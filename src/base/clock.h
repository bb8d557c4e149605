/* clock.h - elapsed time. */
#ifndef BERTH_BASE_CLOCK_H
#define BERTH_BASE_CLOCK_H

/* Monotonic seconds. */
double bt_seconds(void);

#endif
