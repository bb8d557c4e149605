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

static void add_text(bt_json *json, const char *key, const char *opt_value) {
  bt_json_key(json, key);
  bt_json_string(json, opt_value);
}

static void add_number(bt_json *json, const char *key, double value) {
  bt_json_key(json, key);
  bt_json_number(json, value);
}

static void add_integer(bt_json *json, const char *key, int64_t value) {
  bt_json_key(json, key);
  bt_json_integer(json, value);
}

static void add_bool(bt_json *json, const char *key, bool value) {
  bt_json_key(json, key);
  bt_json_bool(json, value);
}

/* Its PDBQT file, as it is found from any folder. */
static void add_receptor(bt_json *json, const bt_maps *maps, const char *opt_path) {
  BT_SCOPED char *beside = opt_path == NULL ? bt_maps_receptor_path(maps) : NULL;
  const char *path = opt_path != NULL ? opt_path : beside;
  BT_SCOPED char *whole = path != NULL ? realpath(path, NULL) : NULL;
  add_text(json, "receptor_file", whole != NULL ? whole : path);
}

static bt_status add_input(bt_json *json, const char *key, const bt_molecule *opt_molecule, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  if (opt_molecule != NULL) BT_TRY(bt_molecule_pdbqt(opt_molecule, &text, opt_error));
  add_text(json, key, text);
  return BT_OK;
}

static void add_heading(bt_json *json, const bt_result *result, const bt_write_context *opt_context) {
  static const char *const methods[] = {"none", "solis-wets", "adadelta", "adam"};
  const bt_dock_options *o = &result->options;
  const bt_ligand *ligand = result->ligand;
  add_text(json, "ligand", bt_molecule_name(ligand->molecule));
  add_text(json, "engine", "ad4");
  add_text(json, "version", BT_VERSION);
  add_text(json, "ligand_file", ligand->molecule->path);
  add_integer(json, "model", ligand->molecule->model);
  add_text(json, "flexible_file", ligand->opt_flexible != NULL ? ligand->opt_flexible->path : NULL);
  add_text(json, "receptor", result->maps->receptor_name);
  add_receptor(json, result->maps, opt_context != NULL ? opt_context->opt_receptor_path : NULL);
  add_text(json, "command_line", opt_context != NULL ? opt_context->opt_command_line : NULL);
  add_integer(json, "atoms", ligand->n_atoms);
  add_integer(json, "torsions", ligand->n_torsions);
  add_integer(json, "torsdof", ligand->torsdof);
  bt_json_key(json, "seed");
  bt_json_unsigned(json, o->seed);
  add_text(json, "device", result->device);
  add_text(json, "warning", result->warning);
  add_text(json, "local_search", methods[o->local_search]);
  add_integer(json, "population", o->population);
  add_integer(json, "evaluations_limit", o->evaluations);
  add_integer(json, "evaluations", result->evaluations);
  add_integer(json, "generations", result->generations);
  add_bool(json, "autostopped", result->autostopped);
  add_number(json, "seconds", result->seconds);
}

static void add_triple(bt_json *json, const char *key, const double *value) {
  bt_json_key(json, key);
  bt_json_open(json, '[');
  for (int k = 0; k < 3; k++) bt_json_number(json, value[k]);
  bt_json_close(json, ']');
}

static void add_box(bt_json *json, const bt_box *box) {
  double size[3];
  for (int k = 0; k < 3; k++) size[k] = box->npts[k] * box->spacing;
  bt_json_key(json, "box");
  bt_json_open(json, '{');
  add_triple(json, "center", box->center);
  add_triple(json, "size", size);
  add_number(json, "spacing", box->spacing);
  bt_json_close(json, '}');
}

