/* store_internal.h - what the files of the store share. */
#ifndef BERTH_STORE_STORE_INTERNAL_H
#define BERTH_STORE_STORE_INTERNAL_H

#include <pthread.h>
#include <sqlite3.h>

#include "store/hit_list.h"
#include "store/store.h"

struct bt_store {
  char *path;
  sqlite3 *database;
  int lock_file; /* -1: none */
  bool writes;
  sqlite3_stmt *add_ligand, *add_pose, *add_molecule, *drop_pose, *drop_molecule, *next_done;
  bt_hit_list hits;
  pthread_mutex_t lock; /* of limit */
  double limit;
  char terms[BT_STORE_TERMS][24];
};

/* Turns SQLite's result into a status that says what to do. */
bt_status bt_store_fail(bt_store *store, int result, bt_error *opt_error);
bt_status bt_store_execute(bt_store *store, const char *sql, bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_prepare(bt_store *store, const char *sql, sqlite3_stmt **ret_statement,
                           bt_error *opt_error) BT_MUST_USE;
/* The number in the first column of the only row. */
bt_status bt_store_ask(bt_store *store, const char *sql, int64_t *ret_value, bt_error *opt_error) BT_MUST_USE;
/* Runs a statement without rows, and resets it. */
bt_status bt_store_step(bt_store *store, sqlite3_stmt *statement, bt_error *opt_error) BT_MUST_USE;
/* store_progress.c: takes over the rows of the attached database `other`. */
bt_status bt_store_absorb_progress(bt_store *store, bt_error *opt_error) BT_MUST_USE;
/* store_rows.c: statements for writing, and who keeps poses so far. */
bt_status bt_store_prepare_rows(bt_store *store, bt_error *opt_error) BT_MUST_USE;
void bt_store_finalize_rows(bt_store *store);
/* Reads what the columns of terms are called. */
bt_status bt_store_load_terms(bt_store *store, bt_error *opt_error) BT_MUST_USE;

#endif
