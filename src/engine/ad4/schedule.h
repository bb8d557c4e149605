/* schedule.h - shares the pairs of a ligand among the ranks of a team so that none needs atomic sums.
 *
 * The pairs are covered by blocks: BT_BLOCK_ATOMS atoms i that a rank holds in registers and the atoms j that it visits.
 * Work is given out in phases with a barrier after each one: in a phase no two ranks that add to the same copy of the
 * gradients touch the same atom. A rank takes some visits of a block in one phase and the block's other visits may be
 * done by others in later ones. More copies mean fewer barriers and more local memory.
 */
#ifndef BERTH_ENGINE_AD4_SCHEDULE_H
#define BERTH_ENGINE_AD4_SCHEDULE_H

#include "base/status.h"
#include "kernel/ad4/data.h"

typedef struct bt_schedule {
  int n_phases, n_gradients; /* see bt_kernel_sizes */
  int n_slots, n_blocks, n_pairs;
  bt_kernel_slot *slots;     /* [team] */
  bt_kernel_block *blocks;
  bt_kernel_pair *pairs;     /* padding included */
} bt_schedule;

/* From the rows of data, for a team of that many ranks (a power of two). */
bt_status bt_schedule_create(const bt_kernel_data *data, int team, bt_schedule *ret_schedule,
                             bt_error *opt_error) BT_MUST_USE;
void bt_schedule_destroy(bt_schedule *schedule);
/* Copies of the gradients that the schedule of such a team will need. */
int bt_schedule_gradients(int n_atoms, int team);

#endif
