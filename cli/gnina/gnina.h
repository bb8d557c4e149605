/* gnina.h - the parts of `berth gnina`, which accepts gnina's command line, and thus smina's.
 *
 * docs/gnina.md says what differs.
 */
#ifndef BERTH_CLI_GNINA_GNINA_H
#define BERTH_CLI_GNINA_GNINA_H

#include <berth/networks.h>
#include <berth/target.h>

#include "base/files/file.h"
#include "base/files/file_set.h"
#include "base/text/text.h"
#include "common/progress.h"
#include "dock/device.h"
#include "input/ligands.h"
#include "input/prepare.h"

/* Room for options that are refused, and for those that have no effect. */
enum { GNINA_REFUSED = 48, GNINA_IGNORED = 24 };

/* In the order of the choices of --pose_sort_order. */
typedef enum gnina_order { GNINA_BY_SCORE, GNINA_BY_AFFINITY, GNINA_BY_ENERGY } gnina_order;

/* All options of the command line. Strings are borrowed from argv or from texts. */
typedef struct gnina_settings {
  const char *receptor, *opt_out, *opt_out_flex, *opt_log, *opt_config;
  const char *opt_autobox, *opt_flex_around, *opt_flex_names;
  cli_list ligand, cnn, models;
  cli_prepare prepare;
  cli_device_request device;
  bt_text_list texts; /* words of the configuration file */
  double center[3], size[3], margin, flex_distance, min_rmsd, energy_range;
  int extend, add_hydrogens; /* index of a word for true or false; even: true */
  int scoring_word, cnn_scoring, order, exhaustiveness, num_modes, num_mc_saved, minimize_iterations, cpu;
  int flex_limit, flex_most; /* -1: none */
  int64_t seed;
  bool score_only, local_only, minimize, quiet, no_gpu, help_hidden, version;
  const char *refused_words[GNINA_REFUSED], *ignored_words[GNINA_IGNORED];
  bool refused_flags[GNINA_REFUSED], ignored_flags[GNINA_IGNORED];
  /* derived */
  bt_text networks; /* their names, joined by commas */
  bt_scoring scoring;
  bool judged; /* networks score the poses */
  bool given;  /* poses are scored or minimized, not searched */
  bt_dock_options search;
} gnina_settings;

/* A pose and what is said of it. */
typedef struct gnina_pose {
  int index; /* in the order of energies, and of texts of results */
  double energy, moved;
  bt_network_score score;
  double variance; /* of the affinities by the networks */
} gnina_pose;

typedef struct gnina_item {
  bt_target_ligand docking; /* the first member */
  cli_ligand from;
  int number;        /* in the order of the input, from 0 */
  gnina_pose *poses; /* [n_poses] as they are printed and written */
  int n_poses;
  bt_text text, side_chains; /* for the outputs */
} gnina_item;

typedef enum gnina_format { GNINA_NO_FILE, GNINA_SDF, GNINA_PDBQT } gnina_format;

typedef struct gnina_output {
  gnina_format format;
  bool compressed;
  bt_file_writer *writer, *side_chains;
  int models; /* written so far */
} gnina_output;

typedef struct gnina_state {
  const char *program;
  gnina_settings settings;
  bt_text_list paths;
  bt_text flexible, log; /* the residues that move */
  cli_receptor receptor;
  cli_ligands ligands;
  bool several; /* ligands */
  double span;  /* largest distance of two atoms of any ligand, Angstrom */
  bt_box box;   /* npts 0: none */
  bt_target *target;
  bt_networks *networks;
  gnina_output output;
  gnina_item **waiting; /* finished ones, until those before them are */
  int n_waiting, n_read, n_shown;
  size_t waiting_capacity;
  cli_progress progress;
  int done, rejected, stars;
  bt_error failure, input_error; /* the reason to stop a search, and to stop reading its ligands */
} gnina_state;

/* options.c */

gnina_settings gnina_settings_default(void);
void gnina_settings_free(gnina_settings *settings);
/* Parses the command line and the configuration file. False, with the exit code, if the program should exit. */
bool gnina_settings_parse(gnina_settings *settings, const char *program, int argc, char **argv, int *ret_exit_code);

/* resolve.c */

/* The words for true and false. */
#define GNINA_BOOL "on|off|1|0|true|false|yes|no"
#define GNINA_SCORINGS "default|vina|vinardo|ad4_scoring"
#define GNINA_CNN_SCORINGS "none|rescore|refinement|metrorescore|metrorefine|all"
/* An option that is known, but not available, or without effect. */
typedef struct gnina_other {
  const char *name;
  bool value;               /* it has one */
  const char *opt_harmless; /* a value that is accepted */
  const char *remedy;       /* what to do */
} gnina_other;
/* Of both kinds; the last has no name. */
extern const gnina_other gnina_refused[], gnina_ignored[];
/* Checks combinations and derives what follows from the options. */
bool gnina_resolve(const cli_spec *spec, gnina_settings *settings);

/* input.c */

/* The files that no output may replace. */
bt_status gnina_find_inputs(const gnina_state *state, bt_file_set *inputs, bt_error *error) BT_MUST_USE;
/* Finds the ligands and the box, reads the receptor, opens target and networks. */
bt_status gnina_read_inputs(gnina_state *state, bt_error *error) BT_MUST_USE;
/* The next ligand, or an item with an error, to be freed with gnina_item_free; NULL at the end. */
bt_status gnina_next(gnina_state *state, gnina_item **ret_item, bt_error *error) BT_MUST_USE;
void gnina_item_free(gnina_item *opt_item);

/* flexible.c */

typedef struct gnina_points {
  double (*x)[3];
  int count;
  size_t capacity;
} gnina_points;
/* Adds the heavy atoms of a molecule. */
bt_status gnina_points_add(gnina_points *points, const bt_molecule *molecule, bt_error *error) BT_MUST_USE;
double gnina_points_span(const gnina_points *points);
void gnina_points_free(gnina_points *points);
/* Names the residues that move, as cli_prepare.opt_flex. */
bt_status gnina_find_flexible(gnina_state *state, bt_error *error) BT_MUST_USE;

/* judge.c: what networks say of poses, and their order. */

bt_status gnina_judge_result(gnina_state *state, gnina_item *item, const bt_result *result,
                             bt_error *error) BT_MUST_USE;
bt_status gnina_judge_given(gnina_state *state, gnina_item *item, const bt_ligand *ligand, double energy,
                            bt_error *error) BT_MUST_USE;

/* write.c */

bt_status gnina_output_open(gnina_state *state, bt_error *error) BT_MUST_USE;
/* Prepares the texts of an item. */
bt_status gnina_describe_result(const gnina_state *state, gnina_item *item, const bt_result *result,
                                bt_error *error) BT_MUST_USE;
bt_status gnina_describe_given(const gnina_state *state, gnina_item *item, bt_error *error) BT_MUST_USE;
/* Writes them. */
bt_status gnina_output_add(gnina_state *state, const gnina_item *item, bt_error *error) BT_MUST_USE;
/* Completes the files, unless commit is false: then there are none. */
bt_status gnina_output_close(gnina_state *state, bool commit, bt_error *error) BT_MUST_USE;

/* report.c: gnina's output, on standard output and in the log. */

void gnina_say(gnina_state *state, const char *format, ...) BT_PRINTF(2, 3);
void gnina_print_header(gnina_state *state);
/* The table of a docking, or lines of a pose that was scored or minimized. */
void gnina_print_poses(gnina_state *state, const gnina_item *item);

#endif
