/* parts.h - splits the atoms of large bodies among ranks. */
#ifndef BERTH_ENGINE_AD4_PARTS_H
#define BERTH_ENGINE_AD4_PARTS_H

#include "base/status.h"
#include "kernel/ad4/data.h"

typedef struct bt_parts {
  int n_parts, n_single;
  bt_kernel_body *bodies; /* [n_bodies] with first_part and end_part anew */
  bt_kernel_part *parts;
  bt_kernel_part *places; /* [n_parts] longest ways first */
} bt_parts;

/* From data, whose parts are whole bodies, parts of at most BT_PART_ATOMS atoms. */
enum { BT_PART_ATOMS = 3 };
bt_status bt_parts_create(const bt_kernel_data *data, bt_parts *ret_parts, bt_error *opt_error) BT_MUST_USE;
void bt_parts_destroy(bt_parts *parts);
/* How many parts there will be. */
int bt_parts_count(const bt_kernel_data *data);

#endif
