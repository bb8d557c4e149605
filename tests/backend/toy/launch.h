/* launch.h - a toy engine: particles in a harmonic well, what host and kernels agree on. */
#ifndef BERTH_TESTS_BACKEND_TOY_LAUNCH_H
#define BERTH_TESTS_BACKEND_TOY_LAUNCH_H

/* Offsets in bytes into the arena. */
typedef struct toy_launch {
  long positions; /* float [n][BT_WELL_DIMENSIONS] */
  long energies;  /* float [n] */
  int n;
  float stiffness, center, rate;
} toy_launch;

/* X(constant, entry) */
#define TOY_KERNELS(X)        \
  X(TOY_ENERGY, toy_energy)   \
  X(TOY_DESCEND, toy_descend) /* one step along the gradient */

#endif
