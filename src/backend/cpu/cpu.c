/* cpu.c - the CPU back end: threads over chunks of individuals of all runs of all ligands.
 *
 * Within a generation every individual is independent (its random numbers are keyed by run, generation and
 * individual), so threads take chunks in any order and the result does not depend on how many there are. A thread
 * that finds no more work in one ligand goes on to the next: it waits for the others once per step, not per ligand.
 */
#include "backend/cpu/cpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/cpu/isa.h"
#include "backend/cpu/job.h"
#include "backend/cpu/runtime.h"
#include "base/threads.h"

struct bt_backend_job {
  const bt_cpu_kernels *kernels;
  int threads, count;
  bt_cpu_job *ligands;   /* [count] */
  float *scratch;        /* [threads] pieces of scratch_floats, 64-byte aligned */
  size_t scratch_floats; /* enough for each ligand */
};

static void job_destroy(bt_backend_job *job) {
  if (job == NULL) return;
  for (int l = 0; job->ligands != NULL && l < job->count; l++) bt_cpu_job_close(&job->ligands[l]);
  free(job->ligands);
  free(job->scratch);
  free(job);
}

/* Several ligands at once are a convenience: they shall not drive the machine out of memory. */
static bt_status check_memory(const bt_job_ligand *ligands, int count, size_t memory, bt_error *opt_error) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  size_t limit = memory > 0 ? memory : pages > 0 && page > 0 ? (size_t)pages / 4 * (size_t)page : SIZE_MAX, bytes = 0;
  for (int l = 0; l < count; l++) bytes += bt_cpu_maps_bytes(ligands[l].data);
  if (count <= 1 || bytes <= limit) return BT_OK;
  return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "dock fewer ligands at once",
                 "folded maps of %d ligands take %zu MB of %zu", count, bytes >> 20, limit >> 20);
}

static bt_status job_fill(bt_backend_job *job, const bt_job_ligand *ligands, int count, bt_error *opt_error) {
  job->ligands = calloc((size_t)count, sizeof *job->ligands);
  if (job->ligands == NULL) return bt_fail_memory(opt_error);
  for (job->count = 0; job->count < count;) {
    const bt_job_ligand *from = &ligands[job->count];
    size_t scratch = job->kernels->scratch_floats(from->data);
    if (scratch > job->scratch_floats) job->scratch_floats = scratch;
    BT_TRY(bt_cpu_job_open(&job->ligands[job->count++], job->kernels, from->data, from->parameters, opt_error));
  }
  /* 16 floats of padding keep each thread's piece on cache lines of its own */
  job->scratch_floats = (job->scratch_floats + 31) / 16 * 16;
  size_t bytes = job->scratch_floats * (size_t)job->threads * sizeof(float);
  if (posix_memalign((void **)&job->scratch, 64, bytes) != 0) job->scratch = NULL;
  return job->scratch != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* Runs one kernel of the ligands [first, end) on all threads. */
typedef struct launch {
  bt_backend_job *job;
  void (*kernel)(bt_cpu_job *, float *);
  int first, end;
  const bool *opt_active;
} launch;

static void launch_thread(void *context, int thread) {
  const launch *what = context;
  bt_backend_job *job = what->job;
  for (int l = what->first; l < what->end; l++)
    if (what->opt_active == NULL || what->opt_active[l])
      what->kernel(&job->ligands[l], job->scratch + job->scratch_floats * (size_t)thread);
}

static void launch_kernel(launch what) {
  for (int l = what.first; l < what.end; l++) atomic_store(&what.job->ligands[l].next, 0);
  bt_parallel(what.job->threads, launch_thread, &what);
}

static void launch_all(bt_backend_job *job, void (*kernel)(bt_cpu_job *, float *), const bool *opt_active) {
  launch_kernel((launch){job, kernel, 0, job->count, opt_active});
}

static void launch_one(bt_backend_job *job, void (*kernel)(bt_cpu_job *, float *), int ligand) {
  launch_kernel((launch){job, kernel, ligand, ligand + 1, NULL});
}

static bt_status job_create(const bt_backend *backend, const bt_job_ligand *ligands, int count,
                            const bt_job_options *options, bt_backend_job **ret_job, bt_error *opt_error) {
  if (options->team > 1)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "leave the team out, or choose a GPU",
                   "a pose is one vector lane of a CPU; teams of %d are for GPUs", options->team);
  if (options->reduction > BT_REDUCTION_SIMT)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "leave the reduction out, or choose a GPU",
                   "a CPU has nothing to reduce on tensor cores");
  BT_TRY(check_memory(ligands, count, options->memory, opt_error));
  bt_backend_job *job = calloc(1, sizeof *job);
  if (job == NULL) return bt_fail_memory(opt_error);
  job->kernels = bt_cpu_isa_kernels(backend->device);
  job->threads = options->threads > 0 ? options->threads : bt_thread_count_default();
  bt_status status = job_fill(job, ligands, count, opt_error);
  if (status != BT_OK) {
    job_destroy(job);
    return status;
  }
  launch_all(job, job->kernels->fold, NULL);
  *ret_job = job;
  return BT_OK;
}

static bt_status initialize(bt_backend_job *job, bt_error *opt_error) {
  (void)opt_error;
  for (int l = 0; l < job->count; l++) {
    bt_cpu_job *ligand = &job->ligands[l];
    memset(ligand->evaluations, 0, (size_t)ligand->parameters->runs * sizeof *ligand->evaluations);
  }
  launch_all(job, job->kernels->initial, NULL);
  for (int l = 0; l < job->count; l++) bt_cpu_job_count(&job->ligands[l]);
  return BT_OK;
}

