/* symmetry.h - all mappings of one molecular graph onto another (or itself) that preserve elements and bonds.
 *
 * The mappings of a molecule are mostly independent local ones: a phenyl ring turned over, the fluorines of a CF3
 * permuted. They are therefore kept as a tree of choices and not as a list: two flipped rings are 2 + 2 alternatives
 * and not 2 x 2 mappings, and the smallest sum over all mappings is found by one walk over the tree.
 */
#ifndef BERTH_CHEM_SYMMETRY_H
#define BERTH_CHEM_SYMMETRY_H

#include "chem/graph.h"

typedef struct bt_symmetry bt_symmetry;

/* Finds the mappings of a's vertices to b's; both graphs are only needed during the call. *ret_symmetry is NULL when
 * there is none, or when they are too many to be kept (*ret_too_many). */
bt_status bt_symmetry_create(const bt_graph *a, const bt_graph *b, bt_symmetry **ret_symmetry, bool *ret_too_many,
                             bt_error *opt_error) BT_MUST_USE;
void bt_symmetry_destroy(bt_symmetry *symmetry);

/* Number of mappings. */
double bt_symmetry_count(const bt_symmetry *symmetry);
/* One of them: map[i] is the vertex of b on which vertex i of a lies. */
void bt_symmetry_mapping(const bt_symmetry *symmetry, int *map);
/* Smallest sum over i of |xa_i - xb_map(i)|^2 over all mappings; xa[3 n], xb[3 n] by vertex. */
double bt_symmetry_minimum(const bt_symmetry *symmetry, const double *xa, const double *xb);

/* Classes of vertices that refinement by neighbors cannot tell apart, numbered from 0. No mapping of the graph onto
 * itself leaves a class, so they allow more than the mappings do. */
bt_status bt_symmetry_classes(const bt_graph *graph, int *ret_class, bt_error *opt_error) BT_MUST_USE;

#endif
