/* screen.c - what a screen needs of the engine: ligands from records, rows from results, settings. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "constrain/constrain.h"
#include "engine/lga/engine.h"
#include "grid/maps/maps.h"
#include "pose/ligand.h"
#include "results/result.h"

/* --- ligands ------------------------------------------------------------------------------------------- */

/* Constraints by patterns need bonds, which libraries of prepared ligands leave out until they are needed. */
static bt_status constrain(const bt_lga_engine *e, bt_molecule *molecule, bt_ligand *ligand, bt_error *reason) {
  if (bt_constraints_need_bonds(e->opt_constraints)) BT_TRY(bt_molecule_find_chemistry(molecule, reason));
  return bt_ligand_constrain(ligand, e->opt_constraints, reason);
}

bt_status bt_lga_prepare(bt_engine *engine, bt_library *library, bt_library_item *from, bt_item *item, bt_error *reason,
                         bt_error *error) {
  const bt_lga_engine *e = (const bt_lga_engine *)engine;
  BT_TRY(bt_library_prepare(library, from, error));
  *reason = from->error;
  bt_ligand *ligand = NULL;
  bt_status status = reason->status;
  if (status == BT_OK && from->molecule == NULL)
    status = bt_fail(reason, BT_ERR_INPUT, (bt_where){0}, "", "no molecule");
  if (status == BT_OK) status = bt_ligand_create_as(from->molecule, e->opt_flexible, e->maps->scoring, &ligand, reason);
  if (status == BT_OK && e->opt_constraints != NULL) status = constrain(e, from->molecule, ligand, reason);
  if (status == BT_OK && ligand->n_ligand_atoms == 0)
    status = bt_fail(reason, BT_ERR_INPUT, (bt_where){0}, "use a ligand with atoms", "no atoms");
  if (status != BT_OK) bt_ligand_destroy(ligand);
  if (status == BT_ERR_MEMORY) {
    *error = *reason;
    *reason = (bt_error){0};
    return status;
  }
  if (status != BT_OK) return BT_OK; /* reason says why */
  from->molecule = NULL; /* is the ligand's */
  item->input = ligand;
  item->torsions = ligand->n_torsions;
  item->atoms = ligand->n_atoms;
  return BT_OK;
}

void bt_lga_destroy_input(void *input) {
  bt_ligand *ligand = input;
  bt_molecule *molecule = (bt_molecule *)(size_t)ligand->molecule;
  bt_ligand_destroy(ligand);
  bt_molecule_destroy(molecule);
}

void bt_lga_destroy_output(void *result) { bt_result_destroy(result); }

/* --- rows ---------------------------------------------------------------------------------------------- */

void bt_lga_describe(const bt_engine *engine, const bt_item *item, bt_store_row *row) {
  (void)engine;
  const bt_result *result = item->output;
  bt_run_summary best = bt_result_ranked(result, 0);
  row->free_energy = best.energy.free_energy;
  row->terms[0] = best.energy.inter;
  row->terms[1] = best.energy.intra;
  row->terms[2] = best.energy.torsional;
  row->atoms = bt_ligand_atom_count(result->ligand);
  row->torsions = bt_ligand_torsion_count(result->ligand);
  row->runs = bt_result_run_count(result);
  row->clusters = bt_result_cluster_count(result);
  row->evaluations = bt_result_evaluations(result);
  row->seconds = bt_result_seconds(result);
  strncpy(row->device, bt_result_device(result), sizeof row->device - 1);
  row->rank_energy = bt_result_rank_energy(result, 0);
}

static bool copy_pose(bt_store_row *row, const bt_result *result, int index) {
  const bt_run *run = &result->runs[index];
  int torsions = result->ligand->n_torsions;
  bt_store_pose *pose = &row->poses[row->n_poses];
  *pose = (bt_store_pose){.run = index + 1,
                          .cluster = run->cluster,
                          .cluster_size = result->clusters[run->cluster - 1].size,
                          .free_energy = run->energy.free_energy,
                          .terms = {run->energy.inter, run->energy.intra, run->energy.torsional},
                          .n_genes = 7 + torsions};
  pose->genotype = bt_allocate((size_t)pose->n_genes, sizeof(double));
  if (pose->genotype == NULL) return false;
  memcpy(pose->genotype, run->genotype.position, 3 * sizeof(double));
  memcpy(pose->genotype + 3, run->genotype.quaternion, 4 * sizeof(double));
  if (torsions > 0) memcpy(pose->genotype + 7, run->genotype.torsions, (size_t)torsions * sizeof(double));
  row->n_poses++;
  return true;
}

