/* merge.c - what a database of a screen says about itself, and merging several of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/text/text.h"
#include "base/memory.h"
#include "store/networks.h"
#include "store/store.h"

static bt_status get_number(bt_store *store, const char *key, int64_t otherwise, int64_t *ret_value,
                            bt_error *opt_error) {
  BT_SCOPED char *value = NULL;
  *ret_value = otherwise;
  BT_TRY(bt_store_get(store, key, &value, opt_error));
  if (value != NULL && !bt_parse_int64(bt_span_from(value), ret_value)) *ret_value = otherwise;
  return BT_OK;
}

static bt_status summarize(bt_store *store, bt_screen_summary *summary, bt_error *opt_error) {
  bt_store_counts counts;
  int64_t complete, shard, shards;
  BT_SCOPED char *seed = NULL;
  BT_TRY(bt_store_count(store, &counts, opt_error));
  BT_TRY(get_number(store, "total", -1, &summary->total, opt_error));
  BT_TRY(get_number(store, "complete", 0, &complete, opt_error));
  BT_TRY(get_number(store, "shard", 1, &shard, opt_error));
  BT_TRY(get_number(store, "shards", 1, &shards, opt_error));
  BT_TRY(bt_store_get(store, "seed", &seed, opt_error));
  enum { MOST_SHARDS = 10000000 };
  if (shards < 0 || shards > MOST_SHARDS || shard < 0 || shard > shards) /* 0 of 0: shares were dynamic */
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = bt_store_path(store)},
                   "restore the database, or dock this part again", "part %" PRId64 " of %" PRId64 " cannot be", shard,
                   shards);
  summary->docked = counts.docked;
  summary->rejected = counts.rejected;
  summary->failed = counts.failed;
  summary->filtered = counts.filtered;
  summary->with_poses = counts.with_poses;
  summary->complete = complete != 0;
  summary->shard = (int)shard;
  summary->shards = (int)shards;
  summary->seed = seed != NULL ? strtoull(seed, NULL, 10) : 0;
  return BT_OK;
}

bt_status bt_screen_summarize(const char *database, bt_screen_summary *ret_summary, bt_error *opt_error) {
  BT_SCOPED_STORE store = NULL;
  *ret_summary = (bt_screen_summary){.total = -1};
  BT_TRY(bt_store_open(database, BT_STORE_READ, -1, &store, opt_error));
  return summarize(store, ret_summary, opt_error);
}

bt_status bt_screen_filtered(const char *database, char **ret_text, bt_error *opt_error) {
  BT_SCOPED_STORE store = NULL;
  bt_text text = {0};
  *ret_text = NULL;
  BT_TRY(bt_store_open(database, BT_STORE_READ, -1, &store, opt_error));
  bt_text_add_string(&text, "");
  bt_status status = bt_store_list_filtered(store, &text, opt_error);
  return BT_HAND_OVER(status, text.data, ret_text, free);
}

bt_status bt_screen_setting(const char *database, const char *key, char **ret_value, bt_error *opt_error) {
  BT_SCOPED_STORE store = NULL;
  *ret_value = NULL;
  BT_TRY(bt_store_open(database, BT_STORE_READ, -1, &store, opt_error));
  return bt_store_get(store, key, ret_value, opt_error);
}

/* --- the receptor -------------------------------------------------------------------------------------- */

bt_status bt_store_box(bt_store *store, bt_box *ret_box, bt_error *opt_error) {
  static const char *const keys[] = {"center_x", "center_y", "center_z", "npts_x", "npts_y", "npts_z", "spacing"};
  double values[7];
  for (int k = 0; k < 7; k++) {
    BT_SCOPED char *value = NULL;
    BT_TRY(bt_store_get(store, keys[k], &value, opt_error));
    if (value == NULL || !bt_parse_double(bt_span_from(value), &values[k]))
      return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = bt_store_path(store)}, "restore it from a copy",
                     "its setting %s is missing", keys[k]);
  }
  *ret_box = (bt_box){.center = {values[0], values[1], values[2]},
                  .npts = {(int)values[3], (int)values[4], (int)values[5]},
                  .spacing = values[6]};
  return BT_OK;
}

bt_status bt_screen_receptor(const char *database, char **ret_pdbqt, bt_box *ret_box, bt_error *opt_error) {
  BT_SCOPED_STORE store = NULL;
  *ret_pdbqt = NULL;
  BT_TRY(bt_store_open(database, BT_STORE_READ, -1, &store, opt_error));
  BT_TRY(bt_store_box(store, ret_box, opt_error));
  BT_TRY(bt_store_get_text(store, "receptor", ret_pdbqt, opt_error));
  if (*ret_pdbqt != NULL) return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = database}, "name the maps with -r",
                 "the screen was run on map files, which the database does not contain");
}

