/* interactions.h - interactions of a pose by distances and angles, beside the contacts of AutoDock-GPU's format.
 *
 * Limits and conditions are those of PLIP, Salentin et al., Nucleic Acids Res. 43 (2015) W443, and its configuration;
 * the sources that it names for them are given as well. D is a donor, H its hydrogen, A an acceptor.
 *
 *   B hydrogen bond   D and A within 4.1 Angstrom (Hubbard and Haider 2001, with a margin of 0.2), angle D-H-A at
 *                     least 100 degrees; a hydrogen has one bond, that of the largest angle; waters of the receptor
 *                     take part
 *   X halogen bond    Cl, Br or I on a carbon of the ligand, and an acceptor O, N or S of the receptor with one heavy
 *                     neighbor Y: within 4.0 Angstrom, angle C-X-A 165 and X-A-Y 120 degrees, each +- 30 (Auffinger
 *                     et al., PNAS 101 (2004) 16789)
 *   L hydrophobic     two carbons whose heavy neighbors are all carbons, within 4.0 Angstrom; for each atom of the
 *                     ligand the nearest of each residue
 *   W water bridge    an acceptor on one side and a donor on the other, each 2.5 to 4.1 Angstrom from the oxygen of
 *                     one water of the receptor; angle D-H-O at least 100 degrees, A-O-H 71 to 140 degrees (Jiang et
 *                     al., Phys. Chem. Chem. Phys. 7 (2005) 3179)
 *   M metal           O, S or N (no ammonium) of the ligand within 3.0 Angstrom of a metal of the receptor (Harding,
 *                     Acta Cryst. D57 (2001) 401)
 *
 * Donors and acceptors are those of the contacts (contacts.h): atoms with a hydrogen HD, and types NA, NS, OA, OS, SA,
 * which were chosen from bond orders where the molecule was read with them. Bonds of the ligand are those of
 * chem/graph.h, those of residues come from distances.
 */
#ifndef BERTH_RESULTS_ANALYSIS_INTERACTIONS_H
#define BERTH_RESULTS_ANALYSIS_INTERACTIONS_H

#include "results/analysis/contacts.h"

/* What is known of atoms before any pose. */
typedef struct bt_interaction_atoms {
  int n;
  const bt_atom **atoms; /* [n] borrowed */
  double *xyz;           /* [3 n] where they were; of a receptor, where they are. Angstrom */
  unsigned *roles;       /* [n] */
  int *neighbor;         /* [n] a heavy neighbor; -1: none */
  int (*hydrogens)[2];   /* [n_hydrogens] donor and hydrogen */
  int n_hydrogens;
} bt_interaction_atoms;

bt_status bt_interaction_atoms_of_receptor(const bt_molecule *receptor, bt_interaction_atoms *ret_atoms,
                                           bt_error *opt_error) BT_MUST_USE;
/* Of a ligand and the residues that move with it. */
bt_status bt_interaction_atoms_of_ligand(const bt_ligand *ligand, bt_interaction_atoms *ret_atoms,
                                         bt_error *opt_error) BT_MUST_USE;
void bt_interaction_atoms_clear(bt_interaction_atoms *atoms);

/* Appends the interactions of one type, from BT_CONTACT_DIRECTED_HBOND on, of a pose xyz[3 n_atoms], Angstrom. */
bt_status bt_interactions_of_type(const bt_interaction_atoms *receptor, const bt_interaction_atoms *own,
                                  const bt_ligand *ligand, const double *xyz, bt_contact_type type,
                                  bt_contact_list *list, bt_error *opt_error) BT_MUST_USE;

#endif
