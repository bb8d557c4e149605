/* csv.c - one row per pose, by cluster and energy, for spreadsheets (RFC 4180). */
#include <berth/constrain.h>
#include <berth/score.h>
#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "results/analysis/strain.h"
#include "results/checks/checks.h"
#include "results/constraint.h"
#include "results/flags.h"
#include "results/write/write.h"

/* Of the best pose of a cluster, which was scored; others have empty fields. */
static void add_rescored(bt_text *text, const bt_rescored *of, bool scored) {
  if (scored)
    bt_text_printf(text, ",%.4f,%d,%.3f", of->score, of->rank, of->moved);
  else
    bt_text_add_string(text, ",,,");
  for (int v = 0; v < of->n_values; v++) {
    bt_text_add_char(text, ',');
    if (scored) bt_text_printf(text, BT_VALUE_FORMAT, of->values[v]);
  }
}

static void add_row(bt_text *text, const bt_result *result, int position) {
  int index = result->ranking[position];
  const bt_run *run = &result->runs[index];
  const bt_energy *e = &run->energy;
  bt_text_csv(text, bt_molecule_name(result->ligand->molecule));
  bt_text_printf(text, ",%d,%d,%d,%d", position + 1, index + 1, run->cluster, run->rank_in_cluster);
  const double energies[] = {e->free_energy,       e->inter,        e->inter_vdw_hbond, e->inter_electrostatic,
                             e->inter_desolvation, e->inter_moving, e->intra,           e->intra_flex,
                             e->torsional,         e->total};
  for (size_t k = 0; k < sizeof energies / sizeof energies[0]; k++) bt_text_printf(text, ",%.4f", energies[k]);
  bt_text_printf(text, ",%.3f,", run->cluster_rmsd);
  if (bt_result_has_reference(result)) bt_text_printf(text, "%.3f", run->reference_rmsd);
  bt_text_printf(text, ",%" PRId64 ",", run->evaluations);
  bt_flags_add_text(text, run);
  bt_text_printf(text, ",%.4f,%s", e->unbound, bt_scoring_name(result->ligand->scoring));
  for (int k = 0; k < result->n_rescored; k++)
    add_rescored(text, &result->rescored[k][run->cluster - 1], run->rank_in_cluster == 1);
  bt_text_printf(text, ",%s,", bt_result_ranked_by(result));
  if (bt_run_is_ranked(result, run)) bt_text_printf(text, "%.4f", bt_run_rank_energy(result, run));
  if (result->with_strain) bt_text_add_char(text, ',');
  if (result->with_strain && !isnan(run->strain)) bt_text_printf(text, "%.2f", run->strain);
  if (result->with_strain) bt_text_printf(text, ",%s", result->strain_source);
  if (result->with_checks) bt_text_add_char(text, ',');
  if (result->with_checks) bt_checks_add_text(text, &run->checks);
  if (run->site > 0) bt_text_printf(text, ",%d", run->site);
  if (result->ensemble) bt_text_add_char(text, ',');
  if (result->ensemble) bt_text_csv(text, bt_run_maps(result, run)->receptor_name);
  if (result->ligand->n_conformers > 0) bt_text_printf(text, ",%d", run->conformer + 1);
  if (bt_result_constraint_count(result) > 0) {
    BT_ENDED_BY(bt_text_destroy) bt_text constraints = {0};
    bt_constraints_add_text(&constraints, result, index);
    text->failed |= constraints.failed;
    bt_text_add_char(text, ',');
    bt_text_csv(text, constraints.data);
  }
  if (bt_result_has_seeds(result)) bt_text_printf(text, ",%s,", run->seed > 0 ? "seed" : "search");
  if (run->seed > 0) bt_text_printf(text, "%d", run->seed);
  for (int s = 0; result->with_waters && s <= BT_WATER_DISPLACED; s++)
    bt_text_printf(text, ",%d", bt_waters_count(&run->waters, (bt_water_state)s));
  bt_text_add_char(text, '\n');
}

bt_status bt_write_csv(const bt_result *result, const bt_write_context *context, bt_text *text, bt_error *opt_error) {
  (void)context;
  bt_text_add_string(text,
                     "ligand,rank,run,cluster,rank_in_cluster,free_energy,inter,inter_vdw_hbond,inter_electrostatic,"
                     "inter_desolvation,inter_moving,intra,intra_flex,torsional,total,rmsd_cluster,rmsd_reference,"
                     "evaluations,flags,unbound,scoring");
  for (int k = 0; k < result->n_rescored; k++) {
    const bt_rescored *of = &result->rescored[k][0];
    bt_text_printf(text, ",%s,%s_rank,%s_moved", of->name, of->name, of->name);
    for (int v = 0; v < of->n_values; v++) bt_text_printf(text, ",%s", of->value_names[v]);
  }
  bt_text_add_string(text, ",ranked_by,rank_energy");
  if (result->with_strain) bt_text_add_string(text, ",strain,strain_source");
  if (result->with_checks) bt_text_add_string(text, ",checks");
  if (result->runs[0].site > 0) bt_text_printf(text, ",%s", bt_result_site_word(result));
  if (result->ensemble) bt_text_add_string(text, ",receptor_name");
  if (result->ligand->n_conformers > 0) bt_text_add_string(text, ",conformer");
  if (bt_result_constraint_count(result) > 0) bt_text_add_string(text, ",constraints");
  if (bt_result_has_seeds(result)) bt_text_add_string(text, ",origin,seed_pose");
  if (result->with_waters) bt_text_add_string(text, ",waters_strong,waters_weak,waters_displaced");
  bt_text_add_char(text, '\n');
  for (int k = 0; k < result->n_poses; k++) add_row(text, result, k);
  return bt_text_status(text, opt_error);
}
