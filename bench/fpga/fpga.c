/* fpga.c - `berth bench fpga`: docking as tasks on an FPGA, modeled by threads and checked against the scalar kernels,
 * and a prediction of its cycles. No FPGA is used. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "bench/bench.h"
#include "bench/common/job.h"
#include "bench/common/output.h"
#include "bench/fpga/cycles.h"

enum { REPLICAS = 9, PARTS = 2 };

typedef struct bench_row {
  const bench_case *of;
  bench_subject subject;
  fpga_design design;
  int64_t evaluations;
  double best_energy, seconds; /* seconds are those of the model's threads, not of an FPGA */
  long differ;                 /* genes, energies and counts that differ in any bit */
  fpga_prediction replicas[REPLICAS];
} bench_row;

typedef struct bench_state {
  cli_list words;
  int generations, depth;
  double megahertz, serial_us;
  const char *text[FPGA_STAGE_COUNT]; /* INTERVAL,LATENCY as given; NULL: the default */
  bt_dock_options search;
  bench_output output;
  bool quiet;
  bench_cases cases;
  bench_row *rows;
} bench_state;

static const struct {
  const char *name, *items;
} stages[FPGA_STAGE_COUNT] = {
#define NAME(name, items, interval, latency) {#name, items},
    FPGA_STAGES(NAME)
#undef NAME
};

static bt_status parse_stages(const bench_state *s, fpga_design *design, bt_error *opt_error) {
  for (int k = 0; k < FPGA_STAGE_COUNT; k++) {
    int interval, latency, length = 0;
    if (s->text[k] == NULL) continue;
    if (sscanf(s->text[k], "%d,%d%n", &interval, &latency, &length) != PARTS || s->text[k][length] != '\0' ||
        interval < 1 || latency < 0 || interval > 1000000 || latency > 1000000)
      return bench_refuse(opt_error, "--%s: '%.100s' is not of the form INTERVAL,LATENCY in cycles, such as 4,150",
                          stages[k].name, s->text[k]);
    design->stages[k] = (fpga_stage){interval, latency};
  }
  return BT_OK;
}

/* Compares with the same search by the scalar kernels. */
static bt_status compare(const bench_state *s, bench_job *j, const fpga_result *result, bench_row *row,
                         bt_error *opt_error) {
  size_t runs = (size_t)j->options.runs, slots = runs * (size_t)j->options.population;
  float *genes, *energies;
  int64_t *evaluations;
  BT_NEW(&j->memory, genes, slots * j->n_genes);
  BT_NEW(&j->memory, energies, slots);
  BT_NEW(&j->memory, evaluations, runs);
  BT_TRY(bt_arena_status(&j->memory, opt_error));
  BT_TRY(bench_job_start(j, opt_error));
  BT_TRY(bt_job_initialize(j->job, opt_error));
  for (int g = 1; g <= s->generations; g++) BT_TRY(bt_job_generation(j->job, (uint32_t)g, NULL, opt_error));
  BT_TRY(bt_job_read_genes(j->job, 0, genes, opt_error));
  BT_TRY(bt_job_read_energies(j->job, 0, energies, evaluations, opt_error));
  for (size_t k = 0; k < slots * j->n_genes; k++) row->differ += memcmp(&genes[k], &result->genes[k], 4) != 0;
  for (size_t k = 0; k < slots; k++) row->differ += memcmp(&energies[k], &result->energies[k], 4) != 0;
  row->best_energy = INFINITY;
  for (size_t k = 0; k < slots; k++) row->best_energy = fmin(row->best_energy, (double)result->energies[k]);
  for (size_t k = 0; k < runs; k++) {
    row->differ += evaluations[k] != result->evaluations[k];
    row->evaluations += result->evaluations[k];
  }
  return BT_OK;
}

static bt_status measure(const bench_state *s, bench_job *j, bench_row *row, bt_error *opt_error) {
  fpga_result result;
  BT_TRY(bench_job_find(j, &row->subject, opt_error));
  BT_TRY(bench_job_open(j, opt_error));
  row->design = fpga_design_of(&j->data->kernel, j->of->ligand->n_pairs);
  BT_TRY(parse_stages(s, &row->design, opt_error));
  double start = bt_seconds();
  BT_TRY(fpga_dock(&j->data->kernel, &j->parameters, s->generations, REPLICAS, s->depth, &j->memory, &result,
                   opt_error));
  row->seconds = bt_seconds() - start;
  BT_TRY(compare(s, j, &result, row, opt_error));
  for (int n = 1; n <= REPLICAS; n++)
    row->replicas[n - 1] = fpga_predict(&row->design, &j->parameters, s->generations, &result, n, s->depth);
  return BT_OK;
}

