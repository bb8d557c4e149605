/* rescore.c - the stage of a screen after docking: re-scorers take the poses of as many ligands as wait. */
#include <berth/rescore.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pipeline/screen.h"

void bt_rescore_settle(void *user, bt_item *item, bt_status status, const bt_error *error) {
  bt_screen *s = user;
  bt_pipeline *p = &s->pipeline;
  if (status != BT_OK || bt_item_result(item) == NULL) {
    bt_commit_settle(s, item, status, error);
    return;
  }
  pthread_mutex_lock(&p->lock);
  while (s->n_docked == BT_SCREEN_DOCKED && !p->stop) bt_pipeline_wait(p, BT_EVENT_DOCKED_ROOM);
  if (s->n_docked < BT_SCREEN_DOCKED) {
    s->docked[s->n_docked++] = *item;
    *item = (bt_item){0};
  }
  bt_pipeline_wake_one(p, BT_EVENT_DOCKED);
  pthread_mutex_unlock(&p->lock);
}

/* Takes all that wait; 0: nothing will follow. A screen that is stopped at once leaves them: they are docked again when
 * it is resumed. */
static int take(bt_screen *s, bt_item *items) {
  bt_pipeline *p = &s->pipeline;
  pthread_mutex_lock(&p->lock);
  while (s->n_docked == 0 && !s->docked_all && !p->stop) bt_pipeline_wait(p, BT_EVENT_DOCKED);
  int n = p->stop ? 0 : s->n_docked;
  memcpy(items, s->docked, (size_t)n * sizeof *items);
  s->n_docked -= n;
  bt_pipeline_wake(p, BT_EVENT_DOCKED_ROOM);
  pthread_mutex_unlock(&p->lock);
  return n;
}

static bt_status score(bt_screen *s, bt_item *items, int n, bt_error *opt_error) {
  BT_SCOPED bt_result **results = bt_allocate((size_t)n, sizeof *results);
  BT_SCOPED bt_error *errors = bt_allocate((size_t)n, sizeof *errors);
  if (results == NULL || errors == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < n; i++) results[i] = bt_item_result(&items[i]);
  BT_TRY(bt_rescoring_apply(s->options->opt_rescoring, results, n, s->options->rank_by, errors, opt_error));
  for (int i = 0; i < n; i++) bt_commit_settle(s, &items[i], errors[i].status, &errors[i]);
  return BT_OK;
}

void *bt_rescore_thread(void *argument) {
  bt_screen *s = argument;
  bt_error error;
  BT_SCOPED bt_item *items = bt_allocate(BT_SCREEN_DOCKED, sizeof *items);
  bt_status status = items != NULL ? BT_OK : bt_fail_memory(&error);
  for (int n; status == BT_OK && (n = take(s, items)) > 0;) {
    status = score(s, items, n, &error);
    for (int i = 0; i < n; i++) bt_item_clear(&items[i]);
  }
  if (status != BT_OK) bt_pipeline_stop(&s->pipeline, status, &error);
  return NULL;
}
