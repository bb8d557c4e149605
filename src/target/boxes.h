/* boxes.h - boxes around pockets and around other boxes. */
#ifndef BERTH_TARGET_BOXES_H
#define BERTH_TARGET_BOXES_H

#include <berth/target.h>

/* The smallest box around all of them, with the spacing of the first. */
bt_box bt_box_around_boxes(const bt_box *boxes, int count);
/* Around a pocket, with room for the longest ligand, Angstrom. */
bt_box bt_box_of_pocket(const bt_pocket *pocket, double longest, double spacing);

#endif
