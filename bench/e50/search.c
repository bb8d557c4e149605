/* search.c - searches one complex with one configuration and records how the energies of its runs fall. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bench/e50/study.h"
#include "results/result.h"
#include "signals/interrupt.h"

/* Smaller improvements, kcal/mol, are rounding errors. */
static const double worth_telling = 0.001;

/* Criteria of success. */
enum { BY_SCORE = 1, BY_RMSD = 2 };

typedef struct observer {
  bench_job job;
  bt_result *reference; /* for its RMSD */
  e50_trace *trace;
  float *genes, *energies; /* [runs * population] individuals */
  double *best;            /* [runs] lowest energy recorded, as the search computed it */
  bench_deviation deviation;
  unsigned char *answered; /* [runs] */
  unsigned wanted;         /* 0: nothing is known of the minimum, only the limit ends the search */
  int done, needed;        /* runs that meet all wanted criteria */
  double target, radius;
} observer;

static void observer_close(observer *o) {
  bench_job_close(&o->job);
  bt_result_destroy(o->reference);
}

static bt_status observer_open(observer *o, const bt_molecule *reference, bt_error *opt_error) {
  bench_job *j = &o->job;
  size_t runs = (size_t)j->options.runs, slots = runs * (size_t)j->options.population;
  bt_dock_options one = j->options;
  one.runs = 1;
  BT_TRY(bench_job_find(j, &o->trace->subject, opt_error));
  BT_TRY(bench_job_open(j, opt_error));
  BT_TRY(bt_result_create(j->of->ligand, j->of->maps, reference, &one, &o->reference, opt_error));
  if (o->reference->reference_xyz == NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "provide the ligand's own pose",
                   "the reference does not match");
  BT_NEW(&j->memory, o->genes, slots * j->n_genes);
  BT_NEW(&j->memory, o->energies, slots);
  BT_NEW(&j->memory, o->best, runs);
  BT_NEW(&j->memory, o->answered, runs);
  BT_TRY(bt_arena_status(&j->memory, opt_error));
  for (size_t run = 0; run < runs; run++) o->best[run] = INFINITY;
  return bench_job_start(j, opt_error);
}

/* The run's best individual, if it improves on the one recorded last; otherwise -1. NaN is never better. */
static int find_improved(const observer *o, int run) {
  int population = o->job.options.population, best = -1;
  const float *energies = o->energies + (size_t)run * (size_t)population;
  for (int i = 0; i < population; i++)
    if ((double)energies[i] < (best < 0 ? o->best[run] - worth_telling : (double)energies[best])) best = i;
  return best;
}

static bt_status note(observer *o, e50_step step, bt_error *opt_error) {
  e50_trace *t = o->trace;
  unsigned now = (step.energy <= o->target ? BY_SCORE : 0u) | (step.rmsd <= o->radius ? BY_RMSD : 0u);
  unsigned char *before = &o->answered[step.run];
  o->done += ((now & o->wanted) == o->wanted) - ((*before & o->wanted) == o->wanted);
  *before = (unsigned char)now;
  if (!BT_GROW(t->steps, &t->capacity, t->n_steps + 1)) return bt_fail_memory(opt_error);
  /* rounded as in the file, so that a trace read back equals one just made */
  step.energy = rint(1e4 * step.energy) / 1e4;
  step.rmsd = rint(1e3 * step.rmsd) / 1e3;
  t->steps[t->n_steps++] = step;
  return BT_OK;
}

