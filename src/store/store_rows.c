/* store_rows.c - the rows of a screen's database: written once, read in the order of the ranking. */
#ifdef BT_WITH_SQLITE

#include <berth/score.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/store_internal.h"

/* Ligands that were left out. */
#define FILTERED "(status IS '" BT_STORE_FILTERED "')"

void bt_store_finalize_rows(bt_store *store) {
  sqlite3_finalize(store->add_ligand);
  sqlite3_finalize(store->add_pose);
  sqlite3_finalize(store->add_molecule);
  sqlite3_finalize(store->add_score);
  sqlite3_finalize(store->drop_pose);
  sqlite3_finalize(store->drop_molecule);
  sqlite3_finalize(store->add_sum);
  sqlite3_finalize(store->next_done);
  sqlite3_finalize(store->add_property);
}

/* --- the engine's terms -------------------------------------------------------------------------------- */

const char *bt_store_term(const bt_store *store, int index) { return store->terms[index]; }

bt_status bt_store_load_terms(bt_store *store, bt_error *opt_error) {
  static const char *const bude[BT_STORE_TERMS] = {"steric", "charge", "desolvation"};
  BT_SCOPED char *engine = NULL;
  BT_STATEMENT s = NULL;
  BT_TRY(bt_store_get(store, "engine", &engine, opt_error));
  BT_TRY(bt_store_prepare(store, "SELECT * FROM ligand LIMIT 0", &s, opt_error));
  for (int k = 0; k < BT_STORE_TERMS; k++)
    snprintf(store->terms[k], sizeof store->terms[k], "%s", sqlite3_column_name(s, BT_STORE_FIRST_TERM + k));
  /* version 1 put the terms of BUDE into the columns of AutoDock */
  bool old = engine != NULL && strcmp(engine, "bude") == 0 && strcmp(store->terms[0], "inter") == 0;
  for (int k = 0; old && k < BT_STORE_TERMS; k++) strcpy(store->terms[k], bude[k]);
  return BT_OK;
}

bt_status bt_store_name_terms(bt_store *store, const char *const names[BT_STORE_TERMS], bt_error *opt_error) {
  int64_t rows = 0;
  char sql[320];
  BT_TRY(bt_store_ask(store, "SELECT count(*) FROM ligand", &rows, opt_error));
  if (rows > 0) return BT_OK;
  for (int k = 0; k < BT_STORE_TERMS; k++) {
    const char *old = store->terms[k], *name = names[k];
    if (strcmp(old, name) == 0) continue;
    snprintf(
        sql, sizeof sql,
        "BEGIN; ALTER TABLE ligand RENAME COLUMN \"%s\" TO \"%s\"; ALTER TABLE pose RENAME COLUMN \"%s\" TO \"%s\";"
        " COMMIT",
        old, name, old, name);
    BT_TRY(bt_store_execute(store, sql, opt_error));
  }
  BT_TRY(bt_store_load_terms(store, opt_error));
  return bt_store_settings_changed(store, opt_error);
}

/* --- who keeps poses ----------------------------------------------------------------------------------- */

static void note_limit(bt_store *store) {
  pthread_mutex_lock(&store->lock);
  store->limit = bt_hit_list_limit(&store->hits);
  pthread_mutex_unlock(&store->lock);
}

/* A trigger clears the poses' part of the checksum. */
static bt_status drop(bt_store *store, int64_t ordinal, bt_error *opt_error) {
  sqlite3_bind_int64(store->drop_pose, 1, ordinal);
  BT_TRY(bt_store_step(store, store->drop_pose, opt_error));
  sqlite3_bind_int64(store->drop_molecule, 1, ordinal);
  return bt_store_step(store, store->drop_molecule, opt_error);
}

/* A new hit; beyond the limit, the worst hit loses its poses. */
static bt_status keep(bt_store *store, double energy, int64_t ordinal, bt_error *opt_error) {
  int64_t out;
  BT_TRY(bt_hit_list_add(&store->hits, energy, ordinal, &out, opt_error));
  note_limit(store);
  return out >= 0 ? drop(store, out, opt_error) : BT_OK;
}

