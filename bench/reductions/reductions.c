/* reductions.c - `berth bench reductions`: the errors of each reduction on poses of a real search, and measurements on
 * a GPU.
 *
 * The tables of Solis-Vasquez et al. (IA3 2025) for this program. The terms of a team's sums come from the kernels of a
 * GPU (bt_job_study_sums); on the host they are computed from double-precision energies and gradients.
 */
#include "bench/reductions/reductions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "dock/device.h"
#include "engine/lga/device/devices.h"

static const bt_reduction strategies[] = {BT_REDUCTION_SIMT,        BT_REDUCTION_TENSOR_EC,
                                          BT_REDUCTION_TENSOR_FP16, BT_REDUCTION_SEQUENTIAL,
                                          BT_REDUCTION_TWO_STEP_EC, BT_REDUCTION_TWO_STEP_FP16};
static const int teams[] = {64, 128, 256};
enum { STRATEGIES = 6, TEAMS = 3, HOST_TEAM = 64, GENERATIONS = 5 };

typedef struct bench_state {
  const char *fld, *ligand, *opt_reference;
  cli_device_request device;
  bench_output output;
  bt_dock_options search;
  reduction_bench bench;
} bench_state;

bt_reduction reduction_baseline(bt_reduction reduction) {
  return reduction >= BT_REDUCTION_SEQUENTIAL ? BT_REDUCTION_SEQUENTIAL : BT_REDUCTION_SIMT;
}

bool reduction_is_half(bt_reduction reduction) {
  return reduction == BT_REDUCTION_TENSOR_FP16 || reduction == BT_REDUCTION_TWO_STEP_FP16;
}

double reduction_speedup(double fraction, double peak) { return 1.0 / (fraction / peak + 1.0 - fraction); }

/* Vendor's peak of TF32 on tensor cores over that of single precision on CUDA cores; H200 has the ratio of H100. */
static double peak_of(const char *description) {
  static const struct {
    const char *name;
    double ratio;
  } known[] = {{"A100", 8.0}, {"H100", 7.4}, {"H200", 7.4}, {"GH200", 7.4}, {"B200", 15.0}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strstr(description, known[i].name) != NULL) return known[i].ratio;
  return NAN;
}

/* Early poses: a first population. Late ones: the same after some generations with local searches. Always made on the
 * CPU, so that they do not depend on the device. */
static bt_status make_poses(reduction_bench *b, const bt_dock_options *search, bt_error *opt_error) {
  bench_job j = {.of = &b->of, .options = *search, .bare = true, .data = b->job.data};
  for (int side = 0; side < 2; side++) b->genes[side] = bench_keep(REDUCTION_POSES * b->job.n_genes, sizeof(float));
  j.options.runs = 1;
  j.options.population = REDUCTION_POSES;
  j.options.local_search = BT_LS_ADADELTA;
  j.options.team = 0;
  j.options.reduction = BT_REDUCTION_AUTO;
  BT_TRY(bt_device_single("cpu", j.options.opt_isa, &j.backend, opt_error));
  BT_TRY(bench_job_start(&j, opt_error));
  bt_status status = bt_job_initialize(j.job, opt_error);
  if (status == BT_OK) status = bt_job_read_genes(j.job, 0, b->genes[0], opt_error);
  for (uint32_t g = 1; g <= GENERATIONS && status == BT_OK; g++)
    status = bt_job_generation(j.job, g, NULL, opt_error);
  if (status == BT_OK) status = bt_job_read_genes(j.job, 0, b->genes[1], opt_error);
  bt_job_destroy(j.job);
  return status;
}

/* The terms of a team's sums for the job's pose: each rank has every ranks-th atom in the maps and every ranks-th
 * pair. */
static void host_values(const bench_job *j, const bt_reduction_case *c, bt_atom_energy *atoms, float *values) {
  const bench_pose *p = &j->pose;
  bt_energy energy;
  memset(values, 0, bt_reduction_value_count(c) * sizeof *values);
  bt_score_coordinates(j->scorer, p->xyz, &energy, atoms);
  for (int k = 0; k < c->n_atoms; k++) {
    int i = j->data->order[k];
    float g[3], r[3], *to = values + c->ranks + 6 * (size_t)k;
    values[k % c->ranks] += (float)(atoms[i].vdw_hbond + atoms[i].electrostatic + atoms[i].desolvation);
    for (size_t d = 0; d < 3; d++) {
      g[d] = to[d] = (float)p->atom_gradient[3 * (size_t)i + d];
      r[d] = (float)(p->xyz[3 * (size_t)i + d] - p->genotype.position[d]);
    }
    for (int d = 0; d < 3; d++) {
      int u = (d + 1) % 3, v = (d + 2) % 3;
      to[3 + d] = fmaf(r[u], g[v], -(r[v] * g[u]));
    }
  }
  for (int k = 0; k < j->data->ligand->n_pairs; k++) {
    bt_pair_energy pair = bt_score_pair(j->scorer, p->xyz, k);
    values[k % c->ranks] += (float)(pair.vdw + pair.hbond + pair.electrostatic + pair.desolvation);
  }
}

