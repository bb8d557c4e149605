/* options.h - from the user's options to the kernels' parameters. */
#ifndef BERTH_ENGINE_LGA_SEARCH_OPTIONS_H
#define BERTH_ENGINE_LGA_SEARCH_OPTIONS_H

#include "base/status.h"
#include "kernel/lga/parameters.h"
#include "pose/ligand.h"
#include "score/score.h"

/* BT_ERR_USAGE names the option and its range. */
bt_status bt_dock_options_check(const bt_dock_options *options, bt_error *opt_error) BT_MUST_USE;

bt_search_parameters bt_search_parameters_make(const bt_dock_options *options, const bt_ligand *ligand);
/* The same without the wall around the box and without a limit on forces: plain energies and their gradients. */
bt_search_parameters bt_search_parameters_bare(bt_search_parameters parameters);
/* The law that the double-precision reference has to follow. */
bt_search_law bt_search_law_of(const bt_search_parameters *parameters);

#endif
