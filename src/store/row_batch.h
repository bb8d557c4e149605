/* row_batch.h - ligands of a ranking that are worked on several at a time, by all threads, and handed over in their
 * order. */
#ifndef BERTH_STORE_ROW_BATCH_H
#define BERTH_STORE_ROW_BATCH_H

#include "base/text/text.h"
#include "store/store.h"

/* A ligand, and what was made of it. */
typedef struct bt_row_job {
  bt_store_row *row;
  int64_t rank;
  bt_text text;
  int64_t counts[3]; /* their meaning is the user's */
} bt_row_job;

typedef struct bt_row_work {
  /* Fills text and counts; of several ligands at the same time. */
  bt_status (*make)(void *user, bt_row_job *job, bt_error *opt_error);
  /* One after the other, down the ranking. */
  bt_status (*take)(void *user, const bt_row_job *job, bt_error *opt_error);
  void *user;
} bt_row_work;

typedef struct bt_row_batch bt_row_batch;

bt_status bt_row_batch_open(const bt_row_work *work, bt_row_batch **ret_batch, bt_error *opt_error) BT_MUST_USE;
/* Copies the row; when there are enough of them, they are made and taken. The first error ends it. */
bt_status bt_row_batch_add(bt_row_batch *batch, int64_t rank, const bt_store_row *row, bt_error *opt_error) BT_MUST_USE;
/* Those that are left. */
bt_status bt_row_batch_flush(bt_row_batch *batch, bt_error *opt_error) BT_MUST_USE;
void bt_row_batch_close(bt_row_batch *opt_batch);

#endif
