/* prepare.h - how raw files become receptors and ligands: options that several programs share, and a receptor from any
 * file. */
#ifndef BERTH_CLI_INPUT_PREPARE_H
#define BERTH_CLI_INPUT_PREPARE_H

#include <berth/berth.h>

#include "input/ligands.h"
#include "common/options.h"

typedef struct cli_prepare {
  double ph;                   /* NaN: as the files are */
  bt_prepare_options ligands;  /* of ligands */
  int format, charges;         /* their enumerations, as the options' choices */
  bt_receptor_options receptor; /* of the receptor */
  cli_list keep, remove, states, altlocs, residues;
  const char *opt_flex; /* a .pdbqt file, or residues such as A:ARG8,A:ASP25 */
} cli_prepare;

cli_prepare cli_prepare_default(void);
void cli_prepare_free(cli_prepare *prepare);
/* Brings together what the options set one by one; the strings are borrowed. */
void cli_prepare_resolve(cli_prepare *prepare);

/* Leaves the residue out of the receptor that a word of --autobox or --reference names in the receptor's own file,
 * unless it is one of those that receptors are made of or is to be kept. False when memory is exhausted. */
bool cli_prepare_take_out(cli_prepare *prepare, const char *receptor, const char *opt_word);

/* Entries for a program's table of options; p is an lvalue of type cli_prepare. */
/* clang-format off */
#define CLI_PH_OPTION(p)                                                                                              \
  {.name = "ph", .kind = CLI_REAL, .target = &(p).ph, .value = "PH", .high = 14, .opt_default = "as the files are",     \
   .help = "protonate for this pH; a receptor without hydrogens is otherwise made as usual at 7.4"}
#define CLI_LIGAND_OPTIONS(p)                                                                                         \
  {.group = "Ligands from chemistry", .name = "template", .kind = CLI_STRING, .target = &(p).ligands.opt_template,     \
   .value = "SMILES", .help = "bond orders for ligands from PDB files, and for --ligand-from"},                       \
  {.name = "conformers", .kind = CLI_INT, .target = &(p).ligands.conformers, .value = "N", .low = 1, .high = 10000,    \
   .help = "made for a ligand without 3D coordinates; each is a ligand of its own"},                                  \
  {.name = "conformer-seed", .kind = CLI_SEED, .target = &(p).ligands.seed, .value = "N", .opt_default = "42",        \
   .help = "repeats conformers"},                                                                                     \
  {.name = "charges", .kind = CLI_CHOICE, .target = &(p).charges, .choices = "gasteiger|zero|read",                   \
   .help = "partial charges; read: those of a MOL2 file"},                                                            \
  {.name = "flexible-amides", .kind = CLI_FLAG, .target = &(p).ligands.flexible_amides,                               \
   .help = "amides, amidines and guanidines turn as well"},                                                           \
  {.name = "rigid-macrocycles", .kind = CLI_FLAG, .target = &(p).ligands.rigid_macrocycles,                           \
   .help = "rings of 7 to 33 atoms keep their shape"},                                                                \
  {.name = "hydrated", .kind = CLI_FLAG, .target = &(p).ligands.hydrated,                                             \
   .help = "waters W at donors and acceptors, for hydrated docking"},                                                 \
  {.name = "keep-hydrogens", .kind = CLI_FLAG, .target = &(p).ligands.keep_hydrogens,                                 \
   .help = "hydrogens on carbon stay atoms"},                                                                         \
  {.name = "old-rules", .kind = CLI_FLAG, .target = &(p).ligands.old_rules,                                           \
   .help = "torsions and macrocycles as Meeko 0.5 chooses them"},                                                     \
  {.name = "input-format", .kind = CLI_CHOICE, .target = &(p).format,                                                 \
   .choices = "pdbqt|sdf|mol2|smiles|pdb", .help = "of ligands on standard input"}
#define CLI_RECEPTOR_OPTIONS(p)                                                                                       \
  {.group = "Receptor from PDB or mmCIF", .name = "keep", .kind = CLI_LIST, .target = &(p).keep, .value = "RES",      \
   .help = "keep residues that would go, such as HOH or A:HOH301"},                                                   \
  {.name = "delete", .kind = CLI_LIST, .target = &(p).remove, .value = "RES",                                         \
   .help = "leave residues out: by name, chain (B:) or number (A:57)"},                                               \
  {.name = "delete-unknown", .kind = CLI_FLAG, .target = &(p).receptor.delete_unknown,                                \
   .help = "leave out residues that nothing is known about"},                                                         \
  {.name = "set-state", .kind = CLI_LIST, .target = &(p).states, .value = "RES:STATE",                                \
   .help = "protonation by hand, such as A:57:HID or B:25:ASH"},                                                      \
  {.name = "altloc", .kind = CLI_LIST, .target = &(p).altlocs, .value = "RES:X",                                      \
   .help = "alternate location: A:57:B, or B for all; the best occupied otherwise"},                                  \
  {.name = "residue-template", .kind = CLI_LIST, .target = &(p).residues, .value = "NAME=SMILES",                     \
   .help = "chemistry of a residue that is not known"},                                                               \
  {.name = "model", .kind = CLI_INT, .target = &(p).receptor.model, .value = "N", .low = 1, .high = 1000000,          \
   .help = "which model of the file"},                                                                                \
  {.name = "new-hydrogens", .kind = CLI_FLAG, .target = &(p).receptor.ignore_hydrogens,                               \
   .help = "forget the file's hydrogens and place them anew"},                                                        \
  {.name = "flips", .kind = CLI_FLAG, .target = &(p).receptor.flips,                                                  \
   .help = "ASN, GLN and HIS may turn over for better hydrogen bonds"},                                               \
  {.name = "zinc", .kind = CLI_FLAG, .target = &(p).receptor.zinc,                                                    \
   .help = "AD4Zn: pseudo atoms TZ at zinc, whose charge becomes 0"},                                                 \
  {.name = "pka", .kind = CLI_STRING, .target = &(p).receptor.opt_pka, .value = "FILE",                               \
   .help = "pKa values for --ph, as propka3 writes them; it is run where installed"}
/* clang-format on */

/* A receptor from a PDBQT, PDB or mmCIF file, and the side chains that move. */
typedef struct cli_receptor {
  const bt_molecule *rigid, *opt_flexible; /* of what follows */
  const char *opt_flexible_path;           /* NULL: they come from the receptor's own file */
  bt_prepared_receptor *opt_prepared;      /* NULL: the file was a PDBQT */
  bt_molecule **list, **flexible;
  int count, n_flexible;
} cli_receptor;

/* path may be a .fld: then only flexible residues of a file are read. Notes of the preparation are printed unless
 * quiet. Free the receptor also after a failure. */
bt_status cli_receptor_load(const char *program, const char *path, const cli_prepare *prepare, bool quiet,
                            cli_receptor *ret_receptor, bt_error *opt_error) BT_MUST_USE;
void cli_receptor_free(cli_receptor *receptor);

/* Takes prepare->receptor.opt_ligand out of the file, as `--ligand-from` says. Free text and name. */
bt_status cli_extract_ligand(const char *path, const cli_prepare *prepare, cli_extract *ret_extract,
                             bt_error *opt_error) BT_MUST_USE;

#endif
