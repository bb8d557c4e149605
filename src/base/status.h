/* status.h - how functions of the library report failure. */
#ifndef BERTH_BASE_STATUS_H
#define BERTH_BASE_STATUS_H

#include <berth/status.h>

/* Where a failure happened; zero members are left out of the message. */
typedef struct bt_where {
  const char *file;
  long line;
  long atom;
} bt_where;

/* Fills opt_error (if any) and returns status, so that a caller can write `return bt_fail(...)`.
 * The remedy is one clause that tells the user what to do; "" if there is nothing to advise. */
bt_status bt_fail(bt_error *opt_error, bt_status status, bt_where where, const char *remedy,
                  const char *message_format, ...) BT_PRINTF(5, 6);

/* Shorthand for running out of memory. */
bt_status bt_fail_memory(bt_error *opt_error);

/* Returns early on failure: BT_TRY(f(x, error)); */
#define BT_TRY(call)                          \
  do {                                        \
    bt_status bt_try_status = (call);         \
    if (bt_try_status != BT_OK) return bt_try_status; \
  } while (0)

/* Ends a function that makes an object: it is the caller's, or after a failure destroyed. status is a variable. */
#define BT_HAND_OVER(status, object, ret_object, destroy) \
  ((status) == BT_OK ? (void)(*(ret_object) = (object)) : (void)destroy(object), (status))

#endif
