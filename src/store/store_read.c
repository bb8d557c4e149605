/* store_read.c - ligands out of a screen's database, in the order of the ranking; what is damaged is found and named.
 */
#ifdef BT_WITH_SQLITE

#include <berth/score.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/store_internal.h"
#include "store/stored_result.h"

/* --- one ligand ---------------------------------------------------------------------------------------- */

/* SQLite's text is valid until the next step; the row only borrows it. */
static char *column_text(sqlite3_stmt *s, int column) {
  return (char *)(size_t)(const void *)sqlite3_column_text(s, column);
}

static void read_row(const bt_store *store, sqlite3_stmt *s, bt_store_row *row) {
  *row = (bt_store_row){.ordinal = sqlite3_column_int64(s, 0),
                        .name = column_text(s, 1),
                        .source = column_text(s, 2),
                        .state = column_text(s, 3),
                        .status = column_text(s, 4),
                        .reason = column_text(s, 5),
                        .free_energy = sqlite3_column_double(s, 6),
                        .rank_energy = sqlite3_column_double(s, store->has_rank ? BT_STORE_RANK_COLUMN : 6),
                        .atoms = sqlite3_column_int(s, 10),
                        .torsions = sqlite3_column_int(s, 11),
                        .runs = sqlite3_column_int(s, 12),
                        .clusters = sqlite3_column_int(s, 13),
                        .evaluations = sqlite3_column_int64(s, 14),
                        .seconds = sqlite3_column_double(s, 15)};
  for (int k = 0; k < BT_STORE_TERMS; k++) row->terms[k] = sqlite3_column_double(s, BT_STORE_FIRST_TERM + k);
  const char *device = column_text(s, 16);
  strncpy(row->device, device != NULL ? device : "", sizeof row->device - 1);
}

static bt_status read_poses(bt_store *store, sqlite3_stmt *s, bt_store_row *row, bt_error *opt_error) {
  size_t capacity = 0;
  bt_status status = BT_OK;
  bt_store_bind(s, "l", row->ordinal);
  while (bt_store_next(store, s, &status, opt_error)) {
    if (!BT_GROW(row->poses, &capacity, row->n_poses + 1)) return bt_fail_memory(opt_error);
    int bytes = sqlite3_column_bytes(s, 9);
    const void *genotype = sqlite3_column_blob(s, 9);
    bt_store_pose *pose = &row->poses[row->n_poses];
    *pose = (bt_store_pose){.run = sqlite3_column_int(s, 2),
                            .cluster = sqlite3_column_int(s, 3),
                            .cluster_size = sqlite3_column_int(s, 4),
                            .free_energy = sqlite3_column_double(s, 5),
                            .n_genes = bytes / (int)sizeof(double)};
    for (int k = 0; k < BT_STORE_TERMS; k++) pose->terms[k] = sqlite3_column_double(s, 6 + k);
    pose->genotype = bt_allocate((size_t)pose->n_genes, sizeof(double));
    if (pose->genotype == NULL) return bt_fail_memory(opt_error);
    if (pose->n_genes > 0) memcpy(pose->genotype, genotype, (size_t)pose->n_genes * sizeof(double));
    row->n_poses++;
  }
  return status;
}

static bt_status read_scores(bt_store *store, sqlite3_stmt *s, bt_store_row *row, bt_error *opt_error) {
  bt_status status = BT_OK;
  bt_store_bind(s, "l", row->ordinal);
  while (bt_store_next(store, s, &status, opt_error)) {
    const char *name = column_text(s, 0); /* NULL where the table was made by others */
    if (name != NULL && !bt_score_list_add(&row->scores, name, sqlite3_column_double(s, 1)))
      return bt_fail_memory(opt_error);
  }
  return status;
}

/* Statements that bring what lies in other tables than `ligand`. */
typedef struct reader {
  bt_store *store;
  bool poses;
  bt_scoring scoring; /* of the docking */
  sqlite3_stmt *sum, *score, *pose, *molecule, *property;
} reader;

