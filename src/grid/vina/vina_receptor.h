/* vina_receptor.h - the rigid receptor as Vina's and Vinardo's terms see it: atoms with a class, sorted into bricks of
 * space, and exact sums over them.
 */
#ifndef BERTH_GRID_VINA_VINA_RECEPTOR_H
#define BERTH_GRID_VINA_VINA_RECEPTOR_H

#include <berth/grid.h>

#include "base/memory.h"
#include "chem/molecule.h"
#include "forcefield/vina.h"
#include "forcefield/vina_stairs.h"

typedef struct bt_vina_atom {
  double x[3];     /* Angstrom */
  int class_index; /* in bt_vina_classes() */
  int input;       /* atom of the molecule */
} bt_vina_atom;

/* A bt_vina_pair in single precision, as in bt_grid_vina_pairs (grid/kernel/job.h). */
typedef struct bt_vina_pair_single {
  float radii;            /* A */
  float ramp, top, width; /* slope, kcal/mol/A, or 0; where it ends, and how far below it begins, A beyond the radii */
} bt_vina_pair_single;

bt_vina_pair_single bt_vina_pair_single_of(const bt_vina_pair *pair);

/* Atoms without a class are left out. Bricks are cubes; those of a row along x, and so their atoms, follow each other.
 */
typedef struct bt_vina_receptor {
  bt_scoring scoring;
  const bt_vina_law *law;
  int n_atoms;
  bt_vina_atom *atoms;                                  /* brick after brick: x fastest, then y, then z */
  double low[3], edge;                                  /* of the first brick; of all, Angstrom */
  int bricks[3];                                        /* per axis */
  int *first;                                           /* [bricks + 1] atoms of a brick: [first[b], first[b + 1]) */
  bool occurs[BT_VINA_CLASSES];                         /* classes of the atoms */
  bt_vina_pair pairs[BT_VINA_CLASSES][BT_VINA_CLASSES]; /* of a moving and a receptor class */
  bt_vina_pair_single singles[BT_VINA_CLASSES][BT_VINA_CLASSES]; /* the same for vectors */
  char *opt_warning;                                             /* elements for which others stand in; NULL: none */
  bt_vina_stairs *opt_stairs;                                    /* for energies in tabulated form */
  struct bt_vina_cells *opt_cells; /* for many sums (vina_cells.h) */
  bt_arena arena;
} bt_vina_receptor;

/* Finds bonds and classes (pose/vina.h). Elements that Vina does not know, such as lithium, get the class of the type
 * that stands in for them in AutoDock 4 (BT_STAND_INS_USE); types that mean something to Vina keep that meaning.
 * BT_ERR_PARAMETER for any other type. */
bt_status bt_vina_receptor_create(const bt_molecule *molecule, bt_scoring scoring, bt_stand_ins stand_ins,
                                  bt_vina_receptor **ret_receptor, bt_error *opt_error) BT_MUST_USE;
void bt_vina_receptor_destroy(bt_vina_receptor *opt_receptor);

/* Bricks within reach (A) of a point, [from, to) per axis; empty where from >= to. */
void bt_vina_receptor_near(const bt_vina_receptor *receptor, const double point[3], double reach, int ret_from[3],
                           int ret_to[3]);

/* How many atoms are nearer to a point than reach (A), and which, in their order, in atoms[n_atoms]. */
int bt_vina_receptor_within(const bt_vina_receptor *receptor, const double point[3], double reach, int *atoms);

/* Energy of an atom of a class at a point with the whole receptor, without curl. opt_gradient: of the closed form,
 * kcal/mol/A. (vina_sum.c) */
double bt_vina_receptor_sum(const bt_vina_receptor *receptor, const bt_vina_class *class, const double point[3],
                            bt_energy_form form, double *opt_gradient);

#endif
