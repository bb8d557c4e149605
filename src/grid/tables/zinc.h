/* zinc.h - pair laws of AutoDock4Zn.
 *
 * Santos-Martins, Forli, Ramos, Olson, J. Chem. Inf. Model. 54, 2371 (2014): distances and depths of six 12-6 wells,
 * between a ligand's atoms and zinc, and between its acceptor nitrogens and the pseudo atom TZ.
 */
#ifndef BERTH_GRID_TABLES_ZINC_H
#define BERTH_GRID_TABLES_ZINC_H

#include <berth/grid.h>

#include "forcefield/ad4_table.h"
#include "grid/receptor/receptor.h"

/* Do AD4Zn's laws hold for this receptor? By default they do if it has an atom of type TZ. */
bool bt_grid_zinc_holds(const bt_grid_options *options, const bt_grid_receptor *receptor);

/* The law of a pair that AD4Zn names; false for all others. Depths are times weight. */
bool bt_grid_zinc_pair(const char *probe, const char *partner, double weight, bt_ad4_pair *ret_pair);

#endif