static void end_reader(reader *r) {
  sqlite3_finalize(r->sum);
  sqlite3_finalize(r->score);
  sqlite3_finalize(r->pose);
  sqlite3_finalize(r->molecule);
  sqlite3_finalize(r->property);
}

static bt_status start_reader(bt_store *store, bool poses, reader *r, bt_error *opt_error) {
  *r = (reader){.store = store, .poses = poses};
  if (!store->has_rank) BT_TRY(bt_store_scoring(store, &r->scoring, opt_error));
  if (store->has_sums)
    BT_TRY(bt_store_prepare(store, "SELECT result, poses FROM checksum WHERE ordinal = ?", &r->sum, opt_error));
  if (store->has_scores)
    BT_TRY(bt_store_prepare(store, "SELECT scoring, free_energy FROM score WHERE ordinal = ?", &r->score, opt_error));
  bool properties;
  BT_TRY(bt_store_find_properties(store, &properties, opt_error)); /* a screen that is running may just have begun it */
  if (properties)
    BT_TRY(bt_store_prepare(store, "SELECT name, value FROM property WHERE ordinal = ? ORDER BY place", &r->property,
                            opt_error));
  BT_TRY(bt_store_prepare(store, "SELECT * FROM pose WHERE ordinal = ? ORDER BY rank", &r->pose, opt_error));
  return bt_store_prepare(store, "SELECT encoding, size, data FROM molecule WHERE ordinal = ?", &r->molecule,
                          opt_error);
}

/* What the row does not borrow. */
static void free_row(bt_store_row *row) {
  bt_score_list_clear(&row->scores);
  for (int k = 0; k < row->n_poses; k++) free(row->poses[k].genotype);
  free(row->poses);
  free(row->molecule);
  free(row->properties);
}

/* has: bit 1 of the result's, bit 2 of the poses'. */
typedef struct sums {
  unsigned has;
  uint64_t result, poses;
} sums;

static bt_status read_sums(reader *r, int64_t ordinal, sums *ret_sums, bt_error *opt_error) {
  *ret_sums = (sums){.has = 0};
  if (r->sum == NULL) return BT_OK;
  bt_status status = BT_OK;
  bt_store_bind(r->sum, "l", ordinal);
  if (!bt_store_next(r->store, r->sum, &status, opt_error)) return status;
  bool poses = sqlite3_column_type(r->sum, 1) != SQLITE_NULL;
  *ret_sums = (sums){.has = poses ? 3 : 1,
                     .result = (uint64_t)sqlite3_column_int64(r->sum, 0),
                     .poses = (uint64_t)sqlite3_column_int64(r->sum, 1)};
  sqlite3_reset(r->sum);
  return BT_OK;
}

/* *ret_fits: poses and molecule match their checksum, or have none. */
static bt_status read_kept(reader *r, const sums *known, bt_store_row *row, bool *ret_fits, bt_error *opt_error) {
  bt_store *store = r->store;
  BT_TRY(read_poses(store, r->pose, row, opt_error));
  bt_status status = BT_OK;
  *ret_fits = (known->has & 2) == 0;
  bt_store_bind(r->molecule, "l", row->ordinal);
  if (!bt_store_next(store, r->molecule, &status, opt_error)) return status;
  bt_packed packed = bt_store_packed(r->molecule, 0);
  if (!*ret_fits) *ret_fits = known->poses == bt_store_sum_poses(row, &packed);
  if (*ret_fits) status = bt_store_unpack(store, &packed, &row->molecule, opt_error);
  sqlite3_reset(r->molecule);
  return status;
}

