/* turns.h - many may work side by side, but now and then one has to be alone.
 *
 * As a lock for readers and writers, in which who wants to be alone never waits longer than those who are at work take
 * to end. A NULL for turns means that there is nobody else, and no function does anything.
 */
#ifndef BERTH_BASE_TURNS_H
#define BERTH_BASE_TURNS_H

#include "base/status.h"

typedef struct bt_turns bt_turns;

bt_status bt_turns_create(bt_turns **ret_turns, bt_error *opt_error) BT_MUST_USE;
void bt_turns_destroy(bt_turns *opt_turns);

void bt_turns_share(bt_turns *opt_turns);
void bt_turns_alone(bt_turns *opt_turns);
/* Ends either. */
void bt_turns_end(bt_turns *opt_turns);

#endif