/* The leaders of the best clusters, and the molecule that they are poses of. */
bool bt_lga_keep(const bt_engine *engine, const bt_item *item, int most, bt_store_row *row) {
  (void)engine;
  const bt_result *result = item->output;
  int n = most < result->n_clusters ? most : result->n_clusters;
  row->poses = bt_allocate((size_t)n, sizeof *row->poses);
  if (row->poses == NULL) return false;
  for (int c = 0; c < n; c++)
    if (!copy_pose(row, result, result->clusters[c].leader)) return false;
  return bt_molecule_pdbqt(result->ligand->molecule, &row->molecule, NULL) == BT_OK;
}

/* --- settings ------------------------------------------------------------------------------------------ */

/* Fingerprint of the receptor's atoms where they are known, otherwise of the maps: the last digits of computed maps
 * differ between CPUs. */
static uint64_t receptor_hash(const bt_lga_engine *e) {
  uint64_t hash = BT_NOTE_HASH;
  if (e->opt_receptor_pdbqt != NULL) return bt_note_hash(hash, e->opt_receptor_pdbqt, strlen(e->opt_receptor_pdbqt));
  size_t points = bt_maps_points(e->maps);
  for (int m = 0; m < e->maps->n_types + 2; m++) hash = bt_note_hash(hash, e->maps->values[m], points * sizeof(float));
  return hash;
}

static void note_search(struct bt_screen_note *n, const bt_dock_options *o) {
  bt_note_count(n, "runs", o->runs);
  bt_note_count(n, "population", o->population);
  bt_note_count(n, "evaluations", o->evaluations);
  bt_note_count(n, "generations", o->generations);
  bt_note_count(n, "heuristics", o->heuristics);
  bt_note_count(n, "heuristics_max", o->heuristics_max);
  bt_note_count(n, "heuristics_runs", o->heuristics_runs);
  bt_note_count(n, "autostop", o->autostop);
  bt_note_real(n, "autostop_tolerance", o->autostop_tolerance);
  bt_note_count(n, "autostop_interval", o->autostop_interval);
  char runs[16];
  snprintf(runs, sizeof runs, "%d", o->autostop_runs);
  bt_note_optional(n, "autostop_runs", o->autostop_runs != bt_dock_options_default().autostop_runs ? runs : NULL);
  bt_note_count(n, "local_search", o->local_search);
  bt_note_real(n, "local_search_rate", o->local_search_rate);
  bt_note_count(n, "local_search_iterations", o->local_search_iterations);
  bt_note_count(n, "selection", o->selection);
  bt_note_real(n, "tournament_rate", o->tournament_rate);
  bt_note_count(n, "crossover", o->crossover);
  bt_note_real(n, "crossover_rate", o->crossover_rate);
  bt_note_real(n, "mutation_rate", o->mutation_rate);
  bt_note_real(n, "mutation_move", o->mutation_move);
  bt_note_real(n, "mutation_angle", o->mutation_angle);
  bt_note_count(n, "elitism", o->elitism);
  bt_note_count(n, "torsional", o->torsional);
  bt_note_real(n, "rmsd_tolerance", o->rmsd_tolerance);
  char range[32];
  snprintf(range, sizeof range, "%g", o->energy_range);
  bt_note_optional(n, "energy_range", o->energy_range != bt_dock_options_default().energy_range ? range : NULL);
}

static void note_place(struct bt_screen_note *n, const bt_lga_engine *e) {
  static const char *const center[] = {"center_x", "center_y", "center_z"}, *const npts[] = {"npts_x", "npts_y",
                                                                                             "npts_z"};
  bt_box box = bt_maps_box(e->maps);
  bt_note_value(n, "receptor", receptor_hash(e));
  bt_note_molecule(n, "flexible", e->opt_flexible);
  for (int k = 0; k < 3; k++) bt_note_real(n, center[k], box.center[k]);
  for (int k = 0; k < 3; k++) bt_note_count(n, npts[k], box.npts[k]);
  bt_note_real(n, "spacing", box.spacing);
}

void bt_lga_note(const bt_engine *engine, struct bt_screen_note *n) {
  const bt_lga_engine *e = (const bt_lga_engine *)engine;
  bt_note_scoring(n, e->maps->scoring);
  bt_note_rank(n, bt_scoring_name(e->maps->scoring));
  note_place(n, e);
  const bt_constraints *constraints = e->opt_constraints;
  bt_note_optional(n, "constraints", constraints != NULL ? bt_constraints_words(constraints) : NULL);
  if (constraints != NULL && constraints->core != NULL) /* for those who judge its poses later */
    bt_note_keep(n, "core", constraints->core);
  if (constraints != NULL && constraints->opt_core_smarts != NULL)
    bt_note_new(n, "core_smarts", constraints->opt_core_smarts);
  note_search(n, &e->options);
}
