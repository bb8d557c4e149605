/* parameters.h - parameters of the search kernels: the same for every individual of a job. */
#ifndef BERTH_KERNEL_LGA_PARAMETERS_H
#define BERTH_KERNEL_LGA_PARAMETERS_H

/* Switches over it have no default, so a method missing from one does not compile. */
typedef enum bt_kernel_search {
  BT_KERNEL_LS_NONE,
  BT_KERNEL_LS_SOLIS_WETS,
  BT_KERNEL_LS_ADADELTA,
  BT_KERNEL_LS_ADAM
} bt_kernel_search;

#define BT_KERNEL_SELECT_TOURNAMENT 0
#define BT_KERNEL_SELECT_PROPORTIONAL 1

#define BT_KERNEL_CROSS_TWO_POINT 0
#define BT_KERNEL_CROSS_UNIFORM 1

typedef struct bt_search_parameters {
  unsigned int key0, key1; /* Philox key: seed and ligand */
  int runs, population, elitism;
  int first_run; /* number of the job's first run, for its random numbers */
  int selection, crossover, local_search; /* BT_KERNEL_... */
  float tournament_rate, crossover_rate, mutation_rate;
  float mutation_move, mutation_angle; /* A, rad */
  float local_search_rate;
  int iterations;                /* per local search */
  float sw_move, sw_rotation, sw_torsion; /* half-widths of the uniform deviates at rho = 1: A, rad, rad */
  float sw_inclusion;            /* probability that a gene takes part in a step */
  float sw_rho_limit;
  int sw_limit;                  /* consecutive successes or failures */
  /* ADADELTA works on genes in units of unit_move (A) and unit_angle (rad), with gradients scaled per kind. */
  float unit_move, unit_angle;
  float gradient_move, gradient_angle; /* gene gradient = scale * dE/d(A or rad) */
  float gradient_limit;          /* on each gene gradient */
  /* On each component of an atom's map gradient and on a pair's repulsion, kcal/mol/A. ADAM raises it from force_limit
   * to force_limit_end in the course of a search, while its steps shrink to the fraction step_end. */
  float force_limit, force_limit_end;
  float step_end;
  float wall;                    /* kcal/mol per confined atom outside the box, on top of the restraint */
  int redraws;                   /* maximum number of redraws of an individual outside the box */
  float autostop_tolerance;      /* kcal/mol */
} bt_search_parameters;

/* Generations whose worst energies set the scale of proportional selection, as in AutoDock 4. */
#define BT_SELECTION_WINDOW 10

/* Individuals per run that undergo local search in a generation, for host and kernels: the rate's share of the
 * population, rounded; at a rate below 1 at least one is left out. */
#define BT_SEARCHED_SHARE(p) ((int)((p)->local_search_rate * (float)(p)->population + 0.5f))
#define BT_SEARCHED(p)                                                                        \
  ((p)->local_search == BT_KERNEL_LS_NONE          ? 0                                        \
   : BT_SEARCHED_SHARE(p) < (p)->population        ? BT_SEARCHED_SHARE(p)                     \
   : (p)->local_search_rate < 1.0f                 ? (p)->population - 1                      \
                                                   : (p)->population)

#endif
