/* dock_folder.c - the data of a page from the dockings of a folder. */
#include <berth/berth.h>
#include <berth/prepare.h>
#include <berth/score.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "formats/pdbqt/pdbqt.h"
#include "base/text/csv.h"
#include "report/report_internal.h"

typedef struct entry {
  char *path, *name;
  double rank_energy, free_energy, inter, intra, torsional, rmsd, evaluations, seconds;
  int atoms, torsions, runs, clusters;
  bool active;
  double strain, failed, met, constraints; /* of the best pose; NaN: not known. failed, met: how many */
  bt_score_list scores, values;            /* of re-scorers */
} entry;

typedef struct folder {
  bt_report *report;
  entry *items; /* by free energy */
  size_t count, capacity;
  bt_docking_record first; /* that could be read: what all have in common */
  void *pattern;
} folder;

/* --- dockings ------------------------------------------------------------------------------------------ */

static bt_scoring scoring_of(const bt_docking_record *docking) {
  bt_scoring scoring = BT_SCORING_UNNAMED;
  if (docking->scoring != NULL) (void)bt_scoring_find(docking->scoring, &scoring);
  return scoring;
}

/* Without poses: a JSON of something else. */
static bt_status read_docking(const char *path, bt_docking_record *docking, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  size_t size;
  *docking = (bt_docking_record){.n_poses = 0};
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  return bt_report_ends_with(path, ".json") ? bt_docking_json_parse(path, text, size, docking, opt_error)
                                            : bt_docking_log_parse(path, text, size, docking, opt_error);
}

static int count_branches(const char *pdbqt) {
  int count = 0;
  for (const char *at = pdbqt; (at = strstr(at, "BRANCH ")) != NULL; at += 7) count += at == pdbqt || at[-1] == '\n';
  return count;
}

static int by_energy(const void *a, const void *b) {
  const bt_report_pose *p = a, *q = b;
  if (p->by_cluster)
    return p->cluster != q->cluster ? p->cluster - q->cluster : p->rank_in_cluster - q->rank_in_cluster;
  return p->free_energy != q->free_energy ? (p->free_energy < q->free_energy ? -1 : 1) : p->run - q->run;
}

/* What the best pose says beside its energies; its scores are taken. */
static void judge(entry *e, bt_report_pose *best) {
  e->strain = best->strain;
  e->failed = best->checks.made ? __builtin_popcount(best->checks.failed) : NAN;
  e->constraints = best->n_constraints > 0 ? best->n_constraints : NAN;
  e->met = 0;
  for (int k = 0; k < best->n_constraints; k++) e->met += best->constraints[k].met;
  e->scores = best->scores;
  e->values = best->values;
  best->scores = best->values = (bt_score_list){0};
}

static void describe(entry *e, bt_docking_record *log) {
  qsort(log->poses, (size_t)log->n_poses, sizeof *log->poses, by_energy);
  bt_report_pose *best = &log->poses[0];
  judge(e, best);
  e->free_energy = best->free_energy;
  e->rank_energy = isfinite(log->rank_energy) ? log->rank_energy : best->free_energy;
  e->inter = best->inter;
  e->intra = best->intra;
  e->torsional = best->torsional;
  e->rmsd = best->reference_rmsd;
  e->atoms = log->n_atoms;
  e->torsions = count_branches(log->ligand);
  for (int k = 0; k < log->n_poses; k++) {
    e->runs += !log->poses[k].further;
    if (log->poses[k].cluster > e->clusters) e->clusters = log->poses[k].cluster;
  }
  e->seconds = log->seconds;
  e->evaluations = log->evaluations;
}

/* One page ranks by one function. */
static bt_status check_scoring(const folder *f, const char *path, const bt_docking_record *docking,
                               bt_error *opt_error) {
  bt_scoring scoring = scoring_of(docking);
  if (f->first.n_poses == 0 || scoring == scoring_of(&f->first)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "use a separate folder for each scoring function",
                 "this docking is scored with %s, others in the folder with %s", bt_scoring_title(scoring),
                 bt_scoring_title(scoring_of(&f->first)));
}