static bt_status look(observer *o, bt_error *opt_error) {
  bench_job *j = &o->job;
  BT_TRY(bt_job_read_energies(j->job, 0, o->energies, o->trace->evaluations, opt_error));
  o->trace->total = 0;
  for (int run = 0; run < o->trace->runs; run++) o->trace->total += o->trace->evaluations[run];
  bool read = false;
  for (int run = 0; run < o->trace->runs; run++) {
    int improved = find_improved(o, run);
    if (improved < 0) continue;
    if (!read) BT_TRY(bt_job_read_genes(j->job, 0, o->genes, opt_error));
    read = true;
    size_t slot = (size_t)run * (size_t)j->options.population + (size_t)improved;
    e50_step step = {.run = run, .evaluations = o->trace->evaluations[run]};
    bench_pose_set(&j->pose, j->data, o->genes + slot * j->n_genes);
    BT_TRY(bt_rmsd_distance(o->reference->rmsd, j->pose.xyz, o->reference->reference_xyz, &step.rmsd, opt_error));
    step.energy = j->pose.energy;
    /* two overlapping atoms: the pose is not a success yet */
    bool clash = step.energy >= 0 || bench_pose_nearest(&j->pose) < BENCH_NEAR;
    if (!clash) bench_deviation_add_energy(&j->pose, o->energies[slot], &o->deviation);
    o->best[run] = (double)o->energies[slot];
    BT_TRY(note(o, step, opt_error));
  }
  return BT_OK;
}

/* Runs generation `number`; 0: the first populations. Waits for the device, so that the time includes its work. */
static bt_status advance(const bench_job *j, int64_t number, double *seconds, bt_error *opt_error) {
  bt_job_progress progress;
  double start = bt_seconds();
  if (number == 0)
    BT_TRY(bt_job_initialize(j->job, opt_error));
  else
    BT_TRY(bt_job_generation(j->job, (uint32_t)number, NULL, opt_error));
  BT_TRY(bt_job_read_progress(j->job, &progress, opt_error));
  *seconds += bt_seconds() - start;
  return BT_OK;
}

static bt_status observe(observer *o, bt_error *opt_error) {
  const bt_dock_options *options = &o->job.options;
  e50_trace *t = o->trace;
  /* discarded generations to warm up: kernels are loaded when first used, threads started, pages touched */
  for (int g = 0; g < 2; g++) BT_TRY(advance(&o->job, g, &(double){0}, opt_error));
  BT_TRY(advance(&o->job, 0, &t->docking_seconds, opt_error));
  BT_TRY(look(o, opt_error));
  while (o->wanted == 0 || o->done < o->needed) {
    if (cli_interrupted()) return bt_fail(opt_error, BT_ERR_CANCELLED, (bt_where){0}, "", "the search was stopped");
    if ((double)t->total >= (double)options->evaluations * options->runs || t->generations >= options->generations)
      break;
    BT_TRY(advance(&o->job, ++t->generations, &t->docking_seconds, opt_error));
    BT_TRY(look(o, opt_error));
  }
  return BT_OK;
}

bt_status e50_search(const bench_case *c, const e50_complex *complex, const e50_config *config,
                     const e50_limits *limits, e50_trace *ret_trace, bt_error *opt_error) {
  int runs = config->search.runs;
  *ret_trace = (e50_trace){.runs = runs, .evaluations = bench_keep((size_t)runs, sizeof *ret_trace->evaluations)};
  observer o = {.job = {.of = c, .options = config->search},
                .trace = ret_trace,
                .target = complex->known + limits->window,
                .radius = limits->radius,
                .needed = (int)ceil(limits->enough * runs)};
  if (!isnan(complex->known)) o.wanted = BY_SCORE | (complex->known_rmsd <= limits->radius ? BY_RMSD : 0u);
  double start = bt_seconds();
  bt_status status = observer_open(&o, c->opt_reference, opt_error);
  bt_joule_meter *meter = bt_joule_meter_open();
  if (status == BT_OK) status = observe(&o, opt_error);
  ret_trace->joules = bt_joule_meter_read(meter, (const char *[]){ret_trace->subject.device}, 1);
  bt_joule_meter_close(meter);
  observer_close(&o);
  ret_trace->seconds = bt_seconds() - start;
  ret_trace->worst_energy = o.deviation.energy;
  ret_trace->valid = o.deviation.energy <= 1.0;
  snprintf(ret_trace->commit, sizeof ret_trace->commit, "%s", bt_build_commit());
  return status;
}
