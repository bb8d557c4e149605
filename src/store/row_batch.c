/* row_batch.c - see row_batch.h. */
#include "store/row_batch.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"

enum { EACH = 4 /* ligands per thread: they take different times */ };

typedef struct outcome {
  bt_status status;
  bt_error error;
} outcome;

struct bt_row_batch {
  bt_row_work work;
  bt_row_job *jobs;  /* [room] */
  outcome *outcomes; /* [room] */
  int threads, room, count, next;
};

bt_status bt_row_batch_open(const bt_row_work *work, bt_row_batch **ret_batch, bt_error *opt_error) {
  *ret_batch = NULL;
  bt_row_batch *b = bt_allocate(1, sizeof *b);
  if (b == NULL) return bt_fail_memory(opt_error);
  *b = (bt_row_batch){.work = *work, .threads = bt_thread_count_default()};
  b->room = EACH * b->threads;
  b->jobs = bt_allocate((size_t)b->room, sizeof *b->jobs);
  b->outcomes = bt_allocate((size_t)b->room, sizeof *b->outcomes);
  bt_status status = b->jobs != NULL && b->outcomes != NULL ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, b, ret_batch, bt_row_batch_close);
}

static void clear(bt_row_batch *b) {
  for (int k = 0; k < b->count; k++) {
    bt_store_row_destroy(b->jobs[k].row);
    bt_text_destroy(&b->jobs[k].text);
    b->jobs[k] = (bt_row_job){0};
  }
  b->count = b->next = 0;
}

static void work(void *context, int thread) {
  (void)thread;
  bt_row_batch *b = context;
  for (int k; (k = __atomic_fetch_add(&b->next, 1, __ATOMIC_RELAXED)) < b->count;) {
    outcome *of = &b->outcomes[k];
    of->status = b->work.make(b->work.user, &b->jobs[k], &of->error);
    if (of->status == BT_OK) of->status = bt_text_status(&b->jobs[k].text, &of->error);
  }
}

bt_status bt_row_batch_flush(bt_row_batch *b, bt_error *opt_error) {
  bt_status status = BT_OK;
  if (b->count > 0) bt_parallel(b->threads < b->count ? b->threads : b->count, work, b);
  for (int k = 0; status == BT_OK && k < b->count; k++) {
    status = b->outcomes[k].status;
    if (status == BT_OK)
      status = b->work.take(b->work.user, &b->jobs[k], opt_error);
    else if (opt_error != NULL)
      *opt_error = b->outcomes[k].error;
  }
  clear(b);
  return status;
}

bt_status bt_row_batch_add(bt_row_batch *b, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  b->jobs[b->count] = (bt_row_job){.row = bt_store_row_copy(row), .rank = rank};
  if (b->jobs[b->count].row == NULL) return bt_fail_memory(opt_error);
  return ++b->count == b->room ? bt_row_batch_flush(b, opt_error) : BT_OK;
}

void bt_row_batch_close(bt_row_batch *b) {
  if (b == NULL) return;
  clear(b);
  free(b->jobs);
  free(b->outcomes);
  free(b);
}
