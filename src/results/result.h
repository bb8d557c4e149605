/* result.h - the result of a docking: the best pose of every run, further minima, clusters, counters. */
#ifndef BERTH_RESULTS_RESULT_H
#define BERTH_RESULTS_RESULT_H

#include <berth/berth.h>
#include <berth/checks.h>
#include <berth/rescore.h>
#include <berth/score.h>
#include <string.h>

#include "grid/maps/maps.h"
#include "pose/genotype.h"
#include "results/analysis/contacts.h"
#include "results/analysis/waters.h"
#include "results/compare/rmsd.h"
#include "score/score.h"

typedef struct bt_run {
  bt_genotype genotype;
  double *xyz;             /* [3 n_atoms] Angstrom */
  bt_energy energy;        /* double precision, re-scored */
  bt_atom_energy *atoms;   /* [n_atoms] */
  double search_energy;    /* what the kernel reported: inter + intra, kcal/mol */
  double search_reference; /* the same law in double precision, before the pose was moved into the box; or NaN */
  int64_t evaluations;
  int cluster, rank_in_cluster; /* 1-based */
  double cluster_rmsd, reference_rmsd;
  bool further;           /* not the best pose of a run, but another minimum in its final population */
  int site;               /* number of its box among several; 0: there is one */
  int conformer;          /* of the ligand (bt_ligand_conformer), to which the genotype belongs; 0: the ligand itself */
  int seed;               /* of a minimized seed pose: its number from 1; 0: the search found it */
  const bt_maps *opt_maps; /* of that box, borrowed; NULL: those of the result */
  bt_contact_list contacts; /* empty unless bt_result_find_contacts was called */
  bt_water_list waters;     /* empty unless bt_result_judge_waters was called */
  double strain;            /* kcal/mol above the relaxed conformer; NaN: unknown. With faults, of BT_FAULT_..., 0 unless */
  unsigned faults;          /* bt_result_judge_strain was called */
  bt_checks checks;         /* not made unless bt_result_check_poses was called, and this is a pose that is written */
} bt_run;

typedef struct bt_cluster {
  int leader; /* index of the run with the lowest free energy */
  int size;            /* runs; 0: the leader is a further minimum, and alone */
  bool led_by_further; /* the leader is a further minimum */
  bool left_out;       /* its pose is in no file of poses: bt_result_require_contacts */
  double lowest, mean; /* of the leader, and of the runs, kcal/mol */
} bt_cluster;

/* What results of rigid conformers, docked without maps, have instead of genotypes. */
typedef struct bt_rigid {
  const char *engine;         /* "bude" */
  const char *terms[3];       /* its names of inter_vdw_hbond, inter_electrostatic and inter_desolvation */
  const struct bt_mol2 *mol2; /* atoms, types and bonds as in the input; borrowed */
  const bt_error *no_bonds;   /* why the molecule has no chemistry; borrowed */
  bt_placement placements[];  /* of the runs */
} bt_rigid;

struct bt_result {
  const bt_ligand *ligand;          /* borrowed */
  const bt_maps *maps;              /* borrowed; NULL: of rigid conformers */
  const bt_rigid *opt_rigid;        /* then this */
  const bt_molecule *opt_reference; /* borrowed */
  bt_dock_options options;          /* as used: evaluations after the heuristic, seed after choosing */
  int n_runs, n_poses, n_clusters;
  bt_run *runs; /* [n_poses] first the runs in their order, then further minima */
  int *ranking; /* [n_poses] indices: by cluster, then by energy within it */
  bt_cluster *clusters;
  bt_rescored **rescored; /* [n_rescored][n_clusters] by re-scorer; xyz is NULL where the docked pose was scored */
  int n_rescored;
  bool reordered;       /* the clusters are not in the order of their free energies */
  bt_rank_by ranked_by; /* but in this one */
  int64_t evaluations;  /* all runs */
  int64_t generations;
  double seconds;
  char device[64];
  char warning[512]; /* "": none */
  bool autostopped;
  bool ensemble; /* sites are receptors of an ensemble, and not boxes */
  bool with_contacts, with_waters, with_strain, with_checks;
  const char *strain_source; /* "MMFF94s", "UFF", or "" where strain is unknown; NULL without strain */
  bt_rmsd *rmsd;         /* how poses are compared */
  struct bt_owned *owned; /* [n_owned] what the result borrows and frees at its end, last first */
  int n_owned;
  size_t owned_capacity;
  double *reference_xyz; /* [3 n_ligand_atoms] in the ligand's order, Angstrom; NULL: the reference does not match, or
                          * the input has no pose */
};

/* Allocates runs with room for poses of the ligand, and checks that the reference is the same molecule (BT_ERR_INPUT),
 * so that no search is wasted on a wrong one. */
bt_status bt_result_create(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                           const bt_dock_options *options, bt_result **ret_result, bt_error *opt_error) BT_MUST_USE;
/* The result frees what it borrows: its ligand, maps that others may share, a molecule (NULL: nothing). After a failure it
 * is still the caller's. */
