/* ligand.c - one ligand of a CPU job: its populations in memory, and what the host does between launches. */
#include <stdlib.h>

#include "backend/cpu/job.h"

void bt_cpu_job_close(bt_cpu_job *job) {
  free(job->genes);
  free(job->next_genes);
  free(job->energies);
  free(job->next_energies);
  free(job->cumulative);
  free(job->worst);
  free(job->costs);
  free(job->evaluations);
  free(job->tasks);
  free(job->maps);
}

bt_status bt_cpu_job_open(bt_cpu_job *job, const bt_cpu_kernels *kernels, const bt_kernel_data *data,
                          const bt_search_parameters *parameters, bt_error *opt_error) {
  job->data = &job->folded;
  job->parameters = parameters;
  job->kernels = kernels;
  size_t slots = (size_t)parameters->runs * (size_t)parameters->population;
  size_t genes = slots * (size_t)BT_GENES(data->sizes.n_torsions);
  job->genes = calloc(genes, sizeof *job->genes);
  job->next_genes = calloc(genes, sizeof *job->next_genes);
  job->energies = calloc(slots, sizeof *job->energies);
  job->next_energies = calloc(slots, sizeof *job->next_energies);
  job->cumulative = calloc(slots, sizeof *job->cumulative);
  job->worst = calloc((size_t)parameters->runs * BT_SELECTION_WINDOW, sizeof *job->worst);
  job->costs = calloc(slots, sizeof *job->costs);
  job->evaluations = calloc((size_t)parameters->runs, sizeof *job->evaluations);
  job->tasks = calloc(slots, sizeof *job->tasks);
  if (job->genes == NULL || job->next_genes == NULL || job->energies == NULL || job->next_energies == NULL ||
      job->cumulative == NULL || job->worst == NULL || job->costs == NULL || job->evaluations == NULL ||
      job->tasks == NULL)
    return bt_fail_memory(opt_error);
  return bt_cpu_maps_open(data, &job->folded, &job->maps, opt_error);
}

void bt_cpu_job_count(bt_cpu_job *job) {
  int population = job->parameters->population;
  for (int run = 0; run < job->parameters->runs; run++)
    for (int i = 0; i < population; i++) {
      size_t slot = (size_t)run * (size_t)population + (size_t)i;
      job->evaluations[run] += job->costs[slot];
      job->costs[slot] = 0;
    }
}

void bt_cpu_job_swap(bt_cpu_job *job) {
  float *genes = job->genes, *energies = job->energies;
  job->genes = job->next_genes;
  job->energies = job->next_energies;
  job->next_genes = genes;
  job->next_energies = energies;
}
