/* report.c - bt_report_write: what kind of folder it is, and what all pages have in common. */
#include <berth/build.h>
#include <berth/rescore.h>
#include <berth/score.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "chem/element.h"
#include "formats/pdbqt/pdbqt.h"
#include "report/embedded.h"
#include "report/report_internal.h"

bt_report_options bt_report_options_default(void) {
  return (bt_report_options){.top = 100, .rows = 10000, .poses = 50, .contacts = bt_contact_options_default()};
}

static bt_status look_for_file(const char *path, bool *ret_there, bt_error *opt_error) {
  bt_file_kind kind;
  BT_TRY(bt_file_kind_of(path, &kind, opt_error));
  *ret_there = kind == BT_FILE_PLAIN;
  return BT_OK;
}

/* --- parts of the data --------------------------------------------------------------------------------- */

/* The name of the folder, and of the database if it is not the usual one. */
static char *default_title(const char *path) {
  BT_SCOPED char *whole = realpath(path, NULL), *folder = whole != NULL ? bt_path_folder(whole) : NULL;
  const char *base = whole != NULL ? bt_path_base(whole) : path;
  return strdup(strcmp(base, "screen.db") == 0 && folder != NULL ? bt_path_base(folder) : base);
}

void bt_report_begin(bt_report *report, const char *kind) {
  const bt_contact_options *c = &report->options->contacts;
  bt_json_printf(&report->json, "kind %s title %s version %s cutoffs [ %g %g %g ]", kind, report->title, BT_VERSION,
                 c->reactive, c->hbond, c->vdw);
}

void bt_report_fact(bt_report *report, const char *label, const char *opt_value) {
  if (opt_value == NULL || opt_value[0] == '\0') return;
  bt_json_printf(&report->json, "[ %s %s ]", label, opt_value);
}

void bt_report_scoring(bt_report *report, const char *opt_name) {
  bt_scoring scoring = BT_SCORING_UNNAMED;
  bool known = opt_name != NULL && bt_scoring_find(opt_name, &scoring);
  if (known && scoring != BT_SCORING_UNNAMED) bt_json_printf(&report->json, "scoring %s", bt_scoring_title(scoring));
}

void bt_report_rank(bt_report *report, const char *opt_ranked_by) {
  if (opt_ranked_by != NULL && !bt_rank_is_energy(opt_ranked_by))
    bt_json_printf(&report->json, "index %hhd", (bool)true);
}

bt_status bt_report_files(bt_report *report, const char *key, const char *stem, const char *endings,
                          bt_error *opt_error) {
  bt_json *json = &report->json;
  bt_json_key(json, key);
  bt_json_open(json, '[');
  bt_span rest = bt_span_from(endings);
  char ending[32];
  for (bt_span word; (word = bt_span_word(&rest)).size > 0;) {
    BT_SCOPED char *path = NULL;
    if (!bt_span_copy(word, ending, sizeof ending)) continue;
    bool there;
    if (asprintf(&path, "%s/%s%s%s", report->folder, stem, stem[0] != '\0' ? "." : "", ending) < 0) path = NULL;
    if (path == NULL) return bt_fail_memory(opt_error);
    BT_TRY(look_for_file(path, &there, opt_error));
    if (there) bt_json_string(json, ending);
  }
  bt_json_close(json, ']');
  return BT_OK;
}

void bt_report_columns(bt_report *report, const char *names) {
  bt_json_printf(&report->json, "columns [");
  bt_span rest = bt_span_from(names);
  char name[32];
  for (bt_span word; (word = bt_span_word(&rest)).size > 0;)
    if (bt_span_copy(word, name, sizeof name)) bt_json_string(&report->json, name);
  bt_json_close(&report->json, ']');
}

void bt_report_limits(bt_report *report) {
  bt_json *json = &report->json;
  bt_json_printf(json, "limits [");
  for (int k = 0; k < BT_CHECK_COUNT; k++) {
    bool least;
    double limit = bt_check_limit((bt_check)k, &least);
    bt_json_printf(json, "[ %s %g %hhd ]", bt_check_name((bt_check)k), limit, least);
  }
  bt_json_close(json, ']');
}

