/* metal_binding.h - atoms of groups that bind metals, recognized in the graph of heavy atoms.
 *
 *   oxygen    without another heavy neighbor: of phosphates and phosphonates; of carboxylates, and beside one (alpha-keto
 *             and alpha-hydroxy acids, oxalates); both of hydroxamates and of N-hydroxyamides and -ureas alike
 *   nitrogen  acceptors in rings of five or six (azoles, azines); of primary sulfonamides
 *   sulfur    without another heavy neighbor: thiols
 *
 * Carbonyls, alcohols, ethers, amines, sulfones and nitro groups bind a metal rarely beside these, and are left out: with
 * them, as many poses were lost as gained (decision 035).
 */
#ifndef BERTH_POSE_METAL_BINDING_H
#define BERTH_POSE_METAL_BINDING_H

#include "pose/vina.h"

/* Is the atom one of these? bonds: those of atoms. */
bool bt_binds_metals(const bt_vina_atoms *atoms, const bt_bonds *bonds, int atom);

#endif
