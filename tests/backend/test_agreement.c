/* test_agreement.c - every back end and every team size of a device against the processor's plain kernels: random
 * words, the first population, one generation, the first steps of each local search.
 *
 * Random words are equal. Genes and energies are equal up to rounding, so the same parents are chosen; where two
 * candidates differ by less, the other may win, and a search that starts in a clash amplifies rounding: so only a
 * fraction of individuals must agree. On the processor, OpenCL's larger teams take long to compile: one is tried, and
 * in one test one of each kind: lanes in rows of 32 poses, of a warp, and of a block that share a pose.
 */
#include "fixture.h"

enum { RUNS = 3, POPULATION = 150, COUNT = RUNS * POPULATION, STEPS = 20 };

/* The result of a job on one back end. */
typedef struct outcome {
  uint32_t words[4 * COUNT];
  float initial[COUNT], next[COUNT], searched[COUNT], gradient_energies[COUNT];
  float *initial_genes, *next_genes, *searched_genes, *gradients;
  int64_t evaluations;
} outcome;

static bt_search_parameters parameters_of(const fixture *f, int selection, int crossover, int method) {
  bt_dock_options options = bt_dock_options_default();
  options.runs = RUNS;
  options.population = POPULATION;
  options.seed = 77;
  bt_search_parameters p = bt_search_parameters_make(&options, f->ligand);
  p.selection = selection;
  p.crossover = crossover;
  p.local_search = method;
  p.iterations = STEPS;
  p.sw_rho_limit = 0.0f;
  return p;
}

/* genes: where the search starts; NULL: from the job's first population. */
static void run_job(const bt_backend *backend, int team, bt_reduction reduction, const fixture *f,
                    const bt_search_parameters *p, const float *opt_genes, outcome *o) {
  bt_error error;
  bt_job *job;
  size_t n_genes = (size_t)BT_GENES(f->ligand->n_torsions), n_dofs = (size_t)BT_DOFS(f->ligand->n_torsions);
  o->initial_genes = calloc(COUNT * n_genes, sizeof(float));
  o->next_genes = calloc(COUNT * n_genes, sizeof(float));
  o->searched_genes = calloc(COUNT * n_genes, sizeof(float));
  o->gradients = calloc(COUNT * n_dofs, sizeof(float));
  int64_t evaluations[RUNS];
  bt_job_ligand one = {&f->data->kernel, p};
  bt_job_options how = {.threads = 2, .team = team, .reduction = reduction};
  support_ok(bt_job_create(backend, &one, 1, &how, &job, &error), &error);
  support_ok(bt_job_draw(job, 0, 3, 1, 7, 2, COUNT, o->words, &error), &error);
  support_ok(bt_job_initialize(job, &error), &error);
  support_ok(bt_job_read_genes(job, 0, o->initial_genes, &error), &error);
  support_ok(bt_job_read_energies(job, 0, o->initial, evaluations, &error), &error);
  const float *from = opt_genes != NULL ? opt_genes : o->initial_genes;
  support_ok(bt_job_evaluate(job, 0, COUNT, from, o->gradient_energies, o->gradients, &error), &error);
  memcpy(o->searched_genes, from, COUNT * n_genes * sizeof(float));
  if (p->local_search != BT_KERNEL_LS_NONE)
    support_ok(bt_job_local_search(job, 0, COUNT, o->searched_genes, o->searched, &o->evaluations, &error), &error);
  else
    support_ok(bt_job_generation(job, 1, NULL, &error), &error);
  support_ok(bt_job_read_genes(job, 0, o->next_genes, &error), &error);
  support_ok(bt_job_read_energies(job, 0, o->next, evaluations, &error), &error);
  bt_job_destroy(job);
}

static void outcome_free(outcome *o) {
  free(o->initial_genes);
  free(o->next_genes);
  free(o->searched_genes);
  free(o->gradients);
}

static bool near_energy(float a, float b) { return fabsf(a - b) <= 0.002f + 1e-4f * fabsf(a); }

