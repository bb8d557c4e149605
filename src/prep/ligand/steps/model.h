/* model.h - a ligand between chemistry and PDBQT: atoms, bonds, bodies.
 *
 * Atoms are those of the RDKit molecule in its order, then pseudo-atoms (glue points, waters). The rules are described
 * in docs/preparation.md, which names their sources.
 */
#ifndef BERTH_PREP_LIGAND_STEPS_MODEL_H
#define BERTH_PREP_LIGAND_STEPS_MODEL_H

#include "base/deadline.h"
#include "base/memory.h"
#include "chem/rdkit.h"

typedef struct bt_prep_atom {
  int element, formal_charge;
  int number;    /* in messages; 0: none of the record's */
  double x[3];   /* Angstrom */
  double charge; /* e; after merging with its hydrogens */
  char type[8];  /* AutoDock type, "" before typing */
  bool merged;   /* a hydrogen that became part of its atom */
  bool aromatic, stereo;
  int anchor; /* pseudo-atoms: the atom that carries it; -1 for real atoms */
  int body, serial;
  int residue_number;
  char symbol[4], name[8], residue[8], chain, icode;
} bt_prep_atom;

typedef struct bt_prep_bond {
  int a, b, order; /* order as in bt_rdbond */
  bool ring;       /* part of a ring */
  bool fixed_ring; /* part of a ring that is never opened: small, aromatic or too large */
  bool rotor;      /* may rotate when it is in no closed ring */
  bool broken;     /* opens a macrocycle; no longer a bond of the tree */
  bool opened;     /* part of a ring that was opened */
} bt_prep_bond;

/* A ring without chords. */
typedef struct bt_prep_ring {
  int size;
  int *bonds; /* [size] */
} bt_prep_ring;

/* The axis between a body and a neighbor: the other body; the atoms of this one and of the other one. */
typedef struct bt_prep_link {
  int body, from, to;
} bt_prep_link;

typedef struct bt_prep_body {
  int n_atoms; /* real atoms and pseudo-atoms, without merged hydrogens */
  int *atoms;  /* in order of discovery */
  int n_links;
  bt_prep_link *links; /* in order of discovery */
  size_t atom_room, link_room;
} bt_prep_body;

typedef struct bt_prep {
  const bt_rdmol *mol;         /* borrowed */
  bt_where where;              /* of the record */
  const bt_deadline *deadline; /* borrowed; NULL: any time */
  int n_real, n_atoms, n_bonds;
  bt_prep_atom *atoms; /* [n_atoms] */
  bt_prep_bond *bonds;
  int *first;    /* [n_real + 1] neighbors of atom i: [first[i], first[i + 1]) */
  int *neighbor; /* in the order of bonds */
  int *via;      /* the bond to that neighbor */
  int n_rings;
  bt_prep_ring *rings;
  int n_bodies, root; /* of bodies */
  int held;           /* the fixed atom, whose body is the root; -1: none */
  bt_prep_body *bodies;
  int n_glue; /* broken bonds */
  int torsdof;
  double flexibility; /* value of the macrocycle search; infinite when none was opened */
  size_t atom_room;
  bt_arena arena; /* of bonds, neighbors and the bonds of rings */
} bt_prep;

/* Copies atoms, bonds and names; types, charges and all later fields are empty. */
bt_status bt_prep_create(const bt_rdmol *mol, int conformer, bt_where where, bt_prep **ret_prep,
                         bt_error *opt_error) BT_MUST_USE;
void bt_prep_destroy(bt_prep *opt_prep);
void bt_prep_free_bodies(bt_prep *prep);
/* Appends a pseudo-atom at x that moves with anchor and carries its residue. */
bt_status bt_prep_add_pseudo(bt_prep *prep, int anchor, const char *type, const char *name, const double x[3],
                             bt_error *opt_error) BT_MUST_USE;
/* Whether the atom has this degree, merged hydrogens included. */
int bt_prep_degree(const bt_prep *prep, int atom);

#endif