static bt_status add_entry(folder *f, const char *path, bool *ret_docking, bt_error *opt_error) {
  bt_docking_record docking;
  bt_error error;
  bt_status status = read_docking(path, &docking, &error);
  *ret_docking = status != BT_OK || docking.n_poses > 0;
  if (status != BT_OK) {
    bt_docking_record_clear(&docking);
    f->report->summary->unreadable++;
    f->report->summary->trouble = error;
    if (status != BT_ERR_MEMORY) return BT_OK;
    return bt_fail_memory(opt_error);
  }
  if (!*ret_docking) return BT_OK;
  status = check_scoring(f, path, &docking, opt_error);
  if (status != BT_OK) {
    bt_docking_record_clear(&docking);
    return status;
  }
  entry e = {.path = strdup(path), .name = bt_path_stem(path, strrchr(path, '.'))};
  if (e.path == NULL || e.name == NULL || !BT_GROW(f->items, &f->capacity, f->count + 1)) {
    free(e.path);
    free(e.name);
    bt_docking_record_clear(&docking);
    return bt_fail_memory(opt_error);
  }
  describe(&e, &docking);
  e.active = bt_report_is_active(f->pattern, e.name);
  f->items[f->count++] = e;
  if (f->first.n_poses == 0)
    f->first = docking;
  else
    bt_docking_record_clear(&docking);
  return BT_OK;
}

/* A log counts only where there is no JSON of the same docking. */
static bt_status add_file(folder *f, const char *name, bt_error *opt_error) {
  bool log = bt_report_ends_with(name, ".dlg"), docking = false;
  if (!log && !bt_report_ends_with(name, ".json")) return BT_OK;
  BT_SCOPED char *path = bt_path_join(f->report->folder, name), *other = NULL;
  int stem = path != NULL ? (int)(strrchr(path, '.') - path) : 0;
  if (path != NULL && asprintf(&other, "%.*s%s", stem, path, log ? ".json" : ".dlg") < 0) other = NULL;
  bt_status status = other != NULL ? BT_OK : bt_fail_memory(opt_error);
  bool both = status == BT_OK && access(other, R_OK) == 0;
  if (status == BT_OK && !(log && both)) status = add_entry(f, path, &docking, opt_error);
  if (status == BT_OK && !log && both && !docking) status = add_entry(f, other, &docking, opt_error);
  return status;
}

static int by_rank(const void *a, const void *b) {
  const entry *p = a, *q = b;
  return p->rank_energy != q->rank_energy ? (p->rank_energy < q->rank_energy ? -1 : 1) : strcmp(p->name, q->name);
}

static bt_status read_folder(folder *f, bt_error *opt_error) {
  const char *path = f->report->folder;
  struct dirent **names = NULL;
  int n = scandir(path, &names, NULL, alphasort);
  if (n < 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "use the folder of berth dock or berth screen",
                   "this folder cannot be read");
  bt_status status = BT_OK;
  for (int i = 0; i < n; i++) {
    if (status == BT_OK) status = add_file(f, names[i]->d_name, opt_error);
    free(names[i]);
  }
  free(names);
  if (status != BT_OK) return status;
  if (f->count == 0 && f->report->summary->unreadable > 0) {
    if (opt_error != NULL) *opt_error = f->report->summary->trouble;
    return f->report->summary->trouble.status;
  }
  if (f->count == 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "use the folder of berth dock or of berth screen",
                   "this folder has neither dockings (.json, .dlg) nor a screen.db");
  qsort(f->items, f->count, sizeof *f->items, by_rank);
  return BT_OK;
}

/* --- the receptor -------------------------------------------------------------------------------------- */