/* --- merging ------------------------------------------------------------------------------------------- */

/* Settings in which parts of one screen agree. */
static const char shared_settings[] =
    "format filter protomers keep_fields library receptor flexible center_x center_y center_z npts_x npts_y npts_z "
    "spacing seed "
    "runs population "
    "evaluations generations heuristics heuristics_max heuristics_runs autostop autostop_tolerance autostop_interval "
    "autostop_runs "
    "local_search local_search_rate local_search_iterations selection tournament_rate crossover crossover_rate "
    "scoring rescore rank_by mutation_rate mutation_move mutation_angle elitism torsional rmsd_tolerance shards poses "
    "engine forcefield aliases rules size_x size_y size_z angle_step parents duplicates separation conformers "
    "conformer_seed "
    "networks keep_conformer ph ph_value parameters coordinates constraints core_smarts";
/* ... and others that are taken from the first. */
static const char first_settings[] = "began began_on command_line version commit effort protonation library_content devices "
                                     "ranked_by rescore_values";

static bt_status copy_setting(bt_store *to, bt_store *from, const char *key, bool first, bt_error *opt_error) {
  BT_SCOPED char *value = NULL, *known = NULL;
  BT_TRY(bt_store_get(from, key, &value, opt_error));
  BT_TRY(bt_store_get(to, key, &known, opt_error));
  if (value == NULL && strcmp(key, "scoring") == 0 && (value = strdup("ad4")) == NULL) return bt_fail_memory(opt_error);
  if (first) return value != NULL ? bt_store_set(to, key, value, opt_error) : BT_OK;
  bool same = (value == NULL && known == NULL) || (value != NULL && known != NULL && strcmp(value, known) == 0);
  if (same) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = bt_store_path(from)},
                 "merge only parts of the same screen", "%s is %s here, but %s in the previous databases", key,
                 value != NULL ? value : "(none)", known != NULL ? known : "(none)");
}

static bt_status copy_texts(bt_store *to, bt_store *from, bt_error *opt_error) {
  static const char *const keys[] = {"receptor", "flexible", "core"};
  for (int k = 0; k < 3; k++) {
    BT_SCOPED char *text = NULL;
    BT_TRY(bt_store_get_text(from, keys[k], &text, opt_error));
    if (text != NULL) BT_TRY(bt_store_set_text(to, keys[k], text, opt_error));
  }
  return BT_OK;
}

static bt_status copy_settings(bt_store *to, bt_store *from, const char *keys, bool first, bt_error *opt_error) {
  bt_span rest = bt_span_from(keys);
  char key[32];
  for (bt_span word = bt_span_word(&rest); word.size > 0; word = bt_span_word(&rest)) {
    bt_span_copy(word, key, sizeof key);
    BT_TRY(copy_setting(to, from, key, first, opt_error));
  }
  return BT_OK;
}

/* Which shards are complete; for dynamic shares only the sharing processes know. */
typedef struct shards {
  bool *done; /* [count] */
  int64_t count;
  bool all;
  bt_screen_damage damage;
  char warning[512];
} shards;

static bt_status note_shard(bt_store *from, shards *s, bt_error *opt_error) {
  bt_screen_summary part = {0};
  BT_TRY(summarize(from, &part, opt_error));
  if (s->done == NULL) {
    s->count = part.shards;
    s->done = calloc((size_t)part.shards + 1, sizeof *s->done);
    if (s->done == NULL) return bt_fail_memory(opt_error);
  }
  if (part.shard >= 1 && part.shard <= s->count && part.complete) s->done[part.shard - 1] = true;
  return BT_OK;
}

/* Parts from other kinds of devices belong to the same screen but differ in the last digits. */
static bt_status compare_devices(bt_store *to, bt_store *from, shards *s, bt_error *opt_error) {
  BT_SCOPED char *ours = NULL, *theirs = NULL;
  BT_TRY(bt_store_get(to, "devices", &ours, opt_error));
  BT_TRY(bt_store_get(from, "devices", &theirs, opt_error));
  if (ours != NULL && theirs != NULL && strcmp(ours, theirs) != 0 && s->warning[0] == '\0')
    snprintf(s->warning, sizeof s->warning, "%s was docked on %s, but the previous databases on %s",
             bt_store_path(from), theirs, ours);
  return BT_OK;
}

