/* state.h - what a bt_bude holds. */
#ifndef BERTH_ENGINE_BUDE_STATE_H
#define BERTH_ENGINE_BUDE_STATE_H

#include "engine/bude/engine.h"
#include "engine/bude/receptor.h"
#include "engine/bude/share.h"
#include "base/text/text.h"

struct bt_bude {
  bt_bude_options options; /* strings borrowed */
  bt_bude_forcefield *forcefield;
  bt_bude_typing typing;
  bt_bude_rules rules;
  bt_bude_grid grid;
  bt_bude_receptor *receptor;
  bt_bude_unit *units;
  int n_units;
  bt_text device, description; /* of all of them */
  bt_bude_sharing *sharing;
  int n_near; /* atoms of the receptor that the compound last begun can feel, or somewhat more */
  double interactions;
  char note[512];      /* "": none */
};

/* Names of the energy's terms. */
#define BT_BUDE_TERMS "steric", "charge", "desolvation"

#endif
