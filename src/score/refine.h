/* refine.h - a pose at the nearest minimum of the energy that counts. */
#ifndef BERTH_SCORE_REFINE_H
#define BERTH_SCORE_REFINE_H

#include "score/score.h"

/* Minimises a pose in the ligand's own scoring function: Vina and Vinardo by bt_score_exact, AutoDock 4 by
 * bt_score_objective. genotype and xyz[3 n_atoms] become those of the minimum. */
bt_status bt_refine(const bt_scorer *scorer, const bt_ligand *ligand, bt_genotype *genotype, double *xyz,
                    bt_error *opt_error) BT_MUST_USE;

/* Affinities of several poses of a ligand: all take off the internal energy of the one whose inter + intra is lowest.
 * first: the energy of the first of count > 0 poses, each `stride` bytes after the one before. Nothing happens for
 * AutoDock 4. */
void bt_refine_affinities(const bt_ligand *ligand, bt_energy *first, int count, size_t stride);

#endif
