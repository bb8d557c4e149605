/* box.h - the search box from --center/--size or --autobox. */
#ifndef BERTH_CLI_INPUT_BOX_H
#define BERTH_CLI_INPUT_BOX_H

#include <berth/types.h>

#include "common/options.h"
#include "input/prepare.h"

typedef struct cli_box_request {
  double center[3], size[3]; /* Angstrom */
  double padding;            /* Angstrom on every side of the --autobox molecule */
  double spacing;            /* Angstrom between grid points */
  const char *opt_autobox;   /* FILE, FILE:RESIDUE or RESIDUE, as in bt_place_find */
  const char *opt_structure; /* the receptor if it is a PDB or mmCIF file; set by the program, like the model */
  int model;                 /* of it; 0: all */
} cli_box_request;

/* Padding 5, spacing 0.375. */
cli_box_request cli_box_request_default(void);

/* Entries for a program's table of options; request is an lvalue of type cli_box_request. */
/* clang-format off */
#define CLI_BOX_OPTIONS(request)                                                                                       \
  {.group = "Box", OPT_VECTOR("center", 0, (request).center, "X,Y,Z", -9999, 9999, "center of the box, Angstrom")},    \
  {OPT_VECTOR("size", 0, (request).size, "X,Y,Z", 0, 1000, "edge lengths of the box, Angstrom"), .open_low = true},    \
  {OPT_STRING("autobox", 0, &(request).opt_autobox, "FILE[:RES,RES]",                                                  \
   "box around the atoms of a file, around residues of a PDB, mmCIF or .pdbqt file, or around RES,RES of the "         \
   "receptor")},                                                                                                       \
  {OPT_REAL("padding", 0, &(request).padding, "A", 0, 100, "margin on every side of --autobox, Angstrom")},            \
  {OPT_REAL("spacing", 0, &(request).spacing, "A", 0.05, 1, "grid spacing, Angstrom")}
/* clang-format on */

/* The atoms of a place, found as by bt_place_find. */
bt_status cli_place_extent(const char *word, const char *opt_structure, int model, double low[3], double high[3],
                           bt_error *opt_error) BT_MUST_USE;
/* Prints a line for a header if the memory exceeds 1 GB. */
void cli_box_print_memory(const bt_box_load *load, FILE *stream);
/* True if the command line has an option of the box. */
bool cli_box_given(const cli_spec *spec);

/* Lets --autobox name a residue of the receptor file, which is then removed from the receptor. False, with a message,
 * when memory is exhausted. */
bool cli_box_in_receptor(const char *program, cli_box_request *request, cli_prepare *prepare, const char *receptor);

/* Fails with BT_ERR_USAGE when the box is not fully determined. */
bt_status cli_box_resolve(const cli_spec *spec, const cli_box_request *request, bt_box *ret_box,
                          bt_error *opt_error) BT_MUST_USE;
/* Refuses a command line without a box; ways names the options. The molecules of the receptor file that may mark it are
 * listed as --autobox takes them. */
bool cli_box_refuse(const char *program, const char *opt_receptor, int model, const char *ways);

/* --- ligands that are bonded to a residue: --covalent and --warhead --------------------------------- */

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