/* Share of poses whose genes are the same to rounding; torsions are angles. */
static double share_of_genes(const float *a, const float *b, int n_genes) {
  int same = 0;
  for (int i = 0; i < COUNT; i++) {
    bool equal = true;
    for (int k = 0; k < n_genes; k++) {
      float d = fabsf(a[i * n_genes + k] - b[i * n_genes + k]);
      if (k >= BT_GENE_TORSION) d = fminf(d, fabsf(6.28318531f - d));
      equal &= d <= 1e-4f;
    }
    same += equal;
  }
  return (double)same / COUNT;
}

static double share_of_energies(const float *a, const float *b) {
  int same = 0;
  for (int i = 0; i < COUNT; i++) same += near_energy(a[i], b[i]);
  return (double)same / COUNT;
}

/* Largest distance of gradients in units of the pose's largest component. */
static double gradient_distance(const float *a, const float *b, int n_dofs) {
  double worst = 0;
  for (int i = 0; i < COUNT; i++) {
    double largest = 1, distance = 0;
    for (int k = 0; k < n_dofs; k++) {
      largest = fmax(largest, fabs((double)a[i * n_dofs + k]));
      distance = fmax(distance, fabs((double)a[i * n_dofs + k] - (double)b[i * n_dofs + k]));
    }
    worst = fmax(worst, distance / largest);
  }
  return worst;
}

/* Poses near the input pose: from a clash even a few steps of a search diverge. The caller frees. */
static float *near_poses(const fixture *f, const bt_backend *reference) {
  bt_search_parameters p = parameters_of(f, BT_KERNEL_SELECT_TOURNAMENT, BT_KERNEL_CROSS_TWO_POINT, BT_KERNEL_LS_NONE);
  outcome *o = calloc(1, sizeof *o);
  run_job(reference, 0, BT_REDUCTION_AUTO, f, &p, NULL, o);
  float *genes = o->initial_genes;
  for (int i = 0; i < COUNT; i++) fixture_near(f, genes + i * BT_GENES(f->ligand->n_torsions));
  o->initial_genes = NULL;
  outcome_free(o);
  free(o);
  return genes;
}

static const char *tensor_of(bt_reduction reduction) {
  return reduction == BT_REDUCTION_TENSOR_EC ? " on tensor cores" : "";
}

typedef void (*check_function)(const fixture *f, const bt_backend *reference, const bt_backend *backend, int team,
                               bt_reduction reduction);

static void generation_agrees(const fixture *f, const bt_backend *reference, const bt_backend *backend, int team,
                              bt_reduction reduction) {
  int n_genes = BT_GENES(f->ligand->n_torsions), n_dofs = BT_DOFS(f->ligand->n_torsions);
  for (int variant = 0; variant < 2; variant++) { /* tournament and two-point, proportional and uniform */
    bt_search_parameters p = parameters_of(f, variant, variant, BT_KERNEL_LS_NONE);
    outcome *expected = calloc(1, sizeof *expected), *found = calloc(1, sizeof *found);
    run_job(reference, 0, BT_REDUCTION_AUTO, f, &p, NULL, expected);
    run_job(backend, team, reduction, f, &p, expected->initial_genes, found);
    assert_memory_equal(expected->words, found->words, sizeof expected->words);
    double genes = share_of_genes(expected->initial_genes, found->initial_genes, n_genes);
    double energies = share_of_energies(expected->gradient_energies, found->gradient_energies);
    double initial = share_of_energies(expected->initial, found->initial);
    double gradient = gradient_distance(expected->gradients, found->gradients, n_dofs);
    double next = share_of_genes(expected->next_genes, found->next_genes, n_genes);
    print_message("%-12s team %3d%s %-12s: first population %.3f, energies %.3f, gradients off by %.1e, next one %.3f\n",
                  backend->name, team, tensor_of(reduction), variant == 0 ? "tournament" : "proportional", genes,
                  energies, gradient, next);
    assert_true(genes == 1 && energies == 1 && initial == 1);
    assert_true(gradient < 0.002); /* coordinates on a cell face may round to either side */
    assert_true(next >= 0.99);
    outcome_free(expected);
    outcome_free(found);
    free(expected);
    free(found);
  }
}

