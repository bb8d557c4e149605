/* stored_result.c - a ligand of a database with its poses, as it was docked. */
#include "store/stored_result.h"

#include <berth/checks.h>
#include <berth/report.h>
#include <berth/score.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "constrain/constrain.h"
#include "formats/pdbqt/pdbqt.h"
#include "results/docked.h"
#include "score/score.h"

void bt_stored_result_clear(bt_stored_result *r) {
  bt_result_destroy(r->result);
  bt_ligand_destroy(r->ligand);
  bt_molecule_list_destroy(r->list, r->count);
  *r = (bt_stored_result){0};
}

static bt_status read_pose(const bt_store_pose *pose, const bt_ligand *ligand, bt_run *run, bt_error *opt_error) {
  if (pose->n_genes != 7 + ligand->n_torsions)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "restore the database from a copy",
                   "%s: a pose has %d degrees of freedom, but the molecule needs %d", ligand->molecule->name,
                   pose->n_genes, 7 + ligand->n_torsions);
  memcpy(run->genotype.position, pose->genotype, 3 * sizeof(double));
  memcpy(run->genotype.quaternion, pose->genotype + 3, 4 * sizeof(double));
  if (ligand->n_torsions > 0)
    memcpy(run->genotype.torsions, pose->genotype + 7, (size_t)ligand->n_torsions * sizeof(double));
  bt_genotype_coordinates(ligand, &run->genotype, run->xyz);
  bt_docked_round(ligand, NULL, run->xyz);
  run->energy = (bt_energy){.free_energy = pose->free_energy,
                            .inter = pose->terms[0],
                            .intra = pose->terms[1],
                            .torsional = pose->terms[2],
                            .total = pose->terms[0] + pose->terms[1] + pose->terms[2]};
  if (bt_scoring_traits_of(ligand->scoring)->affinity) run->energy.unbound = run->energy.total - pose->free_energy;
  return BT_OK;
}

static bt_status rescore(bt_stored_result *r, const bt_maps *maps, const bt_store_row *row, bt_error *opt_error) {
  bt_scorer *scorer = NULL;
  BT_TRY(bt_scorer_create(r->ligand, maps, BT_FORM_TABULATED, r->result->options.torsional, &scorer, opt_error));
  bt_status status = BT_OK;
  for (int k = 0; k < r->result->n_runs; k++) {
    bt_run *run = &r->result->runs[k];
    double unbound = run->energy.unbound; /* of all runs of the docking */
    bt_score_coordinates(scorer, run->xyz, &run->energy, run->atoms);
    bt_score_set_unbound(r->ligand, &run->energy, unbound);
    if (status == BT_OK && fabs(run->energy.free_energy - row->poses[k].free_energy) > 0.05)
      status = bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = row->name}, "provide the receptor of this screen",
                       "a pose has %.3f kcal/mol in these maps, but %.3f in the database", run->energy.free_energy,
                       row->poses[k].free_energy);
  }
  bt_scorer_destroy(scorer);
  return status;
}

bt_status bt_store_scoring(bt_store *store, bt_scoring *ret_scoring, bt_error *opt_error) {
  BT_SCOPED char *name = NULL;
  *ret_scoring = BT_SCORING_UNNAMED;
  BT_TRY(bt_store_get(store, "scoring", &name, opt_error));
  if (name == NULL || bt_scoring_find(name, ret_scoring)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = bt_store_path(store)}, "use the version that wrote it",
                 "this version does not know the scoring function %s", name);
}

/* Databases of early versions say it by the settings that it follows from. */
bt_status bt_store_ranked_by(bt_store *store, char **ret_name, bt_error *opt_error) {
  BT_SCOPED char *name = NULL, *engine = NULL, *rescore = NULL, *rank_by = NULL;
  bt_scoring scoring;
  BT_TRY(bt_store_get(store, "ranked_by", &name, opt_error));
  BT_TRY(bt_store_get(store, "engine", &engine, opt_error));
  BT_TRY(bt_store_get(store, "rescore", &rescore, opt_error));
  BT_TRY(bt_store_get(store, "rank_by", &rank_by, opt_error));
  BT_TRY(bt_store_scoring(store, &scoring, opt_error));
  const char *comma = rescore != NULL ? strrchr(rescore, ',') : NULL;
  const char *last = comma != NULL ? comma + 1 : rescore;
  bool blend = rank_by != NULL && strcmp(rank_by, bt_rank_name(BT_RANK_BLEND)) == 0;
  const char *found = name != NULL   ? name
                    : engine != NULL ? engine
                    : blend          ? rank_by
                    : last != NULL   ? last
                                     : bt_scoring_name(scoring);
  *ret_name = bt_copy_text(found, strlen(found));
  return *ret_name != NULL ? BT_OK : bt_fail_memory(opt_error);
}

