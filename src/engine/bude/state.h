/* state.h - what a bt_bude holds. */
#ifndef BERTH_ENGINE_BUDE_STATE_H
#define BERTH_ENGINE_BUDE_STATE_H

#include "engine/bude/engine.h"
#include "engine/bude/receptor.h"
#include "engine/bude/search.h"
#include "prep/ligand/rules.h"

struct bt_bude {
  bt_bude_options options; /* strings borrowed */
  bt_bude_forcefield *forcefield;
  bt_bude_typing typing;
  bt_bude_rules rules;
  bt_bude_grid grid;
  bt_bude_receptor *receptor; /* NULL: none was given, as the engine */
  bt_bude_engine *engine;
  int n_loaded; /* atoms of the receptor that the engine has */
  int batch;    /* conformers at once that fit, as far as is known; 0: none were docked */
  double interactions, seconds;
  double parts[2]; /* seconds of energies, of the search's other kernels; with options.timed */
  bt_rules *opt_rules; /* compiled when a record needs them */
  bt_text notes;   /* one line each, ended by NUL */
  int n_notes;
};

#endif
