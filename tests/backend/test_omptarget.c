/* test_omptarget.c - the OpenMP target runtime: reasons why there is no device, memory, every variant's kernels.
 *
 * Without a GPU target regions run on the host, which only BERTH_OMPTARGET_ALLOW_HOST=1 allows. Physics is tested with
 * that of all back ends.
 */
#include "fixture.h"

#include "backend/omptarget/omptarget.h"
#include "engine/lga/device/module.h"

static const bt_runtime *const omp = &bt_runtime_omptarget;

/* Skips the test in a build without the library. */
static const bt_omptarget_table *need_library(void) {
  char reason[256] = "";
  const bt_omptarget_table *table = bt_omptarget_library(reason, sizeof reason);
  if (table != NULL) return table;
  print_message("skipped: %s\n", reason);
  skip();
  return NULL;
}

static bt_runtime_device *open_first(void) {
  bt_error error;
  bt_runtime_device *device = NULL;
  need_library();
  setenv("BERTH_OMPTARGET_ALLOW_HOST", "1", 1);
  support_ok(omp->open(0, &device, &error), &error);
  return device;
}

static void absence_has_a_reason(void **state) {
  (void)state;
  char reason[256] = "";
  bt_error error;
  bt_runtime_device *device = NULL;
  setenv("BERTH_OMPTARGET_LIBRARY", "/tmp/no-such-folder/libberth_omptarget.so", 1);
  assert_int_equal(omp->device_count(reason, sizeof reason), 0);
  assert_non_null(strstr(reason, "no-such-folder"));
  assert_non_null(strstr(reason, "does not load"));
  support_failed(omp->open(0, &device, &error), BT_ERR_DEVICE, &error, "does not load");
  unsetenv("BERTH_OMPTARGET_LIBRARY");
}

static void the_host_is_never_taken_silently(void **state) {
  (void)state;
  char reason[256] = "";
  bt_error error;
  bt_runtime_device *device = NULL;
  const bt_omptarget_table *table = need_library();
  unsetenv("BERTH_OMPTARGET_ALLOW_HOST");
  if (table->build[0] != '\0' && table->device_count() > 0) skip(); /* there is a GPU */
  assert_int_equal(omp->device_count(reason, sizeof reason), 0);
  print_message("%s\n", reason);
  assert_true(strlen(reason) > 20);
  support_failed(omp->open(0, &device, &error), BT_ERR_DEVICE, &error, "OpenMP");

  setenv("BERTH_OMPTARGET_ALLOW_HOST", "1", 1);
  assert_int_equal(omp->device_count(reason, sizeof reason), 1);
  bt_runtime_properties properties;
  omp->device_properties(0, &properties);
  assert_true(properties.cpu && strstr(properties.name, "BERTH_OMPTARGET_ALLOW_HOST") != NULL);
  assert_false(table->runs_there(table->host()));
  support_failed(omp->open(1, &device, &error), BT_ERR_DEVICE, &error, "no such device");
}

static void memory_is_copied_and_cleared(void **state) {
  (void)state;
  enum { BYTES = 4099 };
  bt_error error;
  bt_runtime_device *device = open_first();
  bt_runtime_buffer buffer;
  unsigned char there[BYTES], back[BYTES];
  for (int i = 0; i < BYTES; i++) there[i] = (unsigned char)(i * 7 + 1);
  support_ok(omp->allocate(device, BYTES, &buffer, &error), &error);
  support_ok(omp->upload(device, &buffer, 0, there, BYTES, &error), &error);
  support_ok(omp->clear(device, &buffer, 16, 128, &error), &error);
  support_ok(omp->clear(device, &buffer, 1001, 3, &error), &error);
  memset(there + 16, 0, 128);
  memset(there + 1001, 0, 3);
  support_ok(omp->upload(device, &buffer, 4000, "berth", 5, &error), &error);
  memcpy(there + 4000, "berth", 5);
  support_ok(omp->download(device, back, &buffer, 0, BYTES, &error), &error);
  assert_memory_equal(there, back, BYTES);
  omp->release(device, &buffer);
  assert_null(buffer.handle);
  support_failed(omp->allocate(device, (size_t)1 << 60, &buffer, &error), BT_ERR_MEMORY, &error, "cannot allocate");
  omp->close(device);
}

static void unknown_variants_are_refused(void **state) {
  (void)state;
  bt_error error;
  bt_runtime_device *device = open_first();
  bt_runtime_program *program, *again;
  bt_variant variant = {{3, 5, BT_REDUCTION_SIMT}, 0}, first = {.real = 0};
  support_failed(omp->program(device, &bt_lga_module, &variant, &program, &error), BT_ERR_LIMIT, &error, "no kernels");
  memcpy(first.values, omp->images[0].values, sizeof first.values);
  support_ok(omp->program(device, &bt_lga_module, &first, &program, &error), &error);
  support_ok(omp->program(device, &bt_lga_module, &first, &again, &error), &error);
  assert_ptr_equal(program, again);
  omp->close(device);
}

/* Energies of one population by every team size, and how many draws it took: both approaches, and more blocks than
 * teams. */
static void all_teams_agree(void **state) {
  (void)state;
  enum { COUNT = 700 };
  bt_error error;
  const bt_backend *backend, *reference;
  need_library();
  setenv("BERTH_OMPTARGET_ALLOW_HOST", "1", 1);
  support_ok(bt_backend_find("omp-target", &backend, &error), &error);
  support_ok(bt_backend_find("cpu/scalar", &reference, &error), &error);
  fixture f = fixture_open(BERTH_SOURCE_DIR "/examples/1hpv/ligand.pdbqt", NULL);
  bt_dock_options options = bt_dock_options_default();
  options.runs = 7;
  options.population = COUNT / 7;
  bt_search_parameters p = bt_search_parameters_make(&options, f.ligand);
  bt_job_ligand one = {&f.data->kernel, &p};
  float *expected = calloc(COUNT, sizeof *expected), *found = calloc(COUNT, sizeof *found);
  int64_t drawn[7];
  const int teams[] = {0, 1, 8, 4};
  for (int v = -1; v < 3; v++) {
    bt_job_options how = {.threads = 2, .team = teams[v + 1]};
    bt_job *job;
    int64_t evaluations[7];
    const bt_backend *with = v < 0 ? reference : backend;
    support_ok(bt_job_create(with, &one, 1, &how, &job, &error), &error);
    support_ok(bt_job_initialize(job, &error), &error);
    support_ok(bt_job_read_energies(job, 0, v < 0 ? expected : found, evaluations, &error), &error);
    bt_job_destroy(job);
    for (int i = 0; i < COUNT && v >= 0; i++)
      assert_true(fabsf(found[i] - expected[i]) <= 0.002f + 1e-4f * fabsf(expected[i]));
    if (v < 0) memcpy(drawn, evaluations, sizeof drawn);
    for (int run = 0; run < 7; run++) {
      assert_true(evaluations[run] >= COUNT / 7);
      assert_int_equal(evaluations[run], drawn[run]);
    }
  }
  free(expected);
  free(found);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(absence_has_a_reason),
      cmocka_unit_test(the_host_is_never_taken_silently),
      cmocka_unit_test(memory_is_copied_and_cleared),
      cmocka_unit_test(unknown_variants_are_refused),
      cmocka_unit_test(all_teams_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
