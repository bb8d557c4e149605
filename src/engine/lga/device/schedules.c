/* schedules.c - see schedules.h. A device waits while its job is laid out, and schedules are most of that work. */
#include "engine/lga/device/schedules.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/threads.h"

typedef struct work {
  const bt_job_ligand *ligands;
  const int *teams;
  int n_teams, count; /* ligands */
  bt_schedule *schedules;
  atomic_int next;
  atomic_bool failed;
} work;

static void make_some(void *context, int thread) {
  (void)thread;
  work *w = context;
  for (int k; (k = atomic_fetch_add(&w->next, 1)) < w->count && !atomic_load(&w->failed);)
    if (bt_schedules_of_ligand(w->ligands[k].data, w->teams, w->n_teams, w->schedules + k * w->n_teams, NULL) != BT_OK)
      atomic_store(&w->failed, true);
}

bt_status bt_schedules_create(const bt_job_ligand *ligands, int count, const int *teams, int n_teams,
                              bt_schedule **ret_schedules, bt_error *opt_error) {
  work w = {.ligands = ligands, .teams = teams, .n_teams = n_teams, .count = count};
  int threads = bt_thread_count_default();
  w.schedules = calloc((size_t)count * (size_t)n_teams + 1, sizeof *w.schedules);
  if (w.schedules == NULL) return bt_fail_memory(opt_error);
  bt_parallel(threads < w.count ? threads : w.count, make_some, &w);
  if (atomic_load(&w.failed)) { /* nothing else can go wrong */
    bt_schedules_destroy(w.schedules, count * n_teams);
    return bt_fail_memory(opt_error);
  }
  *ret_schedules = w.schedules;
  return BT_OK;
}

void bt_schedules_destroy(bt_schedule *schedules, int count) {
  for (int k = 0; schedules != NULL && k < count; k++) bt_schedule_destroy(&schedules[k]);
  free(schedules);
}
