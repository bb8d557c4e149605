/* write_json.c - a docking as one JSON object. The keys are described in docs/json.md; keys are only ever added. */
#include <berth/grid.h>
#include <berth/prepare.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "formats/pdbqt.h"
#include "results/contact_text.h"
#include "results/flags.h"

/* Its PDBQT file, as it is found from any folder. */
static void add_receptor(bt_json *json, const bt_maps *maps, const char *opt_path) {
  BT_SCOPED char *beside = opt_path == NULL ? bt_maps_receptor_path(maps) : NULL;
  const char *path = opt_path != NULL ? opt_path : beside;
  BT_SCOPED char *whole = path != NULL ? realpath(path, NULL) : NULL;
  bt_json_add_string(json, "receptor_file", whole != NULL ? whole : path);
}

static bt_status add_input(bt_json *json, const char *key, const bt_molecule *opt_molecule, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  if (opt_molecule != NULL) BT_TRY(bt_molecule_pdbqt(opt_molecule, &text, opt_error));
  bt_json_add_string(json, key, text);
  return BT_OK;
}

static void add_heading(bt_json *json, const bt_result *result, const bt_write_context *opt_context) {
  static const char *const methods[] = {"none", "solis-wets", "adadelta", "adam"};
  const bt_dock_options *o = &result->options;
  const bt_ligand *ligand = result->ligand;
  bt_json_add_string(json, "ligand", bt_molecule_name(ligand->molecule));
  bt_json_add_string(json, "engine", "ad4");
  bt_json_add_string(json, "version", BT_VERSION);
  bt_json_add_string(json, "ligand_file", ligand->molecule->path);
  bt_json_add_integer(json, "model", ligand->molecule->model);
  bt_json_add_string(json, "flexible_file", ligand->opt_flexible != NULL ? ligand->opt_flexible->path : NULL);
  bt_json_add_string(json, "receptor", result->maps->receptor_name);
  add_receptor(json, result->maps, opt_context != NULL ? opt_context->opt_receptor_path : NULL);
  bt_json_add_string(json, "command_line", opt_context != NULL ? opt_context->opt_command_line : NULL);
  bt_json_add_integer(json, "atoms", ligand->n_atoms);
  bt_json_add_integer(json, "torsions", ligand->n_torsions);
  bt_json_add_integer(json, "torsdof", ligand->torsdof);
  bt_json_key(json, "seed");
  bt_json_unsigned(json, o->seed);
  bt_json_add_string(json, "device", result->device);
  bt_json_add_string(json, "warning", result->warning);
  bt_json_add_string(json, "local_search", methods[o->local_search]);
  bt_json_add_integer(json, "population", o->population);
  bt_json_add_integer(json, "evaluations_limit", o->evaluations);
  bt_json_add_integer(json, "evaluations", result->evaluations);
  bt_json_add_integer(json, "generations", result->generations);
  bt_json_add_bool(json, "autostopped", result->autostopped);
  bt_json_add_number(json, "seconds", result->seconds);
}

static void add_triple(bt_json *json, const char *key, const double *value) {
  bt_json_begin(json, key, '[');
  for (int k = 0; k < 3; k++) bt_json_number(json, value[k]);
  bt_json_close(json, ']');
}

static void add_box(bt_json *json, const bt_box *box) {
  double size[3];
  for (int k = 0; k < 3; k++) size[k] = box->npts[k] * box->spacing;
  bt_json_begin(json, "box", '{');
  add_triple(json, "center", box->center);
  add_triple(json, "size", size);
  bt_json_add_number(json, "spacing", box->spacing);
  bt_json_close(json, '}');
}

static void add_rmsd(bt_json *json, const bt_result *result) {
  const bt_dock_options *o = &result->options;
  bt_json_begin(json, "rmsd", '{');
  bt_json_add_string(json, "kind", !o->rmsd_symmetry ? "index" : o->rmsd_autodock ? "nearest" : "graph");
  bt_json_add_string(json, "atoms", o->rmsd_autodock ? "all" : "heavy");
  bt_json_add_bool(json, "exact", bt_rmsd_is_exact(result->rmsd));
  bt_json_add_number(json, "mappings", bt_rmsd_symmetry(result->rmsd));
  bt_json_add_number(json, "tolerance", o->rmsd_tolerance);
  bt_json_add_string(json, "reference", result->opt_reference != NULL ? result->opt_reference->path : "input");
  bt_json_close(json, '}');
}

