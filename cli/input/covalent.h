/* covalent.h - ligands that are bonded to a residue: --covalent and --warhead. */
#ifndef BERTH_CLI_INPUT_COVALENT_H
#define BERTH_CLI_INPUT_COVALENT_H

#include "input/box.h"
#include "input/prepare.h"

/* Entries for a program's table of options; p is an lvalue of type cli_prepare. */
/* clang-format off */
#define CLI_COVALENT_OPTIONS(p)                                                                                        \
  {OPT_STRING("covalent", 0, &(p).receptor.opt_covalent, "RES",                                                        \
   "bond ligands to this residue, such as A:CYS145, whose side chain then moves with them")},                          \
  {OPT_STRING("warhead", 0, &(p).ligands.opt_warhead, "NAME|SMARTS",                                                   \
   "with --covalent: the group that reacts, such as nitrile, or a SMARTS pattern that begins with the atom that gets " \
   "the bond and the one that its own bond is opened to"), .opt_default = "the only one that reacts with the residue"}
/* clang-format on */

/* False after a message about options that do not go together. */
bool cli_covalent_check(const cli_spec *spec, const cli_prepare *prepare, const char *receptor);
/* Without any other box: room around the residue for most drugs. */
void cli_covalent_box(const cli_spec *spec, const cli_prepare *prepare, cli_box_request *box);
/* Once the receptor is there, ligands learn what they are bonded to. */
void cli_covalent_bind(const cli_receptor *receptor, cli_prepare *prepare);

#endif
