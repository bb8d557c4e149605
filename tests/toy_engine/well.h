/* well.h - a toy engine, a harmonic well: a new engine needs only a folder such as this and a line of the registry. */
#ifndef BERTH_TESTS_TOY_ENGINE_WELL_H
#define BERTH_TESTS_TOY_ENGINE_WELL_H

#include "pipeline/engine.h"

/* Each atom is attracted to the center; a ligand is translated by steepest descent. */
typedef struct well_settings {
  double middle[3]; /* Angstrom */
  double stiffness; /* kcal/mol/A^2 */
  int fails_at;     /* batch whose device fails; 0: none */
  int most_atoms;   /* more do not fit into the well; 0: any number */
} well_settings;

bt_status well_open(const well_settings *settings, bt_engine **ret_engine, bt_error *opt_error) BT_MUST_USE;

#endif
