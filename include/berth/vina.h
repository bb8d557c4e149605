/* vina.h - results in the form of AutoDock Vina, for any scoring function.
 *
 *     bt_mode *modes;
 *     int n_modes;
 *     if (bt_result_modes(result, 1.0, 9, &modes, &n_modes, &error) != BT_OK)
 *       goto failed;
 *     printf("%d binding modes, the best of %.3f kcal/mol\n", n_modes, modes[0].energy.free_energy);
 *     bt_status written = bt_result_write_modes(result, modes, n_modes, "ligand_out.pdbqt", &error);
 *     free(modes);
 *     if (written != BT_OK)
 *       goto failed;
 *
 * Conventions and the example's variables are those of berth.h.
 */
#ifndef BERTH_VINA_H
#define BERTH_VINA_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A binding mode: the pose of a run that differs enough from all better ones. */
typedef struct bt_mode {
  int run, cluster; /* from 1 */
  bt_energy energy;
  /* RMSD from the best mode without superposition, over all moving heavy atoms, flexible residues included; Angstrom.
   * upper: atom by atom; lower: each atom to the nearest one of its element, the larger of both directions. */
  double rmsd_upper, rmsd_lower;
} bt_mode;

/* Poses of all runs in order of estimated free energy, except those within min_rmsd (rmsd_upper) of a better one; at
 * most `most`, at least one. Of a result with scores of re-scorers (rescore.h), the best poses of the clusters in their
 * order. free() the modes. */
bt_status bt_result_modes(const bt_result *result, double min_rmsd, int most, bt_mode **ret_modes, int *ret_count,
                          bt_error *opt_error) BT_MUST_USE;

/* Writes the modes as Vina does: energies as remarks, then the lines of the input, unchanged but for the coordinates;
 * flexible residues follow the ligand. Scores of re-scorers stand in REMARK BERTH, as in Berth's own PDBQT files. */
bt_status bt_result_write_modes(const bt_result *result, const bt_mode *modes, int count, const char *path,
                                bt_error *opt_error) BT_MUST_USE;
/* Writes the pose of one run, without MODEL and remarks. */
bt_status bt_result_write_pose(const bt_result *result, int run, const char *path, bt_error *opt_error) BT_MUST_USE;

/* Joins several ligands into one molecule, for docking them simultaneously: each moves and rotates freely, and the
 * energy between them counts as intermolecular. The molecules are copied. The joined ligand can be scored, docked,
 * minimized and written as modes or as a pose; other outputs describe a single ligand. */
bt_status bt_molecules_join(const bt_molecule *const *molecules, int count, bt_molecule **ret_molecule,
                            bt_error *opt_error) BT_MUST_USE;

/* Of 10,000 random poses in the box, the one with the least internal clashes, as with Vina's --randomize_only. The
 * result has this single run, without energies; the receptor is ignored. */
bt_status bt_randomize(const bt_ligand *ligand, const bt_maps *maps, uint64_t seed, bt_result **ret_result,
                       bt_error *opt_error) BT_MUST_USE;

/* Reads PREFIX.TYPE.map: those that PREFIX.maps.fld names or, without such a file, all that exist, as written by Vina.
 * The scoring function must be that of the ligands. */
bt_status bt_maps_read_prefix(const char *prefix, bt_scoring scoring, bt_maps **ret_maps,
                              bt_error *opt_error) BT_MUST_USE;
/* From now on all energies, including those of the refinement, come from the maps instead of sums over the receptor's
 * atoms (Vina's --no_refine). */
void bt_maps_leave_receptor(bt_maps *maps);

#ifdef __cplusplus
}
#endif

#endif
