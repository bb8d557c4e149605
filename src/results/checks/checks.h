/* checks.h - the tests of a pose, part by part (docs/checks.md defines each of them).
 *
 *   words.c     names, limits, verdicts, JSON
 *   geometry.c  what the molecule alone decides: bounds of distances, planes, configurations, energy
 *   radii.c     radii of atoms
 *   contacts.c  distances to atoms of the receptor, by kind
 *   overlap.c   volume shared with them
 *   checks.c    one pose, all poses of a result
 */
#ifndef BERTH_RESULTS_CHECKS_CHECKS_H
#define BERTH_RESULTS_CHECKS_CHECKS_H

#include <berth/checks.h>

#include "base/text/json.h"
#include "chem/chemistry.h"
#include "chem/molecule.h"

/* ---- words.c ---- */

/* Nothing made: all values NaN. */
void bt_checks_start(bt_checks *checks);
/* Sets a value and whether it fails. NaN passes. */
void bt_checks_set(bt_checks *checks, bt_check check, double value);
/* "pass", or names of those that failed; nothing where none was made. */
void bt_checks_add_text(bt_text *text, const bt_checks *checks);
/* The value of the key "checks": an object, or null where none was made. */
void bt_checks_add_json(bt_json *json, const bt_checks *checks);

/* ---- geometry.c ---- */

/* What is known of a molecule before any pose. */
typedef struct bt_check_geometry bt_check_geometry;

/* stereo: its configurations as prepared are what poses must have. chemistry is borrowed. */
bt_status bt_check_geometry_create(const bt_chemistry *chemistry, bool stereo, bt_check_geometry **ret_geometry,
                                   bt_error *opt_error) BT_MUST_USE;
/* The mean energy of relaxed conformers, kcal/mol, by which the internal energy of poses is judged; without one, it is
 * not. NaN: there is none. */
bt_status bt_check_geometry_find_mean(bt_check_geometry *geometry, double *ret_mean, bt_error *opt_error) BT_MUST_USE;
void bt_check_geometry_set_mean(bt_check_geometry *geometry, double mean);
void bt_check_geometry_destroy(bt_check_geometry *opt_geometry);
/* Sets the first nine. x[atoms of the chemistry], Angstrom. */
bt_status bt_check_geometry_judge(const bt_check_geometry *geometry, const double (*x)[3], bt_checks *checks,
                                  bt_error *opt_error) BT_MUST_USE;

/* ---- radii.c ---- */

/* Angstrom. */
double bt_check_vdw(int element);
double bt_check_covalent(int element);

/* ---- contacts.c ---- */

typedef enum bt_check_kind {
  BT_KIND_PROTEIN,
  BT_KIND_ORGANIC,
  BT_KIND_INORGANIC,
  BT_KIND_WATER,
  BT_KIND_COUNT
} bt_check_kind;

/* A heavy atom of a ligand or a receptor. */
typedef struct bt_check_atom {
  double x[3];
  double vdw, covalent; /* radii, Angstrom */
} bt_check_atom;

/* Those of the receptor and of flexible residues within 6 Angstrom of the atoms of a pose. */
typedef struct bt_check_surroundings {
  bt_check_atom *atoms[BT_KIND_COUNT];
  size_t count[BT_KIND_COUNT], room[BT_KIND_COUNT];
  bool known, protein; /* atoms of a receptor are known; it has a protein */
  double nearest;      /* distance of its nearest atom to a heavy atom of the pose, Angstrom */
} bt_check_surroundings;

/* The heavy atoms of a pose; all atoms of mol at x. ret_atoms has room for all; the number is returned. */
int bt_check_heavy_atoms(const bt_rdatom *atoms, int n_atoms, const double (*x)[3], bt_check_atom *ret_atoms);
/* Adds the atoms of a molecule, at opt_xyz[3 n_atoms] or where they are, near any of x[n]. */
bt_status bt_check_surround(bt_check_surroundings *around, const bt_molecule *molecule, const double *opt_xyz,
                            const bt_check_atom *ligand, int n, bt_error *opt_error) BT_MUST_USE;
void bt_check_surroundings_clear(bt_check_surroundings *around);
void bt_check_distances(const bt_check_surroundings *around, const bt_check_atom *ligand, int n, bt_checks *checks);

/* ---- overlap.c ---- */

/* The share of the ligand's volume that it has in common with the others, radii times scale; NaN: none is near. */
bt_status bt_check_overlap(const bt_check_atom *ligand, int n, const bt_check_atom *others, size_t count, double scale,
                           double *ret_share, bt_error *opt_error) BT_MUST_USE;

#endif
