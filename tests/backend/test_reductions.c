/* test_reductions.c - the sums of teams on a device, with every reduction, against double precision and against its
 * model on the host. Skipped where no device has tensor cores.
 */
#include "fixture.h"
#include "bench/reductions/model.h"
#include "unit/assert_near.h"

enum { POSES = 128 };

static const char *const names[] = {"auto",       "simt",          "tensor-fp16", "tensor-ec",
                                    "sequential", "two-step-fp16", "two-step-ec"};

typedef struct study {
  bt_reduction_case c;
  size_t n_values, stride;
  float *genes, *values; /* [POSES][stride] */
  float *energies, *gradients;
} study;

static bt_job *open_job(const fixture *f, const bt_backend *backend, const bt_search_parameters *p, int team,
                                bt_reduction reduction) {
  bt_error error;
  bt_job *job;
  bt_job_ligand one = {&f->data->kernel, p};
  bt_job_options how = {.threads = 2, .team = team, .reduction = reduction};
  support_ok(bt_job_create(backend, &one, 1, &how, &job, &error), &error);
  return job;
}

/* Random poses, every second one near the input pose: far from clashes. */
static float *make_genes(const fixture *f, const bt_search_parameters *p) {
  bt_error error;
  const bt_backend *backend;
  size_t n_genes = (size_t)BT_GENES(f->ligand->n_torsions);
  float *genes = calloc(POSES * n_genes, sizeof *genes);
  support_ok(bt_backend_find("cpu/scalar", &backend, &error), &error);
  bt_job *job = open_job(f, backend, p, 0, BT_REDUCTION_AUTO);
  support_ok(bt_job_initialize(job, &error), &error);
  support_ok(bt_job_read_genes(job, 0, genes, &error), &error);
  bt_job_destroy(job);
  for (size_t i = 1; i < POSES; i += 2) fixture_near(f, genes + i * n_genes);
  return genes;
}

static study study_run(const fixture *f, const bt_backend *backend, const bt_search_parameters *p, int team,
                       bt_reduction reduction, const float *genes) {
  bt_error error;
  study s = {.c = {.bodies = f->data->bodies, .n_bodies = f->data->kernel.sizes.n_bodies,
                   .n_atoms = f->data->kernel.sizes.n_atoms, .ranks = team}};
  s.n_values = bt_reduction_value_count(&s.c);
  s.stride = s.n_values + bt_reduction_sum_count(&s.c);
  s.values = calloc(POSES * s.stride, sizeof *s.values);
  s.energies = calloc(POSES, sizeof *s.energies);
  s.gradients = calloc(POSES * (size_t)BT_DOFS(f->ligand->n_torsions), sizeof *s.gradients);
  bt_job *job = open_job(f, backend, p, team, reduction);
  support_ok(bt_job_study_sums(job, 0, POSES, genes, s.values, &error), &error);
  support_ok(bt_job_evaluate(job, 0, POSES, genes, s.energies, s.gradients, &error), &error);
  bt_job_destroy(job);
  return s;
}

static void study_free(study *s) {
  free(s->values);
  free(s->energies);
  free(s->gradients);
}

/* Sums against their terms; half precision only near the input pose, where its range is enough. */
static void check_sums(const study *s, const char *device, bt_reduction reduction, double tolerance) {
  size_t n = bt_reduction_sum_count(&s->c);
  double *exact = calloc(2 * n, sizeof *exact), *magnitudes = exact + n, worst = 0;
  float *model = calloc(n, sizeof *model);
  long compared = 0, equal = 0;
  bool half = reduction == BT_REDUCTION_TENSOR_FP16 || reduction == BT_REDUCTION_TWO_STEP_FP16;
  for (size_t i = half ? 1 : 0; i < POSES; i += half ? 2 : 1) {
    const float *values = s->values + i * s->stride, *sums = values + s->n_values;
    bt_reduction_exact(&s->c, values, exact, magnitudes);
    bt_reduction_model(reduction, &s->c, values, model);
    for (size_t k = 0; k < n; k++) {
      double off = fabs((double)sums[k] - exact[k]);
      compared++;
      equal += sums[k] == model[k];
      if (!(off == 0)) worst = fmax(worst, isnan(off) ? INFINITY : off / magnitudes[k]);
    }
  }
  print_message("%-10s team %3d %-11s: error / sum of |terms| %.1e; %.4f of the sums as the model has them\n", device,
                s->c.ranks, names[reduction], worst, (double)equal / (double)compared);
  assert_true(worst <= tolerance);
  free(exact);
  free(model);
}

/* The seven sums of the papers, in every team. */
static void check_seven(const fixture *f, const bt_backend *backend, const float *genes,
                        const bt_search_parameters *p) {
  static const bt_reduction strategies[] = {BT_REDUCTION_SEQUENTIAL, BT_REDUCTION_TWO_STEP_EC,
                                            BT_REDUCTION_TWO_STEP_FP16};
  for (int team = 64; team <= 256; team *= 2)
    for (int s = 0; s < 3; s++) {
      study of = study_run(f, backend, p, team, strategies[s], genes);
      check_sums(&of, backend->name, strategies[s], strategies[s] == BT_REDUCTION_TWO_STEP_FP16 ? 1e-2 : 2e-6);
      study_free(&of);
    }
}

