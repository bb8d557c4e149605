/* rescore.h - re-scoring the clusters of dockings by further re-scorers, and ranking by several scores.
 *
 *     bt_grid_options grid = bt_grid_options_default();
 *     bt_molecule **receptors;
 *     if (bt_molecule_read("receptor.pdbqt", BT_MOLECULE_RECEPTOR, &receptors, &count, &error) != BT_OK)
 *       goto failed;
 *     grid.box = bt_maps_box(maps);
 *     bt_rescore_setting setting = {.receptor = receptors[0], .boxes = &grid.box, .n_boxes = 1, .grid = &grid};
 *     bt_rescoring *rescoring; // opened once, for any number of results
 *     if (bt_rescoring_open("vinardo,ad4", &setting, &rescoring, &error) != BT_OK ||
 *         bt_rescoring_apply(rescoring, &result, 1, BT_RANK_BLEND, &error, &error) != BT_OK || error.status != BT_OK)
 *       goto failed;
 *     bt_rescored first = bt_result_rescored(result, 0, 0); // of the first cluster, by the first re-scorer
 *     printf("%s: %.2f kcal/mol\n", first.name, first.score);
 *     bt_rescoring_close(rescoring);
 *
 * The scoring functions of berth.h are re-scorers, which minimize a pose; others need not be functions that a search
 * knows, and may score poses where they are. docs/add-a-re-scorer.md adds one.
 */
#ifndef BERTH_RESCORE_H
#define BERTH_RESCORE_H

#include <berth/grid.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Ranking ---- */

/* The criterion by which clusters are ranked. */
typedef enum bt_rank_by {
  BT_RANK_SCORE, /* score of the last re-scorer */
  BT_RANK_RANKS, /* sum of the ranks by all scores, including the docking's own; ties as in BT_RANK_SCORE */
  BT_RANK_BLEND, /* how far a cluster falls short of the lowest score, (E - lowest) / max(|lowest|, 1 kcal/mol),
                  * averaged over all */
  BT_RANK_SUM    /* sum of the docking's own energy and all scores, where a score without a unit counts 1 kcal/mol for
                  * each unit: for log odds of networks, E - ln(p / (1 - p)). An index, not an energy */
} bt_rank_by;

/* "score", "ranks", "blend", "sum", as in options and files; all of them: "score|ranks|blend|sum". */
const char *bt_rank_name(bt_rank_by by);
const char *bt_rank_choices(void);
/* How clusters are ranked by the re-scorers of a list where nothing is chosen: by ranks, or with networks by the sum. */
bt_rank_by bt_rank_default(const char *rescorers);

/* ---- Re-scorers ---- */

/* A re-scorer. */
typedef struct bt_rescorer_info {
  const char *name, *title;       /* in options and files ("vinardo") and in text ("Vinardo") */
  const char *const *value_names; /* [n_values] of what it says of a pose beside its score, as in files ("CNNscore") */
  int n_values;
  bool unitless; /* its score is no energy */
} bt_rescorer_info;

/* The re-scorer at this position, from 0, of a list such as "vinardo,ad4"; after the last its name is NULL. */
bt_rescorer_info bt_rescorer(const char *names, int index);
/* The title of that name; the name itself if this build has no such re-scorer. */
const char *bt_rescorer_title(const char *name);
/* BT_ERR_USAGE unless each name of the list is that of a re-scorer, occurs once, and is not that of opt_docking, the
 * scoring function of the docking. */
bt_status bt_rescorers_check(const char *names, const char *opt_docking, bt_error *opt_error) BT_MUST_USE;

/* What re-scorers are opened for; borrowed while they are open. */
typedef struct bt_rescore_setting {
  const bt_molecule *receptor; /* its rigid atoms */
  const bt_molecule *const *opt_receptors; /* [n_boxes] of an ensemble, one for each box; copied. NULL: the same for all */
  const bt_molecule *opt_flexible;
  const bt_box *boxes;         /* [n_boxes] in which ligands are docked, by the number of a site (bt_result_merge) */
  int n_boxes;
  const bt_grid_options *grid; /* for scoring functions: all but box, function and threads */
  const char *opt_device;      /* as in bt_dock_options; of several, joined by commas, each answers its own calls.
                                * Scoring functions run on the CPU */
  int threads;                 /* of the host; 0: all cores */
  const char *opt_networks;    /* of the re-scorer cnn: names of networks, .btn or .pt files, "staged", "gnina", "fast",
                                * joined by commas; NULL: bt_networks_default() */
  int calls;                   /* of bt_rescoring_apply that networks on a device may answer at the same time, so that a
                                * GPU works for one while the host prepares another; 0: 1 */
} bt_rescore_setting;

