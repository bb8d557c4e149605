/* store_sum.c - checksums of what a screen wrote, so that a bit that flips later is found. */
#ifdef BT_WITH_SQLITE

#include <math.h>
#include <string.h>

#include "base/xxhash.h"
#include "store/store_internal.h"

/* --- values in one order of bytes ---------------------------------------------------------------------- */

typedef struct digest {
  unsigned char bytes[512];
  size_t used;
  uint64_t hash;
} digest;

static uint64_t finish(digest *d) {
  d->hash = bt_xxh64(d->bytes, d->used, d->hash);
  d->used = 0;
  return d->hash;
}

static void add_bytes(digest *d, const void *data, size_t size) {
  if (size > sizeof d->bytes - d->used) finish(d);
  if (size > sizeof d->bytes) {
    d->hash = bt_xxh64(data, size, d->hash);
  } else if (size > 0) {
    memcpy(d->bytes + d->used, data, size);
    d->used += size;
  }
}

static void add_number(digest *d, int64_t number) {
  unsigned char bytes[8];
  for (int k = 0; k < 8; k++) bytes[k] = (unsigned char)((uint64_t)number >> (8 * k));
  add_bytes(d, bytes, sizeof bytes);
}

/* SQLite knows neither a negative zero nor NaN, which comes back as 0. */
static void add_real(digest *d, double value) {
  int64_t bits = 0;
  if (value != 0 && !isnan(value)) memcpy(&bits, &value, sizeof bits);
  add_number(d, bits);
}

static void add_blob(digest *d, const void *opt_data, size_t size) {
  add_number(d, opt_data != NULL ? (int64_t)size : -1);
  if (opt_data != NULL) add_bytes(d, opt_data, size);
}

static void add_text(digest *d, const char *opt_text) {
  add_blob(d, opt_text, opt_text != NULL ? strlen(opt_text) : 0);
}

static void add_packed(digest *d, const bt_packed *packed) {
  add_number(d, packed->encoding);
  add_number(d, packed->size);
  add_blob(d, packed->data, packed->bytes);
}

/* --- ligands ------------------------------------------------------------------------------------------- */

/* Is the energy of the docking one of those that are added anyway? */
static bool is_covered(const bt_store_row *row) {
  bool covered = row->free_energy == row->rank_energy;
  for (int k = 0; k < row->scores.count; k++) covered = covered || row->free_energy == row->scores.items[k].value;
  return covered;
}

/* Early versions had numbers for the scoring functions, in the order of their names, and no other scores. */
static void add_score(digest *d, const bt_named_score *score) {
  bt_scoring scoring;
  if (bt_scoring_find(score->name, &scoring))
    add_number(d, scoring);
  else
    add_text(d, score->name);
  add_real(d, score->value);
}

uint64_t bt_store_sum_result(const bt_store_row *row) {
  digest d = {.used = 0};
  add_number(&d, row->ordinal);
  const char *texts[] = {row->name, row->source, row->state, row->status, row->reason};
  for (int k = 0; k < 5; k++) add_text(&d, texts[k]);
  if (row->properties != NULL && row->properties[0] != '\0') add_text(&d, row->properties);
  if (row->state == NULL || strcmp(row->state, "docked") != 0) return finish(&d);
  add_real(&d, row->rank_energy); /* the one energy of early versions */
  for (int k = 0; k < BT_STORE_TERMS; k++) add_real(&d, row->terms[k]);
  const int64_t counts[] = {row->atoms, row->torsions, row->runs, row->clusters, row->evaluations};
  for (int k = 0; k < 5; k++) add_number(&d, counts[k]);
  add_real(&d, row->seconds);
  add_text(&d, row->device);
  for (int k = 0; k < row->scores.count; k++) add_score(&d, &row->scores.items[k]);
  if (!is_covered(row)) add_real(&d, row->free_energy);
  return finish(&d);
}

