/* molecule.h - a molecule as its file describes it: atoms, rigid fragments, the text itself.
 *
 * Atoms are in file order. The tree of a PDBQT file is depth first, so the atoms below any BRANCH are one
 * contiguous range. Every line of the file is kept, because results echo it (Meeko's remarks among them).
 */
#ifndef BERTH_CHEM_MOLECULE_H
#define BERTH_CHEM_MOLECULE_H

#include <berth/types.h>
#include <string.h>

#include "base/status.h"
#include "base/text/text.h"

typedef struct bt_atom {
  double x[3];     /* Angstrom */
  double charge;   /* e */
  int serial;      /* as in the file */
  int fragment;    /* index into fragments; -1 in a receptor */
  int line;        /* index into lines */
  int resnum;
  char type[8];    /* AutoDock type, case kept */
  char name[8];    /* without blanks */
  char resname[8]; /* without blanks */
  char chain, icode; /* ' ' when absent */
} bt_atom;

/* A rigid fragment: a ROOT, or what one BRANCH opens. */
typedef struct bt_fragment {
  int parent;              /* -1: a ROOT */
  int axis_from, axis_to;  /* atom indices of BRANCH a b (a outside, b inside); -1 for a ROOT */
  int residue;             /* index of the flexible residue; 0 in a ligand */
  int first_atom, end_atom; /* atoms of the fragment and everything below it: [first, end) */
  int line;                /* index into lines of ROOT or BRANCH */
} bt_fragment;

typedef struct bt_residue {
  char name[8];
  char chain;
  int number;
  int first_atom, end_atom;
  int root; /* fragment */
} bt_residue;

struct bt_chemistry;

struct bt_molecule {
  bt_molecule_kind kind;
  char *path; /* as given */
  char *name; /* without folder and .pdbqt */
  bool named; /* the name was given, and is not that of the path */
  char *opt_parent; /* name of the record, where it is one of several stereoisomers or states of it; else NULL */
  int model;  /* number of the MODEL record, 1 without one */
  int n_atoms, n_fragments, n_residues, n_lines;
  bt_atom *atoms;
  bt_fragment *fragments; /* parents before children, in file order of ROOT and BRANCH */
  bt_residue *residues;   /* flexible file only */
  char **lines;           /* without line ends, MODEL and ENDMDL left out; one allocation with the text */
  char *opt_behind;       /* of a ligand: what follows it in its MODEL from BEGIN_RES on, residues of a docked pose */
  int first_line;         /* 1-based line of lines[0] in the file */
  long record_line;       /* of a molecule prepared from SDF, MOL2 or SMILES: line of its record in the file, which does
                           * not have the lines of this text; else 0 */
  int torsdof;            /* -1: no TORSDOF record */
  int n_joined;           /* ligands in it, each with a ROOT (bt_molecules_join); 0: not joined */
  char tether[40];        /* residue that a covalent ligand is bonded to, such as A:CYS145: its ROOT, the alpha carbon,
                           * stays where it is. "": it is free */
  bool special;           /* it has chemistry, but preparing that with the usual options gives something else */
  struct bt_chemistry *chemistry; /* bonds, hydrogens, notes (chem/chemistry.h); NULL: not known */
  bt_molecule **conformers; /* [n_conformers] further conformers of a ligand, its own, with the same atoms and fragments */
  int n_conformers;
  int seed;                 /* of a conformer that is a seed pose (bt_molecule_add_seed): its number from 1; else 0 */
};

/* The ROOT that a fragment belongs to; joined ligands have one each. */
static inline int bt_molecule_root(const bt_molecule *molecule, int fragment) {
  while (molecule->fragments[fragment].parent >= 0) fragment = molecule->fragments[fragment].parent;
  return fragment;
}

/* How the word (chem/residue_word.h) reads the residue of an atom, from 1; 0: it does not fit. */
int bt_atom_residue_reading(const bt_atom *atom, bt_span word);
/* The first reading that fits any residue of the molecule, which is what the word means there; 0: none does. */
int bt_molecule_residue_reading(const bt_molecule *molecule, bt_span word);

/* Is the atom of a covalent ligand one of the residue's side chain? The first one is; without residue names none. */
static inline bool bt_atom_of_side_chain(const bt_molecule *molecule, const bt_atom *atom) {
  const bt_atom *alpha = &molecule->atoms[0];
  return molecule->tether[0] != '\0' && strcmp(alpha->name, "CA") == 0 && strcmp(atom->resname, alpha->resname) == 0 &&
         atom->resnum == alpha->resnum && atom->chain == alpha->chain && atom->icode == alpha->icode;
}

/* Where an atom is in its file, for messages. A prepared molecule has lines and serials of its own. */
static inline bt_where bt_atom_where(const bt_molecule *molecule, const bt_atom *atom) {
  if (molecule->record_line > 0) return (bt_where){.file = molecule->path, .line = molecule->record_line};
  return (bt_where){.file = molecule->path, .line = molecule->first_line + atom->line, .atom = atom->serial};
}

/* Without atoms and lines, model 1 at line 1; the name is that of the path when none is given. */
bt_status bt_molecule_create(bt_molecule_kind kind, const char *path, const char *opt_name, bt_molecule **ret_molecule,
                             bt_error *opt_error) BT_MUST_USE;

/* The same molecule in other coordinates x[n_atoms], and all_x of the atoms of its chemistry if that is known, Angstrom;
 * without further conformers. Its lines keep the old coordinates. */
bt_status bt_molecule_copy(const bt_molecule *molecule, const double (*x)[3], const double (*opt_all_x)[3],
                           bt_molecule **ret_copy, bt_error *opt_error) BT_MUST_USE;

/* Coordinates of all atoms of the molecule's chemistry, which must be known, in a pose[n_atoms]: merged hydrogens move
 * with their neighbors. ret_x[n_atoms of chemistry], Angstrom. */
bt_status bt_molecule_all_atoms(const bt_molecule *molecule, const double (*pose)[3], double (*ret_x)[3],
                                bt_error *opt_error) BT_MUST_USE;

/* Molecules and their list; starts as {0}. */
typedef struct bt_molecules {
  bt_molecule **items;
  size_t count, room;
} bt_molecules;

/* Takes ownership of the molecule, even if memory is exhausted. */
bt_status bt_molecules_add(bt_molecules *list, bt_molecule *molecule, bt_error *opt_error) BT_MUST_USE;
void bt_molecules_destroy(bt_molecules *list);

#endif
