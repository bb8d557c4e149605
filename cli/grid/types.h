/* types.h - the atom types that `berth grid` computes maps for. */
#ifndef BERTH_CLI_GRID_TYPES_H
#define BERTH_CLI_GRID_TYPES_H

#include <berth/types.h>

#include "base/text.h"
#include "input/prepare.h"

/* Words as given to --types, each with one type or several separated by commas; duplicates are dropped. */
bt_status cli_types_from_words(bt_text_list *types, const cli_list *words, bt_error *opt_error) BT_MUST_USE;
/* The types of all molecules of these ligand files (and of flexible residues), which are also checked. */
bt_status cli_types_from_ligands(bt_text_list *types, const cli_list *words, const cli_prepare *prepare,
                                 const bt_molecule *opt_flexible, bt_scoring scoring, bt_error *opt_error) BT_MUST_USE;
/* All types of one ligand. */
bt_status cli_types_add_ligand(bt_text_list *types, const bt_ligand *ligand, bt_error *opt_error) BT_MUST_USE;

#endif