static void add_run(bt_json *json, const bt_result *result, int index) {
  const bt_run *run = &result->runs[index];
  const bt_energy *e = &run->energy;
  bt_json_open(json, '{');
  bt_json_add_integer(json, "run", index + 1);
  bt_json_add_number(json, "free_energy", e->free_energy);
  bt_json_add_number(json, "inter", e->inter);
  bt_json_add_number(json, "inter_vdw_hbond", e->inter_vdw_hbond);
  bt_json_add_number(json, "inter_electrostatic", e->inter_electrostatic);
  bt_json_add_number(json, "inter_desolvation", e->inter_desolvation);
  bt_json_add_number(json, "inter_moving", e->inter_moving);
  bt_json_add_number(json, "intra", e->intra);
  bt_json_add_number(json, "intra_flex", e->intra_flex);
  bt_json_add_number(json, "torsional", e->torsional);
  bt_json_add_number(json, "total", e->total);
  bt_json_add_number(json, "search_energy", run->search_energy);
  bt_json_add_integer(json, "cluster", run->cluster);
  bt_json_add_integer(json, "rank_in_cluster", run->rank_in_cluster);
  bt_json_add_number(json, "rmsd_cluster", run->cluster_rmsd);
  bt_json_key(json, "rmsd_reference");
  if (bt_result_has_reference(result))
    bt_json_number(json, run->reference_rmsd);
  else
    bt_json_null(json);
  bt_json_add_integer(json, "evaluations", run->evaluations);
  bt_json_begin(json, "flags", '[');
  if (bt_run_is_outside(run)) bt_json_string(json, "outside_box");
  if (bt_run_clashes(run)) bt_json_string(json, "clash");
  bt_json_close(json, ']');
  if (result->with_contacts) bt_contacts_add_json(json, result, run);
  bt_json_begin(json, "coordinates", '[');
  for (int k = 0; k < 3 * result->ligand->n_atoms; k++) bt_json_number(json, bt_pdbqt_round(run->xyz[k]));
  bt_json_close(json, ']');
  bt_json_close(json, '}');
}

/* first: position of the cluster's first run in the ranking. */
static void add_cluster(bt_json *json, const bt_result *result, int c, int first) {
  const bt_cluster *cluster = &result->clusters[c];
  bt_json_open(json, '{');
  bt_json_add_integer(json, "cluster", c + 1);
  bt_json_add_integer(json, "size", cluster->size);
  bt_json_add_integer(json, "best_run", cluster->leader + 1);
  bt_json_add_number(json, "lowest", cluster->lowest);
  bt_json_add_number(json, "mean", cluster->mean);
  bt_json_begin(json, "runs", '[');
  for (int k = 0; k < cluster->size; k++) bt_json_integer(json, result->ranking[first + k] + 1);
  bt_json_close(json, ']');
  bt_json_close(json, '}');
}

static bt_status add_members(bt_json *json, const bt_result *result, const bt_write_context *opt_context,
                             bt_error *opt_error) {
  add_heading(json, result, opt_context);
  add_box(json, &result->maps->box);
  add_rmsd(json, result);
  BT_TRY(add_input(json, "ligand_pdbqt", result->ligand->molecule, opt_error));
  BT_TRY(add_input(json, "flexible_pdbqt", result->ligand->opt_flexible, opt_error));
  BT_TRY(add_input(json, "reference_pdbqt", result->opt_reference, opt_error));
  bt_json_begin(json, "runs", '[');
  for (int k = 0; k < result->n_runs; k++) add_run(json, result, k);
  bt_json_close(json, ']');
  bt_json_begin(json, "clusters", '[');
  for (int c = 0, first = 0; c < result->n_clusters; first += result->clusters[c++].size)
    add_cluster(json, result, c, first);
  bt_json_close(json, ']');
  return BT_OK;
}

bt_status bt_result_write_json(const bt_result *result, const char *path, const bt_write_context *opt_context,
                               bt_error *opt_error) {
  BT_TRY(bt_result_check(result, opt_error));
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_json json = {.text = &text, .pretty = 2};
  bt_json_open(&json, '{');
  BT_TRY(add_members(&json, result, opt_context, opt_error));
  bt_json_close(&json, '}');
  return bt_file_write_text(path, &text, opt_error);
}
