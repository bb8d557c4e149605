/* store_progress.c - when ligands were finished: one row per transaction. */
#ifdef BT_WITH_SQLITE

#include "store/store_internal.h"

bt_status bt_store_add_progress(bt_store *store, const bt_store_progress *progress, bt_error *opt_error) {
  sqlite3_stmt *s = NULL;
  BT_TRY(bt_store_prepare(store, "INSERT OR IGNORE INTO progress VALUES(?, ?, ?, ?)", &s, opt_error));
  sqlite3_bind_double(s, 1, progress->ended);
  sqlite3_bind_double(s, 2, progress->seconds);
  sqlite3_bind_int64(s, 3, progress->ligands);
  sqlite3_bind_int64(s, 4, progress->evaluations);
  bt_status status = bt_store_step(store, s, opt_error);
  sqlite3_finalize(s);
  return status;
}

static bt_status has_table(bt_store *store, const char *sql, bool *ret_has, bt_error *opt_error) {
  sqlite3_stmt *s = NULL;
  BT_TRY(bt_store_prepare(store, sql, &s, opt_error));
  *ret_has = sqlite3_step(s) == SQLITE_ROW;
  sqlite3_finalize(s);
  return BT_OK;
}

bt_status bt_store_visit_progress(bt_store *store, bt_store_progress_fn visit, void *user, bt_error *opt_error) {
  bool has;
  sqlite3_stmt *s = NULL;
  BT_TRY(has_table(store, "SELECT 1 FROM sqlite_master WHERE name = 'progress'", &has, opt_error));
  if (!has) return BT_OK; /* an early version made it */
  BT_TRY(bt_store_prepare(store, "SELECT ended, seconds, ligands, evaluations FROM progress ORDER BY ended", &s,
                          opt_error));
  bt_status status = BT_OK;
  int result = SQLITE_DONE;
  while (status == BT_OK && (result = sqlite3_step(s)) == SQLITE_ROW) {
    bt_store_progress progress = {.ended = sqlite3_column_double(s, 0),
                                  .seconds = sqlite3_column_double(s, 1),
                                  .ligands = sqlite3_column_int64(s, 2),
                                  .evaluations = sqlite3_column_int64(s, 3)};
    status = visit(user, &progress, opt_error);
  }
  if (status == BT_OK && result != SQLITE_DONE) status = bt_store_fail(store, result, opt_error);
  sqlite3_finalize(s);
  return status;
}

bt_status bt_store_absorb_progress(bt_store *store, bt_error *opt_error) {
  bool has;
  BT_TRY(has_table(store, "SELECT 1 FROM other.sqlite_master WHERE name = 'progress'", &has, opt_error));
  if (!has) return BT_OK;
  return bt_store_execute(store, "INSERT OR IGNORE INTO main.progress SELECT * FROM other.progress", opt_error);
}

#else
#include "store/store.h"

bt_status bt_store_add_progress(bt_store *store, const bt_store_progress *progress, bt_error *opt_error) {
  (void)store, (void)progress, (void)opt_error;
  return BT_OK; /* no store can be open */
}

bt_status bt_store_visit_progress(bt_store *store, bt_store_progress_fn visit, void *user, bt_error *opt_error) {
  (void)store, (void)visit, (void)user, (void)opt_error;
  return BT_OK;
}
#endif
