/* store_none.c - the errors of a build without SQLite, and what rows need in any build. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/store.h"

void bt_store_row_destroy(bt_store_row *row) {
  if (row == NULL) return;
  for (int k = 0; k < row->n_poses; k++) free(row->poses[k].genotype);
  free(row->poses);
  bt_score_list_clear(&row->scores);
  free(row->name);
  free(row->source);
  free(row->reason);
  free(row->molecule);
  free(row->properties);
  free(row);
}

static bool copy_text(const char *opt_text, char **ret_copy) {
  *ret_copy = opt_text != NULL ? bt_copy_text(opt_text, strlen(opt_text)) : NULL;
  return *ret_copy != NULL || opt_text == NULL;
}

static bool copy_poses(const bt_store_row *row, bt_store_row *copy) {
  copy->poses = bt_allocate((size_t)row->n_poses, sizeof *copy->poses);
  if (copy->poses == NULL) return false;
  for (; copy->n_poses < row->n_poses; copy->n_poses++) {
    const bt_store_pose *pose = &row->poses[copy->n_poses];
    double *genotype = bt_allocate((size_t)pose->n_genes, sizeof *genotype);
    if (genotype == NULL) return false;
    if (pose->n_genes > 0) memcpy(genotype, pose->genotype, (size_t)pose->n_genes * sizeof *genotype);
    copy->poses[copy->n_poses] = *pose;
    copy->poses[copy->n_poses].genotype = genotype;
  }
  return true;
}

bt_store_row *bt_store_row_copy(const bt_store_row *row) {
  bt_store_row *copy = bt_allocate(1, sizeof *copy);
  if (copy == NULL) return NULL;
  *copy = *row;
  copy->name = copy->source = copy->reason = copy->molecule = copy->properties = NULL;
  copy->scores = (bt_score_list){0};
  copy->poses = NULL;
  copy->n_poses = 0;
  copy->next = NULL;
  bool ok = copy_text(row->name, &copy->name) && copy_text(row->source, &copy->source) &&
            copy_text(row->reason, &copy->reason) && copy_text(row->molecule, &copy->molecule) &&
            copy_text(row->properties, &copy->properties) && copy_poses(row, copy);
  for (int k = 0; ok && k < row->scores.count; k++)
    ok = bt_score_list_add(&copy->scores, row->scores.items[k].name, row->scores.items[k].value);
  if (ok) return copy;
  bt_store_row_destroy(copy);
  return NULL;
}

#ifndef BT_WITH_SQLITE

static bt_status missing(bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "install libsqlite3-dev and build again",
                 "this build has no SQLite, which screens need");
}

bt_status bt_store_open(const char *path, bt_store_mode mode, int64_t keep, bt_store **ret_store, bt_error *opt_error) {
  (void)path, (void)mode, (void)keep;
  *ret_store = NULL;
  return missing(opt_error);
}

/* No store can be open, so nothing below is ever called. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define MISSING(function, ...) \
  bt_status function(bt_store *store, __VA_ARGS__) { return missing(opt_error); }

MISSING(bt_store_name_terms, const char *const names[BT_STORE_TERMS], bt_error *opt_error)
MISSING(bt_store_seal, bool alone, bt_error *opt_error)
MISSING(bt_store_begin, bt_error *opt_error)
MISSING(bt_store_commit, bt_error *opt_error)
MISSING(bt_store_add, const bt_store_row *row, bt_error *opt_error)
MISSING(bt_store_set, const char *key, const char *value, bt_error *opt_error)
MISSING(bt_store_get, const char *key, char **ret_value, bt_error *opt_error)
MISSING(bt_store_set_text, const char *key, const char *text, bt_error *opt_error)
MISSING(bt_store_get_text, const char *key, char **ret_text, bt_error *opt_error)
MISSING(bt_store_add_progress, const bt_store_progress *progress, bt_error *opt_error)
MISSING(bt_store_visit_progress, bt_store_progress_fn visit, void *user, bt_error *opt_error)
MISSING(bt_store_count, bt_store_counts *ret_counts, bt_error *opt_error)
MISSING(bt_store_list_filtered, bt_text *text, bt_error *opt_error)
MISSING(bt_store_forget, unsigned retry, bt_error *opt_error)
MISSING(bt_store_attach_done, const char *other, bt_error *opt_error)
MISSING(bt_store_done, int64_t from, int64_t *ordinals, int most, int *ret_count, bt_error *opt_error)
MISSING(bt_store_scores, const char *scoring, double **ret_scores, size_t *ret_count, bt_error *opt_error)
MISSING(bt_store_hits, bt_screen_hit *hits, int most, int *ret_count, bt_error *opt_error)
MISSING(bt_store_visit, bool docked, bool poses, int64_t most, bt_store_visit_fn visit, void *user, bt_error *opt_error)
MISSING(bt_store_visit_properties, bt_store_property_fn visit, void *user, bt_error *opt_error)
MISSING(bt_store_absorb, bt_store *from, bt_error *opt_error)
MISSING(bt_store_find_damage, bt_error *opt_error)
MISSING(bt_store_forget_damaged, bt_error *opt_error)

const bt_screen_damage *bt_store_damage(const bt_store *store) { return NULL; }
void bt_store_close(bt_store *store) {}
const char *bt_store_path(const bt_store *store) { return ""; }
const char *bt_store_term(const bt_store *store, int index) { return ""; }
double bt_store_limit(bt_store *store) { return 0; }
const char *bt_sqlite_version(void) { return ""; }

#endif
