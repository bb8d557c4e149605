/* structure.h - a molecule, and fragments of it, as the coordinate builder sees them.
 *
 * A molecule is cut at the single bonds between its rings, and between atoms outside of rings. What remains are
 * fragments whose shape hardly depends on the rest of the molecule: ring systems, double bonds, single atoms with their
 * hydrogens. A fragment also has, in place of the atom across each cut bond, a cap: an atom of the same kind, or a
 * hydrogen where only the direction matters. Fragments of different molecules that are equal share their coordinates.
 */
#ifndef BERTH_CHEM_BUILDER_STRUCTURE_H
#define BERTH_CHEM_BUILDER_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bt_build_atom {
  int element, charge;
  int hybridization; /* 1 sp, 2 sp2, 3 sp3; 0: other */
  bool aromatic, ring;
  int parity; /* of a stated stereocenter: the sign of the volume that the vectors to its first three neighbors span, in
               * ascending order of atoms; 0: none is stated */
} bt_build_atom;

typedef struct bt_build_bond {
  int a, b;
  int order; /* 1, 2, 3; 4: aromatic */
  bool ring;
  int side; /* of a stated double bond: 1 cis, -1 trans, of the lowest neighbors of a and b; 0: none is stated */
} bt_build_bond;

/* All atoms, hydrogens included. */
typedef struct bt_build_structure {
  int n_atoms, n_bonds, n_rings;
  bt_build_atom *atoms; /* [n_atoms] */
  bt_build_bond *bonds; /* [n_bonds] */
} bt_build_structure;

/* How a cap ends, which makes it an atom of its kind. */
typedef enum bt_cap {
  BT_CAP_NONE,      /* no cap: an atom of the fragment */
  BT_CAP_SATURATED, /* hydrogens only: CH3, NH2, OH, F */
  BT_CAP_VINYL,     /* CH=CH2; N=CH2 */
  BT_CAP_CARBONYL,  /* CH=O, also of C=S */
  BT_CAP_AMIDINE,   /* CH=NH */
  BT_CAP_ALKYNE,    /* C#CH, also of a nitrile */
  BT_CAP_OXIDE,     /* one =O: S(=O)H, P(=O)H2 */
  BT_CAP_DIOXIDE,   /* two =O: S(=O)(=O)H */
  BT_CAP_NITRO,     /* N(=O)O- */
  BT_CAP_ARYL,      /* phenyl, and pyridinium of N+ */
  BT_CAP_PYRIDYL,   /* 2-pyridyl: an aromatic carbon beside nitrogen */
  BT_CAP_PYRROLYL   /* 1-pyrrolyl */
} bt_cap;

/* Vertices are heavy atoms and caps; each has slots for what has the place of a hydrogen. */
typedef struct bt_fragment_atom {
  int16_t element;
  int8_t charge, cap, slots, parity; /* parity as above, of vertices, then slots */
  bool aromatic;
} bt_fragment_atom;

typedef struct bt_fragment_bond {
  int16_t a, b;       /* a < b */
  int8_t order, side; /* side as above, of the lowest other vertices, or else slots, at a and b */
} bt_fragment_bond;

/* In canonical order. Coordinates have a row per vertex, then one per slot in the order of vertices. */
typedef struct bt_fragment_graph {
  int n_vertices, n_bonds, n_slots;
  bt_fragment_atom *atoms; /* [n_vertices] */
  bt_fragment_bond *bonds; /* [n_bonds], ascending */
} bt_fragment_graph;

#endif
