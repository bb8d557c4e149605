/* networks.c - `berth bench networks`: milliseconds per pose of convolutional networks, validated first. */
#include <berth/berth.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "bench/bench.h"
#include "bench/common/output.h"
#include "kernel/cnn/launch.h"
#include "rescore/cnn/ensemble.h"

enum { REPEATS = 5 };

static const char *const kinds[BT_CNN_KINDS] = {"single precision", "TF32, three products", "BF16, three products", "TF32",
                                                "FP16"};
/* Largest deviation of a score from double precision with which a kind is valid. */
static const double tolerances[BT_CNN_KINDS] = {1e-5, 1e-5, 1e-4, 1e-2, 1e-2};

/* One network with one kind of products. */
typedef struct row {
  const char *network;
  int products;
  double milliseconds, score_off, affinity_off;
} row;

typedef struct bench_state {
  const char *receptor, *ligand, *opt_names, *opt_device;
  int threads, poses;
  bench_output output;
  bt_cnn_ensemble ensemble;
  bt_cnn_site *sites; /* [pose.n_sites] */
  bt_cnn_pose pose;
  row *rows; /* [n_rows] */
  int n_rows;
  char device[64];
  bool valid;
} bench_state;

static bt_status read_sites(const char *path, bt_molecule_kind kind, bt_cnn_site **ret_sites, int *ret_count,
                            bt_error *opt_error) {
  bt_molecule **list;
  int count;
  BT_TRY(bt_molecule_read(path, kind, &list, &count, opt_error));
  const bt_molecule *first = list[0];
  *ret_count = first->n_atoms;
  *ret_sites = bench_keep((size_t)first->n_atoms, sizeof **ret_sites);
  bt_status status = bt_cnn_sites(&first, 1, kind == BT_MOLECULE_LIGAND, *ret_sites, opt_error);
  for (int k = 0; k < count; k++) bt_molecule_destroy(list[k]);
  free(list);
  return status;
}

/* The ligand where its file has it, and the receptor's atoms around it. */
static bt_status make_pose(bench_state *s, bt_error *opt_error) {
  bt_cnn_site *ligand, *receptor;
  int n_ligand, n_receptor, count = 0;
  BT_TRY(read_sites(s->ligand, BT_MOLECULE_LIGAND, &ligand, &n_ligand, opt_error));
  BT_TRY(read_sites(s->receptor, BT_MOLECULE_RECEPTOR, &receptor, &n_receptor, opt_error));
  s->sites = bench_keep((size_t)(n_ligand + n_receptor), sizeof *s->sites);
  for (int i = 0; i < n_ligand; i++) {
    s->sites[s->pose.n_sites++] = ligand[i];
    if (ligand[i].channel < 0) continue;
    for (int k = 0; k < 3; k++) s->pose.center[k] += ligand[i].x[k];
    count++;
  }
  for (int k = 0; k < 3; k++) s->pose.center[k] /= count > 0 ? count : 1;
  for (int i = 0; i < n_receptor; i++) {
    bool in = true;
    for (int k = 0; k < 3; k++)
      in = in && fabs(receptor[i].x[k] - s->pose.center[k]) < 11.75 + BT_CNN_REACH * receptor[i].radius;
    if (in) s->sites[s->pose.n_sites++] = receptor[i];
  }
  s->pose.sites = s->sites;
  return BT_OK;
}

/* The shortest of several repetitions; networks that a device lacks are left out. */
static bt_status time_network(bench_state *s, const bt_cnn_weights *weights, int products, const double exact[3],
                              bt_error *opt_error) {
  const bt_cnn_device device = {s->opt_device, s->threads, products, 1};
  bt_cnn_scorer *scorer;
  bt_error error;
  if (bt_cnn_scorer_open(&weights, 1, &device, &scorer, &error) != BT_OK) {
    if (products == BT_CNN_SINGLE && opt_error != NULL) *opt_error = error;
    return products == BT_CNN_SINGLE ? error.status : BT_OK;
  }
  int n = s->poses > 0 ? s->poses : bt_cnn_scorer_batch(scorer) > 16 ? 4096 : 4 * bt_cnn_scorer_batch(scorer);
  bt_cnn_pose *poses = bench_keep((size_t)n, sizeof *poses);
  bt_cnn_output *outputs = bench_keep((size_t)n, sizeof *outputs);
  for (int p = 0; p < n; p++) poses[p] = s->pose;
  row *r = &s->rows[s->n_rows++];
  *r = (row){.network = weights->name, .products = products, .milliseconds = INFINITY};
  snprintf(s->device, sizeof s->device, "%s", bt_cnn_scorer_device(scorer));
  bt_status status = BT_OK;
  for (int k = 0; status == BT_OK && k < REPEATS; k++) {
    double start = bt_seconds();
    status = bt_cnn_scorer_run(scorer, (bt_cnn_range){0, 1}, poses, n, outputs, opt_error);
    r->milliseconds = fmin(r->milliseconds, 1e3 * (bt_seconds() - start) / n);
  }
  r->score_off = fabs(bt_cnn_score(outputs) - 1.0 / (1.0 + exp(exact[0] - exact[1])));
  r->affinity_off = fabs((double)outputs->affinity - exact[2]);
  s->valid = s->valid && r->score_off <= tolerances[products];
  bt_cnn_scorer_close(scorer);
  return status;
}

