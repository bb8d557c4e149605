/* test_driver.c - the runtimes of CUDA and HIP on a fake driver (fake_gpu): their calls, and how they handle errors.
 * Skipped if the fake driver is not in LD_LIBRARY_PATH, where `ctest` puts it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/cuda.h"
#include "backend/hip/hip.h"
#include "base/threads.h"
#include "engine/lga/device/module.h"
#include "fake_gpu/fake_gpu.h"

typedef struct fixture {
  const bt_runtime *runtime;
  fake_gpu_state *fake;
  bt_runtime_device *device;
  bool kernels; /* this build, or the fake driver, has some */
} fixture;

static fixture *open_fixture(void **state) {
  fixture *f = *state;
  bt_error error;
  if (f->fake == NULL) skip();
  f->fake->fail = NULL;
  f->fake->log = NULL;
  if (f->runtime->device_count((char[256]){0}, 256) == 0) skip(); /* built without kernels */
  assert_int_equal(BT_OK, f->runtime->open(0, &f->device, &error));
  return f;
}

static void close_fixture(fixture *f) {
  f->fake->fail = NULL;
  f->runtime->close(f->device);
  assert_int_equal(0, f->fake->allocations);
  assert_int_equal(0, f->fake->modules);
  assert_int_equal(0, f->fake->streams);
  assert_int_equal(0, f->fake->events);
  assert_int_equal(0, f->fake->pinned);
}

static void describes_its_devices(void **state) {
  fixture *f = open_fixture(state);
  bt_runtime_properties properties;
  char reason[256];
  assert_int_equal(FAKE_GPU_DEVICES, f->runtime->device_count(reason, sizeof reason));
  assert_string_equal("", reason);
  f->runtime->device_properties(1, &properties);
  assert_string_equal(FAKE_GPU_NAME " 1", properties.name);
  assert_string_equal("", properties.reason);
  assert_int_equal(7, properties.cores);
  assert_int_equal(32, properties.wave);
  assert_int_equal(FAKE_GPU_BLOCK, properties.block_threads);
  assert_int_equal(FAKE_GPU_LOCAL, properties.local_memory);
  assert_int_equal(2 * FAKE_GPU_LOCAL, properties.local_memory_core);
  assert_true(properties.memory == FAKE_GPU_MEMORY && properties.free_memory == FAKE_GPU_MEMORY);
  close_fixture(f);
}

/* The source of a copy may change as soon as upload returns, even if the driver copies later. */
static void copies_what_was_there(void **state) {
  fixture *f = open_fixture(state);
  enum { WORDS = 1 << 18, STEP = 1 << 8 };
  bt_runtime_buffer buffer;
  bt_error error;
  uint32_t *from = malloc(WORDS * sizeof *from), *to = malloc(WORDS * sizeof *to);
  assert_int_equal(BT_OK, f->runtime->allocate(f->device, WORDS * sizeof *from, &buffer, &error));
  for (size_t step = STEP; step <= WORDS; step = step == STEP ? WORDS : WORDS + 1) { /* many small ones, one large */
    for (size_t at = 0; at < WORDS; at += step) {
      for (size_t i = 0; i < step; i++) from[i] = (uint32_t)(at + i) * 3u + (uint32_t)step;
      assert_int_equal(BT_OK, f->runtime->upload(f->device, &buffer, at * 4, from, step * 4, &error));
      memset(from, 0x55, step * 4);
    }
    assert_int_equal(BT_OK, f->runtime->download(f->device, to, &buffer, 0, WORDS * 4, &error));
    for (size_t i = 0; i < WORDS; i++) assert_int_equal((uint32_t)i * 3u + (uint32_t)step, to[i]);
  }
  assert_int_equal(BT_OK, f->runtime->clear(f->device, &buffer, 4, 8, &error));
  assert_int_equal(BT_OK, f->runtime->download(f->device, to, &buffer, 0, 16, &error));
  assert_int_equal(0, to[1]);
  assert_int_equal(0, to[2]);
  assert_int_not_equal(0, to[3]);
  /* past the end */
  assert_int_equal(BT_ERR_DEVICE, f->runtime->upload(f->device, &buffer, WORDS * 4 - 4, to, 8, &error));
  assert_int_equal(BT_ERR_DEVICE, f->runtime->download(f->device, to, &buffer, SIZE_MAX - 3, 8, &error));
  f->runtime->release(f->device, &buffer);
  assert_null(buffer.handle);
  free(from);
  free(to);
  close_fixture(f);
}