/* NULL: there is none. */
static bt_status find_receptor(const folder *f, char **ret_path, bt_error *opt_error) {
  const char *given = f->report->options->opt_receptor, *docked = f->count > 0 ? f->first.receptor_file : NULL;
  BT_SCOPED char *own = bt_path_join(f->report->folder, "receptor.pdbqt");
  *ret_path = NULL;
  if (own == NULL) return bt_fail_memory(opt_error);
  const char *path = given != NULL                               ? given
                   : access(own, R_OK) == 0                      ? own
                   : docked != NULL && access(docked, R_OK) == 0 ? docked
                                                                 : NULL;
  if (path == NULL) return BT_OK;
  *ret_path = strdup(path);
  return *ret_path != NULL ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status add_receptor(folder *f, bt_error *opt_error) {
  bt_report *report = f->report;
  BT_SCOPED char *path = NULL;
  BT_TRY(find_receptor(f, &path, opt_error));
  if (path == NULL) return BT_OK;
  BT_SCOPED char *text = NULL;
  size_t size;
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  return bt_report_receptor(report, path, text, size, opt_error);
}

/* --- members ------------------------------------------------------------------------------------------- */

static void add_triple(bt_text *text, const double *values, const char *between) {
  for (int k = 0; k < 3; k++) bt_text_printf(text, "%s%.6g", k > 0 ? between : "", values[k]);
}

static void add_facts(folder *f) {
  bt_report *report = f->report;
  const bt_docking_record *log = &f->first;
  bt_report_scoring(report, log->scoring);
  bt_report_rank(report, log->ranked_by);
  BT_ENDED_BY(bt_text_destroy) bt_text box = {0};
  if (!isnan(log->box_center[2]) && !isnan(log->box_size[2])) {
    add_triple(&box, log->box_size, " x ");
    bt_text_add_string(&box, " Angstrom around (");
    add_triple(&box, log->box_center, ", ");
    bt_text_add_string(&box, ")");
  }
  bt_json_printf(&report->json, "facts [");
  bt_report_fact(report, "Receptor", log->receptor_name);
  bt_report_fact(report, "Protonation", log->protonation);
  bt_report_fact(report, "Scoring function", bt_scoring_title(scoring_of(log)));
  bt_report_fact(report, "Ranked by", log->ranked_by);
  bt_report_fact(report, "Box", box.data);
  bt_report_fact(report, "Seed", log->seed);
  bt_report_fact(report, "Command", log->command_line);
  bt_json_close(&report->json, ']');
  if (isnan(log->box_center[2]) || isnan(log->box_size[2])) return;
  const double *center = log->box_center, *size = log->box_size;
  bt_json_printf(&report->json, "box [ %.3f %.3f %.3f %.3f %.3f %.3f ]", center[0], center[1], center[2], size[0],
                 size[1], size[2]);
}

static bt_status add_row(bt_report *report, const entry *e, bt_error *opt_error) {
  bt_json *json = &report->json;
  bt_json_printf(json, "[ %s %.2f %.2f %.2f %.2f %d %d %d %d %.2f %.0f %.2f %d %.2f", e->name, e->free_energy, e->inter,
                 e->intra, e->torsional, e->atoms, e->torsions, e->runs, e->clusters, e->rmsd, e->evaluations,
                 e->seconds, e->active, e->rank_energy);
  bt_json_printf(json, "%.1f %.0f %.0f %.0f", e->strain, e->failed, e->met, e->constraints);
  BT_TRY(bt_report_row_scores(report, &e->scores, &e->values, opt_error));
  bt_json_close(json, ']');
  report->summary->rows++;
  return BT_OK;
}

static bt_status from_text(const char *path, const char *text, bt_molecule_kind kind, bt_molecule ***ret_list,
                           int *ret_count, bt_error *opt_error) {
  if (text[0] == '\0') return BT_OK;
  return bt_molecule_from_memory(path, text, strlen(text), kind, ret_list, ret_count, opt_error);
}

/* A docking with its molecules. */
typedef struct docked {
  bt_docking_record log;
  bt_molecule **list, **flexible, **reference;
  int n, n_flexible, n_reference;
  bt_ligand *ligand;
} docked;

static bt_status read_molecules(const char *path, docked *r, bt_error *opt_error) {
  BT_TRY(read_docking(path, &r->log, opt_error));
  qsort(r->log.poses, (size_t)r->log.n_poses, sizeof *r->log.poses, by_energy);
  BT_TRY(from_text(path, r->log.ligand, BT_MOLECULE_LIGAND, &r->list, &r->n, opt_error));
  if (r->n == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "dock this ligand again", "no ligand");
  BT_TRY(from_text(path, r->log.flexible, BT_MOLECULE_FLEXIBLE, &r->flexible, &r->n_flexible, opt_error));
  if (from_text(path, r->log.reference, BT_MOLECULE_LIGAND, &r->reference, &r->n_reference, NULL) != BT_OK)
    r->n_reference = 0; /* it is shown where it can be */
  if (bt_molecule_find_chemistry(r->list[0], opt_error) == BT_ERR_MEMORY) return BT_ERR_MEMORY;
  BT_TRY(bt_ligand_create_as(r->list[0], r->n_flexible > 0 ? r->flexible[0] : NULL, scoring_of(&r->log), &r->ligand,
                             opt_error));
  if (bt_ligand_atom_count(r->ligand) == r->log.n_atoms) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "dock this ligand again",
                 "the poses have %d atoms, but the ligand has %d", r->log.n_atoms, bt_ligand_atom_count(r->ligand));
}

static void docked_clear(docked *r) {
  bt_ligand_destroy(r->ligand);
  bt_molecule_list_destroy(r->list, r->n);
  bt_molecule_list_destroy(r->flexible, r->n_flexible);
  bt_molecule_list_destroy(r->reference, r->n_reference);
  bt_docking_record_clear(&r->log);
}

static bt_status add_detail(folder *f, const char *path, bt_error *opt_error) {
  BT_ENDED_BY(docked_clear) docked r = {.n = 0};
  bt_report *report = f->report;
  BT_TRY(read_molecules(path, &r, opt_error));
  int most = report->options->poses;
  bt_report_ligand ligand = {.ligand = r.ligand,
                             .poses = r.log.poses,
                             .n_poses = r.log.n_poses,
                             .n_shown = most > 0 && most < r.log.n_poses ? most : r.log.n_poses,
                             .all_runs = true,
                             .opt_reference = r.n_reference > 0 ? r.reference[0] : NULL,
                             .opt_site = report->site,
                             .contacts = &report->options->contacts};
  report->summary->poses += ligand.n_shown;
  return bt_report_add_detail(&report->json, &ligand, opt_error);
}

