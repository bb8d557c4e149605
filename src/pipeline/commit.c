/* commit.c - from items to rows, and from rows to the database: one transaction for all rows of about a second. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "pipeline/screen.h"
#include "results/result.h"

enum {
  MOST_WAITING = 8192, /* rows; beyond this workers wait for the disk */
  FULL = 1024          /* rows that are committed without waiting for more */
};

/* --- rows ---------------------------------------------------------------------------------------------- */

static bt_store_row *start_row(int64_t ordinal, const char *name, const char *source, const char *opt_properties,
                               const char *state) {
  bt_store_row *row = bt_allocate(1, sizeof *row);
  if (row == NULL) return NULL;
  *row = (bt_store_row){.ordinal = ordinal,
                        .name = strdup(name != NULL ? name : ""),
                        .source = strdup(source != NULL ? source : ""),
                        .properties = opt_properties != NULL ? strdup(opt_properties) : NULL,
                        .state = state};
  if (row->name != NULL && row->source != NULL && (row->properties != NULL || opt_properties == NULL)) return row;
  bt_store_row_destroy(row);
  return NULL;
}

static bt_store_row *row_of_error(int64_t ordinal, const char *name, const char *source, const char *opt_properties,
                                  const char *state, const bt_error *error) {
  char text[sizeof(bt_error) + 64];
  bt_store_row *row = start_row(ordinal, name, source, opt_properties, state);
  if (row == NULL) return NULL;
  row->status = bt_status_name(error->status);
  bool filtered = error->status == BT_ERR_FILTERED; /* then the condition comes first */
  row->reason = strdup(filtered ? error->message : bt_error_format(error, text, sizeof text));
  if (row->reason != NULL) return row;
  bt_store_row_destroy(row);
  return NULL;
}

/* What re-scorers say of the best cluster, and the docking's own function. */
static bool add_scores(bt_store_row *row, const bt_result *opt_result) {
  int n = opt_result != NULL ? bt_result_rescored_count(opt_result) : 0;
  bool added =
      n == 0 || bt_score_list_add(&row->scores, bt_scoring_name(opt_result->ligand->scoring), row->free_energy);
  for (int k = 0; added && k < n; k++) {
    bt_rescored of = bt_result_rescored(opt_result, 0, k);
    added = bt_score_list_add(&row->scores, of.name, of.score);
    for (int v = 0; added && v < of.n_values; v++)
      added = bt_score_list_add(&row->scores, of.value_names[v], of.values[v]);
  }
  return added;
}

/* Which of the record's states it is, where there are several. */
static bool add_state(bt_store_row *row, const bt_item *item) {
  const bt_item_states *states = item->opt_states;
  return states == NULL || (bt_score_list_add(&row->scores, BT_STORE_STATE, item->state) &&
                            bt_score_list_add(&row->scores, BT_STORE_STATES, states->count));
}

/* Poses and molecule only where they may be kept. */
static bt_store_row *row_of_item(const bt_screen *s, const bt_item *item) {
  const bt_engine_type *engine = s->engine->type;
  bt_store_row *row = start_row(item->ordinal, item->name, item->source, item->properties, "docked");
  if (row == NULL) return NULL;
  engine->describe(s->engine, item, row);
  if (!add_scores(row, bt_item_result(item)) || !add_state(row, item)) {
    bt_store_row_destroy(row);
    return NULL;
  }
  if (!isfinite(row->free_energy) || !isfinite(row->rank_energy) || !isfinite(row->terms[0]) ||
      !isfinite(row->terms[1])) {
    bt_error error;
    bt_store_row_destroy(row);
    bt_fail(&error, BT_ERR_INPUT, (bt_where){0}, "check the maps and the ligand's coordinates",
            "the best pose has no finite energy");
    return row_of_error(item->ordinal, item->name, item->source, item->properties, "failed", &error);
  }
  bool wanted = s->options->poses > 0 && row->rank_energy <= bt_store_limit(s->store);
  if (!wanted || engine->keep(s->engine, item, s->options->poses, row)) return row;
  bt_store_row_destroy(row);
  return NULL;
}

