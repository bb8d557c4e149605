/* evals.c - `berth bench evals`: microseconds per evaluation, with evaluations validated first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/joules.h"
#include "bench/bench.h"
#include "bench/common/job.h"
#include "bench/common/output.h"
#include "dock/device.h"
#include "engine/lga/device/devices.h"

/* Poses that are checked and timed; every second one is near the input pose, as at the end of a search. A GPU gets as
 * many times BATCH as keep it busy. */
enum { BATCH = 960, CHECKED = 192, REPEATS = 15, LARGEST_POSES = 1 << 18, GPU_RUNS = 100, RUNS = 4 };

/* Local search methods, each timed in a docking. */
enum { METHODS = 3 };
static const struct {
  bt_local_search method;
  const char *name;
} methods[METHODS] = {{BT_LS_SOLIS_WETS, "Solis-Wets"}, {BT_LS_ADAM, "ADAM"}, {BT_LS_ADADELTA, "ADADELTA"}};

typedef struct bench_state {
  const char *fld, *ligand;
  cli_device_request device;
  bench_output output;
  bt_dock_options search;
  bench_case of;
  bench_job job;
  bench_subject subject;
  bool processor; /* Berth's CPU kernels on one thread, in CPU time of the process; else a GPU, in wall-clock time */
  int poses;
  float *genes, *energies, *gradients; /* [poses] */
  bool valid;
  bench_deviation worst;
  double energy, gradient, docking[METHODS]; /* microseconds per evaluation */
  int64_t evaluations[METHODS];
  bt_joules joules[METHODS]; /* of each timed docking */
} bench_state;