/* The reasons that `berth dock` gave for ligands it did not dock. */
static bt_status add_rejects(folder *f, bt_error *opt_error) {
  bt_report *report = f->report;
  BT_SCOPED char *path = bt_path_join(report->folder, "rejects.csv"), *text = NULL;
  size_t size;
  bool there;
  if (path == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_file_look(path, &there, opt_error));
  if (!there) return BT_OK;
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  bt_json *json = &report->json;
  bt_json_printf(json, "rejects [");
  bt_csv csv = bt_csv_of(text, size);
  bool heading = true;
  for (bt_csv_row row = {0}; bt_csv_next(&csv, &row); heading = false) {
    if (heading || row.count < 6) continue;
    bt_json_printf(json, "[ %s %s %s %s ]", bt_csv_plain(row.fields[0]), "rejected", row.fields[4], row.fields[5]);
    report->summary->rejected++;
  }
  bt_json_close(json, ']');
  bt_status status = csv.failed ? bt_fail_memory(opt_error) : BT_OK;
  bt_csv_end(&csv);
  return status;
}

/* The files of one ligand: { stem, endings }. */
static bt_status add_links(bt_report *report, const entry *e, bt_error *opt_error) {
  BT_SCOPED char *stem = bt_path_stem(e->path, strrchr(e->path, '.'));
  if (stem == NULL) return bt_fail_memory(opt_error);
  bt_json_open(&report->json, '{');
  bt_json_printf(&report->json, "stem %s", stem);
  BT_TRY(bt_report_files(report, "endings", stem, "sdf pdbqt complex.pdb complex.cif csv json dlg xml", opt_error));
  bt_json_close(&report->json, '}');
  return BT_OK;
}

static bt_status add_members(folder *f, bt_error *opt_error) {
  bt_report *report = f->report;
  bt_json *json = &report->json;
  int64_t rows = report->options->rows;
  bt_report_begin(report, "dock");
  if (!report->rows_only) BT_TRY(add_receptor(f, opt_error));
  add_facts(f);
  bt_json_printf(json, "prefix %s", report->prefix);
  BT_TRY(bt_report_files(report, "files", "",
                         "summary.csv notes.csv rejects.csv receptor.pdbqt receptor-report.txt receptor-report.json",
                         opt_error));
  bt_report_columns(report,
                    "name free inter intra tors atoms torsions runs clusters rmsd evals seconds active ranked "
                    "strain failed met constraints");
  bt_json_printf(json, "rows [");
  for (size_t k = 0; k < f->count && (rows <= 0 || (int64_t)k < rows); k++)
    BT_TRY(add_row(report, &f->items[k], opt_error));
  bt_json_close(json, ']');
  bt_report_score_columns(report);
  bt_report_limits(report);
  bt_json_printf(json, "links [");
  for (size_t k = 0; k < f->count && (int64_t)k < report->summary->rows; k++)
    BT_TRY(add_links(report, &f->items[k], opt_error));
  bt_json_printf(json, "] details [");
  for (size_t k = 0; k < f->count && (int64_t)k < report->options->top && (int64_t)k < report->summary->rows; k++) {
    BT_TRY(add_detail(f, f->items[k].path, opt_error));
    report->summary->detailed++;
  }
  bt_json_close(json, ']');
  for (size_t k = 0; report->fingerprints != NULL && k < f->count; k++) {
    BT_ENDED_BY(docked_clear) docked r = {.n = 0};
    BT_TRY(read_molecules(f->items[k].path, &r, opt_error));
    BT_TRY(bt_report_fingerprint(report, f->items[k].name, r.ligand, r.log.poses[0].xyz, opt_error));
  }
  report->summary->ligands = (int64_t)f->count;
  return add_rejects(f, opt_error);
}

bt_status bt_report_dock_folder(bt_report *report, bt_error *opt_error) {
  folder f = {.report = report};
  bt_status status = bt_report_compile(report, &f.pattern, opt_error);
  if (status == BT_OK) status = read_folder(&f, opt_error);
  if (status == BT_OK) status = add_members(&f, opt_error);
  for (size_t k = 0; k < f.count; k++) {
    free(f.items[k].path);
    free(f.items[k].name);
    bt_score_list_clear(&f.items[k].scores);
    bt_score_list_clear(&f.items[k].values);
  }
  free(f.items);
  bt_docking_record_clear(&f.first);
  bt_report_pattern_free(f.pattern);
  return status;
}
