/* heuristics.h - evaluations for a ligand with n torsions. */
#ifndef BERTH_ENGINE_LGA_SEARCH_HEURISTICS_H
#define BERTH_ENGINE_LGA_SEARCH_HEURISTICS_H

#include <berth/types.h>

/* The published estimate before the smooth cap, which is for AutoDock-GPU's search. */
double bt_heuristic_uncapped(bt_local_search method, int torsions, int runs);
/* With the cap. */
int64_t bt_heuristic_capped(double uncapped, int64_t maximum);
/* The share of the estimate that Berth's own search needs. */
double bt_heuristic_share(const bt_dock_options *options);
/* Evaluations per run for a ligand with so many torsions: the limit of the options, or the estimate if that is lower.
 * The estimate before the cap, if it was made, is *opt_uncapped. */
int64_t bt_heuristic_limit(const bt_dock_options *options, int torsions, double *opt_uncapped);
/* Evaluations per run before autostop may act: the more the cap cut away, the later. */
double bt_heuristic_autostop_minimum(double evaluations, double uncapped);

#endif
