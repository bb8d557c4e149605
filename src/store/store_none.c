/* store_none.c - what a build without SQLite says; and what rows need in any build. */
#include <stdlib.h>

#include "store/store.h"

void bt_store_row_destroy(bt_store_row *row) {
  if (row == NULL) return;
  for (int k = 0; k < row->n_poses; k++) free(row->poses[k].genotype);
  free(row->poses);
  free(row->name);
  free(row->source);
  free(row->reason);
  free(row->molecule);
  free(row);
}

#ifndef BT_WITH_SQLITE

static bt_status missing(bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "install libsqlite3-dev and build again",
                 "this build has no SQLite, hence no screens");
}

bt_status bt_store_open(const char *path, bt_store_mode mode, int64_t keep, bt_store **ret_store, bt_error *opt_error) {
  (void)path, (void)mode, (void)keep;
  *ret_store = NULL;
  return missing(opt_error);
}

void bt_store_close(bt_store *store) { (void)store; }

const char *bt_store_path(const bt_store *store) {
  (void)store;
  return "";
}

const char *bt_store_term(const bt_store *store, int index) {
  (void)store, (void)index;
  return "";
}

bt_status bt_store_name_terms(bt_store *store, const char *const names[BT_STORE_TERMS], bt_error *opt_error) {
  (void)store, (void)names;
  return missing(opt_error);
}

bt_status bt_store_begin(bt_store *store, bt_error *opt_error) {
  (void)store;
  return missing(opt_error);
}

bt_status bt_store_commit(bt_store *store, bt_error *opt_error) {
  (void)store;
  return missing(opt_error);
}

bt_status bt_store_add(bt_store *store, const bt_store_row *row, bt_error *opt_error) {
  (void)store, (void)row;
  return missing(opt_error);
}

double bt_store_limit(bt_store *store) {
  (void)store;
  return 0;
}

bt_status bt_store_set(bt_store *store, const char *key, const char *value, bt_error *opt_error) {
  (void)store, (void)key, (void)value;
  return missing(opt_error);
}

bt_status bt_store_get(bt_store *store, const char *key, char **ret_value, bt_error *opt_error) {
  (void)store, (void)key;
  *ret_value = NULL;
  return missing(opt_error);
}

bt_status bt_store_set_text(bt_store *store, const char *key, const char *text, bt_error *opt_error) {
  (void)store, (void)key, (void)text;
  return missing(opt_error);
}

bt_status bt_store_get_text(bt_store *store, const char *key, char **ret_text, bt_error *opt_error) {
  (void)store, (void)key;
  *ret_text = NULL;
  return missing(opt_error);
}

bt_status bt_store_count(bt_store *store, bt_store_counts *ret_counts, bt_error *opt_error) {
  (void)store;
  *ret_counts = (bt_store_counts){0};
  return missing(opt_error);
}

bt_status bt_store_attach_done(bt_store *store, const char *other, bt_error *opt_error) {
  (void)store, (void)other;
  return missing(opt_error);
}

bt_status bt_store_done(bt_store *store, int64_t from, int64_t *ordinals, int most, int *ret_count,
                        bt_error *opt_error) {
  (void)store, (void)from, (void)ordinals, (void)most;
  *ret_count = 0;
  return missing(opt_error);
}

bt_status bt_store_hits(bt_store *store, bt_screen_hit *hits, int most, int *ret_count, bt_error *opt_error) {
  (void)store, (void)hits, (void)most;
  *ret_count = 0;
  return missing(opt_error);
}

bt_status bt_store_visit(bt_store *store, bool docked, bool poses, int64_t most, bt_store_visit_fn visit, void *user,
                         bt_error *opt_error) {
  (void)store, (void)docked, (void)poses, (void)most, (void)visit, (void)user;
  return missing(opt_error);
}

bt_status bt_store_absorb(bt_store *store, const char *other, bt_error *opt_error) {
  (void)store, (void)other;
  return missing(opt_error);
}

const char *bt_sqlite_version(void) { return ""; }

#endif
