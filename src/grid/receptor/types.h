/* types.h - parameters of a receptor's atoms, and substitutes for missing ones. */
#ifndef BERTH_GRID_RECEPTOR_TYPES_H
#define BERTH_GRID_RECEPTOR_TYPES_H

#include "grid/receptor/receptor.h"

/* The types of receptor->atoms, and the receptor's list and warning; receptor->types has room for all types. */
bt_status bt_grid_receptor_type(bt_grid_receptor *receptor, const bt_molecule *molecule, const bt_ad4_table *table,
                                bt_stand_ins stand_ins, bt_error *opt_error) BT_MUST_USE;

#endif
