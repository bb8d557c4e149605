/* settings.c - the settings that define a screen: recorded when it begins, compared when it is resumed. */
#include <berth/score.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "pipeline/screen.h"
#include "store/networks.h"

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
  BT_SCOPED char *known = NULL;
  n->status = bt_store_get(n->store, key, &known, n->opt_error);
  if (n->status == BT_OK && (known == NULL || strcmp(known, value) != 0))
    n->status = bt_fail(n->opt_error, BT_ERR_USAGE, (bt_where){.file = bt_store_path(n->store)},
                        "continue with the same settings, or start again in another folder",
                        "the screen was started with %s %s, not %s", key, known != NULL ? known : "(none)", value);
}

void bt_note_real(bt_screen_note *n, const char *key, double value) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  for (int digits = 6; digits < 17; digits++) { /* the shortest exact representation */
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

void bt_note_optional(bt_screen_note *n, const char *key, const char *opt_value) {
  BT_SCOPED char *known = NULL;
  if (opt_value == NULL && n->status == BT_OK && n->resumed)
    n->status = bt_store_get(n->store, key, &known, n->opt_error);
  if (opt_value != NULL || known != NULL) bt_note_fix(n, key, opt_value != NULL ? opt_value : "(none)");
}

void bt_note_new(bt_screen_note *n, const char *key, const char *value) {
  if (!n->resumed) bt_note_fix(n, key, value);
}

/* A setting that databases of early versions lack, which had the usual value. */
static void note_late(bt_screen_note *n, const char *key, const char *value, const char *usual) {
  BT_SCOPED char *known = NULL;
  if (n->status == BT_OK && n->resumed) n->status = bt_store_get(n->store, key, &known, n->opt_error);
  if (!n->resumed || known != NULL) {
    bt_note_fix(n, key, value);
  } else if (n->status == BT_OK && strcmp(value, usual) != 0) {
    n->status = bt_fail(n->opt_error, BT_ERR_USAGE, (bt_where){.file = bt_store_path(n->store)},
                        "continue with the same settings, or start again in another folder",
                        "the screen was started with %s %s, not %s", key, usual, value);
  }
}

void bt_note_scoring(bt_screen_note *n, bt_scoring scoring) {
  note_late(n, "scoring", bt_scoring_name(scoring), "ad4");
}

/* Which names in table score are no re-scorer's, but of a further value: "protomer,protomers,CNNscore". */
static void note_values(bt_screen_note *n, const char *rescorers) {
  BT_ENDED_BY(bt_text_destroy) bt_text names = {0};
  if (n->options->prepare.protomers > 1) bt_text_add_string(&names, BT_STORE_STATE "," BT_STORE_STATES);
  bt_rescorer_info by;
  for (int k = 0; (by = bt_rescorer(rescorers, k)).name != NULL; k++)
    for (int v = 0; v < by.n_values; v++) bt_text_printf(&names, "%s%s", names.size > 0 ? "," : "", by.value_names[v]);
  if (n->status == BT_OK) n->status = bt_text_status(&names, n->opt_error);
  if (names.size > 0) bt_note_new(n, "rescore_values", names.data);
}

static void warn_of_unrecorded(const bt_screen_note *n, const char *names) {
  char text[1024];
  snprintf(text, sizeof text,
           "%s: a version of Berth that did not record the numbers of networks began this screen, so a changed network "
           "would not be noticed; make sure that %s are those with which it began",
           bt_store_path(n->store), names);
  if (n->options->opt_warn != NULL) n->options->opt_warn(n->options->opt_user, text);
}

/* Networks of the same names may have been trained again. Databases of early versions have only the names. */
static void note_hashes(bt_screen_note *n, const char *names, const char *hashes) {
  BT_SCOPED char *known = NULL;
  bt_network_difference d;
  if (n->status == BT_OK && n->resumed) n->status = bt_store_get(n->store, "network_hashes", &known, n->opt_error);
  if (n->status != BT_OK) return;
  if (!n->resumed) {
    bt_note_fix(n, "network_hashes", hashes);
  } else if (known == NULL) {
    warn_of_unrecorded(n, names);
  } else if (bt_networks_differ(known, hashes, &d)) {
    n->status =
        bt_fail(n->opt_error, BT_ERR_USAGE, (bt_where){.file = bt_store_path(n->store)},
                "install that network again (berth networks --json lists hashes), or start in another folder",
                "the screen was started with another network %.*s: its hash was %.*s and is %.*s now", (int)d.name.size,
                d.name.text, (int)d.known.size, d.known.text, (int)d.other.size, d.other.text);
  }
}

void bt_note_rank(bt_screen_note *n, const char *score) {
  const bt_screen_options *o = n->options;
  const char *rescorers = o->opt_rescoring != NULL ? bt_rescoring_names(o->opt_rescoring) : "";
  bool any = rescorers[0] != '\0';
  bt_note_optional(n, "rescore", any ? rescorers : NULL);
  const char *networks = any ? bt_rescoring_networks(o->opt_rescoring) : "";
  bt_note_optional(n, "networks", networks[0] != '\0' ? networks : NULL);
  if (networks[0] != '\0') note_hashes(n, networks, bt_rescoring_network_hashes(o->opt_rescoring));
  bt_note_optional(n, "rank_by", any ? bt_rank_name(o->rank_by) : NULL);
  bt_note_new(n, "ranked_by", bt_rank_ligands_by(o->rank_by, score, rescorers));
  note_values(n, rescorers);
}

void bt_note_file(bt_screen_note *n, const char *key, const char *opt_path) {
  BT_SCOPED char *data = NULL;
  size_t size = 0;
  if (n->status == BT_OK && opt_path != NULL) n->status = bt_file_read(opt_path, &data, &size, n->opt_error);
  bt_note_value(n, key, data != NULL ? bt_note_hash(BT_NOTE_HASH, data, size) : 0);
}

void bt_note_molecule(bt_screen_note *n, const char *key, const bt_molecule *opt_molecule) {
  BT_SCOPED char *text = NULL;
  if (n->status == BT_OK && opt_molecule != NULL) n->status = bt_molecule_pdbqt(opt_molecule, &text, n->opt_error);
  bt_note_value(n, key, text != NULL ? bt_note_hash(BT_NOTE_HASH, text, strlen(text)) : 0);
}

void bt_note_keep(bt_screen_note *n, const char *key, const bt_molecule *molecule) {
  BT_SCOPED char *text = NULL;
  if (n->status == BT_OK && !n->resumed) n->status = bt_molecule_pdbqt(molecule, &text, n->opt_error);
  if (text != NULL) n->status = bt_store_set_text(n->store, key, text, n->opt_error);
}

/* --- settings for the record --------------------------------------------------------------------------- */

static void record(bt_screen_note *n, const char *key, const char *value) {
  if (n->status == BT_OK && value != NULL) n->status = bt_store_set(n->store, key, value, n->opt_error);
}

static void record_session(bt_screen_note *n, const bt_screen_options *o) {
  char now[32], host[256] = "";
  time_t seconds = time(NULL);
  struct tm utc;
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
  gethostname(host, sizeof host - 1);
  record(n, n->resumed ? "resumed" : "began", now);
  record(n, n->resumed ? "resumed_on" : "began_on", host);
  record(n, n->resumed ? "resumed_with" : "command_line", o->opt_command_line);
  record(n, n->resumed ? "resumed_version" : "version", BT_VERSION);
  record(n, n->resumed ? "resumed_commit" : "commit", bt_build_commit());
  if (!n->resumed) record(n, "effort", o->opt_effort);
  if (!n->resumed) record(n, "protonation", o->opt_protonation);
}

/* A seed that a person can copy. */
static uint64_t choose_seed(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t parts[] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, (uint64_t)getpid()};
  return 1 + (bt_note_hash(BT_NOTE_HASH, parts, sizeof parts) >> 33);
}