static void add_rmsd(bt_json *json, const bt_result *result) {
  const bt_dock_options *o = &result->options;
  bt_json_key(json, "rmsd");
  bt_json_open(json, '{');
  add_text(json, "kind", !o->rmsd_symmetry ? "index" : o->rmsd_autodock ? "nearest" : "graph");
  add_text(json, "atoms", o->rmsd_autodock ? "all" : "heavy");
  add_bool(json, "exact", bt_rmsd_is_exact(result->rmsd));
  add_number(json, "mappings", bt_rmsd_symmetry(result->rmsd));
  add_number(json, "tolerance", o->rmsd_tolerance);
  add_text(json, "reference", result->opt_reference != NULL ? result->opt_reference->path : "input");
  bt_json_close(json, '}');
}

static void add_run(bt_json *json, const bt_result *result, int index) {
  const bt_run *run = &result->runs[index];
  const bt_energy *e = &run->energy;
  bt_json_open(json, '{');
  add_integer(json, "run", index + 1);
  add_number(json, "free_energy", e->free_energy);
  add_number(json, "inter", e->inter);
  add_number(json, "inter_vdw_hbond", e->inter_vdw_hbond);
  add_number(json, "inter_electrostatic", e->inter_electrostatic);
  add_number(json, "inter_desolvation", e->inter_desolvation);
  add_number(json, "inter_moving", e->inter_moving);
  add_number(json, "intra", e->intra);
  add_number(json, "intra_flex", e->intra_flex);
  add_number(json, "torsional", e->torsional);
  add_number(json, "total", e->total);
  add_number(json, "search_energy", run->search_energy);
  add_integer(json, "cluster", run->cluster);
  add_integer(json, "rank_in_cluster", run->rank_in_cluster);
  add_number(json, "rmsd_cluster", run->cluster_rmsd);
  bt_json_key(json, "rmsd_reference");
  if (bt_result_has_reference(result))
    bt_json_number(json, run->reference_rmsd);
  else
    bt_json_null(json);
  add_integer(json, "evaluations", run->evaluations);
  bt_json_key(json, "flags");
  bt_json_open(json, '[');
  if (bt_run_is_outside(run)) bt_json_string(json, "outside_box");
  if (bt_run_clashes(run)) bt_json_string(json, "clash");
  bt_json_close(json, ']');
  if (result->with_contacts) bt_contacts_add_json(json, result, run);
  bt_json_key(json, "coordinates");
  bt_json_open(json, '[');
  for (int k = 0; k < 3 * result->ligand->n_atoms; k++) bt_json_number(json, bt_pdbqt_round(run->xyz[k]));
  bt_json_close(json, ']');
  bt_json_close(json, '}');
}

/* first: position of the cluster's first run in the ranking. */
static void add_cluster(bt_json *json, const bt_result *result, int c, int first) {
  const bt_cluster *cluster = &result->clusters[c];
  bt_json_open(json, '{');
  add_integer(json, "cluster", c + 1);
  add_integer(json, "size", cluster->size);
  add_integer(json, "best_run", cluster->leader + 1);
  add_number(json, "lowest", cluster->lowest);
  add_number(json, "mean", cluster->mean);
  bt_json_key(json, "runs");
  bt_json_open(json, '[');
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
  bt_json_key(json, "runs");
  bt_json_open(json, '[');
  for (int k = 0; k < result->n_runs; k++) add_run(json, result, k);
  bt_json_close(json, ']');
  bt_json_key(json, "clusters");
  bt_json_open(json, '[');
  for (int c = 0, first = 0; c < result->n_clusters; first += result->clusters[c++].size)
    add_cluster(json, result, c, first);
  bt_json_close(json, ']');
  return BT_OK;
}

bt_status bt_result_write_json(const bt_result *result, const char *path, const bt_write_context *opt_context,
                               bt_error *opt_error) {
  BT_TRY(bt_result_check(result, opt_error));
  bt_text text = {0};
  bt_json json = {.text = &text, .pretty = 2};
  bt_json_open(&json, '{');
  bt_status status = add_members(&json, result, opt_context, opt_error);
  bt_json_close(&json, '}');
  if (status == BT_OK) status = bt_text_status(&text, opt_error);
  if (status == BT_OK) status = bt_file_write(path, text.data, text.size, opt_error);
  bt_text_destroy(&text);
  return status;
}
