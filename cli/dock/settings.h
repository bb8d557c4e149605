/* settings.h - the options of `berth dock`, their defaults and valid combinations. */
#ifndef BERTH_CLI_DOCK_SETTINGS_H
#define BERTH_CLI_DOCK_SETTINGS_H

#include <berth/berth.h>

#include "constrain/constrain.h"
#include "input/box.h"
#include "dock/device.h"
#include "common/options.h"
#include "input/prepare.h"
#include "input/protocol.h"
#include "output/interactions.h"

#define DOCK_SESSIONS "pml|cxc"

typedef struct dock_settings {
  /* input */
  const char *receptor;
  cli_list ensemble; /* further structures of it */
  bool no_superpose; /* they are in its frame */
  cli_list ligands, smiles;
  int64_t first_record, last_record; /* of --records; 0: all */
  const char *opt_records;
  const char *opt_reference, *opt_dpf, *opt_ligand_from;
  cli_list seeds; /* files of --seed-poses */
  cli_prepare prepare;
  cli_box_request box;
  cli_list autoboxes;  /* every word of --autobox */
  cli_vectors centers; /* and of --center */
  bool blind;
  int pockets;         /* of --blind */
  bt_box *boxes;       /* [n_boxes] if several are given */
  int n_boxes;
  bool autobox;        /* the box is derived from molecules, so it may be enlarged for flexible residues */
  bt_box resolved_box; /* unless the receptor is a set of maps */
  const char *opt_parameters;
  cli_constrain constrain;
  /* search */
  bt_dock_options search;
  int effort, rmsd_mode;
  cli_protocol protocol;
  cli_device_request device;
  bool dpf_evaluations;      /* the .dpf limits the evaluations */
  /* output */
  const char *folder, *opt_write_maps;
  const char *opt_format; /* NULL: the usual ones, and SDF for ligands whose bonds are known */
  int complex;            /* 0: none, 1: .pdb, 2: .cif */
  const char *opt_session; /* words of DOCK_SESSIONS */
  bool contacts;
  cli_interactions interactions;
  int strain; /* bt_strain_of */
  int checks; /* bt_checks_of */
  double contact_distances[3]; /* R, H, V, Angstrom */
  bool json, quiet, overwrite;
} dock_settings;

/* Defaults; the strings that follow are borrowed from argv. */
dock_settings dock_settings_default(void);
void dock_settings_free(dock_settings *settings);

/* Parses the command line. False, with the exit code, if the program should exit. */
bool dock_settings_parse(dock_settings *settings, int argc, char **argv, int *ret_exit_code);
/* True if the receptor is a molecule, whose maps are computed in resolved_box. */
bool dock_settings_computes_maps(const dock_settings *settings);
/* True with several boxes, given or to be found. */
bool dock_settings_several(const dock_settings *settings);

#endif
