/* vina_maps.h - maps of Vina's and Vinardo's classes. */
#ifndef BERTH_GRID_VINA_VINA_MAPS_H
#define BERTH_GRID_VINA_VINA_MAPS_H

#include <berth/grid.h>

/* bt_maps_compute for options->scoring Vina or Vinardo: one map per class by the closed form, no curl; the
 * electrostatic and the desolvation map stay zero. types are names of classes; with none, only the receptor is
 * prepared. */
bt_status bt_vina_maps_compute(const bt_molecule *receptor, const char *const *types, int n_types,
                               const bt_grid_options *options, bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;

#endif
