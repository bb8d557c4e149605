/* docking.h - reads the results of a docking: the JSON of `berth dock`, or a docking log (.dlg) of AutoDock-GPU.
 *
 * Both hold the molecule, every pose with its energies, and the clusters; docs/json.md, docs/formats.md.
 */
#ifndef BERTH_REPORT_DOCKING_H
#define BERTH_REPORT_DOCKING_H

#include <berth/checks.h>
#include <berth/score.h>

#include "pose/ligand.h"
#include "results/analysis/waters.h"
#include "results/score_list.h"

/* How a pose meets a constraint, as bt_constraint_verdict. */
typedef struct bt_report_constraint {
  char *name;
  bool required, met;
  double distance, miss, energy;
} bt_report_constraint;

/* A pose of a report. Energies are kcal/mol, RMSDs Angstrom; NaN: not known. */
typedef struct bt_report_pose {
  int run, cluster, rank_in_cluster; /* from 1; 0: not known */
  int site;                          /* of several boxes, from 1; 0: there was one */
  int receptor;                      /* of an ensemble, from 1; 0: there was one */
  int seed;                          /* number of the seed pose that was minimized, from 1; 0: the search found it */
  double free_energy, inter, intra, torsional;
  double vdw, electrostatic, moving; /* of inter: with hydrogen bonds and desolvation; charges; flexible residues */
  double cluster_rmsd, reference_rmsd;
  bt_score_list scores;              /* of re-scorers, kcal/mol */
  bt_score_list values;              /* what re-scorers say that is no energy, by the names that people see */
  bool further;                      /* not the best pose of a run, but another minimum */
  bool by_cluster;                   /* poses are in the order of clusters, not of energies */
  double *xyz; /* [3 n_atoms] ligand, then flexible residues */
  double strain;        /* kcal/mol above the relaxed conformer; NaN: not known */
  unsigned faults;      /* bits of BT_FAULT_... */
  bt_checks checks;     /* not made: not known */
  bt_report_constraint *constraints; /* [n_constraints] */
  int n_constraints;
  bt_water_list waters; /* of hydrated docking; their places are not read */
} bt_report_pose;

/* Texts are "" when the file lacks them. */
typedef struct bt_docking_record {
  char *ligand, *flexible, *reference; /* PDBQT */
  char *command_line, *receptor_name, *receptor_file, *seed;
  char *protonation;  /* of ligands and receptor, in words */
  char *scoring;      /* "vina", ...; "": AutoDock 4's */
  char *ranked_by;    /* what ranks the poses; "": the docking's function */
  double rank_energy; /* of the ligand; NaN: its free energy */
  double evaluations; /* of all runs; NaN: not known */
  double box_center[3], box_size[3]; /* NaN: not known */
  double seconds;
  int n_atoms; /* of each pose */
  bt_report_pose *poses; /* by run */
  int n_poses;
} bt_docking_record;

/* label is for messages. BT_ERR_INPUT when the file holds no pose, or a damaged one. Clear it also after a failure. */
bt_status bt_docking_log_parse(const char *label, const char *text, size_t size, bt_docking_record *ret_docking,
                               bt_error *opt_error) BT_MUST_USE;
/* Any other JSON, or that of an early version, has no poses, which is not an error. */
bt_status bt_docking_json_parse(const char *label, const char *text, size_t size, bt_docking_record *ret_docking,
                                bt_error *opt_error) BT_MUST_USE;
void bt_docking_record_clear(bt_docking_record *docking);
/* The next pose, with nothing known; NULL: out of memory. */
bt_report_pose *bt_docking_record_add_pose(bt_docking_record *docking, size_t *room);

#endif
