/* pipeline.c - BUDE as an engine of the pipeline: a record is a compound with its conformers.
 *
 * One worker docks compounds one after another, since all conformers of a compound go to the device together. Each
 * preparing thread has its own force field.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "engine/bude/conformers.h"
#include "engine/bude/state.h"
#include "pipeline/engine.h"

typedef struct bude_engine {
  bt_engine engine;
  bt_bude_options options;
  bt_bude *docker;
  bt_worker *worker; /* current; NULL: none yet */
  pthread_mutex_t lock;
  bt_bude **readers; /* [n_readers] idle force fields */
  int n_readers;
  size_t room;
  const bt_bude_screen *screen;
} bude_engine;

/* Of a docked compound. */
typedef struct bude_output {
  double seconds;
  int n_poses;
  bt_bude_pose poses[]; /* best first */
} bude_output;

/* --- ligands ------------------------------------------------------------------------------------------- */

static bt_bude *take_reader(bude_engine *s) {
  pthread_mutex_lock(&s->lock);
  bt_bude *reader = s->n_readers > 0 ? s->readers[--s->n_readers] : NULL;
  pthread_mutex_unlock(&s->lock);
  return reader;
}

static void give_reader(bude_engine *s, bt_bude *reader) {
  pthread_mutex_lock(&s->lock);
  bool kept = BT_GROW(s->readers, &s->room, s->n_readers + 1);
  if (kept) s->readers[s->n_readers++] = reader;
  pthread_mutex_unlock(&s->lock);
  if (!kept) bt_bude_close(reader);
}

/* The compound of one record. */
static bt_status read_compound(bt_bude *bude, const bt_library_item *from, bt_bude_compound **ret_compound,
                               bt_error *reason) {
  bt_bude_compound *compound = NULL;
  bt_status status = bt_bude_compound_read(bude, from, &compound, reason);
  if (status == BT_OK) status = bt_bude_compound_complete(bude, compound, reason);
  return BT_HAND_OVER(status, compound, ret_compound, bt_bude_compound_destroy);
}

static void destroy_compound(void *compound) { bt_bude_compound_destroy(compound); }

static bt_status prepare(bt_engine *engine, bt_library *library, bt_library_item *from, bt_item *item,
                         bt_error *reason, bt_error *error) {
  bude_engine *s = (bude_engine *)engine;
  bt_bude *bude = take_reader(s);
  bt_bude_compound *compound = NULL;
  if (bude == NULL) BT_TRY(bt_bude_open_forcefield(&s->options, &bude, error));
  bude->options.ligands.opt_cancelled = library->options.opt_cancelled;
  bude->options.ligands.opt_cancelled_user = library->options.opt_cancelled_user;
  bt_status status = read_compound(bude, from, &compound, reason);
  give_reader(s, bude);
  if (status == BT_OK) {
    item->input = compound;
    item->atoms = bt_bude_compound_heavy_count(compound);
    return BT_OK;
  }
  bool own = status != BT_ERR_MEMORY && status != BT_ERR_CANCELLED;
  if (!own) *error = *reason, *reason = (bt_error){0};
  return own ? BT_OK : status;
}

/* --- rows ---------------------------------------------------------------------------------------------- */

/* Poses as SDF, one record each; as MOL2 where bonds mean nothing to RDKit. */
static bt_status write_poses(const bude_engine *s, const bt_item *item, bt_store_row *row) {
  const bude_output *output = item->output;
  bt_text all = {0};
  bt_status status = BT_OK;
  for (int format = 0; format < 2; format++) {
    for (int k = 0; k < output->n_poses; k++) {
      char *text = NULL;
      status = format == 0 ? bt_bude_pose_sdf(s->docker, item->input, &output->poses[k], k + 1, &text, NULL)
                           : bt_bude_pose_mol2(s->docker, item->input, &output->poses[k], k + 1, &text, NULL);
      if (status != BT_OK) break;
      bt_text_add_string(&all, text);
      free(text);
    }
    if (status == BT_OK || status == BT_ERR_MEMORY) break;
    all.size = 0;
  }
  if (status == BT_OK) status = bt_text_status(&all, NULL);
  if (status == BT_OK)
    row->molecule = all.data;
  else
    bt_text_destroy(&all);
  return status;
}

