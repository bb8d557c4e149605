/* test_store.c - the database of a screen: rows are read as written, once, and a failed transaction leaves no trace. */
#include "store/store.h"

#include <math.h>

#include "unit/support.h"

static char good_name[] = "a, \"name\"", good_source[] = "lib.sdf:record 1",
            text_of_it[] = "ROOT\nENDROOT\nTORSDOF 0\n";
static char bad_name[] = "bad", bad_source[] = "lib.sdf:record 2", bad_reason[] = "it is bad";
static double genes[9] = {1.0 / 3, -2, 3, 0, 0, 0.6, 0.8, 0.1, -0.2};

static bt_store_row docked(int64_t ordinal, double energy) {
  static bt_store_pose pose = {.run = 2, .cluster = 1, .cluster_size = 3, .n_genes = 9};
  pose.genotype = genes;
  pose.free_energy = energy;
  return (bt_store_row){.ordinal = ordinal,
                        .name = good_name,
                        .source = good_source,
                        .state = "docked",
                        .free_energy = energy,
                        .rank_energy = energy,
                        .terms = {energy - 1.0 / 3},
                        .runs = 8,
                        .evaluations = (int64_t)1 << 40,
                        .device = "cpu",
                        .poses = &pose,
                        .n_poses = 1,
                        .molecule = text_of_it};
}

static bt_store_row rejected(int64_t ordinal) {
  return (bt_store_row){.ordinal = ordinal,
                        .name = bad_name,
                        .source = bad_source,
                        .state = "rejected",
                        .status = "BT_ERR_INPUT",
                        .reason = bad_reason};
}

static void path_in(char *path, size_t size, const char *name) {
  char folder[400];
  if (bt_sqlite_version()[0] == '\0') skip();
  support_folder(folder, sizeof folder);
  snprintf(path, size, "%s/%s", folder, name);
}

static bt_store *open_store(const char *path, bt_store_mode mode, int64_t keep) {
  bt_store *store = NULL;
  bt_error error;
  support_ok(bt_store_open(path, mode, keep, &store, &error), &error);
  return store;
}

static void add(bt_store *store, bt_store_row row) {
  bt_error error;
  support_ok(bt_store_begin(store, &error), &error);
  support_ok(bt_store_add(store, &row, &error), &error);
  support_ok(bt_store_commit(store, &error), &error);
}

typedef struct seen {
  int64_t ordinals[16];
  int count, poses;
} seen;

static bt_status look(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  (void)opt_error;
  seen *s = user;
  assert_int_equal(rank, s->count + 1);
  s->ordinals[s->count++] = row->ordinal;
  if (row->molecule == NULL) return BT_OK;
  s->poses += row->n_poses;
  assert_string_equal(row->molecule, "ROOT\nENDROOT\nTORSDOF 0\n");
  assert_memory_equal(row->poses[0].genotype, genes, sizeof genes);
  assert_string_equal(row->name, "a, \"name\"");
  assert_true(row->terms[0] == row->free_energy - 1.0 / 3);
  assert_int_equal(row->evaluations, (int64_t)1 << 40);
  return BT_OK;
}

static void test_rows(void **state) {
  (void)state;
  char path[512];
  bt_error error;
  path_in(path, sizeof path, "screen.db");
  bt_store *store = open_store(path, BT_STORE_CREATE, 2), *other = NULL;
  support_failed(bt_store_open(path, BT_STORE_CREATE, 2, &other, &error), BT_ERR_USAGE, &error, "already");
  add(store, docked(4, -5));
  add(store, docked(7, -9));
  add(store, docked(2, -7)); /* pushes 4 out */
  add(store, docked(9, -7)); /* equal, but later: not kept */
  add(store, rejected(3));
  assert_true(bt_store_limit(store) == -7);
  support_ok(bt_store_set(store, "seed", "7", &error), &error);
  support_ok(bt_store_set_text(store, "receptor", "ATOM ...\nATOM ...\n", &error), &error);
  seen s = {.count = 0};
  support_ok(bt_store_visit(store, true, true, -1, look, &s, &error), &error);
  const int64_t ranking[] = {7, 2, 9, 4};
  assert_int_equal(s.count, 4);
  assert_memory_equal(s.ordinals, ranking, sizeof ranking);
  assert_int_equal(s.poses, 2);
  int64_t done[8];
  int n;
  support_ok(bt_store_done(store, 3, done, 2, &n, &error), &error);
  assert_int_equal(n, 2);
  assert_int_equal(done[0], 3);
  assert_int_equal(done[1], 4);
  bt_store_close(store);

  store = open_store(path, BT_STORE_RESUME, 2); /* remembers who keeps poses */
  assert_true(bt_store_limit(store) == -7);
  bt_store_counts counts;
  support_ok(bt_store_count(store, &counts, &error), &error);
  assert_int_equal(counts.docked, 4);
  assert_int_equal(counts.rejected, 1);
  assert_int_equal(counts.with_poses, 2);
  char *value = NULL, *text = NULL;
  support_ok(bt_store_get(store, "seed", &value, &error), &error);
  support_ok(bt_store_get_text(store, "receptor", &text, &error), &error);
  assert_string_equal(value, "7");
  assert_string_equal(text, "ATOM ...\nATOM ...\n");
  free(value);
  free(text);
  bt_store_close(store);
}

static void test_nothing_twice(void **state) {
  (void)state;
  char path[512];
  bt_error error;
  path_in(path, sizeof path, "screen.db");
  bt_store *store = open_store(path, BT_STORE_CREATE, -1);
  add(store, docked(1, -5));
  bt_store_row again = docked(1, -6), fresh = docked(2, -6);
  support_ok(bt_store_begin(store, &error), &error);
  support_ok(bt_store_add(store, &fresh, &error), &error);
  support_failed(bt_store_add(store, &again, &error), BT_ERR_IO, &error, "UNIQUE");
  bt_store_close(store); /* as a process that dies here */
  store = open_store(path, BT_STORE_RESUME, -1);
  bt_store_counts counts;
  support_ok(bt_store_count(store, &counts, &error), &error);
  assert_int_equal(counts.docked, 1);
  assert_int_equal(counts.with_poses, 1);
  bt_store_close(store);
}

static void test_other_files(void **state) {
  (void)state;
  char path[512];
  bt_error error;
  bt_store *store = NULL;
  path_in(path, sizeof path, "screen.db");
  support_failed(bt_store_open(path, BT_STORE_READ, -1, &store, &error), BT_ERR_USAGE, &error, "no screen");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  for (int i = 0; i < 200; i++) fputs("not a database\n", file);
  fclose(file);
  support_failed(bt_store_open(path, BT_STORE_READ, -1, &store, &error), BT_ERR_INPUT, &error, "database");
  support_failed(bt_store_open(path, BT_STORE_RESUME, -1, &store, &error), BT_ERR_INPUT, &error, "database");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_nothing_twice),
      cmocka_unit_test(test_other_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
