/* store.c - the database of a screen: its tables, opening and closing, settings.
 *
 * The journal is SQLite's write-ahead log, synced at every commit, so that a killed process or a power failure
 * loses at most what was not yet committed. A lock file, released with its process, excludes a second writer.
 */
#ifdef BT_WITH_SQLITE

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/pack.h"
#include "base/memory.h"
#include "store/store_internal.h"

enum { APPLICATION = 0x42455254 }; /* "BERT", so that `file` and we know whose database it is */

#define RANKING                                                                                             \
  "CREATE VIEW ranking AS SELECT row_number() OVER (ORDER BY rank_energy, ordinal) AS rank, * FROM ligand" \
  " WHERE state = 'docked';"
static const char schema[] =
    "CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE text(key TEXT PRIMARY KEY, encoding INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE ligand(ordinal INTEGER PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL,"
    " state TEXT NOT NULL CHECK(state IN ('docked', 'rejected', 'failed')), status TEXT, reason TEXT,"
    " free_energy REAL, inter REAL, intra REAL, torsional REAL, atoms INTEGER, torsions INTEGER, runs INTEGER,"
    " clusters INTEGER, evaluations INTEGER, seconds REAL, device TEXT, rank_energy REAL,"
    " CHECK((state = 'docked') = (free_energy IS NOT NULL)), CHECK((state = 'docked') = (rank_energy IS NOT NULL)),"
    " CHECK((state = 'docked') = (reason IS NULL)));"
    "CREATE TABLE pose(ordinal INTEGER NOT NULL REFERENCES ligand, rank INTEGER NOT NULL, run INTEGER NOT NULL,"
    " cluster INTEGER NOT NULL, cluster_size INTEGER NOT NULL, free_energy REAL NOT NULL, inter REAL NOT NULL,"
    " intra REAL NOT NULL, torsional REAL NOT NULL, genotype BLOB NOT NULL, PRIMARY KEY(ordinal, rank)) WITHOUT ROWID;"
    "CREATE TABLE molecule(ordinal INTEGER PRIMARY KEY REFERENCES ligand, encoding INTEGER NOT NULL,"
    " size INTEGER NOT NULL, data BLOB NOT NULL);"
    RANKING;

/* Added later: databases of early versions get it when they are resumed. */
static const char progress_table[] =
    "CREATE TABLE IF NOT EXISTS progress(ended REAL PRIMARY KEY, seconds REAL NOT NULL, ligands INTEGER NOT NULL,"
    " evaluations INTEGER NOT NULL) WITHOUT ROWID";

/* Energies in several scoring functions, likewise. */
static const char score_table[] =
    "CREATE TABLE IF NOT EXISTS score(ordinal INTEGER NOT NULL REFERENCES ligand, scoring TEXT NOT NULL,"
    " free_energy REAL NOT NULL, PRIMARY KEY(ordinal, scoring)) WITHOUT ROWID";

/* Databases of early versions had one column for what ranks and for the energy of the docking; the latter is among the
 * energies in several functions where they differ. */
static const char rank_column[] =
    "BEGIN IMMEDIATE; ALTER TABLE ligand ADD COLUMN rank_energy REAL; UPDATE ligand SET rank_energy = free_energy;"
    "UPDATE ligand SET free_energy = coalesce((SELECT s.free_energy FROM score AS s WHERE s.ordinal = ligand.ordinal"
    " AND s.scoring = (SELECT value FROM setting WHERE key = 'scoring')), free_energy);"
    "DROP VIEW ranking;" RANKING "COMMIT";

/* Checksums, likewise; that of the settings has ordinal -1. Triggers drop those of rows that are deleted and of
 * settings that are changed by an early version or by hand. */
#define CHANGED(event, table)                                                  \
  "CREATE TRIGGER IF NOT EXISTS " table "_" event " AFTER " event " ON " table \
  " BEGIN DELETE FROM checksum WHERE ordinal = -1; END;"
static const char sum_table[] =
    "CREATE TABLE IF NOT EXISTS checksum(ordinal INTEGER PRIMARY KEY, result INTEGER NOT NULL, poses INTEGER);"
    "CREATE TRIGGER IF NOT EXISTS ligand_delete AFTER DELETE ON ligand"
    " BEGIN DELETE FROM checksum WHERE ordinal = OLD.ordinal; END;"
    "CREATE TRIGGER IF NOT EXISTS molecule_delete AFTER DELETE ON molecule"
    " BEGIN UPDATE checksum SET poses = NULL WHERE ordinal = OLD.ordinal; END;" CHANGED("insert", "setting")
        CHANGED("update", "setting") CHANGED("delete", "setting") CHANGED("insert", "text") CHANGED("update", "text")
            CHANGED("delete", "text");

