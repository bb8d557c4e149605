/* job.h - the AutoDock engine as benchmarks use it: one ligand on one device, run generation by generation and checked
 * against double precision. */
#ifndef BERTH_BENCH_COMMON_JOB_H
#define BERTH_BENCH_COMMON_JOB_H

#include <berth/berth.h>

#include "engine/lga/search/job.h"
#include "base/text/json.h"
#include "base/memory.h"
#include "bench/common/cases.h"
#include "bench/common/deviation.h"

/* What was measured, and where. */
typedef struct bench_subject {
  char device[64], description[128];
  int threads; /* of the host; 0: the device is not a CPU */
  int atoms, torsions, pairs;
} bench_subject;

typedef struct bench_job {
  const bench_case *of; /* borrowed */
  bt_dock_options options;
  bool bare; /* no wall around the box, no limit on forces */
  const bt_backend *backend;
  bt_job *job;
  bt_dock_data *data;
  bt_scorer *scorer;
  bench_pose pose;
  bt_search_parameters parameters;
  size_t n_genes, n_dofs; /* of one individual */
  bt_arena memory;        /* for users of the job; lives as long as it does */
} bench_job;

/* Finds one device; auto: the first usable one. */
bt_status bench_device_find(const bt_dock_options *options, const bt_backend **ret_backend,
                            bt_error *opt_error) BT_MUST_USE;
/* Finds the device of job->options. */
bt_status bench_job_find(bench_job *job, bench_subject *ret_subject, bt_error *opt_error) BT_MUST_USE;
/* Checks the options and prepares job->of; close it also after a failure. */
bt_status bench_job_open(bench_job *job, bt_error *opt_error) BT_MUST_USE;
/* Creates the device's job from the present job->options and backend, replacing an earlier one. */
bt_status bench_job_start(bench_job *job, bt_error *opt_error) BT_MUST_USE;
void bench_job_close(bench_job *job);

/* Compares the device's evaluation of genes[count], and the energies opt_noted that the search recorded for them, with
 * double precision. opt_off: raised to the largest deviation of an energy that is not a clash, kcal/mol. */
bt_status bench_job_check(bench_job *job, size_t count, const float *genes, const float *opt_noted,
                          bench_deviation *deviation, double *opt_off, bt_error *opt_error) BT_MUST_USE;
/* Restarts the docking and continues until all runs together have made so many evaluations. */
bt_status bench_job_dock(bench_job *job, int64_t limit, int64_t *ret_evaluations, bt_error *opt_error) BT_MUST_USE;

/* Writes the subject's members into the open JSON object. */
void bench_subject_json(bt_json *json, const bench_subject *subject);

#endif