static bt_status find_seed(bt_screen *s, bool resumed, bt_error *opt_error) {
  uint64_t *seed = s->engine->seed;
  if (*seed != 0) return BT_OK;
  BT_SCOPED char *known = NULL;
  if (resumed) BT_TRY(bt_store_get(s->store, "seed", &known, opt_error));
  *seed = known != NULL ? strtoull(known, NULL, 10) : choose_seed();
  return BT_OK;
}

static void fix_engine(bt_screen_note *n, const bt_screen *s) {
  BT_SCOPED char *known = NULL;
  if (!s->engine->type->unnamed) {
    bt_note_fix(n, "engine", s->engine->type->name);
    return;
  }
  if (n->status == BT_OK && n->resumed) n->status = bt_store_get(n->store, "engine", &known, n->opt_error);
  if (n->status == BT_OK && known != NULL)
    n->status = bt_fail(n->opt_error, BT_ERR_USAGE, (bt_where){.file = bt_store_path(n->store)},
                        "continue with the same engine, or start again in another folder",
                        "the screen was started with engine %s", known);
}

/* Databases of early versions have only the fingerprint. */
static void note_content(bt_screen_note *n, const bt_library *library) {
  BT_SCOPED char *known = NULL;
  uint64_t hash;
  if (n->status == BT_OK && n->resumed) n->status = bt_store_get(n->store, "library_content", &known, n->opt_error);
  if (n->status != BT_OK || (n->resumed && known == NULL)) return;
  n->status = bt_library_content(library, &hash, n->opt_error);
  bt_note_value(n, "library_content", hash);
}

/* Maps depend on the parameters, which the fingerprint of the receptor does not cover. */
static void note_parameters(bt_screen_note *n, const char *opt_path) {
  BT_SCOPED char *data = NULL;
  char text[17];
  size_t size;
  if (n->status == BT_OK && opt_path != NULL) n->status = bt_file_read(opt_path, &data, &size, n->opt_error);
  if (data != NULL) snprintf(text, sizeof text, "%016" PRIx64, bt_note_hash(BT_NOTE_HASH, data, size));
  bt_note_optional(n, "parameters", data != NULL ? text : NULL);
}

