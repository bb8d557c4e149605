/* ligands.h - the ligands of a program: read one by one from all its files, each with a unique name. */
#ifndef BERTH_CLI_INPUT_LIGANDS_H
#define BERTH_CLI_INPUT_LIGANDS_H

#include <berth/prepare.h>

#include "input/inputs.h"

/* Ligands without a file of their own: PDB text of one extracted from the receptor, with its name, or SMILES from the
 * command line, one per line. */
typedef struct cli_extract {
  char *text, *name;
  const char *format;
} cli_extract;

typedef struct cli_ligand {
  int file;              /* index into the paths; -1: from opt_extract */
  int model;             /* position in its file, from 0 */
  long record;           /* number of its record in the file, from 1; 0: not known */
  const char *name;      /* unique; names the output files; owned by the set */
  bt_molecule *molecule; /* NULL: it could not be read or prepared; see error */
  bool raw;              /* prepared here, not read from a PDBQT file */
  bool kept;             /* the set owns the molecule */
  bt_error error;
} cli_ligand;

typedef struct cli_ligands {
  /* set before the first call of cli_ligands_next */
  const bt_text_list *paths;            /* borrowed */
  const bt_prepare_options *prepare; /* borrowed; format is that of standard input */
  const cli_extract *opt_extract;    /* borrowed; comes before the files */
  bool template_elsewhere;           /* the template is for another molecule, such as the reference */
  int64_t first, last;               /* records, from 1 over all files; last 0: all. Not with `twice` */
  bool twice;                        /* the set will be rewound: standard input stays in memory */
  long n_empty;                      /* records without atoms, skipped in the files read so far */
  /* private */
  int file; /* current file; -1: the extract */
  bool open;
  long taken; /* ligands read from the current file */
  int64_t before; /* records of the files before it */
  bool raw; /* as for its ligands */
  bt_ligand_reader *reader;
  cli_ligand *kept; /* all of standard input */
  int at, n_kept;
  size_t kept_capacity;
  bool replay, stdin_read;
  void *names;
} cli_ligands;

cli_ligands cli_ligands_start(const bt_text_list *paths, const bt_prepare_options *prepare);
void cli_ligands_free(cli_ligands *ligands);

/* The next ligand. One that cannot be read or prepared has an error instead of a molecule, and so does a file that
 * cannot be read at all. *ret_found is false at the end. Fails only when memory is exhausted. Clear the ligand
 * with cli_ligand_clear before the set is freed. */
bt_status cli_ligands_next(cli_ligands *ligands, cli_ligand *ret_ligand, bool *ret_found,
                           bt_error *opt_error) BT_MUST_USE;
void cli_ligand_clear(cli_ligand *ligand);
/* Starts again with the first ligand; names are unchanged. Needs `twice`. */
void cli_ligands_rewind(cli_ligands *ligands);
/* Reserves a name for another file of the program. False when memory is exhausted. */
bool cli_ligands_reserve(cli_ligands *ligands, const char *name);
/* The path of a ligand's file, NULL for one that is not from a file. */
const char *cli_ligands_path(const cli_ligands *ligands, const cli_ligand *ligand);

#endif
