/* sdf.c - poses as SDF on the ligand's own bonds, the best of each cluster, best first.
 *
 * Numbers stand in data items of their own for spreadsheets, and together in the item "meeko" as the JSON object that
 * Meeko's export writes, for tools that read that.
 */
#include <berth/constrain.h>
#include <berth/score.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/json.h"
#include "chem/chemistry.h"
#include "chem/glue.h"
#include "chem/molecule.h"
#include "results/analysis/strain.h"
#include "results/checks/checks.h"
#include "results/constraint.h"
#include "results/docked.h"
#include "results/flags.h"
#include "results/write/pose_text.h"
#include "results/write/sdf_tags.h"
#include "results/write/write.h"

void bt_sdf_tags_clear(bt_sdf_tags *list) {
  free(list->tags);
  bt_arena_destroy(&list->texts);
  *list = (bt_sdf_tags){.count = 0};
}

void bt_sdf_add_text(bt_sdf_tags *list, const char *name, const char *value) {
  bool added = BT_APPEND(list->tags, list->count, &list->capacity, (bt_sdf_tag){.name = name, .value = value});
  list->texts.failed |= !added;
}

enum { NUMBER = 48 }; /* characters of a text that the list keeps */

static char *new_text(bt_sdf_tags *list) { return bt_arena_allocate(&list->texts, NUMBER, 1); }

void bt_sdf_add_real(bt_sdf_tags *list, const char *name, double value) {
  char *text = new_text(list);
  if (text != NULL) snprintf(text, NUMBER, "%.3f", value);
  bt_sdf_add_text(list, name, text);
}

void bt_sdf_add_count(bt_sdf_tags *list, const char *name, int64_t value) {
  char *text = new_text(list);
  if (text != NULL) snprintf(text, NUMBER, "%lld", (long long)value);
  bt_sdf_add_text(list, name, text);
}

void bt_sdf_add_rank(bt_sdf_tags *list, const char *ranked_by, double rank_energy) {
  bt_sdf_add_text(list, "ranked_by", ranked_by);
  if (!isnan(rank_energy)) bt_sdf_add_real(list, "rank_energy", rank_energy);
}

/* PREFIX_NAME, which the list keeps. */
static const char *name_tag(bt_sdf_tags *list, const char *prefix, const char *name) {
  size_t size = strlen(prefix) + strlen(name) + 2;
  char *text = bt_arena_allocate(&list->texts, size, 1);
  if (text != NULL) snprintf(text, size, "%s_%s", prefix, name);
  return text;
}

void bt_sdf_add_score(bt_sdf_tags *list, const char *rescorer, double score) {
  bt_sdf_add_real(list, name_tag(list, "score", rescorer), score);
}

void bt_sdf_add_value(bt_sdf_tags *list, const char *name, double value) {
  char *text = new_text(list);
  if (text != NULL) snprintf(text, NUMBER, BT_VALUE_FORMAT, value);
  bt_sdf_add_text(list, name, text);
}

void bt_sdf_add_scoring(bt_sdf_tags *list, bt_scoring scoring, double unbound) {
  if (bt_scoring_traits_of(scoring)->affinity) bt_sdf_add_real(list, "energy_unbound", unbound);
  bt_sdf_add_text(list, "scoring", bt_scoring_name(scoring));
}

void bt_sdf_add_strain(bt_sdf_tags *list, const bt_result *result, const bt_run *run) {
  if (!result->with_strain) return;
  if (!isnan(run->strain)) {
    bt_sdf_add_real(list, "strain", run->strain);
    bt_sdf_add_text(list, "strain_source", result->strain_source);
  }
  for (int k = 0; k < BT_FAULTS; k++)
    if ((run->faults & bt_fault_bit(k)) != 0) bt_sdf_add_count(list, bt_fault_word(k), 1);
}

bt_status bt_sdf_add_docked(bt_sdf_tags *list, const bt_docked *docked, bt_text *text, bt_error *opt_error) {
  bt_docked_text(text, docked);
  BT_TRY(bt_text_status(text, opt_error));
  bt_sdf_add_text(list, BT_DOCKED_ITEM, text->data);
  return BT_OK;
}

static bool has_rings(const bt_molecule *molecule) {
  if (!bt_molecule_has_chemistry(molecule)) return false;
  const bt_rdmol *mol = molecule->chemistry->mol;
  return bt_rdmol_bond_count(mol) >= bt_rdmol_atom_count(mol);
}

/* Would preparing the record again lose waters, residues, the bond to the receptor, options of the preparation, or how
 * far an opened ring is from closing? */
static bool needs_pose(const bt_ligand *ligand) {
  const bt_molecule *molecule = ligand->molecule;
  bool needed = molecule->special || molecule->tether[0] != '\0' || ligand->opt_flexible != NULL;
  for (int i = 0; i < molecule->n_atoms && !needed; i++)
    needed = bt_is_hydration_water(molecule->atoms[i].type) || bt_glue_point(molecule->atoms[i].type) >= 0;
  return needed;
}

