/* refine.h - poses on the energy that counts: exact sums over the receptor, where the search had maps. */
#ifndef BERTH_ENGINE_AD4_REFINE_H
#define BERTH_ENGINE_AD4_REFINE_H

#include "results/result.h"

/* Minimises a pose by bt_score_exact; genotype and xyz become those of the refined pose. AutoDock 4's energies are those
 * of its maps, so nothing happens to its poses. */
bt_status bt_refine(const bt_scorer *scorer, const bt_ligand *ligand, bt_genotype *genotype, double *xyz,
                    bt_error *opt_error) BT_MUST_USE;

/* Vina's affinities of all runs of a docking: the unbound ligand has the internal energy of the pose whose
 * inter + intra is lowest. Nothing happens for AutoDock 4. */
void bt_refine_affinities(bt_result *result);

#endif
