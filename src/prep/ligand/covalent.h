/* covalent.h - a ligand that is bonded to a residue: the product of its warhead with the side chain, from the alpha
 * carbon on, which is the root of its torsion tree and stays in its place.
 *
 * Bianco, Forli, Goodsell, Olson, Protein Sci. 2016, 25, 295: the ligand as part of a flexible side chain.
 */
#ifndef BERTH_PREP_LIGAND_COVALENT_H
#define BERTH_PREP_LIGAND_COVALENT_H

#include "base/text/text.h"
#include "chem/rdkit.h"

/* Of a product: which of its atoms are the side chain's. */
typedef struct bt_bound {
  const bt_tether *tether;    /* borrowed */
  int atoms[BT_TETHER_ATOMS]; /* [tether->n_atoms] in the order of the tether's */
} bt_bound;

/* Makes the product of one molecule. A ligand whose 3D coordinates show the bond is taken as the product, with a
 * hydrogen in place of the residue, and stays where it is; of any other the warhead reacts, and coordinates are
 * made anew. opt_warhead: a name of the table of warheads, or a SMARTS pattern as there; NULL: the only one that the
 * ligand has for this residue. BT_ERR_INPUT when there is none or more than one. notes: a clause with a line end. */
bt_status bt_covalent_bind(bt_rdmol *mol, const bt_tether *tether, const char *opt_warhead, bt_where where,
                           bt_bound *ret_bound, bt_text *notes, bt_error *opt_error) BT_MUST_USE;

/* Superimposes a conformer of the product on the residue: alpha carbon on alpha carbon, the bond to the beta carbon
 * along its direction, the next atom as near as that allows. Threonine's methyl group and alpha carbon, equivalent in
 * the product, are swapped if the beta carbon has the other configuration. */
bt_status bt_covalent_align(bt_rdmol *mol, int conformer, bt_bound *bound, bt_error *opt_error) BT_MUST_USE;

#endif
