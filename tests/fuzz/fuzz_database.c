/* fuzz_database.c - databases of screens: summary, settings, exports, report, merging and resuming.
 *
 * An input with SQLite's magic is the database itself. Any other is text from which one is made through the store, so
 * that code behind SQLite's checks and Berth's is reached:
 *   set KEY VALUE, text KEY VALUE (with \n for ends of lines), and rows: "row ORDINAL STATE ENERGY GENES NAME", whose
 *   molecule is what follows until the next row. */
#include <berth/report.h>
#include <berth/screen.h>

#include "base/text/text.h"
#include "fuzz/folder.h"
#include "store/store.h"

enum { LONGEST = 1 << 16, MOST_ROWS = 20, MOST_GENES = 64 };

/* --- a database of a text -------------------------------------------------------------------------------- */

static char *copy(bt_span span) {
  char *text = malloc(span.size + 1);
  FUZZ_CHECK(text != NULL);
  memcpy(text, span.text, span.size);
  text[span.size] = '\0';
  for (char *c = text; *c != '\0'; c++)
    if (c[0] == '\\' && c[1] == 'n') c[0] = ' ', c[1] = '\n';
  return text;
}

static void set(bt_store *store, bt_span line, bool is_text) {
  bt_error error;
  bt_span key = bt_span_word(&line);
  char *name = copy(key), *value = copy(line);
  bt_status status = is_text ? bt_store_set_text(store, name, value, &error) : bt_store_set(store, name, value, &error);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  free(name);
  free(value);
}

static void add_row(bt_store *store, bt_span line, const char *molecule, size_t size) {
  static const char *const states[] = {"docked", "rejected", "failed"};
  double genotype[MOST_GENES] = {0, 0, 0, 0, 0, 0, 1};
  int64_t ordinal = 0, state = 0, genes = 7;
  double energy = -1;
  (void)bt_parse_int64(bt_span_word(&line), &ordinal);
  (void)bt_parse_int64(bt_span_word(&line), &state);
  (void)bt_parse_double(bt_span_word(&line), &energy);
  (void)bt_parse_int64(bt_span_word(&line), &genes);
  for (int k = 7; k < MOST_GENES; k++) genotype[k] = 0.1 * k;
  bt_store_pose pose = {.run = 1, .cluster = 1, .cluster_size = 1, .free_energy = energy, .genotype = genotype};
  pose.n_genes = genes < 0 ? 0 : genes > MOST_GENES ? MOST_GENES : (int)genes;
  char *name = copy(line), *text = copy((bt_span){molecule, size}), reason[] = "it is bad";
  bt_store_row row = {.ordinal = ordinal,
                      .name = name,
                      .source = name,
                      .state = states[(state % 3 + 3) % 3],
                      .free_energy = energy,
                      .terms = {energy, 0, 0},
                      .runs = 1,
                      .clusters = 1,
                      .device = "cpu"};
  if (row.state == states[0]) {
    row.poses = &pose;
    row.n_poses = 1;
    row.molecule = text;
  } else {
    row.status = "BT_ERR_INPUT";
    row.reason = reason;
  }
  bt_error error;
  bt_status status = bt_store_begin(store, &error);
  if (status == BT_OK) status = bt_store_add(store, &row, &error);
  bt_status ended = bt_store_commit(store, NULL);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  FUZZ_CHECK(ended == BT_OK);
  free(name);
  free(text);
}

static void make_database(const char *path, const char *text, size_t size) {
  bt_store *store = NULL;
  bt_error error;
  FUZZ_CHECK(bt_store_open(path, BT_STORE_CREATE, -1, &store, &error) == BT_OK);
  int rows = 0;
  for (const char *end = text + size; text < end && rows < MOST_ROWS;) {
    const char *next = memchr(text, '\n', (size_t)(end - text));
    bt_span line = {text, (size_t)((next != NULL ? next : end) - text)};
    bt_span word = bt_span_word(&line);
    text = next != NULL ? next + 1 : end;
    if (bt_span_equals(word, "set") || bt_span_equals(word, "text")) set(store, line, word.size == 4);
    if (!bt_span_equals(word, "row")) continue;
    const char *last = memmem(text, (size_t)(end - text), "\nrow ", 5);
    if (last == NULL) last = end;
    add_row(store, line, text, (size_t)(last - text));
    text = last < end ? last + 1 : end;
    rows++;
  }
  bt_store_close(store);
}

/* --- what is done with it ---------------------------------------------------------------------------------- */

static void check(bt_status status, const bt_error *error) {
  if (status != BT_OK) fuzz_check_failure(status, error);
}

static void go_on(const char *path) {
  bt_store *store = NULL;
  bt_store_counts counts;
  bt_screen_hit hits[BT_SCREEN_HITS];
  bt_error error;
  int n = 0;
  bt_status status = bt_store_open(path, BT_STORE_RESUME, 3, &store, &error);
  if (status == BT_OK) status = bt_store_count(store, &counts, &error);
  if (status == BT_OK) status = bt_store_hits(store, hits, BT_SCREEN_HITS, &n, &error);
  check(status, &error);
  FUZZ_CHECK(n >= 0 && n <= BT_SCREEN_HITS);
  bt_store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const bt_screen_format formats[] = {BT_SCREEN_CSV, BT_SCREEN_SDF, BT_SCREEN_PDBQT, BT_SCREEN_REJECTS};
  static const char magic[] = "SQLite format 3";
  char path[1024], output[1024], merged[1024];
  if (bt_sqlite_version()[0] == '\0' || size > LONGEST) return 0;
  fuzz_folder_begin();
  fuzz_path(path, sizeof path, "screen.db");
  fuzz_path(output, sizeof output, "output");
  fuzz_path(merged, sizeof merged, "merged.db");
  if (size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0)
    fuzz_write("screen.db", data, size);
  else
    make_database(path, (const char *)data, size);

  bt_error error;
  bt_screen_summary summary;
  bt_screen_exported exported;
  bt_report_summary shown;
  bt_report_options options = bt_report_options_default();
  char *text = NULL;
  bt_box box;
  check(bt_screen_summarize(path, &summary, &error), &error);
  check(bt_screen_setting(path, "seed", &text, &error), &error);
  free(text);
  text = NULL;
  check(bt_screen_receptor(path, &text, &box, &error), &error);
  free(text);
  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
    bt_status status = bt_screen_export(path, formats[k], 0, output, NULL, &exported, &error);
    check(status, &error);
    FUZZ_CHECK(exported.ligands >= 0 && exported.poses >= 0 && (status != BT_OK || access(output, R_OK) == 0));
    unlink(output);
  }
  check(bt_report_write(fuzz_folder, &options, output, &shown, &error), &error);
  check(bt_screen_merge((const char *[]){path}, 1, merged, false, &summary, &error), &error);
  go_on(path);
  return 0;
}