/* --- helpers ------------------------------------------------------------------------------------------- */

bt_status bt_store_fail(bt_store *store, int result, bt_error *opt_error) {
  int last_error = errno; /* SQLite keeps that of some calls only, not that of a failed write */
  bt_where where = {.file = store->path};
  const char *text = store->database != NULL ? sqlite3_errmsg(store->database) : sqlite3_errstr(result);
  int system_error = store->database != NULL ? sqlite3_system_errno(store->database) : 0;
  if (result == SQLITE_NOMEM) return bt_fail_memory(opt_error);
  if ((result & 0xff) == SQLITE_FULL || system_error == ENOSPC || system_error == EDQUOT)
    return bt_fail(opt_error, BT_ERR_IO, where, "free some space, then continue with --resume",
                   "no space left on the disk");
  if (system_error == EFBIG || ((result & 0xff) == SQLITE_IOERR && last_error == EFBIG))
    return bt_fail(opt_error, BT_ERR_IO, where, "raise the file size limit (ulimit -f), then continue with --resume",
                   "the file size limit is reached");
  if ((result & 0xff) == SQLITE_BUSY || (result & 0xff) == SQLITE_LOCKED)
    return bt_fail(opt_error, BT_ERR_IO, where, "wait until it has ended", "another process is using this database");
  if ((result & 0xff) == SQLITE_CANTOPEN && (system_error == EMFILE || system_error == ENFILE))
    return bt_fail(opt_error, BT_ERR_IO, where, "allow more open files (ulimit -n), then continue with --resume",
                   "too many open files");
  bool corrupt = (result & 0xff) == SQLITE_NOTADB || (result & 0xff) == SQLITE_CORRUPT;
  if (corrupt && store->opt_attached != NULL) where.file = store->opt_attached; /* ours was made just now */
  if ((result & 0xff) == SQLITE_NOTADB)
    return bt_fail(opt_error, BT_ERR_INPUT, where,
                   "use a database that berth screen wrote; if this is one, restore it from a copy",
                   "this is not a database, or its header is damaged");
  if (corrupt)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "restore it from a copy, or start again in another folder",
                   "this database is damaged (%s)", text);
  return bt_fail(opt_error, BT_ERR_IO, where, "check the folder and the disk, then continue with --resume", "%s", text);
}

bt_status bt_store_execute(bt_store *store, const char *sql, bt_error *opt_error) {
  int result = sqlite3_exec(store->database, sql, NULL, NULL, NULL);
  return result == SQLITE_OK ? BT_OK : bt_store_fail(store, result, opt_error);
}

bt_status bt_store_prepare(bt_store *store, const char *sql, sqlite3_stmt **ret_statement, bt_error *opt_error) {
  int result = sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, ret_statement, NULL);
  return result == SQLITE_OK ? BT_OK : bt_store_fail(store, result, opt_error);
}

bt_status bt_store_step(bt_store *store, sqlite3_stmt *statement, bt_error *opt_error) {
  int result = sqlite3_step(statement);
  bt_status status = result == SQLITE_DONE || result == SQLITE_ROW ? BT_OK : bt_store_fail(store, result, opt_error);
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  return status;
}

static void bind(sqlite3_stmt *s, const char *format, va_list values) {
  for (int k = 1; *format != '\0'; format++, k++) {
    if (*format == 'i') sqlite3_bind_int(s, k, va_arg(values, int));
    if (*format == 'l') sqlite3_bind_int64(s, k, va_arg(values, int64_t));
    if (*format == 'd') sqlite3_bind_double(s, k, va_arg(values, double));
    if (*format == 's') sqlite3_bind_text(s, k, va_arg(values, const char *), -1, SQLITE_STATIC);
  }
}

void bt_store_bind(sqlite3_stmt *s, const char *format, ...) {
  va_list values;
  va_start(values, format);
  bind(s, format, values);
  va_end(values);
}

bt_status bt_store_query(bt_store *store, sqlite3_stmt **ret_statement, bt_error *opt_error, const char *sql,
                         const char *format, ...) {
  BT_TRY(bt_store_prepare(store, sql, ret_statement, opt_error));
  va_list values;
  va_start(values, format);
  bind(*ret_statement, format, values);
  va_end(values);
  return BT_OK;
}

