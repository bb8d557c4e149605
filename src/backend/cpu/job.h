/* job.h - the state of one job, shared by the host part and the kernels of each instruction set. */
#ifndef BERTH_BACKEND_CPU_JOB_H
#define BERTH_BACKEND_CPU_JOB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "kernel/ad4/data.h"
#include "kernel/ad4/parameters.h"

/* One individual waiting for its local search. */
typedef struct bt_cpu_task {
  int run, individual;
} bt_cpu_task;

/* One ligand of a job. */
typedef struct bt_cpu_job {
  const bt_kernel_data *data; /* with folded maps: &folded */
  const bt_search_parameters *parameters;
  const struct bt_cpu_kernels *kernels;
  uint32_t generation;
  /* [runs][population] individuals of BT_GENES floats; present and next population change places. */
  float *genes, *next_genes;
  float *energies, *next_energies;
  float *cumulative;   /* [runs][population] shares of the roulette wheel */
  float *worst;        /* [runs][BT_SELECTION_WINDOW] worst energies of the last generations */
  int32_t *costs;      /* [runs][population] evaluations of this generation */
  int64_t *evaluations; /* [runs] */
  bt_cpu_task *tasks;  /* [runs * population] */
  int n_tasks;
  atomic_int next;     /* next chunk or task to take */
  bt_kernel_data folded; /* the caller's data and our maps */
  float *maps;
  /* for the plain evaluate call */
  const float *evaluate_genes;
  float *evaluate_energies, *opt_evaluate_gradients;
  int evaluate_count;
} bt_cpu_job;

/* What one instruction set offers; every function works through shares of the job until none is left. */
typedef struct bt_cpu_kernels {
  int lanes;
  size_t (*scratch_floats)(const bt_kernel_data *data);
  void (*initial)(bt_cpu_job *job, float *scratch);
  void (*offspring)(bt_cpu_job *job, float *scratch);
  void (*local_search)(bt_cpu_job *job, float *scratch);
  void (*evaluate)(bt_cpu_job *job, float *scratch);
  void (*fold)(bt_cpu_job *job, float *scratch);
  /* On one thread. Before offspring: elite, roulette wheel. Before local search: who is searched. */
  void (*prepare)(bt_cpu_job *job);
  void (*choose)(bt_cpu_job *job);
  /* words[4 * count] of individual = 0 .. count - 1 */
  void (*draw)(const bt_search_parameters *parameters, unsigned int purpose, unsigned int run, unsigned int generation,
               unsigned int step, int count, uint32_t *words);
} bt_cpu_kernels;

/* ligand.c: what the host does for one ligand between launches. */

bt_status bt_cpu_job_open(bt_cpu_job *job, const struct bt_cpu_kernels *kernels, const bt_kernel_data *data,
                          const bt_search_parameters *parameters, bt_error *opt_error) BT_MUST_USE;
void bt_cpu_job_close(bt_cpu_job *job);
/* Adds the costs of the last launches to the evaluations. */
void bt_cpu_job_count(bt_cpu_job *job);
/* The next population becomes the present one. */
void bt_cpu_job_swap(bt_cpu_job *job);

/* maps.c: memory and layout of a ligand's folded maps. */

/* Bytes that they take. */
size_t bt_cpu_maps_bytes(const bt_kernel_data *data);
/* Copies data into folded, with room for maps and the strides of their layout; *ret_maps is freed with free(). */
bt_status bt_cpu_maps_open(const bt_kernel_data *data, bt_kernel_data *folded, float **ret_maps,
                           bt_error *opt_error) BT_MUST_USE;

#endif
