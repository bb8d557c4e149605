/* types.h - the atom types that `berth grid` computes maps for. */
#ifndef BERTH_CLI_GRID_TYPES_H
#define BERTH_CLI_GRID_TYPES_H

#include <berth/berth.h>

#include "input/prepare.h"

typedef struct cli_types {
  char (*names)[8];
  int count;
  size_t capacity;
} cli_types;

/* Words as given to --types, each one type or several with commas between; repeated ones count once. */
bt_status cli_types_from_words(cli_types *types, const cli_list *words, bt_error *opt_error) BT_MUST_USE;
/* The types of all molecules of these ligand files (and of flexible residues), which are checked on the way.
 * Carbons of opened macrocycles need the map of C, their ring-closure points none. */
bt_status cli_types_from_ligands(cli_types *types, const cli_list *words, const cli_prepare *prepare,
                                 const bt_molecule *opt_flexible, bt_scoring scoring, bt_error *opt_error) BT_MUST_USE;
/* All types of one ligand, as they are. */
bt_status cli_types_add_ligand(cli_types *types, const bt_ligand *ligand, bt_error *opt_error) BT_MUST_USE;
/* Their names as an array, which free() takes; NULL without memory. */
const char **cli_types_list(const cli_types *types);
void cli_types_free(cli_types *types);

#endif