bool bt_store_next(bt_store *store, sqlite3_stmt *s, bt_status *status, bt_error *opt_error) {
  int result = *status == BT_OK ? sqlite3_step(s) : SQLITE_DONE;
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) *status = bt_store_fail(store, result, opt_error);
  sqlite3_reset(s);
  return false;
}

void bt_store_finalize(sqlite3_stmt **statement) { sqlite3_finalize(*statement); }

bt_status bt_store_ask(bt_store *store, const char *sql, int64_t *ret_value, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  bt_status status = bt_store_prepare(store, sql, &s, opt_error);
  if (bt_store_next(store, s, &status, opt_error)) *ret_value = sqlite3_column_int64(s, 0);
  return status;
}

bt_status bt_store_attach(bt_store *store, const char *sql, const char *other, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  store->opt_attached = other;
  BT_TRY(bt_store_query(store, &s, opt_error, sql, "s", other));
  return bt_store_step(store, s, opt_error);
}

/* --- open and close ------------------------------------------------------------------------------------ */

static bt_status lock_writer(bt_store *store, bt_error *opt_error) {
  BT_SCOPED char *path = NULL;
  if (asprintf(&path, "%s-lock", store->path) < 0) return bt_fail_memory(opt_error);
  store->lock_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (store->lock_file < 0)
    return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = path}, "check the folder's permissions", "%s",
                   strerror(errno));
  if (fcntl(store->lock_file, F_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = store->path},
                   "wait until it has ended, or use another folder", "another process is working on this screen");
  return BT_OK; /* file systems without locks are used without */
}

static void unlock_writer(bt_store *store) {
  BT_SCOPED char *path = NULL;
  if (store->lock_file < 0) return;
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  bool ours = fcntl(store->lock_file, F_SETLK, &whole) == 0;
  if (ours && asprintf(&path, "%s-lock", store->path) >= 0) unlink(path);
  close(store->lock_file);
}

static bt_status create_tables(bt_store *store, bt_error *opt_error) {
  char version[96];
  snprintf(version, sizeof version, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION,
           BT_STORE_RANK_ENERGY);
  BT_TRY(bt_store_execute(store, "BEGIN IMMEDIATE", opt_error));
  BT_TRY(bt_store_execute(store, version, opt_error));
  BT_TRY(bt_store_execute(store, schema, opt_error));
  return bt_store_execute(store, "COMMIT", opt_error);
}

/* *ret_empty: a database that a killed process never filled. */
static bt_status check_version(bt_store *store, bool *ret_empty, bt_error *opt_error) {
  int64_t application = 0, version = 0, tables = 0;
  BT_TRY(bt_store_ask(store, "SELECT count(*) FROM sqlite_master", &tables, opt_error));
  BT_TRY(bt_store_ask(store, "PRAGMA application_id", &application, opt_error));
  BT_TRY(bt_store_ask(store, "PRAGMA user_version", &version, opt_error));
  *ret_empty = tables == 0 && application == 0;
  if (*ret_empty && store->writes) return BT_OK;
  bt_where where = {.file = store->path};
  if (application != APPLICATION)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use a database written by berth screen",
                   "this is not the database of a screen");
  if (version < BT_STORE_VERSION || version > BT_STORE_PROPERTIES)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use the version of berth that wrote it",
                   "this database has version %d, but version %d is needed", (int)version, BT_STORE_PROPERTIES);
  return BT_OK;
}

bt_status bt_store_find_rank(bt_store *store, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  BT_TRY(bt_store_prepare(store, "SELECT * FROM ligand LIMIT 0", &s, opt_error));
  store->has_rank = sqlite3_column_count(s) > BT_STORE_RANK_COLUMN;
  return BT_OK;
}

static bt_status add_rank(bt_store *store, bt_error *opt_error) {
  char version[64];
  BT_TRY(bt_store_execute(store, rank_column, opt_error));
  snprintf(version, sizeof version, "PRAGMA user_version = %d", BT_STORE_RANK_ENERGY);
  store->has_rank = true;
  return bt_store_execute(store, version, opt_error);
}

