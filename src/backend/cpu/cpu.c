/* cpu.c - the CPU back end: populations in memory, threads over chunks of individuals of all runs.
 *
 * Within a generation every individual is independent (its random numbers are keyed by run, generation and
 * individual), so threads take chunks in any order and the result does not depend on how many there are.
 */
#include "backend/cpu/cpu.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/job.h"
#include "base/threads.h"

/* Numbers of philox.h that the host draws itself. */
enum { DRAW_LOCAL_SUBSET = 6 };
/* Generations whose worst energies set the scale of proportional selection, as in AutoDock 4. */
enum { SELECTION_WINDOW = 10 };

extern const bt_cpu_kernels bt_cpu_kernels_scalar;
#if defined(__x86_64__)
extern const bt_cpu_kernels bt_cpu_kernels_sse2, bt_cpu_kernels_avx2, bt_cpu_kernels_avx512;
#elif defined(__aarch64__)
extern const bt_cpu_kernels bt_cpu_kernels_neon;
#endif

struct bt_backend_job {
  bt_cpu_job cpu;
};

static void job_destroy(bt_backend_job *job) {
  if (job == NULL) return;
  free(job->cpu.genes);
  free(job->cpu.next_genes);
  free(job->cpu.energies);
  free(job->cpu.next_energies);
  free(job->cpu.cumulative);
  free(job->cpu.worst);
  free(job->cpu.costs);
  free(job->cpu.evaluations);
  free(job->cpu.tasks);
  free(job->cpu.scratch);
  free(job);
}

static const bt_cpu_kernels *kernels_of(const bt_backend *backend);

static bt_status job_create(const bt_backend *backend, const bt_kernel_data *data,
                            const bt_search_parameters *parameters, int threads, bt_backend_job **ret_job,
                            bt_error *opt_error) {
  bt_backend_job *job = calloc(1, sizeof *job);
  if (job == NULL) return bt_fail_memory(opt_error);
  bt_cpu_job *cpu = &job->cpu;
  cpu->data = data;
  cpu->parameters = parameters;
  cpu->kernels = kernels_of(backend);
  cpu->threads = threads > 0 ? threads : bt_thread_count_default();
  size_t slots = (size_t)parameters->runs * (size_t)parameters->population;
  size_t genes = slots * (size_t)BT_GENES(data->n_torsions);
  cpu->genes = calloc(genes, sizeof *cpu->genes);
  cpu->next_genes = calloc(genes, sizeof *cpu->next_genes);
  cpu->energies = calloc(slots, sizeof *cpu->energies);
  cpu->next_energies = calloc(slots, sizeof *cpu->next_energies);
  cpu->cumulative = calloc(slots, sizeof *cpu->cumulative);
  cpu->worst = calloc((size_t)parameters->runs * SELECTION_WINDOW, sizeof *cpu->worst);
  cpu->costs = calloc(slots, sizeof *cpu->costs);
  cpu->evaluations = calloc((size_t)parameters->runs, sizeof *cpu->evaluations);
  cpu->tasks = calloc(slots, sizeof *cpu->tasks);
  /* 16 floats of padding keep each thread's piece on cache lines of its own */
  cpu->scratch_floats = (cpu->kernels->scratch_floats(data) + 31) / 16 * 16;
  size_t scratch = cpu->scratch_floats * (size_t)cpu->threads * sizeof(float);
  if (posix_memalign((void **)&cpu->scratch, 64, scratch) != 0) cpu->scratch = NULL;
  if (cpu->genes == NULL || cpu->next_genes == NULL || cpu->energies == NULL || cpu->next_energies == NULL ||
      cpu->cumulative == NULL || cpu->worst == NULL || cpu->costs == NULL || cpu->evaluations == NULL ||
      cpu->tasks == NULL || cpu->scratch == NULL) {
    job_destroy(job);
    return bt_fail_memory(opt_error);
  }
  *ret_job = job;
  return BT_OK;
}

/* Runs one kernel on all threads. */
typedef struct launch {
  bt_cpu_job *job;
  void (*kernel)(bt_cpu_job *, float *);
} launch;

static void launch_thread(void *context, int thread) {
  launch *what = context;
  what->kernel(what->job, what->job->scratch + what->job->scratch_floats * (size_t)thread);
}

static void launch_kernel(bt_cpu_job *job, void (*kernel)(bt_cpu_job *, float *)) {
  launch what = {job, kernel};
  atomic_store(&job->next, 0);
  bt_parallel(job->threads, launch_thread, &what);
}

static void add_costs(bt_cpu_job *job) {
  int population = job->parameters->population;
  for (int run = 0; run < job->parameters->runs; run++)
    for (int i = 0; i < population; i++) {
      size_t slot = (size_t)run * (size_t)population + (size_t)i;
      job->evaluations[run] += job->costs[slot];
      job->costs[slot] = 0;
    }
}

