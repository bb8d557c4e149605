/* detail.h - everything that a report shows of one ligand: depiction, poses, energies, contacts; as JSON. */
#ifndef BERTH_REPORT_DETAIL_H
#define BERTH_REPORT_DETAIL_H

#include <berth/report.h>

#include "base/text/json.h"
#include "report/docking.h"
#include "results/analysis/contacts.h"

typedef struct bt_report_ligand {
  const bt_ligand *ligand;
  const bt_report_pose *poses; /* [n_poses] the best first */
  int n_poses, n_shown;        /* all runs count in plots, the first n_shown bring their coordinates */
  bool all_runs;               /* the poses are those of all runs, so that plots of runs make sense */
  const bt_molecule *opt_reference;
  const bt_contact_site *opt_site; /* NULL: without a receptor there are no contacts */
  const bt_contact_options *contacts;
} bt_report_ligand;

/* Adds one object: smiles and svg of the isomer that was docked, isomer_of (the SMILES of an input that leaves its
 * stereochemistry undefined), poses, reference. A molecule without bonds has neither SMILES nor depiction, and its
 * poses are PDB instead of SDF. */
bt_status bt_report_add_detail(bt_json *json, const bt_report_ligand *ligand, bt_error *opt_error) BT_MUST_USE;

/* Atoms as PDB text; opt_xyz NULL: the molecule's own coordinates. hetero: HETATM, residue LIG, chain ' '. */
bt_status bt_report_add_pdb(bt_json *json, const char *key, const bt_molecule *molecule, const double *opt_xyz,
                            bool hetero, bt_error *opt_error) BT_MUST_USE;

#endif
