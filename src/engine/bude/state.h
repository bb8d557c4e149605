/* state.h - what a bt_bude holds. */
#ifndef BERTH_ENGINE_BUDE_STATE_H
#define BERTH_ENGINE_BUDE_STATE_H

#include "engine/bude/engine.h"
#include "engine/bude/receptor.h"
#include "engine/bude/share.h"
#include "base/text.h"
#include "prep/ligand/rules.h"

struct bt_bude {
  bt_bude_options options; /* strings borrowed */
  bt_bude_forcefield *forcefield;
  bt_bude_typing typing;
  bt_bude_rules rules;
  bt_bude_grid grid;
  bt_bude_receptor *receptor; /* NULL: none was given, and no device */
  bt_bude_unit *units;
  int n_units;
  bt_text device, description; /* of all of them */
  int n_loaded;                /* atoms of the receptor that they have */
  double interactions, seconds;
  bt_rules *opt_rules; /* compiled when a record needs them */
  bt_text notes;   /* one line each, ended by NUL */
  int n_notes;
};

/* bt_bude_open without receptor and device, for reading ligands only. */
bt_status bt_bude_open_forcefield(const bt_bude_options *options, bt_bude **ret_bude, bt_error *opt_error) BT_MUST_USE;

#endif
