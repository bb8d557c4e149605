/* constrain.h - --require, --prefer, --pharmacophore and --core, of all commands that dock flexible ligands. */
#ifndef BERTH_CLI_CONSTRAIN_CONSTRAIN_H
#define BERTH_CLI_CONSTRAIN_CONSTRAIN_H

#include <berth/target.h>

#include "common/options.h"
#include "input/prepare.h"

typedef struct cli_constrain {
  cli_list required, preferred;
  const char *opt_pharmacophore, *opt_core, *opt_core_smarts;
  const char *opt_core_structure, *opt_core_template; /* where a core that is a residue is, and its bond orders */
  double core_tolerance; /* Angstrom */
  int core_missing;      /* 0: reject, 1: free */
} cli_constrain;

cli_constrain cli_constrain_default(void);
void cli_constrain_free(cli_constrain *constrain);

/* Entries for a program's table of options; c is an lvalue of type cli_constrain. */
/* clang-format off */
#define CLI_CONSTRAIN_OPTIONS(c)                                                                                       \
  {.group = "Constraints", OPT_LIST("require", 0, &(c).required, "WORD",                                               \
   "poses must have this contact, e.g. hbond:A:ASP25 or contact:A:PHE82; see below")},                                 \
  {OPT_LIST("prefer", 0, &(c).preferred, "WORD", "poses are drawn to this contact, but need not have it")},            \
  {OPT_STRING("pharmacophore", 0, &(c).opt_pharmacophore, "FILE",                                                      \
   "points that atoms of the ligand must be near: KIND X Y Z RADIUS [require|prefer] in each line")},                  \
  {OPT_STRING("core", 0, &(c).opt_core, "FILE",                                                                        \
   "the part that a ligand has in common with this molecule (.sdf, .mol2, or a residue such as A:MK1902) stays "       \
   "there")},                                                                                                          \
  {OPT_STRING("core-smarts", 0, &(c).opt_core_smarts, "SMARTS", "the core, a pattern that both match"),                \
   .opt_default = "the largest common part, of 5 atoms or more"},                                                      \
  {OPT_REAL("core-tolerance", 0, &(c).core_tolerance, "A", 0, 100, "distance that atoms of the core may move"),        \
   .open_low = true},                                                                                                  \
  {OPT_CHOICE("core-missing", 0, &(c).core_missing, "reject|free",                                                     \
   "ligands without the core are rejected, or docked without it")}
/* clang-format on */

/* Words on it for details of help. */
#define CLI_CONSTRAIN_HELP                                                                                             \
  "Words of --require and --prefer: hbond:RES[/ATOM][@MOST], contact:RES[/ATOM][@MOST], metal:RES[/ATOM][@MOST],\n"    \
  "near:RES/ATOM[@LEAST-MOST]=SMARTS (its first atom), point:KIND:X,Y,Z[@MOST] with KIND donor, acceptor,\n"           \
  "hydrophobic, aromatic, positive, negative or heavy, empty:X,Y,Z@LEAST, inside:X,Y,Z@MOST; distances in Angstrom\n"  \
  "between heavy atoms. Forces towards them act in the search; energies remain those of the scoring function, and\n"   \
  "files name the distances (docs/constraints.md).\n"

/* False, after a message, if the options contradict each other. */
bool cli_constrain_check(const cli_spec *spec, const cli_constrain *constrain);
/* Before the receptor is read. A core that is a residue of it is left out of it; the template is then that of the
 * residue and not of ligands. False, after a message, if out of memory. */
bool cli_constrain_resolve(const cli_spec *spec, cli_constrain *constrain, const char *receptor, cli_prepare *prepare);
/* NULL where no option asks for any; bt_constraints_destroy. */
bt_status cli_constrain_open(const cli_constrain *constrain, const bt_receptor *receptor,
                             bt_constraints **ret_constraints, bt_error *opt_error) BT_MUST_USE;

#endif
