/* pdbqt.h - reading and writing PDBQT: ligands, flexible residues and receptors.
 *
 * Columns, counted from 1: record 1-6, serial 7-11, name 13-16, residue 18-20, chain 22, residue number 23-26,
 * insertion code 27, x y z 31-54 (three times 8), charge 69-77, AutoDock type from 78. ROOT, BRANCH and TORSDOF define
 * the torsion tree; the atoms of a BRANCH are looked up by serial number, as in AutoDock 4.
 */
#ifndef BERTH_FORMATS_PDBQT_PDBQT_H
#define BERTH_FORMATS_PDBQT_PDBQT_H

#include "base/text/text.h"
#include "chem/molecule.h"

/* Reads a text in memory; path is for messages and names. Otherwise as bt_molecule_read. Several ligands in one MODEL,
 * as docked together, are joined (n_joined). */
bt_status bt_molecule_from_memory(const char *path, const char *data, size_t size, bt_molecule_kind kind,
                                  bt_molecule ***ret_list, int *ret_count, bt_error *opt_error) BT_MUST_USE;

/* An atom's entry in Meeko's remarks. */
typedef struct bt_pdbqt_place {
  int place;   /* in the SMILES, from 1; 0: none */
  bool parent; /* the atom is a hydrogen; the place is that of the atom that it is bonded to */
} bt_pdbqt_place;

typedef struct bt_pdbqt_remarks {
  const char *smiles;
  const bt_pdbqt_place *places; /* [n_atoms] */
  const char *opt_line;         /* one more remark */
} bt_pdbqt_remarks;

/* The SMILES of a molecule's remarks and places[n_atoms], which come empty; what is wrong with them; NULL: nothing. */
const char *bt_pdbqt_find_remarks(const bt_molecule *molecule, bt_span *ret_smiles, bt_pdbqt_place *places);
/* Writes the lines of a ligand from its atoms and fragments, and indexes them. */
bt_status bt_molecule_write_lines(bt_molecule *molecule, const bt_pdbqt_remarks *opt_remarks,
                                  bt_error *opt_error) BT_MUST_USE;
/* molecule->lines from a text in which every line ends with a line feed. */
bt_status bt_molecule_set_lines(bt_molecule *molecule, const bt_text *text, bt_error *opt_error) BT_MUST_USE;
/* Records the position of their lines in atoms and fragments, which are in the order of the text. */
void bt_molecule_index_lines(bt_molecule *molecule);
/* Rounds to the three decimals of PDBQT, as printf and a reader do. Everything built for docking is rounded with this,
 * so that docking its PDBQT file gives the same poses. */
double bt_pdbqt_round(double value);
/* True unless the two atoms of the fragment's axis coincide. */
bool bt_fragment_has_axis(const bt_molecule *molecule, int fragment);

#endif
