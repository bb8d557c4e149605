/* store_internal.h - what the files of the store share. */
#ifndef BERTH_STORE_STORE_INTERNAL_H
#define BERTH_STORE_STORE_INTERNAL_H

#include <pthread.h>
#include <sqlite3.h>

#include "base/memory.h"
#include "store/hit_list.h"
#include "store/store.h"

struct bt_store {
  char *path;
  sqlite3 *database;
  int lock_file; /* -1: none */
  bool writes;
  sqlite3_stmt *add_ligand, *add_pose, *add_molecule, *add_score, *drop_pose, *drop_molecule, *next_done;
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
/* Binds values in order, a letter for each: i int, l int64_t, d double, s text that lives until the step. */
void bt_store_bind(sqlite3_stmt *statement, const char *format, ...);
/* Prepares and binds. */
bt_status bt_store_query(bt_store *store, sqlite3_stmt **ret_statement, bt_error *opt_error, const char *sql,
                         const char *format, ...) BT_MUST_USE;
/* True at a row; else the statement is reset, and *status says whether that was the end. False after a failure. */
bool bt_store_next(bt_store *store, sqlite3_stmt *statement, bt_status *status, bt_error *opt_error) BT_MUST_USE;
/* Runs a statement without rows, and resets it. */
bt_status bt_store_step(bt_store *store, sqlite3_stmt *statement, bt_error *opt_error) BT_MUST_USE;
/* A local statement, which is finalized when its scope is left. */
#define BT_STATEMENT BT_ENDED_BY(bt_store_finalize) sqlite3_stmt *
void bt_store_finalize(sqlite3_stmt **statement);
/* The number in the first column of the only row. */
bt_status bt_store_ask(bt_store *store, const char *sql, int64_t *ret_value, bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_attach(bt_store *store, const char *sql, const char *other, bt_error *opt_error) BT_MUST_USE;
/* Texts in the columns encoding, size and data: parameters 2 to 4 of a statement that is run, and columns 0 to 2 of a
 * statement of which one row is read (*ret_text stays where there is none). */
bt_status bt_store_write_packed(bt_store *store, sqlite3_stmt *statement, const char *text,
                                bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_read_packed(bt_store *store, sqlite3_stmt *statement, char **ret_text,
                               bt_error *opt_error) BT_MUST_USE;
/* store_progress.c: takes over the rows of the attached database `other`. */
bt_status bt_store_absorb_progress(bt_store *store, bt_error *opt_error) BT_MUST_USE;
/* store_rows.c: statements for writing, and who keeps poses so far. */
bt_status bt_store_prepare_rows(bt_store *store, bt_error *opt_error) BT_MUST_USE;
void bt_store_finalize_rows(bt_store *store);
/* Reads what the columns of terms are called. */
bt_status bt_store_load_terms(bt_store *store, bt_error *opt_error) BT_MUST_USE;

#endif