static bt_status initialize(bt_backend_job *job, bt_error *opt_error) {
  (void)opt_error;
  bt_cpu_job *cpu = &job->cpu;
  memset(cpu->evaluations, 0, (size_t)cpu->parameters->runs * sizeof *cpu->evaluations);
  for (int k = 0; k < cpu->parameters->runs * SELECTION_WINDOW; k++) cpu->worst[k] = NAN;
  launch_kernel(cpu, cpu->kernels->initial);
  add_costs(cpu);
  return BT_OK;
}

/* Copies the best individuals of each run into the first slots of the next population. */
static void keep_elite(bt_cpu_job *job, int run) {
  int population = job->parameters->population;
  size_t base = (size_t)run * (size_t)population, n_genes = (size_t)BT_GENES(job->data->n_torsions);
  float last = -FLT_MAX;
  int last_index = -1;
  for (int e = 0; e < job->parameters->elitism; e++) {
    int best = -1; /* the lowest (energy, index) above the last one taken */
    for (int i = 0; i < population; i++) {
      float energy = job->energies[base + (size_t)i];
      bool above = energy > last || (energy == last && i > last_index);
      if (above && (best < 0 || energy < job->energies[base + (size_t)best])) best = i;
    }
    if (best < 0) best = 0; /* only when no energy is comparable */
    memcpy(job->next_genes + (base + (size_t)e) * n_genes, job->genes + (base + (size_t)best) * n_genes,
           n_genes * sizeof(float));
    job->next_energies[base + (size_t)e] = job->energies[base + (size_t)best];
    last = job->energies[base + (size_t)best];
    last_index = best;
  }
}

/* AutoDock 4's proportional selection as a roulette wheel: share (W - E), W the mean of the last worst energies. */
static void spin_wheel(bt_cpu_job *job, int run) {
  int population = job->parameters->population;
  size_t base = (size_t)run * (size_t)population;
  const float *energies = job->energies + base;
  double *window = job->worst + (size_t)run * SELECTION_WINDOW;
  double worst = energies[0], sum = 0, total = 0;
  for (int i = 1; i < population; i++) worst = fmax(worst, energies[i]);
  window[job->generation % SELECTION_WINDOW] = worst;
  int filled = 0;
  for (int k = 0; k < SELECTION_WINDOW; k++)
    if (!isnan(window[k])) sum += window[k], filled++;
  double scale = sum / filled;
  for (int i = 0; i < population; i++) total += fmax(0.0, scale - energies[i]);
  double reached = 0;
  for (int i = 0; i < population; i++) {
    reached += total > 0 ? fmax(0.0, scale - energies[i]) / total : 1.0 / population;
    job->cumulative[base + (size_t)i] = (float)reached;
  }
}

/* The individuals that are searched: the first ones (children are exchangeable), the elite with probability rate. */
static void choose_tasks(bt_cpu_job *job) {
  const bt_search_parameters *p = job->parameters;
  int count = (int)floorf(p->local_search_rate * (float)p->population + 0.5f);
  if (p->local_search_rate < 1.0f && count >= p->population) count = p->population - 1;
  if (count > p->population) count = p->population;
  job->n_tasks = 0;
  for (int run = 0; run < p->runs; run++)
    for (int i = 0; i < count; i++) {
      bool elite = i == 0 && p->local_search_rate < 1.0f;
      bool replace = elite && job->kernels->uniform(p, DRAW_LOCAL_SUBSET, (unsigned int)run, job->generation, 0, 0) >=
                                  p->local_search_rate;
      job->tasks[job->n_tasks++] = (bt_cpu_task){run, replace ? count : i};
    }
}

static bt_status generation(bt_backend_job *job, uint32_t number, bt_error *opt_error) {
  (void)opt_error;
  bt_cpu_job *cpu = &job->cpu;
  cpu->generation = number;
  for (int run = 0; run < cpu->parameters->runs; run++) {
    keep_elite(cpu, run);
    if (cpu->parameters->selection == BT_KERNEL_SELECT_PROPORTIONAL) spin_wheel(cpu, run);
  }
  launch_kernel(cpu, cpu->kernels->offspring);
  if (cpu->parameters->local_search != BT_KERNEL_LS_NONE) {
    choose_tasks(cpu);
    launch_kernel(cpu, cpu->kernels->local_search);
  }
  float *genes = cpu->genes, *energies = cpu->energies;
  cpu->genes = cpu->next_genes;
  cpu->energies = cpu->next_energies;
  cpu->next_genes = genes;
  cpu->next_energies = energies;
  add_costs(cpu);
  return BT_OK;
}

static bt_status read_energies(bt_backend_job *job, float *energies, int64_t *evaluations, bt_error *opt_error) {
  (void)opt_error;
  const bt_search_parameters *p = job->cpu.parameters;
  memcpy(energies, job->cpu.energies, (size_t)p->runs * (size_t)p->population * sizeof(float));
  memcpy(evaluations, job->cpu.evaluations, (size_t)p->runs * sizeof(int64_t));
  return BT_OK;
}

