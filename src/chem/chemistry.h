/* chemistry.h - what a molecule made from PDBQT text knows about its bonds: the molecule with all hydrogens, and where
 * each of its atoms is in the text. Shared by reference. */
#ifndef BERTH_CHEM_CHEMISTRY_H
#define BERTH_CHEM_CHEMISTRY_H

#include "base/text/text.h"
#include "chem/rdkit.h"

typedef struct bt_chemistry {
  int references; /* atomic */
  bt_rdmol *mol;  /* owned; all hydrogens are atoms */
  int n_atoms;    /* of mol */
  double (*x)[3]; /* [n_atoms] Angstrom, as prepared */
  bool embedded;  /* x was made; the input has no pose */
  int n_entries;  /* atoms of the PDBQT text */
  int *entry;     /* [n_entries] atom of mol, -1: a glue point or a water */
  int *body;      /* [n_entries] rigid body (fragment of the bt_molecule) */
  char *smiles;   /* canonical, isomeric, without hydrogens */
  bt_text_list notes; /* what preparation did, one clause each */
} bt_chemistry;

bt_chemistry *bt_chemistry_retain(bt_chemistry *opt_chemistry);
void bt_chemistry_release(bt_chemistry *opt_chemistry);
/* A copy of its own, in other coordinates x[n_atoms], Angstrom (NULL: the same); references 1. */
bt_status bt_chemistry_copy(const bt_chemistry *chemistry, const double (*opt_x)[3], bt_chemistry **ret_copy,
                            bt_error *opt_error) BT_MUST_USE;
/* Where an atom of mol is in the PDBQT text; -1: it is merged into another one. */
int bt_chemistry_entry(const bt_chemistry *chemistry, int atom);
/* The isomer that the coordinates show: the input may leave stereochemistry undefined. mol must be known. */
bt_status bt_chemistry_isomer(const bt_chemistry *chemistry, bt_rdmol **ret_isomer, bt_error *opt_error) BT_MUST_USE;
/* Its canonical isomeric SMILES without hydrogens, free() it; NULL: no bonds are known. */
bt_status bt_chemistry_isomer_smiles(const bt_chemistry *opt_chemistry, char **ret_smiles,
                                     bt_error *opt_error) BT_MUST_USE;

#endif
