/* test_search.c - guarantees of the search, on every back end of this machine.
 *
 * A small synthetic job: two bodies, one torsion, a bowl-shaped map. */
#include "engine/lga/search/job.h"
#include "engine/lga/device/devices.h"
#include "backend/fixed_team.h"

#include "unit/assert_near.h"
#include "unit/support.h"

enum { POINTS = 41, ATOMS = 4, GENES = 8 };

typedef struct job_fixture {
  bt_kernel_atom atoms[ATOMS];
  bt_kernel_body bodies[2];
  bt_kernel_fragment fragments[2];
  bt_kernel_row rows[1];
  bt_kernel_pair pairs[BT_PAIR_TILE];
  float *map, *zero;
  const float *affinity[1];
  int torsion_bodies[1];
  bt_kernel_class classes[1];
  bt_kernel_grid grid;
  bt_kernel_data data;
  bt_search_parameters parameters;
} job_fixture;

typedef double (*map_function)(double x, double y, double z);

static double bowl(double x, double y, double z) {
  return 0.5 * ((x - 8) * (x - 8) + (y - 7) * (y - 7) + (z - 6) * (z - 6)) + sin(2 * x) + sin(3 * y);
}
static double flat(double x, double y, double z) { return 0 * x * y * z; }
static double slope(double x, double y, double z) { return 100 * x + 0 * y * z; }

static void job_fixture_open(job_fixture *f, map_function map) {
  memset(f, 0, sizeof *f);
  const double spacing = 0.375;
  f->map = calloc(POINTS * POINTS * POINTS, sizeof *f->map);
  f->zero = calloc(POINTS * POINTS * POINTS, sizeof *f->zero);
  for (int k = 0, at = 0; k < POINTS; k++)
    for (int j = 0; j < POINTS; j++)
      for (int i = 0; i < POINTS; i++) f->map[at++] = (float)map(i * spacing, j * spacing, k * spacing);
  f->atoms[0] = (bt_kernel_atom){.x = -0.7f};
  f->atoms[1] = (bt_kernel_atom){.x = 0.7f};
  f->atoms[2] = (bt_kernel_atom){.x = 1.4f};
  f->atoms[3] = (bt_kernel_atom){.x = 1.9f, .y = 1.3f};
  f->bodies[0] = (bt_kernel_body){.parent = -1, .torsion = -1, .axis_from = -1, .axis_to = -1, .end_atom = 2};
  f->bodies[1] = (bt_kernel_body){.torsion = 0, .axis_from = 1, .axis_to = 2, .first_atom = 2, .end_atom = 4,
                                  .ux = 1, .inverse_length = 1 / 1.4f};
  for (int b = 0; b < 2; b++) {
    bt_kernel_body *body = &f->bodies[b];
    body->end_body = body->end_fragment = 2;
    body->first_fragment = b;
    f->fragments[b] = (bt_kernel_fragment){.body = b, .first_atom = body->first_atom, .end_atom = body->end_atom,
                                     .scratch = 3 * body->first_atom};
  }
  f->torsion_bodies[0] = 1;
  f->affinity[0] = f->map;
  f->grid = (bt_kernel_grid){.points_x = POINTS, .points_y = POINTS, .points_z = POINTS, .n_affinity = 1,
                             .affinity = f->affinity, .electrostatic = f->zero, .desolvation = f->zero};
  f->data = (bt_kernel_data){
      .sizes = {.n_atoms = ATOMS, .n_ligand_atoms = ATOMS, .n_bodies = 2, .n_fragments = 2, .n_torsions = 1,
                .n_classes = 1},
      .box = {.inverse_spacing = (float)(1 / spacing), .size_x = 15, .size_y = 15, .size_z = 15, .cells_x = 39,
              .cells_y = 39, .cells_z = 39},
      .atoms = f->atoms, .bodies = f->bodies, .fragments = f->fragments, .rows = f->rows, .pairs = f->pairs,
      .torsion_bodies = f->torsion_bodies, .classes = f->classes, .grid = &f->grid};
  f->parameters = (bt_search_parameters){
      .key0 = 5, .key1 = 6, .runs = 3, .population = 37, .elitism = 1, .local_search = BT_KERNEL_LS_ADADELTA,
      .tournament_rate = 0.6f, .crossover_rate = 0.8f, .mutation_rate = 0.02f, .mutation_move = 6, .mutation_angle = 1.5f,
      .local_search_rate = 1, .iterations = 300, .sw_move = 3.46f, .sw_rotation = 1.1f, .sw_torsion = 0.85f,
      .sw_inclusion = 0.378f, .sw_rho_limit = 0.01f, .sw_limit = 4, .unit_move = 0.375f, .unit_angle = 0.07f,
      .gradient_move = 0.375f, .gradient_angle = 8.057f, .gradient_limit = 1000,
      .force_limit = BT_KERNEL_NO_LIMIT};
}