static double rate(const bench_state *s, const fpga_prediction *p) {
  return p->evaluations / p->cycles * s->megahertz * 1e6;
}

/* Speed-up over a program on one core that takes serial_us per evaluation. */
static double speed_up(const bench_state *s, const fpga_prediction *p) {
  return s->serial_us > 0 ? rate(s, p) * s->serial_us * 1e-6 : NAN;
}

static void write_row(bt_json *json, const bench_state *s, const bench_row *row) {
  bool valid = row->differ == 0;
  bench_json(json, "{ case %s", row->of->name);
  bench_subject_json(json, &row->subject);
  bench_json(json, "valid %hhd differ %ld evaluations %ld best_energy %g threads_seconds %g stages [", valid,
             row->differ, row->evaluations, row->best_energy, row->seconds);
  for (int k = 0; k < FPGA_STAGE_COUNT; k++)
    bench_json(json, "{ name %s items_are %s items %ld interval %d latency %d }", stages[k].name, stages[k].items,
               row->design.items[k], row->design.stages[k].interval, row->design.stages[k].latency);
  bench_json(json, "] predictions [");
  for (int n = 1; n <= REPLICAS; n++) {
    const fpga_prediction *p = &row->replicas[n - 1];
    bench_json(json, "{ replicas %d cycles %g evaluations_per_second %g speed_up %g", n, p->cycles, rate(s, p),
               speed_up(s, p));
    for (int k = 0; k < FPGA_STAGE_COUNT; k++) {
      char key[40];
      snprintf(key, sizeof key, "%s_busy %%g", stages[k].name);
      bench_json(json, key, p->busy[k]);
    }
    bench_json(json, "}");
  }
  bench_json(json, "] }");
}

static bool is_valid(const bench_state *s) {
  for (int c = 0; c < s->cases.count; c++)
    if (s->rows[c].differ != 0) return false;
  return true;
}

static void write_members(bt_json *json, const void *user) {
  const bench_state *s = user;
  bench_json(json,
             "model %s valid %hhd megahertz %g serial_us %g generations %d depth %d runs %d population %d seed %lu "
             "rows [",
             "a model: no FPGA was used", is_valid(s), s->megahertz, s->serial_us, s->generations, s->depth,
             s->search.runs, s->search.population, s->search.seed);
  for (int c = 0; c < s->cases.count; c++) write_row(json, s, &s->rows[c]);
  bench_json(json, "]");
}

static void print_row(const bench_state *s, const bench_row *row) {
  puts("");
  bench_case_print(row->of);
  printf("; %lld evaluations, lowest energy %.3f kcal/mol\n", (long long)row->evaluations, row->best_energy);
  if (row->differ != 0) {
    printf("  INVALID: %ld numbers differ from those of the scalar kernels\n", row->differ);
    return;
  }
  puts("  genes, energies and evaluations equal those of the scalar kernels bit for bit");
  printf("  %8s %14s %9s", "replicas", "evaluations/s", "speed-up");
  for (int k = 0; k < FPGA_STAGE_COUNT; k++) printf(" %8s", stages[k].name);
  puts("");
  for (int n = 1; n <= REPLICAS; n++) {
    const fpga_prediction *p = &row->replicas[n - 1];
    printf("  %8d %14.0f ", n, rate(s, p));
    bench_print("%9.2f", speed_up(s, p));
    for (int k = 0; k < FPGA_STAGE_COUNT; k++) printf(" %7.0f%%", 100 * p->busy[k]);
    puts("");
  }
}

static void print_text(const void *user) {
  const bench_state *s = user;
  printf("a model of docking as tasks on an FPGA at %.0f MHz: no FPGA was used; %d runs of %d individuals, %d "
         "generations\n", s->megahertz, s->search.runs, s->search.population, s->generations);
  bench_print_build();
  printf("cycles of a pose in a stage: interval x items + latency; up to %d poses of a stage overlap\n", s->depth);
  for (int k = 0; k < FPGA_STAGE_COUNT; k++)
    printf("  %-8s %d x %s + %d\n", stages[k].name, s->rows[0].design.stages[k].interval, stages[k].items,
           s->rows[0].design.stages[k].latency);
  for (int c = 0; c < s->cases.count; c++) print_row(s, &s->rows[c]);
  puts("\npercentages: fraction of time in which a stage can start no other pose");
}