typedef struct bt_rescoring bt_rescoring;

/* Opens the re-scorers of a list; those of bt_rescorers_check, or BT_ERR_USAGE. */
bt_status bt_rescoring_open(const char *names, const bt_rescore_setting *setting, bt_rescoring **ret_rescoring,
                            bt_error *opt_error) BT_MUST_USE;
/* Scores the best pose of every cluster of all these results, of any number of ligands, with all re-scorers, and
 * ranks the clusters of each result. The docked poses are kept. Each pose of BUDE's engine (bude.h) is prepared as a
 * ligand by itself, whose bonds turn. errors[n] receives why a result has no scores: a ligand that a re-scorer does
 * not support, or whose bonds are unknown, or, BT_ERR_USAGE, one docked or already scored with one of these
 * functions. Fails for what is no ligand's fault, such as a device; then no result is changed. Any thread; further
 * calls than the setting's wait. */
bt_status bt_rescoring_apply(bt_rescoring *rescoring, bt_result *const *results, int n, bt_rank_by by, bt_error *errors,
                             bt_error *opt_error) BT_MUST_USE;
/* Calls that run at the same time. */
int bt_rescoring_calls(const bt_rescoring *rescoring);
/* The list as it was given. */
const char *bt_rescoring_names(const bt_rescoring *rescoring);
/* The networks of the setting; "" if no re-scorer uses any. */
const char *bt_rescoring_networks(const bt_rescoring *rescoring);
/* Each of these networks with the hash of its numbers (networks.h), "dense:66848962fa159c56,dense_3:a4a0ab8f34c07074";
 * "" if no re-scorer uses any. */
const char *bt_rescoring_network_hashes(const bt_rescoring *rescoring);
void bt_rescoring_close(bt_rescoring *opt_rescoring);

/* ---- Scores of a result ---- */

/* What a re-scorer says of the best pose of a cluster. */
typedef struct bt_rescored {
  const char *name, *title; /* of the re-scorer */
  double score;             /* kcal/mol, unless it is unitless; a scoring function's free energy */
  int rank;                 /* of the cluster among all, by score; 1-based */
  bool minimized;           /* the pose that was scored is not the docked one */
  double moved;             /* its RMSD from the docked pose, Angstrom */
  double reference_rmsd;    /* its own, Angstrom */
  const double *xyz;        /* [3 atoms] Angstrom, in the ligand's order; borrowed from the result */
  bool has_energy;          /* of a scoring function: */
  bt_energy energy;         /* Vina: unbound is the intra of the pose with the lowest inter + intra of all clusters */
  bool unitless;            /* the score is no energy */
  int n_values;             /* beside the score: */
  const char *const *value_names; /* [n_values] "CNNscore", ... */
  const double *values;           /* [n_values] borrowed from the result */
} bt_rescored;

/* The number of re-scorers that scored the result. cluster: position in the current ranking; index: position in the
 * list of re-scorers; both from 0. */
int bt_result_rescored_count(const bt_result *result);
bt_rescored bt_result_rescored(const bt_result *result, int cluster, int index);
/* Ranks the clusters, and thus the poses in every output, by another criterion. Has no effect without scores. */
bt_status bt_result_rank(bt_result *result, bt_rank_by by, bt_error *opt_error) BT_MUST_USE;

/* What ranks. Poses: the name of the scoring function ("vina"), or "ranks", "blend" or "sum". Ligands among each other:
 * the same, but with "ranks", whose sums mean nothing for another ligand, the function of the docking. */
const char *bt_result_ranked_by(const bt_result *result);
const char *bt_result_ranks_ligands_by(const bt_result *result);
/* The number by which ligands are ranked, kcal/mol, of the cluster at this position in the ranking, from 0: its free
 * energy in that function, or with "blend" the mean over all functions. Without a unit with "sum", the sum of
 * BT_RANK_SUM, and where a re-scorer ranks whose score has none. */
double bt_result_rank_energy(const bt_result *result, int cluster);
/* The same name without a result: of a docking with this function, scored by the re-scorers of a list ("": none). */
const char *bt_rank_ligands_by(bt_rank_by by, const char *docking, const char *rescorers);
/* Is that number an energy, kcal/mol? ranked_by: as the functions above name it. */
bool bt_rank_is_energy(const char *ranked_by);

/* Merges the results of one ligand in several boxes of one receptor into results[0], which ranks and clusters all runs
 * together; the others are destroyed and set to NULL. sites[count], from 1, are the box numbers shown in every output.
 * Scores are discarded. All maps must outlive the result. BT_ERR_USAGE if the ligands
 * differ. */
bt_status bt_result_merge(bt_result **results, const int *sites, int count, bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
