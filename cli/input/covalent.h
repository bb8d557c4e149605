/* covalent.h - ligands that are bonded to a residue: --covalent and --warhead. */
#ifndef BERTH_CLI_INPUT_COVALENT_H
#define BERTH_CLI_INPUT_COVALENT_H

#include "input/box.h"
#include "input/prepare.h"

/* Entries for a program's table of options; p is an lvalue of type cli_prepare. */
/* clang-format off */
#define CLI_COVALENT_OPTIONS(p)                                                                                        \
  {OPT_STRING("covalent", 0, &(p).receptor.opt_covalent, "RES",                                                        \
   "bond ligands to this residue, such as A:CYS145; its side chain moves with them")},                                 \
  {OPT_STRING("warhead", 0, &(p).ligands.opt_warhead, "NAME|SMARTS",                                                   \
   "with --covalent: the reactive group, such as nitrile, or a SMARTS pattern whose first atom is bonded to the "      \
   "residue and whose first bond is opened"), .opt_default = "the only one reactive towards the residue"}              \
/* clang-format on */

/* False, after a message, if the options cannot be combined. */
bool cli_covalent_check(const cli_spec *spec, const cli_prepare *prepare, const char *receptor);
/* Places the box around the residue unless another one is given. */
void cli_covalent_box(const cli_spec *spec, const cli_prepare *prepare, cli_box_request *box);
/* After the receptor is loaded: sets what the ligands are bonded to. */
void cli_covalent_bind(const cli_receptor *receptor, cli_prepare *prepare);

#endif
