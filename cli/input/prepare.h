/* prepare.h - preparation of raw files: options shared by several programs, and reading a receptor from any file. */
#ifndef BERTH_CLI_INPUT_PREPARE_H
#define BERTH_CLI_INPUT_PREPARE_H

#include <berth/grid.h>
#include <berth/score.h>
#include <berth/target.h>
#include <stdio.h>

#include "input/effects.h"
#include "input/ligands.h"
#include "common/options.h"

/* Words of --waters, in the order of bt_waters; the last one docks into two receptors. */
#define CLI_WATERS "none|bound|all"
#define CLI_WATERS_OF_DOCK CLI_WATERS "|toggle"
enum { CLI_WATERS_TOGGLE = BT_WATERS_ALL + 1 };

typedef struct cli_prepare {
  double ph;                   /* NaN: as stated by the files */
  bt_prepare_options ligands;  /* of ligands */
  int format;                  /* of --input-format */
  bt_receptor_options receptor; /* of the receptor */
  cli_list keep, remove, states, altlocs, residues, places;
  int waters;           /* bt_waters; in berth dock also CLI_WATERS_TOGGLE */
  const char *opt_flex; /* a .pdbqt file, or residues such as A:ARG8,A:ASP25 */
} cli_prepare;

cli_prepare cli_prepare_default(void);
/* For a further structure of an ensemble: the same, but for what names residues of the first one; its lists are borrowed.
 * opt_onto: the first receptor, on which it is superposed. */
cli_prepare cli_prepare_further(const cli_prepare *first, int model, const bt_molecule *opt_onto);
void cli_prepare_free(cli_prepare *prepare);
/* Sets the members that combine several options; the strings are borrowed. */
void cli_prepare_resolve(cli_prepare *prepare);

/* What of CLI_IF_RAW_RECEPTOR, CLI_IF_RAW_LIGAND and CLI_IF_PH holds for these files; raw: a ligand is given otherwise. */
enum { CLI_IF_PREPARED = CLI_IF_RAW_RECEPTOR | CLI_IF_RAW_LIGAND | CLI_IF_PH };
unsigned cli_prepare_holds(const cli_spec *spec, const cli_prepare *prepare, const char *receptor,
                           const cli_list *ligands, bool raw);
/* False, after a message, without a receptor, or if it is none by its ending; maps: may it be AutoGrid's maps? */
bool cli_receptor_check(const char *program, const char *opt_path, bool maps);
/* False, after a message, if a residue is to be kept and to be deleted. */
bool cli_prepare_check(const cli_spec *spec, const cli_prepare *prepare);

/* False, after a message, if the filter of ligands is none, or only for libraries, or further protomers cannot be
 * docked. */
bool cli_ligands_check(const char *program, const cli_prepare *prepare, int *ret_exit_code);

/* Removes a residue from the receptor if an argument of --autobox or --reference names it in the receptor file, unless
 * it is listed in --keep. False, with a message, when memory is exhausted. */
bool cli_prepare_take_out(const char *program, cli_prepare *prepare, const char *receptor, const char *opt_word);

/* Entries for a program's table of options; p is an lvalue of type cli_prepare; where is the address of a string. */
/* clang-format off */
#define CLI_RECEPTOR_OPTION(where)                                                                                     \
  {.group = "Input", OPT_STRING("receptor", 'r', where, "FILE",                                                        \
   "receptor: .pdb, .cif (also .gz, .bz2, .zst), .pdbqt, or AutoGrid maps as .maps.fld")}
#define CLI_LIGANDS_OPTION(name, where, what, more)                                                                    \
  OPT_LIST(name, 'l', where, "FILE",                                                                                   \
   what ": .sdf, .mol2, .smi, .pdbqt (also .gz, .bz2, .zst)" more "; folders, patterns, or - for standard input")
#define CLI_FLEX_OPTION(p)                                                                                             \
  {OPT_STRING("flex", 'f', &(p).opt_flex, "RES,RES",                                                                   \
   "flexible side chains, such as A:ARG8,A:ASP25 or 8,25; or a .pdbqt file with BEGIN_RES")}
#define CLI_PARAMETERS_OPTION(where)                                                                                   \
  {OPT_STRING("parameters", 0, where, "FILE", "AutoGrid parameter file (atom_par lines) for the maps")}
#define CLI_STRICT_OPTION(p)                                                                                           \
  {OPT_FLAG("strict", 0, &(p).receptor.strict,                                                                         \
   "refuse ions without parameters instead of using those of a similar element with a warning, and unknown residues")}
#define CLI_PH_OPTION(p)                                                                                               \
  {OPT_REAL("ph", 0, &(p).ph, "PH", 0, 14,                                                                             \
   "protonate at this pH, regardless of hydrogens and charges in the files"),                                          \
   .opt_default = "as stated by the files, else 7.4"}
