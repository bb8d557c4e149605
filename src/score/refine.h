/* refine.h - minimization of a pose in the scoring function of its ligand. */
#ifndef BERTH_SCORE_REFINE_H
#define BERTH_SCORE_REFINE_H

#include "score/score.h"

/* Minimizes a pose in the ligand's own scoring function: Vina and Vinardo by bt_score_exact, AutoDock 4 by
 * bt_score_objective, but with ring closures of width 0. genotype and xyz[3 n_atoms] become those of the minimum. */
bt_status bt_refine(const bt_scorer *scorer, const bt_ligand *ligand, bt_genotype *genotype, double *xyz,
                    bt_error *opt_error) BT_MUST_USE;

/* Affinities of several poses of a ligand: the internal energy of the pose with the lowest inter + intra is subtracted
 * from all. first: the energy of the first of count > 0 poses, each `stride` bytes after the previous one. No effect
 * for AutoDock 4. */
void bt_refine_affinities(const bt_ligand *ligand, bt_energy *first, int count, size_t stride);

#endif
