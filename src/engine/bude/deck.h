/* deck.h - the decks of miniBUDE: a folder of binary files with one ligand, one protein, poses and energies.
 */
#ifndef BERTH_ENGINE_BUDE_DECK_H
#define BERTH_ENGINE_BUDE_DECK_H

#include "forcefield/bude.h"
#include "kernel/bude/launch.h"

typedef struct bt_bude_deck {
  bt_bude_forcefield *forcefield;
  bt_bude_atom *protein, *ligand;
  size_t n_protein, n_ligand, n_poses;
  float *poses;     /* [6][n_poses]: three angles in radians, three translations in Angstrom */
  float *reference; /* [n_poses] energies; NULL: the deck has none */
} bt_bude_deck;

/* Reads FOLDER/{forcefield,ligand,protein,poses}.in and ref_energies.out, if it is there; the first most_poses poses,
 * or all if that is 0 or more than there are. BT_ERR_IO, BT_ERR_INPUT naming file and atom or line. */
bt_status bt_bude_deck_read(const char *folder, size_t most_poses, bt_bude_deck **ret_deck,
                            bt_error *opt_error) BT_MUST_USE;
void bt_bude_deck_destroy(bt_bude_deck *opt_deck);

/* The benchmark's rule: 100 max |energy - reference| / |reference| over poses in which one of the two is 1 or more;
 * energies that are not finite count as infinitely wrong. Valid below BT_BUDE_DECK_TOLERANCE. */
double bt_bude_deck_deviation(const float *reference, const float *energies, size_t n_poses, size_t *opt_ret_pose);
#define BT_BUDE_DECK_TOLERANCE 0.025

#endif
