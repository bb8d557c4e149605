/* bude_builtin.h - the force field that needs no file. */
#ifndef BERTH_FORCEFIELD_BUDE_BUILTIN_H
#define BERTH_FORCEFIELD_BUDE_BUILTIN_H

#include "forcefield/bude.h"

/* The values of the public table "by-atom 2017": one group, keyed by Tripos type. */
bt_status bt_bude_forcefield_builtin(bt_bude_forcefield **ret_forcefield, bt_error *opt_error) BT_MUST_USE;

#endif