static bt_status read_genes(bt_backend_job *job, int run, int individual, float *genes, bt_error *opt_error) {
  (void)opt_error;
  size_t n_genes = (size_t)BT_GENES(job->cpu.data->n_torsions);
  size_t slot = (size_t)run * (size_t)job->cpu.parameters->population + (size_t)individual;
  memcpy(genes, job->cpu.genes + slot * n_genes, n_genes * sizeof(float));
  return BT_OK;
}

static bt_status evaluate(bt_backend_job *job, int count, const float *genes, float *energies, float *opt_gradients,
                          bt_error *opt_error) {
  (void)opt_error;
  bt_cpu_job *cpu = &job->cpu;
  cpu->evaluate_count = count;
  cpu->evaluate_genes = genes;
  cpu->evaluate_energies = energies;
  cpu->opt_evaluate_gradients = opt_gradients;
  launch_kernel(cpu, cpu->kernels->evaluate);
  return BT_OK;
}

static bt_status local_search(bt_backend_job *job, int count, float *genes, float *energies, int64_t *ret_evaluations,
                              bt_error *opt_error) {
  bt_cpu_job *cpu = &job->cpu;
  if (count > cpu->parameters->population)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a larger population", "too many poses for one search");
  size_t n_genes = (size_t)BT_GENES(cpu->data->n_torsions);
  BT_TRY(evaluate(job, count, genes, energies, NULL, opt_error));
  memcpy(cpu->next_genes, genes, (size_t)count * n_genes * sizeof(float));
  memcpy(cpu->next_energies, energies, (size_t)count * sizeof(float));
  cpu->generation = 0;
  cpu->n_tasks = count;
  for (int i = 0; i < count; i++) {
    cpu->tasks[i] = (bt_cpu_task){0, i};
    cpu->costs[i] = 1;
  }
  if (cpu->parameters->local_search != BT_KERNEL_LS_NONE) launch_kernel(cpu, cpu->kernels->local_search);
  memcpy(genes, cpu->next_genes, (size_t)count * n_genes * sizeof(float));
  memcpy(energies, cpu->next_energies, (size_t)count * sizeof(float));
  *ret_evaluations = 0;
  for (int i = 0; i < count; i++) {
    *ret_evaluations += cpu->costs[i];
    cpu->costs[i] = 0;
  }
  return BT_OK;
}

/* The instruction sets of this build, best first. */

static const struct isa {
  const char *name, *description;
  const bt_cpu_kernels *kernels;
} isa_table[] = {
#if defined(__x86_64__)
    {"cpu/avx512", "x86-64 with AVX-512 (F, BW, DQ, VL)", &bt_cpu_kernels_avx512},
    {"cpu/avx2", "x86-64 with AVX2 and FMA", &bt_cpu_kernels_avx2},
    {"cpu/sse2", "any x86-64", &bt_cpu_kernels_sse2},
#elif defined(__aarch64__)
    {"cpu/neon", "64-bit Arm with NEON", &bt_cpu_kernels_neon},
#endif
    {"cpu/scalar", "plain C, one pose at a time", &bt_cpu_kernels_scalar},
};

static bool isa_supported(const char *name) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (strcmp(name, "cpu/avx512") == 0)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (strcmp(name, "cpu/avx2") == 0) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  (void)name;
#endif
  return true;
}

static const struct isa *isa_of(const bt_backend *backend) { return &isa_table[backend - bt_cpu_backend_get(0)]; }

static const bt_cpu_kernels *kernels_of(const bt_backend *backend) { return isa_of(backend)->kernels; }

static bt_device_info describe(const bt_backend *backend) {
  const struct isa *isa = isa_of(backend);
  bt_device_info info = {.usable = isa_supported(isa->name), .lanes = isa->kernels->lanes};
  info.threads = bt_thread_count_default();
  snprintf(info.name, sizeof info.name, "%s", isa->name);
  snprintf(info.description, sizeof info.description, "%s", isa->description);
  if (!info.usable) snprintf(info.reason, sizeof info.reason, "this processor lacks the instructions");
  return info;
}

#define CPU_BACKEND(isa)                                                                                      \
  {                                                                                                           \
    .name = "cpu/" #isa, .describe = describe, .job_create = job_create, .job_destroy = job_destroy,          \
    .initialize = initialize, .generation = generation, .read_energies = read_energies,                       \
    .read_genes = read_genes, .evaluate = evaluate, .local_search = local_search                              \
  }

static const bt_backend backend_table[] = {
#if defined(__x86_64__)
    CPU_BACKEND(avx512), CPU_BACKEND(avx2), CPU_BACKEND(sse2),
#elif defined(__aarch64__)
    CPU_BACKEND(neon),
#endif
    CPU_BACKEND(scalar),
};

int bt_cpu_backend_count(void) { return (int)(sizeof backend_table / sizeof backend_table[0]); }

const bt_backend *bt_cpu_backend_get(int index) { return &backend_table[index]; }
