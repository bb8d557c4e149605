/* screen_details.c - the poses of a screen's best ligands, with verdicts on them. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "report/report_internal.h"
#include "store/stored_result.h"

enum { EACH = 4 /* ligands per thread: they take different times */ };

/* A ligand, and the JSON of it. */
typedef struct job {
  bt_store_row *row;
  bt_text text;
  int n_poses; /* that are shown */
  bt_status status;
  bt_error error;
} job;

typedef struct details {
  bt_report *report;
  const bt_screen_poses *poses;
  bt_constraints *constraints; /* NULL: none */
  job *jobs;                   /* [room] */
  int threads, room, count, next;
} details;

/* ---- one ligand ---- */

/* constraints[bt_result_constraint_count]; their names are borrowed from the ligand. */
static void list_constraints(const bt_result *result, int pose, bt_report_constraint *constraints) {
  for (int c = 0; c < bt_result_constraint_count(result); c++) {
    bt_constraint_verdict of = bt_result_constraint(result, pose, c);
    constraints[c] = (bt_report_constraint){(char *)of.name, of.required, of.met, of.distance, of.miss, of.energy};
  }
}

static bt_report_pose pose_of(const bt_store_pose *kept, const bt_run *run) {
  return (bt_report_pose){.run = kept->run,
                          .cluster = kept->cluster,
                          .rank_in_cluster = 1,
                          .free_energy = kept->free_energy,
                          .inter = kept->terms[0],
                          .intra = kept->terms[1],
                          .torsional = kept->terms[2],
                          .vdw = NAN,
                          .electrostatic = NAN,
                          .moving = NAN,
                          .cluster_rmsd = NAN,
                          .reference_rmsd = NAN,
                          .strain = run->strain,
                          .faults = run->faults,
                          .checks = run->checks,
                          .xyz = run->xyz};
}

static bt_status add_detail(const bt_report *report, job *j, bt_stored_result *r, bt_error *opt_error) {
  const bt_store_row *row = j->row;
  int most = report->options->poses, n = most > 0 && most < row->n_poses ? most : row->n_poses;
  int n_constraints = bt_result_constraint_count(r->result);
  BT_SCOPED bt_report_pose *poses = bt_allocate((size_t)n, sizeof *poses);
  BT_SCOPED bt_report_constraint *constraints = bt_allocate((size_t)n * (size_t)n_constraints, sizeof *constraints);
  if (poses == NULL || constraints == NULL) return bt_fail_memory(opt_error);
  for (int k = 0; k < n; k++) {
    poses[k] = pose_of(&row->poses[k], &r->result->runs[k]);
    poses[k].constraints = constraints + (size_t)k * (size_t)n_constraints;
    poses[k].n_constraints = n_constraints;
    list_constraints(r->result, k, poses[k].constraints);
  }
  bt_report_ligand ligand = {.ligand = r->ligand,
                             .poses = poses,
                             .n_poses = n,
                             .n_shown = n,
                             .opt_site = report->site,
                             .contacts = &report->options->contacts};
  bt_json json = {.text = &j->text};
  j->n_poses = n;
  return bt_report_add_detail(&json, &ligand, opt_error);
}

static bt_status judge(const details *d, job *j, bt_error *opt_error) {
  const bt_report *report = d->report;
  const bt_pose_judges judges = {d->constraints, (const bt_molecule *const *)report->receptor, report->n_receptor > 0};
  BT_ENDED_BY(bt_stored_result_clear) bt_stored_result r = {0};
  if (j->row->molecule == NULL || j->row->n_poses == 0 || !d->poses->autodock) return BT_OK;
  BT_TRY(bt_store_result(j->row, d->poses->scoring, d->poses->opt_flexible, NULL, &r, opt_error));
  if (bt_molecule_find_chemistry(r.list[0], opt_error) == BT_ERR_MEMORY) return BT_ERR_MEMORY;
  BT_TRY(bt_stored_result_judge(&r, &judges, opt_error));
  return add_detail(report, j, &r, opt_error);
}

/* ---- several at a time ---- */

static void clear_jobs(details *d) {
  for (int k = 0; k < d->count; k++) {
    bt_store_row_destroy(d->jobs[k].row);
    bt_text_destroy(&d->jobs[k].text);
    d->jobs[k] = (job){0};
  }
  d->count = d->next = 0;
}

static void close_details(details *d) {
  clear_jobs(d);
  free(d->jobs);
  bt_constraints_destroy(d->constraints);
}

static void work(void *context, int thread) {
  (void)thread;
  details *d = context;
  for (int k; (k = __atomic_fetch_add(&d->next, 1, __ATOMIC_RELAXED)) < d->count;) {
    job *j = &d->jobs[k];
    j->status = judge(d, j, &j->error);
    if (j->status == BT_OK) j->status = bt_text_status(&j->text, &j->error);
  }
}

/* In the order of the ranking, whichever thread was first. */
static bt_status add_jobs(details *d, bt_error *opt_error) {
  bt_report *report = d->report;
  bt_status status = BT_OK;
  bt_parallel(d->threads < d->count ? d->threads : d->count, work, d);
  for (int k = 0; status == BT_OK && k < d->count; k++) {
    const job *j = &d->jobs[k];
    status = j->status;
    if (status != BT_OK && opt_error != NULL) *opt_error = j->error;
    report->summary->poses += j->n_poses;
    report->summary->detailed += j->n_poses > 0;
    if (status == BT_OK && j->text.size > 0)
      bt_json_raw(&report->json, j->text.data);
    else
      bt_json_null(&report->json);
  }
  clear_jobs(d);
  return status;
}

static bt_status visit(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  details *d = user;
  (void)rank;
  d->jobs[d->count] = (job){.row = bt_store_row_copy(row)};
  if (d->jobs[d->count].row == NULL) return bt_fail_memory(opt_error);
  return ++d->count == d->room ? add_jobs(d, opt_error) : BT_OK;
}

bt_status bt_report_screen_details(bt_report *report, const bt_screen_poses *poses, int64_t top, bt_error *opt_error) {
  const bt_molecule *receptor = report->n_receptor > 0 ? report->receptor[0] : NULL;
  BT_ENDED_BY(close_details) details d = {.report = report, .poses = poses, .threads = bt_thread_count_default()};
  BT_TRY(bt_store_constraints(poses->store, receptor, &d.constraints, opt_error));
  d.room = EACH * d.threads;
  if ((d.jobs = bt_allocate((size_t)d.room, sizeof *d.jobs)) == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_store_visit(poses->store, true, true, top, visit, &d, opt_error));
  return d.count > 0 ? add_jobs(&d, opt_error) : BT_OK;
}
