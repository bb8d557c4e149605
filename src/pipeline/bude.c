/* bude.c - what a screen does with the BUDE engine: a record is a compound with its conformers.
 *
 * Feeders read compounds and make conformers, each with a force field of its own; one worker per device docks them one
 * after the other, as all conformers of a compound go to the device side by side.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "engine/bude/conformers.h"
#include "library/library_internal.h"
#include "pipeline/pipeline.h"

typedef struct bt_screen_bude_state {
  bt_bude_options options; /* with the seed and the poses of the screen */
  bt_bude *docker;
  bt_bude_pose *poses; /* [options.poses] of the worker */
  bt_screen_worker *worker;
  pthread_mutex_t lock;
  bt_bude **readers; /* [n_readers] force fields that no feeder uses just now */
  int n_readers, room;
} bt_screen_bude_state;

/* --- ligands ------------------------------------------------------------------------------------------- */

static bt_bude *take_reader(bt_screen_bude_state *s) {
  pthread_mutex_lock(&s->lock);
  bt_bude *reader = s->n_readers > 0 ? s->readers[--s->n_readers] : NULL;
  pthread_mutex_unlock(&s->lock);
  return reader;
}

static void give_reader(bt_screen_bude_state *s, bt_bude *reader) {
  pthread_mutex_lock(&s->lock);
  if (s->n_readers == s->room) {
    int room = 2 * s->room + 8;
    bt_bude **more = realloc(s->readers, (size_t)room * sizeof *more);
    if (more != NULL) s->readers = more, s->room = room;
  }
  bool kept = s->n_readers < s->room;
  if (kept) s->readers[s->n_readers++] = reader;
  pthread_mutex_unlock(&s->lock);
  if (!kept) bt_bude_close(reader);
}

/* The compound of one record. */
static bt_status read_compound(bt_bude *bude, const bt_library_item *from, bt_bude_compound **ret_compound,
                               bt_error *reason) {
  const bt_library_record *record = from->record;
  if (from->error.status != BT_OK) return *reason = from->error, from->error.status;
  if (record == NULL || record->block != NULL || record->is.format == BT_LIGAND_PDBQT ||
      record->is.format == BT_LIGAND_PDB)
    return bt_fail(reason, BT_ERR_INPUT, (bt_where){.file = from->source}, "give MOL2, SDF or SMILES",
                   "the BUDE engine needs bonds, which this format lacks");
  bt_bude_compound *compound = NULL;
  bt_status status = bt_bude_compound_read(bude, &record->is, &compound, reason);
  if (status == BT_OK) status = bt_bude_compound_complete(bude, compound, reason);
  if (status == BT_OK)
    *ret_compound = compound;
  else
    bt_bude_compound_destroy(compound);
  return status;
}

static bt_status prepare(bt_pipeline *p, bt_library_item *from, bt_screen_item *item, bt_error *reason,
                         bt_error *error) {
  bt_bude *bude = take_reader(p->bude);
  if (bude == NULL) BT_TRY(bt_bude_open_forcefield(&p->bude->options, &bude, error));
  bt_status status = read_compound(bude, from, &item->compound, reason);
  give_reader(p->bude, bude);
  if (status == BT_OK) {
    item->atoms = bt_bude_compound_heavy_count(item->compound);
    return BT_OK;
  }
  if (status == BT_ERR_MEMORY) *error = *reason;
  return status == BT_ERR_MEMORY ? status : BT_OK;
}

/* --- docking ------------------------------------------------------------------------------------------- */