/* Of the atoms that the page shows, in hundredths of e. */
static void add_charges(bt_json *json, const bt_molecule *receptor) {
  bt_json_printf(json, "charges [");
  for (int i = 0; i < receptor->n_atoms; i++)
    if (bt_element_of_type(receptor->atoms[i].type) > 0) bt_json_integer(json, lround(100 * receptor->atoms[i].charge));
  bt_json_close(json, ']');
}

bt_status bt_report_receptor(bt_report *report, const char *label, const char *text, size_t size, bt_error *opt_error) {
  BT_TRY(bt_molecule_from_memory(label, text, size, BT_MOLECULE_RECEPTOR, &report->receptor, &report->n_receptor,
                                 opt_error));
  BT_TRY(bt_contact_site_create(report->receptor[0], &report->options->contacts, &report->site, opt_error));
  report->summary->receptor = true;
  add_charges(&report->json, report->receptor[0]);
  return bt_report_add_pdb(&report->json, "receptor", report->receptor[0], NULL, false, opt_error);
}

/* --- actives ------------------------------------------------------------------------------------------- */

bt_status bt_report_compile(const bt_report *report, void **ret_pattern, bt_error *opt_error) {
  *ret_pattern = NULL;
  if (report->options->opt_actives == NULL) return BT_OK;
  regex_t *pattern = malloc(sizeof *pattern);
  if (pattern == NULL) return bt_fail_memory(opt_error);
  int code = regcomp(pattern, report->options->opt_actives, REG_EXTENDED | REG_NOSUB);
  if (code == 0) {
    *ret_pattern = pattern;
    return BT_OK;
  }
  char reason[200];
  regerror(code, pattern, reason, sizeof reason);
  free(pattern);
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a POSIX extended regular expression, such as '^active'",
                 "'%s' is not a valid pattern for the names of actives: %s", report->options->opt_actives, reason);
}

void bt_report_pattern_free(void *opt_pattern) {
  if (opt_pattern == NULL) return;
  regfree(opt_pattern);
  free(opt_pattern);
}

bool bt_report_is_active(const void *opt_pattern, const char *name) {
  return opt_pattern != NULL && regexec(opt_pattern, name, 0, NULL, 0) == 0;
}

/* --- all ----------------------------------------------------------------------------------------------- */

bool bt_report_ends_with(const char *text, const char *end) {
  size_t length = strlen(text), n = strlen(end);
  return length >= n && strcmp(text + length - n, end) == 0;
}

/* Parts of a screen that have not been merged. */
static bool has_parts(const char *folder) {
  DIR *stream = opendir(folder);
  bool found = false;
  if (stream == NULL) return false;
  for (const struct dirent *entry; !found && (entry = readdir(stream)) != NULL;)
    found = bt_report_ends_with(entry->d_name, ".db") &&
            (strncmp(entry->d_name, "shard-", 6) == 0 || strncmp(entry->d_name, "rank-", 5) == 0);
  closedir(stream);
  return found;
}

static bt_status collect(bt_report *report, bt_error *opt_error) {
  const char *folder = report->folder;
  bool there;
  BT_TRY(look_for_file(folder, &there, opt_error));
  if (there && bt_report_ends_with(folder, ".db")) return bt_report_screen_database(report, folder, opt_error);
  BT_SCOPED char *database = bt_path_join(folder, "screen.db");
  if (database == NULL) return bt_fail_memory(opt_error);
  BT_TRY(look_for_file(database, &there, opt_error));
  if (there) return bt_report_screen_database(report, database, opt_error);
  if (has_parts(folder))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = folder},
                   "merge them with berth merge, or use one of the databases",
                   "the folder has parts of a screen, but no screen.db");
  return bt_report_dock_folder(report, opt_error);
}

