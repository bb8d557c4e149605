/* state.h - what `berth score` keeps between its stages. */
#ifndef BERTH_CLI_SCORE_STATE_H
#define BERTH_CLI_SCORE_STATE_H

#include <berth/score.h>

#include "input/box.h"
#include "dock/device.h"
#include "grid/types.h"
#include "input/ligands.h"
#include "common/options.h"
#include "input/prepare.h"
#include "input/lists.h"

typedef struct score_state {
  const char *program;
  /* options */
  const char *receptor, *opt_parameters;
  cli_prepare prepare;
  cli_list words;
  bt_scoring scoring;
  cli_box_request box;
  bool box_given;
  bt_box resolved_box;
  cli_device_request device;
  bool json, continuous, minimize, per_atom, per_pair;
  bt_dock_options search;
  /* inputs */
  cli_paths paths;
  cli_ligands ligands;
  cli_receptor receptor_file;
  cli_types types;        /* of all poses that are left */
  double low[3], high[3]; /* of these, Angstrom */
  bool *rejected;         /* by their order */
  int count;
  size_t capacity;
  bt_maps *maps;
  /* progress */
  cli_lists lists;
  bool single; /* one pose was asked for: its error is the program's error */
  int single_exit_code;
  int scored;
} score_state;

/* One scored pose. */
typedef struct score_line {
  const char *ligand;
  int pose;
  bt_energy energy;           /* after minimisation, where asked for */
  const bt_energy *opt_input; /* before it */
  double rmsd;                /* moved by the minimisation, Angstrom */
  const bt_ligand *borrowed_ligand;
  const bt_atom_energy *opt_atoms;
  const bt_pair_energy *opt_pairs;
} score_line;

/* Fills maps: read from a .fld, or computed for the types of the ligands that are left. */
bt_status score_prepare_maps(score_state *state, bt_error *opt_error) BT_MUST_USE;
/* Turns one pose away. */
bt_status score_reject(score_state *state, const cli_ligand *item, const bt_error *reason,
                       bt_error *opt_error) BT_MUST_USE;

void score_print_header(const score_state *state);
void score_print(const score_state *state, const score_line *line);

#endif
