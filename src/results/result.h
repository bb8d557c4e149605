/* result.h - what a docking leaves behind: one pose per run, clusters, counters. */
#ifndef BERTH_RESULTS_RESULT_H
#define BERTH_RESULTS_RESULT_H

#include "grid/maps.h"
#include "pose/genotype.h"
#include "results/contacts.h"
#include "results/rmsd.h"
#include "score/score.h"

typedef struct bt_run {
  bt_genotype genotype;
  double *xyz;           /* [3 n_atoms] Angstrom */
  bt_energy energy;      /* double precision, re-scored */
  bt_atom_energy *atoms; /* [n_atoms] */
  double search_energy;  /* what the kernel reported: inter + intra, kcal/mol */
  double search_reference; /* the same law in double precision, before the pose was moved into the box */
  int64_t evaluations;
  int cluster, rank_in_cluster; /* 1-based */
  double cluster_rmsd, reference_rmsd;
  bt_contact_list contacts; /* empty unless bt_result_find_contacts was called */
} bt_run;

typedef struct bt_cluster {
  int leader; /* index of the run with the lowest free energy */
  int size;
  double lowest, mean; /* kcal/mol */
} bt_cluster;

struct bt_result {
  const bt_ligand *ligand;          /* borrowed */
  const bt_maps *maps;              /* borrowed */
  const bt_molecule *opt_reference; /* borrowed */
  bt_dock_options options;          /* as used: evaluations after the heuristic, seed after choosing */
  int n_runs, n_clusters;
  bt_run *runs; /* run order */
  int *ranking; /* [n_runs] indices: by cluster, then by energy within it */
  bt_cluster *clusters;
  int64_t evaluations; /* all runs */
  int64_t generations;
  double seconds;
  char device[64];
  char warning[512]; /* "": none */
  bool autostopped;
  bool with_contacts;
  bt_rmsd *rmsd;         /* how poses are compared */
  double *reference_xyz; /* [3 n_ligand_atoms] in the ligand's order, Angstrom; NULL: the reference does not match */
};

/* Allocates runs with room for poses of the ligand, and checks that the reference is the same molecule (BT_ERR_INPUT),
 * so that no search is wasted on a wrong one. */
bt_status bt_result_create(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                           const bt_dock_options *options, bt_result **ret_result, bt_error *opt_error) BT_MUST_USE;
/* Keeps the first runs only. */
void bt_result_shorten(bt_result *result, int n_runs);
/* Fills clusters, ranking and RMSDs from the runs' poses and energies. Greedy: runs in the order of their estimated
 * free energy join the first cluster whose leader is within the tolerance, or open a new one. */
bt_status bt_result_cluster(bt_result *result, bt_error *opt_error) BT_MUST_USE;

/* Indices of the runs by estimated free energy, of equal ones the earlier first; order[n_runs]. */
bt_status bt_result_order(const bt_result *result, int *order, bt_error *opt_error) BT_MUST_USE;
/* BT_ERR_INPUT when a pose or an energy is no finite number: such results are never written. */
bt_status bt_result_check(const bt_result *result, bt_error *opt_error) BT_MUST_USE;

#endif
