/* complex.h - the atoms of receptor, flexible residues, ligand and waters of one pose, residue by residue. */
#ifndef BERTH_RESULTS_COMPLEX_H
#define BERTH_RESULTS_COMPLEX_H

#include <berth/score.h>

#include "base/memory.h"
#include "results/result.h"

typedef enum bt_complex_kind {
  BT_COMPLEX_POLYMER, /* amino acids, nucleotides */
  BT_COMPLEX_OTHER,   /* of the receptor: ions, cofactors */
  BT_COMPLEX_LIGAND,
  BT_COMPLEX_WATER
} bt_complex_kind;

typedef struct bt_complex_residue {
  char name[8], chain, icode; /* ' ': none */
  int number;
  bt_complex_kind kind;
  int first, end; /* of its atoms */
} bt_complex_residue;

typedef struct bt_complex_atom {
  double x[3]; /* Angstrom */
  int element, residue;
  char name[8]; /* unique within a ligand */
} bt_complex_atom;

typedef struct bt_complex {
  bt_complex_atom *atoms;
  bt_complex_residue *residues; /* the receptor's in its order, then ligands, then waters */
  int (*bonds)[2];              /* of ligands, atoms from 0 */
  int n_atoms, n_residues, n_bonds;
  char blank; /* a letter that no chain uses, for formats in which every chain has one */
  size_t atom_room, residue_room, bond_room;
} bt_complex;

/* position: as in bt_result_ranked, valid. The caller clears the complex, also after a failure. */
bt_status bt_complex_collect(const bt_result *result, int position, const bt_molecule *receptor,
                             bt_complex *ret_complex, bt_error *opt_error) BT_MUST_USE;
void bt_complex_clear(bt_complex *complex);

/* write/complex_cif.c: the text of an mmCIF file with the mandatory items of PDBx. */
bt_status bt_complex_cif(const bt_complex *complex, const bt_result *result, int position, bt_text *text,
                         bt_error *opt_error) BT_MUST_USE;

#endif
