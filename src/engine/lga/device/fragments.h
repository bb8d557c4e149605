/* fragments.h - splits the atoms of large bodies among ranks. */
#ifndef BERTH_ENGINE_LGA_DEVICE_FRAGMENTS_H
#define BERTH_ENGINE_LGA_DEVICE_FRAGMENTS_H

#include "base/memory.h"
#include "kernel/lga/data.h"

typedef struct bt_fragments {
  int n_fragments, n_single;
  bt_kernel_body *bodies; /* [n_bodies] with first_fragment and end_fragment anew */
  bt_kernel_fragment *fragments;
  bt_kernel_fragment *by_depth; /* [n_fragments] longest ways first */
} bt_fragments;

/* From data, whose fragments are whole bodies, fragments of at most BT_FRAGMENT_ATOMS atoms. */
enum { BT_FRAGMENT_ATOMS = 3 };
bt_status bt_fragments_create(const bt_kernel_data *data, bt_arena *arena, bt_fragments *ret_fragments,
                              bt_error *opt_error) BT_MUST_USE;
/* How many fragments there will be. */
int bt_fragments_count(const bt_kernel_data *data);

#endif
