/* pdbqt.h - reading PDBQT: ligands, flexible residues and receptors.
 *
 * Columns, counted from 1: record 1-6, serial 7-11, name 13-16, residue 18-20, chain 22, residue number 23-26,
 * insertion code 27, x y z 31-54 (three times 8), charge 69-77, AutoDock type from 78. The records ROOT, BRANCH and
 * TORSDOF make a tree; AutoDock 4 looks up the atoms of a BRANCH by their serial, and so do we.
 */
#ifndef BERTH_FORMATS_PDBQT_H
#define BERTH_FORMATS_PDBQT_H

#include "chem/molecule.h"

/* Reads a text in memory; path is what messages and names are made of. As bt_molecule_read otherwise. */
bt_status bt_molecule_from_memory(const char *path, const char *data, size_t size, bt_molecule_kind kind,
                                  bt_molecule ***ret_list, int *ret_count, bt_error *opt_error) BT_MUST_USE;

#endif
