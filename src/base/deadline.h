/* deadline.h - time limit and cancellation of the work on one record. */
#ifndef BERTH_BASE_DEADLINE_H
#define BERTH_BASE_DEADLINE_H

#include "base/status.h"

typedef struct bt_deadline {
  double seconds, until;             /* the limit; its end on the clock of bt_seconds. 0: no limit */
  bool (*opt_cancelled)(void *user); /* called from any thread */
  void *opt_user;
} bt_deadline;

bt_deadline bt_deadline_begin(double seconds, bool (*opt_cancelled)(void *user), void *opt_user);
/* BT_ERR_CANCELLED when cancelled, BT_ERR_LIMIT when the time is up. */
bt_status bt_deadline_check(const bt_deadline *opt_deadline, bt_where where, bt_error *opt_error) BT_MUST_USE;

#endif
