/* options.c - defaults of a map computation and the requested box. */
#include <berth/berth.h>
#include <limits.h>
#include <math.h>

#include <berth/grid.h>

bt_grid_options bt_grid_options_default(void) {
  return (bt_grid_options){
      .box = {.npts = {60, 60, 60}, .spacing = 0.375},
      .smooth = 0.5,
      .dielectric = -0.1465,
      .solvation_charge = 0.01097,
  };
}

bt_box bt_box_from_size(const double center[3], const double size_angstrom[3], double spacing) {
  /* Map files give spacing and center with three decimals; so a box read back is the same box. */
  bt_box box = {.spacing = round(spacing * 1000.0) / 1000.0};
  for (int axis = 0; axis < 3; axis++) {
    box.center[axis] = round(center[axis] * 1000.0) / 1000.0;
    /* 22.5 / 0.375 must give 60 intervals, however the quotient rounds */
    double pairs = ceil(size_angstrom[axis] / (2.0 * box.spacing) - 1e-6);
    if (!(pairs >= 1.0)) pairs = 1.0;
    if (pairs > INT_MAX / 4) pairs = INT_MAX / 4; /* refused later, as too large for memory */
    box.npts[axis] = 2 * (int)pairs;
  }
  return box;
}
