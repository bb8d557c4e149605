/* bude.h - the parts of `berth bude`. */
#ifndef BERTH_CLI_BUDE_BUDE_H
#define BERTH_CLI_BUDE_BUDE_H

#include <berth/bude.h>

#include "input/inputs.h"
#include "common/options.h"
#include "input/prepare.h"
#include "common/progress.h"
#include "input/lists.h"
#include "input/protocol.h"
#include "output/origin.h"

/* A ligand that was docked. */
typedef struct bude_entry {
  bt_bude_compound *compound;
  bt_result *result;
} bude_entry;

typedef struct bude_state {
  const char *program;
  /* options */
  const char *receptor, *opt_autobox, *opt_reference, *output, *format;
  cli_list words, aliases;
  cli_prepare prepare;
  bt_bude_options options;
  cli_protocol protocol; /* re-scorers, if any */
  int top;
  bool score, json, quiet, overwrite, mol2, sdf, pdbqt, csv, json_file;
  /* state */
  cli_receptor receptor_file;
  bt_bude *bude;
  bt_molecule *reference;
  bt_bude_reader *reader;
  cli_progress progress;
  bude_entry *entries; /* [n_entries] the best so far, ascending energies */
  int n_entries;
  size_t capacity;
  long docked;
  char *record; /* names the inputs of the outputs */
  cli_lists lists;
} bude_state;

/* bude.c: can the engine read the receptor, and is the box given once, or not at all where it is not needed? */
bool bude_check_place(const cli_spec *spec, const char *receptor, const char *opt_autobox, bool needed);
/* The center of what --autobox names; center is unchanged without --autobox. */
bt_status bude_center(const char *opt_autobox, const char *receptor, const cli_prepare *prepare, double center[3],
                      bt_error *error) BT_MUST_USE;

static inline const char *bude_name(const bt_bude_compound *compound) {
  return bt_molecule_name(bt_bude_compound_molecule(compound));
}
/* rank.c: takes over what the entry holds, which may be dropped at once. */
bt_status bude_rank_add(bude_state *state, bude_entry *entry, bt_error *error) BT_MUST_USE;
/* poses.mol2, poses.sdf, poses.pdbqt, poses.json, ranking.csv, rejects.csv. */
bt_status bude_rank_write(bude_state *state, bt_error *error) BT_MUST_USE;
void bude_rank_print(const bude_state *state);
/* A line on standard output. */
bt_status bude_entry_print_json(const bude_state *state, const bude_entry *entry, bt_error *error) BT_MUST_USE;
/* rescore.c: scores the poses of the best ligands by the re-scorers, ranks them, and then the ligands. Those that
 * cannot be scored come last, with a warning. */
bt_status bude_rescore(bude_state *state, bt_error *error) BT_MUST_USE;
void bude_entry_free(bude_entry *entry);

/* Options shared by both programs. */
/* clang-format off */
#define BUDE_FORCEFIELD_OPTIONS(heading, where, aliases)                                                               \
  {.group = heading, OPT_STRING("forcefield", 0, where, "FILE.bhff", "types and their parameters"),                    \
   .opt_default = "by atom, 2017"},                                                                                    \
  {OPT_LIST("alias", 0, aliases, "TYPE=KNOWN", "substitute a known type for one that the force field lacks")}
#define BUDE_LIGAND_OPTIONS(state)                                                                                     \
  {.group = "Ligands", OPT_INT("conformers", 0, &(state)->options.ligands.conformers, "N", 0, 10000,                   \
   "conformers generated in place of a single given one; 0: none")},                                                   \
  {OPT_FLAG("keep-conformer", 0, &(state)->options.keep_conformer, "dock the given conformer as well")},               \
  {OPT_SEED("conformer-seed", 0, &(state)->options.ligands.seed,                                                       \
   "random seed of the conformers"), .opt_default = "42"},                                                             \
  {OPT_FLAG("as-drawn", 0, &(state)->options.ligands.as_drawn,                                                         \
   "keep the protonation of ligands drawn without hydrogens and charges instead of assuming pH 7.4")},                 \
  {OPT_CHOICE("input-format", 0, &(state)->prepare.format, bt_format_choices(),                                \
   "format of ligands on standard input: mol2, sdf or smiles")},                                                       \
  BUDE_FORCEFIELD_OPTIONS("Force field", &(state)->options.opt_forcefield, &(state)->aliases)
/* clang-format on */

#endif
