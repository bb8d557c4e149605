/* mol2.h - Tripos MOL2: atoms with their types as written, bonds, and BUDE's blocks of further conformers.
 *
 * One record is one molecule: the text from @<TRIPOS>MOLECULE to the next one. Blank lines and lines that begin with #
 * or % are ignored, blanks around a line too. Columns of an atom: id, name, x, y, z, type, substructure's number and
 * name, charge; those after the type are optional. The Tripos blocks may be followed by `@<BUDE>CONF n`, each with one
 * line "x y z" per atom, for all atoms of the record in their order; the numbers n are not relied upon. The block of
 * atoms is the first conformer.
 */
#ifndef BERTH_FORMATS_MOL2_H
#define BERTH_FORMATS_MOL2_H

#include "base/text/text.h"

typedef struct bt_mol2_atom {
  char name[16], type[16], residue[16]; /* residue as in the file: "PRO1"; "" when absent */
  int residue_number;
  int number;    /* as in the file, mostly from 1 */
  double charge; /* as in the file, 0 when absent */
  long line;     /* of the file; 0: not read from one */
} bt_mol2_atom;

typedef struct bt_mol2_bond {
  int a, b;      /* atoms from 0 */
  char order[4]; /* 1, 2, 3, ar, am, du, un, nc */
} bt_mol2_bond;

typedef struct bt_mol2 {
  char *path, *name; /* of the file; of the molecule, "" without one */
  long line;         /* first line of the record, from 1 */
  int n_atoms, n_bonds, n_conformers;
  bt_mol2_atom *atoms;
  bt_mol2_bond *bonds;
  double (*x)[3]; /* [n_conformers * n_atoms] Angstrom, conformer by conformer */
} bt_mol2;

/* Reads one record; first_line is that of data in the file. BT_ERR_INPUT names line and atom. The caller destroys the
 * result. */
bt_status bt_mol2_parse(const char *path, long first_line, const char *data, size_t size, bt_mol2 **ret_mol2,
                        bt_error *opt_error) BT_MUST_USE;
void bt_mol2_destroy(bt_mol2 *opt_mol2);

/* An empty molecule with room for its atoms, bonds and conformers, all zero. */
bt_status bt_mol2_create(const char *path, const char *name, int n_atoms, int n_bonds, int n_conformers,
                         bt_mol2 **ret_mol2, bt_error *opt_error) BT_MUST_USE;

/* Drops the atoms that are not kept, and their bonds. keep[n_atoms] */
bt_status bt_mol2_reduce(bt_mol2 *mol2, const bool *keep, bt_error *opt_error) BT_MUST_USE;
/* Marks the largest connected fragment by heavy atoms, the first in case of ties; all atoms when there are no bonds.
 * Returns the number of fragments; ret_keep[n_atoms]. */
bt_status bt_mol2_largest(const bt_mol2 *mol2, bool *ret_keep, int *ret_fragments, bt_error *opt_error) BT_MUST_USE;
/* Is the atom a hydrogen (type H, or one of its kinds), which the BUDE force field does not represent? */
bool bt_mol2_is_hydrogen(const bt_mol2_atom *atom);

/* Adds one record with these coordinates ([n_atoms]), comment lines with their line ends before it. */
void bt_mol2_write(const bt_mol2 *mol2, const double (*x)[3], const char *opt_comment, bt_text *text);

#endif