/* --- to the writer ------------------------------------------------------------------------------------- */

static bool is_filtered(const bt_store_row *row) {
  return row->status != NULL && strcmp(row->status, BT_STORE_FILTERED) == 0;
}

/* Queues a row, waiting while there are too many; NULL: memory is exhausted. Reports rejects. */
static void add(bt_screen *s, bt_store_row *row) {
  bt_pipeline *p = &s->pipeline;
  if (row == NULL) {
    bt_error error;
    bt_status status = bt_fail_memory(&error);
    bt_pipeline_stop(p, status, &error);
    return;
  }
  pthread_mutex_lock(&p->lock);
  if (row->reason != NULL && !is_filtered(row) && s->options->opt_lost != NULL)
    s->options->opt_lost(s->options->opt_user, row->name, row->state, row->reason);
  while (s->n_rows >= MOST_WAITING && p->status == BT_OK) bt_pipeline_wait(p, BT_EVENT_ROWS_ROOM);
  row->next = NULL;
  *s->rows_end = row;
  s->rows_end = &row->next;
  s->n_rows++;
  s->evaluations += row->evaluations;
  if (s->n_rows == 1 || s->n_rows == FULL) bt_pipeline_wake_one(p, BT_EVENT_ROWS);
  pthread_mutex_unlock(&p->lock);
}

void bt_commit_reject(bt_screen *s, const bt_library_item *from, const bt_error *error) {
  add(s, row_of_error(from->ordinal, from->name, from->source, from->properties, "rejected", error));
}

static bool is_better_state(const bt_store_row *row, const bt_store_row *best) {
  bool docked = strcmp(row->state, "docked") == 0, other = strcmp(best->state, "docked") == 0;
  if (!docked || !other) return docked && !other;
  if (row->rank_energy != best->rank_energy) return row->rank_energy < best->rank_energy;
  return bt_score_list_find(&row->scores, BT_STORE_STATE)->value <
         bt_score_list_find(&best->scores, BT_STORE_STATE)->value;
}

/* Joins the row of a state with those of its record's other states; the best of them after the last one, else NULL. */
static bt_store_row *join_states(bt_screen *s, bt_item_states *states, bt_store_row *row) {
  pthread_mutex_lock(&s->pipeline.lock);
  states->evaluations += row->evaluations;
  states->seconds += row->seconds;
  bt_store_row *best = states->opt_best, *worse = row;
  if (best == NULL || is_better_state(row, best)) {
    worse = best;
    best = row;
  }
  bool last = --states->left == 0;
  states->opt_best = last ? NULL : best;
  best->evaluations = last ? states->evaluations : best->evaluations;
  best->seconds = last ? states->seconds : best->seconds;
  pthread_mutex_unlock(&s->pipeline.lock);
  bt_store_row_destroy(worse);
  return last ? best : NULL;
}

void bt_commit_settle(void *user, bt_item *item, bt_status status, const bt_error *error) {
  bt_screen *s = user;
  const char *state = bt_status_concerns_ligand(status) ? "rejected" : "failed";
  bt_store_row *row = status == BT_OK
                          ? row_of_item(s, item)
                          : row_of_error(item->ordinal, item->name, item->source, item->properties, state, error);
  if (row != NULL && item->opt_states != NULL) {
    row = join_states(s, item->opt_states, row);
    if (row == NULL) return; /* other states follow */
  }
  add(s, row);
}

/* --- the writer ---------------------------------------------------------------------------------------- */

/* Waits until there is enough to write, and takes it. *ret_last: nothing will follow. A pipeline that is being stopped
 * ends soon, and what was docked by then is kept. Call with the lock held. */
