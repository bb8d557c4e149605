/* settings.h - the options of `berth screen`. */
#ifndef BERTH_CLI_SCREEN_SETTINGS_H
#define BERTH_CLI_SCREEN_SETTINGS_H

#include <berth/berth.h>
#include <berth/bude.h>

#include "constrain/constrain.h"
#include "input/box.h"
#include "dock/device.h"
#include "common/options.h"
#include "input/prepare.h"
#include "input/protocol.h"

typedef enum screen_engine { SCREEN_AUTODOCK, SCREEN_BUDE } screen_engine;

typedef struct screen_settings {
  int engine; /* screen_engine */
  bt_bude_options bude;
  cli_list aliases;
  const char *receptor;
  cli_list ensemble; /* further structures of it */
  bool no_superpose; /* they are in its frame */
  int ensemble_rank; /* bt_receptor_rank */
  cli_list ligands;
  cli_prepare prepare;
  cli_box_request box;
  bool autobox;
  bt_box resolved_box;
  const char *opt_parameters;
  cli_constrain constrain;
  bt_dock_options search;
  int effort;
  cli_protocol protocol;
  cli_device_request device;
  const char *folder, *opt_shard, *opt_export;
  bt_screen_selection selection; /* of --export */
  int shard, shards;
  int poses, batch;
  int64_t keep, top;
  bool top_given; /* on the command line */
  bool resume, json_progress, quiet;
  int retry; /* bits of bt_screen_retry */
} screen_settings;

screen_settings screen_settings_default(void);
void screen_settings_free(screen_settings *settings);
/* Parses the command line. False, with the exit code, if the program should exit. */
bool screen_settings_parse(screen_settings *settings, int argc, char **argv, int *ret_exit_code);

/* bude.c: false, after a message, if an option of one engine was given with the other. */
bool screen_check_engine(const cli_spec *spec, const screen_settings *settings);
/* Sets the options of the BUDE engine. */
bt_status screen_resolve_bude(const cli_spec *spec, screen_settings *settings, bt_error *opt_error) BT_MUST_USE;

#endif