/* Poses as SDF, one record each; as MOL2 where bonds mean nothing to RDKit. */
static bt_status write_poses(const bt_screen_bude_state *s, const bt_bude_compound *compound, int count,
                             bt_store_row *row) {
  bt_text all = {0};
  bt_status status = BT_OK;
  for (int format = 0; format < 2; format++) {
    for (int k = 0; k < count; k++) {
      char *text = NULL;
      status = format == 0 ? bt_bude_pose_sdf(s->docker, compound, &s->poses[k], k + 1, &text, NULL)
                           : bt_bude_pose_mol2(s->docker, compound, &s->poses[k], k + 1, &text, NULL);
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
                        .inter = pose->steric,
                        .intra = pose->charge,
                        .torsional = pose->desolvation,
                        .n_genes = 7};
  to->genotype = bt_allocate(7, sizeof(double));
  if (to->genotype == NULL) return false;
  to->genotype[0] = pose->conformer;
  memcpy(to->genotype + 1, pose->angles, 3 * sizeof(double));
  memcpy(to->genotype + 4, pose->translation, 3 * sizeof(double));
  row->n_poses++;
  return true;
}

static bool copy_poses(const bt_screen_bude_state *s, const bt_bude_compound *compound, int count, bt_store_row *row) {
  row->poses = bt_allocate((size_t)count, sizeof *row->poses);
  if (row->poses == NULL) return false;
  for (int k = 0; k < count; k++)
    if (!copy_pose(row, &s->poses[k])) return false;
  return write_poses(s, compound, count, row) == BT_OK;
}

static bt_store_row *row_of(const bt_pipeline *p, const bt_screen_item *item, int count, double seconds) {
  const bt_screen_bude_state *s = p->bude;
  const bt_bude_pose *best = &s->poses[0];
  bt_store_row *row = bt_allocate(1, sizeof *row);
  if (row == NULL) return NULL;
  int conformers = bt_bude_compound_conformer_count(item->compound);
  *row = (bt_store_row){.ordinal = item->ordinal,
                        .name = strdup(item->name),
                        .source = strdup(item->source),
                        .state = "docked",
                        .free_energy = best->energy,
                        .inter = best->steric,
                        .intra = best->charge,
                        .torsional = best->desolvation,
                        .atoms = item->atoms,
                        .runs = conformers,
                        .clusters = count,
                        .evaluations = (int64_t)conformers * s->options.generations * s->options.population,
                        .seconds = seconds};
  strncpy(row->device, bt_bude_device_name(s->docker), sizeof row->device - 1);
  bool wanted = p->options->poses > 0 && row->free_energy <= bt_store_limit(p->store);
  if (row->name != NULL && row->source != NULL && (!wanted || copy_poses(s, item->compound, count, row))) return row;
  bt_store_row_destroy(row);
  return NULL;
}

/* These are of the machine or the settings: no ligand is to blame, and no other would fare better. */
static bool is_final(bt_status status) {
  return status == BT_ERR_DEVICE || status == BT_ERR_CANCELLED || status == BT_ERR_MEMORY || status == BT_ERR_USAGE ||
         status == BT_ERR_LIMIT;
}

static bt_status dock(bt_screen_worker *w, int count, bt_error *error) {
  bt_pipeline *p = w->pipeline;
  bt_screen_bude_state *s = p->bude;
  bool go_on = true;
  s->worker = w;
  for (int i = 0; i < count && go_on; i++) {
    const bt_screen_item *item = &w->items[i];
    double began = bt_pipeline_seconds();
    bt_error reason = {0};
    int n = 0;
    bt_status status = bt_bude_dock(s->docker, item->compound, s->poses, &n, &reason);
    if (is_final(status)) {
      *error = reason;
      return status;
    }
    bt_store_row *row =
        status == BT_OK ? row_of(p, item, n, bt_pipeline_seconds() - began)
                        : bt_row_of_error(item->ordinal, item->name, item->source, bt_worker_state_of(status), &reason);
    go_on = bt_worker_settle(w, i, row);
  }
  return BT_OK;
}

/* --- opening ------------------------------------------------------------------------------------------- */

static bool go_on(void *user, double part) {
  (void)part;
  const bt_screen_bude_state *s = user;
  return s->worker == NULL || bt_worker_goes_on(s->worker);
}

static bt_status open_engine(bt_pipeline *p, bt_error *opt_error) {
  const bt_screen_options *o = p->options;
  bt_screen_bude_state *s = p->bude = bt_allocate(1, sizeof *s);
  if (s == NULL) return bt_fail_memory(opt_error);
  pthread_mutex_init(&s->lock, NULL);
  if (p->search.seed == 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "give one", "the BUDE engine needs a seed that is not 0");
  s->options = o->opt_bude->options;
  s->options.seed = p->search.seed;
  s->options.poses = o->poses > 0 ? o->poses : 1;
  s->options.opt_progress = go_on;
  s->options.user = s;
  BT_TRY(bt_bude_open(o->opt_bude->opt_mol2_path, o->opt_bude->opt_receptor, &s->options, &s->docker, opt_error));
  s->poses = bt_allocate((size_t)s->options.poses, sizeof *s->poses);
  p->workers = bt_allocate(1, sizeof *p->workers);
  if (s->poses == NULL || p->workers == NULL) return bt_fail_memory(opt_error);
  bt_screen_unit *unit = &p->units[p->n_units++];
  strncpy(unit->name, bt_bude_device_name(s->docker), sizeof unit->name - 1);
  return bt_worker_open(p, 0, o->batch > 0 ? o->batch : 1, s->options.threads, opt_error);
}

static void close_engine(bt_pipeline *p) {
  bt_screen_bude_state *s = p->bude;
  bt_workers_close(p);
  if (s == NULL) return;
  for (int i = 0; i < s->n_readers; i++) bt_bude_close(s->readers[i]);
  free(s->readers);
  bt_bude_close(s->docker);
  free(s->poses);
  pthread_mutex_destroy(&s->lock);
  free(s);
}

/* --- settings ------------------------------------------------------------------------------------------ */

static void fix_file(bt_screen_note *n, const char *key, const char *opt_path) {
  char *data = NULL;
  size_t size = 0;
  if (n->status != BT_OK) return;
  if (opt_path != NULL) n->status = bt_file_read(opt_path, &data, &size, n->opt_error);
  if (n->status == BT_OK) bt_note_value(n, key, data != NULL ? bt_note_hash(BT_NOTE_HASH, data, size) : 0);
  free(data);
}

static void fix_receptor(bt_screen_note *n, const bt_screen_options *o) {
  char *text = NULL;
  if (o->opt_bude->opt_mol2_path != NULL) {
    fix_file(n, "receptor", o->opt_bude->opt_mol2_path);
    return;
  }
  if (n->status == BT_OK) n->status = bt_molecule_pdbqt(o->opt_bude->opt_receptor, &text, n->opt_error);
  if (n->status == BT_OK) bt_note_value(n, "receptor", bt_note_hash(BT_NOTE_HASH, text, strlen(text)));
  free(text);
}

static void fix(const bt_pipeline *p, bt_screen_note *n) {
  static const char *const center[] = {"center_x", "center_y", "center_z"}, *const size[] = {"size_x", "size_y",
                                                                                             "size_z"};
  const bt_bude_options *o = &p->bude->options;
  uint64_t aliases = BT_NOTE_HASH;
  for (int i = 0; i < o->n_aliases; i++) aliases = bt_note_hash(aliases, o->aliases[i], strlen(o->aliases[i]) + 1);
  fix_receptor(n, p->options);
  fix_file(n, "forcefield", o->opt_forcefield);
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
  bt_note_fix(n, "ph", isnan(o->ligands.ph) ? "as given" : "set");
  if (!isnan(o->ligands.ph)) bt_note_real(n, "ph_value", o->ligands.ph);
}

const bt_screen_engine bt_screen_bude = {open_engine, close_engine, prepare, dock, fix};