uint64_t bt_store_sum_poses(const bt_store_row *row, const bt_packed *molecule) {
  digest d = {.used = 0};
  add_number(&d, row->ordinal);
  for (int k = 0; k < row->n_poses; k++) {
    const bt_store_pose *pose = &row->poses[k];
    const int64_t counts[] = {pose->run, pose->cluster, pose->cluster_size, pose->n_genes};
    for (int i = 0; i < 4; i++) add_number(&d, counts[i]);
    add_real(&d, pose->free_energy);
    for (int i = 0; i < BT_STORE_TERMS; i++) add_real(&d, pose->terms[i]);
    add_bytes(&d, pose->genotype, (size_t)pose->n_genes * sizeof *pose->genotype); /* as the database has them */
  }
  add_packed(&d, molecule);
  return finish(&d);
}

/* --- settings ------------------------------------------------------------------------------------------ */

enum { OF_SETTINGS = -1 };

static bt_status add_settings(bt_store *store, digest *d, bt_error *opt_error) {
  BT_STATEMENT terms = NULL;
  BT_STATEMENT settings = NULL;
  BT_STATEMENT texts = NULL;
  BT_TRY(bt_store_prepare(store, "SELECT * FROM ligand LIMIT 0", &terms, opt_error));
  BT_TRY(bt_store_prepare(store, "SELECT key, value FROM setting ORDER BY key", &settings, opt_error));
  BT_TRY(bt_store_prepare(store, "SELECT key, encoding, size, data FROM text ORDER BY key", &texts, opt_error));
  bt_status status = BT_OK;
  for (int k = 0; k < BT_STORE_TERMS; k++) add_text(d, sqlite3_column_name(terms, BT_STORE_FIRST_TERM + k));
  while (bt_store_next(store, settings, &status, opt_error))
    for (int k = 0; k < 2; k++) add_text(d, (const char *)sqlite3_column_text(settings, k));
  while (bt_store_next(store, texts, &status, opt_error)) {
    bt_packed packed = bt_store_packed(texts, 1);
    add_text(d, (const char *)sqlite3_column_text(texts, 0));
    add_packed(d, &packed);
  }
  return status;
}

bt_status bt_store_sum_settings(bt_store *store, bt_error *opt_error) {
  digest d = {.used = 0};
  BT_TRY(add_settings(store, &d, opt_error));
  bt_store_bind(store->add_sum, "ll", (int64_t)OF_SETTINGS, (int64_t)finish(&d));
  BT_TRY(bt_store_step(store, store->add_sum, opt_error));
  store->unsummed = false;
  return BT_OK;
}

bt_status bt_store_settings_changed(bt_store *store, bt_error *opt_error) {
  store->unsummed = true;
  return sqlite3_get_autocommit(store->database) ? bt_store_sum_settings(store, opt_error) : BT_OK;
}

static bt_status has_table(bt_store *store, const char *name, bool *ret_has, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  bt_status status =
      bt_store_query(store, &s, opt_error, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", "s", name);
  *ret_has = bt_store_next(store, s, &status, opt_error);
  return status;
}

bt_status bt_store_check_settings(bt_store *store, bt_error *opt_error) {
  BT_TRY(has_table(store, "score", &store->has_scores, opt_error));
  BT_TRY(has_table(store, "checksum", &store->has_sums, opt_error));
  if (!store->has_sums) return BT_OK;
  BT_STATEMENT s = NULL;
  digest d = {.used = 0};
  bt_status status =
      bt_store_query(store, &s, opt_error, "SELECT result FROM checksum WHERE ordinal = ?", "i", OF_SETTINGS);
  if (!bt_store_next(store, s, &status, opt_error)) return status;
  BT_TRY(add_settings(store, &d, opt_error));
  if (sqlite3_column_int64(s, 0) == (int64_t)finish(&d)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = store->path},
                 "restore it from a copy, or start again in another folder",
                 "its settings or receptor are damaged: they do not match their checksum");
}

#else
typedef int bt_store_sum_is_in_store_none; /* ISO C wants something here */
#endif