static void fix_all(bt_screen_note *n, const bt_screen *s) {
  const bt_screen_options *o = s->options;
  fix_engine(n, s);
  bt_note_count(n, "format", BT_STORE_VERSION);
  bt_note_optional(n, "filter", o->prepare.opt_filter); /* the fingerprint covers it, but cannot say so */
  char protomers[16];
  snprintf(protomers, sizeof protomers, "%d", o->prepare.protomers);
  bt_note_optional(n, "protomers", o->prepare.protomers > 1 ? protomers : NULL);
  bt_note_optional(n, "keep_fields", o->prepare.opt_keep_fields);
  bt_note_fix(n, "library", bt_library_fingerprint(s->library));
  note_content(n, s->library);
  const char *coordinates = bt_library_coordinates(s->library);
  if (coordinates != NULL) note_late(n, "coordinates", coordinates, "etkdg");
  note_parameters(n, o->opt_parameters);
  char seed[32];
  snprintf(seed, sizeof seed, "%" PRIu64, *s->engine->seed);
  bt_note_fix(n, "seed", seed);
  s->engine->type->note(s->engine, n);
  bt_note_count(n, "shard", o->opt_chunk != NULL ? 0 : o->shard); /* 0: shares are dynamic */
  bt_note_count(n, "shards", o->opt_chunk != NULL ? 0 : o->shards);
  bt_note_count(n, "poses", o->poses);
}

bt_status bt_screen_record_done(bt_screen *s, bt_error *opt_error) {
  bt_store *other = NULL;
  if (s->options->opt_done == NULL) return BT_OK;
  BT_TRY(bt_store_open(s->options->opt_done, BT_STORE_READ, -1, &other, opt_error));
  bt_screen_note n = {.store = other, .options = s->options, .resumed = true, .opt_error = opt_error};
  fix_all(&n, s);
  bt_store_close(other);
  return n.status == BT_OK ? bt_store_attach_done(s->store, s->options->opt_done, opt_error) : n.status;
}

bt_status bt_screen_record(bt_screen *s, bool resumed, bt_error *opt_error) {
  const bt_screen_options *o = s->options;
  BT_TRY(find_seed(s, resumed, opt_error));
  bt_screen_note n = {.store = s->store, .options = o, .resumed = resumed, .opt_error = opt_error};
  BT_TRY(bt_store_begin(s->store, opt_error));
  fix_all(&n, s);
  record_session(&n, o);
  if (n.status == BT_OK && !resumed && o->opt_receptor_pdbqt != NULL)
    n.status = bt_store_set_text(s->store, "receptor", o->opt_receptor_pdbqt, opt_error);
  if (o->opt_flexible != NULL) bt_note_keep(&n, "flexible", o->opt_flexible);
  return n.status == BT_OK ? bt_store_commit(s->store, opt_error) : n.status;
}

/* --- devices ------------------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

/* Kinds of devices and instruction sets, sorted, each once: "cpu/avx2 cuda". How many of each does not matter. */
static void name_devices(const bt_pipeline *p, char *text, size_t size) {
  enum { MOST = 16, LENGTH = sizeof p->units[0]->name };
  char kinds[MOST][LENGTH];
  int n = 0;
  for (int u = 0; u < p->n_units && n < MOST; u++) {
    snprintf(kinds[n], LENGTH, "%s", p->units[u]->name);
    kinds[n][strcspn(kinds[n], ":")] = '\0';
    n++;
  }
  qsort(kinds, (size_t)n, LENGTH, by_text);
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k < n; k++)
    if ((k == 0 || strcmp(kinds[k], kinds[k - 1]) != 0) && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? " " : "", kinds[k]);
}

/* Other devices sum in another order, so searches diverge, with results of the same quality. */
static void warn_of_devices(const bt_screen *s, const char *known, const char *ours) {
  char text[1024];
  const bt_screen_options *o = s->options;
  snprintf(text, sizeof text,
           "%s: the screen was started on %s and is resumed on %s; energies differ slightly between the two",
           o->database, known, ours);
  if (o->opt_warn != NULL) o->opt_warn(o->opt_user, text);
}

bt_status bt_screen_record_devices(bt_screen *s, bt_error *opt_error) {
  char ours[256];
  BT_SCOPED char *known = NULL;
  name_devices(&s->pipeline, ours, sizeof ours);
  BT_TRY(bt_store_get(s->store, "devices", &known, opt_error));
  if (known != NULL && strcmp(known, ours) == 0) return BT_OK;
  if (known != NULL) warn_of_devices(s, known, ours);
  BT_TRY(bt_store_begin(s->store, opt_error));
  BT_TRY(bt_store_set(s->store, known != NULL ? "resumed_devices" : "devices", ours, opt_error));
  return bt_store_commit(s->store, opt_error);
}