static bt_status measure(bench_state *s, bt_error *opt_error) {
  s->rows = bench_keep((size_t)(BT_CNN_KINDS * s->ensemble.count), sizeof *s->rows);
  for (int k = 0; k < s->ensemble.count; k++) {
    double exact[3];
    BT_TRY(bt_cnn_twin(s->ensemble.networks[k], &s->pose, exact, opt_error));
    for (int products = 0; products < BT_CNN_KINDS; products++)
      BT_TRY(time_network(s, s->ensemble.networks[k], products, exact, opt_error));
  }
  return BT_OK;
}

static void write_members(bt_json *json, const void *user) {
  const bench_state *s = user;
  bench_json(json, "device %s threads %d atoms %d valid %hhd networks [", s->device, s->threads, s->pose.n_sites, s->valid);
  for (int k = 0; k < s->n_rows; k++)
    bench_json(json, "{ name %s products %s milliseconds %g score_off %g affinity_off %g }", s->rows[k].network,
               kinds[s->rows[k].products], s->valid ? s->rows[k].milliseconds : NAN, s->rows[k].score_off,
               s->rows[k].affinity_off);
  bench_json(json, "]");
}

static void print_text(const void *user) {
  const bench_state *s = user;
  printf("%s, %d thread%s, %d atoms; commit %s, %s\n", s->device, s->threads, s->threads == 1 ? "" : "s",
         s->pose.n_sites, bt_build_commit(), bt_build_compiler());
  printf("%-24s %-22s %12s %10s %12s %12s\n", "network", "products", "ms per pose", "poses/s", "score off",
         "affinity off");
  for (int k = 0; k < s->n_rows; k++) {
    const row *r = &s->rows[k];
    printf("%-24s %-22s %12.4f %10.0f %12.1e %12.1e\n", r->network, kinds[r->products], r->milliseconds,
           1e3 / r->milliseconds, r->score_off, r->affinity_off);
  }
  if (!s->valid) puts("INVALID: a score is further from double precision than its kind of products explains");
}

static bt_status run(void *user, bt_error *error) {
  bench_state *s = user;
  if (s->receptor == NULL || s->ligand == NULL) return bench_refuse(error, "use -r RECEPTOR.pdbqt and -l LIGAND.pdbqt");
  BT_TRY(bt_cnn_ensemble_open(s->opt_names, &s->ensemble, error));
  bt_status status = make_pose(s, error);
  if (status == BT_OK) status = measure(s, error);
  if (status == BT_OK)
    status = bench_output_write(&s->output, "networks", s->valid, write_members, print_text, s, error);
  bt_cnn_ensemble_close(&s->ensemble);
  return status;
}

static const char details[] =
    "The pose in the file is scored many times, the grid included, by each network alone and with each kind of products\n"
    "that the device has. The score is compared with that of the same network in double precision; exit code 3 if it\n"
    "is wrong.";

static const char examples[] =
    "  berth bench networks -r receptor.pdbqt -l ligand.pdbqt --cnn crossdock_default2018,dense --threads 1\n"
    "  berth bench networks -r receptor.pdbqt -l ligand.pdbqt --cnn gnina --device cuda --json";

int bench_networks(int argc, char **argv) {
  bench_state state = {.threads = 1, .valid = true};
  cli_option options[] = {
      {.group = "Input", OPT_STRING("receptor", 'r', &state.receptor, "FILE", "receptor, .pdbqt")},
      {OPT_STRING("ligand", 'l', &state.ligand, "FILE", "pose, .pdbqt")},
      {.group = "Benchmark", OPT_STRING("cnn", 0, &state.opt_names, "LIST", "networks, as of berth score"),
       .opt_default = "fast"},
      {OPT_STRING("device", 0, &state.opt_device, "NAME", "device, as of berth dock"), .opt_default = "auto"},
      {OPT_INT("threads", 't', &state.threads, "N", 1, 4096, "CPU threads")},
      {OPT_INT("poses", 0, &state.poses, "N", 1, 1000000, "poses of a repetition"),
       .opt_default = "four for each thread; 4096 on a GPU"},
      BENCH_OUTPUT_OPTIONS(state.output),
  };
  const cli_spec spec = {"berth bench networks", "milliseconds per pose of the networks that re-score", "-r RECEPTOR -l LIGAND [options]",
                         details, examples, CLI_TABLE(options), NULL};
  return bench_main(&spec, &state.output, argc, argv, run, &state);
}
