/* pose_text.h - the lines of a pose as every PDBQT-like output has them. */
#ifndef BERTH_RESULTS_WRITE_POSE_TEXT_H
#define BERTH_RESULTS_WRITE_POSE_TEXT_H

#include <berth/berth.h>

#include "base/text/text.h"
#include "results/result.h"

/* A number right-aligned in width columns: decimals are given up before the column is broken. */
void bt_text_column(bt_text *text, double value, int width, int decimals, bool plus);

typedef struct bt_pose_style {
  const char *prefix; /* of every line */
  bool docking_log;   /* column headings before ROOT, AutoDock-GPU's form of charge and type; else as in the input */
  bool coordinates_only; /* occupancy and B factor as in the input */
} bt_pose_style;

/* The lines of the ligand's file and of the flexible residues with new coordinates, and the energies in the maps in
 * the columns of occupancy and B factor. Records of the tree and remarks are kept, except remarks with the energies of
 * an earlier docking; everything else (TER, END, USER) would end or confuse the pose and is left out. */
void bt_pose_lines(bt_text *text, const bt_result *result, const bt_run *run, bt_pose_style style);

/* Torsions in degrees, [0, 360), in the order of the ENDBRANCH records: AutoDock-GPU's. torsions[n_torsions]. */
bt_status bt_pose_dihedrals(const bt_ligand *ligand, const bt_genotype *genotype, double *torsions,
                            bt_error *opt_error) BT_MUST_USE;

/* Path of the ligand as the context or the molecule gives it, and so on; never NULL. */
const char *bt_context_ligand(const bt_result *result, const bt_write_context *context);
const char *bt_context_fld(const bt_result *result, const bt_write_context *context);
/* NULL without flexible residues. */
const char *bt_context_flexible(const bt_result *result, const bt_write_context *context);

#endif