static void says_when_memory_is_out(void **state) {
  fixture *f = open_fixture(state);
  bt_runtime_buffer first, second;
  bt_error error;
  assert_int_equal(BT_OK, f->runtime->allocate(f->device, FAKE_GPU_MEMORY - 1024, &first, &error));
  bt_runtime_properties properties;
  f->runtime->device_properties(0, &properties);
  assert_int_equal(1024, properties.free_memory);
  assert_int_equal(BT_ERR_MEMORY, f->runtime->allocate(f->device, (size_t)3 << 20, &second, &error));
  assert_null(second.handle);
  assert_non_null(strstr(error.message, "3.0 MiB"));
  assert_string_not_equal("", error.remedy);
  f->runtime->release(f->device, &first);
  close_fixture(f);
}

static const bt_variant small = {{4, 32, BT_REDUCTION_SIMT}, 0};

static void loads_programs_once(void **state) {
  fixture *f = open_fixture(state);
  bt_runtime_program *first, *second;
  bt_error error;
  assert_int_equal(BT_OK, f->runtime->program(f->device, &bt_lga_module, &small, &first, &error));
  assert_int_equal(BT_OK, f->runtime->program(f->device, &bt_lga_module, &small, &second, &error));
  assert_ptr_equal(first, second);
  assert_int_equal(1, f->fake->modules);
  bt_kernel_limits limits = f->runtime->limits(f->device, &bt_lga_module, &small);
  assert_int_equal(1, limits.lanes);
  assert_int_equal(128, limits.items);
  assert_int_equal(FAKE_GPU_LOCAL, limits.local);
  assert_int_equal(2048 / 128, f->runtime->blocks_per_core(first, BT_LAUNCH_ADAM, 128, 1024));
  /* a variant that does not exist, one that is too large for this device */
  bt_variant other = {{3, 32, BT_REDUCTION_SIMT}, 0};
  assert_int_equal(BT_ERR_LIMIT, f->runtime->program(f->device, &bt_lga_module, &other, &second, &error));
  assert_non_null(strstr(error.message, "3 x 32 work-items"));
  bt_variant large = {{32, 32, BT_REDUCTION_SIMT}, 0};
  bt_team_variant v;
  for (const bt_kernel_image *i = NULL; bt_team_variant_next(f->runtime, &i, &v);)
    if (v.team * v.poses > FAKE_GPU_BLOCK) large = bt_team_variant_key(&v);
  assert_int_equal(BT_ERR_LIMIT, f->runtime->program(f->device, &bt_lga_module, &large, &second, &error));
  close_fixture(f);
}

static void explains_kernels_that_do_not_load(void **state) {
  fixture *f = open_fixture(state);
  bt_runtime_program *program;
  bt_error error;
  f->fake->fail = "cuModuleLoadDataEx";
  f->fake->code = 222;
  f->fake->after = 0;
  f->fake->log = "ptxas fatal: version 99\nmore";
  assert_int_equal(BT_ERR_DEVICE, f->runtime->program(f->device, &bt_lga_module, &small, &program, &error));
  assert_non_null(strstr(error.message, "ptxas fatal: version 99)"));
  assert_non_null(strstr(error.remedy, "ARCHITECTURES"));
  /* a kernel that is not in the image */
  f->fake->log = NULL;
  f->fake->fail = "cuModuleGetFunction";
  f->fake->code = 500;
  f->fake->after = 3;
  assert_int_equal(BT_ERR_DEVICE, f->runtime->program(f->device, &bt_lga_module, &small, &program, &error));
  assert_non_null(strstr(error.message, "bt_entry_"));
  assert_int_equal(0, f->fake->modules);
  close_fixture(f);
}

static void launches(void **state) {
  fixture *f = open_fixture(state);
  bt_runtime_program *program;
  bt_runtime_buffer arena, maps;
  bt_error error;
  bt_launch launch = {.ligands = 1234, .generation = 5};
  assert_int_equal(BT_OK, f->runtime->program(f->device, &bt_lga_module, &small, &program, &error));
  assert_int_equal(BT_OK, f->runtime->allocate(f->device, 64, &arena, &error));
  assert_int_equal(BT_OK, f->runtime->allocate(f->device, 64, &maps, &error));
  int before = f->fake->kernels;
#define LAUNCH(blocks, local_bytes)                                                                                   \
  f->runtime->launch(f->device, program, BT_LAUNCH_ENERGY, (bt_launch_size){blocks, 128, local_bytes}, &arena, &maps, \
                     &launch, &error)
  assert_int_equal(BT_OK, LAUNCH(0, 0));
  assert_int_equal(before, f->fake->kernels);
  assert_int_equal(BT_OK, LAUNCH(77, 50000));
  assert_int_equal(before + 1, f->fake->kernels);
  assert_int_equal(77, f->fake->blocks);
  assert_int_equal(128, f->fake->threads);
  assert_int_equal(50000, f->fake->local_bytes);
  assert_ptr_equal(arena.handle, f->fake->arena);
  assert_ptr_equal(maps.handle, f->fake->maps);
  assert_memory_equal(&launch, f->fake->launch, 64);
  /* too much of anything is refused before the driver sees it */
  assert_int_equal(BT_ERR_LIMIT, LAUNCH(1, FAKE_GPU_LOCAL + 1));
  assert_int_equal(BT_ERR_LIMIT, LAUNCH((size_t)1 << 40, 0));
  assert_int_equal(before + 1, f->fake->kernels);
  f->runtime->release(f->device, &arena);
  f->runtime->release(f->device, &maps);
  close_fixture(f);
}