static void local_searches_agree(const fixture *f, const bt_backend *reference, const bt_backend *backend, int team,
                                 bt_reduction reduction) {
  static const int methods[] = {BT_KERNEL_LS_ADADELTA, BT_KERNEL_LS_SOLIS_WETS, BT_KERNEL_LS_ADAM};
  static const char *const names[] = {"ADADELTA", "Solis-Wets", "ADAM"};
  float *near = near_poses(f, reference);
  for (int m = 0; m < 3; m++) {
    bt_search_parameters p = parameters_of(f, BT_KERNEL_SELECT_TOURNAMENT, BT_KERNEL_CROSS_TWO_POINT, methods[m]);
    outcome *expected = calloc(1, sizeof *expected), *found = calloc(1, sizeof *found);
    run_job(reference, 0, BT_REDUCTION_AUTO, f, &p, near, expected);
    run_job(backend, team, reduction, f, &p, near, found);
    double energies = share_of_energies(expected->searched, found->searched);
    double off = fabs((double)(expected->evaluations - found->evaluations)) / (double)expected->evaluations;
    print_message("%-12s team %3d%s %-12s: %.3f of searches end alike, evaluations off by %.4f\n", backend->name, team,
                  tensor_of(reduction), names[m], energies, off);
    assert_true(energies >= 0.95);
    assert_true(off < 0.01);
    outcome_free(expected);
    outcome_free(found);
    free(expected);
    free(found);
  }
  free(near);
}

/* A device may lack the local memory for this ligand in some teams; it must say so. */
static bool has_room(const fixture *f, const bt_backend *backend, int team) {
  bt_search_parameters p = parameters_of(f, BT_KERNEL_SELECT_TOURNAMENT, BT_KERNEL_CROSS_TWO_POINT, BT_KERNEL_LS_NONE);
  bt_job_ligand one = {&f->data->kernel, &p};
  bt_job_options how = {.threads = 2, .team = team};
  bt_job *job;
  bt_error error;
  bt_status status = bt_job_create(backend, &one, 1, &how, &job, &error);
  if (status == BT_OK) {
    bt_job_destroy(job);
    return true;
  }
  assert_int_equal(status, BT_ERR_LIMIT);
  print_message("%-12s team %3d: %s\n", backend->name, team, error.message);
  return false;
}

static bool is_tried(const bt_device_info *info, int team, bool more) {
  if (info->accelerator) return true;
  if (getenv("BERTH_TEST_SHORT") != NULL) return false;
  return team == 4 || (more && (team == 32 || team == 128));
}

static void on_every_team(check_function check, bool pair) {
  fixture f = fixture_open_number(BERTH_SOURCE_DIR "/examples/1hpv/ligand.pdbqt", NULL, (const int[]){60, 56, 50},
                                  BT_SCORING_AD4, pair);
  const bt_backend *reference;
  bt_error error;
  support_ok(bt_backend_find("cpu/scalar", &reference, &error), &error);
  for (int b = 0; b < bt_backend_count(); b++) {
    const bt_backend *backend = bt_backend_get(b);
    bt_device_info info = bt_device_describe(backend);
    if (!info.usable) continue;
    check(&f, reference, backend, 0, BT_REDUCTION_AUTO);
    for (int t = 0; t < info.n_teams && info.n_teams > 1; t++)
      if (is_tried(&info, info.teams[t], check == generation_agrees && !pair) && has_room(&f, backend, info.teams[t]))
        check(&f, reference, backend, info.teams[t], BT_REDUCTION_AUTO);
    if ((info.reductions & (1u << BT_REDUCTION_TENSOR_EC)) == 0) continue;
    for (int team = 64; team <= 256; team *= 2) check(&f, reference, backend, team, BT_REDUCTION_TENSOR_EC);
  }
  fixture_close(&f);
}

static void one_generation_agrees(void **state) {
  (void)state;
  on_every_team(generation_agrees, false);
}

static void first_steps_of_local_searches_agree(void **state) {
  (void)state;
  on_every_team(local_searches_agree, false);
}

static void two_ligands_at_once_agree(void **state) {
  (void)state;
  on_every_team(generation_agrees, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_generation_agrees),
                                     cmocka_unit_test(first_steps_of_local_searches_agree),
                                     cmocka_unit_test(two_ligands_at_once_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
