/* metal_binding.h - atoms of groups that bind metals, recognized in the graph of heavy atoms.
 *
 *   oxygen    without another heavy neighbor: of phosphates and phosphonates; of carboxylates, and beside one
 *             (alpha-keto and alpha-hydroxy acids, oxalates); both of hydroxamates, N-hydroxyamides and -ureas
 *   nitrogen  acceptors in rings of five or six (azoles, azines); of primary sulfonamides
 *   sulfur    without another heavy neighbor: thiols
 *
 * Carbonyls, alcohols, ethers, amines, sulfones and nitro groups bind a metal rarely beside these, and are left out:
 * with them, as many poses were lost as gained (decision 035).
 */
#ifndef BERTH_POSE_METAL_BINDING_H
#define BERTH_POSE_METAL_BINDING_H

#include "pose/vina.h"

/* Is this atom of a receptor a metal ion that ligands bind: neither Na nor K, and held by three or more N, O or S of the
 * receptor within 2.8 Angstrom? Others are held by waters, which stay. */
bool bt_is_binding_metal(const bt_molecule *receptor, int atom);
/* Is the atom one of these? bonds: those of atoms. */
bool bt_binds_metals(const bt_vina_atoms *atoms, const bt_bonds *bonds, int atom);

#endif