bt_status bt_result_own_ligand(bt_result *result, bt_ligand *ligand, bt_error *opt_error) BT_MUST_USE;
bt_status bt_result_own_maps(bt_result *result, bt_maps *maps, bt_error *opt_error) BT_MUST_USE;
bt_status bt_result_own_molecule(bt_result *result, bt_molecule *opt_molecule, bt_error *opt_error) BT_MUST_USE;
bt_status bt_result_own_rigid(bt_result *result, bt_rigid *rigid, bt_error *opt_error) BT_MUST_USE;
/* The energy of a rigid conformer's pose and its three terms. */
static inline void bt_run_rigid_energies(const bt_run *run, double ret_energies[4]) {
  const bt_energy *e = &run->energy;
  const double energies[] = {e->free_energy, e->inter_vdw_hbond, e->inter_electrostatic, e->inter_desolvation};
  memcpy(ret_energies, energies, sizeof energies);
}
/* Poses in a cluster. */
static inline int bt_cluster_poses(const bt_cluster *cluster) { return cluster->size + cluster->led_by_further; }
/* What its `site` counts, in files and tables. */
static inline const char *bt_result_site_word(const bt_result *result) {
  return result->ensemble ? "receptor" : "site";
}
/* The maps in which the run was docked. */
static inline const bt_maps *bt_run_maps(const bt_result *result, const bt_run *run) {
  return run->opt_maps != NULL ? run->opt_maps : result->maps;
}
/* Do similar poses stay apart until re-scorers have chosen among them? */
static inline bool bt_result_has_variants(const bt_result *result) {
  bt_variants variants = result->options.variants;
  return variants == BT_VARIANTS_SIMILAR || (variants == BT_VARIANTS_CONFORMERS && result->ligand->n_conformers > 0);
}
/* The ligand in the conformer that the run docked. */
static inline const bt_ligand *bt_run_ligand(const bt_result *result, const bt_run *run) {
  return bt_ligand_conformer(result->ligand, run->conformer);
}
/* Joins the results of a ligand's conformers, of which results[0 to count - 1] are numbers[i], into results[0], which
 * becomes one of the ligand; the others are destroyed. Clusters are made anew, within a quarter of the tolerance where
 * there are variants. */
bt_status bt_result_join(bt_result **results, const int *numbers, int count, const bt_ligand *ligand,
                         const bt_dock_options *options, bt_error *opt_error) BT_MUST_USE;
/* Adds minimized poses, results of one run each, of the conformers numbers[i] to *result as further runs; they are destroyed.
 * Clusters are made anew. */
bt_status bt_result_add_seeds(bt_result *result, bt_result **seeds, const int *numbers, int count,
                              bt_error *opt_error) BT_MUST_USE;
/* Does the ligand have seed poses? */
static inline bool bt_result_has_seeds(const bt_result *result) {
  const bt_ligand *ligand = result->ligand;
  for (int k = 0; k < ligand->n_conformers; k++)
    if (ligand->conformers[k]->molecule->seed > 0) return true;
  return false;
}
/* Room for so many more poses, behind the others. */
bt_status bt_result_add_room(bt_result *result, int count, bt_error *opt_error) BT_MUST_USE;
/* Keeps the first poses only. */
void bt_result_shorten(bt_result *result, int n_poses);
/* Fills clusters, ranking and RMSDs from the runs' poses and energies. Greedy: runs in the order of their estimated
 * free energy join the first cluster whose leader is within the tolerance, or open a new one; then further minima, of
 * which those that would join one are dropped. */
bt_status bt_result_cluster(bt_result *result, bt_error *opt_error) BT_MUST_USE;
/* The same for runs that are known to differ: each is a cluster of its own, in their order. */
bt_status bt_result_list(bt_result *result, bt_error *opt_error) BT_MUST_USE;

/* Clusters within the tolerance of one before them, by their leaders, join it: their runs become its own, and scores
 * are those of the first. For clusters that were ranked. */
bt_status bt_result_thin(bt_result *result, bt_error *opt_error) BT_MUST_USE;
/* Reorders the clusters: cluster order[0] becomes the first; order[n_clusters]. */
bt_status bt_result_reorder(bt_result *result, const int *order, bt_error *opt_error) BT_MUST_USE;
/* How texts have the further values of re-scorers: probabilities, counts, anything. */
#define BT_VALUE_FORMAT "%.6g"
/* What one re-scorer says of all clusters; the array is handed over. */
bt_status bt_result_add_scores(bt_result *result, bt_rescored *clusters, bt_error *opt_error) BT_MUST_USE;
/* What the order `by` adds to one more score of a cluster's best pose, kcal/mol: energy and strain of the docking; 0 if
 * that score alone counts, NaN if the order is no sum. */
double bt_result_rank_rest(const bt_result *result, int cluster, bt_rank_by by);
void bt_result_forget_scores(bt_result *result);
void bt_rescored_destroy(bt_rescored *opt_clusters, int count);
void bt_rescored_clear(bt_rescored *cluster);

/* Does the run have an energy that ranks it? With re-scorers only the best of a cluster has. */
static inline bool bt_run_is_ranked(const bt_result *result, const bt_run *run) {
  return result->n_rescored == 0 || run->rank_in_cluster == 1;
}
static inline double bt_run_rank_energy(const bt_result *result, const bt_run *run) {
  return result->n_rescored > 0 ? bt_result_rank_energy(result, run->cluster - 1) : run->energy.free_energy;
}

/* Indices of the poses by estimated free energy, of equal ones the earlier first, or as the clusters were reordered;
 * order[n_poses]. */
bt_status bt_result_order(const bt_result *result, int *order, bt_error *opt_error) BT_MUST_USE;
/* BT_ERR_INPUT if a coordinate or energy is not finite: such results are never written. */
bt_status bt_result_check(const bt_result *result, bt_error *opt_error) BT_MUST_USE;

#endif
