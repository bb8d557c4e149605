/* screen_details.c - the poses of a screen's best ligands, with verdicts on them. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/report_internal.h"
#include "store/row_batch.h"
#include "store/stored_result.h"

typedef struct details {
  bt_report *report;
  const bt_screen_poses *poses;
  bt_constraints *constraints; /* NULL: none */
  bt_row_batch *batch;
} details;

static void close_details(details *d) {
  bt_row_batch_close(d->batch);
  bt_constraints_destroy(d->constraints);
}

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

static bt_status add_detail(const bt_report *report, bt_row_job *j, bt_stored_result *r, bt_error *opt_error) {
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
  j->counts[0] = n;
  return bt_report_add_detail(&json, &ligand, opt_error);
}

/* The JSON of a ligand; none if it has no poses. */
static bt_status judge(void *user, bt_row_job *j, bt_error *opt_error) {
  const details *d = user;
  const bt_report *report = d->report;
  const bt_pose_judges judges = {d->constraints, (const bt_molecule *const *)report->receptor, report->n_receptor > 0};
  BT_ENDED_BY(bt_stored_result_clear) bt_stored_result r = {0};
  if (j->row->molecule == NULL || j->row->n_poses == 0 || !d->poses->autodock) return BT_OK;
  BT_TRY(bt_store_result(j->row, d->poses->scoring, d->poses->opt_flexible, NULL, &r, opt_error));
  if (bt_molecule_find_chemistry(r.list[0], opt_error) == BT_ERR_MEMORY) return BT_ERR_MEMORY;
  BT_TRY(bt_stored_result_judge(&r, &judges, opt_error));
  return add_detail(report, j, &r, opt_error);
}

/* ---- all ---- */

static bt_status add_json(void *user, const bt_row_job *j, bt_error *opt_error) {
  bt_report *report = ((const details *)user)->report;
  (void)opt_error;
  report->summary->poses += (int)j->counts[0];
  report->summary->detailed += j->counts[0] > 0;
  if (j->text.size > 0)
    bt_json_raw(&report->json, j->text.data);
  else
    bt_json_null(&report->json);
  return BT_OK;
}

static bt_status visit(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  return bt_row_batch_add(((const details *)user)->batch, rank, row, opt_error);
}

bt_status bt_report_screen_details(bt_report *report, const bt_screen_poses *poses, int64_t top, bt_error *opt_error) {
  const bt_molecule *receptor = report->n_receptor > 0 ? report->receptor[0] : NULL;
  BT_ENDED_BY(close_details) details d = {.report = report, .poses = poses};
  BT_TRY(bt_store_constraints(poses->store, receptor, &d.constraints, opt_error));
  const bt_row_work work = {judge, add_json, &d};
  BT_TRY(bt_row_batch_open(&work, &d.batch, opt_error));
  BT_TRY(bt_store_visit(poses->store, true, true, top, visit, &d, opt_error));
  return bt_row_batch_flush(d.batch, opt_error);
}
