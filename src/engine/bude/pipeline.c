/* pipeline.c - BUDE as an engine of the pipeline: a record is a compound with its conformers.
 *
 * All conformers of a compound go to the devices together. There are two workers, each with its compound, so that
 * devices that have nothing left to do in one begin with the other; one if the CPU is the only device.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/bude/conformers.h"
#include "engine/bude/state.h"
#include "pipeline/engine.h"
#include "results/result.h"

typedef struct bude_engine {
  bt_engine engine;
  bt_bude_options options;
  bt_bude *docker;
  bt_worker *_Atomic worker; /* the last to begin; NULL: none yet */
  const bt_bude_screen *screen;
} bude_engine;

/* --- ligands ------------------------------------------------------------------------------------------- */

static void destroy_compound(void *compound) { bt_bude_compound_destroy(compound); }
static void destroy_result(void *result) { bt_result_destroy(result); }

static bt_status prepare(bt_engine *engine, bt_library *library, bt_library_item *from, bt_item *item,
                         bt_error *reason, bt_error *error) {
  const bude_engine *s = (const bude_engine *)engine;
  bt_bude_compound *compound = NULL;
  bt_status status = bt_bude_compound_read(library, from, &compound, reason);
  if (status == BT_OK) status = bt_bude_compound_complete(s->docker, library, compound, reason);
  if (status == BT_OK) {
    item->input = compound;
    item->atoms = compound->n_heavy;
    return BT_OK;
  }
  bt_bude_compound_destroy(compound);
  bool own = status != BT_ERR_MEMORY && status != BT_ERR_CANCELLED;
  if (!own) *error = *reason, *reason = (bt_error){0};
  return own ? BT_OK : status;
}

/* --- rows ---------------------------------------------------------------------------------------------- */

/* As SDF; as MOL2 where bonds mean nothing to RDKit. */
static bool write_poses(const bt_result *result, bt_store_row *row) {
  bt_status status = bt_result_text(result, "sdf", NULL, &row->molecule, NULL);
  if (status != BT_OK && status != BT_ERR_MEMORY) status = bt_result_text(result, "mol2", NULL, &row->molecule, NULL);
  return status == BT_OK;
}

/* conformer, angles (degrees), translation (Angstrom) */
static bool copy_pose(bt_store_row *row, const bt_result *result, int k) {
  const bt_placement *placement = bt_bude_placement_of(result, k);
  double e[4];
  bt_run_rigid_energies(&result->runs[k], e);
  bt_store_pose *to = &row->poses[k];
  *to = (bt_store_pose){.run = placement->conformer + 1, .cluster = k + 1, .cluster_size = 1, .free_energy = e[0],
                        .terms = {e[1], e[2], e[3]}, .n_genes = 7};
  to->genotype = bt_allocate(7, sizeof(double));
  if (to->genotype == NULL) return false;
  to->genotype[0] = placement->conformer;
  memcpy(to->genotype + 1, placement->angles, 3 * sizeof(double));
  memcpy(to->genotype + 4, placement->translation, 3 * sizeof(double));
  row->n_poses++;
  return true;
}

static bool keep(const bt_engine *engine, const bt_item *item, int most, bt_store_row *row) {
  (void)engine;
  (void)most; /* no more were searched for */
  const bt_result *result = item->output;
  row->poses = bt_allocate((size_t)result->n_poses, sizeof *row->poses);
  for (int k = 0; row->poses != NULL && k < result->n_poses; k++)
    if (!copy_pose(row, result, k)) return false;
  return row->poses != NULL && write_poses(result, row);
}

static void describe(const bt_engine *engine, const bt_item *item, bt_store_row *row) {
  (void)engine;
  const bt_result *result = item->output;
  double e[4];
  bt_run_rigid_energies(&result->runs[0], e);
  row->free_energy = row->rank_energy = e[0];
  memcpy(row->terms, e + 1, sizeof row->terms);
  row->atoms = item->atoms;
  row->runs = bt_bude_compound_conformer_count(item->input);
  row->clusters = bt_result_pose_count(result);
  row->evaluations = bt_result_evaluations(result);
  row->seconds = bt_result_seconds(result);
  strncpy(row->device, bt_result_device(result), sizeof row->device - 1);
}

/* --- docking ------------------------------------------------------------------------------------------- */

static bt_status dock(bt_engine *engine, bt_worker *w, int count, bt_error *error) {
  bude_engine *s = (bude_engine *)engine;
  bool go_on = true;
  s->worker = w;
  for (int i = 0; i < count && go_on; i++) {
    bt_item *item = &w->items[i];
    bt_error reason = {0};
    bt_result *result = NULL;
    bt_status status = bt_bude_dock(s->docker, item->input, NULL, &result, &reason);
    item->output = result;
    if (status != BT_OK && !bt_status_concerns_ligand(status)) {
      *error = reason;
      return status;
    }
    bt_worker_settle(w, i, status, &reason);
    go_on = bt_worker_goes_on(w);
  }
  return BT_OK;
}