static void job_fixture_close(job_fixture *f) {
  free(f->map);
  free(f->zero);
}

static bt_job *open_job(const bt_backend *backend, const job_fixture *f, int threads) {
  bt_error error;
  bt_job *job;
  bt_job_ligand one = {&f->data, &f->parameters};
  bt_job_options how = {.threads = threads, .team = fixed_team(backend)};
  support_ok(bt_job_create(backend, &one, 1, &how, &job, &error), &error);
  return job;
}

/* Energies, evaluations and all genes after some generations; the caller frees. */
typedef struct outcome {
  float *energies, *genes;
  int64_t *evaluations;
} outcome;

static void outcome_free(outcome *o) {
  free(o->energies);
  free(o->genes);
  free(o->evaluations);
}

static outcome search(const bt_backend *backend, const job_fixture *f, int threads, int generations) {
  bt_error error;
  size_t slots = (size_t)f->parameters.runs * (size_t)f->parameters.population;
  outcome o = {calloc(slots, sizeof(float)), calloc(slots * GENES, sizeof(float)),
               calloc((size_t)f->parameters.runs, sizeof(int64_t))};
  bt_job *job = open_job(backend, f, threads);
  support_ok(bt_job_initialize(job, &error), &error);
  for (int g = 1; g <= generations; g++) support_ok(bt_job_generation(job, (uint32_t)g, NULL, &error), &error);
  support_ok(bt_job_read_energies(job, 0, o.energies, o.evaluations, &error), &error);
  support_ok(bt_job_read_genes(job, 0, o.genes, &error), &error);
  bt_job_destroy(job);
  return o;
}

/* Runs a check on every usable back end of this machine. */
static void on_every_backend(void (*check)(const bt_backend *)) {
  int used = 0;
  for (int b = 0; b < bt_backend_count(); b++) {
    const bt_backend *backend = bt_backend_get(b);
    if (!bt_device_describe(backend).usable) continue;
    check(backend);
    used++;
  }
  assert_true(used > 0);
}

static void check_threads(const bt_backend *backend) {
  static const int methods[] = {BT_KERNEL_LS_ADADELTA, BT_KERNEL_LS_SOLIS_WETS};
  for (int m = 0; m < 2; m++) {
    job_fixture f;
    job_fixture_open(&f, bowl);
    f.parameters.local_search = methods[m];
    f.parameters.selection = m;
    f.parameters.crossover = m;
    f.parameters.local_search_rate = m == 0 ? 1.0f : 0.4f;
    outcome one = search(backend, &f, 1, 4), three = search(backend, &f, 3, 4);
    size_t slots = (size_t)f.parameters.runs * (size_t)f.parameters.population;
    assert_memory_equal(one.energies, three.energies, slots * sizeof(float));
    assert_memory_equal(one.genes, three.genes, slots * GENES * sizeof(float));
    assert_memory_equal(one.evaluations, three.evaluations, 3 * sizeof(int64_t));
    /* and run k of a job of 3 is run k of a job of 5 */
    f.parameters.runs = 5;
    outcome five = search(backend, &f, 2, 4);
    assert_memory_equal(one.genes, five.genes, slots * GENES * sizeof(float));
    outcome_free(&one);
    outcome_free(&three);
    outcome_free(&five);
    job_fixture_close(&f);
  }
}

static void results_depend_on_the_seed_alone(void **state) {
  (void)state;
  on_every_backend(check_threads);
}

static void check_counts(const bt_backend *backend) {
  job_fixture f;
  job_fixture_open(&f, bowl);
  f.parameters.local_search = BT_KERNEL_LS_NONE;
  outcome o = search(backend, &f, 2, 5);
  for (int run = 0; run < 3; run++) assert_int_equal(o.evaluations[run], 37 + 5 * 36);
  outcome_free(&o);
  job_fixture_close(&f);
}

static void an_offspring_costs_one_evaluation(void **state) {
  (void)state;
  on_every_backend(check_counts);
}

static float lowest(const float *energies, int run) {
  float best = energies[run * 37];
  for (int i = 1; i < 37; i++) best = fminf(best, energies[run * 37 + i]);
  return best;
}

static void check_elite(const bt_backend *backend) {
  job_fixture f;
  job_fixture_open(&f, bowl);
  float last[3] = {INFINITY, INFINITY, INFINITY};
  f.parameters.local_search = BT_KERNEL_LS_NONE;
  for (int generations = 0; generations < 12; generations++) {
    outcome o = search(backend, &f, 1, generations);
    for (int run = 0; run < 3; run++) {
      assert_true(lowest(o.energies, run) <= last[run]);
      last[run] = lowest(o.energies, run);
    }
    outcome_free(&o);
  }
  job_fixture_close(&f);
}

static void the_best_never_gets_worse(void **state) {
  (void)state;
  on_every_backend(check_elite);
}

