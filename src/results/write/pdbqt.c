/* pdbqt.c - poses as PDBQT, one MODEL each, the best of each cluster, best first; binding modes likewise.
 *
 * The energies stand in the remarks that AutoDock Vina writes, which viewers, Meeko and Ringtail read: after VINA
 * RESULT the estimated free energy and two distances to the first pose (nearest atoms of one type; by index).
 */
#include <berth/constrain.h>
#include <berth/prepare.h>
#include <berth/score.h>
#include <berth/vina.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "results/constraint.h"
#include "results/docked.h"
#include "results/flags.h"
#include "results/rigid_pose.h"
#include "results/write/pose_text.h"
#include "results/write/write.h"

typedef struct distances {
  bt_rmsd *nearest, *index;
} distances;

static void add_term(bt_text *text, const char *label, double energy) {
  bt_text_printf(text, "%-25s", label);
  bt_text_column(text, energy, 12, 3, false);
  bt_text_add_char(text, '\n');
}

static void add_remarks(bt_text *text, int model, const bt_energy *e, double low, double high, bool torsional) {
  bt_text_printf(text, "MODEL %d\nREMARK VINA RESULT: ", model);
  bt_text_column(text, e->free_energy, 9, 3, false);
  bt_text_printf(text, "  %9.3f  %9.3f\n", low, high);
  add_term(text, "REMARK INTER + INTRA:", e->inter + e->intra);
  add_term(text, "REMARK INTER:", e->inter);
  add_term(text, "REMARK INTRA:", e->intra);
  if (torsional) add_term(text, "REMARK CONF_INDEPENDENT:", e->torsional);
  add_term(text, "REMARK UNBOUND:", e->inter + e->intra + e->torsional - e->free_energy);
}

static void add_grid(bt_text *text, const bt_result *result, const bt_run *run) {
  bt_docked docked;
  if (!bt_docked_of(result, run, &docked)) return;
  bt_text_add_string(text, "REMARK " BT_DOCKED_REMARK " ");
  bt_docked_text(text, &docked);
  bt_text_add_char(text, '\n');
}

/* Of a cluster. */
static void add_rank(bt_text *text, const bt_result *result, int cluster) {
  bt_text_printf(text, "REMARK BERTH ranked_by %s rank_energy %.3f\n", bt_result_ranked_by(result),
                 bt_result_rank_energy(result, cluster));
}

static void add_rescored(bt_text *text, const bt_result *result, int cluster) {
  for (int k = 0; k < result->n_rescored; k++) {
    const bt_rescored *of = &result->rescored[k][cluster];
    bt_text_printf(text, "REMARK BERTH rescored %s %.3f rank %d moved %.3f", of->name, of->score, of->rank, of->moved);
    for (int v = 0; v < of->n_values; v++)
      bt_text_printf(text, " %s " BT_VALUE_FORMAT, of->value_names[v], of->values[v]);
    bt_text_add_char(text, '\n');
  }
}

/* What Vina has no remarks for, of the best pose of a cluster. */
static void add_own_remarks(bt_text *text, const bt_result *result, int cluster) {
  int index = result->clusters[cluster].leader;
  const bt_run *run = &result->runs[index];
  bt_text_printf(text, "REMARK BERTH run %d cluster %d rank_in_cluster %d", index + 1, run->cluster,
                 run->rank_in_cluster);
  if (bt_result_has_reference(result)) bt_text_printf(text, " rmsd_reference %.3f", run->reference_rmsd);
  if (run->site > 0) bt_text_printf(text, " %s %d", bt_result_site_word(result), run->site);
  if (run->seed > 0) bt_text_printf(text, " seed_pose %d", run->seed);
  bt_text_printf(text, " scoring %s\n", bt_scoring_name(result->ligand->scoring));
  add_rank(text, result, cluster);
  if (bt_result_constraint_count(result) > 0) {
    bt_text_add_string(text, "REMARK BERTH constraints ");
    bt_constraints_add_text(text, result, index);
    bt_text_add_char(text, '\n');
  }
  bt_waters_add_lines(text, "REMARK BERTH ", result->ligand, &run->waters);
  add_grid(text, result, run);
  add_rescored(text, result, cluster);
}

static bt_status measure(const bt_result *result, const bt_run *run, const distances *to_best, double *ret_low,
                         double *ret_high, bt_error *opt_error) {
  const bt_run *best = &result->runs[result->clusters[0].leader];
  BT_TRY(bt_rmsd_distance(to_best->nearest, run->xyz, best->xyz, ret_low, opt_error));
  return bt_rmsd_distance(to_best->index, run->xyz, best->xyz, ret_high, opt_error);
}

