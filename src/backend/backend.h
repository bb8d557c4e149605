/* backend.h - what a processor must offer: jobs of many runs of one ligand, driven generation by generation.
 *
 * A back end copies or borrows the data until job_destroy; it draws the same random numbers as every other one (they
 * are keyed by meaning, kernel/philox.h) and never orders results by thread.
 */
#ifndef BERTH_BACKEND_BACKEND_H
#define BERTH_BACKEND_BACKEND_H

#include "base/status.h"
#include "kernel/data.h"
#include "kernel/parameters.h"

typedef struct bt_backend_job bt_backend_job;

typedef struct bt_backend {
  const char *name; /* "cpu/avx512" */
  /* What it is, and whether (or why not) it can be used on this machine. */
  bt_device_info (*describe)(const struct bt_backend *backend);

  /* data and parameters are borrowed until job_destroy. */
  bt_status (*job_create)(const struct bt_backend *backend, const bt_kernel_data *data,
                          const bt_search_parameters *parameters, int threads, bt_backend_job **ret_job,
                          bt_error *opt_error);
  void (*job_destroy)(bt_backend_job *job);

  /* Random populations of all runs, evaluated. */
  bt_status (*initialize)(bt_backend_job *job, bt_error *opt_error);
  /* One generation of all runs: elitism, selection, crossover, mutation, evaluation, local search. generation >= 1. */
  bt_status (*generation)(bt_backend_job *job, uint32_t generation, bt_error *opt_error);

  /* energies[runs * population] of the current populations; evaluations[runs] since the start. */
  bt_status (*read_energies)(bt_backend_job *job, float *energies, int64_t *evaluations, bt_error *opt_error);
  /* Genes of one individual, [BT_GENES]. */
  bt_status (*read_genes)(bt_backend_job *job, int run, int individual, float *genes, bt_error *opt_error);

  /* Energy, and gene gradient [count * BT_DOFS] if asked for, of genes[count * BT_GENES]. */
  bt_status (*evaluate)(bt_backend_job *job, int count, const float *genes, float *energies, float *opt_gradients,
                        bt_error *opt_error);
  /* The job's local search from genes[count * BT_GENES], in place; run 0, generation 0. */
  bt_status (*local_search)(bt_backend_job *job, int count, float *genes, float *energies, int64_t *ret_evaluations,
                            bt_error *opt_error);
} bt_backend;

/* registry.c: all back ends of this build, usable or not (describe says why not). */
int bt_backend_count(void);
const bt_backend *bt_backend_get(int index);
/* By name ("cpu", "cpu/avx2"); NULL or "auto": the first usable one, best first. */
bt_status bt_backend_find(const char *opt_name, const bt_backend **ret_backend, bt_error *opt_error) BT_MUST_USE;

#endif
