/* json.c - a docking as one JSON object. The keys are described in docs/json.md; keys are only ever added. */
#include <berth/constrain.h>
#include <berth/grid.h>
#include <berth/prepare.h>
#include <berth/report.h>
#include <berth/score.h>
#include <berth/search.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text/json.h"
#include "chem/chemistry.h"
#include "formats/pdbqt/pdbqt.h"
#include "results/analysis/strain.h"
#include "results/checks/checks.h"
#include "results/flags.h"
#include "results/write/contact_text.h"
#include "results/write/write.h"

/* Its PDBQT file, as it is found from any folder. */
static void add_receptor(bt_json *json, const bt_maps *maps, const char *opt_path) {
  BT_SCOPED char *beside = opt_path == NULL ? bt_maps_receptor_path(maps) : NULL;
  const char *path = opt_path != NULL ? opt_path : beside;
  BT_SCOPED char *whole = path != NULL ? realpath(path, NULL) : NULL;
  bt_json_printf(json, "receptor_file %s", whole != NULL ? whole : path);
}

static bt_status add_input(bt_json *json, const char *key, const bt_molecule *opt_molecule, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  if (opt_molecule != NULL) BT_TRY(bt_molecule_pdbqt(opt_molecule, &text, opt_error));
  bt_json_key(json, key);
  bt_json_string(json, text);
  return BT_OK;
}

/* Of the isomer that was docked; null without bonds. */
static bt_status add_smiles(bt_json *json, const bt_molecule *molecule, bt_error *opt_error) {
  BT_SCOPED char *smiles = NULL;
  BT_TRY(bt_chemistry_isomer_smiles(molecule->chemistry, &smiles, opt_error));
  bt_json_key(json, "smiles");
  bt_json_string(json, smiles);
  return BT_OK;
}

static void add_heading(bt_json *json, const bt_result *result, const bt_write_context *context) {
  const bt_dock_options *o = &result->options;
  const bt_ligand *ligand = result->ligand;
  bt_json_printf(json, "ligand %s engine %s scoring %s version %s ligand_file %s model %d flexible_file %s receptor %s",
                 bt_molecule_name(ligand->molecule), "ad4", bt_scoring_name(ligand->scoring), BT_VERSION,
                 ligand->molecule->path, ligand->molecule->model,
                 ligand->opt_flexible != NULL ? ligand->opt_flexible->path : NULL, result->maps->receptor_name);
  if (ligand->molecule->opt_parent != NULL) bt_json_printf(json, "parent %s", ligand->molecule->opt_parent);
  if (context->record > 0) bt_json_printf(json, "record %ld", context->record);
  BT_SCOPED char *warnings = bt_result_warnings(result);
  if (warnings == NULL) json->text->failed = true;
  add_receptor(json, result->maps, context->opt_receptor_path);
  if (ligand->tethered) bt_json_printf(json, "covalent %s", ligand->molecule->tether);
  bt_json_key(json, "command_line");
  bt_json_string(json, context->opt_command_line);
  bt_json_printf(json, "atoms %d torsions %d torsdof %d seed %" PRIu64 " device %s warning %s", ligand->n_atoms,
                 ligand->n_torsions, ligand->torsdof, o->seed, result->device, warnings);
  bt_json_printf(json, "local_search %s population %d evaluations_limit %" PRId64 " evaluations %" PRId64,
                 bt_local_search_name(o->local_search), o->population, o->evaluations, result->evaluations);
  bt_json_printf(json, "generations %" PRId64 " autostopped %hhd seconds %g", result->generations, result->autostopped,
                 result->seconds);
  if (result->with_strain)
    bt_json_printf(json, "strain_source %s", result->strain_source[0] != '\0' ? result->strain_source : NULL);
}

static void add_box(bt_json *json, const bt_box *box) {
  const double *c = box->center;
  bt_json_printf(json, "box { center [ %g %g %g ] size [ %g %g %g ] spacing %g }", c[0], c[1], c[2],
                 box->npts[0] * box->spacing, box->npts[1] * box->spacing, box->npts[2] * box->spacing, box->spacing);
}

/* One box per number of a site, in that order. */
static void add_sites(bt_json *json, const bt_result *result) {
  int last = 0;
  bt_json_printf(json, "sites [");
  for (int r = 0; r < result->n_runs; r++) { /* merged site by site */
    const bt_run *run = &result->runs[r];
    if (run->site == last) continue;
    last = run->site;
    const bt_box *box = &bt_run_maps(result, run)->box;
    bt_json_printf(json, "{ site %d center [ %g %g %g ] size [ %g %g %g ] }", run->site, box->center[0], box->center[1],
                   box->center[2], box->npts[0] * box->spacing, box->npts[1] * box->spacing,
                   box->npts[2] * box->spacing);
  }
  bt_json_close(json, ']');
}

