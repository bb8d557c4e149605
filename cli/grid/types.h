/* types.h - the atom types that `berth grid` computes maps for. */
#ifndef BERTH_CLI_GRID_TYPES_H
#define BERTH_CLI_GRID_TYPES_H

#include <berth/types.h>

#include "input/prepare.h"

typedef struct cli_types {
  char (*names)[8];
  int count;
  size_t capacity;
} cli_types;

/* Words as given to --types, each with one type or several separated by commas; duplicates are dropped. */
bt_status cli_types_from_words(cli_types *types, const cli_list *words, bt_error *opt_error) BT_MUST_USE;
/* The types of all molecules of these ligand files (and of flexible residues), which are also checked.
 * Carbons of opened macrocycles need the map of C, their ring-closure points none. */
bt_status cli_types_from_ligands(cli_types *types, const cli_list *words, const cli_prepare *prepare,
                                 const bt_molecule *opt_flexible, bt_scoring scoring, bt_error *opt_error) BT_MUST_USE;
/* All types of one ligand, unchanged. */
bt_status cli_types_add_ligand(cli_types *types, const bt_ligand *ligand, bt_error *opt_error) BT_MUST_USE;
/* The names as an array, to be freed with free(); NULL when memory is exhausted. */
const char **cli_types_list(const cli_types *types);
void cli_types_free(cli_types *types);

#endif