/* Launches that nobody has waited for are not counted yet, nor what follows when the driver cannot tell. */
static void says_when_kernels_run(void **state) {
  fixture *f = open_fixture(state);
  bt_runtime_program *program;
  bt_runtime_buffer arena, maps;
  bt_busy busy;
  bt_error error;
  bt_launch launch = {.ligands = 1234};
  const double each = 1e-3 * (double)FAKE_GPU_KERNEL;
  bt_busy_open(&busy);
  assert_int_equal(BT_OK, f->runtime->program(f->device, &bt_lga_module, &small, &program, &error));
  assert_int_equal(BT_OK, f->runtime->allocate(f->device, 64, &arena, &error));
  assert_int_equal(BT_OK, f->runtime->allocate(f->device, 64, &maps, &error));
  assert_int_equal(BT_OK, LAUNCH(7, 0));
  f->runtime->opt_measure(f->device, &busy);
  for (int k = 0; k < 300; k++) assert_int_equal(BT_OK, LAUNCH(7, 0)); /* more than there are events */
  assert_true(bt_busy_seconds(&busy) == 0);
  assert_int_equal(BT_OK, f->runtime->synchronize(f->device, &error));
  assert_true(fabs(bt_busy_seconds(&busy) - 300 * each) < 1e-5);
  f->fake->clock += 1000; /* nothing runs */
  assert_int_equal(BT_OK, LAUNCH(7, 0));
  assert_int_equal(BT_OK, f->runtime->synchronize(f->device, &error));
  assert_true(fabs(bt_busy_seconds(&busy) - 301 * each) < 1e-5);
  f->fake->clock += 100000; /* after it, times start afresh, by the host's clock, on which that time has not passed */
  for (int k = 0; k < 2; k++) {
    assert_int_equal(BT_OK, LAUNCH(7, 0));
    assert_int_equal(BT_OK, f->runtime->synchronize(f->device, &error));
  }
  double before = bt_busy_seconds(&busy);
  assert_true(before > 301.9 * each && before < 303.1 * each);
  f->fake->fail = "cuEventRecord";
  f->fake->after = 0;
  f->fake->code = 400;
  for (int k = 0; k < 2; k++) {
    assert_int_equal(BT_OK, LAUNCH(7, 0));
    assert_int_equal(BT_OK, f->runtime->synchronize(f->device, &error));
    f->fake->fail = NULL;
  }
  assert_true(fabs(bt_busy_seconds(&busy) - before) < 1e-9);
  f->runtime->release(f->device, &arena);
  f->runtime->release(f->device, &maps);
  close_fixture(f);
  bt_busy_close(&busy);
}

/* A fault is reported by the next call that synchronizes. */
static void survives_a_lost_device(void **state) {
  fixture *f = open_fixture(state);
  bt_runtime_buffer buffer;
  bt_error error;
  char bytes[16] = "";
  assert_int_equal(BT_OK, f->runtime->allocate(f->device, 64, &buffer, &error));
  f->fake->fail = "cuStreamSynchronize";
  f->fake->code = 700;
  f->fake->after = 0;
  assert_int_equal(BT_ERR_DEVICE, f->runtime->synchronize(f->device, &error));
  assert_non_null(strstr(error.message, "ERROR_FAKE (700"));
  assert_non_null(strstr(error.remedy, "lost"));
  assert_int_equal(BT_ERR_DEVICE, f->runtime->download(f->device, bytes, &buffer, 0, 16, &error));
  f->runtime->release(f->device, &buffer);
  f->runtime->close(f->device); /* the fake driver still fails */
  assert_int_equal(0, f->fake->streams);
}

/* Every step of opening may fail; nothing is left behind. */
static void opens_or_leaves_nothing(void **state) {
  fixture *f = open_fixture(state);
  close_fixture(f);
  static const char *const steps[] = {"cuStreamCreate", "cuMemHostAlloc"};
  for (size_t i = 0; i < 2; i++) {
    bt_error error;
    f->fake->fail = steps[i];
    f->fake->code = 2;
    f->fake->after = 0;
    int contexts = f->fake->contexts;
    assert_int_equal(BT_ERR_MEMORY, f->runtime->open(0, &f->device, &error));
    assert_int_equal(0, f->fake->streams);
    assert_int_equal(0, f->fake->pinned);
    assert_int_equal(contexts, f->fake->contexts);
  }
  bt_error error;
  f->fake->fail = NULL;
  assert_int_equal(BT_ERR_DEVICE, f->runtime->open(FAKE_GPU_DEVICES, &f->device, &error));
}