static bt_status plan(bt_engine *engine, struct bt_pipeline *p, const bt_workload *load, bt_error *opt_error) {
  bude_engine *s = (bude_engine *)engine;
  const int batch = load->batch > 0 ? load->batch : 1, workers = bt_bude_units_go_on(s->docker) ? 2 : 1;
  bt_unit *unit;
  BT_TRY(bt_pipeline_add_unit(p, bt_bude_device_name(s->docker), NULL, 0, &unit, opt_error));
  for (int k = 0; k < workers; k++) BT_TRY(bt_pipeline_add_worker(p, unit, batch, s->options.threads, opt_error));
  return BT_OK;
}

/* --- settings ------------------------------------------------------------------------------------------ */

static void note(const bt_engine *engine, struct bt_screen_note *n) {
  static const char *const center[] = {"center_x", "center_y", "center_z"}, *const size[] = {"size_x", "size_y",
                                                                                             "size_z"};
  const bude_engine *s = (const bude_engine *)engine;
  const bt_bude_options *o = &s->options;
  uint64_t aliases = BT_NOTE_HASH;
  for (int i = 0; i < o->n_aliases; i++) aliases = bt_note_hash(aliases, o->aliases[i], strlen(o->aliases[i]) + 1);
  if (s->screen->opt_mol2_path != NULL)
    bt_note_file(n, "receptor", s->screen->opt_mol2_path);
  else
    bt_note_molecule(n, "receptor", s->screen->opt_receptor);
  bt_note_file(n, "forcefield", o->opt_forcefield);
  bt_note_value(n, "aliases", aliases);
  bt_note_count(n, "rules", o->rules);
  for (int k = 0; k < 3; k++) bt_note_real(n, center[k], o->center[k]);
  for (int k = 0; k < 3; k++) bt_note_real(n, size[k], o->size[k]);
  bt_note_real(n, "spacing", o->spacing);
  bt_note_real(n, "angle_step", o->angle_step);
  bt_note_count(n, "generations", o->generations);
  bt_note_count(n, "population", o->population);
  bt_note_count(n, "parents", o->parents);
  bt_note_count(n, "duplicates", o->duplicates);
  bt_note_real(n, "separation", o->separation);
  bt_note_count(n, "conformers", o->ligands.conformers);
  bt_note_count(n, "conformer_seed", (int64_t)o->ligands.seed);
  bt_note_count(n, "keep_conformer", o->keep_conformer);
  bt_note_rank(n, "bude");
  bt_note_fix(n, "ph", !isnan(o->ligands.ph) ? "set" : o->ligands.as_drawn ? "as given" : "as stated");
  if (!isnan(o->ligands.ph)) bt_note_real(n, "ph_value", o->ligands.ph);
}

/* --- opening ------------------------------------------------------------------------------------------- */

static bool go_on(void *user, double part) {
  (void)part;
  const bude_engine *s = user;
  return s->worker == NULL || bt_worker_goes_on(s->worker);
}

static void close(bt_engine *engine) {
  bude_engine *s = (bude_engine *)engine;
  bt_bude_close(s->docker);
  free(s);
}

extern const bt_engine_type bt_bude_engine_type; /* for the registry */

static bt_status open_screen(const bt_screen_options *o, bt_engine **ret_engine, bt_error *opt_error) {
  const bt_bude_screen *screen = o->opt_engine_settings;
  if (screen == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "pass a bt_bude_screen", "the BUDE engine has no settings");
  if (o->search.seed == 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a seed", "the BUDE engine needs a seed other than 0");
  bude_engine *s = bt_allocate(1, sizeof *s);
  if (s == NULL) return bt_fail_memory(opt_error);
  *s = (bude_engine){.engine = {.type = &bt_bude_engine_type, .seed = &s->options.seed}, .options = screen->options};
  s->screen = screen;
  s->options.seed = o->search.seed;
  s->options.poses = o->poses > 0 ? o->poses : 1;
  s->options.opt_progress = go_on;
  s->options.user = s;
  bt_status status = bt_bude_open(screen->opt_mol2_path, screen->opt_receptor, &s->options, &s->docker, opt_error);
  return BT_HAND_OVER(status, &s->engine, ret_engine, close);
}

const bt_engine_type bt_bude_engine_type = {.name = "bude", .terms = {BT_BUDE_TERMS},
                                            .mol2_alone = true, .open_screen = open_screen, .close = close,
                                            .plan = plan, .dock = dock, .prepare = prepare,
                                            .destroy_input = destroy_compound, .destroy_output = destroy_result,
                                            .describe = describe, .keep = keep, .note = note};