static bt_status add_leader(bt_text *text, const bt_result *result, int cluster, const distances *to_best,
                            bt_error *opt_error) {
  const bt_run *run = &result->runs[result->clusters[cluster].leader];
  double low, high;
  BT_TRY(measure(result, run, to_best, &low, &high, opt_error));
  add_remarks(text, cluster + 1, &run->energy, low, high, true);
  add_own_remarks(text, result, cluster);
  bt_pose_lines(text, result, run, (bt_pose_style){.prefix = ""});
  bt_text_add_string(text, "ENDMDL\n");
  return BT_OK;
}

/* The ligand is prepared in this pose: types and torsions are AutoDock's, energies those of the engine. */
static bt_status add_rigid(bt_text *text, const bt_result *result, int cluster, const distances *to_best,
                           bt_error *opt_error) {
  const bt_rigid *rigid = result->opt_rigid;
  int leader = result->clusters[cluster].leader;
  const bt_run *run = &result->runs[leader];
  bt_molecule *prepared;
  BT_SCOPED char *lines = NULL;
  double low, high, energies[4];
  BT_TRY(measure(result, run, to_best, &low, &high, opt_error));
  BT_TRY(bt_rigid_pose_prepare(result, cluster, &prepared, opt_error));
  bt_status status = bt_molecule_pdbqt(prepared, &lines, opt_error);
  bt_molecule_destroy(prepared);
  if (status != BT_OK) return status;
  bt_run_rigid_energies(run, energies);
  bt_text_printf(text, "MODEL %d\nREMARK Name = %s\nREMARK VINA RESULT: ", cluster + 1,
                 bt_molecule_name(result->ligand->molecule));
  bt_text_column(text, energies[0], 9, 3, false);
  bt_text_printf(text, "  %9.3f  %9.3f\nREMARK BERTH %s", low, high, rigid->engine);
  for (int k = 0; k < 3; k++) bt_text_printf(text, " %s %.4f", rigid->terms[k], energies[k + 1]);
  bt_text_printf(text, " conformer %d", rigid->placements[leader].conformer);
  if (result->opt_reference != NULL) bt_text_printf(text, " rmsd_reference %.3f", run->reference_rmsd);
  bt_text_add_char(text, '\n');
  add_rank(text, result, cluster);
  add_rescored(text, result, cluster);
  bt_text_add_string(text, lines);
  bt_text_add_string(text, "ENDMDL\n");
  return BT_OK;
}

static void end_distances(distances *to_best) {
  bt_rmsd_destroy(to_best->nearest);
  bt_rmsd_destroy(to_best->index);
}

bt_status bt_write_pdbqt(const bt_result *result, const bt_write_context *context, bt_text *text, bt_error *opt_error) {
  (void)context;
  const bt_molecule *molecule = result->ligand->molecule;
  BT_ENDED_BY(end_distances) distances to_best = {0};
  BT_TRY(bt_rmsd_create(molecule, BT_RMSD_NEAREST, false, &to_best.nearest, opt_error));
  BT_TRY(bt_rmsd_create(molecule, BT_RMSD_INDEX, false, &to_best.index, opt_error));
  for (int c = 0; c < bt_result_written(result); c++)
    if (!result->clusters[c].left_out)
      BT_TRY((result->opt_rigid != NULL ? add_rigid : add_leader)(text, result, c, &to_best, opt_error));
  return bt_text_status(text, opt_error);
}

bt_status bt_result_write_modes(const bt_result *result, const bt_mode *modes, int count, const char *path,
                                bt_error *opt_error) {
  bool torsional = !bt_scoring_traits_of(result->ligand->scoring)->affinity; /* where rotors divide, they are no term */
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  for (int m = 0; m < count; m++) {
    const bt_run *run = &result->runs[modes[m].run - 1];
    add_remarks(&text, m + 1, &modes[m].energy, modes[m].rmsd_lower, modes[m].rmsd_upper, torsional);
    if (result->n_rescored > 0) add_own_remarks(&text, result, run->cluster - 1);
    bt_pose_lines(&text, result, run, (bt_pose_style){.prefix = "", .coordinates_only = true});
    bt_text_add_string(&text, "ENDMDL\n");
  }
  return bt_file_write_text(path, &text, opt_error);
}

bt_status bt_result_write_pose(const bt_result *result, int run, const char *path, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_pose_lines(&text, result, &result->runs[run - 1], (bt_pose_style){.prefix = "", .coordinates_only = true});
  return bt_file_write_text(path, &text, opt_error);
}
