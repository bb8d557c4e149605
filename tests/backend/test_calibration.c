/* test_calibration.c - the variants of a job are timed once per device and class of ligand size, and the fastest is
 * chosen; on a fake GPU.
 */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>

#include "engine/lga/device/calibrate.h"
#include "engine/lga/device/choice.h"
#include "backend/ligands.h"
#include "backend/toy_gpu.h"

/* ---- ligands ---- */

static const int atoms[LIGANDS] = {14, 15, 40}; /* the first two are of one class */

typedef struct scene {
  ligand_set set;
  bt_search_parameters parameters[LIGANDS];
  char folder[512];
} scene;

static int setup(void **state) {
  scene *s = calloc(1, sizeof *s);
  bt_box box = {.npts = {20, 20, 20}, .spacing = 0.5};
  support_folder(s->folder, sizeof s->folder);
  ligand_set_open(&s->set, &box, atoms, s->folder);
  for (int l = 0; l < LIGANDS; l++) {
    bt_dock_options options = bt_dock_options_default();
    options.runs = 2;
    s->parameters[l] = bt_search_parameters_make(&options, s->set.ligands[l]);
  }
  *state = s;
  return setenv("BERTH_CACHE_DIR", s->folder, 1);
}

/* The path of the only entry of the cache. */
static int entries(const scene *s, char *path, size_t size, bool remove_all) {
  DIR *directory = opendir(s->folder);
  assert_non_null(directory);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, size, "%s/%s", s->folder, entry->d_name);
    assert_true(strncmp(entry->d_name, "calibration-", 12) == 0);
    if (remove_all) unlink(path);
    count++;
  }
  closedir(directory);
  return count;
}

static int teardown(void **state) {
  scene *s = *state;
  char path[1024];
  entries(s, path, sizeof path, true);
  rmdir(s->folder);
  ligand_set_close(&s->set);
  free(s);
  return 0;
}

static scene *begin(void **state) {
  char path[1024];
  entries(*state, path, sizeof path, true);
  gpu.slow_team = gpu.failing_team = gpu.slow_count = 0;
  gpu.driver = "Driver 1";
  return *state;
}

static bt_job *open_job(const scene *s, int ligand, int team) {
  bt_error error;
  bt_job_ligand one = {&s->set.data[ligand]->kernel, &s->parameters[ligand]};
  bt_job_options how = {.team = team};
  bt_job *job;
  const bt_backend *backend = bt_backend_get_of(&runtime, 0);
  gpu.gradients = 0;
  support_ok(bt_job_create(backend, &one, 1, &how, &job, &error), &error);
  return job;
}

/* Launches made by a job's calibration. */
static int launches_of(const scene *s, int ligand, int team) {
  bt_job_destroy(open_job(s, ligand, team));
  return gpu.gradients;
}

/* After opening a job for the ligand the cache has that many entries. */
static bt_job *open_kept(const scene *s, int ligand, int entries_then) {
  char path[1024];
  bt_job *job = open_job(s, ligand, 0);
  assert_int_equal(entries(s, path, sizeof path, false), entries_then);
  return job;
}

/* ---- tests ---- */

static void between_measurements_times_are_interpolated(void **state) {
  (void)state;
  bt_calibration c = {.n_counts = 5, .nanoseconds = {{900, 1000, 2000, 8000, 32000}, {3000, 3000, 3000, 3000, 20000}}};
  assert_float_equal(bt_calibration_time(&c, 0, 1), 900, 1e-9);
  assert_float_equal(bt_calibration_time(&c, 0, 64), 900, 1e-9);
  assert_float_equal(bt_calibration_time(&c, 0, 256), 1000, 1e-9);
  assert_float_equal(bt_calibration_time(&c, 0, 512), 1000 * sqrt(2), 1e-6);
  assert_float_equal(bt_calibration_time(&c, 0, 1024), 2000, 1e-6);
  assert_float_equal(bt_calibration_time(&c, 0, 2048), 4000, 1e-6);
  assert_float_equal(bt_calibration_time(&c, 0, 16384), 32000, 1e-6);
  assert_float_equal(bt_calibration_time(&c, 0, 65536), 128000, 1e-6);
  c.n_counts = 1;
  assert_float_equal(bt_calibration_time(&c, 1, 512), 24000, 1e-6);
  assert_true(isinf(bt_calibration_time(&c, 2, 512)));
}

