/* test_damage.c - a flipped bit in a database changes nothing, or costs a ligand that is named, or is refused. */
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "store/store.h"
#include "unit/support.h"

enum { LIGANDS = 14, POSES = 2, FLIPS = 400, FORMATS = 3 };

static const bt_screen_format formats[FORMATS] = {BT_SCREEN_CSV, BT_SCREEN_PDBQT, BT_SCREEN_REJECTS};
static char folder[400], sound[512], flipped[512], merged[512];

/* --- a small database ---------------------------------------------------------------------------------- */

static void add_ligand(bt_store *store, int k) {
  bt_error error;
  char name[32], source[64], molecule[512], reason[] = "it is bad";
  double genes[POSES][7];
  bt_store_pose poses[POSES];
  snprintf(name, sizeof name, "lig%d", k);
  snprintf(source, sizeof source, "library.pdbqt:record %d", k + 1);
  snprintf(molecule, sizeof molecule,
           "REMARK  Name = %s\nROOT\n"
           "ATOM      1  C1  LIG A   1    %8.3f   1.000   0.500  1.00  0.00    +0.100 C \n"
           "ATOM      2  O1  LIG A   1      -0.500%8.3f   0.700  1.00  0.00    -0.100 OA\nENDROOT\nTORSDOF 0\n",
           name, 1 + 0.01 * k, 2 - 0.02 * k);
  for (int p = 0; p < POSES; p++) {
    const double pose[7] = {k, 1.5 * p, 0.25, 0.6, 0, 0.8, 0};
    memcpy(genes[p], pose, sizeof pose);
    poses[p] = (bt_store_pose){.run = p + 1,
                               .cluster = p + 1,
                               .cluster_size = 2,
                               .free_energy = -5 - 0.3 * k + p,
                               .terms = {-4 - 0.3 * k, -1.25, 0},
                               .genotype = genes[p],
                               .n_genes = 7};
  }
  bool docked = k % 5 != 4;
  bt_store_row row = {.ordinal = k, .name = name, .source = source, .state = docked ? "docked" : "rejected"};
  if (docked) {
    row.free_energy = row.rank_energy = poses[0].free_energy;
    memcpy(row.terms, poses[0].terms, sizeof row.terms);
    row.atoms = row.runs = row.clusters = 2;
    row.evaluations = 1000 + k;
    row.seconds = 0.125 * k;
    strcpy(row.device, "cpu");
    row.poses = poses;
    row.n_poses = POSES;
    row.molecule = molecule;
  } else {
    row.status = "BT_ERR_INPUT";
    row.reason = reason;
  }
  support_ok(bt_store_add(store, &row, &error), &error);
}

static void make_database(const char *path) {
  bt_store *store = NULL;
  bt_error error;
  unlink(path);
  support_ok(bt_store_open(path, BT_STORE_CREATE, 8, &store, &error), &error);
  support_ok(bt_store_begin(store, &error), &error);
  support_ok(bt_store_set(store, "format", "1", &error), &error);
  support_ok(bt_store_set(store, "shard", "1", &error), &error);
  support_ok(bt_store_set(store, "shards", "1", &error), &error);
  support_ok(bt_store_set(store, "scoring", "vina", &error), &error);
  for (int k = 0; k < LIGANDS; k++) add_ligand(store, k);
  support_ok(bt_store_set(store, "complete", "1", &error), &error);
  support_ok(bt_store_commit(store, &error), &error);
  support_ok(bt_store_seal(store, true, &error), &error);
  bt_store_close(store);
}

static int start(void **state) {
  (void)state;
  if (bt_sqlite_version()[0] == '\0') return 0;
  support_folder(folder, sizeof folder);
  snprintf(sound, sizeof sound, "%s/sound.db", folder);
  snprintf(flipped, sizeof flipped, "%s/flipped.db", folder);
  snprintf(merged, sizeof merged, "%s/merged.db", folder);
  return 0;
}