static bt_status load_hits(bt_store *store, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  note_limit(store);
  if (store->hits.most < 0) return BT_OK;
  bt_status status = bt_store_prepare(
      store, "SELECT ordinal, rank_energy FROM ligand WHERE ordinal IN (SELECT ordinal FROM molecule)", &s, opt_error);
  while (bt_store_next(store, s, &status, opt_error)) {
    int64_t ordinal = sqlite3_column_int64(s, 0), out = -1;
    double energy = sqlite3_column_double(s, 1);
    if (!bt_hit_list_takes(&store->hits, energy, ordinal)) continue; /* kept under an earlier limit: it may stay */
    status = bt_hit_list_add(&store->hits, energy, ordinal, &out, opt_error);
  }
  note_limit(store);
  return status;
}

bt_status bt_store_prepare_rows(bt_store *store, bt_error *opt_error) {
  BT_TRY(bt_store_prepare(store, "INSERT INTO ligand VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", &store->add_ligand,
                          opt_error));
  BT_TRY(bt_store_prepare(store, "INSERT INTO pose VALUES(?,?,?,?,?,?,?,?,?,?)", &store->add_pose, opt_error));
  BT_TRY(bt_store_prepare(store, "INSERT INTO molecule VALUES(?,?,?,?)", &store->add_molecule, opt_error));
  BT_TRY(bt_store_prepare(store, "INSERT INTO score VALUES(?,?,?)", &store->add_score, opt_error));
  BT_TRY(bt_store_prepare(store, "INSERT OR REPLACE INTO checksum VALUES(?,?,?)", &store->add_sum, opt_error));
  BT_TRY(bt_store_prepare(store, "DELETE FROM pose WHERE ordinal = ?", &store->drop_pose, opt_error));
  BT_TRY(bt_store_prepare(store, "DELETE FROM molecule WHERE ordinal = ?", &store->drop_molecule, opt_error));
  BT_TRY(bt_store_prepare(store, "SELECT ordinal FROM ligand WHERE ordinal >= ? ORDER BY ordinal LIMIT ?",
                          &store->next_done, opt_error));
  return load_hits(store, opt_error);
}

/* --- writing ------------------------------------------------------------------------------------------- */

static bt_status add_pose(bt_store *store, int64_t ordinal, int rank, const bt_store_pose *pose, bt_error *opt_error) {
  sqlite3_stmt *s = store->add_pose;
  bt_store_bind(s, "liiiidddd", ordinal, rank, pose->run, pose->cluster, pose->cluster_size, pose->free_energy,
                pose->terms[0], pose->terms[1], pose->terms[2]);
  sqlite3_bind_blob64(s, 10, pose->genotype, (sqlite3_uint64)pose->n_genes * sizeof *pose->genotype, SQLITE_STATIC);
  return bt_store_step(store, s, opt_error);
}

bt_status bt_store_add(bt_store *store, const bt_store_row *row, bt_error *opt_error) {
  bool docked = strcmp(row->state, "docked") == 0;
  bt_store_bind(store->add_ligand, docked ? "lsssssddddiiiildsd" : "lsssss", row->ordinal, row->name, row->source,
                row->state, row->status, row->reason, row->free_energy, row->terms[0], row->terms[1], row->terms[2],
                row->atoms, row->torsions, row->runs, row->clusters, row->evaluations, row->seconds, row->device,
                row->rank_energy);
  BT_TRY(bt_store_step(store, store->add_ligand, opt_error));
  for (int k = 0; k < row->scores.count; k++) {
    bt_store_bind(store->add_score, "lsd", row->ordinal, row->scores.items[k].name, row->scores.items[k].value);
    BT_TRY(bt_store_step(store, store->add_score, opt_error));
  }
  BT_TRY(bt_store_add_properties(store, row, opt_error));
  bool kept = docked && row->molecule != NULL && bt_hit_list_takes(&store->hits, row->rank_energy, row->ordinal);
  bt_store_bind(store->add_sum, "ll", row->ordinal, (int64_t)bt_store_sum_result(row));
  if (!kept) return bt_store_step(store, store->add_sum, opt_error);
  for (int k = 0; k < row->n_poses; k++) BT_TRY(add_pose(store, row->ordinal, k + 1, &row->poses[k], opt_error));
  BT_ENDED_BY(bt_packed_clear) bt_packed packed = {0};
  BT_TRY(bt_store_pack(row->molecule, &packed, opt_error));
  sqlite3_bind_int64(store->add_sum, 3, (int64_t)bt_store_sum_poses(row, &packed));
  BT_TRY(bt_store_step(store, store->add_sum, opt_error));
  bt_store_bind(store->add_molecule, "l", row->ordinal);
  BT_TRY(bt_store_write_packed(store, store->add_molecule, &packed, opt_error));
  return keep(store, row->rank_energy, row->ordinal, opt_error);
}