#define CLI_AS_DRAWN_OPTION(p)                                                                                         \
  {OPT_FLAG("as-drawn", 0, &(p).ligands.as_drawn,                                                                      \
   "keep the protonation of ligands and of --residue-template drawn without hydrogens and charges, instead of "        \
   "assuming pH 7.4")}
#define CLI_LIGAND_OPTIONS(p)                                                                                          \
  {.group = "Ligands from chemistry", OPT_STRING("template", 0, &(p).ligands.opt_template, "SMILES",                   \
   "bond orders of ligands from PDB files and of --ligand-from")},                                                     \
  CLI_AS_DRAWN_OPTION(p),                                                                                              \
  {OPT_STRING("name-field", 0, &(p).ligands.opt_name_field, "ITEM",                                                    \
   "SDF data item, or column of a table, to take ligand names from, such as ID")},                                     \
  {OPT_STRING("smiles-field", 0, &(p).ligands.opt_smiles_field, "COLUMN",                                              \
   "column of a table to take SMILES from [by its heading]")},                                                         \
  {OPT_INT("conformers", 0, &(p).ligands.conformers, "N", 1, 10000,                                                    \
   "conformers generated for a ligand without 3D coordinates, each a ligand of its own")},                             \
  {OPT_SEED("conformer-seed", 0, &(p).ligands.seed, "random seed of the conformers"), .opt_default = "42"},            \
  {OPT_CHOICE("coordinates", 0, &(p).ligands.coordinates, "auto|etkdg|quick",                                          \
   "of ligands without 3D coordinates: distance geometry and force field for the whole molecule, or for its "          \
   "fragments, which are reused: forty times faster; auto: quick for screens and libraries")},                         \
  {OPT_CHOICE("stereo", 0, &(p).ligands.stereo, "any|enumerate",                                                       \
   "undefined stereochemistry of a ligand without 3D coordinates: one isomer with a note, or up to 32 isomers as "     \
   "separate ligands")},                                                                                               \
  {OPT_CHOICE("charges", 0, &(p).ligands.charges, "gasteiger|zero|read",                                               \
   "partial charges; read: from the MOL2 file")},                                                                      \
  {OPT_FLAG("flexible-amides", 0, &(p).ligands.flexible_amides, "also rotate amides, amidines and guanidines")},       \
  {OPT_FLAG("rigid-macrocycles", 0, &(p).ligands.rigid_macrocycles, "do not open any ring")},                          \
  {OPT_INT("macrocycle-size", 0, &(p).ligands.smallest_macrocycle, "N", 7, 33,                                         \
   "open rings of N to 33 atoms, so that they are flexible in docking")},                                              \
  {OPT_FLAG("hydrated", 0, &(p).ligands.hydrated, "add waters W at donors and acceptors, for hydrated docking")},      \
  {OPT_FLAG("keep-hydrogens", 0, &(p).ligands.keep_hydrogens, "do not merge hydrogens on carbon")},                    \
  {OPT_FLAG("old-rules", 0, &(p).ligands.old_rules, "torsions and macrocycles by the rules of Meeko 0.5")},            \
  {OPT_REAL("record-time", 0, &(p).ligands.record_seconds, "SECONDS", 0, 1e9,                                          \
   "time limit for preparing a record, and each of its conformers, before it is rejected")},                           \
  {OPT_CHOICE("input-format", 0, &(p).format, bt_format_choices(), "format of ligands on standard input")}
#define CLI_PROTOMERS_OPTION(p)                                                                                        \
  {OPT_INT("protomers", 0, &(p).ligands.protomers, "N", 1, BT_PROTOMERS_MOST,                                          \
   "states of a ligand, at most: both forms of groups whose pKa is within 1 of the pH, and tautomers")}
#define CLI_KEEP_FIELDS_OPTION(p)                                                                                      \
  {OPT_STRING("keep-fields", 0, &(p).ligands.opt_keep_fields, "LIST",                                                  \
   "columns of a table or data items of SDF that go with the ligands into the results, such as price,id; or all")}
#define CLI_FILTER_OPTION(p, more)                                                                                     \
  OPT_STRING("filter", 0, &(p).ligands.opt_filter, "LIST",                                                             \
   "conditions that ligands must meet, with commas between: one of weight, heavy, rotors, charge, logp, tpsa, "        \
   "donors, acceptors and rings with <, <=, =, >= or > and a number; pains, brenk: none of these patterns" more)
