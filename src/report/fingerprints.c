/* fingerprints.c - which residues the best pose of each ligand touches, and how, for a table. */
#include "report/report_internal.h"
#include "results/analysis/interaction_set.h"

bt_status bt_report_fingerprint(bt_report *report, const char *name, const bt_ligand *ligand, const double *xyz,
                                bt_error *opt_error) {
  bt_interactions *found = NULL;
  if (report->fingerprints == NULL || report->site == NULL) return BT_OK;
  BT_TRY(bt_interactions_in(report->site, &report->options->contacts, ligand, xyz, &found, opt_error));
  bt_status status = bt_interaction_table_add(report->fingerprints, name, 1, found, NULL, opt_error);
  bt_interactions_destroy(found);
  return status;
}
