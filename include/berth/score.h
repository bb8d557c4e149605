/* score.h - energies in detail: atom by atom, pair by pair.
 *
 *     bt_atom_info atom = bt_ligand_atom_info(ligand, 0);
 *     bt_pair_energy *pairs = malloc(bt_ligand_pair_count(ligand) * sizeof *pairs);
 *     if (pairs == NULL || bt_score_pairs(ligand, maps, BT_FORM_TABULATED, pairs, &error) != BT_OK)
 *       goto failed;
 *     printf("%s ... : %.3f Angstrom\n", atom.name, pairs[0].distance);
 *     free(pairs);
 *
 * Conventions and the example's variables are those of berth.h.
 */
#ifndef BERTH_SCORE_H
#define BERTH_SCORE_H

#include <berth/berth.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An atom as its file describes it; the ligand's atoms come first, then those of the flexible residues. */
typedef struct bt_atom_info {
  long serial;
  const char *name, *type, *residue; /* borrowed from the molecule */
  int residue_number;
  char chain;
  bool flexible; /* belongs to a flexible residue */
} bt_atom_info;

bt_atom_info bt_ligand_atom_info(const bt_ligand *ligand, int index);

/* Energy of two moving atoms, kcal/mol. i < j are indices as in bt_ligand_atom_info(); the pull of a ring closure
 * counts as vdw. */
typedef struct bt_pair_energy {
  int i, j;
  double distance; /* Angstrom */
  double vdw, hbond, electrostatic, desolvation;
} bt_pair_energy;

/* Pairs of atoms that interact, and their energies in the input pose: first those within the ligand, then ligand
 * with residues, then within and between residues. ret_pairs[bt_ligand_pair_count()]. */
int bt_ligand_pair_count(const bt_ligand *ligand);
bt_status bt_score_pairs(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form, bt_pair_energy *ret_pairs,
                         bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