/* The seed poses of the ligand, with the conformers that they are. */
static void add_seeds(bt_json *json, const bt_result *result) {
  bt_json_printf(json, "seed_poses [");
  for (int c = 1; c <= result->ligand->n_conformers; c++) {
    const bt_molecule *seed = bt_ligand_conformer(result->ligand, c)->molecule;
    if (seed->seed > 0)
      bt_json_printf(json, "{ seed_pose %d file %s name %s conformer %d }", seed->seed, seed->path, seed->name, c + 1);
  }
  bt_json_close(json, ']');
}

/* The receptors of an ensemble, with the lowest energy that the ligand has in each. */
static void add_receptors(bt_json *json, const bt_result *result) {
  bt_json_printf(json, "receptors [");
  for (int r = 0, last = 0; r < result->n_runs; r++) {
    const bt_run *first = &result->runs[r];
    double lowest = INFINITY;
    if (first->site <= last) continue;
    last = first->site;
    for (int k = 0; k < result->n_poses; k++)
      if (result->runs[k].site == last) lowest = fmin(lowest, result->runs[k].energy.free_energy);
    bt_json_printf(json, "{ receptor %d name %s free_energy %g }", last, bt_run_maps(result, first)->receptor_name, lowest);
  }
  bt_json_close(json, ']');
}

static void add_rmsd(bt_json *json, const bt_result *result) {
  const bt_dock_options *o = &result->options;
  bt_json_printf(json, "rmsd { kind %s atoms %s exact %hhd mappings %g tolerance %g reference %s }",
                 !o->rmsd_symmetry  ? "index"
                 : o->rmsd_autodock ? "nearest"
                                    : "graph",
                 o->rmsd_autodock ? "all" : "heavy", bt_rmsd_is_exact(result->rmsd), bt_rmsd_symmetry(result->rmsd),
                 o->rmsd_tolerance,
                 result->opt_reference != NULL     ? result->opt_reference->path
                 : bt_result_has_reference(result) ? "input"
                                                   : NULL);
}

static void add_constraints(bt_json *json, const bt_result *result, int pose) {
  int count = bt_result_constraint_count(result);
  if (count == 0) return;
  bt_json_printf(json, "constraints [");
  for (int k = 0; k < count; k++) {
    bt_constraint_verdict of = bt_result_constraint(result, pose, k);
    bt_json_printf(json, "{ name %s required %hhd met %hhd distance %.3f miss %.3f energy %.3f }", of.name,
                   of.required, of.met, of.distance, of.miss, of.energy);
  }
  bt_json_close(json, ']');
}

static void add_flag(void *user, const char *word) { bt_json_string(user, word); }

static void add_run(bt_json *json, const bt_result *result, int index) {
  const bt_run *run = &result->runs[index];
  const bt_energy *e = &run->energy;
  bt_json_printf(json, "{ run %d free_energy %g inter %g inter_vdw_hbond %g inter_electrostatic %g", index + 1,
                 e->free_energy, e->inter, e->inter_vdw_hbond, e->inter_electrostatic);
  bt_json_printf(json, "inter_desolvation %g inter_moving %g intra %g intra_flex %g unbound %g torsional %g total %g",
                 e->inter_desolvation, e->inter_moving, e->intra, e->intra_flex, e->unbound, e->torsional, e->total);
  bt_json_printf(json, "search_energy %g cluster %d rank_in_cluster %d rmsd_cluster %g rmsd_reference %g",
                 run->search_energy, run->cluster, run->rank_in_cluster, run->cluster_rmsd,
                 bt_result_has_reference(result) ? run->reference_rmsd : NAN);
  if (run->site > 0) {
    bt_json_key(json, bt_result_site_word(result));
    bt_json_integer(json, run->site);
  }
  if (result->ensemble) bt_json_printf(json, "receptor_name %s", bt_run_maps(result, run)->receptor_name);
  if (result->ligand->n_conformers > 0) bt_json_printf(json, "conformer %d", run->conformer + 1);
  if (bt_result_has_seeds(result)) bt_json_printf(json, "origin %s", run->seed > 0 ? "seed" : "search");
  if (run->seed > 0) bt_json_printf(json, "seed_pose %d", run->seed);
  if (result->with_strain) bt_json_printf(json, "strain %.3f", run->strain);
  if (run->further) bt_json_printf(json, "further %hhd", run->further);
  if (result->with_checks) {
    bt_json_key(json, "checks");
    bt_checks_add_json(json, &run->checks);
  }
  bt_json_printf(json, "evaluations %" PRId64 " flags [", run->evaluations);
  bt_flags_visit(run, add_flag, json);
  bt_json_close(json, ']');
  add_constraints(json, result, index);
  if (result->with_contacts) bt_contacts_add_json(json, result, run);
  if (result->with_waters) bt_waters_add_json(json, result->ligand, &run->waters);
  bt_json_printf(json, "coordinates [");
  for (int k = 0; k < 3 * result->ligand->n_atoms; k++) bt_json_number(json, bt_pdbqt_round(run->xyz[k]));
  bt_json_printf(json, "] }");
}