/* "" for a page in the folder itself, else where the folder is. */
static bt_status find_prefix(const char *folder, const char *page, char **ret_prefix, bt_error *opt_error) {
  BT_SCOPED char *beside = bt_path_folder(page), *from = NULL, *to = NULL;
  *ret_prefix = NULL;
  if (beside == NULL) return bt_fail_memory(opt_error);
  if ((from = realpath(beside[0] != '\0' ? beside : ".", NULL)) == NULL && errno != ENOENT)
    return bt_file_fail_read(beside, errno, opt_error);
  if ((to = realpath(folder, NULL)) == NULL && errno != ENOENT) return bt_file_fail_read(folder, errno, opt_error);
  if (from != NULL && to != NULL && strcmp(from, to) == 0)
    *ret_prefix = strdup("");
  else if (asprintf(ret_prefix, "%s/", to != NULL ? to : folder) < 0)
    *ret_prefix = NULL;
  return *ret_prefix != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* What is drawn over poses that were docked without a reference. */
static bt_status add_reference(bt_report *report, bt_error *opt_error) {
  const char *text = report->options->opt_reference;
  bt_molecule **list = NULL;
  int count = 0;
  if (strncmp(text, "ROOT", 4) != 0 && strstr(text, "\nROOT") == NULL) {
    bt_json_printf(&report->json, "reference %s", text);
    return BT_OK;
  }
  BT_TRY(bt_molecule_from_memory("reference", text, strlen(text), BT_MOLECULE_LIGAND, &list, &count, opt_error));
  bt_status status = bt_report_add_pdb(&report->json, "reference", list[0], NULL, true, opt_error);
  bt_molecule_list_destroy(list, count);
  return status;
}

/* The rows of a second folder as a member "other". */
static bt_status add_other(bt_report *report, bt_error *opt_error) {
  bt_report_options options = *report->options;
  bt_report_summary summary = {0};
  options.top = 0;
  options.opt_fingerprints = options.opt_receptor = options.opt_actives = NULL;
  bt_report other = {.folder = options.opt_other,
                     .options = &options,
                     .summary = &summary,
                     .prefix = report->prefix,
                     .rows_only = true};
  other.title = default_title(other.folder);
  if (other.title == NULL) return bt_fail_memory(opt_error);
  bt_json_key(&report->json, "other");
  bt_json_open(&report->json, '{');
  other.json = report->json;
  bt_status status = collect(&other, opt_error);
  report->json = other.json;
  bt_report_forget_columns(&other);
  bt_json_close(&report->json, '}');
  free(other.title);
  return status;
}

bt_status bt_report_write(const char *folder, const bt_report_options *options, const char *path,
                          bt_report_summary *ret_summary, bt_error *opt_error) {
  *ret_summary = (bt_report_summary){0};
  bt_report report = {.folder = folder, .options = options, .summary = ret_summary};
  report.json.text = &report.text;
  report.title = options->opt_title != NULL ? strdup(options->opt_title) : default_title(folder);
  if (report.title == NULL) return bt_fail_memory(opt_error);
  bt_status status = find_prefix(folder, path, &report.prefix, opt_error);
  if (status == BT_OK && options->opt_fingerprints != NULL)
    status = bt_interaction_table_create(false, true, &report.fingerprints, opt_error);
  bt_json_open(&report.json, '{');
  if (status == BT_OK) status = collect(&report, opt_error);
  if (status == BT_OK && options->opt_reference != NULL) status = add_reference(&report, opt_error);
  if (status == BT_OK && options->opt_other != NULL) status = add_other(&report, opt_error);
  bt_json_close(&report.json, '}');
  if (status == BT_OK) status = bt_text_status(&report.text, opt_error);
  if (status == BT_OK) status = bt_report_page(&report, path, opt_error);
  if (status == BT_OK && report.fingerprints != NULL)
    status = bt_interaction_table_write(report.fingerprints, options->opt_fingerprints, opt_error);
  bt_interaction_table_destroy(report.fingerprints);
  free(report.title);
  free(report.prefix);
  bt_report_forget_columns(&report);
  bt_contact_site_destroy(report.site);
  bt_molecule_list_destroy(report.receptor, report.n_receptor);
  bt_text_destroy(&report.text);
  return status;
}
