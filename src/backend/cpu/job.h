/* job.h - the state of one job, shared by the host part (cpu.c) and the kernels of each instruction set. */
#ifndef BERTH_BACKEND_CPU_JOB_H
#define BERTH_BACKEND_CPU_JOB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/data.h"
#include "kernel/parameters.h"

/* One individual waiting for its local search. */
typedef struct bt_cpu_task {
  int run, individual;
} bt_cpu_task;

typedef struct bt_cpu_job {
  const bt_kernel_data *data;
  const bt_search_parameters *parameters;
  const struct bt_cpu_kernels *kernels;
  int threads;
  uint32_t generation;
  /* [runs][population] individuals of BT_GENES floats; present and next population change places. */
  float *genes, *next_genes;
  float *energies, *next_energies;
  float *cumulative;   /* [runs][population] shares of the roulette wheel */
  double *worst;       /* [runs][window] worst energies of the last generations */
  int32_t *costs;      /* [runs][population] evaluations of this generation */
  int64_t *evaluations; /* [runs] */
  bt_cpu_task *tasks;  /* [runs * population] */
  int n_tasks;
  atomic_int next;     /* next chunk or task to take */
  float *scratch;      /* [threads] pieces of scratch_floats, 64-byte aligned */
  size_t scratch_floats;
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
  float (*uniform)(const bt_search_parameters *parameters, unsigned int purpose, unsigned int run,
                   unsigned int generation, unsigned int individual, unsigned int step);
} bt_cpu_kernels;

#endif