static bt_store_row *take_rows(bt_screen *s, double last_commit, bool *ret_last) {
  bt_pipeline *p = &s->pipeline;
  for (;;) {
    *ret_last = s->ended;
    double due = last_commit + s->commit_seconds, now = bt_seconds();
    bool in_time = s->n_rows < FULL && now < due && p->status == BT_OK;
    if (*ret_last || (s->n_rows > 0 && !in_time)) break;
    if (s->n_rows == 0)
      bt_pipeline_wait(p, BT_EVENT_ROWS);
    else
      bt_pipeline_wait_for(p, BT_EVENT_ROWS, due - now);
  }
  bt_store_row *rows = s->rows;
  s->rows = NULL;
  s->rows_end = &s->rows;
  s->n_rows = 0;
  bt_pipeline_wake(p, BT_EVENT_ROWS_ROOM);
  return rows;
}

/* since: of the transaction before. */
static bt_status add_progress(bt_screen *s, const bt_store_row *rows, double since, bt_error *error) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  bt_store_progress progress = {.ended = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec,
                                .seconds = bt_seconds() - since};
  for (const bt_store_row *row = rows; row != NULL; row = row->next) {
    progress.ligands++;
    progress.evaluations += row->evaluations;
  }
  return bt_store_add_progress(s->store, &progress, error);
}

static bt_status write_rows(bt_screen *s, const bt_store_row *rows, double since, bt_error *error) {
  pthread_mutex_lock(&s->store_lock);
  bt_status status = bt_store_begin(s->store, error);
  for (const bt_store_row *row = rows; status == BT_OK && row != NULL; row = row->next)
    status = bt_store_add(s->store, row, error);
  if (status == BT_OK) status = add_progress(s, rows, since, error);
  if (status == BT_OK) status = bt_store_commit(s->store, error);
  pthread_mutex_unlock(&s->store_lock);
  return status;
}

static bool is_better(const bt_store_row *row, const bt_screen_hit *hit) {
  return row->rank_energy != hit->rank_energy ? row->rank_energy < hit->rank_energy : row->ordinal < hit->ordinal;
}

static void note_hit(bt_screen *s, const bt_store_row *row) {
  int at = s->n_hits;
  while (at > 0 && is_better(row, &s->hits[at - 1])) at--;
  if (at == BT_SCREEN_HITS) return;
  if (s->n_hits < BT_SCREEN_HITS) s->n_hits++;
  memmove(&s->hits[at + 1], &s->hits[at], (size_t)(s->n_hits - 1 - at) * sizeof *s->hits);
  s->hits[at] =
      (bt_screen_hit){.ordinal = row->ordinal, .free_energy = row->free_energy, .rank_energy = row->rank_energy};
  strncpy(s->hits[at].name, row->name, sizeof s->hits[at].name - 1);
}

/* Publishes what is on the disk now. With the lock. */
static void note_committed(bt_screen *s, const bt_store_row *rows) {
  for (const bt_store_row *row = rows; row != NULL; row = row->next) {
    if (strcmp(row->state, "docked") == 0) {
      s->counts.docked++;
      note_hit(s, row);
    } else if (is_filtered(row)) {
      s->counts.filtered++;
    } else if (strcmp(row->state, "rejected") == 0) {
      s->counts.rejected++;
    } else {
      s->counts.failed++;
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

void *bt_commit_thread(void *argument) {
  bt_screen *s = argument;
  bt_pipeline *p = &s->pipeline;
  double last_commit = bt_seconds();
  bool usable = true;
  for (bool last = false; !last;) {
    pthread_mutex_lock(&p->lock);
    bt_store_row *rows = take_rows(s, last_commit, &last);
    usable = usable && p->status != BT_ERR_IO; /* a full disk stays full */
    pthread_mutex_unlock(&p->lock);
    bt_error error = {0};
    bt_status status = rows != NULL && usable ? write_rows(s, rows, last_commit, &error) : BT_OK;
    last_commit = bt_seconds();
    pthread_mutex_lock(&p->lock);
    if (rows != NULL && usable && status == BT_OK) note_committed(s, rows);
    pthread_mutex_unlock(&p->lock);
    free_rows(rows);
    usable = usable && status == BT_OK;
    if (status != BT_OK) bt_pipeline_stop(p, status, &error);
  }
  return NULL;
}