static void gives_reasons(void **state) {
  fixture *f = open_fixture(state);
  close_fixture(f);
  char reason[256];
  f->fake->fail = "cuInit";
  f->fake->code = 100;
  assert_int_equal(0, f->runtime->device_count(reason, sizeof reason));
  assert_non_null(strstr(reason, "finds no GPU: ERROR_FAKE (100"));
  f->fake->fail = NULL;
  if (strcmp(f->runtime->name, "cuda") != 0) return;
  static const struct {
    int major, minor, version, mode;
    const char *words;
  } cases[] = {
      {5, 0, 99000, 0, "no code for sm_50"}, {9, 0, 9020, 0, "update the driver"}, {9, 0, 99000, 2, "Prohibited"}};
  for (size_t i = 0; i < 3; i++) {
    bt_runtime_properties properties;
    bt_error error;
    f->fake->major = cases[i].major;
    f->fake->minor = cases[i].minor;
    f->fake->version = cases[i].version;
    f->fake->compute_mode = cases[i].mode;
    f->runtime->device_properties(0, &properties);
    assert_non_null(strstr(properties.reason, cases[i].words));
    assert_int_equal(BT_ERR_DEVICE, f->runtime->open(0, &f->device, &error));
    assert_non_null(strstr(error.message, cases[i].words));
  }
  f->fake->major = 9;
  f->fake->minor = 0;
  f->fake->version = 99000;
  f->fake->compute_mode = 0;
}

/* Threads with one device each, and all with the same one. */
static void use_one_device(void *context, int thread) {
  fixture *f = context;
  bt_runtime_device *device;
  bt_runtime_buffer buffer;
  for (int i = 0; i < 20; i++) {
    int in = 1000 * thread + i, out = -1;
    if (f->runtime->open(thread % FAKE_GPU_DEVICES, &device, NULL) != BT_OK) return;
    bool good = f->runtime->allocate(device, sizeof in, &buffer, NULL) == BT_OK &&
                f->runtime->upload(device, &buffer, 0, &in, sizeof in, NULL) == BT_OK &&
                f->runtime->download(device, &out, &buffer, 0, sizeof out, NULL) == BT_OK && in == out;
    f->runtime->release(device, &buffer);
    f->runtime->close(device);
    if (!good) return;
  }
  __atomic_fetch_add(&f->fake->kernels, 1, __ATOMIC_RELAXED);
}

static void serves_threads(void **state) {
  fixture *f = open_fixture(state);
  close_fixture(f);
  int before = f->fake->kernels;
  bt_parallel(4, use_one_device, f);
  assert_int_equal(before + 4, f->fake->kernels);
}

static fixture fixture_for(const bt_runtime *runtime, const char *library) {
  fixture f = {.runtime = runtime};
  void *handle = dlopen(library, RTLD_NOW);
  if (handle != NULL) f.fake = dlsym(handle, "fake_gpu");
  return f;
}

int main(void) {
  fixture cuda = fixture_for(&bt_runtime_cuda, "libcuda.so.1"), hip = fixture_for(&bt_runtime_hip, "libamdhip64.so.7");
#define TESTS(f)                                                                                    \
  {"describes_its_devices " #f, describes_its_devices, NULL, NULL, &f},                             \
      {"copies_what_was_there " #f, copies_what_was_there, NULL, NULL, &f},                         \
      {"says_when_memory_is_out " #f, says_when_memory_is_out, NULL, NULL, &f},                     \
      {"loads_programs_once " #f, loads_programs_once, NULL, NULL, &f},                             \
      {"explains_kernels_that_do_not_load " #f, explains_kernels_that_do_not_load, NULL, NULL, &f}, \
      {"launches " #f, launches, NULL, NULL, &f},                                                   \
      {"says_when_kernels_run " #f, says_when_kernels_run, NULL, NULL, &f},                         \
      {"survives_a_lost_device " #f, survives_a_lost_device, NULL, NULL, &f},                       \
      {"opens_or_leaves_nothing " #f, opens_or_leaves_nothing, NULL, NULL, &f},                     \
      {"gives_reasons " #f, gives_reasons, NULL, NULL, &f}, {"serves_threads " #f, serves_threads, NULL, NULL, &f},
  const struct CMUnitTest tests[] = {TESTS(cuda) TESTS(hip)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
