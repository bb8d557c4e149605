/* store_progress.c - when ligands were finished: one row per transaction. */
#ifdef BT_WITH_SQLITE

#include "store/store_internal.h"

bt_status bt_store_add_progress(bt_store *store, const bt_store_progress *progress, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  BT_TRY(bt_store_query(store, &s, opt_error, "INSERT OR IGNORE INTO progress VALUES(?, ?, ?, ?)", "ddll",
                        progress->ended, progress->seconds, progress->ligands, progress->evaluations));
  return bt_store_step(store, s, opt_error);
}

bt_status bt_store_visit_progress(bt_store *store, bt_store_progress_fn visit, void *user, bt_error *opt_error) {
  int64_t has = 0;
  BT_STATEMENT s = NULL;
  BT_TRY(bt_store_ask(store, "SELECT count(*) FROM sqlite_master WHERE name = 'progress'", &has, opt_error));
  if (has == 0) return BT_OK; /* an early version made it */
  bt_status status = bt_store_prepare(
      store, "SELECT ended, seconds, ligands, evaluations FROM progress ORDER BY ended", &s, opt_error);
  while (bt_store_next(store, s, &status, opt_error)) {
    bt_store_progress progress = {.ended = sqlite3_column_double(s, 0),
                                  .seconds = sqlite3_column_double(s, 1),
                                  .ligands = sqlite3_column_int64(s, 2),
                                  .evaluations = sqlite3_column_int64(s, 3)};
    status = visit(user, &progress, opt_error);
  }
  return status;
}

bt_status bt_store_absorb_progress(bt_store *store, bt_error *opt_error) {
  int64_t has = 0;
  BT_TRY(bt_store_ask(store, "SELECT count(*) FROM other.sqlite_master WHERE name = 'progress'", &has, opt_error));
  if (has == 0) return BT_OK;
  return bt_store_execute(store, "INSERT OR IGNORE INTO main.progress SELECT * FROM other.progress", opt_error);
}

#else
typedef int bt_store_progress_is_in_store_none; /* ISO C wants something here */
#endif
