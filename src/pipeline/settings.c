/* settings.c - what a screen is: its settings, written when it begins and compared when it goes on. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/pipeline.h"

uint64_t bt_note_hash(uint64_t hash, const void *data, size_t size) { /* FNV-1a, 64 bits */
  const unsigned char *byte = data;
  for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 1099511628211u;
  return hash;
}

/* --- settings that a screen may not change ------------------------------------------------------------- */

void bt_note_fix(bt_screen_note *n, const char *key, const char *value) {
  if (n->status != BT_OK) return;
  if (!n->resumed) {
    n->status = bt_store_set(n->store, key, value, n->opt_error);
    return;
  }
  char *known = NULL;
  n->status = bt_store_get(n->store, key, &known, n->opt_error);
  if (n->status == BT_OK && (known == NULL || strcmp(known, value) != 0))
    n->status = bt_fail(n->opt_error, BT_ERR_USAGE, (bt_where){.file = bt_store_path(n->store)},
                        "go on with the same settings, or begin anew in another folder",
                        "the screen was begun with %s %s, not %s", key, known != NULL ? known : "(none)", value);
  free(known);
}

void bt_note_real(bt_screen_note *n, const char *key, double value) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  for (int digits = 6; digits < 17; digits++) { /* the shortest that says it all */
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value || isnan(value)) break;
  }
  bt_note_fix(n, key, text);
}

void bt_note_count(bt_screen_note *n, const char *key, int64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, value);
  bt_note_fix(n, key, text);
}

void bt_note_value(bt_screen_note *n, const char *key, uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%016" PRIx64, value);
  bt_note_fix(n, key, text);
}

/* --- settings for the record --------------------------------------------------------------------------- */

static void tell(bt_screen_note *n, const char *key, const char *value) {
  if (n->status == BT_OK && value != NULL) n->status = bt_store_set(n->store, key, value, n->opt_error);
}

static void tell_session(bt_screen_note *n, const bt_screen_options *o) {
  char now[32], host[256] = "";
  time_t seconds = time(NULL);
  struct tm utc;
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
  gethostname(host, sizeof host - 1);
  tell(n, n->resumed ? "resumed" : "began", now);
  tell(n, n->resumed ? "resumed_on" : "began_on", host);
  tell(n, n->resumed ? "resumed_with" : "command_line", o->opt_command_line);
  tell(n, n->resumed ? "resumed_version" : "version", BT_VERSION);
  tell(n, n->resumed ? "resumed_commit" : "commit", bt_build_commit());
  if (!n->resumed) tell(n, "effort", o->opt_effort);
}

/* A seed that a person can copy. */
static uint64_t choose_seed(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t parts[] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, (uint64_t)getpid()};
  return 1 + (bt_note_hash(BT_NOTE_HASH, parts, sizeof parts) >> 33);
}

static bt_status find_seed(bt_pipeline *p, bool resumed, bt_error *opt_error) {
  if (p->search.seed != 0) return BT_OK;
  char *known = NULL;
  if (resumed) BT_TRY(bt_store_get(p->store, "seed", &known, opt_error));
  p->search.seed = known != NULL ? strtoull(known, NULL, 10) : choose_seed();
  free(known);
  return BT_OK;
}

/* Databases of AutoDock's scoring know nothing of engines. */
static void fix_engine(bt_screen_note *n, const bt_pipeline *p) {
  char *known = NULL;
  if (p->engine == &bt_screen_bude) {
    bt_note_fix(n, "engine", "bude");
    return;
  }
  if (n->status == BT_OK && n->resumed) n->status = bt_store_get(n->store, "engine", &known, n->opt_error);
  if (n->status == BT_OK && known != NULL)
    n->status = bt_fail(n->opt_error, BT_ERR_USAGE, (bt_where){.file = bt_store_path(n->store)},
                        "go on with the same engine, or begin anew in another folder",
                        "the screen was begun with engine %s", known);
  free(known);
}

static void fix_all(bt_screen_note *n, const bt_pipeline *p) {
  const bt_screen_options *o = p->options;
  fix_engine(n, p);
  bt_note_count(n, "format", BT_STORE_VERSION);
  bt_note_fix(n, "library", bt_library_fingerprint(p->library));
  char seed[32];
  snprintf(seed, sizeof seed, "%" PRIu64, p->search.seed);
  bt_note_fix(n, "seed", seed);
  p->engine->fix(p, n);
  bt_note_count(n, "shard", o->opt_chunk != NULL ? 0 : o->shard); /* 0: shares are dynamic */
  bt_note_count(n, "shards", o->opt_chunk != NULL ? 0 : o->shards);
  bt_note_count(n, "poses", o->poses);
}

bt_status bt_screen_record_done(bt_pipeline *p, bt_error *opt_error) {
  bt_store *other = NULL;
  if (p->options->opt_done == NULL) return BT_OK;
  BT_TRY(bt_store_open(p->options->opt_done, BT_STORE_READ, -1, &other, opt_error));
  bt_screen_note n = {.store = other, .resumed = true, .opt_error = opt_error};
  fix_all(&n, p);
  bt_store_close(other);
  return n.status == BT_OK ? bt_store_attach_done(p->store, p->options->opt_done, opt_error) : n.status;
}

bt_status bt_screen_record(bt_pipeline *p, bool resumed, bt_error *opt_error) {
  const bt_screen_options *o = p->options;
  BT_TRY(find_seed(p, resumed, opt_error));
  bt_screen_note n = {.store = p->store, .resumed = resumed, .opt_error = opt_error};
  BT_TRY(bt_store_begin(p->store, opt_error));
  fix_all(&n, p);
  tell_session(&n, o);
  if (n.status == BT_OK && !resumed && o->opt_receptor_pdbqt != NULL)
    n.status = bt_store_set_text(p->store, "receptor", o->opt_receptor_pdbqt, opt_error);
  char *flexible = NULL;
  if (n.status == BT_OK && !resumed && o->opt_flexible != NULL &&
      (n.status = bt_molecule_pdbqt(o->opt_flexible, &flexible, opt_error)) == BT_OK)
    n.status = bt_store_set_text(p->store, "flexible", flexible, opt_error);
  free(flexible);
  return n.status == BT_OK ? bt_store_commit(p->store, opt_error) : n.status;
}