static bt_status open_database(bt_store *store, bt_store_mode mode, bt_error *opt_error) {
  bt_where where = {.file = store->path};
  bool there = access(store->path, F_OK) == 0;
  if (mode == BT_STORE_READ && !there)
    return bt_fail(opt_error, BT_ERR_USAGE, where, "check the path", "no screen found");
  if (store->writes) BT_TRY(lock_writer(store, opt_error));
  int flags = mode == BT_STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  int result = sqlite3_open_v2(store->path, &store->database, flags | SQLITE_OPEN_NOMUTEX, NULL);
  if (result != SQLITE_OK) return bt_store_fail(store, result, opt_error);
  sqlite3_extended_result_codes(store->database, 1);
  sqlite3_busy_timeout(store->database, 10000);
  if (store->writes)
    BT_TRY(bt_store_execute(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384",
                            opt_error));
  bool empty;
  BT_TRY(check_version(store, &empty, opt_error));
  if (mode == BT_STORE_CREATE && !empty)
    return bt_fail(opt_error, BT_ERR_USAGE, where, "continue it with --resume, or use another folder",
                   "a screen already exists");
  if (empty) BT_TRY(create_tables(store, opt_error));
  BT_TRY(bt_store_find_rank(store, opt_error));
  if (!store->writes) return BT_OK;
  BT_TRY(bt_store_execute(store, score_table, opt_error));
  if (!store->has_rank) BT_TRY(add_rank(store, opt_error));
  BT_TRY(bt_store_execute(store, sum_table, opt_error));
  return bt_store_execute(store, progress_table, opt_error);
}

bt_status bt_store_open(const char *path, bt_store_mode mode, int64_t keep, bt_store **ret_store, bt_error *opt_error) {
  bt_store *store = calloc(1, sizeof *store);
  if (store == NULL) return bt_fail_memory(opt_error);
  store->lock_file = -1;
  store->writes = mode != BT_STORE_READ;
  store->hits.most = keep;
  store->limit = INFINITY;
  pthread_mutex_init(&store->lock, NULL);
  store->path = strdup(path);
  bt_status status = store->path != NULL ? open_database(store, mode, opt_error) : bt_fail_memory(opt_error);
  if (status == BT_OK) status = bt_store_load_terms(store, opt_error);
  if (status == BT_OK) status = bt_store_check_settings(store, opt_error);
  if (status == BT_OK && store->writes) status = bt_store_prepare_rows(store, opt_error);
  return BT_HAND_OVER(status, store, ret_store, bt_store_close);
}

/* *ret_busy: another process reads or writes. */
static bt_status empty_log(bt_store *store, bool *ret_busy, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  BT_TRY(bt_store_prepare(store, "PRAGMA wal_checkpoint(TRUNCATE)", &s, opt_error));
  int result = sqlite3_step(s);
  *ret_busy = (result & 0xff) == SQLITE_BUSY || (result == SQLITE_ROW && sqlite3_column_int(s, 0) != 0);
  return result == SQLITE_ROW || *ret_busy ? BT_OK : bt_store_fail(store, result, opt_error);
}

static bt_status leave_log(bt_store *store, bool *ret_busy, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  BT_TRY(bt_store_prepare(store, "PRAGMA journal_mode = DELETE", &s, opt_error));
  int result = sqlite3_step(s);
  const char *mode = result == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
  bool left = mode != NULL && strcmp(mode, "delete") == 0;
  *ret_busy = !left && (result == SQLITE_ROW || (result & 0xff) == SQLITE_BUSY || (result & 0xff) == SQLITE_LOCKED);
  return left || *ret_busy ? BT_OK : bt_store_fail(store, result, opt_error);
}

bt_status bt_store_seal(bt_store *store, bool alone, bt_error *opt_error) {
  bool busy = false;
  if (!alone) sqlite3_busy_timeout(store->database, 0);
  BT_TRY(empty_log(store, &busy, opt_error));
  if (!busy) BT_TRY(leave_log(store, &busy, opt_error));
  return busy && alone ? bt_store_fail(store, SQLITE_BUSY, opt_error) : BT_OK;
}

