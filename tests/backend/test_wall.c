/* test_wall.c - the wall around the box, on every back end: closed pockets are found, poses stay inside, and those
 * drawn outside are redrawn and counted.
 */
#include <math.h>

#include "engine/lga/search/job.h"
#include "engine/lga/device/devices.h"
#include "backend/ligands.h"
#include "score/score.h"

enum { RUNS = 4, POPULATION = 30, SLOTS = RUNS * POPULATION, MOST_GENES = 7 + 6 };

typedef double map_function(double x, double y, double z);

typedef struct scene {
  ligand_set set;
  bt_search_parameters parameters;
} scene;

/* A pocket of 3.5 A closed by protein; between that and the faces of the box nothing clashes. */
static double pocket(double x, double y, double z) {
  double r = sqrt(x * x + y * y + z * z);
  return r < 3.5 ? -2.0 * (1.0 - r * r / (3.5 * 3.5)) : r < 6.0 ? 1000.0 : -0.1;
}

/* The best place is outside the box, 1 A beyond the face x = 7.5 A. */
static double beyond_the_face(double x, double y, double z) {
  double d = x - 8.5;
  return -5.0 * exp(-(d * d + y * y + z * z) / 8.0);
}

static scene scene_open(map_function *fill, int npts, const int atoms[LIGANDS]) {
  scene s;
  char folder[512];
  bt_box box = {.npts = {npts, npts, npts}, .spacing = 0.375};
  support_folder(folder, sizeof folder);
  ligand_set_open(&s.set, &box, atoms, folder);
  rmdir(folder);
  float *value = s.set.maps->values[0];
  for (int k = 0; k <= npts; k++)
    for (int j = 0; j <= npts; j++)
      for (int i = 0; i <= npts; i++)
        *value++ =
            (float)fill(s.set.maps->low[0] + 0.375 * i, s.set.maps->low[1] + 0.375 * j, s.set.maps->low[2] + 0.375 * k);
  memcpy(s.set.maps->values[1], s.set.maps->values[0], bt_maps_points(s.set.maps) * sizeof *value);
  bt_dock_options options = bt_dock_options_default();
  options.runs = RUNS;
  options.population = POPULATION;
  options.seed = 11;
  s.parameters = bt_search_parameters_make(&options, s.set.ligands[0]);
  return s;
}

static const int usual[LIGANDS] = {4, 4, 9};

/* Distance of the outermost atom outside the box, A; negative: all are inside. */
static double excess(const scene *s, const float *genes) {
  bt_error error;
  bt_genotype genotype;
  double xyz[3 * 9], worst = -1e9;
  support_ok(bt_genotype_create(s->set.ligands[0]->n_torsions, &genotype, &error), &error);
  bt_genes_to_genotype(s->set.data[0], genes, &genotype);
  bt_genotype_coordinates(s->set.ligands[0], &genotype, xyz);
  for (int k = 0; k < 3 * s->set.ligands[0]->n_atoms; k++)
    worst = fmax(worst, fmax(s->set.maps->low[k % 3] - xyz[k], xyz[k] - s->set.maps->high[k % 3]));
  bt_genotype_destroy(&genotype);
  return worst;
}

typedef struct population {
  float genes[SLOTS * MOST_GENES], energies[SLOTS];
  int64_t evaluations[RUNS];
} population;

/* The populations after so many generations; 0: as drawn. */
static void breed(const bt_backend *backend, const scene *s, int generations, population *p) {
  bt_error error;
  bt_job *job;
  bt_job_ligand one = {&s->set.data[0]->kernel, &s->parameters};
  bt_job_options how = {.threads = 2};
  support_ok(bt_job_create(backend, &one, 1, &how, &job, &error), &error);
  support_ok(bt_job_initialize(job, &error), &error);
  for (int g = 1; g <= generations; g++) support_ok(bt_job_generation(job, (uint32_t)g, NULL, &error), &error);
  support_ok(bt_job_read_genes(job, 0, p->genes, &error), &error);
  support_ok(bt_job_read_energies(job, 0, p->energies, p->evaluations, &error), &error);
  bt_job_destroy(job);
}

static int best_of(const population *p, int run) {
  int best = run * POPULATION;
  for (int i = best; i < (run + 1) * POPULATION; i++)
    if (p->energies[i] < p->energies[best]) best = i;
  return best;
}

/* An energy of 2^24 and more means an atom outside, and nothing else does. */
static void the_wall_is_where_the_box_ends(void **state) {
  (void)state;
  scene s = scene_open(pocket, 40, usual);
  int n_genes = BT_GENES(s.set.ligands[0]->n_torsions);
  s.parameters.redraws = 0;
  for (int b = 0; b < bt_backend_count(); b++) {
    const bt_backend *backend = bt_backend_get(b);
    if (!bt_device_describe(backend).usable) continue;
    static population p;
    breed(backend, &s, 0, &p);
    int outside = 0;
    for (int i = 0; i < SLOTS; i++) {
      double out = excess(&s, p.genes + i * n_genes);
      outside += p.energies[i] >= BT_KERNEL_WALL;
      if (fabs(out) > 1e-4) assert_int_equal(p.energies[i] >= BT_KERNEL_WALL, out > 0);
    }
    assert_in_range(outside, SLOTS / 20, SLOTS * 19 / 20);
    for (int run = 0; run < RUNS; run++) assert_int_equal(p.evaluations[run], POPULATION);
  }
  ligand_set_close(&s.set);
}

