/* rmsd.h - distance between two poses of one ligand, without superposition.
 *
 *   BT_RMSD_GRAPH    min over the mappings m of the molecular graph onto itself of sqrt(sum |x_i - y_m(i)|^2 / n).
 *                    When a molecule has more mappings than can be kept, atoms that refinement of the graph cannot
 *                    tell apart are assigned to each other in the cheapest way: a lower bound, see bt_rmsd_is_exact.
 *   BT_RMSD_CLASSES  that lower bound
 *   BT_RMSD_INDEX    sqrt(sum |x_i - y_i|^2 / n)
 *   BT_RMSD_NEAREST  AutoDock's: every atom of x with the nearest atom of the same AutoDock type in y. Not symmetric,
 *                    and near zero for many wrong poses; only for comparison with AutoDock.
 *
 * For the same atoms and labels NEAREST <= CLASSES <= GRAPH <= INDEX. GRAPH and INDEX are metrics.
 */
#ifndef BERTH_RESULTS_COMPARE_RMSD_H
#define BERTH_RESULTS_COMPARE_RMSD_H

#include "pose/ligand.h"

typedef enum bt_rmsd_kind { BT_RMSD_GRAPH, BT_RMSD_CLASSES, BT_RMSD_INDEX, BT_RMSD_NEAREST } bt_rmsd_kind;

typedef struct bt_rmsd bt_rmsd;

/* The ligand's own atoms are compared: heavy atoms, with hydrogens all atoms; never those of flexible residues. */
bt_status bt_rmsd_create(const bt_molecule *ligand, bt_rmsd_kind kind, bool hydrogens, bt_rmsd **ret_rmsd,
                         bt_error *opt_error) BT_MUST_USE;
void bt_rmsd_destroy(bt_rmsd *rmsd);

/* Angstrom; x and y hold 3 coordinates per atom of the molecule. */
bt_status bt_rmsd_distance(const bt_rmsd *rmsd, const double *x, const double *y, double *ret_distance,
                           bt_error *opt_error) BT_MUST_USE;
/* False when GRAPH had to fall back to its lower bound. */
bool bt_rmsd_is_exact(const bt_rmsd *rmsd);
/* Number of mappings of the molecule onto itself; 1 for other kinds than GRAPH. */
double bt_rmsd_symmetry(const bt_rmsd *rmsd);

/* Coordinates of a reference, brought into the order of the ligand's atoms; xyz[3 n_atoms] of the ligand. The atoms
 * that are compared must be the same; their order may differ, the graphs show which is which. With BT_RMSD_INDEX and
 * BT_RMSD_NEAREST the order must be the same. BT_ERR_INPUT names the difference. */
bt_status bt_rmsd_reference(const bt_rmsd *rmsd, const bt_molecule *reference, double *xyz,
                            bt_error *opt_error) BT_MUST_USE;

#endif