/* Local search of one pose in the middle of the box; returns its evaluations without the first. */
static int64_t search_one(const bt_backend *backend, job_fixture *f, float genes[GENES]) {
  bt_error error;
  float energy;
  int64_t evaluations;
  const float start[GENES] = {7.5f, 7.5f, 7.5f, 0, 0, 0, 1, 0};
  memcpy(genes, start, sizeof start);
  bt_job *job = open_job(backend, f, 1);
  support_ok(bt_job_local_search(job, 0, 1, genes, &energy, &evaluations, &error), &error);
  bt_job_destroy(job);
  return evaluations - 1;
}

static void check_solis_wets_end(const bt_backend *backend) {
  job_fixture f;
  job_fixture_open(&f, flat);
  f.parameters.local_search = BT_KERNEL_LS_SOLIS_WETS;
  float genes[GENES];
  /* rho falls below 0.01 after seven contractions of four failures, two evaluations each */
  assert_int_equal(search_one(backend, &f, genes), 56);
  job_fixture_close(&f);
}

static void solis_wets_gives_up_after_28_failures(void **state) {
  (void)state;
  on_every_backend(check_solis_wets_end);
}

static void check_adadelta_steps(const bt_backend *backend) {
  job_fixture f;
  job_fixture_open(&f, slope);
  /* a gradient of 4 * 100 * 0.375 in the x gene throughout; the last step is never evaluated */
  double before = 7.5, expected[6] = {0, 0.2236, 0, 0, 0, 0.2569};
  for (int steps = 1; steps <= 5; steps++) {
    float genes[GENES];
    f.parameters.iterations = steps + 1;
    assert_int_equal(search_one(backend, &f, genes), steps + 1);
    double moved = (before - (double)genes[0]) / 0.375;
    if (expected[steps] > 0) assert_near(moved, expected[steps], 0.0002);
    before = (double)genes[0];
  }
  job_fixture_close(&f);
}

static void adadelta_steps_as_published(void **state) {
  (void)state;
  on_every_backend(check_adadelta_steps);
}

static void check_initial(const bt_backend *backend) {
  job_fixture f;
  job_fixture_open(&f, flat);
  f.parameters.runs = 1;
  f.parameters.population = 20000;
  outcome o = search(backend, &f, 2, 0);
  double n = f.parameters.population, mean[GENES] = {0}, square[GENES] = {0};
  for (int i = 0; i < f.parameters.population; i++)
    for (int k = 0; k < GENES; k++) {
      double gene = (double)o.genes[i * GENES + k];
      mean[k] += gene / n;
      square[k] += gene * gene / n;
    }
  for (int k = 0; k < 3; k++) { /* uniform over 15 A: mean 7.5, second moment 75 */
    assert_near(mean[k], 7.5, 4 * 4.33 / sqrt(n));
    assert_near(square[k], 75.0, 4 * 67.1 / sqrt(n));
  }
  for (int k = 3; k < 7; k++) { /* a uniform unit quaternion: mean 0, second moment 1/4, its deviation 0.204 */
    assert_near(mean[k], 0.0, 4 * 0.5 / sqrt(n));
    assert_near(square[k], 0.25, 4 * 0.204 / sqrt(n));
  }
  assert_near(mean[7], 0.0, 4 * 1.814 / sqrt(n)); /* a uniform angle */
  assert_near(square[7], 3.2899, 4 * 2.943 / sqrt(n));
  outcome_free(&o);
  job_fixture_close(&f);
}

static void the_first_population_is_uniform(void **state) {
  (void)state;
  on_every_backend(check_initial);
}

static void check_minimum(const bt_backend *backend) {
  static const int methods[] = {BT_KERNEL_LS_ADADELTA, BT_KERNEL_LS_SOLIS_WETS};
  for (int m = 0; m < 2; m++) {
    job_fixture f;
    job_fixture_open(&f, bowl);
    f.parameters.local_search = methods[m];
    outcome o = search(backend, &f, 2, 25);
    float best = lowest(o.energies, 0);
    for (int run = 1; run < 3; run++) assert_near((double)lowest(o.energies, run), (double)best, 0.02);
    for (int i = 0; i < 3 * 37 * GENES; i++) assert_true(isfinite(o.genes[i]));
    outcome_free(&o);
    job_fixture_close(&f);
  }
}

static void runs_agree_on_an_easy_minimum(void **state) {
  (void)state;
  on_every_backend(check_minimum);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_depend_on_the_seed_alone),      cmocka_unit_test(an_offspring_costs_one_evaluation),
      cmocka_unit_test(the_best_never_gets_worse),             cmocka_unit_test(solis_wets_gives_up_after_28_failures),
      cmocka_unit_test(adadelta_steps_as_published),           cmocka_unit_test(the_first_population_is_uniform),
      cmocka_unit_test(runs_agree_on_an_easy_minimum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
