/* tables.h - everything that a map computation looks up by distance, built once per job. */
#ifndef BERTH_GRID_TABLES_TABLES_H
#define BERTH_GRID_TABLES_TABLES_H

#include <berth/grid.h>

#include "base/memory.h"
#include "forcefield/ad4_table.h"
#include "grid/kernel/job.h"
#include "grid/receptor/receptor.h"

/* Fills tables for these probes; their arrays are the arena's. */
bt_status bt_grid_tables_build(const bt_grid_receptor *receptor, const bt_ad4_table *table,
                               const bt_ad4_type *const *probes, int n_probes, const bt_grid_options *options,
                               bt_arena *arena, bt_grid_tables *ret_tables, bt_error *opt_error) BT_MUST_USE;

/* AutoGrid's table of one pair, smoothed: 2048 values at distances of 0.01 A. */
enum { BT_GRID_PAIR_ROWS = 2048 };
void bt_grid_pair_table(const bt_ad4_pair *pair, double smooth, double ret_energy[BT_GRID_PAIR_ROWS]);

#endif
