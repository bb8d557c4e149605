/* autodock.c - what a screen does with AutoDock's scoring: flexible ligands in maps. */
#include <stdlib.h>
#include <string.h>

#include "grid/maps.h"
#include "pose/ligand.h"
#include "results/result.h"
#include "pipeline/pipeline.h"

/* --- ligands ------------------------------------------------------------------------------------------- */

static bt_status prepare(bt_pipeline *p, bt_library_item *from, bt_screen_item *item, bt_error *reason,
                         bt_error *error) {
  BT_TRY(bt_library_prepare(p->library, from, error));
  *reason = from->error;
  bt_ligand *ligand = NULL;
  bt_status status = reason->status;
  if (status == BT_OK && from->molecule == NULL)
    status = bt_fail(reason, BT_ERR_INPUT, (bt_where){0}, "", "there is no molecule");
  if (status == BT_OK) status = bt_ligand_create(from->molecule, p->options->opt_flexible, &ligand, reason);
  if (status == BT_ERR_MEMORY) {
    *error = *reason;
    return status;
  }
  if (status == BT_OK && ligand->n_ligand_atoms == 0) {
    bt_ligand_destroy(ligand);
    status = bt_fail(reason, BT_ERR_INPUT, (bt_where){0}, "give a ligand with atoms", "no atoms");
  }
  if (status != BT_OK) return BT_OK;
  item->molecule = from->molecule;
  from->molecule = NULL;
  item->ligand = ligand;
  item->torsions = ligand->n_torsions;
  item->atoms = ligand->n_atoms;
  return BT_OK;
}

/* --- docking ------------------------------------------------------------------------------------------- */

/* bt_docked_fn: one ligand of the batch is done. */
static bool docked(void *user, int index) {
  bt_screen_worker *w = user;
  const bt_error *error = &w->errors[index];
  const bt_screen_item *item = &w->items[index];
  if (error->status == BT_ERR_DEVICE || error->status == BT_ERR_CANCELLED) return true; /* it is given back */
  bt_store_row *row = error->status == BT_OK ? bt_row_of_result(w->pipeline, item, w->results[index])
                                             : bt_row_of_error(item->ordinal, item->name, item->source,
                                                               bt_worker_state_of(error->status), error);
  bt_result_destroy(w->results[index]);
  w->results[index] = NULL;
  return bt_worker_settle(w, index, row);
}

/* bt_progress_fn */
static bool go_on(void *user, double fraction, int64_t evaluations, double best_energy) {
  (void)fraction, (void)evaluations, (void)best_energy;
  return bt_worker_goes_on(user);
}

static bt_status dock(bt_screen_worker *w, int count, bt_error *error) {
  bt_pipeline *p = w->pipeline;
  bt_dock_options options = p->search;
  options.opt_device = p->units[w->device].name;
  if (p->units[w->device].accelerator) options.opt_isa = NULL;
  options.threads = w->threads;
  options.opt_progress = go_on;
  options.opt_docked = docked;
  options.opt_progress_user = w;
  for (int i = 0; i < count; i++) {
    w->ligands[i] = w->items[i].ligand;
    w->results[i] = NULL;
  }
  bt_status status = p->dock(&p->units[w->device].list, w->ligands, count, p->options->maps, NULL, &options, w->results,
                             w->errors, error);
  for (int i = 0; i < count; i++) bt_result_destroy(w->results[i]);
  return status;
}

/* --- settings ------------------------------------------------------------------------------------------ */

/* Of the receptor's atoms where they are known, else of the maps. Maps that are computed differ in their last digits
 * from processor to processor, so their values say nothing. */
static uint64_t receptor_hash(const bt_screen_options *o) {
  uint64_t hash = BT_NOTE_HASH;
  if (o->opt_receptor_pdbqt != NULL) return bt_note_hash(hash, o->opt_receptor_pdbqt, strlen(o->opt_receptor_pdbqt));
  size_t points = bt_maps_points(o->maps);
  for (int m = 0; m < o->maps->n_types + 2; m++) hash = bt_note_hash(hash, o->maps->values[m], points * sizeof(float));
  return hash;
}

static uint64_t flexible_hash(const bt_molecule *opt_flexible) {
  char *text = NULL;
  if (opt_flexible == NULL || bt_molecule_pdbqt(opt_flexible, &text, NULL) != BT_OK) return 0;
  uint64_t hash = bt_note_hash(BT_NOTE_HASH, text, strlen(text));
  free(text);
  return hash;
}

static void fix_search(bt_screen_note *n, const bt_dock_options *o) {
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
}

static void fix_place(bt_screen_note *n, const bt_screen_options *o) {
  static const char *const center[] = {"center_x", "center_y", "center_z"}, *const npts[] = {"npts_x", "npts_y",
                                                                                             "npts_z"};
  bt_box box = bt_maps_box(o->maps);
  bt_note_value(n, "receptor", receptor_hash(o));
  bt_note_value(n, "flexible", flexible_hash(o->opt_flexible));
  for (int k = 0; k < 3; k++) bt_note_real(n, center[k], box.center[k]);
  for (int k = 0; k < 3; k++) bt_note_count(n, npts[k], box.npts[k]);
  bt_note_real(n, "spacing", box.spacing);
}

static void fix(const bt_pipeline *p, bt_screen_note *n) {
  fix_place(n, p->options);
  fix_search(n, &p->search);
}

const bt_screen_engine bt_screen_autodock = {bt_workers_open, bt_workers_close, prepare, dock, fix};
