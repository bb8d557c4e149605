/* docking_log.h - reading docking logs (.dlg), as Berth and AutoDock-GPU write them.
 *
 * A log holds the molecule, every pose with its energies, and the clusters; docs/formats.md has its layout.
 */
#ifndef BERTH_REPORT_DOCKING_LOG_H
#define BERTH_REPORT_DOCKING_LOG_H

#include "pose/ligand.h"

/* A pose of a report. Energies are kcal/mol, RMSDs Angstrom; NaN: not known. */
typedef struct bt_report_pose {
  int run, cluster, rank_in_cluster; /* from 1; 0: not known */
  double free_energy, inter, intra, torsional;
  double vdw, electrostatic, moving; /* parts of inter: with hydrogen bonds and desolvation; charges; flexible residues */
  double cluster_rmsd, reference_rmsd;
  double *xyz; /* [3 n_atoms] ligand, then flexible residues */
} bt_report_pose;

/* Texts are "" when the log lacks them. */
typedef struct bt_docking_log {
  char *ligand, *flexible, *reference; /* PDBQT */
  char *command_line, *fld, *receptor_name, *seed, *evaluations, *generations;
  double box_center[3], box_size[3]; /* NaN: not known */
  double seconds;
  int n_atoms; /* of each pose */
  bt_report_pose *poses; /* by run */
  int n_poses;
} bt_docking_log;

/* label is the file of messages. BT_ERR_INPUT when it holds no pose, or a damaged one. Clear it also after a failure. */
bt_status bt_docking_log_parse(const char *label, const char *text, size_t size, bt_docking_log *ret_log,
                               bt_error *opt_error) BT_MUST_USE;
void bt_docking_log_clear(bt_docking_log *log);

#endif