/* The best pose of a cluster as a re-scorer sees it: terms of scoring functions, coordinates of minimized poses. */
static void add_rescored(bt_json *json, const bt_result *result, const bt_rescored *of) {
  const bt_energy *e = &of->energy;
  bt_json_printf(json, "{ scoring %s free_energy %g", of->name, of->score);
  if (of->has_energy)
    bt_json_printf(json, "inter %g intra %g unbound %g torsional %g", e->inter, e->intra, e->unbound, e->torsional);
  bt_json_printf(json, "rank %d rmsd_docked %g rmsd_reference %g", of->rank, of->moved,
                 bt_result_has_reference(result) ? of->reference_rmsd : NAN);
  for (int v = 0; v < of->n_values; v++) {
    bt_json_key(json, of->value_names[v]);
    bt_json_number(json, of->values[v]);
  }
  if (of->minimized) bt_json_printf(json, "coordinates [");
  for (int k = 0; of->minimized && k < 3 * result->ligand->n_atoms; k++)
    bt_json_number(json, bt_pdbqt_round(of->xyz[k]));
  if (of->minimized) bt_json_close(json, ']');
  bt_json_close(json, '}');
}

/* first: position of the cluster's first pose in the ranking. */
static void add_cluster(bt_json *json, const bt_result *result, int c, int first) {
  const bt_cluster *cluster = &result->clusters[c];
  bt_json_printf(json, "{ cluster %d size %d best_run %d lowest %g mean %g rank_energy %g runs [", c + 1,
                 cluster->size, cluster->leader + 1, cluster->lowest, cluster->mean, bt_result_rank_energy(result, c));
  for (int k = 0; k < bt_cluster_poses(cluster); k++) bt_json_integer(json, result->ranking[first + k] + 1);
  bt_json_close(json, ']');
  if (result->n_rescored > 0) bt_json_printf(json, "rescored [");
  for (int k = 0; k < result->n_rescored; k++) add_rescored(json, result, &result->rescored[k][c]);
  if (result->n_rescored > 0) bt_json_close(json, ']');
  if (cluster->left_out) bt_json_printf(json, "left_out %hhd", cluster->left_out);
  bt_json_close(json, '}');
}

static void add_notes(bt_json *json, const char *notes) {
  bt_json_printf(json, "receptor_notes [");
  bt_lines lines = bt_lines_of(notes, strlen(notes));
  for (bt_span line; bt_lines_next(&lines, &line);) {
    char note[600];
    bt_span_copy(line, note, sizeof note);
    bt_json_string(json, note);
  }
  bt_json_close(json, ']');
}

static bt_status add_members(bt_json *json, const bt_result *result, const bt_write_context *context,
                             bt_error *opt_error) {
  add_heading(json, result, context);
  if (context->opt_protonation != NULL) {
    bt_json_key(json, "protonation");
    bt_json_string(json, context->opt_protonation);
  }
  if (context->opt_notes != NULL) add_notes(json, context->opt_notes);
  add_box(json, &result->maps->box);
  if (result->n_runs > 0 && result->runs[0].site > 0) (result->ensemble ? add_receptors : add_sites)(json, result);
  if (bt_result_has_seeds(result)) add_seeds(json, result);
  add_rmsd(json, result);
  BT_TRY(add_smiles(json, result->ligand->molecule, opt_error));
  BT_TRY(add_input(json, "ligand_pdbqt", result->ligand->molecule, opt_error));
  BT_TRY(add_input(json, "flexible_pdbqt", result->ligand->opt_flexible, opt_error));
  BT_TRY(add_input(json, "reference_pdbqt", result->opt_reference, opt_error));
  bt_json_printf(json, "poses %d runs [", bt_result_written(result));
  for (int k = 0; k < result->n_poses; k++) add_run(json, result, k);
  bt_json_close(json, ']');
  bt_json_printf(json, "ranked_by %s rank_energy %g", bt_result_ranked_by(result), bt_result_rank_energy(result, 0));
  bt_json_printf(json, "clusters [");
  for (int c = 0, first = 0; c < result->n_clusters; first += bt_cluster_poses(&result->clusters[c++]))
    add_cluster(json, result, c, first);
  bt_json_close(json, ']');
  return BT_OK;
}

bt_status bt_write_json(const bt_result *result, const bt_write_context *context, bt_text *text, bt_error *opt_error) {
  bt_json json = {.text = text, .pretty = 2};
  bt_json_open(&json, '{');
  BT_TRY(add_members(&json, result, context, opt_error));
  bt_json_close(&json, '}');
  return bt_text_status(text, opt_error);
}