bt_status bt_store_forget(bt_store *store, unsigned retry, bt_error *opt_error) {
  if ((retry & BT_SCREEN_RETRY_REJECTED) != 0)
    BT_TRY(bt_store_execute(store, "DELETE FROM ligand WHERE state = 'rejected' AND NOT " FILTERED, opt_error));
  if ((retry & BT_SCREEN_RETRY_FAILED) != 0)
    BT_TRY(bt_store_execute(store, "DELETE FROM ligand WHERE state = 'failed'", opt_error));
  BT_TRY(bt_store_execute(store, "DELETE FROM setting WHERE key = 'complete'", opt_error));
  return bt_store_settings_changed(store, opt_error);
}

static bt_status forget_one(bt_store *store, int64_t ordinal, bt_error *opt_error) {
  static const char *const tables[] = {"pose", "molecule", "score", "ligand", "checksum"};
  for (int k = 0; k < 5; k++) {
    char sql[64];
    BT_STATEMENT s = NULL;
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE ordinal = ?", tables[k]);
    BT_TRY(bt_store_query(store, &s, opt_error, sql, "l", ordinal));
    BT_TRY(bt_store_step(store, s, opt_error));
  }
  return BT_OK;
}

bt_status bt_store_forget_damaged(bt_store *store, bt_error *opt_error) {
  BT_TRY(bt_store_check(store, true, opt_error));
  if (store->broken) return bt_store_fail(store, SQLITE_CORRUPT, opt_error);
  if (store->n_damaged == 0) return BT_OK;
  for (size_t k = 0; k < store->n_damaged; k++) BT_TRY(forget_one(store, store->damaged[k], opt_error));
  BT_TRY(bt_store_forget(store, 0, opt_error));
  store->n_damaged = store->hits.count = 0;
  return load_hits(store, opt_error);
}

/* --- reading ------------------------------------------------------------------------------------------- */

bt_status bt_store_count(bt_store *store, bt_store_counts *ret_counts, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  *ret_counts = (bt_store_counts){0};
  bt_status status =
      bt_store_prepare(store,
                       "SELECT sum(state = 'docked'), sum(state = 'rejected' AND NOT " FILTERED
                       "), sum(state = 'failed'), sum(" FILTERED "), (SELECT count(*) FROM molecule) FROM ligand",
                       &s, opt_error);
  if (bt_store_next(store, s, &status, opt_error))
    *ret_counts = (bt_store_counts){sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1), sqlite3_column_int64(s, 2),
                                    sqlite3_column_int64(s, 3), sqlite3_column_int64(s, 4)};
  return status;
}

bt_status bt_store_list_filtered(bt_store *store, bt_text *text, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  bt_status status =
      bt_store_prepare(store,
                       "SELECT rtrim(substr(reason, 1, instr(reason || ' ', ' ') - 1), ':') AS word,"
                       " count(*) AS n FROM ligand WHERE " FILTERED " GROUP BY word ORDER BY n DESC, word",
                       &s, opt_error);
  while (bt_store_next(store, s, &status, opt_error))
    bt_text_printf(text, "%s%lld by %s", text->size > 0 ? ", " : "", (long long)sqlite3_column_int64(s, 1),
                   (const char *)sqlite3_column_text(s, 0));
  return status == BT_OK ? bt_text_status(text, opt_error) : status;
}

