/* checks.h - is a pose plausible? Geometry, strain and contacts of a ligand against fixed limits (docs/checks.md).
 *
 *     if (bt_result_check_poses(result, NULL, 0, false, &error) != BT_OK) // or with receptors
 *       goto failed;
 *     const bt_checks *checks = bt_result_checks(result, 0); // of the best pose
 *     if (checks->made && checks->failed != 0)
 *       puts("not plausible");
 *
 * The tests and limits are PoseBusters' (Buttenschoen, Morris and Deane, Chem. Sci. 2024, 15, 3130). Conventions and
 * the example's error and result are those of berth.h.
 */
#ifndef BERTH_CHECKS_H
#define BERTH_CHECKS_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bt_check {
  BT_CHECK_BOND_LENGTHS,             /* share by which the worst bond is beyond its bounds */
  BT_CHECK_BOND_ANGLES,              /* the same of distances of atoms that share a neighbor */
  BT_CHECK_INTERNAL_CLASH,           /* share by which the closest other pair of atoms is below its bound */
  BT_CHECK_AROMATIC_RING_FLATNESS,   /* Angstrom; the atom farthest from the plane of its ring */
  BT_CHECK_RING_NONFLATNESS,         /* Angstrom; the same of the flattest of the rings that must not be flat */
  BT_CHECK_DOUBLE_BOND_FLATNESS,     /* Angstrom; the atom farthest from the plane of its double bond */
  BT_CHECK_TETRAHEDRAL_STEREO,       /* number of stereocenters with another configuration */
  BT_CHECK_DOUBLE_BOND_STEREO,       /* number of double bonds with another configuration */
  BT_CHECK_INTERNAL_ENERGY,          /* energy in UFF over the mean of relaxed conformers */
  BT_CHECK_PROTEIN_MAXIMUM_DISTANCE, /* Angstrom, to the nearest atom */
  BT_CHECK_PROTEIN_DISTANCE,         /* the smallest distance over the sum of both radii; as the next three */
  BT_CHECK_ORGANIC_COFACTOR_DISTANCE,
  BT_CHECK_INORGANIC_COFACTOR_DISTANCE,
  BT_CHECK_WATER_DISTANCE,
  BT_CHECK_PROTEIN_OVERLAP, /* share of the ligand's volume; as the next three */
  BT_CHECK_ORGANIC_COFACTOR_OVERLAP,
  BT_CHECK_INORGANIC_COFACTOR_OVERLAP,
  BT_CHECK_WATER_OVERLAP
} bt_check;
enum { BT_CHECK_COUNT = BT_CHECK_WATER_OVERLAP + 1 };

/* Of one pose. */
typedef struct bt_checks {
  bool made;       /* false: the bonds are unknown, or the ligand is covalent or one of several in a MODEL */
  unsigned failed; /* 1 << bt_check for each that failed */
  double values[BT_CHECK_COUNT]; /* NaN: there is nothing to test, or the test was not asked for */
} bt_checks;

/* "bond_lengths" and so on, as in files. */
const char *bt_check_name(bt_check check);
/* The limit of its value; *ret_least: it is a lower one. A value at the limit passes. */
double bt_check_limit(bt_check check, bool *ret_least);
/* "pass", or the names of those that failed, a blank between two; "": none was made. free() the text; NULL if out of
 * memory. */
char *bt_checks_text(const bt_checks *checks);

/* Checks the best poses of the clusters that files of poses hold, so that tables and files have the verdicts; some 4 ms
 * a pose. energy: the internal energy as well, for which 50 conformers are generated per ligand: seconds. n_receptors: 1, or
 * that of each site of an ensemble; 0: contacts are not tested. Flexible residues count where they are in the pose. Other
 * molecules than free ligands whose bonds are known are left out. No score changes. */
bt_status bt_result_check_poses(bt_result *result, const bt_molecule *const *opt_receptors, int n_receptors,
                                bool energy, bt_error *opt_error) BT_MUST_USE;
/* Position as in bt_result_ranked; borrowed. made is false for poses that were not checked. NULL: no such position. */
const bt_checks *bt_result_checks(const bt_result *result, int position);

/* Checks of poses as they stand, in the coordinates of their molecules; one thread at a time.
 *
 *     bt_checker *checker;
 *     bt_checks found;
 *     if (bt_checker_open(NULL, NULL, false, &checker, &error) != BT_OK)
 *       goto failed;
 *     if (bt_checker_check(checker, molecules[0], NULL, &found, &error) != BT_OK)
 *       goto failed;
 *     bt_checker_close(checker);
 *
 * The configuration of stereocenters and double bonds is compared with that of opt_reference, which may list its atoms
 * in another order; without it, it is not tested. Receptor and reference are borrowed until the checker is closed. */
typedef struct bt_checker bt_checker;

bt_status bt_checker_open(const bt_molecule *opt_receptor, const bt_molecule *opt_reference, bool energy,
                          bt_checker **ret_checker, bt_error *opt_error) BT_MUST_USE;
/* BT_ERR_INPUT where the pose cannot be checked, or the reference is another molecule. opt_flexible: residues in place
 * of those that the receptor lacks. */
bt_status bt_checker_check(bt_checker *checker, const bt_molecule *pose, const bt_molecule *opt_flexible,
                           bt_checks *ret_checks, bt_error *opt_error) BT_MUST_USE;
void bt_checker_close(bt_checker *opt_checker);

#ifdef __cplusplus
}
#endif

#endif