/* The pose as PDBQT, headed by what the list says of its docking. */
static void add_pose_lines(bt_text *text, const bt_result *result, const bt_run *run, const bt_sdf_tags *list) {
  for (int k = 0; k < list->count; k++) {
    const bt_sdf_tag *tag = &list->tags[k];
    if (strcmp(tag->name, "docking_score") == 0) bt_text_printf(text, "REMARK VINA RESULT: %s\n", tag->value);
    if (strcmp(tag->name, BT_DOCKED_ITEM) == 0) bt_text_printf(text, "REMARK " BT_DOCKED_REMARK " %s\n", tag->value);
  }
  bt_pose_lines(text, result, run, (bt_pose_style){.prefix = "", .coordinates_only = true});
  while (text->size > 0 && text->data[text->size - 1] == '\n') text->data[--text->size] = '\0';
}

bt_status bt_sdf_add_pose(bt_text *text, const bt_result *result, const bt_run *run, bt_sdf_tags *list,
                          bt_error *opt_error) {
  BT_SCOPED char *record = NULL;
  BT_ENDED_BY(bt_text_destroy) bt_text opened = {0}, covalent = {0}, pose = {0};
  if (needs_pose(result->ligand)) add_pose_lines(&pose, result, run, list);
  BT_TRY(bt_text_status(&pose, opt_error));
  const bt_molecule *molecule = bt_run_ligand(result, run)->molecule;
  if (has_rings(molecule)) {
    bt_docked_opened_text(&opened, molecule);
    BT_TRY(bt_text_status(&opened, opt_error));
    bt_sdf_add_text(list, BT_OPENED_ITEM, opened.data);
  }
  bt_docked_covalent_text(&covalent, molecule);
  BT_TRY(bt_text_status(&covalent, opt_error));
  if (covalent.size > 0) bt_sdf_add_text(list, BT_COVALENT_ITEM, covalent.data);
  if (pose.size > 0) bt_sdf_add_text(list, BT_POSE_ITEM, pose.data);
  BT_TRY(bt_arena_status(&list->texts, opt_error));
  BT_TRY(bt_molecule_sdf(molecule, (const double(*)[3])(const void *)run->xyz, list->tags, list->count, &record,
                         opt_error));
  bt_text_add_string(text, record);
  return BT_OK;
}

static bt_status meeko_item(const bt_result *result, const bt_run *run, bt_text *text, bt_error *opt_error) {
  bt_json json = {.text = text};
  bt_json_printf(&json, "{ is_sidechain [ %hhd ] free_energy %g intermolecular_energy %g internal_energy %g",
                 (bool)false, run->energy.free_energy, run->energy.inter, run->energy.intra);
  bt_json_printf(&json, "cluster_size %d cluster_id %d rank_in_cluster %d }", result->clusters[run->cluster - 1].size,
                 run->cluster, run->rank_in_cluster);
  return bt_text_status(text, opt_error);
}

static void add_waters(bt_sdf_tags *list, const bt_run *run) {
  static const char *const items[] = {"waters_strong", "waters_weak", "waters_displaced"};
  for (int state = BT_WATER_STRONG; state <= BT_WATER_DISPLACED; state++)
    bt_sdf_add_count(list, items[state], bt_waters_count(&run->waters, (bt_water_state)state));
}

static void add_rescored(bt_sdf_tags *list, const bt_rescored *of) {
  bt_sdf_add_score(list, of->name, of->score);
  bt_sdf_add_count(list, name_tag(list, "rank", of->name), of->rank);
  for (int v = 0; v < of->n_values; v++) bt_sdf_add_value(list, of->value_names[v], of->values[v]);
}

