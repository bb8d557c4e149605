/* boxes.h - boxes around pockets and around other boxes. */
#ifndef BERTH_TARGET_BOXES_H
#define BERTH_TARGET_BOXES_H

#include <berth/target.h>

/* Around a pocket, with room for the longest ligand, Angstrom. */
bt_box bt_box_of_pocket(const bt_pocket *pocket, double longest, double spacing);

#endif
