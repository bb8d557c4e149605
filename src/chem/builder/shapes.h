/* shapes.h - coordinates of fragments, made once and shared. */
#ifndef BERTH_CHEM_BUILDER_SHAPES_H
#define BERTH_CHEM_BUILDER_SHAPES_H

#include "base/memory.h"
#include "base/status.h"
#include "chem/builder/structure.h"

/* Low-energy conformers of a fragment, the lowest first. */
typedef struct bt_shape {
  int n_rows;     /* vertices and slots of the fragment */
  int n_variants; /* 0: no coordinates with its stereochemistry could be made */
  float (*x)[3];  /* [n_variants][n_rows], Angstrom */
} bt_shape;

/* Makes the coordinates of a fragment, x with malloc. They depend on the graph alone. */
typedef bt_status (*bt_shape_maker)(const bt_fragment_graph *graph, bt_shape *ret_shape, bt_error *opt_error);

/* Any number of threads may use it. */
typedef struct bt_shapes bt_shapes;

/* opt_version: all that coordinates depend on beside the graph, such as versions of libraries; with it fragments are
 * read from the user's cache (base/files/cache.h), and new ones are added to it in the end. */
bt_status bt_shapes_create(bt_shape_maker make, const char *opt_version, bt_shapes **ret_shapes,
                           bt_error *opt_error) BT_MUST_USE;
void bt_shapes_destroy(bt_shapes *opt_shapes);
/* *ret_shape lives as long as the shapes, and as the arena. */
bt_status bt_shapes_get(bt_shapes *shapes, const bt_fragment_graph *graph, bt_arena *arena, const bt_shape **ret_shape,
                        bt_error *opt_error) BT_MUST_USE;
/* How many fragments there are. */
size_t bt_shapes_count(bt_shapes *shapes);

#endif