bt_status bt_store_result(const bt_store_row *row, bt_scoring scoring, const bt_molecule *opt_flexible,
                          const bt_maps *opt_maps, bt_stored_result *r, bt_error *opt_error) {
  *r = (bt_stored_result){0};
  BT_TRY(bt_molecule_from_memory(row->name, row->molecule, strlen(row->molecule), BT_MOLECULE_LIGAND, &r->list,
                                 &r->count, opt_error));
  BT_TRY(bt_ligand_create_as(r->list[0], opt_flexible, scoring, &r->ligand, opt_error));
  bt_dock_options options = bt_dock_options_default();
  options.runs = row->n_poses;
  options.evaluations = row->runs > 0 ? row->evaluations / row->runs : 0;
  BT_TRY(bt_result_create(r->ligand, opt_maps, NULL, &options, &r->result, opt_error));
  r->result->evaluations = row->evaluations;
  r->result->seconds = row->seconds;
  memcpy(r->result->device, row->device, sizeof r->result->device);
  for (int k = 0; k < row->n_poses; k++) BT_TRY(read_pose(&row->poses[k], r->ligand, &r->result->runs[k], opt_error));
  if (opt_maps != NULL) BT_TRY(rescore(r, opt_maps, row, opt_error));
  return bt_result_cluster(r->result, opt_error);
}

bt_status bt_store_receptor(bt_store *store, bt_molecule ***ret_list, int *ret_count, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  *ret_list = NULL;
  *ret_count = 0;
  BT_TRY(bt_store_get_text(store, "receptor", &text, opt_error));
  if (text == NULL) return BT_OK;
  return bt_molecule_from_memory("receptor", text, strlen(text), BT_MOLECULE_RECEPTOR, ret_list, ret_count, opt_error);
}

bt_status bt_store_flexible(bt_store *store, bt_molecule **ret_flexible, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  bt_molecule **list = NULL;
  int count = 0;
  *ret_flexible = NULL;
  BT_TRY(bt_store_get_text(store, "flexible", &text, opt_error));
  if (text == NULL) return BT_OK;
  BT_TRY(
      bt_molecule_from_memory("flexible residues", text, strlen(text), BT_MOLECULE_FLEXIBLE, &list, &count, opt_error));
  *ret_flexible = list[0];
  list[0] = NULL;
  bt_molecule_list_destroy(list, count);
  return BT_OK;
}

bt_status bt_store_constraints(bt_store *store, const bt_molecule *opt_receptor, bt_constraints **ret_constraints,
                               bt_error *opt_error) {
  BT_SCOPED char *words = NULL, *core = NULL, *smarts = NULL;
  *ret_constraints = NULL;
  BT_TRY(bt_store_get(store, "constraints", &words, opt_error));
  BT_TRY(bt_store_get(store, "core_smarts", &smarts, opt_error));
  BT_TRY(bt_store_get_text(store, "core", &core, opt_error));
  if (words == NULL) return BT_OK;
  bt_status status = bt_constraints_restore(words, core, smarts, opt_receptor, ret_constraints, NULL);
  return status == BT_ERR_MEMORY ? bt_fail_memory(opt_error) : BT_OK;
}

bt_status bt_stored_result_judge(bt_stored_result *r, const bt_pose_judges *judges, bt_error *opt_error) {
  if (judges->opt_constraints != NULL && bt_ligand_constrain(r->ligand, judges->opt_constraints, NULL) == BT_ERR_MEMORY)
    return bt_fail_memory(opt_error);
  BT_TRY(bt_result_judge_strain(r->result, 1, opt_error));
  return bt_result_check_poses(r->result, judges->receptor, judges->n_receptor, false, opt_error);
}
