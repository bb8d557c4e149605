/* seen.h - which texts were there before, for any number of them: 16 bytes each. */
#ifndef BERTH_LIBRARY_SEEN_H
#define BERTH_LIBRARY_SEEN_H

#include "base/status.h"

/* Compares 128 bits of hash: of a billion texts, two are taken for one with a chance of 2e-21. */
typedef struct bt_seen bt_seen;

bt_status bt_seen_create(bt_seen **ret_seen, bt_error *opt_error) BT_MUST_USE;
void bt_seen_destroy(bt_seen *opt_seen);
/* *ret_known: it was added before. */
bt_status bt_seen_add(bt_seen *seen, const char *text, size_t size, bool *ret_known, bt_error *opt_error) BT_MUST_USE;

#endif
