/* options.c - ranges and units of the search, and what the kernels are given. */
#include "engine/lga/search/options.h"

#include <berth/berth.h>
#include <math.h>

#include "chem/molecule.h"
#include "engine/lga/studies.h"
#include "kernel/lga/data.h"

static const double degree = 3.14159265358979323846 / 180.0;

/* Steps of ADADELTA and ADAM tend to one size in their own units. Positions are in units of AutoDock's default grid
 * spacing as in AutoDock-GPU; angles in units of 12 degrees where AutoDock-GPU has 1, so that a turn moves atoms as far
 * as a shift does. Gradients are scaled as AutoDock-GPU does, so that 1 A and 1 rad count alike. */
static const double length_unit = 0.375;
static const double angle_unit_degrees = 12.0;

/* A clash must not dictate a whole step: limits on forces, kcal/mol/A. AutoDock-GPU's; and what ADAM begins with. */
static const double force_limit = 8.0, adam_force_limit = 0.3;
/* Of full steps, at the end of a search by ADAM. */
static const double adam_step_end = 0.1;
/* How often an initial individual that lies outside the box is redrawn. */
static const int redraws = 20;

/* Above this number of torsions, local searches are twice as long and fewer genes mutate: a child with every other
 * torsion changed inherits nothing useful from its parents. */
enum { MANY_TORSIONS = 12 };

static int iterations_of(const bt_dock_options *o, int torsions) {
  if (o->local_search_iterations > 0) return o->local_search_iterations;
  return o->local_search != BT_LS_ADAM ? 300 : torsions > MANY_TORSIONS ? 200 : 100;
}

static double mutation_rate_of(const bt_dock_options *o, int torsions) {
  return o->mutation_rate >= 0 ? o->mutation_rate : torsions > MANY_TORSIONS ? 0.05 : 0.2;
}

bt_status bt_dock_options_check(const bt_dock_options *o, bt_error *opt_error) {
  const struct {
    const char *name;
    double value, low, high;
  } ranges[] = {
      {"runs", o->runs, 1, 1000000},
      {"population", o->population, 2, 1 << 20},
      {"evaluations", (double)o->evaluations, 1, 9e18},
      {"generations", (double)o->generations, 1, 4e9},
      {"local search rate", o->local_search_rate, 0, 1},
      {"local search iterations", o->local_search_iterations, 0, 1 << 20},
      {"tournament rate", o->tournament_rate, 0, 1},
      {"crossover rate", o->crossover_rate, 0, 1},
      {"mutation rate", o->mutation_rate, -1, 1},
      {"mutation move", o->mutation_move, 0, 1000},
      {"mutation angle", o->mutation_angle, 0, 180},
      {"elitism", o->elitism, 0, o->population - 1},
      {"Solis-Wets move", o->sw_move, 1e-6, 1000},
      {"Solis-Wets angle", o->sw_angle, 1e-6, 180},
      {"Solis-Wets rho limit", o->sw_rho_limit, 0, 1},
      {"Solis-Wets success and failure limit", o->sw_limit, 1, 1 << 20},
      {"autostop tolerance", o->autostop_tolerance, 1e-6, 1000},
      {"autostop interval", o->autostop_interval, 1, 1 << 20},
      {"autostop runs", o->autostop_runs, 0, 1 << 30},
      {"heuristics share", o->heuristics_share, 0, 1000},
      {"heuristics maximum", (double)o->heuristics_max, 1, 9e18},
      {"heuristics runs", o->heuristics_runs, 0, 1000000},
      {"threads", o->threads, 0, 1 << 16},
      {"team", o->team, 0, 1024},
      {"reduction", o->reduction, BT_REDUCTION_AUTO, BT_REDUCTION_TWO_STEP_EC},
      {"RMSD tolerance", o->rmsd_tolerance, 0, 1000},
      {"poses", o->poses, 1, 1000},
      {"energy range", o->energy_range, 0, 1e6},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
    if (!(ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high))
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "choose a value in that range",
                     "%s is %g but must be between %g and %g", ranges[i].name, ranges[i].value, ranges[i].low,
                     ranges[i].high);
  if ((double)o->runs * o->population > INT32_MAX)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use fewer runs or a smaller population",
                   "%d runs of %d individuals are too many for one job", o->runs, o->population);
  return BT_OK;
}

