/* heuristics.h - how long a ligand with n torsions is worth searching. */
#ifndef BERTH_SEARCH_HEURISTICS_H
#define BERTH_SEARCH_HEURISTICS_H

#include <berth/berth.h>

/* The estimate before the smooth cap. */
double bt_heuristic_uncapped(bt_local_search method, int torsions, int runs);
/* Evaluations per run before autostop may act: the more the cap cut away, the later. */
double bt_heuristic_autostop_minimum(double evaluations, double uncapped);

#endif
