/* vina.h - the parts of `berth vina`, which accepts AutoDock Vina's command line, and Uni-Dock's.
 *
 * docs/user-guide.md, "Coming from AutoDock Vina and Uni-Dock".
 */
#ifndef BERTH_CLI_VINA_VINA_H
#define BERTH_CLI_VINA_VINA_H

#include <berth/target.h>
#include <berth/vina.h>

#include "base/files/file_set.h"
#include "base/text/text.h"
#include "common/progress.h"
#include "dock/device.h"
#include "input/ligands.h"
#include "input/prepare.h"
#include "input/protocol.h"

enum { VINA_WEIGHTS = 17, VINA_IGNORED = 7 };
/* In the order of the choices of --search_mode, after "". */
enum { VINA_MODE_NONE, VINA_MODE_FAST, VINA_MODE_BALANCE, VINA_MODE_DETAIL };

/* All options of the command line. Strings are borrowed from argv or from texts. */
typedef struct vina_settings {
  const char *ignored[VINA_IGNORED];
  const char *opt_ligand_directory, *opt_output_directory; /* Vina-GPU's */
  const char *receptor, *opt_ligand_index, *opt_maps, *opt_write_maps, *opt_out, *opt_dir, *opt_config;
  cli_list ligand, batch, gpu_batch;
  cli_prepare prepare;
  cli_device_request device;
  bt_text_list texts; /* words of the configuration file and of the list of ligands */
  double center[3], size[3], spacing, min_rmsd, energy_range, weights[VINA_WEIGHTS];
  int scoring;           /* bt_scoring */
  cli_protocol protocol; /* re-scorers, if any */
  int exhaustiveness, num_modes, cpu, verbosity, mode;
  int64_t max_evals, seed;
  bool autobox, score_only, local_only, randomize_only, no_refine, force_even_voxels, help_advanced, version;
  /* derived */
  bool many;     /* a batch; each ligand has a file in opt_dir */
  bool together; /* several ligands, docked simultaneously */
  bool given;    /* poses are scored or minimized, not searched */
  bt_dock_options search;
} vina_settings;

typedef struct vina_item {
  bt_target_ligand docking; /* the first member */
  cli_ligand from;
  bt_molecule *opt_joined; /* several simultaneous ligands; from has no molecule */
} vina_item;

typedef struct vina_state {
  const char *program;
  vina_settings settings;
  bt_text_list paths;
  cli_receptor receptor;
  cli_ligands ligands;
  bool several;      /* --score_only of a file with more than one pose */
  vina_item *only;   /* without a batch: the item, until it is docked */
  bt_maps *opt_maps; /* of --maps */
  bt_target *target;
  cli_progress progress;
  int done, rejected, stars;
  bool started;                  /* the search has maps */
  bt_error failure, input_error; /* the reason to stop a search, and to stop reading its ligands */
} vina_state;

/* options.c */

vina_settings vina_settings_default(void);
void vina_settings_free(vina_settings *settings);
/* Parses the command line and the configuration file. False, with the exit code, if the program should exit. */
bool vina_settings_parse(vina_settings *settings, const char *program, int argc, char **argv, int *ret_exit_code);

/* input.c */

/* Reads the receptor and finds the ligands; reads a single ligand; places the box around them if requested. */
bt_status vina_read_inputs(vina_state *state, bt_error *error) BT_MUST_USE;
/* The next ligand, or an item with an error, to be freed with vina_item_free; NULL at the end. */
bt_status vina_next(vina_state *state, vina_item **ret_item, bt_error *error) BT_MUST_USE;
void vina_item_free(vina_item *opt_item);
/* Reads the maps of --maps, and opens the target. */
bt_status vina_open_target(vina_state *state, bt_error *error) BT_MUST_USE;

/* report.c: Vina's output, on standard output. */

/* Prints the text unless verbosity is 0. */
void vina_print(const vina_settings *settings, const char *text);
void vina_print_header(const vina_settings *settings, int n_ligands);
void vina_print_energy(const vina_settings *settings, const bt_energy *energy);
void vina_print_modes(const vina_settings *settings, const bt_result *result, const bt_mode *modes, int count);
/* The text before a search; for a single ligand also the progress bar, with *stars printed so far. */
void vina_bar_start(const vina_settings *settings, int *stars);
void vina_bar_show(const vina_settings *settings, int *stars, double fraction);

#endif
