/* test_races.c - the kernels of every team size under Oclgrind (Price, McIntosh-Smith, IWOCL'15), which interprets
 * OpenCL and reports data races and accesses outside of memory; all back ends share these kernels.
 *
 * Energies must agree with the plain kernels, and Oclgrind's log must stay empty. Skipped without Oclgrind.
 */
#include "fixture.h"

#if BT_WITH_OPENCL

static const char simulator[] = "/usr/lib/oclgrind/liboclgrind-rt-icd.so"; /* of Debian's package */

static char folder[256], log_path[300], icd_path[300], ligand_path[300];

/* A helix of atoms with three torsions, donors and acceptors: small, since an interpreter is slow. */
static bool write_ligand(void) {
  static const char *const types[] = {"C", "OA", "C", "N", "HD"};
  enum { ATOMS = 14, FIRST_TURNED = 5, TORSIONS = 3 };
  FILE *file = fopen(ligand_path, "w");
  if (file == NULL) return false;
  fprintf(file, "ROOT\n");
  for (int i = 0; i < ATOMS; i++) {
    int torsion = i - FIRST_TURNED;
    if (torsion == 0) fprintf(file, "ENDROOT\n");
    if (torsion >= 0 && torsion < TORSIONS) fprintf(file, "BRANCH %3d %3d\n", i, i + 1);
    fprintf(file, "ATOM  %5d  X   LIG A   1    %8.3f%8.3f%8.3f  0.00  0.00    %6.3f %s\n", i + 1, 2.5 * cos(0.6283 * i),
            2.5 * sin(0.6283 * i), 0.25 * i,
            i % 3 == 0   ? 0.12
            : i % 3 == 1 ? -0.15
                         : 0.03,
            types[i % 5]);
  }
  for (int torsion = TORSIONS - 1; torsion >= 0; torsion--)
    fprintf(file, "ENDBRANCH %3d %3d\n", FIRST_TURNED + torsion, FIRST_TURNED + torsion + 1);
  fprintf(file, "TORSDOF %d\n", TORSIONS);
  return fclose(file) == 0;
}

/* Makes Oclgrind the only OpenCL platform of this process. */
static int set_up(void **state) {
  (void)state;
  if (access(simulator, R_OK) != 0) return 0;
  const char *base = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/berth-test-XXXXXX", base != NULL ? base : "/tmp");
  if (mkdtemp(folder) == NULL) return -1;
  snprintf(log_path, sizeof log_path, "%s/log", folder);
  snprintf(icd_path, sizeof icd_path, "%s/simulator.icd", folder);
  snprintf(ligand_path, sizeof ligand_path, "%s/ligand.pdbqt", folder);
  if (!write_ligand()) return -1;
  FILE *icd = fopen(icd_path, "w");
  if (icd == NULL) return -1;
  fprintf(icd, "%s\n", simulator);
  fclose(icd);
  setenv("OCL_ICD_VENDORS", folder, 1);
  setenv("OCLGRIND_LOG", log_path, 1);
  setenv("OCLGRIND_CHECK_API", "1", 1);
  setenv("OCLGRIND_DATA_RACES", "1", 1);
  setenv("OCLGRIND_MAX_ERRORS", "5", 1);
  setenv("OCLGRIND_LOCAL_MEM_SIZE", "262144", 1);
  setenv("OCLGRIND_GLOBAL_MEM_SIZE", "1000000000", 1);
  setenv("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable", 1); /* it does not know what optimized code is annotated with */
  setenv("BERTH_CACHE_DIR", "", 1);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  if (folder[0] == '\0') return 0;
  unlink(log_path);
  unlink(icd_path);
  unlink(ligand_path);
  rmdir(folder);
  return 0;
}

/* Oclgrind must not have reported anything so far. */
static void assert_clean(const char *what) {
  char text[1500] = "";
  FILE *log = fopen(log_path, "r");
  if (log == NULL) return;
  text[fread(text, 1, sizeof text - 1, log)] = '\0';
  fclose(log);
  if (text[0] != '\0') fail_msg("%s: %s", what, text);
}

enum { RUNS = 2, POPULATION = 4, COUNT = RUNS * POPULATION };

/* One tiny job; energies[2 COUNT] of the first population, and after a generation without and with gradients. */
static void run_job(const bt_backend *backend, const fixture *f, int team, int method, float *energies) {
  bt_error error;
  bt_job *job;
  int64_t evaluations[RUNS];
  bt_dock_options options = bt_dock_options_default();
  options.runs = RUNS;
  options.population = POPULATION;
  options.seed = 3;
  bt_search_parameters p = bt_search_parameters_make(&options, f->ligand);
  p.local_search = method;
  p.iterations = 2;
  p.selection = method == BT_KERNEL_LS_ADADELTA ? BT_KERNEL_SELECT_PROPORTIONAL : BT_KERNEL_SELECT_TOURNAMENT;
  size_t n_genes = (size_t)BT_GENES(f->ligand->n_torsions), n_dofs = (size_t)BT_DOFS(f->ligand->n_torsions);
  float *genes = calloc(COUNT * n_genes, sizeof *genes), *gradients = calloc(COUNT * n_dofs, sizeof *gradients);
  bt_job_ligand one = {&f->data->kernel, &p};
  bt_job_options how = {.threads = 1, .team = team};
  support_ok(bt_job_create(backend, &one, 1, &how, &job, &error), &error);
  support_ok(bt_job_initialize(job, &error), &error);
  support_ok(bt_job_read_energies(job, 0, energies, evaluations, &error), &error);
  support_ok(bt_job_read_genes(job, 0, genes, &error), &error);
  support_ok(bt_job_generation(job, 1, NULL, &error), &error);
  support_ok(bt_job_evaluate(job, 0, COUNT, genes, energies + COUNT, gradients, &error), &error);
  bt_job_destroy(job);
  free(genes);
  free(gradients);
}

static void kernels_are_free_of_races(void **state) {
  (void)state;
  if (access(simulator, R_OK) != 0 || getenv("BERTH_TEST_SHORT") != NULL) {
    print_message("skipped: no Oclgrind (install oclgrind), or a short test is wanted\n");
    skip();
  }
  static const struct {
    int team, method;
  } cases[] = {{1, BT_KERNEL_LS_ADAM},
               {4, BT_KERNEL_LS_SOLIS_WETS},
               {8, BT_KERNEL_LS_ADADELTA},
               {32, BT_KERNEL_LS_ADAM},
               {128, BT_KERNEL_LS_ADADELTA}};
  fixture f = fixture_open_in(ligand_path, NULL, (const int[]){4, 4, 4});
  const bt_backend *reference, *backend;
  bt_error error;
  support_ok(bt_backend_find("cpu/scalar", &reference, &error), &error);
  support_ok(bt_backend_find("opencl:0", &backend, &error), &error);
  assert_non_null(strstr(bt_device_describe(backend).driver, "Oclgrind"));
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    float expected[2 * COUNT], found[2 * COUNT];
    char what[64];
    run_job(reference, &f, 0, cases[c].method, expected);
    run_job(backend, &f, cases[c].team, cases[c].method, found);
    snprintf(what, sizeof what, "team %d, local search %d", cases[c].team, cases[c].method);
    assert_clean(what);
    for (int i = 0; i < 2 * COUNT; i++)
      assert_true(fabsf(expected[i] - found[i]) <= 0.002f + 1e-4f * fabsf(expected[i]));
    print_message("%s: clean\n", what);
  }
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_are_free_of_races)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

#else

int main(void) { return 77; }

#endif
