/* place.h - where ligands are docked.
 *
 * Contents
 *   1. Names of files     what they say of the contents
 *   2. Places             molecules that say where: a ligand's file, a residue of a structure
 *   3. Boxes              around them
 *
 * Conventions and the examples' error are those of berth.h.
 */
#ifndef BERTH_PLACE_H
#define BERTH_PLACE_H

#include <berth/prepare.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * 1. Names of files
 *
 * The ending tells, in small letters or capitals; no file is looked at.
 * --------------------------------------------------------------------------------------------------------- */

/* Of a file of ligands, as bt_ligand_format lists them, with or without .gz; BT_LIGAND_AUTO: the name does not say. An
 * archive or .btl file is none (bt_library_is). */
bt_ligand_format bt_ligand_file_format(const char *path);
/* How many characters at the end of such a name say so (".sdf.gz": 7); 0 when it does not say. */
size_t bt_ligand_file_ending(const char *path);
/* A PDB or mmCIF file: .pdb, .ent, .cif, .mmcif, with or without .gz. */
bool bt_structure_file_is(const char *path);

/* ---------------------------------------------------------------------------------------------------------
 * 2. Places
 *
 *     bt_place place;
 *     double low[3], high[3];
 *     if (bt_place_find("MK1", "1hsg.pdb", &place, &error) != BT_OK)
 *       goto failed;
 *     bt_status found = bt_place_extent(&place, 1, low, high, &error);
 *     bt_place_clear(&place);
 *     if (found != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* Both texts belong to the place. */
typedef struct bt_place {
  char *path;         /* a file, which may be absent */
  char *opt_residues; /* words as in bt_receptor_options, separated by commas; NULL: all of the file */
} bt_place;

/* What a word names: a file (crystal.sdf), residues of a file (protein.pdbqt:LIG, 1hpv.pdb:478:A:201), or residues of
 * opt_structure (478), which is the receptor when it is a PDB or mmCIF file. Fails only without memory. */
bt_status bt_place_find(const char *word, const char *opt_structure, bt_place *ret_place,
                        bt_error *opt_error) BT_MUST_USE;
void bt_place_clear(bt_place *place);

/* Smallest axis-aligned box around all atoms of the place, Angstrom: of all molecules of a file of ligands, of the
 * first model of a PDB file, of all its residues. model: of a structure file, from 1. BT_ERR_USAGE when the file has no
 * coordinates (SMILES), or holds more than one molecule and no residue is named (mmCIF); BT_ERR_INPUT when residues are
 * not there, or ambiguous. */
bt_status bt_place_extent(const bt_place *place, int model, double ret_low[3], double ret_high[3],
                          bt_error *opt_error) BT_MUST_USE;
/* The first molecule of the place as a ligand, such as the reference of bt_dock. opt_template: SMILES that gives bond
 * orders to one from a structure file. *ret_molecule is NULL when the file has none. */
bt_status bt_place_molecule(const bt_place *place, int model, const char *opt_template,
                            const bt_tether *opt_tether, bt_molecule **ret_molecule,
                            bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 3. Boxes
 *
 *     bt_box box;
 *     if (bt_box_around(low, high, NULL, BT_BOX_PADDING, BT_BOX_SPACING, &box, &error) != BT_OK)
 *       goto failed;
 *     printf("%d x %d x %d points\n", box.npts[0] + 1, box.npts[1] + 1, box.npts[2] + 1);
 * --------------------------------------------------------------------------------------------------------- */

/* What programs take where nothing is said: room on every side of a molecule, distance of grid points; Angstrom. */
#define BT_BOX_PADDING 5.0
#define BT_BOX_SPACING 0.375

/* A box of these edges around its middle (bt_box_from_size), all Angstrom. BT_ERR_USAGE unless every edge is above 0,
 * and 1000 at most. */
bt_status bt_box_at(const double center[3], const double size[3], double spacing, bt_box *ret_box,
                    bt_error *opt_error) BT_MUST_USE;
/* The same around the middle of two corners; the edges are opt_size, or those between the corners and padding on every
 * side. */
bt_status bt_box_around(const double low[3], const double high[3], const double *opt_size, double padding,
                        double spacing, bt_box *ret_box, bt_error *opt_error) BT_MUST_USE;
/* Enlarges the box on every side where the corners of something else, such as flexible residues, lie nearer to its
 * walls than margin Angstrom or out of it. True when it had to. */
bool bt_box_include(bt_box *box, const double low[3], const double high[3], double margin);

#ifdef __cplusplus
}
#endif

#endif
