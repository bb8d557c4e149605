/* place.h - where ligands are docked.
 *
 * Contents
 *   1. Places             molecules that mark a site: a ligand file, a residue of a structure
 *   2. Boxes              around them
 *   3. Seed poses         poses of a ligand from other programs
 *
 * Conventions and the examples' error are those of berth.h.
 */
#ifndef BERTH_PLACE_H
#define BERTH_PLACE_H

#include <berth/format.h>
#include <berth/prepare.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * 1. Places
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

/* Both strings are owned by the place. */
typedef struct bt_place {
  char *path;         /* a file, which may not exist */
  char *opt_residues; /* residues as in bt_receptor_options, separated by commas; NULL: the whole file */
} bt_place;

/* What a word refers to: a file (crystal.sdf), residues of a file (protein.pdbqt:LIG, 1hpv.pdb:478:A:201), or residues
 * of opt_structure (478), the receptor if that is a PDB or mmCIF file. Fails only if out of memory. */
bt_status bt_place_find(const char *word, const char *opt_structure, bt_place *ret_place,
                        bt_error *opt_error) BT_MUST_USE;
void bt_place_clear(bt_place *place);

/* Smallest axis-aligned box around all atoms of the place, Angstrom: of all molecules of a ligand file, of the first
 * model of a PDB file, or of all its residues. model: number of the model in a structure file, from 1; 0:
 * all. BT_ERR_USAGE: the file has no coordinates (SMILES), or holds several molecules and no residue is named (mmCIF);
 * BT_ERR_INPUT: a residue does not exist or is ambiguous. */
bt_status bt_place_extent(const bt_place *place, int model, double ret_low[3], double ret_high[3],
                          bt_error *opt_error) BT_MUST_USE;
/* The first molecule of the place as a ligand, such as the reference of bt_dock. opt_template: SMILES that provides the
 * bond orders of a molecule from a structure file. *ret_molecule is NULL if the file has none. */
bt_status bt_place_molecule(const bt_place *place, int model, const char *opt_template,
                            const bt_tether *opt_tether, bt_molecule **ret_molecule,
                            bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 2. Boxes
 *
 *     bt_box box;
 *     if (bt_box_around(low, high, NULL, BT_BOX_PADDING, BT_BOX_SPACING, &box, &error) != BT_OK)
 *       goto failed;
 *     printf("%d x %d x %d points\n", box.npts[0] + 1, box.npts[1] + 1, box.npts[2] + 1);
 * --------------------------------------------------------------------------------------------------------- */

/* Defaults of the commands: margin on every side of a molecule, grid spacing; Angstrom. */
#define BT_BOX_PADDING 5.0
/* The same around a residue that ligands are bonded to: the reach of most drugs. */
#define BT_BOX_COVALENT_PADDING 12.0
#define BT_BOX_SPACING 0.375

/* A box of the given center and edges (bt_box_from_size), in Angstrom. BT_ERR_USAGE unless every edge is positive and
 * at most 1000. */
bt_status bt_box_at(const double center[3], const double size[3], double spacing, bt_box *ret_box,
                    bt_error *opt_error) BT_MUST_USE;
/* A box centered between two corners; its edges are opt_size or, if NULL, the distance between the corners plus padding
 * on either side. */
bt_status bt_box_around(const double low[3], const double high[3], const double *opt_size, double padding,
                        double spacing, bt_box *ret_box, bt_error *opt_error) BT_MUST_USE;
/* Enlarges the box on every side where another extent, such as that of flexible residues, comes closer to its walls
 * than margin (Angstrom) or leaves it. True if the box changed. */
bool bt_box_include(bt_box *box, const double low[3], const double high[3], double margin);
/* Limits of boxes for docking: the shortest edge, and the volume beyond which a search seldom finds the pose; Angstrom
 * and cubic Angstrom. */
#define BT_BOX_SHORTEST 4.0
#define BT_BOX_LARGE 64000.0
double bt_box_volume(const bt_box *box);
/* BT_ERR_BOX if an edge is too short for any ligand. */
bt_status bt_box_check(const bt_box *box, bt_error *opt_error) BT_MUST_USE;
/* BT_ERR_BOX if the box is smaller than the ligand, however that turns and bends: in it no rigid part or not all of the
 * atoms have room. */
bt_status bt_box_fits(const bt_box *box, const bt_ligand *ligand, bt_error *opt_error) BT_MUST_USE;
/* From the box to the nearest atom of a molecule, Angstrom; 0: an atom is inside. */
double bt_box_distance(const bt_box *box, const bt_molecule *molecule);
/* The same of a point. */
double bt_box_distance_to(const bt_box *box, const double point[3]);

/* ---------------------------------------------------------------------------------------------------------
 * 3. Seed poses
 *
 *     int added;
 *     if (bt_molecule_read_seeds(molecules[0], "boltz_model_0.cif", NULL, NULL, NULL, &added, &error) != BT_OK)
 *       goto failed;
 *     printf("%d of %d seed poses\n", added, bt_molecule_seed_count(molecules[0]));
 * --------------------------------------------------------------------------------------------------------- */

/* Gives a ligand a pose of the same molecule from elsewhere, before it is docked. Dockings minimize it with their
 * scoring function, in its own bond lengths, angles and rings, rank it with the poses that they find, and start some of
 * their searches from it; bt_run_summary.seed is its number. Heavy atoms are matched by elements and bonds; hydrogens may
 * be missing or those of another protonation. The pose is copied. BT_ERR_INPUT: another molecule or stereoisomer, or no
 * 3D coordinates; BT_ERR_USAGE: ligands that are covalent, hydrated, or several in one cannot have seeds. */
bt_status bt_molecule_add_seed(bt_molecule *ligand, const bt_molecule *pose, bt_error *opt_error) BT_MUST_USE;
int bt_molecule_seed_count(const bt_molecule *ligand);

/* Adds all poses of a file (SDF, MOL2, PDBQT), or the ligand of a structure (PDB, mmCIF), in which it is a residue,
 * "complex.cif:LIG", or looked for if none is named; opt_template: SMILES that gives it bond orders, NULL: that of the
 * ligand. What cannot be used is told to opt_warn, one line each; BT_ERR_INPUT with the first reason if there is
 * nothing else. ret_added: number of poses. */
bt_status bt_molecule_read_seeds(bt_molecule *ligand, const char *word, const char *opt_template,
                                 void (*opt_warn)(void *user, const char *text), void *opt_user, int *ret_added,
                                 bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