static void write_file(const char *path, const char *data, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void remove_database(const char *path) {
  static const char *const endings[] = {"", "-wal", "-shm", "-journal", "-lock"};
  char name[600];
  for (int k = 0; k < 5; k++) {
    snprintf(name, sizeof name, "%s%s", path, endings[k]);
    unlink(name);
  }
}

/* --- what comes out of it ------------------------------------------------------------------------------ */

typedef struct outcome {
  bt_status status;
  bt_error error;
  bt_screen_damage damage;
  char *text; /* without ranks */
} outcome;

/* Ranks go: they move up where a ligand is left out. */
static void drop_ranks(char *text, bt_screen_format format) {
  char *to = text;
  for (char *at = text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
    char *from = at;
    if (format == BT_SCREEN_CSV) from = memchr(at, ',', (size_t)(end - at));
    if (strncmp(at, "REMARK BERTH rank ", 18) == 0) from = strstr(at, " ordinal ");
    if (strncmp(at, "MODEL ", 6) == 0) continue;
    assert_non_null(from);
    size_t size = (size_t)(end + 1 - from);
    memmove(to, from, size);
    to += size;
  }
  *to = '\0';
}

static outcome export_it(const char *database, bt_screen_format format) {
  char path[512];
  size_t size;
  outcome o = {.status = BT_OK};
  bt_screen_exported exported;
  snprintf(path, sizeof path, "%s/exported", folder);
  unlink(path);
  o.status = bt_screen_export(database, format, 0, path, NULL, &exported, &o.error);
  o.damage = exported.damage;
  if (o.status != BT_OK) {
    assert_int_equal(access(path, F_OK), -1);
    return o;
  }
  assert_int_equal(bt_file_read(path, &o.text, &size, NULL), BT_OK);
  drop_ranks(o.text, format);
  return o;
}

/* Every line of a is one of b, in the same order. */
static bool is_part(const char *a, const char *b) {
  for (const char *end; (end = strchr(a, '\n')) != NULL; a = end + 1) {
    size_t size = (size_t)(end + 1 - a);
    while (*b != '\0' && strncmp(a, b, size) != 0) b = strchr(b, '\n') + 1;
    if (*b == '\0') return false;
    b += size;
  }
  return true;
}

typedef struct tally {
  int same, named, refused;
} tally;

static void check_names(const char *lines, const char *path) {
  int count = 0;
  for (const char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1, count++)
    assert_int_equal(strncmp(lines, path, strlen(path)), 0);
  assert_true(count > 0);
}

static void check_export(size_t at, bt_screen_format format, const char *expected, tally *t) {
  outcome o = export_it(flipped, format);
  if (o.status != BT_OK) {
    t->refused++;
    if (strstr(o.error.file, "flipped.db") == NULL) fail_msg("flip of byte %zu: %s", at, o.error.message);
  } else if (o.damage.ligands > 0) {
    t->named++;
    check_names(o.damage.lines, flipped);
    if (!is_part(o.text, expected)) fail_msg("flip of byte %zu: wrong text\n%s", at, o.text);
  } else {
    t->same++;
    if (strcmp(o.text, expected) != 0) fail_msg("flip of byte %zu: changed text\n%s", at, o.text);
  }
  free(o.text);
}

/* A database that is reported intact must be unchanged. */
static void check_merge(size_t at, char *const *expected) {
  const char *parts[] = {flipped};
  bt_screen_summary summary;
  bt_error error;
  remove_database(merged);
  if (bt_screen_merge(parts, 1, merged, true, &summary, &error) != BT_OK) {
    if (strstr(error.file, ".db") == NULL) fail_msg("flip of byte %zu: %s", at, error.message);
    return;
  }
  if (summary.damage.ligands > 0) assert_false(summary.complete);
  for (int f = 0; f < FORMATS; f++) {
    outcome o = export_it(merged, formats[f]);
    assert_int_equal(o.status, BT_OK);
    assert_int_equal(o.damage.ligands, 0);
    bool right = summary.damage.ligands > 0 ? is_part(o.text, expected[f]) : strcmp(o.text, expected[f]) == 0;
    if (!right) fail_msg("flip of byte %zu: wrong text after merging\n%s", at, o.text);
    free(o.text);
  }
}

/* Bits of bytes that are in use; free space is mostly zeros. */
static void test_flipped_bits(void **state) {
  (void)state;
  if (bt_sqlite_version()[0] == '\0') skip();
  char *data = NULL, *expected[FORMATS];
  size_t size, used = 0;
  tally t = {.same = 0};
  make_database(sound);
  for (int f = 0; f < FORMATS; f++) {
    outcome o = export_it(sound, formats[f]);
    assert_int_equal(o.status, BT_OK);
    assert_int_equal(o.damage.ligands, 0);
    expected[f] = o.text;
  }
  assert_int_equal(bt_file_read(sound, &data, &size, NULL), BT_OK);
  for (size_t k = 0; k < size; k++) used += data[k] != 0;
  size_t step = used / FLIPS, seen = 0, n = 0;
  for (size_t at = 0; at < size; at++) {
    if (data[at] == 0 || seen++ % step != 0) continue;
    char kept = data[at];
    data[at] = (char)(kept ^ 1 << n % 8);
    remove_database(flipped);
    write_file(flipped, data, size);
    for (int f = 0; f < (n % 4 == 0 ? FORMATS : 2); f++) check_export(at, formats[f], expected[f], &t);
    if (n++ % 20 == 0) check_merge(at, expected);
    data[at] = kept;
  }
  assert_true(n >= FLIPS && t.same > 50 && t.named > 50 && t.refused > 50);
  for (int f = 0; f < FORMATS; f++) free(expected[f]);
  free(data);
}

/* --- one pose ------------------------------------------------------------------------------------------ */

/* Flips a bit in the first pose of a ligand. */
static void damage_pose(const char *path, double ligand) {
  const double pose[7] = {ligand, 0, 0.25, 0.6, 0, 0.8, 0};
  char *data = NULL;
  size_t size;
  assert_int_equal(bt_file_read(path, &data, &size, NULL), BT_OK);
  char *at = memmem(data, size, pose, sizeof pose);
  assert_non_null(at);
  at[6] ^= 4;
  write_file(path, data, size);
  free(data);
}

static void test_gathering_leaves_out_what_is_damaged(void **state) {
  (void)state;
  if (bt_sqlite_version()[0] == '\0') skip();
  bt_screen_summary summary;
  bt_error error;
  const char *parts[] = {flipped};
  make_database(flipped);
  damage_pose(flipped, 12);
  remove_database(merged);
  support_ok(bt_screen_gather(parts, 1, merged, true, &summary, &error), &error);
  assert_int_equal(summary.damage.ligands, 1);
  assert_non_null(strstr(summary.damage.lines, "flipped.db: ligand lig12 (ordinal 12) is damaged: its poses"));
  assert_false(summary.complete);
  assert_int_equal(summary.docked + summary.rejected, LIGANDS - 1);
}

/* The ligand is reset, and nothing else. */
static void test_going_on_forgets_what_is_damaged(void **state) {
  (void)state;
  if (bt_sqlite_version()[0] == '\0') skip();
  bt_store *store = NULL;
  bt_store_counts counts;
  bt_error error;
  int64_t done[LIGANDS];
  int n;
  remove_database(flipped);
  make_database(flipped);
  damage_pose(flipped, 11);
  support_ok(bt_store_open(flipped, BT_STORE_RESUME, 8, &store, &error), &error);
  support_ok(bt_store_begin(store, &error), &error);
  support_ok(bt_store_forget_damaged(store, &error), &error);
  support_ok(bt_store_commit(store, &error), &error);
  assert_int_equal(bt_store_damage(store)->ligands, 1);
  support_ok(bt_store_count(store, &counts, &error), &error);
  assert_int_equal(counts.docked + counts.rejected, LIGANDS - 1);
  assert_int_equal(counts.with_poses, 7);
  support_ok(bt_store_done(store, 10, done, LIGANDS, &n, &error), &error);
  assert_int_equal(n, 3);
  assert_int_equal(done[1], 12);
  bt_store_close(store);
  outcome rejects = export_it(flipped, BT_SCREEN_REJECTS);
  assert_int_equal(rejects.damage.ligands, 0);
  free(rejects.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flipped_bits),
      cmocka_unit_test(test_gathering_leaves_out_what_is_damaged),
      cmocka_unit_test(test_going_on_forgets_what_is_damaged),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