static void check_device(const fixture *f, const bt_backend *backend, const float *genes,
                         const bt_search_parameters *p) {
  for (int team = 64; team <= 256; team *= 2) {
    study simt = study_run(f, backend, p, team, BT_REDUCTION_SIMT, genes);
    study corrected = study_run(f, backend, p, team, BT_REDUCTION_TENSOR_EC, genes);
    study half = study_run(f, backend, p, team, BT_REDUCTION_TENSOR_FP16, genes);
    check_sums(&simt, backend->name, BT_REDUCTION_SIMT, 2e-6);
    check_sums(&corrected, backend->name, BT_REDUCTION_TENSOR_EC, 2e-6);
    check_sums(&half, backend->name, BT_REDUCTION_TENSOR_FP16, 1e-2);
    for (size_t i = 0; i < POSES; i++) {
      assert_near((double)corrected.energies[i], (double)simt.energies[i],
                  0.002 + 1e-4 * fabs((double)simt.energies[i]));
      assert_false(isnan(half.energies[i]));
    }
    study_free(&simt);
    study_free(&corrected);
    study_free(&half);
  }
}

static bt_search_parameters parameters_of(const fixture *f) {
  bt_dock_options options = bt_dock_options_default();
  options.runs = 1;
  options.population = POSES;
  options.seed = 5;
  return bt_search_parameters_make(&options, f->ligand);
}

static bool has_tensor_cores(const bt_backend *backend) {
  bt_device_info info = bt_device_describe(backend);
  return info.usable && (info.reductions & (1u << BT_REDUCTION_TENSOR_EC)) != 0;
}

static void sums_agree_with_double_precision(void **state) {
  (void)state;
  fixture f = fixture_open(BERTH_SOURCE_DIR "/examples/1hpv/ligand.pdbqt", NULL);
  bt_search_parameters p = parameters_of(&f);
  float *genes = make_genes(&f, &p);
  int devices = 0;
  for (int b = 0; b < bt_backend_count(); b++) {
    if (!has_tensor_cores(bt_backend_get(b))) continue;
    check_device(&f, bt_backend_get(b), genes, &p);
    check_seven(&f, bt_backend_get(b), genes, &p);
    devices++;
  }
  free(genes);
  fixture_close(&f);
  if (devices == 0) skip();
}

static void cycles_are_counted_or_not(void **state) {
  (void)state;
  fixture f = fixture_open(BERTH_SOURCE_DIR "/examples/1hpv/ligand.pdbqt", NULL);
  bt_search_parameters p = parameters_of(&f);
  float *genes = make_genes(&f, &p), energies[POSES];
  p.iterations = 20;
  for (int b = 0; b < bt_backend_count(); b++) {
    bt_error error;
    const bt_backend *backend = bt_backend_get(b);
    int64_t evaluations = 0, sums = 0, all = 0;
    if (!bt_device_describe(backend).usable) continue;
    bool counted = has_tensor_cores(backend);
    bt_job *job = open_job(&f, backend, &p, counted ? 64 : 0, BT_REDUCTION_AUTO);
    support_ok(bt_job_study_cycles(job, 0, POSES, genes, energies, &evaluations, &sums, &all, &error), &error);
    bt_job_destroy(job);
    print_message("%-10s %lld of %lld cycles in sums\n", backend->name, (long long)sums, (long long)all);
    assert_true(counted ? sums > 0 && sums < all : sums == 0 && all == 0);
  }
  free(genes);
  fixture_close(&f);
}

static void reductions_that_are_absent_are_refused(void **state) {
  (void)state;
  fixture f = fixture_open(BERTH_SOURCE_DIR "/examples/1hpv/ligand.pdbqt", NULL);
  bt_search_parameters p = parameters_of(&f);
  for (int b = 0; b < bt_backend_count(); b++) {
    bt_error error;
    bt_job *job;
    const bt_backend *backend = bt_backend_get(b);
    bt_device_info info = bt_device_describe(backend);
    if (!info.usable || has_tensor_cores(backend)) continue;
    bt_job_ligand one = {&f.data->kernel, &p};
    bt_job_options how = {.threads = 2, .reduction = BT_REDUCTION_TENSOR_EC};
    support_failed(bt_job_create(backend, &one, 1, &how, &job, &error),
                   strncmp(info.name, "cpu/", 4) == 0 ? BT_ERR_USAGE : BT_ERR_LIMIT, &error, "tensor");
  }
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_agree_with_double_precision),
                                     cmocka_unit_test(cycles_are_counted_or_not),
                                     cmocka_unit_test(reductions_that_are_absent_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