#define CLI_RECEPTOR_OPTIONS(p)                                                                                        \
  {.group = "Receptor from PDB or mmCIF", OPT_LIST("keep", 0, &(p).keep, "RES",                                        \
   "keep residues that would be removed, such as HOH or A:HOH301")},                                                   \
  {OPT_CHOICE("waters", 0, &(p).waters, CLI_WATERS,                                                                    \
   "waters of the file that stay: none, those that the receptor holds near the box, or all")},                         \
  {OPT_LIST("delete", 0, &(p).remove, "RES", "remove residues, by name, chain (B:) or number (57, A:57)")},            \
  {OPT_FLAG("delete-unknown", 0, &(p).receptor.delete_unknown,                                                         \
   "remove unknown residues instead of finding their chemistry from their coordinates")},                              \
  {OPT_FLAG("no-rebuild", 0, &(p).receptor.keep_incomplete,                                                            \
   "do not rebuild missing side-chain atoms")},                                                                        \
  {OPT_LIST("set-state", 0, &(p).states, "RES:STATE", "set protonation states, such as A:57:HID or B:25:ASH")},        \
  {OPT_LIST("altloc", 0, &(p).altlocs, "RES:X",                                                                        \
   "alternate location: A:57:B, or B for all [highest occupancy]")},                                                   \
  {OPT_LIST("residue-template", 0, &(p).residues, "NAME=SMILES",                                                       \
   "chemistry of an unknown residue; protonated as ligands are")},                                                    \
  {OPT_INT("model", 0, &(p).receptor.model, "N|all", 1, 1000000,                                                       \
   "model of the file to use; all joins the models of an assembly"), .opt_zero = "all"},                              \
  {OPT_FLAG("new-hydrogens", 0, &(p).receptor.ignore_hydrogens, "discard the file's hydrogens and place them anew")},  \
  {OPT_FLAG("flips", 0, &(p).receptor.flips, "allow flips of ASN, GLN and HIS that improve hydrogen bonds")},          \
  {OPT_FLAG("zinc", 0, &(p).receptor.zinc, "AD4Zn: add pseudo atoms TZ at zinc and set its charge to 0")},             \
  {OPT_STRING("pka", 0, &(p).receptor.opt_pka, "FILE",                                                                 \
   "pKa values for --ph from this propka3 output [propka3 is run if installed]")},                                     \
  {OPT_REAL("pka-time", 0, &(p).receptor.pka_seconds, "SECONDS", 0.001, 1e9, "time limit for propka3")}
/* clang-format on */

/* A phrase on how ligands and receptor were protonated; false unless the receptor is a PDB or mmCIF file. */
enum { CLI_PROTONATION = 96 };
bool cli_protonation(const cli_prepare *prepare, const char *receptor, char *words, size_t size);
/* The same as a line of a header. */
void cli_print_protonation(const cli_prepare *prepare, const char *receptor, FILE *stream);

static inline bt_stand_ins cli_stand_ins(const cli_prepare *prepare) {
  return prepare->receptor.strict ? BT_STAND_INS_REFUSE : BT_STAND_INS_USE;
}

/* A receptor from a PDBQT, PDB or mmCIF file, and the side chains that move. */
typedef struct cli_receptor {
  bt_receptor *opened;
  const char *path; /* borrowed */
  const bt_molecule *rigid, *opt_flexible; /* of it */
  const char *opt_flexible_path;           /* NULL: they are from the receptor file */
  const bt_prepared_receptor *opt_prepared; /* NULL: the file was a PDBQT */
} cli_receptor;

/* Its notes, a line each, free() it; NULL: there are none, or memory is exhausted. */
char *cli_receptor_notes(const cli_receptor *receptor);
/* path may be a .fld: then only flexible residues of a file are read. Notes of the preparation are printed unless
 * quiet. Free the receptor also after a failure. */
bt_status cli_receptor_load(const char *program, const char *path, const cli_prepare *prepare, bool quiet,
                            cli_receptor *ret_receptor, bt_error *opt_error) BT_MUST_USE;
void cli_receptor_free(cli_receptor *receptor);
/* What all programs tell a target. program: the address of its name, for warnings; NULL: without any. */
bt_target_options cli_target_options(const char **opt_program, const cli_receptor *receptor, const cli_prepare *prepare,
                                     const char *opt_parameters, const bt_protocol *protocol);

/* Extracts prepare->receptor.opt_ligand from the file, for --ligand-from. Free text and name. */
bt_status cli_extract_ligand(const char *path, const cli_prepare *prepare, cli_extract *ret_extract,
                             bt_error *opt_error) BT_MUST_USE;
/* Not of an existing file, nor of one with a known extension. */
bool cli_looks_like_smiles(const char *word);
/* Collects the ligands of --smiles, and words that are SMILES and not files, which are removed from the list; text is
 * NULL if there are none. */
bt_status cli_extract_smiles(const cli_list *smiles, cli_list *words, cli_extract *ret_extract,
                             bt_error *opt_error) BT_MUST_USE;

#endif