/* Fills in what lies in other tables. *ret_damage: what is wrong with the ligand; NULL: nothing. */
static bt_status fill(reader *r, bt_store_row *row, const char **ret_damage, bt_error *opt_error) {
  sums known;
  bool fits = true;
  bt_error error = {0};
  *ret_damage = NULL;
  bt_status status = read_sums(r, row->ordinal, &known, &error);
  if (status == BT_OK && r->score != NULL) status = read_scores(r->store, r->score, row, &error);
  if (status == BT_OK && r->property != NULL) status = bt_store_read_properties(r->store, r->property, row, &error);
  const bt_named_score *docked =
      r->store->has_rank ? NULL : bt_score_list_find(&row->scores, bt_scoring_name(r->scoring));
  if (docked != NULL) row->free_energy = docked->value;
  if (status == BT_OK && (known.has & 1) != 0 && known.result != bt_store_sum_result(row))
    *ret_damage = "its values do not match their checksum";
  if (status == BT_OK && *ret_damage == NULL && r->poses) status = read_kept(r, &known, row, &fits, &error);
  if (!fits) *ret_damage = "its poses do not match their checksum";
  if (status == BT_ERR_INPUT) { /* of SQLite, or of decompression */
    *ret_damage = "its rows cannot be read";
    return BT_OK;
  }
  if (status != BT_OK && opt_error != NULL) *opt_error = error;
  return status;
}

/* --- damage -------------------------------------------------------------------------------------------- */

static const char LOOK_UP[] = "SELECT * FROM ligand WHERE ordinal = ?";