/* FNV-1a of the ligand's name: the same ligand draws the same numbers in any batch. */
static uint32_t name_hash(const char *name) {
  uint32_t hash = 2166136261u;
  for (; *name != '\0'; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
  return hash;
}

static bt_kernel_search local_search_of(bt_local_search method) {
  switch (method) {
    case BT_LS_NONE: break;
    case BT_LS_SOLIS_WETS: return BT_KERNEL_LS_SOLIS_WETS;
    case BT_LS_ADADELTA: return BT_KERNEL_LS_ADADELTA;
    case BT_LS_ADAM: return BT_KERNEL_LS_ADAM;
  }
  return BT_KERNEL_LS_NONE;
}

bt_search_parameters bt_search_parameters_make(const bt_dock_options *o, const bt_ligand *ligand) {
  double genes = 6.0 + ligand->n_torsions, atoms = ligand->n_atoms, unit = length_unit;
  bool adam = o->local_search == BT_LS_ADAM;
  bt_search_parameters p = {
      .key0 = (uint32_t)o->seed,
      .key1 = (uint32_t)(o->seed >> 32) ^ name_hash(ligand->molecule->name),
      .runs = o->runs,
      .population = o->population,
      .elitism = o->elitism,
      .selection = o->selection == BT_SELECT_TOURNAMENT ? BT_KERNEL_SELECT_TOURNAMENT : BT_KERNEL_SELECT_PROPORTIONAL,
      .crossover = o->crossover == BT_CROSS_TWO_POINT ? BT_KERNEL_CROSS_TWO_POINT : BT_KERNEL_CROSS_UNIFORM,
      .local_search = local_search_of(o->local_search),
      .tournament_rate = (float)o->tournament_rate,
      .crossover_rate = (float)o->crossover_rate,
      .mutation_rate = (float)mutation_rate_of(o, ligand->n_torsions),
      .mutation_move = (float)o->mutation_move,
      .mutation_angle = (float)(o->mutation_angle * degree),
      .local_search_rate = (float)o->local_search_rate,
      .iterations = iterations_of(o, ligand->n_torsions),
      /* uniform deviates of standard deviation sw_move, sw_angle / sqrt(atoms), sw_angle / sqrt(genes) */
      .sw_move = (float)(sqrt(3.0) * o->sw_move),
      .sw_rotation = (float)(sqrt(3.0) * o->sw_angle * degree / sqrt(atoms)),
      .sw_torsion = (float)(sqrt(3.0) * o->sw_angle * degree / sqrt(genes)),
      .sw_inclusion = (float)(1.0 / sqrt(genes)),
      .sw_rho_limit = (float)o->sw_rho_limit,
      .sw_limit = o->sw_limit,
      .unit_move = (float)unit,
      .unit_angle = (float)(angle_unit_degrees * degree),
      .gradient_move = (float)unit,
      .gradient_angle = (float)(unit * unit / degree),
      .gradient_limit = 1000.0f,
      .force_limit = (float)(adam ? adam_force_limit : force_limit),
      .force_limit_end = (float)force_limit,
      .step_end = (float)adam_step_end,
      .wall = BT_KERNEL_WALL,
      .redraws = redraws,
      .autostop_tolerance = (float)o->autostop_tolerance,
  };
  return p;
}

bt_search_law bt_search_law_of(const bt_search_parameters *p) {
  return (bt_search_law){.wall = (double)p->wall, .force_limit = (double)p->force_limit};
}

bt_search_parameters bt_search_parameters_bare(bt_search_parameters p) {
  p.wall = 0;
  p.force_limit = p.force_limit_end = BT_KERNEL_NO_LIMIT;
  return p;
}