static bt_status add_leader(bt_text *text, const bt_result *result, int cluster, bt_error *opt_error) {
  int index = result->clusters[cluster].leader;
  const bt_run *run = &result->runs[index];
  const bt_energy *e = &run->energy;
  BT_ENDED_BY(bt_sdf_tags_clear) bt_sdf_tags list = {.count = 0};
  bt_sdf_add_real(&list, "docking_score", e->free_energy);
  bt_sdf_add_real(&list, "energy_inter", e->inter);
  bt_sdf_add_real(&list, "energy_intra", e->intra);
  bt_sdf_add_real(&list, "energy_torsional", e->torsional);
  bt_sdf_add_scoring(&list, result->ligand->scoring, e->unbound);
  for (int k = 0; k < result->n_rescored; k++) add_rescored(&list, &result->rescored[k][cluster]);
  bt_sdf_add_rank(&list, bt_result_ranked_by(result), bt_result_rank_energy(result, cluster));
  const char *opt_parent = result->ligand->molecule->opt_parent;
  if (opt_parent != NULL) bt_sdf_add_text(&list, "parent", opt_parent);
  bt_sdf_add_count(&list, "rank", cluster + 1);
  bt_sdf_add_count(&list, "run", index + 1);
  if (run->site > 0) bt_sdf_add_count(&list, bt_result_site_word(result), run->site);
  if (result->ensemble) bt_sdf_add_text(&list, "receptor_name", bt_run_maps(result, run)->receptor_name);
  if (result->ligand->n_conformers > 0) bt_sdf_add_count(&list, "conformer", run->conformer + 1);
  if (bt_result_has_seeds(result)) bt_sdf_add_text(&list, "origin", run->seed > 0 ? "seed" : "search");
  if (run->seed > 0) bt_sdf_add_count(&list, "seed_pose", run->seed);
  bt_sdf_add_count(&list, "cluster_id", run->cluster);
  bt_sdf_add_count(&list, "cluster_size", result->clusters[cluster].size);
  bt_sdf_add_count(&list, "rank_in_cluster", run->rank_in_cluster);
  bt_sdf_add_real(&list, "rmsd_cluster", run->cluster_rmsd);
  if (bt_result_has_reference(result)) bt_sdf_add_real(&list, "rmsd_reference", run->reference_rmsd);
  if (bt_run_is_outside(run)) bt_sdf_add_count(&list, "outside_box", 1);
  if (result->with_waters) add_waters(&list, run);
  bt_sdf_add_strain(&list, result, run);
  BT_ENDED_BY(bt_text_destroy) bt_text meeko = {0}, grid = {0}, constraints = {0}, checks = {0};
  bt_constraints_add_text(&constraints, result, (int)(run - result->runs));
  BT_TRY(bt_text_status(&constraints, opt_error));
  if (constraints.size > 0) bt_sdf_add_text(&list, "constraints", constraints.data);
  if (result->with_checks && run->checks.made) bt_checks_add_text(&checks, &run->checks);
  if (checks.size > 0) bt_sdf_add_text(&list, "checks", checks.data);
  BT_TRY(bt_text_status(&checks, opt_error));
  bt_docked docked;
  if (bt_docked_of(result, run, &docked)) BT_TRY(bt_sdf_add_docked(&list, &docked, &grid, opt_error));
  BT_TRY(meeko_item(result, run, &meeko, opt_error));
  bt_sdf_add_text(&list, "meeko", meeko.data);
  return bt_sdf_add_pose(text, result, run, &list, opt_error);
}

/* By the names of the engine: "berth_bude_steric". */
static bt_status add_rigid(bt_text *text, const bt_result *result, int cluster, int rank, bt_error *opt_error) {
  const bt_rigid *rigid = result->opt_rigid;
  int leader = result->clusters[cluster].leader;
  const char *const names[] = {"energy", rigid->terms[0], rigid->terms[1], rigid->terms[2]};
  double energies[4];
  char prefix[32];
  BT_SCOPED char *record = NULL;
  BT_ENDED_BY(bt_sdf_tags_clear) bt_sdf_tags list = {.count = 0};
  if (!bt_molecule_has_chemistry(result->ligand->molecule)) {
    if (opt_error != NULL) *opt_error = *rigid->no_bonds;
    return rigid->no_bonds->status;
  }
  snprintf(prefix, sizeof prefix, "berth_%s", rigid->engine);
  bt_run_rigid_energies(&result->runs[leader], energies);
  for (int k = 0; k < 4; k++) {
    char *value = new_text(&list);
    if (value != NULL) snprintf(value, NUMBER, "%.4f", energies[k]);
    bt_sdf_add_text(&list, name_tag(&list, prefix, names[k]), value);
  }
  bt_sdf_add_count(&list, name_tag(&list, prefix, "conformer"), rigid->placements[leader].conformer);
  bt_sdf_add_count(&list, name_tag(&list, prefix, "rank"), rank > 0 ? rank : cluster + 1);
  for (int k = 0; k < result->n_rescored; k++) add_rescored(&list, &result->rescored[k][cluster]);
  if (result->n_rescored > 0)
    bt_sdf_add_rank(&list, bt_result_ranked_by(result), bt_result_rank_energy(result, cluster));
  BT_TRY(bt_arena_status(&list.texts, opt_error));
  const double(*x)[3] = (const double(*)[3])(const void *)result->runs[leader].xyz;
  BT_TRY(bt_molecule_sdf(result->ligand->molecule, x, list.tags, list.count, &record, opt_error));
  bt_text_add_string(text, record);
  return BT_OK;
}

bt_status bt_write_sdf(const bt_result *result, const bt_write_context *context, bt_text *text, bt_error *opt_error) {
  for (int c = 0; c < bt_result_written(result); c++)
    if (!result->clusters[c].left_out)
      BT_TRY(result->opt_rigid != NULL ? add_rigid(text, result, c, context->rank, opt_error)
                                       : add_leader(text, result, c, opt_error));
  return bt_text_status(text, opt_error);
}
