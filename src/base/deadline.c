/* deadline.c - see deadline.h. */
#include "base/deadline.h"

#include <stddef.h>

#include "base/clock.h"

bt_deadline bt_deadline_begin(double seconds, bool (*opt_cancelled)(void *user), void *opt_user) {
  return (bt_deadline){.seconds = seconds,
                       .until = seconds > 0 ? bt_seconds() + seconds : 0,
                       .opt_cancelled = opt_cancelled,
                       .opt_user = opt_user};
}

static bool is_cancelled(const bt_deadline *deadline) {
  return deadline->opt_cancelled != NULL && deadline->opt_cancelled(deadline->opt_user);
}

static bool is_late(const bt_deadline *deadline) { return deadline->until > 0 && bt_seconds() > deadline->until; }

bt_status bt_deadline_check(const bt_deadline *opt_deadline, bt_where where, bt_error *opt_error) {
  if (opt_deadline == NULL) return BT_OK;
  if (is_cancelled(opt_deadline)) return bt_fail(opt_error, BT_ERR_CANCELLED, where, "", "stopped on request");
  if (!is_late(opt_deadline)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_LIMIT, where, "leave it out, or raise --record-time",
                 "preparation took longer than %g s", opt_deadline->seconds);
}
