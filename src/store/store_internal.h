/* store_internal.h - what the files of the store share. */
#ifndef BERTH_STORE_STORE_INTERNAL_H
#define BERTH_STORE_STORE_INTERNAL_H

#include <pthread.h>
#include <sqlite3.h>

#include "base/memory.h"
#include "store/hit_list.h"
#include "store/store.h"

/* A ligand that can be read. */
typedef struct bt_sound {
  int64_t ordinal;
  bool docked;
  double rank_energy;
} bt_sound;

struct bt_store {
  char *path;
  sqlite3 *database;
  int lock_file; /* -1: none */
  bool writes;
  sqlite3_stmt *add_ligand, *add_pose, *add_molecule, *add_score, *drop_pose, *drop_molecule, *add_sum, *next_done;
  sqlite3_stmt *add_property; /* NULL until a ligand has any */
  bt_hit_list hits;
  pthread_mutex_t lock; /* of limit */
  double limit;
  char terms[BT_STORE_TERMS][24];
  const char *opt_attached;  /* the path of a second database */
  bool has_rank, has_scores, has_sums; /* databases of early versions have no such column and tables */
  bool unsummed;             /* settings changed in this transaction */
  bool checked, checked_poses;
  bool broken;      /* table ligand cannot be read from its beginning to its end; sound lists what can */
  bt_sound *sound;
  size_t n_sound, sound_room;
  int64_t *damaged; /* [n_damaged] ordinals, ascending */
  size_t n_damaged, damaged_room;
  bt_screen_damage damage;
};

enum { BT_STORE_FIRST_TERM = 7, BT_STORE_RANK_COLUMN = 17 }; /* columns of table ligand */

/* The column that ranks. */
static inline const char *bt_store_rank(const bt_store *store) {
  return store->has_rank ? "rank_energy" : "free_energy";
}
/* Looks for it, before anything else is done. */
bt_status bt_store_find_rank(bt_store *store, bt_error *opt_error) BT_MUST_USE;

/* A text as a database keeps it. */
typedef struct bt_packed {
  int encoding;
  int64_t size; /* of the text */
  const void *data;
  size_t bytes;
  void *allocated; /* NULL: data is borrowed */
} bt_packed;

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
bt_status bt_store_pack(const char *text, bt_packed *ret_packed, bt_error *opt_error) BT_MUST_USE;
void bt_packed_clear(bt_packed *packed);
bt_status bt_store_write_packed(bt_store *store, sqlite3_stmt *statement, const bt_packed *packed,
                                bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_read_packed(bt_store *store, sqlite3_stmt *statement, char **ret_text,
                               bt_error *opt_error) BT_MUST_USE;
/* Of the row at which a statement is; data lives until its next step. */
bt_packed bt_store_packed(sqlite3_stmt *statement, int column);
bt_status bt_store_unpack(bt_store *store, const bt_packed *packed, char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* store_sum.c: XXH64 of values in little-endian order, independent of SQLite's representation. */
uint64_t bt_store_sum_result(const bt_store_row *row);
uint64_t bt_store_sum_poses(const bt_store_row *row, const bt_packed *molecule);
/* Updates the checksum of the settings when the transaction ends. */
bt_status bt_store_settings_changed(bt_store *store, bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_sum_settings(bt_store *store, bt_error *opt_error) BT_MUST_USE;
/* Determines which tables exist; damaged settings are an error. */
bt_status bt_store_check_settings(bt_store *store, bt_error *opt_error) BT_MUST_USE;
/* store_read.c: looks for ligands whose values, with `poses` also whose poses, are not as they were written. */
bt_status bt_store_check(bt_store *store, bool poses, bt_error *opt_error) BT_MUST_USE;
/* store_progress.c: takes over the rows of the attached database `other`. */
bt_status bt_store_absorb_progress(bt_store *store, bt_error *opt_error) BT_MUST_USE;
/* store_properties.c: of a row; statement s finds name and value by the ordinal. */
bt_status bt_store_find_properties(bt_store *store, bool *ret_has, bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_add_properties(bt_store *store, const bt_store_row *row, bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_read_properties(bt_store *store, sqlite3_stmt *s, bt_store_row *row,
                                   bt_error *opt_error) BT_MUST_USE;
/* Takes over those of the attached database `other`, without the ligands in table damaged. */
bt_status bt_store_absorb_properties(bt_store *store, bt_error *opt_error) BT_MUST_USE;
/* store_rows.c: statements for writing, and which ligands keep their poses so far. */
bt_status bt_store_prepare_rows(bt_store *store, bt_error *opt_error) BT_MUST_USE;
void bt_store_finalize_rows(bt_store *store);
/* Reads the names of the columns of terms. */
bt_status bt_store_load_terms(bt_store *store, bt_error *opt_error) BT_MUST_USE;

#endif