static bt_status generation(bt_backend_job *job, uint32_t number, const bool *opt_active, bt_error *opt_error) {
  (void)opt_error;
  bool search = false;
  for (int l = 0; l < job->count; l++) {
    if (opt_active != NULL && !opt_active[l]) continue;
    job->ligands[l].generation = number;
    job->kernels->prepare(&job->ligands[l]);
    job->kernels->choose(&job->ligands[l]);
    search = search || job->ligands[l].n_tasks > 0;
  }
  launch_all(job, job->kernels->offspring, opt_active);
  if (search) launch_all(job, job->kernels->local_search, opt_active);
  for (int l = 0; l < job->count; l++) {
    if (opt_active != NULL && !opt_active[l]) continue;
    bt_cpu_job_swap(&job->ligands[l]);
    bt_cpu_job_count(&job->ligands[l]);
  }
  return BT_OK;
}

static size_t slots_of(const bt_cpu_job *ligand) {
  return (size_t)ligand->parameters->runs * (size_t)ligand->parameters->population;
}

static bt_status read_progress(bt_backend_job *job, bt_job_progress *progress, bt_error *opt_error) {
  (void)opt_error;
  for (int l = 0; l < job->count; l++) {
    const bt_cpu_job *ligand = &job->ligands[l];
    bt_job_progress *to = &progress[l];
    *to = (bt_job_progress){.best_energy = ligand->energies[0]};
    for (int run = 0; run < ligand->parameters->runs; run++) to->evaluations += ligand->evaluations[run];
    for (size_t s = 1; s < slots_of(ligand); s++)
      if (ligand->energies[s] < to->best_energy || isnan(to->best_energy)) to->best_energy = ligand->energies[s];
  }
  return BT_OK;
}

static bt_status read_energies(bt_backend_job *job, int ligand, float *energies, int64_t *evaluations,
                               bt_error *opt_error) {
  (void)opt_error;
  const bt_cpu_job *from = &job->ligands[ligand];
  memcpy(energies, from->energies, slots_of(from) * sizeof(float));
  memcpy(evaluations, from->evaluations, (size_t)from->parameters->runs * sizeof(int64_t));
  return BT_OK;
}

static bt_status read_genes(bt_backend_job *job, int ligand, float *genes, bt_error *opt_error) {
  (void)opt_error;
  const bt_cpu_job *from = &job->ligands[ligand];
  memcpy(genes, from->genes, slots_of(from) * (size_t)BT_GENES(from->data->sizes.n_torsions) * sizeof(float));
  return BT_OK;
}

static bt_status evaluate(bt_backend_job *job, int ligand, int count, const float *genes, float *energies,
                          float *opt_gradients, bt_error *opt_error) {
  (void)opt_error;
  bt_cpu_job *cpu = &job->ligands[ligand];
  cpu->evaluate_count = count;
  cpu->evaluate_genes = genes;
  cpu->evaluate_energies = energies;
  cpu->opt_evaluate_gradients = opt_gradients;
  launch_one(job, job->kernels->evaluate, ligand);
  return BT_OK;
}

static bt_status local_search(bt_backend_job *job, int ligand, int count, float *genes, float *energies,
                              int64_t *ret_evaluations, bt_error *opt_error) {
  bt_cpu_job *cpu = &job->ligands[ligand];
  if ((size_t)count > slots_of(cpu))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a larger population", "too many poses for one search");
  size_t n_genes = (size_t)BT_GENES(cpu->data->sizes.n_torsions);
  BT_TRY(evaluate(job, ligand, count, genes, energies, NULL, opt_error));
  memcpy(cpu->next_genes, genes, (size_t)count * n_genes * sizeof(float));
  memcpy(cpu->next_energies, energies, (size_t)count * sizeof(float));
  cpu->generation = 0;
  cpu->n_tasks = count;
  for (int i = 0; i < count; i++) {
    cpu->tasks[i] = (bt_cpu_task){0, i};
    cpu->costs[i] = 1;
  }
  if (cpu->parameters->local_search != BT_KERNEL_LS_NONE) launch_one(job, job->kernels->local_search, ligand);
  memcpy(genes, cpu->next_genes, (size_t)count * n_genes * sizeof(float));
  memcpy(energies, cpu->next_energies, (size_t)count * sizeof(float));
  *ret_evaluations = 0;
  for (int i = 0; i < count; i++) {
    *ret_evaluations += cpu->costs[i];
    cpu->costs[i] = 0;
  }
  return BT_OK;
}

static bt_status draw(bt_backend_job *job, int ligand, unsigned int purpose, unsigned int run, unsigned int number,
                      unsigned int step, int count, uint32_t *words, bt_error *opt_error) {
  (void)opt_error;
  job->kernels->draw(job->ligands[ligand].parameters, purpose, run, number, step, count, words);
  return BT_OK;
}

#define CPU_BACKEND(isa, index)                                                                                \
  {                                                                                                            \
    .name = "cpu/" #isa, .runtime = &bt_runtime_cpu, .device = index, .describe = bt_cpu_isa_describe, .job_create = job_create,           \
    .job_destroy = job_destroy, .initialize = initialize, .generation = generation,                            \
    .read_progress = read_progress, .read_energies = read_energies, .read_genes = read_genes,                  \
    .evaluate = evaluate, .local_search = local_search, .draw = draw                                           \
  }

static const bt_backend backend_table[] = {
#define CPU_BACKEND_LINE(isa, index, description) CPU_BACKEND(isa, index),
    BT_CPU_ISAS(CPU_BACKEND_LINE)
#undef CPU_BACKEND_LINE
};

int bt_cpu_backend_count(void) { return (int)(sizeof backend_table / sizeof backend_table[0]); }

const bt_backend *bt_cpu_backend_get(int index) { return &backend_table[index]; }
