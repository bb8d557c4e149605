/* well.h - a toy engine, a harmonic well: all that a new engine is, is this folder and one line of the registry. */
#ifndef BERTH_TESTS_TOY_ENGINE_WELL_H
#define BERTH_TESTS_TOY_ENGINE_WELL_H

#include "engine/engine.h"

/* Each atom is drawn to the middle; a ligand translates, steepest descent finds where. */
typedef struct well_settings {
  double middle[3]; /* Angstrom */
  double stiffness; /* kcal/mol/A^2 */
  int fails_at;     /* batch whose device fails; 0: none */
  int most_atoms;   /* more do not fit into the well; 0: any number */
} well_settings;

bt_status well_open(const well_settings *settings, bt_engine **ret_engine, bt_error *opt_error) BT_MUST_USE;

#endif
