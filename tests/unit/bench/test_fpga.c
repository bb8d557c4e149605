/* test_fpga.c - results of the model of an FPGA pipeline equal those of the scalar kernels to the last bit, and its
 * cycles follow from intervals and latencies. */
#include "bench/fpga/cycles.h"

#include "backend/fixture.h"

enum { GENERATIONS = 3, RUNS = 2, POPULATION = 12 };

static bt_dock_options search_options(void) {
  bt_dock_options o = bt_dock_options_default();
  o.runs = RUNS;
  o.population = POPULATION;
  o.local_search = BT_LS_SOLIS_WETS;
  o.seed = 7;
  return o;
}

/* The same search on cpu/scalar. */
static void scalar_search(const fixture *f, const bt_search_parameters *parameters, float *genes, float *energies,
                          int64_t *evaluations) {
  bt_error error;
  const bt_backend *backend;
  bt_job *job;
  bt_job_ligand one = {&f->data->kernel, parameters};
  bt_job_options how = {.threads = 1};
  support_ok(bt_device_single("cpu/scalar", NULL, &backend, &error), &error);
  support_ok(bt_job_create(backend, &one, 1, &how, &job, &error), &error);
  support_ok(bt_job_initialize(job, &error), &error);
  for (uint32_t g = 1; g <= GENERATIONS; g++) support_ok(bt_job_generation(job, g, NULL, &error), &error);
  support_ok(bt_job_read_genes(job, 0, genes, &error), &error);
  support_ok(bt_job_read_energies(job, 0, energies, evaluations, &error), &error);
  bt_job_destroy(job);
}

static void check_complex(const char *name, int replicas, int depth, float local_search_rate, bt_selection selection) {
  char path[600], file[100];
  bt_error error;
  bt_arena arena = {0};
  fpga_result result;
  snprintf(file, sizeof file, "data/set42/%s/rand-0.pdbqt", name);
  support_shared(path, sizeof path, file);
  fixture f = fixture_open(path, NULL);
  bt_dock_options options = search_options();
  options.selection = selection;
  bt_search_parameters parameters = bt_search_parameters_make(&options, f.ligand);
  parameters.local_search_rate = local_search_rate;
  size_t slots = RUNS * POPULATION, n_genes = (size_t)BT_GENES(f.ligand->n_torsions);
  float *genes = calloc(slots * n_genes, sizeof *genes), energies[RUNS * POPULATION];
  int64_t evaluations[RUNS];
  scalar_search(&f, &parameters, genes, energies, evaluations);
  support_ok(fpga_dock(&f.data->kernel, &parameters, GENERATIONS, replicas, depth, &arena, &result, &error), &error);
  assert_memory_equal(result.genes, genes, slots * n_genes * sizeof *genes);
  assert_memory_equal(result.energies, energies, sizeof energies);
  assert_memory_equal(result.evaluations, evaluations, sizeof evaluations);
  assert_true(evaluations[0] > 10 * POPULATION); /* local searches took place */
  free(genes);
  bt_arena_destroy(&arena);
  fixture_close(&f);
}

static void small_is_equal(void **state) {
  (void)state;
  check_complex("1ac8", 9, 16, 1.0f, BT_SELECT_TOURNAMENT);
}

static void medium_is_equal_with_one_replica_and_the_shortest_pipes(void **state) {
  (void)state;
  check_complex("7cpa", 1, 1, 1.0f, BT_SELECT_PROPORTIONAL);
}

static void large_is_equal_when_some_are_searched(void **state) {
  (void)state;
  check_complex("3er5", 3, 5, 0.3f, BT_SELECT_TOURNAMENT);
}

/* One search of four evaluations after one individual, and stages whose times are known. */
static void cycles_follow_from_intervals_and_latencies(void **state) {
  (void)state;
  fpga_design design = {.items = {1, 1, 1, 1, 1, 1}};
  for (int s = 0; s < FPGA_STAGE_COUNT; s++) design.stages[s] = (fpga_stage){.interval = 10, .latency = 0};
  design.stages[FPGA_intra] = (fpga_stage){.interval = 3, .latency = 20};
  design.items[FPGA_intra] = 9; /* 47 cycles */
  int drawn[] = {1, 1}, searched[] = {4, 4};
  fpga_result result = {.drawn = drawn, .searched = searched, .searches = 1};
  bt_search_parameters parameters = {.runs = 1, .population = 1};
  fpga_prediction p = fpga_predict(&design, &parameters, 1, &result, 1, 1);
  const double chain = 10 + 47 + 10; /* pose, intra, store */
  assert_true(p.evaluations == 6);
  assert_true(p.cycles == 2 * (10 + chain) + 4 * (10 + chain) + 10);
  /* two searches at the same time wait for intra alone */
  result.searches = 2;
  assert_true(fpga_predict(&design, &parameters, 1, &result, 1, 1).cycles == 2 * (10 + chain) + 8 * (10 + chain) + 10);
  p = fpga_predict(&design, &parameters, 1, &result, 2, 1);
  assert_true(p.cycles < 2 * (10 + chain) + 8 * (10 + chain) && p.cycles >= 2 * (10 + chain) + 8 * 47);
  fpga_prediction more = fpga_predict(&design, &parameters, 1, &result, 9, 1);
  assert_true(more.cycles == p.cycles); /* no third search is there */
}

/* Four searches of one evaluation each, in replicas of their own: pose is the slowest stage. */
static void latencies_overlap_where_poses_are_pipelined(void **state) {
  (void)state;
  fpga_design design = {.items = {1, 1, 4, 1, 1, 1}};
  for (int s = 0; s < FPGA_STAGE_COUNT; s++) design.stages[s] = (fpga_stage){.interval = 10, .latency = 0};
  design.stages[FPGA_pose] = (fpga_stage){.interval = 10, .latency = 100}; /* 40 to the next pose, 140 in all */
  int drawn[] = {0, 0}, searched[] = {1, 1, 1, 1};
  fpga_result result = {.drawn = drawn, .searched = searched, .searches = 4};
  bt_search_parameters parameters = {.runs = 1, .population = 1};
  const double ends = 10 + 10 + 10 + 10; /* search before and after, inter or intra, store */
  assert_true(fpga_predict(&design, &parameters, 1, &result, 4, 1).cycles == 4 * 140 + ends);
  fpga_prediction two = fpga_predict(&design, &parameters, 1, &result, 4, 2); /* the third waits for the first */
  assert_true(two.cycles == 140 + 40 + 140 + ends);
  fpga_prediction p = fpga_predict(&design, &parameters, 1, &result, 4, 16);
  assert_true(p.cycles == 3 * 40 + 140 + ends);
  assert_true(p.busy[FPGA_pose] == 4 * 40 / p.cycles);
  assert_true(fpga_predict(&design, &parameters, 1, &result, 4, 1000).cycles == p.cycles);
  /* a single replica waits for each of its evaluations: depth changes nothing */
  assert_true(fpga_predict(&design, &parameters, 1, &result, 1, 16).cycles ==
              fpga_predict(&design, &parameters, 1, &result, 1, 1).cycles);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_is_equal),
      cmocka_unit_test(medium_is_equal_with_one_replica_and_the_shortest_pipes),
      cmocka_unit_test(large_is_equal_when_some_are_searched),
      cmocka_unit_test(cycles_follow_from_intervals_and_latencies),
      cmocka_unit_test(latencies_overlap_where_poses_are_pipelined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
