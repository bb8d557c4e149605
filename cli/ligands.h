/* ligands.h - the ligands of a docking: which file and MODEL each comes from, and a name of its own.
 *
 * Molecules of one file at a time are in memory, of several while they are held; standard input, which cannot be read
 * twice, stays there.
 */
#ifndef BERTH_CLI_LIGANDS_H
#define BERTH_CLI_LIGANDS_H

#include <berth/berth.h>

#include "inputs.h"

typedef struct cli_ligand {
  int file;   /* index into paths */
  int model;  /* position in the file, from 0 */
  char *name; /* unique; names the output files */
  bool rejected;
  int *types; /* indices into the set's types */
  int n_types;
} cli_ligand;

typedef struct cli_ligands {
  const cli_paths *paths; /* borrowed */
  cli_ligand *items;
  int count, capacity;
  char (*types)[8]; /* all types of all ligands and their flexible residues */
  int n_types, type_capacity;
  int loaded; /* file in memory, -1: none */
  bt_molecule **list;
  int list_count;
  int stdin_file; /* index of "-", -1: none */
  bt_molecule **stdin_list;
  int stdin_count;
  bool holding;
  struct cli_held {
    bt_molecule **list;
    int count;
  } *held; /* files that would have been left */
  int n_held, held_capacity;
  void *names; /* search tree of the names given so far */
} cli_ligands;

cli_ligands cli_ligands_start(const cli_paths *paths);
void cli_ligands_free(cli_ligands *ligands);

/* Brings a file's molecules into memory; ret_count tells how many there are. */
bt_status cli_ligands_load(cli_ligands *ligands, int file, int *ret_count, bt_error *opt_error) BT_MUST_USE;
/* From hold to release no molecule leaves memory. */
void cli_ligands_hold(cli_ligands *ligands);
void cli_ligands_release(cli_ligands *ligands);
/* The molecule of one ligand, borrowed until the next load, or the release. */
bt_status cli_ligands_molecule(cli_ligands *ligands, const cli_ligand *ligand, const bt_molecule **ret_molecule,
                               bt_error *opt_error) BT_MUST_USE;
/* Adds the ligand at a place of the file in memory; NULL without memory. */
cli_ligand *cli_ligands_add(cli_ligands *ligands, int file, int model);
/* Notes the atom types that a ligand needs. */
bool cli_ligands_add_types(cli_ligands *ligands, cli_ligand *item, const bt_ligand *ligand);

#endif