/* Networks of the same names may differ. Parts of early versions do not record their numbers: the others must agree. */
static bt_status copy_hashes(bt_store *to, bt_store *from, shards *s, bt_error *opt_error) {
  BT_SCOPED char *names = NULL, *known = NULL, *hashes = NULL;
  bt_network_difference d;
  BT_TRY(bt_store_get(from, "networks", &names, opt_error));
  BT_TRY(bt_store_get(from, "network_hashes", &hashes, opt_error));
  BT_TRY(bt_store_get(to, "network_hashes", &known, opt_error));
  if (names == NULL) return BT_OK;
  if (hashes == NULL) {
    if (s->warning[0] == '\0')
      snprintf(s->warning, sizeof s->warning,
               "%s does not record the numbers of its networks: an early version of Berth docked it", bt_store_path(from));
    return BT_OK;
  }
  if (known == NULL) return bt_store_set(to, "network_hashes", hashes, opt_error);
  if (!bt_networks_differ(known, hashes, &d)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = bt_store_path(from)},
                 "merge only parts that the same networks have scored; dock this one again with the others' network",
                 "the network %.*s has the hash %.*s here, but %.*s in the previous databases", (int)d.name.size,
                 d.name.text, (int)d.other.size, d.other.text, (int)d.known.size, d.known.text);
}

static void add_damage(bt_screen_damage *to, const bt_screen_damage *from) {
  size_t used = strlen(to->lines);
  to->ligands += from->ligands;
  snprintf(to->lines + used, sizeof to->lines - used, "%s", from->lines);
  char *end = strrchr(to->lines, '\n');
  if (end != NULL) end[1] = '\0'; /* whole lines */
}

static bt_status add(bt_store *to, const char *path, bool first, shards *s, bt_error *opt_error) {
  bt_store *from = NULL;
  BT_TRY(bt_store_open(path, BT_STORE_READ, -1, &from, opt_error));
  const char *const terms[] = {bt_store_term(from, 0), bt_store_term(from, 1), bt_store_term(from, 2)};
  bt_status status = bt_store_name_terms(to, terms, opt_error);
  if (status == BT_OK) status = bt_store_begin(to, opt_error);
  if (status == BT_OK) status = copy_settings(to, from, shared_settings, first, opt_error);
  if (status == BT_OK && first) status = copy_settings(to, from, first_settings, true, opt_error);
  if (status == BT_OK) status = copy_hashes(to, from, s, opt_error);
  if (status == BT_OK && first) status = copy_texts(to, from, opt_error);
  if (status == BT_OK) status = bt_store_commit(to, opt_error);
  if (status == BT_OK) status = note_shard(from, s, opt_error);
  if (status == BT_OK) status = compare_devices(to, from, s, opt_error);
  if (status == BT_OK) status = bt_store_absorb(to, from, opt_error);
  if (status == BT_OK) add_damage(&s->damage, bt_store_damage(from));
  bt_store_close(from);
  return status;
}

static bt_status finish(bt_store *to, const shards *s, bt_error *opt_error) {
  bool all = s->all || s->count > 0;
  for (int64_t k = 0; k < s->count; k++) all = all && s->done[k];
  bt_store_counts counts;
  BT_TRY(bt_store_count(to, &counts, opt_error));
  char total[32];
  snprintf(total, sizeof total, "%lld", (long long)(counts.docked + counts.rejected + counts.failed + counts.filtered));
  BT_TRY(bt_store_begin(to, opt_error));
  BT_TRY(bt_store_set(to, "merged", "1", opt_error));
  if (s->count == 0)
    BT_TRY(bt_store_set(to, "shard", "0", opt_error)); /* dynamic shares: it can be resumed as a whole */
  if (s->damage.ligands > 0 && all && s->count > 0) {  /* what is missing is docked by a screen that has no shards */
    BT_TRY(bt_store_set(to, "shard", "1", opt_error));
    BT_TRY(bt_store_set(to, "shards", "1", opt_error));
  }
  all = all && s->damage.ligands == 0;
  if (all) BT_TRY(bt_store_set(to, "complete", "1", opt_error));
  if (all) BT_TRY(bt_store_set(to, "total", total, opt_error));
  return bt_store_commit(to, opt_error);
}

/* --- into place ---------------------------------------------------------------------------------------- */

/* Removes a database with the files that SQLite and we leave beside it when a process is killed: the database first, so
 * that a remaining database never loses its log. */
static void remove_database(const char *path) {
  static const char *const endings[] = {"", "-wal", "-shm", "-journal", "-lock"};
  for (int k = 0; k < 5; k++) {
    BT_SCOPED char *file = NULL;
    if (asprintf(&file, "%s%s", path, endings[k]) >= 0) unlink(file);
  }
}