static bt_status run(void *user, bt_error *error) {
  bench_state *s = user;
  fpga_design any = {0};
  BT_TRY(parse_stages(s, &any, error));
  BT_TRY(bench_cases_load(&s->words, &s->cases, error));
  s->rows = bench_keep((size_t)s->cases.count, sizeof *s->rows);
  for (int c = 0; c < s->cases.count; c++) {
    s->rows[c].of = &s->cases.items[c];
    if (!s->quiet) fprintf(stderr, "berth bench fpga: %s\n", s->rows[c].of->name);
    bench_job j = {.of = s->rows[c].of, .options = s->search};
    bt_status status = measure(s, &j, &s->rows[c], error);
    bench_job_close(&j);
    BT_TRY(status);
  }
  return bench_output_write(&s->output, "fpga", is_valid(s), write_members, print_text, s, error);
}

static const char details[] =
    "Single-work-item stages (genetic algorithm, nine replicas of Solis and Wets' search, pose, inter,\n"
    "intra, store) run as threads connected by bounded FIFOs. Their results are compared with the scalar\n"
    "kernels of the CPU, bit for bit; then the cycles of an FPGA are predicted for one to nine\n"
    "replicas. A stage overlaps the latencies of up to --depth poses, which bounds its FIFO as well; with\n"
    "--depth 1 it holds a pose until that has left. Intervals and latencies are assumptions: use your\n"
    "own, from a report of your tool.";

static const char examples[] =
    "  berth bench fpga\n"
    "  berth bench fpga --case 7cpa=7cpa.maps.fld:7cpa.pdbqt --serial-us 12.5\n"
    "  berth bench fpga --megahertz 180 --inter 24,400 --json";

int bench_fpga(int argc, char **argv) {
  bench_state state = {.generations = 4, .depth = 16, .megahertz = 200, .search = bt_dock_options_default()};
  bt_dock_options *search = &state.search;
  search->runs = 2;
  search->poses = 1;
  search->population = 30;
  search->local_search = BT_LS_SOLIS_WETS;
  search->opt_device = "cpu/scalar";
  search->seed = 1;
  search->threads = 1;
  cli_option options[] = {
      {.group = "Input",
       OPT_LIST("case", 0, &state.words, "NAME=MAPS:LIGAND",
                "complexes: a .maps.fld or the receptor's .pdbqt, and a ligand's .pdbqt"),
       .opt_default = "three synthetic ones"},
      {.group = "Search", OPT_INT("runs", 'n', &search->runs, "N", 1, 1000, "runs of each docking")},
      {OPT_INT("population", 'p', &search->population, "N", 2, 100000, "individuals per run")},
      {OPT_INT("generations", 'g', &state.generations, "N", 1, 10000, "generations after the first population")},
      {OPT_SEED("seed", 0, &search->seed, "random seed")},
      {.group = "FPGA",
       OPT_INT("depth", 0, &state.depth, "N", 1, 100000, "poses that a stage overlaps, and that a FIFO holds")},
      {OPT_REAL("megahertz", 0, &state.megahertz, "MHZ", 1, 10000, "clock frequency")},
      {OPT_REAL("serial-us", 0, &state.serial_us, "US", 0, 1e9,
                "microseconds per evaluation on one core, for the speed-up"),
       .opt_default = "unknown"},
#define STAGE_OPTION(name, items, interval, latency)                      \
      {OPT_STRING(#name, 0, &state.text[FPGA_##name], "INTERVAL,LATENCY", \
       "cycles per item and of the last one; items: " items),             \
       .opt_default = #interval "," #latency},
      FPGA_STAGES(STAGE_OPTION)
#undef STAGE_OPTION
          BENCH_OUTPUT_OPTIONS(state.output),
      BENCH_QUIET_OPTION(state.quiet),
  };
  cli_spec spec = {"berth bench fpga", "model of docking as tasks on an FPGA, with predicted speed",
                   "[--case NAME=MAPS.fld:LIGAND.pdbqt]... [options]", details, examples, CLI_TABLE(options), NULL};
  int exit_code = bench_main(&spec, &state.output, argc, argv, run, &state);
  bench_cases_free(&state.cases);
  cli_list_free(&state.words);
  return exit_code;
}