/* Rows computed on the host, which have errors only. */
static void host_rows(reduction_bench *b) {
  bench_job *j = &b->job;
  bt_reduction_case c = reduction_case_of(b, HOST_TEAM);
  reduction_errors tally[2][STRATEGIES];
  memset(tally, 0, sizeof tally);
  BT_SCOPED float *values = bench_allocate(bt_reduction_value_count(&c) + bt_reduction_sum_count(&c), sizeof *values);
  float *sums = values + bt_reduction_value_count(&c);
  BT_SCOPED bt_atom_energy *atoms = bench_allocate((size_t)c.n_atoms, sizeof *atoms);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < REDUCTION_POSES; i++) {
      bench_pose_set(&j->pose, j->data, b->genes[side] + i * j->n_genes);
      host_values(j, &c, atoms, values);
      for (int s = 0; s < STRATEGIES; s++) {
        bt_reduction_model(strategies[s], &c, values, sums);
        reduction_errors_add(&j->pose, &c, values, sums, NULL, &tally[side][s]);
      }
    }
  for (int s = 0; s < STRATEGIES; s++)
    b->rows[b->n_rows++] = (reduction_row){.reduction = strategies[s],
                                           .team = HOST_TEAM,
                                           .early = reduction_errors_mean(tally[0][s]),
                                           .late = reduction_errors_mean(tally[1][s]),
                                           .fraction = NAN,
                                           .cycles = NAN};
  for (int r = 0; r < b->n_rows; r++) {
    reduction_row *row = &b->rows[r];
    row->valid = reduction_sums_hold(&row->early) && reduction_sums_hold(&row->late);
    if (!row->valid && !reduction_is_half(row->reduction)) b->valid = false;
  }
}

/* Counts runs within 1 kcal/mol of the best energy of any row. */
static void count_successes(reduction_bench *b) {
  double best = INFINITY;
  for (int r = 0; r < b->n_rows; r++)
    for (int k = 0; k < b->rows[r].runs; k++) best = fmin(best, b->rows[r].energies[k]);
  for (int r = 0; r < b->n_rows; r++)
    for (int k = 0; k < b->rows[r].runs; k++) b->rows[r].successes += b->rows[r].energies[k] <= best + 1.0;
}

static bt_status device_rows(reduction_bench *b, const bt_dock_options *search, bt_error *opt_error) {
  for (int k = 0; k < TEAMS * STRATEGIES; k++) {
    int team = teams[k / STRATEGIES];
    bt_reduction strategy = strategies[k % STRATEGIES];
    if (search->team != 0 && search->team != team) continue;
    if (search->reduction != BT_REDUCTION_AUTO && search->reduction != strategy &&
        strategy != reduction_baseline(search->reduction))
      continue;
    reduction_row *row = &b->rows[b->n_rows++];
    *row = (reduction_row){.reduction = strategy, .team = team, .fraction = NAN, .cycles = NAN};
    BT_TRY(reduction_measure(b, row, opt_error));
    if (row->measured && !row->valid && !reduction_is_half(strategy)) b->valid = false;
  }
  count_successes(b);
  return BT_OK;
}

/* Chooses the device, or the reason why nothing can be measured. */
static bt_status choose_device(reduction_bench *b, bt_error *opt_error) {
  const char *name = b->job.options.opt_device;
  if (name == NULL || strcmp(name, "auto") == 0) b->job.options.opt_isa = NULL; /* only for making the poses */
  BT_TRY(bench_job_find(&b->job, &b->subject, opt_error));
  bt_device_info info = bt_device_describe(b->job.backend);
  b->peak = peak_of(info.description);
  if (!info.accelerator)
    snprintf(b->reason, sizeof b->reason,
             "%s has no tensor cores: errors are computed on the host, and nothing is timed", info.name);
  else if ((info.reductions & (1u << BT_REDUCTION_TENSOR_EC)) == 0)
    snprintf(
        b->reason, sizeof b->reason,
        "this build has no kernels for tensor cores on %s (they need CUDA and sm_80 or newer): errors are computed "
        "on the host",
        info.name);
  return BT_OK;
}

