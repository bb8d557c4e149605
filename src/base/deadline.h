/* deadline.h - time limit and cancellation of the work on one record. */
#ifndef BERTH_BASE_DEADLINE_H
#define BERTH_BASE_DEADLINE_H

#include "base/status.h"

typedef struct bt_deadline {
  double seconds, until;             /* that there were at the beginning; of bt_seconds. 0: any time */
  bool (*opt_cancelled)(void *user); /* may be asked by any thread */
  void *opt_user;
} bt_deadline;

bt_deadline bt_deadline_begin(double seconds, bool (*opt_cancelled)(void *user), void *opt_user);
/* Is it over, or cancelled? */
bool bt_deadline_over(const bt_deadline *opt_deadline);
/* BT_ERR_CANCELLED when the work is no longer wanted, BT_ERR_LIMIT when its time is up. */
bt_status bt_deadline_check(const bt_deadline *opt_deadline, bt_where where, bt_error *opt_error) BT_MUST_USE;

#endif
