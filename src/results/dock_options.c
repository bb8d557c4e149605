/* dock_options.c - the default search, which results carry with them. Short searches by ADAM, a small population, more
 * mutation and a stricter tournament than AutoDock-GPU's need a small part of the evaluations to the minimum
 * (docs/decisions/004-local-search.md, 007-population.md). */
#include <berth/berth.h>

bt_dock_options bt_dock_options_default(void) {
  return (bt_dock_options){
      .runs = 20,
      .population = 30,
      .evaluations = 2500000,
      .generations = 42000,
      .local_search = BT_LS_ADAM,
      .local_search_rate = 1.0,
      .local_search_iterations = 0,
      .selection = BT_SELECT_TOURNAMENT,
      .tournament_rate = 0.8,
      .crossover = BT_CROSS_TWO_POINT,
      .crossover_rate = 0.8,
      .mutation_rate = -1,
      .mutation_move = 6.0,
      .mutation_angle = 90.0,
      .elitism = 1,
      .sw_move = 2.0,
      .sw_angle = 75.0,
      .sw_rho_limit = 0.01,
      .sw_limit = 4,
      .autostop = true,
      .autostop_tolerance = 0.15,
      .autostop_interval = 5,
      .autostop_runs = 2,
      .heuristics = true,
      .heuristics_max = 12000000,
      .rmsd_tolerance = 2.0,
      .poses = 9,
      .energy_range = 6.0,
      .rmsd_symmetry = true,
      .torsional = BT_TORSIONAL_TORSDOF,
  };
}
