/* heuristics.c - evaluations per run from the number of torsions (Santos-Martins et al., JCTC 2021). */
#include "engine/lga/search/heuristics.h"

#include <berth/berth.h>
#include <math.h>

double bt_heuristic_uncapped(bt_local_search method, int torsions, int runs) {
  double n = torsions;
  double base = method == BT_LS_SOLIS_WETS ? ceil(1000.0 * exp2(1.3 * n + 4.0))
                                           : ceil(64000.0 * exp2(n * (0.5 - 0.2 * n / (20.0 + n))));
  return fmax(base, 500000.0) * 50.0 / runs; /* calibrated for 50 runs */
}

int64_t bt_heuristic_capped(double uncapped, int64_t maximum) {
  double h = uncapped, m = (double)maximum;
  return (int64_t)ceil(h * m / (h + m)); /* tends to the maximum for many torsions */
}

int64_t bt_heuristic_evaluations(bt_local_search method, int torsions, int runs, int64_t maximum) {
  return bt_heuristic_capped(bt_heuristic_uncapped(method, torsions, runs), maximum);
}

/* Measured: docs/decisions/007-population.md. */
double bt_heuristic_share(const bt_dock_options *o) {
  if (o->heuristics_share > 0) return o->heuristics_share;
  return o->local_search == BT_LS_ADAM ? 0.2 : 1.0;
}

int64_t bt_heuristic_limit(const bt_dock_options *o, int torsions, double *opt_uncapped) {
  if (!o->heuristics) return o->evaluations;
  int runs = o->heuristics_runs > 0 ? o->heuristics_runs : o->runs;
  double uncapped = bt_heuristic_share(o) * bt_heuristic_uncapped(o->local_search, torsions, runs);
  int64_t estimate = bt_heuristic_capped(uncapped, o->heuristics_max);
  if (opt_uncapped != NULL) *opt_uncapped = uncapped;
  return estimate < o->evaluations ? estimate : o->evaluations;
}

double bt_heuristic_autostop_minimum(double evaluations, double uncapped) {
  const double a = 27.0 / 26.0;
  double c = fmin(1.0, evaluations / uncapped);
  return evaluations * (a / (1.0 + 26.0 * c * c) + 1.0 - a);
}