static double seconds(const bench_state *s) {
  if (!s->processor) return bt_seconds();
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Random individuals as in a first population, half of them moved close to the input pose. */
static bt_status make_poses(bench_state *s, bt_error *opt_error) {
  bench_job *j = &s->job;
  j->options.runs = s->poses / BATCH;
  j->options.population = BATCH;
  j->options.local_search = BT_LS_NONE;
  BT_TRY(bench_job_start(j, opt_error));
  j->options.runs = s->search.runs;
  j->options.population = s->search.population;
  BT_TRY(bt_job_initialize(j->job, opt_error));
  BT_TRY(bt_job_read_genes(j->job, 0, s->genes, opt_error));
  bt_genotype input;
  BT_TRY(bt_genotype_create(j->data->ligand->n_torsions, &input, opt_error));
  bt_genotype_identity(j->data->ligand, &input);
  float *near = s->gradients; /* unused until later, and large enough */
  bt_genotype_to_genes(j->data, &input, near);
  bt_genotype_destroy(&input);
  for (int i = 1; i < s->poses; i += 2) {
    float *pose = s->genes + (size_t)i * j->n_genes, *q = pose + BT_GENE_QUATERNION, norm = 0;
    for (size_t k = 0; k < j->n_genes; k++) pose[k] = near[k] + 0.01f * (k < 3 ? fmodf(pose[k], 10.0f) : pose[k]);
    for (int k = 0; k < 4; k++) norm += q[k] * q[k];
    for (int k = 0; k < 4; k++) q[k] /= sqrtf(norm);
  }
  return BT_OK;
}

/* The shortest of several repetitions, microseconds per pose. */
static bt_status time_evaluate(bench_state *s, float *opt_gradients, double *ret_microseconds, bt_error *opt_error) {
  const bench_job *j = &s->job;
  *ret_microseconds = INFINITY;
  for (int r = 0; r < REPEATS; r++) {
    double start = seconds(s);
    BT_TRY(bt_job_evaluate(j->job, 0, s->poses, s->genes, s->energies, opt_gradients, opt_error));
    *ret_microseconds = fmin(*ret_microseconds, 1e6 * (seconds(s) - start) / s->poses);
  }
  return BT_OK;
}

static bt_status time_docking(bench_state *s, int m, bt_error *opt_error) {
  bench_job *j = &s->job;
  j->options.local_search = methods[m].method;
  BT_TRY(bench_job_start(j, opt_error));
  /* kernels of a GPU are loaded when first used */
  if (!s->processor) BT_TRY(bench_job_dock(j, 1, &s->evaluations[m], opt_error));
  bt_joule_meter *meter = bt_joule_meter_open();
  double start = seconds(s);
  bt_status status = bench_job_dock(j, s->search.evaluations * s->search.runs, &s->evaluations[m], opt_error);
  s->docking[m] = 1e6 * (seconds(s) - start) / (double)s->evaluations[m];
  s->joules[m] = bt_joule_meter_read(meter, (const char *[]){s->subject.device}, 1);
  bt_joule_meter_close(meter);
  return status;
}

/* auto is the CPU. */
static bt_status choose_device(bench_state *s, bt_error *opt_error) {
  const bt_backend *backend;
  BT_TRY(bt_device_single(s->search.opt_device, s->search.opt_isa, &backend, opt_error));
  bt_device_info info = bt_device_describe(backend);
  s->processor = strncmp(backend->name, "cpu/", 4) == 0;
  s->poses = s->processor ? BATCH : (info.poses / BATCH + 1) * BATCH;
  if (s->poses > LARGEST_POSES) s->poses = LARGEST_POSES / BATCH * BATCH;
  if (s->search.runs == 0) s->search.runs = info.accelerator ? GPU_RUNS : RUNS;
  s->job = (bench_job){.of = &s->of, .options = s->search, .bare = true};
  s->job.options.opt_device = backend->name;
  s->job.options.opt_isa = NULL;
  s->job.options.threads = 1;
  return bench_job_find(&s->job, &s->subject, opt_error);
}

static bt_status measure(bench_state *s, bt_error *opt_error) {
  bench_job *j = &s->job;
  size_t poses = (size_t)s->poses;
  BT_TRY(bench_job_open(j, opt_error));
  s->genes = bench_keep(poses * j->n_genes, sizeof *s->genes);
  s->energies = bench_keep(poses, sizeof *s->energies);
  s->gradients = bench_keep(poses * j->n_dofs, sizeof *s->gradients);
  BT_TRY(make_poses(s, opt_error));
  BT_TRY(bench_job_check(j, CHECKED, s->genes, NULL, &s->worst, NULL, opt_error));
  s->valid = s->worst.energy <= 1.0 && s->worst.gradient <= 1.0;
  BT_TRY(time_evaluate(s, NULL, &s->energy, opt_error));
  BT_TRY(time_evaluate(s, s->gradients, &s->gradient, opt_error));
  for (int m = 0; m < METHODS; m++) BT_TRY(time_docking(s, m, opt_error));
  return BT_OK;
}

/* Microjoules per evaluation of the docking, by all counters; NaN without any. */
static double microjoules(const bench_state *s, int m) {
  return 1e6 * bt_joules_sum(s->joules[m]) / (double)s->evaluations[m];
}

static void write_members(bt_json *json, const void *user) {
  const bench_state *s = user;
  const double *us = s->docking, known = s->valid ? 1 : NAN; /* no speed is reported for wrong results */
  bench_json(json, "ligand %s valid %hhd", s->of.name, s->valid);
  bench_subject_json(json, &s->subject);
  bench_json(json, "poses %d runs %d population %d energy_us %g gradient_us %g solis_wets_us %g adam_us %g "
             "adadelta_us %g solis_wets_evaluations %ld adam_evaluations %ld adadelta_evaluations %ld "
             "worst_energy_in_tolerances %g worst_gradient_in_tolerances %g", s->poses, s->search.runs,
             s->search.population, known * s->energy, known * s->gradient, known * us[0], known * us[1], known * us[2],
             s->evaluations[0], s->evaluations[1], s->evaluations[2], s->worst.energy, s->worst.gradient);
  if (s->valid && !isnan(microjoules(s, 0)))
    bench_json(json, "solis_wets_uj %g adam_uj %g adadelta_uj %g", microjoules(s, 0), microjoules(s, 1),
               microjoules(s, 2));
}

static void print_text(const void *user) {
  const bench_state *s = user;
  char cpu[256];
  bench_case_print(&s->of);
  if (s->processor)
    printf("; one thread of %s\n", bt_cpu_name(cpu, sizeof cpu));
  else
    printf("; %d poses on %s\n", s->poses, s->subject.description);
  printf("  %s, commit %s, %s\n", s->subject.device, bt_build_commit(), bt_build_compiler());
  printf("  valid: %s (largest deviation from double precision: energy %.2f, gradient %.2f of the tolerance)\n",
         s->valid ? "yes" : "NO", s->worst.energy, s->worst.gradient);
  if (!s->valid) {
    puts("  no speed is reported if energies are wrong");
    return;
  }
  printf("  energy                 %8.5f us per evaluation\n", s->energy);
  printf("  energy and gradient    %8.5f us per evaluation\n", s->gradient);
  for (int m = 0; m < METHODS; m++) {
    printf("  docking, %-13s %8.5f us per evaluation (%lld evaluations)", methods[m].name, s->docking[m],
           (long long)s->evaluations[m]);
    if (!isnan(microjoules(s, m))) printf(", %.4g uJ per evaluation", microjoules(s, m));
    putchar('\n');
  }
}

static bt_status run(void *user, bt_error *error) {
  bench_state *s = user;
  if (s->fld == NULL || s->ligand == NULL) return bench_refuse(error, "use -r MAPS.fld and -l LIGAND.pdbqt");
  BT_TRY(cli_device_resolve(&s->device, &s->search, error));
  BT_TRY(bench_case_load(s->fld, s->ligand, NULL, 0, &s->of, error));
  BT_TRY(choose_device(s, error));
  BT_TRY(measure(s, error));
  return bench_output_write(&s->output, "evals", s->valid, write_members, print_text, s, error);
}

static const char details[] =
    "Energies and gradients are first compared with double precision; if they are wrong, no speed is\n"
    "reported and the exit code is 3. A CPU is measured on one thread, in CPU time of the\n"
    "process; a GPU as a whole, with more poses, in wall-clock time.";

static const char examples[] =
    "  berth bench evals -r protein.maps.fld -l ligand.pdbqt\n"
    "  berth bench evals -r protein.maps.fld -l ligand.pdbqt --isa avx2 --json\n"
    "  berth bench evals -r protein.maps.fld -l ligand.pdbqt --device cuda --runs 100";

int bench_evals(int argc, char **argv) {
  bench_state state = {.search = bt_dock_options_default()};
  state.search.runs = 0;
  state.search.poses = 1;
  state.search.evaluations = 250000;
  state.search.seed = 1;
  cli_option options[] = {
      {.group = "Input", OPT_STRING("receptor", 'r', &state.fld, "FILE", "AutoGrid maps, .maps.fld")},
      {OPT_STRING("ligand", 'l', &state.ligand, "FILE", "ligand, .pdbqt")},
      {.group = "Benchmark", OPT_INT("runs", 0, &state.search.runs, "N", 1, 10000, "runs of each docking"),
       .opt_default = "4; 100 on a GPU"},
      {OPT_INT("population", 'p', &state.search.population, "N", 2, 1000000, "individuals per run")},
      {OPT_INT64("evals", 0, &state.search.evaluations, "N", 1, 1e12, "evaluations per run of each docking")},
      {OPT_SEED("seed", 0, &state.search.seed, "random seed")},
      BENCH_OUTPUT_OPTIONS(state.output),
      CLI_DEVICE_OPTIONS(state.device),
  };
  cli_spec spec = {"berth bench evals", "microseconds per evaluation of the kernels and of whole dockings",
                   "-r MAPS.fld -l LIGAND.pdbqt [options]", details, examples, CLI_TABLE(options), NULL};
  int exit_code = bench_main(&spec, &state.output, argc, argv, run, &state);
  bench_job_close(&state.job);
  bench_case_free(&state.of);
  return exit_code;
}