/* Where the ordinal is in the list, or would be. */
static size_t find_damaged(const bt_store *store, int64_t ordinal) {
  size_t low = 0, high = store->n_damaged;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (store->damaged[middle] < ordinal)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_damaged(const bt_store *store, int64_t ordinal) {
  size_t at = find_damaged(store, ordinal);
  return at < store->n_damaged && store->damaged[at] == ordinal;
}

static void name_damaged(bt_store *store, int64_t ordinal, const char *opt_name, const char *why) {
  char name[64], *lines = store->damage.lines;
  size_t used = strlen(lines), room = sizeof store->damage.lines - used;
  snprintf(name, sizeof name, "%s", opt_name != NULL ? opt_name : "");
  for (char *c = name; *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  int length = snprintf(lines + used, room, "%s: ligand %s%s(ordinal %lld) is damaged: %s\n", store->path, name,
                        name[0] != '\0' ? " " : "", (long long)ordinal, why);
  if (length < 0 || (size_t)length >= room) lines[used] = '\0';
  store->damage.ligands++;
}

static bt_status note_damage(bt_store *store, int64_t ordinal, const char *opt_name, const char *why,
                             bt_error *opt_error) {
  size_t at = find_damaged(store, ordinal);
  if (at < store->n_damaged && store->damaged[at] == ordinal) return BT_OK;
  if (!BT_GROW(store->damaged, &store->damaged_room, store->n_damaged + 1)) return bt_fail_memory(opt_error);
  memmove(store->damaged + at + 1, store->damaged + at, (store->n_damaged++ - at) * sizeof *store->damaged);
  store->damaged[at] = ordinal;
  name_damaged(store, ordinal, opt_name, why);
  return BT_OK;
}

const bt_screen_damage *bt_store_damage(const bt_store *store) { return &store->damage; }

/* Reads the row at which a statement is. *ret_sound: it is as it was written. */
static bt_status check_row(reader *r, sqlite3_stmt *rows, bt_store_row *row, bool *ret_sound, bt_error *opt_error) {
  const char *damage;
  read_row(r->store, rows, row);
  bt_status status = fill(r, row, &damage, opt_error);
  if (status == BT_OK && damage != NULL) status = note_damage(r->store, row->ordinal, row->name, damage, opt_error);
  *ret_sound = damage == NULL;
  return status;
}

/* *ret_whole: the table could be read from its beginning to its end, and every ordinal came once. */
static bt_status check_in_order(reader *r, bool *ret_whole, bt_error *opt_error) {
  bt_store *store = r->store;
  BT_STATEMENT rows = NULL;
  int64_t last = INT64_MIN;
  bt_status status = bt_store_prepare(store, "SELECT * FROM ligand ORDER BY ordinal", &rows, opt_error);
  bool ordered = true;
  while (ordered && bt_store_next(store, rows, &status, opt_error)) {
    bt_store_row row;
    bool sound;
    status = check_row(r, rows, &row, &sound, opt_error);
    free_row(&row);
    ordered = !store->has_sums || last == INT64_MIN || row.ordinal > last;
    last = row.ordinal;
  }
  bool corrupt = status == BT_ERR_INPUT && store->has_sums;
  *ret_whole = ordered && !corrupt;
  return corrupt ? BT_OK : status;
}

static bt_status note_sound(bt_store *store, const bt_store_row *row, bt_error *opt_error) {
  if (!BT_GROW(store->sound, &store->sound_room, store->n_sound + 1)) return bt_fail_memory(opt_error);
  bool docked = row->state != NULL && strcmp(row->state, "docked") == 0;
  store->sound[store->n_sound++] = (bt_sound){row->ordinal, docked, row->rank_energy};
  return BT_OK;
}

/* *ret_found: the statement is at the ligand's row. */
static bt_status look_up(bt_store *store, sqlite3_stmt *rows, int64_t ordinal, bool *ret_found, bt_error *opt_error) {
  bt_status status = BT_OK;
  sqlite3_reset(rows);
  bt_store_bind(rows, "l", ordinal);
  *ret_found = bt_store_next(store, rows, &status, opt_error);
  if (*ret_found || (status != BT_OK && status != BT_ERR_INPUT)) return status;
  return note_damage(store, ordinal, NULL, "its row cannot be read", opt_error);
}

/* One by one, by the ordinals of the checksums: an unreadable page hides only its own ligands. */
static bt_status check_one_by_one(reader *r, bt_error *opt_error) {
  bt_store *store = r->store;
  BT_STATEMENT known = NULL;
  BT_STATEMENT rows = NULL;
  store->broken = true;
  store->n_sound = 0;
  BT_TRY(bt_store_prepare(store, "SELECT ordinal FROM checksum WHERE ordinal >= 0", &known, opt_error));
  BT_TRY(bt_store_prepare(store, LOOK_UP, &rows, opt_error));
  bt_status status = BT_OK;
  while (bt_store_next(store, known, &status, opt_error)) {
    bt_store_row row;
    bool found, sound;
    status = look_up(store, rows, sqlite3_column_int64(known, 0), &found, opt_error);
    if (!found) continue;
    status = check_row(r, rows, &row, &sound, opt_error);
    if (status == BT_OK && sound) status = note_sound(store, &row, opt_error);
    free_row(&row);
  }
  return status;
}

/* Ligands of which only the checksum is left. */
static bt_status check_missing(bt_store *store, bt_error *opt_error) {
  BT_STATEMENT s = NULL;
  bt_status status = bt_store_prepare(
      store, "SELECT ordinal FROM checksum WHERE ordinal >= 0 AND ordinal NOT IN (SELECT ordinal FROM ligand)", &s,
      opt_error);
  while (bt_store_next(store, s, &status, opt_error))
    status = note_damage(store, sqlite3_column_int64(s, 0), NULL, "its row is missing", opt_error);
  return status;
}

bt_status bt_store_check(bt_store *store, bool poses, bt_error *opt_error) {
  if (store->checked_poses || (store->checked && !poses)) return BT_OK;
  BT_ENDED_BY(end_reader) reader r;
  BT_TRY(start_reader(store, poses, &r, opt_error));
  bool whole = true;
  BT_TRY(check_in_order(&r, &whole, opt_error));
  if (whole && store->has_sums) BT_TRY(check_missing(store, opt_error));
  if (!whole) BT_TRY(check_one_by_one(&r, opt_error));
  store->checked = true;
  store->checked_poses = poses;
  return BT_OK;
}

bt_status bt_store_find_damage(bt_store *store, bt_error *opt_error) { return bt_store_check(store, true, opt_error); }

/* --- in the order of the ranking ------------------------------------------------------------------------ */

typedef struct visitor {
  bt_store_visit_fn visit;
  void *user;
  int64_t most, rank;
} visitor;

/* The statement is at a row. */
static bt_status visit_row(reader *r, sqlite3_stmt *rows, visitor *v, bt_error *opt_error) {
  bt_store_row row;
  bool sound;
  if (is_damaged(r->store, sqlite3_column_int64(rows, 0))) return BT_OK;
  bt_status status = check_row(r, rows, &row, &sound, opt_error);
  if (status == BT_OK && sound) status = v->visit(v->user, ++v->rank, &row, opt_error);
  free_row(&row);
  return status;
}

static bool wants_more(const visitor *v) { return v->most < 0 || v->rank < v->most; }

static bt_status visit_whole(reader *r, bool docked, visitor *v, bt_error *opt_error) {
  bt_store *store = r->store;
  BT_STATEMENT rows = NULL;
  int64_t limit = v->most >= 0 ? v->most + (int64_t)store->n_damaged : -1; /* damaged ones are not counted */
  char sql[128];
  snprintf(sql, sizeof sql, "SELECT * FROM ligand WHERE state = 'docked' ORDER BY %s, ordinal LIMIT ?",
           bt_store_rank(store));
  BT_TRY(bt_store_query(store, &rows, opt_error,
                        docked ? sql : "SELECT * FROM ligand WHERE state <> 'docked' ORDER BY ordinal LIMIT ?", "l",
                        limit));
  bt_status status = BT_OK;
  while (wants_more(v) && bt_store_next(store, rows, &status, opt_error)) status = visit_row(r, rows, v, opt_error);
  return status;
}

static int by_rank(const void *a, const void *b) {
  const bt_sound *p = a, *q = b;
  if (p->docked != q->docked) return p->docked ? -1 : 1;
  if (p->docked && p->rank_energy != q->rank_energy) return p->rank_energy < q->rank_energy ? -1 : 1;
  return p->ordinal < q->ordinal ? -1 : p->ordinal > q->ordinal;
}

/* Those that could be read, of a table that cannot be read as a whole. */
static bt_status visit_sound(reader *r, bool docked, visitor *v, bt_error *opt_error) {
  bt_store *store = r->store;
  BT_STATEMENT rows = NULL;
  bt_status status = bt_store_prepare(store, LOOK_UP, &rows, opt_error);
  if (store->n_sound > 0) qsort(store->sound, store->n_sound, sizeof *store->sound, by_rank);
  for (size_t k = 0; status == BT_OK && wants_more(v) && k < store->n_sound; k++) {
    bool found;
    if (store->sound[k].docked != docked) continue;
    status = look_up(store, rows, store->sound[k].ordinal, &found, opt_error);
    if (found) status = visit_row(r, rows, v, opt_error);
  }
  return status;
}

static bt_status visit_all(bt_store *store, bool docked, bool poses, visitor *v, bt_error *opt_error) {
  BT_ENDED_BY(end_reader) reader r;
  BT_TRY(start_reader(store, poses, &r, opt_error));
  return (store->broken ? visit_sound : visit_whole)(&r, docked, v, opt_error);
}

/* One state of the database, though another process may write to it. */
bt_status bt_store_visit(bt_store *store, bool docked, bool poses, int64_t most, bt_store_visit_fn visit, void *user,
                         bt_error *opt_error) {
  visitor v = {.visit = visit, .user = user, .most = most};
  bool begins = sqlite3_get_autocommit(store->database) != 0;
  if (begins) BT_TRY(bt_store_execute(store, "BEGIN", opt_error));
  bt_status status = bt_store_check(store, false, opt_error);
  if (status == BT_OK) status = visit_all(store, docked, poses, &v, opt_error);
  if (begins) (void)sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL); /* nothing was written */
  return status;
}

#else
typedef int bt_store_read_is_in_store_none; /* ISO C wants something here */
#endif