bt_status bt_store_attach_done(bt_store *store, const char *other, bt_error *opt_error) {
  BT_TRY(bt_store_attach(store, "ATTACH ? AS done", other, opt_error));
  sqlite3_finalize(store->next_done);
  store->next_done = NULL;
  return bt_store_prepare(store,
                          "SELECT ordinal FROM main.ligand WHERE ordinal >= ?1 UNION"
                          " SELECT ordinal FROM done.ligand WHERE ordinal >= ?1 ORDER BY 1 LIMIT ?2",
                          &store->next_done, opt_error);
}

bt_status bt_store_done(bt_store *store, int64_t from, int64_t *ordinals, int most, int *ret_count,
                        bt_error *opt_error) {
  bt_status status = BT_OK;
  *ret_count = 0;
  bt_store_bind(store->next_done, "li", from, most);
  while (bt_store_next(store, store->next_done, &status, opt_error))
    ordinals[(*ret_count)++] = sqlite3_column_int64(store->next_done, 0);
  return status;
}

bt_status bt_store_hits(bt_store *store, bt_screen_hit *hits, int most, int *ret_count, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  *ret_count = 0;
  char sql[160];
  snprintf(sql, sizeof sql,
           "SELECT ordinal, name, free_energy, %s FROM ligand WHERE state = 'docked' ORDER BY 4, ordinal LIMIT ?",
           bt_store_rank(store));
  bt_status status = bt_store_query(store, &s, opt_error, sql, "i", most);
  while (bt_store_next(store, s, &status, opt_error)) {
    bt_screen_hit *hit = &hits[(*ret_count)++];
    const char *name = (const char *)sqlite3_column_text(s, 1);
    *hit = (bt_screen_hit){.ordinal = sqlite3_column_int64(s, 0), .free_energy = sqlite3_column_double(s, 2),
                           .rank_energy = sqlite3_column_double(s, 3)};
    strncpy(hit->name, name != NULL ? name : "", sizeof hit->name - 1);
  }
  return status;
}

bt_status bt_store_scores(bt_store *store, const char *scoring, double **ret_scores, size_t *ret_count,
                          bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  size_t room = 0;
  double *scores = NULL;
  *ret_scores = NULL;
  *ret_count = 0;
  if (!store->has_scores) return BT_OK;
  bt_status status = bt_store_query(store, &s, opt_error, "SELECT free_energy FROM score WHERE scoring = ?", "s", scoring);
  while (bt_store_next(store, s, &status, opt_error)) {
    if (BT_APPEND(scores, *ret_count, &room, sqlite3_column_double(s, 0))) continue;
    free(scores);
    *ret_count = 0;
    return bt_fail_memory(opt_error);
  }
  *ret_scores = scores;
  return status;
}

/* --- another database ---------------------------------------------------------------------------------- */

#define ABSORB_POSES                                                                             \
  "INSERT OR IGNORE INTO main.pose SELECT * FROM other.pose WHERE ordinal NOT IN damaged;"     \
  "INSERT OR IGNORE INTO main.molecule SELECT * FROM other.molecule WHERE ordinal NOT IN damaged;"
/* Checksums go first: those of ligands that only the other one has. */
static const char absorb_rows[] =
    "INSERT OR IGNORE INTO main.ligand SELECT * FROM other.ligand WHERE ordinal NOT IN damaged ORDER BY ordinal;"
    ABSORB_POSES;
/* Of an early version: what ranks is in free_energy. */
static const char absorb_early_rows[] =
    "INSERT OR IGNORE INTO main.ligand SELECT *, free_energy FROM other.ligand WHERE ordinal NOT IN damaged"
    " ORDER BY ordinal;" ABSORB_POSES;
static const char part_energies[] =
    "UPDATE main.ligand SET free_energy = coalesce((SELECT s.free_energy FROM main.score AS s"
    " WHERE s.ordinal = ligand.ordinal AND s.scoring = (SELECT value FROM main.setting WHERE key = 'scoring')),"
    " free_energy) WHERE ordinal IN (SELECT ordinal FROM other.ligand)";
