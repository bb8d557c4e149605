/* sites.h - atoms as the networks see them: a channel and a radius.
 *
 * 14 types of receptor atoms are channels 0 to 13, 14 of ligand atoms 14 to 27: the types of smina and libmolgrid that
 * gnina's default networks distinguish (Sunseri and Koes, J. Chem. Inf. Model. 60, 1079 (2020); docs/networks.md).
 */
#ifndef BERTH_RESCORE_CNN_SITES_H
#define BERTH_RESCORE_CNN_SITES_H

#include "chem/molecule.h"

typedef struct bt_cnn_site {
  double x[3];   /* Angstrom */
  double radius; /* Angstrom */
  int channel;   /* -1: none, as of hydrogens and of what is no atom */
} bt_cnn_site;

/* Of all atoms of some molecules, which see each other: a receptor and its flexible side chains, or a ligand. sites
 * has room for all; ligand: channels from 14 on. */
bt_status bt_cnn_sites(const bt_molecule *const *molecules, int n_molecules, bool ligand, bt_cnn_site *sites,
                       bt_error *opt_error) BT_MUST_USE;

#endif