/* Reads the file on disk again. */
static bt_status verify(const char *path, const bt_screen_summary *expected, bt_error *opt_error) {
  bt_screen_summary found;
  BT_TRY(bt_file_sync(path, opt_error));
  BT_TRY(bt_screen_summarize(path, &found, opt_error));
  bool same = found.docked == expected->docked && found.rejected == expected->rejected &&
              found.failed == expected->failed && found.filtered == expected->filtered &&
              found.with_poses == expected->with_poses && found.complete == expected->complete;
  if (same) return BT_OK;
  return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = path}, "check the disk, then merge again",
                 "the merged database differs from what was written; its parts are unchanged");
}

static bt_status build(const char *const *databases, int count, const char *aside, bool all_done,
                       bt_screen_summary *summary, bt_error *opt_error) {
  bt_store *to = NULL;
  shards s = {.all = all_done};
  bt_status status = bt_store_open(aside, BT_STORE_CREATE, -1, &to, opt_error);
  for (int k = 0; status == BT_OK && k < count; k++) status = add(to, databases[k], k == 0, &s, opt_error);
  if (status == BT_OK) status = finish(to, &s, opt_error);
  if (status == BT_OK) status = summarize(to, summary, opt_error);
  summary->damage = s.damage;
  memcpy(summary->warning, s.warning, sizeof s.warning);
  if (status == BT_OK) status = bt_store_seal(to, true, opt_error);
  bt_store_close(to);
  free(s.done);
  return status == BT_OK ? verify(aside, summary, opt_error) : status;
}

static bt_status move(const char *aside, const char *database, bt_error *opt_error) {
  BT_SCOPED char *folder = bt_path_folder(database);
  if (folder == NULL) return bt_fail_memory(opt_error);
  if (rename(aside, database) != 0)
    return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = database}, "check the folder's permissions",
                   "the merged database cannot be moved into place");
  return bt_file_sync(folder, opt_error);
}

/* At any moment, `database` is either absent or complete. */
static bt_status merge(const char *const *databases, int count, const char *database, bool all_done,
                       bt_screen_summary *ret_summary, bt_error *opt_error) {
  BT_SCOPED char *aside = NULL;
  if (asprintf(&aside, "%s.part", database) < 0) return bt_fail_memory(opt_error);
  remove_database(aside); /* left by an interrupted merge */
  bt_status status = build(databases, count, aside, all_done, ret_summary, opt_error);
  if (status == BT_OK) status = move(aside, database, opt_error);
  remove_database(aside); /* after a move, what SQLite may have left beside it */
  return status;
}

bt_status bt_screen_merge(const char *const *databases, int count, const char *database, bool all_done,
                          bt_screen_summary *ret_summary, bt_error *opt_error) {
  bool there;
  *ret_summary = (bt_screen_summary){.total = -1};
  BT_TRY(bt_file_look(database, &there, opt_error));
  if (there)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = database}, "remove it, or use another folder",
                   "a screen already exists");
  return merge(databases, count, database, all_done, ret_summary, opt_error);
}

/* --- gathering ----------------------------------------------------------------------------------------- */

/* Checkpoints the log that a killed process left, since it must not outlive its database. *ret_begun: the database is
 * not empty. */
static bt_status settle(const char *path, bool *ret_begun, bt_error *opt_error) {
  BT_SCOPED_STORE store = NULL;
  BT_SCOPED char *format = NULL;
  BT_TRY(bt_store_open(path, BT_STORE_RESUME, -1, &store, opt_error));
  BT_TRY(bt_store_get(store, "format", &format, opt_error));
  *ret_begun = format != NULL;
  return bt_store_seal(store, true, opt_error);
}

/* Adds the path to those that are merged. */
static bt_status choose(const char *path, const char **paths, int *count, bt_error *opt_error) {
  bool begun;
  BT_TRY(settle(path, &begun, opt_error));
  if (begun) paths[(*count)++] = path;
  return BT_OK;
}

bt_status bt_screen_gather(const char *const *parts, int count, const char *database, bool all_done,
                           bt_screen_summary *ret_summary, bt_error *opt_error) {
  *ret_summary = (bt_screen_summary){.total = -1};
  bool whole;
  BT_TRY(bt_file_look(database, &whole, opt_error));
  if (count == 0 && !(whole && all_done)) return BT_OK;
  int n = 0;
  BT_SCOPED const char **paths = calloc((size_t)count + 1, sizeof *paths);
  if (paths == NULL) return bt_fail_memory(opt_error);
  if (whole) BT_TRY(choose(database, paths, &n, opt_error));
  for (int k = 0; k < count; k++) BT_TRY(choose(parts[k], paths, &n, opt_error));
  if (n > 0) BT_TRY(merge(paths, n, database, all_done, ret_summary, opt_error));
  for (int k = 0; k < count; k++) remove_database(parts[k]);
  return BT_OK;
}