/* Starts and children come from inside; every draw counts. */
static void what_is_outside_is_drawn_again(void **state) {
  (void)state;
  scene s = scene_open(pocket, 40, usual);
  s.parameters.local_search = BT_KERNEL_LS_NONE;
  int64_t first[RUNS] = {0};
  for (int b = 0; b < bt_backend_count(); b++) {
    const bt_backend *backend = bt_backend_get(b);
    if (!bt_device_describe(backend).usable) continue;
    for (int generations = 0; generations <= 2; generations += 2) {
      static population p;
      breed(backend, &s, generations, &p);
      for (int i = 0; i < SLOTS; i++) assert_true(p.energies[i] < BT_KERNEL_WALL);
      for (int run = 0; run < RUNS; run++) {
        assert_in_range(p.evaluations[run], (generations + 1) * POPULATION + 1 - generations,
                        (generations + 1) * POPULATION * (1 + s.parameters.redraws));
        if (generations > 0) continue;
        if (first[run] == 0) first[run] = p.evaluations[run]; /* the same on every back end */
        assert_true(llabs(first[run] - p.evaluations[run]) <= 1);
      }
    }
  }
  ligand_set_close(&s.set);
}

/* Poses must not accumulate in the clash-free space around the pocket: each local search finds the pocket. */
static void a_closed_pocket_is_found(void **state) {
  (void)state;
  scene s = scene_open(pocket, 40, usual);
  int n_genes = BT_GENES(s.set.ligands[0]->n_torsions);
  for (int b = 0; b < bt_backend_count(); b++) {
    const bt_backend *backend = bt_backend_get(b);
    if (!bt_device_describe(backend).usable) continue;
    for (int method = BT_KERNEL_LS_SOLIS_WETS; method <= BT_KERNEL_LS_ADAM; method++) {
      static population p;
      int found = 0;
      s.parameters.local_search = method;
      breed(backend, &s, 6, &p);
      for (int run = 0; run < RUNS; run++) {
        int best = best_of(&p, run);
        found += p.energies[best] < -3.0f && excess(&s, p.genes + best * n_genes) < -3.0;
      }
      print_message("%-12s method %d: %d of %d runs in the pocket\n", backend->name, method, found, RUNS);
      assert_int_equal(found, RUNS);
    }
  }
  ligand_set_close(&s.set);
}

/* A face cuts through the best position: poses approach it, but none crosses it. */
static void a_face_holds(void **state) {
  (void)state;
  bt_error error;
  bt_result *result;
  scene s = scene_open(beyond_the_face, 40, usual);
  for (int method = BT_LS_SOLIS_WETS; method <= BT_LS_ADAM; method++) {
    bt_dock_options options = bt_dock_options_default();
    options.runs = RUNS;
    options.population = POPULATION;
    options.seed = 5;
    options.heuristics = options.autostop = false;
    options.evaluations = 20000;
    options.local_search = (bt_local_search)method;
    options.opt_device = "cpu";
    support_ok(bt_dock(s.set.ligands[0], s.set.maps, NULL, &options, &result, &error), &error);
    assert_int_equal(bt_result_run_count(result), RUNS);
    for (int k = 0; k < RUNS; k++) {
      bt_run_summary run = bt_result_ranked(result, k);
      assert_int_equal(run.energy.atoms_outside, 0);
      assert_true(run.energy.inter < -8.0 && run.energy.inter + run.energy.intra < 0);
      assert_true(fabs(run.search_energy - run.search_reference) < 0.02);
    }
    bt_result_destroy(result);
  }
  ligand_set_close(&s.set);
}

/* No rigid part is longer than this box, and yet no pose fits. */
static void a_box_that_is_too_small_is_told(void **state) {
  (void)state;
  bt_error error;
  bt_result *result = NULL;
  scene s = scene_open(pocket, 6, (const int[LIGANDS]){9, 4, 4});
  bt_dock_options options = bt_dock_options_default();
  options.runs = 2;
  options.heuristics = options.autostop = false;
  options.evaluations = 5000;
  options.opt_device = "cpu";
  bt_status status = bt_dock(s.set.ligands[0], s.set.maps, NULL, &options, &result, &error);
  support_failed(status, BT_ERR_BOX, &error, "inside the box");
  assert_null(result);
  ligand_set_close(&s.set);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_wall_is_where_the_box_ends),
                                     cmocka_unit_test(what_is_outside_is_drawn_again),
                                     cmocka_unit_test(a_closed_pocket_is_found), cmocka_unit_test(a_face_holds),
                                     cmocka_unit_test(a_box_that_is_too_small_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
