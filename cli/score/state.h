/* state.h - the state shared by the stages of `berth score`. */
#ifndef BERTH_CLI_SCORE_STATE_H
#define BERTH_CLI_SCORE_STATE_H

#include <berth/berth.h>
#include <berth/checks.h>
#include <berth/networks.h>
#include <berth/score.h>

#include "input/box.h"
#include "dock/device.h"
#include "input/ligands.h"
#include "common/options.h"
#include "input/prepare.h"
#include "input/lists.h"
#include "output/interactions.h"

typedef struct score_state {
  const char *program;
  /* options */
  const char *receptor, *opt_parameters;
  cli_prepare prepare;
  cli_list words;
  int scoring_word;    /* bt_scoring, or BT_SCORING_COUNT: networks */
  bt_scoring scoring;
  const char *opt_networks; /* names; NULL: poses are not scored by networks */
  cli_box_request box;
  bool box_given;
  bt_box resolved_box;
  bool ignore_docking; /* ignore what poses state about their docking */
  bool default_scoring;  /* that of berth dock, which depends on the receptor, where no pose records another */
  bool own_scoring;    /* use the function with which the first pose was docked */
  bool own_torsional;  /* count torsions as in the docking of a pose */
  bool chosen;         /* that function is known */
  bool own_grid;       /* score poses in the grid in which they were docked, if they state it */
  cli_device_request device;
  bool json, continuous, minimize, per_atom, per_pair;
  bool checks, checks_energy, contacts;
  cli_interactions interactions;
  const char *opt_reference;
  bt_dock_options search;
  /* inputs */
  bt_text_list paths;
  cli_ligands ligands;
  cli_receptor receptor_file;
  bt_molecule *reference; /* whose configurations the poses should have, and with whose interactions theirs are
                           * compared; NULL: none */
  bt_checker *checker;    /* NULL: poses are not checked */
  double low[3], high[3]; /* extent of these, Angstrom */
  bool *rejected;         /* by index of the pose */
  int count;
  size_t capacity;
  bt_target *target;
  const bt_maps *maps;   /* of the target, for the current pose */
  bt_networks *networks; /* opened for the first pose */
  bt_pose_plan plan;     /* of the current pose */
  char *opt_flexible, *opt_covalent; /* residues of the first pose, for which the receptor is prepared */
  bool said;             /* noted that poses are scored as they were docked */
  bool said_energy;      /* warned that a pose has another energy than in its docking */
  bool said_function;    /* warned that poses were docked with different functions */
  /* progress */
  cli_lists lists;
  bool single; /* one pose was given: its error is that of the program */
  int single_exit_code;
  int scored;
} score_state;

/* One scored pose. */
typedef struct score_line {
  const char *ligand;
  int pose;
  bt_energy energy;           /* after minimization, if requested */
  const bt_energy *opt_input; /* before it */
  bool as_docked;             /* in the grid of the docking */
  double rmsd;                /* moved by the minimization, Angstrom */
  const bt_ligand *borrowed_ligand;
  const bt_atom_energy *opt_atoms;
  const bt_pair_energy *opt_pairs;
  bt_network_score network;         /* the mean over the networks */
  const bt_network_score *opt_each; /* of each network; NULL: without networks */
  const bt_checks *opt_checks;
  const bt_interactions *opt_contacts;
} score_line;

/* Opens the receptor as a target without a box. */
bt_status score_open_target(score_state *state, bt_error *opt_error) BT_MUST_USE;
/* Sets the maps for the current pose: read from a .fld, or computed in the grid in which it was docked, or in one box
 * for all poses that do not state one. */
bt_status score_find_maps(score_state *state, const bt_ligand *ligand, bt_error *opt_error) BT_MUST_USE;
/* Rejects one pose. */
bt_status score_reject(score_state *state, const cli_ligand *item, const bt_error *reason,
                       bt_error *opt_error) BT_MUST_USE;

/* Opens the networks for the first pose, if they are wanted. What is wrong is no pose's fault. */
bt_status score_open_networks(score_state *state, bt_error *opt_error) BT_MUST_USE;
/* What they say of a pose; *ret_each stays NULL without networks, else free() it. */
bt_status score_ask_networks(score_state *state, const bt_ligand *ligand, bt_network_score **ret_each, score_line *line,
                             bt_error *opt_error) BT_MUST_USE;

/* False, with a message, where --checks and its options do not go with others; maps: the receptor is a set of them. */
bool score_checks_fit(const score_state *state, bool maps);
/* The same of --contacts and --interactions. */
bool score_interactions_fit(const score_state *state, bool maps);
/* Opens the receptor for them, if they are wanted; the reference is known. */
bt_status score_open_interactions(score_state *state, bt_error *opt_error) BT_MUST_USE;
/* Finds those of a pose, if they are wanted, and adds them to the table; destroy *ret_found. */
bt_status score_find_interactions(score_state *state, const bt_ligand *ligand, bt_interactions **ret_found,
                                  score_line *line, bt_error *opt_error) BT_MUST_USE;

/* Reads the reference and opens the checker, if poses are checked. */
bt_status score_open_checker(score_state *state, bt_error *opt_error) BT_MUST_USE;
/* Checks a pose, if poses are checked; bonds of a PDBQT file may be in its remarks. */
bt_status score_check(const score_state *state, bt_molecule *molecule, bt_checks *ret_checks, score_line *line,
                      bt_error *opt_error) BT_MUST_USE;

void score_print_header(const score_state *state);
bt_status score_print(const score_state *state, const score_line *line, bt_error *error) BT_MUST_USE;

#endif
