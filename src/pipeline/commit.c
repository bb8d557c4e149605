/* commit.c - from results to rows, and from rows to the database: one transaction for all that came in about a second.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "results/result.h"
#include "pipeline/pipeline.h"

enum {
  MOST_WAITING = 8192, /* rows; beyond this workers wait for the disk */
  FULL = 1024          /* rows that are committed without waiting for more */
};

/* --- rows ---------------------------------------------------------------------------------------------- */

bt_store_row *bt_row_of_error(int64_t ordinal, const char *name, const char *source, const char *state,
                              const bt_error *error) {
  char text[sizeof(bt_error) + 64];
  bt_store_row *row = bt_allocate(1, sizeof *row);
  if (row == NULL) return NULL;
  row->ordinal = ordinal;
  row->state = state;
  row->status = bt_status_name(error->status);
  row->name = strdup(name != NULL ? name : "");
  row->source = strdup(source != NULL ? source : "");
  row->reason = strdup(bt_error_format(error, text, sizeof text));
  if (row->name != NULL && row->source != NULL && row->reason != NULL) return row;
  bt_store_row_destroy(row);
  return NULL;
}

static bool copy_pose(bt_store_row *row, const bt_result *result, int index) {
  const bt_run *run = &result->runs[index];
  int torsions = result->ligand->n_torsions;
  bt_store_pose *pose = &row->poses[row->n_poses];
  *pose = (bt_store_pose){.run = index + 1,
                          .cluster = run->cluster,
                          .cluster_size = result->clusters[run->cluster - 1].size,
                          .free_energy = run->energy.free_energy,
                          .inter = run->energy.inter,
                          .intra = run->energy.intra,
                          .torsional = run->energy.torsional,
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
static bool copy_poses(bt_store_row *row, const bt_result *result, int most) {
  int n = most < result->n_clusters ? most : result->n_clusters;
  row->poses = bt_allocate((size_t)n, sizeof *row->poses);
  if (row->poses == NULL) return false;
  for (int c = 0; c < n; c++)
    if (!copy_pose(row, result, result->clusters[c].leader)) return false;
  return bt_molecule_pdbqt(result->ligand->molecule, &row->molecule, NULL) == BT_OK;
}

bt_store_row *bt_row_of_result(const bt_pipeline *p, const bt_screen_item *item, const bt_result *result) {
  bt_run_summary best = bt_result_ranked(result, 0);
  if (!isfinite(best.energy.free_energy) || !isfinite(best.energy.inter) || !isfinite(best.energy.intra)) {
    bt_error error;
    bt_fail(&error, BT_ERR_INPUT, (bt_where){0}, "check the maps and the ligand's coordinates",
            "the best pose has no finite energy");
    return bt_row_of_error(item->ordinal, item->name, item->source, "failed", &error);
  }
  bt_store_row *row = bt_allocate(1, sizeof *row);
  if (row == NULL) return NULL;
  *row = (bt_store_row){.ordinal = item->ordinal,
                        .name = strdup(item->name),
                        .source = strdup(item->source),
                        .state = "docked",
                        .free_energy = best.energy.free_energy,
                        .inter = best.energy.inter,
                        .intra = best.energy.intra,
                        .torsional = best.energy.torsional,
                        .atoms = bt_ligand_atom_count(item->ligand),
                        .torsions = bt_ligand_torsion_count(item->ligand),
                        .runs = bt_result_run_count(result),
                        .clusters = bt_result_cluster_count(result),
                        .evaluations = bt_result_evaluations(result),
                        .seconds = bt_result_seconds(result)};
  strncpy(row->device, bt_result_device(result), sizeof row->device - 1);
  bool wanted = p->options->poses > 0 && row->free_energy <= bt_store_limit(p->store);
  if (row->name != NULL && row->source != NULL && (!wanted || copy_poses(row, result, p->options->poses))) return row;
  bt_store_row_destroy(row);
  return NULL;
}

/* --- to the writer ------------------------------------------------------------------------------------- */

void bt_pipeline_write(bt_pipeline *p, bt_store_row *row) {
  if (row == NULL) {
    bt_error error;
    bt_status status = bt_fail_memory(&error);
    bt_pipeline_stop(p, status, &error);
    return;
  }
  pthread_mutex_lock(&p->lock);
  if (row->reason != NULL && p->options->opt_told != NULL)
    p->options->opt_told(p->options->opt_user, row->name, row->state, row->reason);
  while (p->n_rows >= MOST_WAITING && p->status == BT_OK) pthread_cond_wait(&p->changed, &p->lock);
  row->next = NULL;
  *p->rows_end = row;
  p->rows_end = &row->next;
  p->n_rows++;
  p->evaluations += row->evaluations;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

/* --- the writer ---------------------------------------------------------------------------------------- */

/* Waits until there is enough to write, and takes it. *ret_last: nothing can follow; who is stopped ends soon, and what
 * was docked until then is kept. With the lock. */
static bt_store_row *take_rows(bt_pipeline *p, double last_commit, bool *ret_last) {
  for (;;) {
    *ret_last = p->feeders == 0 && p->n_workers_left == 0;
    double due = last_commit + p->commit_seconds, now = bt_pipeline_seconds();
    bool in_time = p->n_rows < FULL && now < due && p->status == BT_OK;
    if (*ret_last || (p->n_rows > 0 && !in_time)) break;
    if (p->n_rows == 0) {
      pthread_cond_wait(&p->changed, &p->lock);
    } else {
      struct timespec until;
      clock_gettime(CLOCK_REALTIME, &until);
      double left = due - now;
      until.tv_sec += (time_t)left;
      until.tv_nsec += (long)((left - floor(left)) * 1e9);
      if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
      pthread_cond_timedwait(&p->changed, &p->lock, &until);
    }
  }
  bt_store_row *rows = p->rows;
  p->rows = NULL;
  p->rows_end = &p->rows;
  p->n_rows = 0;
  pthread_cond_broadcast(&p->changed);
  return rows;
}

/* since: of the transaction before. */
static bt_status add_progress(bt_pipeline *p, const bt_store_row *rows, double since, bt_error *error) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  bt_store_progress progress = {.ended = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec,
                                .seconds = bt_pipeline_seconds() - since};
  for (const bt_store_row *row = rows; row != NULL; row = row->next) {
    progress.ligands++;
    progress.evaluations += row->evaluations;
  }
  return bt_store_add_progress(p->store, &progress, error);
}

static bt_status write_rows(bt_pipeline *p, const bt_store_row *rows, double since, bt_error *error) {
  pthread_mutex_lock(&p->store_lock);
  bt_status status = bt_store_begin(p->store, error);
  for (const bt_store_row *row = rows; status == BT_OK && row != NULL; row = row->next)
    status = bt_store_add(p->store, row, error);
  if (status == BT_OK) status = add_progress(p, rows, since, error);
  if (status == BT_OK) status = bt_store_commit(p->store, error);
  pthread_mutex_unlock(&p->store_lock);
  return status;
}

static bool is_better(const bt_store_row *row, const bt_screen_hit *hit) {
  return row->free_energy != hit->free_energy ? row->free_energy < hit->free_energy : row->ordinal < hit->ordinal;
}

static void note_hit(bt_pipeline *p, const bt_store_row *row) {
  int at = p->n_hits;
  while (at > 0 && is_better(row, &p->hits[at - 1])) at--;
  if (at == BT_SCREEN_HITS) return;
  if (p->n_hits < BT_SCREEN_HITS) p->n_hits++;
  memmove(&p->hits[at + 1], &p->hits[at], (size_t)(p->n_hits - 1 - at) * sizeof *p->hits);
  p->hits[at] = (bt_screen_hit){.ordinal = row->ordinal, .free_energy = row->free_energy};
  strncpy(p->hits[at].name, row->name, sizeof p->hits[at].name - 1);
}

/* What everybody may know now that it is on the disk. With the lock. */
static void note_committed(bt_pipeline *p, const bt_store_row *rows) {
  for (const bt_store_row *row = rows; row != NULL; row = row->next) {
    if (strcmp(row->state, "docked") == 0) {
      p->counts.docked++;
      note_hit(p, row);
    } else if (strcmp(row->state, "rejected") == 0) {
      p->counts.rejected++;
    } else {
      p->counts.failed++;
    }
  }
}

static void free_rows(bt_store_row *rows) {
  while (rows != NULL) {
    bt_store_row *next = rows->next;
    bt_store_row_destroy(rows);
    rows = next;
  }
}

void *bt_write_thread(void *argument) {
  bt_pipeline *p = argument;
  double last_commit = bt_pipeline_seconds();
  bool usable = true;
  for (bool last = false; !last;) {
    pthread_mutex_lock(&p->lock);
    bt_store_row *rows = take_rows(p, last_commit, &last);
    usable = usable && p->status != BT_ERR_IO; /* a full disk stays full */
    pthread_mutex_unlock(&p->lock);
    bt_error error = {0};
    bt_status status = rows != NULL && usable ? write_rows(p, rows, last_commit, &error) : BT_OK;
    last_commit = bt_pipeline_seconds();
    pthread_mutex_lock(&p->lock);
    if (rows != NULL && usable && status == BT_OK) note_committed(p, rows);
    pthread_mutex_unlock(&p->lock);
    free_rows(rows);
    usable = usable && status == BT_OK;
    if (status != BT_OK) bt_pipeline_stop(p, status, &error);
  }
  pthread_mutex_lock(&p->lock);
  p->writer_ended = true;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}
