/* receptor.h - the receptor as the grid sees it: typed atoms in the frame of the box, with their bond vectors. */
#ifndef BERTH_GRID_RECEPTOR_RECEPTOR_H
#define BERTH_GRID_RECEPTOR_RECEPTOR_H

#include <berth/grid.h>

#include "chem/molecule.h"
#include "forcefield/ad4_table.h"

typedef struct bt_grid_atom {
  double x[3];   /* Angstrom, relative to the center of the box */
  double charge; /* e */
  int type;      /* index into the receptor's types */
  int power;     /* of a donor hydrogen: exponent of the cosine, 2 or 4; 0 when it is bonded to nothing */
  /* Unit vectors that stay zero when the neighbors do not define them: axis is the bond of a hydrogen, the axis of
   * the lone pairs of an acceptor; normal is perpendicular to the plane of an oxygen's lone pairs. */
  double axis[3], normal[3];
  bool disordered; /* hydroxyl group under disorder_h */
} bt_grid_atom;

typedef struct bt_grid_receptor {
  int n_atoms, n_types;
  bt_grid_atom *atoms;           /* in file order, which the rules depend on */
  const bt_ad4_type **types;     /* borrowed from the table, in order of appearance */
  int n_lonely;                  /* acceptors without a neighbor, which therefore have no direction */
  char *opt_warning;             /* which parameters stand in for those of which elements; NULL: none do */
} bt_grid_receptor;

/* Types and places the atoms. An unknown type is BT_ERR_PARAMETER; a receptor without any charge BT_ERR_INPUT. Of the
 * options the center of the box, disorder_h and stand_ins count. */
bt_status bt_grid_receptor_create(const bt_molecule *molecule, const bt_ad4_table *table,
                                  const bt_grid_options *options, bt_grid_receptor **ret_receptor,
                                  bt_error *opt_error) BT_MUST_USE;
void bt_grid_receptor_destroy(bt_grid_receptor *opt_receptor);

/* Finds the bond vectors; part of bt_grid_receptor_create(). */
void bt_grid_bond_vectors(bt_grid_receptor *receptor, bool disorder_h);

static inline int bt_grid_hbond(const bt_grid_receptor *receptor, const bt_grid_atom *atom) {
  return receptor->types[atom->type]->hbond;
}

#endif