void bt_store_close(bt_store *store) {
  if (store == NULL) return;
  bt_store_finalize_rows(store);
  if (store->database != NULL && store->writes) /* as bt_store_seal; what fails leaves the log where it is */
    (void)sqlite3_exec(store->database, "PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  sqlite3_close(store->database);
  unlock_writer(store);
  bt_hit_list_free(&store->hits);
  free(store->damaged);
  free(store->sound);
  pthread_mutex_destroy(&store->lock);
  free(store->path);
  free(store);
}

const char *bt_store_path(const bt_store *store) { return store->path; }

bt_status bt_store_begin(bt_store *store, bt_error *opt_error) {
  return bt_store_execute(store, "BEGIN IMMEDIATE", opt_error);
}

bt_status bt_store_commit(bt_store *store, bt_error *opt_error) {
  if (store->unsummed) BT_TRY(bt_store_sum_settings(store, opt_error));
  return bt_store_execute(store, "COMMIT", opt_error);
}

double bt_store_limit(bt_store *store) {
  pthread_mutex_lock(&store->lock);
  double limit = store->limit;
  pthread_mutex_unlock(&store->lock);
  return limit;
}

/* --- settings ------------------------------------------------------------------------------------------ */

bt_status bt_store_set(bt_store *store, const char *key, const char *value, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  BT_TRY(bt_store_query(store, &s, opt_error, "INSERT OR REPLACE INTO setting VALUES(?, ?)", "ss", key, value));
  BT_TRY(bt_store_step(store, s, opt_error));
  return bt_store_settings_changed(store, opt_error);
}

bt_status bt_store_get(bt_store *store, const char *key, char **ret_value, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  *ret_value = NULL;
  bt_status status = bt_store_query(store, &s, opt_error, "SELECT value FROM setting WHERE key = ?", "s", key);
  if (!bt_store_next(store, s, &status, opt_error)) return status;
  const char *value = (const char *)sqlite3_column_text(s, 0);
  *ret_value = strdup(value != NULL ? value : "");
  return *ret_value != NULL ? BT_OK : bt_fail_memory(opt_error);
}

bt_status bt_store_set_text(bt_store *store, const char *key, const char *text, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  BT_ENDED_BY(bt_packed_clear) bt_packed packed = {0};
  BT_TRY(bt_store_pack(text, &packed, opt_error));
  BT_TRY(bt_store_query(store, &s, opt_error, "INSERT OR REPLACE INTO text VALUES(?, ?, ?, ?)", "s", key));
  BT_TRY(bt_store_write_packed(store, s, &packed, opt_error));
  return bt_store_settings_changed(store, opt_error);
}

bt_status bt_store_get_text(bt_store *store, const char *key, char **ret_text, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  *ret_text = NULL;
  BT_TRY(bt_store_query(store, &s, opt_error, "SELECT encoding, size, data FROM text WHERE key = ?", "s", key));
  return bt_store_read_packed(store, s, ret_text, opt_error);
}

bt_status bt_store_pack(const char *text, bt_packed *ret_packed, bt_error *opt_error) {
  size_t size = strlen(text);
  *ret_packed = (bt_packed){.size = (int64_t)size};
  BT_TRY(bt_pack(text, size, &ret_packed->allocated, &ret_packed->bytes, &ret_packed->encoding, opt_error));
  ret_packed->data = ret_packed->allocated;
  return BT_OK;
}

void bt_packed_clear(bt_packed *packed) { free(packed->allocated); }

bt_status bt_store_write_packed(bt_store *store, sqlite3_stmt *s, const bt_packed *packed, bt_error *opt_error) {
  sqlite3_bind_int(s, 2, packed->encoding);
  sqlite3_bind_int64(s, 3, packed->size);
  sqlite3_bind_blob64(s, 4, packed->data, packed->bytes, SQLITE_STATIC);
  return bt_store_step(store, s, opt_error);
}

bt_packed bt_store_packed(sqlite3_stmt *s, int column) {
  return (bt_packed){.encoding = sqlite3_column_int(s, column),
                     .size = sqlite3_column_int64(s, column + 1),
                     .data = sqlite3_column_blob(s, column + 2),
                     .bytes = (size_t)sqlite3_column_bytes(s, column + 2)};
}

bt_status bt_store_unpack(bt_store *store, const bt_packed *packed, char **ret_text, bt_error *opt_error) {
  bt_error own = {0};
  bt_status status = bt_unpack(packed->data, packed->bytes, packed->encoding, (size_t)packed->size, ret_text, &own);
  if (status == BT_OK) return BT_OK;
  return bt_fail(opt_error, status, (bt_where){.file = store->path}, own.remedy, "%s", own.message);
}

bt_status bt_store_read_packed(bt_store *store, sqlite3_stmt *s, char **ret_text, bt_error *opt_error) {
  bt_status status = BT_OK;
  if (!bt_store_next(store, s, &status, opt_error)) return status;
  bt_packed packed = bt_store_packed(s, 0);
  status = bt_store_unpack(store, &packed, ret_text, opt_error);
  sqlite3_reset(s);
  return status;
}

const char *bt_sqlite_version(void) { return sqlite3_libversion(); }

#else
typedef int bt_store_is_in_store_none; /* ISO C wants something here */
#endif
