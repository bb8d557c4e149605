/* warheads.h - groups of a ligand that react with a side chain, and the products. */
#ifndef BERTH_CHEM_WARHEADS_H
#define BERTH_CHEM_WARHEADS_H

#include "chem/rdkit.h"

/* Atoms within this distance of the reacting one are bonded to it, Angstrom: S-S has 2.05, others are shorter. */
#define BT_LONGEST_COVALENT_BOND 2.3

typedef struct bt_warhead {
  const char *name;
  /* Its first atom gets the bond to the residue. The bond to the second atom loses one order; what a broken single
   * bond cuts off leaves, otherwise the second atom gets a hydrogen. */
  const char *smarts;
  const char *residues; /* three-letter names, separated by blanks */
  bool adds;            /* no bond is opened: the first atom becomes an anion */
} bt_warhead;

/* The side chain of a residue that reacts. */
typedef struct bt_side_chain {
  const char *residue; /* three-letter name */
  const char *smiles;  /* from the reacting atom to the alpha carbon */
  const char *atoms;   /* their names in the order of the SMILES: the first one reacts, the last one is CA */
} bt_side_chain;

/* NULL: it does not react. */
const bt_side_chain *bt_side_chain_find(const char *residue);
/* Names of all residues that react: "CYS, SER, ..." */
const char *bt_side_chain_residues(void);

/* The table, in the order in which it is searched. */
const bt_warhead *bt_warheads(int *ret_count);
bool bt_warhead_takes(const bt_warhead *warhead, const char *residue);
/* Different pairs of first and second atom where a warhead matches; ret_atoms[count][2], free() it; NULL for none. */
bt_status bt_warhead_sites(const bt_warhead *warhead, const bt_rdmol *mol, int (**ret_atoms)[2], int *ret_count,
                           bt_error *opt_error) BT_MUST_USE;

#endif