static const char absorb_sums[] =
    "INSERT OR IGNORE INTO main.checksum SELECT * FROM other.checksum WHERE ordinal >= 0"
    " AND ordinal NOT IN damaged AND ordinal NOT IN (SELECT ordinal FROM main.ligand)";
static const char absorb_scores[] =
    "INSERT OR IGNORE INTO main.score SELECT * FROM other.score WHERE ordinal NOT IN damaged";

static bt_status list_damaged(bt_store *store, const bt_store *from, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  BT_TRY(bt_store_execute(
      store,
      "PRAGMA temp_store = MEMORY; CREATE TEMP TABLE IF NOT EXISTS damaged(ordinal INTEGER PRIMARY KEY);"
      "DELETE FROM temp.damaged",
      opt_error));
  BT_TRY(bt_store_prepare(store, "INSERT INTO temp.damaged VALUES(?)", &s, opt_error));
  for (size_t k = 0; k < from->n_damaged; k++) {
    bt_store_bind(s, "l", from->damaged[k]);
    BT_TRY(bt_store_step(store, s, opt_error));
  }
  return BT_OK;
}

static bt_status check_conflicts(bt_store *store, const bt_store *from, bt_error *opt_error) {
  int64_t conflicts = 0;
  char sql[320];
  snprintf(sql, sizeof sql,
           "SELECT count(*) FROM main.ligand AS a JOIN other.ligand AS b USING(ordinal) WHERE ordinal NOT IN damaged"
           " AND (a.name <> b.name OR a.state <> b.state OR a.rank_energy IS NOT b.%s)",
           bt_store_rank(from));
  BT_TRY(bt_store_ask(store, sql, &conflicts, opt_error));
  if (conflicts == 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = store->opt_attached},
                 "merge only parts of the same screen", "%lld ligands have other results than in previous databases",
                 (long long)conflicts);
}

/* OR IGNORE passes over what both have, but also over what breaks a rule of the table. */
static bt_status check_absorbed(bt_store *store, bt_error *opt_error) {
  int64_t missing = 0;
  BT_TRY(bt_store_ask(store,
                      "SELECT count(*) FROM other.ligand WHERE ordinal NOT IN damaged"
                      " AND ordinal NOT IN (SELECT ordinal FROM main.ligand)",
                      &missing, opt_error));
  if (missing == 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = store->opt_attached}, "restore it from a copy",
                 "%lld ligands are damaged and cannot be merged", (long long)missing);
}

static bt_status absorb_all(bt_store *store, const bt_store *from, bt_error *opt_error) {
  BT_TRY(list_damaged(store, from, opt_error));
  BT_TRY(check_conflicts(store, from, opt_error));
  BT_TRY(bt_store_begin(store, opt_error));
  if (from->has_sums) BT_TRY(bt_store_execute(store, absorb_sums, opt_error));
  BT_TRY(bt_store_execute(store, from->has_rank ? absorb_rows : absorb_early_rows, opt_error));
  BT_TRY(check_absorbed(store, opt_error));
  if (from->has_scores) BT_TRY(bt_store_execute(store, absorb_scores, opt_error));
  if (!from->has_rank) BT_TRY(bt_store_execute(store, part_energies, opt_error));
  BT_TRY(bt_store_absorb_properties(store, opt_error));
  BT_TRY(bt_store_absorb_progress(store, opt_error));
  return bt_store_commit(store, opt_error);
}

bt_status bt_store_absorb(bt_store *store, bt_store *from, bt_error *opt_error) {
  BT_TRY(bt_store_check(from, true, opt_error));
  if (from->broken) return bt_store_fail(from, SQLITE_CORRUPT, opt_error);
  BT_TRY(bt_store_attach(store, "ATTACH ? AS other", from->path, opt_error));
  bt_status status = absorb_all(store, from, opt_error);
  if (status == BT_OK) status = bt_store_execute(store, "DETACH other", opt_error);
  if (status != BT_OK) (void)sqlite3_exec(store->database, "ROLLBACK; DETACH other", NULL, NULL, NULL);
  store->opt_attached = NULL;
  return status;
}

#else
typedef int bt_store_rows_is_in_store_none; /* ISO C wants something here */
#endif
