/* place.h - molecules that say where: for the box, and for the reference pose. */
#ifndef BERTH_CLI_INPUT_PLACE_H
#define BERTH_CLI_INPUT_PLACE_H

#include <berth/berth.h>

/* A word such as crystal.sdf, protein.pdbqt:LIG, 1hpv.pdb:478:A:201, or 478 for a residue of the receptor's own file.
 */
typedef struct cli_place {
  char *path; /* a file that may be absent */
  char *opt_residue;
} cli_place;

/* opt_structure: the receptor when it is a PDB or mmCIF file. Free the place with cli_place_free. */
bt_status cli_place_parse(const char *word, const char *opt_structure, cli_place *ret_place,
                          bt_error *opt_error) BT_MUST_USE;
void cli_place_free(cli_place *place);

/* Smallest box around all atoms of the place, Angstrom. */
bt_status cli_place_extent(const cli_place *place, int model, double ret_low[3], double ret_high[3],
                           bt_error *opt_error) BT_MUST_USE;
/* The same for a word. */
bt_status cli_place_find(const char *word, const char *opt_structure, int model, double ret_low[3], double ret_high[3],
                         bt_error *opt_error) BT_MUST_USE;
/* The first molecule of the place as a ligand; opt_template gives bond orders to one from a PDB file. */
bt_status cli_place_molecule(const cli_place *place, int model, const char *opt_template, bt_molecule **ret_molecule,
                             bt_error *opt_error) BT_MUST_USE;

#endif
