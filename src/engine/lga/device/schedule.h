/* schedule.h - distributes the pairs of a ligand over the ranks of a team so that no sum is atomic.
 *
 * The pairs are covered by tiles: BT_TILE_ATOMS atoms i that a rank holds in registers and the atoms j that it visits.
 * Work is assigned in phases with a barrier after each one: in a phase no two ranks that add to the same copy of the
 * gradients touch the same atom. A rank takes some visits of a tile in one phase and the tile's other visits may be
 * done by others in later ones. More copies mean fewer barriers and more local memory.
 */
#ifndef BERTH_ENGINE_LGA_DEVICE_SCHEDULE_H
#define BERTH_ENGINE_LGA_DEVICE_SCHEDULE_H

#include "base/memory.h"
#include "kernel/lga/data.h"

typedef struct bt_schedule {
  bt_arena memory;           /* of the arrays */
  int n_phases, n_gradients; /* see bt_kernel_sizes */
  int n_slots, n_tiles, n_pairs;
  bt_kernel_slot *slots; /* [team] */
  bt_kernel_tile *tiles;
  bt_kernel_pair *pairs; /* padding included */
} bt_schedule;

/* Contacts of all restraints. */
static inline int bt_kernel_contacts(const bt_kernel_data *data) {
  int n = data->sizes.n_restraints;
  return n > 0 ? data->restraints[n - 1].end : 0;
}
/* Rows of all kinds of pairs. */
static inline int bt_kernel_rows(const bt_kernel_data *data) {
  int rows = 0;
  for (int kind = 0; kind < BT_PAIR_KINDS; kind++) rows += data->n_rows[kind];
  return rows;
}

/* [n_teams] From the rows of data, for teams of that many ranks (powers of two). On failure too, each is to be
 * destroyed. */
bt_status bt_schedules_of_ligand(const bt_kernel_data *data, const int *teams, int n_teams, bt_schedule *ret_schedules,
                                 bt_error *opt_error) BT_MUST_USE;
void bt_schedule_destroy(bt_schedule *schedule);
/* Copies of the gradients that the schedule of such a team will need. */
int bt_schedule_gradients(int n_atoms, int team);

#endif