static bt_status run(void *user, bt_error *error) {
  bench_state *state = user;
  reduction_bench *b = &state->bench;
  const bt_dock_options *search = &state->search;
  if (state->fld == NULL || state->ligand == NULL) return bench_refuse(error, "use -m MAPS.fld and -l LIGAND.pdbqt");
  BT_TRY(cli_device_resolve(&state->device, &state->search, error));
  BT_TRY(bench_case_load(state->fld, state->ligand, NULL, 0, &b->of, error));
  if (state->opt_reference != NULL)
    BT_TRY(bench_molecule_read(state->opt_reference, NULL, BT_MOLECULE_LIGAND, &b->of.opt_reference, error));
  if (search->team != 0 && search->team != 64 && search->team != 128 && search->team != 256)
    return bt_fail(error, BT_ERR_USAGE, (bt_where){0}, "use 64, 128 or 256, or leave it out",
                   "reductions are compared in teams of 64, 128 and 256 lanes, not %d", search->team);
  b->job = (bench_job){.of = &b->of, .options = *search, .bare = true};
  b->valid = true;
  BT_TRY(choose_device(b, error));
  BT_TRY(bench_job_open(&b->job, error));
  BT_TRY(make_poses(b, search, error));
  host_rows(b);
  if (b->reason[0] == '\0') BT_TRY(device_rows(b, search, error));
  return bench_output_write(&state->output, "reductions", b->valid, reduction_members, reduction_print, b, error);
}

static const char details[] =
    "Sums by shuffles (simt), and on tensor cores with (tensor-ec) and without (tensor-fp16) error\n"
    "correction, on poses of ADADELTA searches, in teams of 64, 128 and 256 lanes. As in the papers,\n"
    "AutoDock-GPU's seven sums are also computed one after the other (sequential), and by two matrix\n"
    "products with (two-step-ec) and without (two-step-fp16) error correction. Without a GPU that has\n"
    "tensor cores the errors are computed on the host, rounding by rounding. Invalid results have no\n"
    "time; the exit code is 3 if a strategy other than those in half precision overflows or is invalid.";

static const char examples[] =
    "  berth bench reductions -m protein.maps.fld -l ligand.pdbqt\n"
    "  berth bench reductions -m protein.maps.fld -l ligand.pdbqt --device cuda:0 --json";

int bench_reductions(int argc, char **argv) {
  bench_state state = {.search = bt_dock_options_default(), .bench.repeats = 5};
  state.search.runs = 20;
  state.search.poses = 1;
  state.search.population = 150;
  state.search.evaluations = 1000000;
  state.search.seed = 1;
  cli_option options[] = {
      {.group = "Input", OPT_STRING("maps", 'm', &state.fld, "FILE", "AutoGrid maps, .maps.fld")},
      {OPT_STRING("ligand", 'l', &state.ligand, "FILE", "ligand, .pdbqt")},
      {OPT_STRING("reference", 0, &state.opt_reference, "FILE", "reference pose of the ligand, .pdbqt, for RMSDs")},
      {.group = "Benchmark", OPT_INT("runs", 0, &state.search.runs, "N", 1, 10000, "runs of each docking")},
      {OPT_INT("population", 'p', &state.search.population, "N", 2, 1000000, "individuals per run")},
      {OPT_INT64("evals", 0, &state.search.evaluations, "N", 1, 1e12, "evaluations per run of each docking")},
      {OPT_INT("repeats", 0, &state.bench.repeats, "N", 1, 1000,
       "timed dockings of each kind, with consecutive seeds")},
      {OPT_SEED("seed", 0, &state.search.seed, "random seed")},
      BENCH_OUTPUT_OPTIONS(state.output),
      CLI_DEVICE_OPTIONS(state.device),
  };
  cli_spec spec = {"berth bench reductions", "errors, cycles and times of reductions across GPU lanes",
                   "-m MAPS.fld -l LIGAND.pdbqt [options]", details, examples, CLI_TABLE(options), NULL};
  int exit_code = bench_main(&spec, &state.output, argc, argv, run, &state);
  bench_job_close(&state.bench.job);
  bench_case_free(&state.bench.of);
  return exit_code;
}