/* conformer, angles (degrees), translation (Angstrom) */
static bool copy_pose(bt_store_row *row, const bt_bude_pose *pose) {
  bt_store_pose *to = &row->poses[row->n_poses];
  *to = (bt_store_pose){.run = pose->conformer + 1,
                        .cluster = row->n_poses + 1,
                        .cluster_size = 1,
                        .free_energy = pose->energy,
                        .terms = {pose->steric, pose->charge, pose->desolvation},
                        .n_genes = 7};
  to->genotype = bt_allocate(7, sizeof(double));
  if (to->genotype == NULL) return false;
  to->genotype[0] = pose->conformer;
  memcpy(to->genotype + 1, pose->angles, 3 * sizeof(double));
  memcpy(to->genotype + 4, pose->translation, 3 * sizeof(double));
  row->n_poses++;
  return true;
}

static bool keep(const bt_engine *engine, const bt_item *item, int most, bt_store_row *row) {
  (void)most; /* no more were searched for */
  const bude_output *output = item->output;
  row->poses = bt_allocate((size_t)output->n_poses, sizeof *row->poses);
  if (row->poses == NULL) return false;
  for (int k = 0; k < output->n_poses; k++)
    if (!copy_pose(row, &output->poses[k])) return false;
  return write_poses((const bude_engine *)engine, item, row) == BT_OK;
}

static void describe(const bt_engine *engine, const bt_item *item, bt_store_row *row) {
  const bude_engine *s = (const bude_engine *)engine;
  const bude_output *output = item->output;
  const bt_bude_pose *best = &output->poses[0];
  row->free_energy = row->rank_energy = best->energy;
  row->terms[0] = best->steric;
  row->terms[1] = best->charge;
  row->terms[2] = best->desolvation;
  row->atoms = item->atoms;
  row->runs = bt_bude_compound_conformer_count(item->input);
  row->clusters = output->n_poses;
  row->evaluations = (int64_t)row->runs * s->options.generations * s->options.population;
  row->seconds = output->seconds;
  strncpy(row->device, bt_bude_device_name(s->docker), sizeof row->device - 1);
}

/* --- docking ------------------------------------------------------------------------------------------- */

static bt_status dock(bt_engine *engine, bt_worker *w, int count, bt_error *error) {
  bude_engine *s = (bude_engine *)engine;
  bool go_on = true;
  s->worker = w;
  for (int i = 0; i < count && go_on; i++) {
    bt_item *item = &w->items[i];
    double began = bt_seconds();
    bt_error reason = {0};
    bude_output *output = bt_allocate(1, sizeof *output + (size_t)s->options.poses * sizeof *output->poses);
    bt_status status = output != NULL ? bt_bude_dock(s->docker, item->input, output->poses, &output->n_poses, &reason)
                                      : bt_fail_memory(&reason);
    if (output != NULL) output->seconds = bt_seconds() - began;
    if (status == BT_OK) item->output = output;
    if (status != BT_OK) free(output);
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
  bt_unit *unit;
  BT_TRY(bt_pipeline_add_unit(p, bt_bude_device_name(s->docker), NULL, 0, &unit, opt_error));
  return bt_pipeline_add_worker(p, unit, load->batch > 0 ? load->batch : 1, s->options.threads, opt_error);
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
  for (int i = 0; i < s->n_readers; i++) bt_bude_close(s->readers[i]);
  free(s->readers);
  bt_bude_close(s->docker);
  pthread_mutex_destroy(&s->lock);
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
  pthread_mutex_init(&s->lock, NULL);
  s->screen = screen;
  s->options.seed = o->search.seed;
  s->options.poses = o->poses > 0 ? o->poses : 1;
  s->options.opt_progress = go_on;
  s->options.user = s;
  bt_status status = bt_bude_open(screen->opt_mol2_path, screen->opt_receptor, &s->options, &s->docker, opt_error);
  return BT_HAND_OVER(status, &s->engine, ret_engine, close);
}

const bt_engine_type bt_bude_engine_type = {.name = "bude", .terms = {"steric", "charge", "desolvation"},
                                            .mol2_alone = true, .open_screen = open_screen, .close = close,
                                            .plan = plan, .dock = dock, .prepare = prepare,
                                            .destroy_input = destroy_compound, .destroy_output = free,
                                            .describe = describe, .keep = keep, .note = note};