static void the_least_time_is_taken(void **state) {
  scene *s = begin(state);
  bt_job *job = open_job(s, 0, 0);
  assert_int_equal(job->n_choices, 3);
  /* wide teams for few poses, narrow ones for many; the last one cannot be run */
  job->calibration = (bt_calibration){
      .n_counts = 5,
      .nanoseconds = {{3000, 3000, 4000, 9000, 30000}, {1000, 1000, 3000, 12000, 48000}, {0, 0, 0, 0, 0}}};
  const int expected[][2] = {{10, 4}, {1000, 4}, {1100, 4}, {4096, 1}, {100000, 1}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
    assert_int_equal(bt_device_choice_for(job, (size_t)expected[k][0])->variant.team, expected[k][1]);
  job->calibration.n_counts = 0; /* estimated */
  assert_non_null(bt_device_choice_for(job, 1000));
  bt_job_destroy(job);
}

static void slow_ones_are_found_out(void **state) {
  scene *s = begin(state);
  for (int c = 0; c < 2; c++) {
    begin(state);
    gpu.slow_team = images[c].values[0];
    bt_job *job = open_job(s, 0, 0);
    assert_true(job->calibration.nanoseconds[c][0] >= 20000000);
    for (size_t poses = 1; poses < 100000; poses *= 3)
      assert_int_not_equal(bt_device_choice_for(job, poses)->variant.team, gpu.slow_team);
    bt_job_destroy(job);
  }
}

static void a_disturbed_measurement_is_mended_and_not_kept(void **state) {
  scene *s = begin(state);
  char path[1024];
  gpu.slow_count = 64;
  bt_job *job = open_job(s, 0, 0);
  const bt_calibration *c = &job->calibration;
  assert_true(c->nanoseconds[0][0] > 0 && c->nanoseconds[0][0] <= c->nanoseconds[0][1]);
  bt_job_destroy(job);
  assert_int_equal(entries(s, path, sizeof path, false), 0);
  gpu.slow_count = 0;
  bt_job_destroy(open_kept(s, 0, 1));
  assert_true(gpu.gradients > 0);
}

static void what_was_measured_is_kept(void **state) {
  scene *s = begin(state);
  bt_job *job = open_kept(s, 0, 1);
  bt_calibration first = job->calibration;
  assert_true(gpu.gradients >= 3 * 4 && first.n_counts > 0);
  bt_job_destroy(job);
  job = open_job(s, 1, 0); /* a little larger */
  assert_int_equal(gpu.gradients, 0);
  assert_memory_equal(&job->calibration, &first, sizeof first);
  bt_job_destroy(job);
  bt_job_destroy(open_kept(s, 2, 2)); /* much larger */
  assert_true(gpu.gradients > 0);
  gpu.driver = "Driver 2";
  bt_job_destroy(open_kept(s, 0, 3));
  assert_true(gpu.gradients > 0);
}

static void nothing_is_measured_when_there_is_no_choice(void **state) {
  scene *s = begin(state);
  char path[1024];
  assert_int_equal(launches_of(s, 0, 4), 0);
  assert_int_equal(entries(s, path, sizeof path, false), 0);
}

static void damaged_entries_are_made_again(void **state) {
  scene *s = begin(state);
  char path[1024];
  bt_job_destroy(open_kept(s, 0, 1));
  assert_int_equal(launches_of(s, 0, 0), 0);
  assert_int_equal(entries(s, path, sizeof path, false), 1);
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  fseek(file, -3, SEEK_END);
  fputc('x', file);
  fclose(file);
  assert_true(launches_of(s, 0, 0) > 0);
  assert_int_equal(launches_of(s, 0, 0), 0);
}

static void texts_are_read_as_written(void **state) {
  scene *s = begin(state);
  bt_job *job = open_job(s, 0, 0);
  bt_calibration in = {.n_counts = 2, .nanoseconds = {{5, 6}, {0, 0}, {7, 8000000}}}, out = {0};
  char text[1024], broken[1024];
  int length = bt_calibration_write(job, &in, text, sizeof text);
  assert_true(length > 0 && length < (int)sizeof text);
  assert_int_equal(bt_calibration_write(job, &in, broken, 10), length);
  assert_true(bt_calibration_read(job, text, &out));
  assert_memory_equal(&in, &out, sizeof in);
  for (int end = 0; end < length; end++) { /* every truncation of it is refused */
    snprintf(broken, (size_t)end + 1, "%s", text);
    assert_false(bt_calibration_read(job, broken, &out));
  }
  static const char *const bad[] = {"poses 256\nteam 4 poses 32 simt: 5\n", "poses 99\n", "poses 256 -1\n", "# only"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) assert_false(bt_calibration_read(job, bad[k], &out));
  assert_memory_equal(&in, &out, sizeof in);
  bt_job_destroy(job);
}

static void kernels_that_do_not_run_are_not_taken(void **state) {
  scene *s = begin(state);
  gpu.failing_team = 1;
  bt_job *job = open_job(s, 0, 0);
  assert_true(job->calibration.n_counts > 0);
  for (size_t poses = 1; poses < 100000; poses *= 3)
    assert_int_not_equal(bt_device_choice_for(job, poses)->variant.team, 1);
  bt_job_destroy(job);
}

static void a_cache_may_be_off(void **state) {
  scene *s = begin(state);
  setenv("BERTH_CACHE_DIR", "", 1);
  assert_true(launches_of(s, 0, 0) > 0);
  assert_true(launches_of(s, 0, 0) > 0);
  setenv("BERTH_CACHE_DIR", s->folder, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(between_measurements_times_are_interpolated),
                                     cmocka_unit_test(the_least_time_is_taken),
                                     cmocka_unit_test(slow_ones_are_found_out),
                                     cmocka_unit_test(a_disturbed_measurement_is_mended_and_not_kept),
                                     cmocka_unit_test(what_was_measured_is_kept),
                                     cmocka_unit_test(nothing_is_measured_when_there_is_no_choice),
                                     cmocka_unit_test(damaged_entries_are_made_again),
                                     cmocka_unit_test(texts_are_read_as_written),
                                     cmocka_unit_test(kernels_that_do_not_run_are_not_taken),
                                     cmocka_unit_test(a_cache_may_be_off)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
