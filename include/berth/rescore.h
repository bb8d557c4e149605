/* rescore.h - rescoring the clusters of a docking with further scoring functions, and ranking by several of them.
 *
 *     bt_ligand *vinardo; // the same molecule
 *     bt_maps *sums;      // no maps: Vina and Vinardo sum over the receptor
 *     bt_molecule **receptors;
 *     bt_grid_options grid = bt_grid_options_default();
 *     grid.scoring = BT_SCORING_VINARDO;
 *     if (bt_molecule_read("receptor.pdbqt", BT_MOLECULE_RECEPTOR, &receptors, &count, &error) != BT_OK ||
 *         bt_ligand_create_as(molecules[0], NULL, grid.scoring, &vinardo, &error) != BT_OK ||
 *         bt_maps_compute(receptors[0], NULL, 0, &grid, &sums, &error) != BT_OK ||
 *         bt_result_rescore(result, vinardo, sums, 0, &error) != BT_OK ||
 *         bt_result_rank(result, BT_RANK_BLEND, &error) != BT_OK)
 *       goto failed;
 *     printf("%.2f kcal/mol\n", bt_result_rescored(result, 0, 0).energy.free_energy); // the first cluster's
 */
#ifndef BERTH_RESCORE_H
#define BERTH_RESCORE_H

#include <berth/grid.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The criterion by which clusters are ranked. */
typedef enum bt_rank_by {
  BT_RANK_SCORE, /* free energy in the function added last */
  BT_RANK_RANKS, /* sum of the ranks in all functions, including the docking's own; ties as in BT_RANK_SCORE */
  BT_RANK_BLEND  /* how far a cluster falls short of the lowest free energy, (E - lowest) / max(|lowest|, 1 kcal/mol),
                  * averaged over all functions */
} bt_rank_by;

/* "score", "ranks", "blend", as in options and files; the list as "score|ranks|blend" and as "score, ranks, blend". */
const char *bt_rank_name(bt_rank_by by);
const char *bt_rank_choices(void);
const char *bt_rank_words(void);
/* The order of that name; false if there is none. */
bool bt_rank_find(const char *name, bt_rank_by *ret_by);

/* The best pose of a cluster, minimised in another scoring function. */
typedef struct bt_rescored {
  bt_scoring scoring;
  bt_energy energy;      /* Vina: unbound is the intra of the pose with the lowest inter + intra of all clusters */
  int rank;              /* of the cluster among all, by free energy; 1-based */
  double reference_rmsd; /* of the minimised pose, Angstrom */
  double moved;          /* its RMSD from the docked pose, Angstrom */
  const double *xyz;     /* [3 atoms] Angstrom, in the ligand's order; borrowed from the result */
} bt_rescored;

/* Minimises the best pose of every cluster in the ligand's scoring function - Vina and Vinardo by sums over the
 * receptor's atoms, AutoDock 4 on its maps - and stores energies and poses; the docked poses are kept. The ligand must
 * be made from the docked molecules; neither it nor the maps are needed afterwards. threads 0: all cores. BT_ERR_USAGE:
 * another molecule, or a function in which the result is already scored. */
bt_status bt_result_rescore(bt_result *result, const bt_ligand *ligand, const bt_maps *maps, int threads,
                            bt_error *opt_error) BT_MUST_USE;
/* Ranks the clusters, and thus the poses in every output, by another criterion. Has no effect without a preceding
 * bt_result_rescore. */
bt_status bt_result_rank(bt_result *result, bt_rank_by by, bt_error *opt_error) BT_MUST_USE;

/* What ranks. Poses: the name of the scoring function ("vina"), or "ranks" or "blend". Ligands among each other: the same,
 * but with "ranks", whose sums mean nothing for another ligand, the function of the docking. */
const char *bt_result_ranked_by(const bt_result *result);
const char *bt_result_ranks_ligands_by(const bt_result *result);
/* The number by which ligands are ranked, kcal/mol, of the cluster at this position in the ranking, from 0: its free
 * energy in that function, or with "blend" the mean over all functions. */
double bt_result_rank_energy(const bt_result *result, int cluster);
/* The same names without a result: of a docking with one function, re-scored by others, the last of them `last`. */
const char *bt_rank_ligands_by(bt_rank_by by, bt_scoring docking, int n_rescored, bt_scoring last);

/* The number of scoring functions added. cluster: position in the current ranking; index: position in the order in
 * which the functions were added; both from 0. */
int bt_result_rescored_count(const bt_result *result);
bt_rescored bt_result_rescored(const bt_result *result, int cluster, int index);

/* Merges the results of one ligand in several boxes of one receptor into results[0], which ranks and clusters all runs
 * together; the others are destroyed and set to NULL. sites[count], from 1, are the box numbers shown in every output.
 * Energies from bt_result_rescore are discarded. All maps must outlive the result. BT_ERR_USAGE if the ligands
 * differ. */
bt_status bt_result_merge(bt_result **results, const int *sites, int count, bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
