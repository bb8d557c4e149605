/* test_opencl.c - the OpenCL runtime with small kernels: devices, memory, launches, the cache of binaries, failures.
 *
 * Physics on OpenCL devices is tested with that of all back ends. Without an OpenCL device only the reason is tested.
 */
#include "unit/support.h"

#if BT_WITH_OPENCL

#include <dirent.h>

#include "backend/opencl/opencl.h"

static const bt_runtime *const opencl = &bt_runtime_opencl;

/* A module whose one kernel doubles maps[i] into the arena and adds the sum over the block, which goes through local
 * memory. */
typedef struct words {
  long offset, unused;
} words;
static const char *const entries[] = {"double_and_sum"};
static const bt_module module = {.name = "test",
                                 .constants = {"BT_TEAM", "BT_POSES"},
                                 .text = "%d x %d",
                                 .remedy = "another",
                                 .entries = entries,
                                 .n_entries = 1,
                                 .launch_bytes = sizeof(words),
                                 .local_bytes = SIZE_MAX};
static const char source[] =
    "typedef struct { long offset, unused; } words;\n"
    "__kernel void double_and_sum_cl(__global char *arena, __global float *maps, words launch, "
    "__local float *scratch) {\n"
    "  __global float *out = (__global float *)(arena + launch.offset);\n"
    "  int i = get_global_id(0), rank = get_local_id(0), size = get_local_size(0);\n"
    "  scratch[rank] = maps[i];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < size; k++) sum += scratch[k];\n"
    "  out[i] = 2 * maps[i] + sum + (size == BT_TEAM * BT_POSES ? 0 : 1000);\n"
    "}\n";

static char cache_folder[256];

static int set_up(void **state) {
  (void)state;
  const char *base = getenv("TMPDIR");
  snprintf(cache_folder, sizeof cache_folder, "%s/berth-test-XXXXXX", base != NULL ? base : "/tmp");
  if (mkdtemp(cache_folder) == NULL) return -1;
  return setenv("BERTH_CACHE_DIR", cache_folder, 1);
}

/* Calls with each entry of the cache; returns how many there are. */
static int visit_cache(void (*visit)(const char *path)) {
  DIR *directory = opendir(cache_folder);
  int count = 0;
  for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    char path[600];
    if (strncmp(entry->d_name, "opencl-", 7) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", cache_folder, entry->d_name);
    visit(path);
    count++;
  }
  if (directory != NULL) closedir(directory);
  return count;
}

static void leave(const char *path) { (void)path; }
static void delete (const char *path) { unlink(path); }
static void damage(const char *path) {
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  fseek(file, 100, SEEK_SET);
  fputs("not what the driver made", file);
  fclose(file);
}

static int tear_down(void **state) {
  (void)state;
  visit_cache(delete);
  rmdir(cache_folder);
  return 0;
}

/* The first device; skips the test without one. */
static bt_runtime_device *open_first(void) {
  char reason[256] = "";
  bt_error error;
  if (opencl->device_count(reason, sizeof reason) == 0) {
    print_message("skipped: %s\n", reason);
    skip();
  }
  bt_runtime_device *device = NULL;
  support_ok(opencl->open(0, &device, &error), &error);
  return device;
}

static void devices_are_described(void **state) {
  (void)state;
  char reason[256] = "";
  bt_error error;
  bt_runtime_device *device = NULL;
  int count = opencl->device_count(reason, sizeof reason);
  support_failed(opencl->open(count, &device, &error), BT_ERR_DEVICE, &error, "OpenCL");
  support_failed(opencl->open(-1, &device, &error), BT_ERR_DEVICE, &error, "OpenCL");
  if (count == 0) assert_true(strlen(reason) > 20);
  for (int k = 0; k < count; k++) {
    bt_runtime_properties p;
    opencl->device_properties(k, &p);
    print_message("opencl:%d %s (%s): %zu MiB, %d units, %zu KiB local, blocks of %d, wave %d%s\n", k, p.name, p.driver,
                  p.memory >> 20, p.cores, p.local_memory >> 10, p.block_threads, p.wave, p.cpu ? ", a processor" : "");
    assert_true(p.name[0] != '\0' && strncmp(p.driver, "OpenCL ", 7) == 0);
    assert_true(p.memory > 0 && p.largest_buffer > 0 && p.local_memory > 0 && p.cores > 0 && p.block_threads > 0);
  }
}

enum { TEAM = 4, POSES = 8, BLOCKS = 5, COUNT = TEAM * POSES * BLOCKS };

static void run_kernel(bt_runtime_device *device, bt_runtime_program *program) {
  enum { OFFSET = 64 };
  float values[COUNT], results[COUNT], guard[OFFSET / 4];
  bt_error error;
  bt_runtime_buffer arena, maps;
  support_ok(opencl->allocate(device, OFFSET + sizeof results, &arena, &error), &error);
  support_ok(opencl->allocate(device, sizeof values, &maps, &error), &error);
  for (int k = 0; k < COUNT; k++) values[k] = (float)k;
  support_ok(opencl->clear(device, &arena, 0, OFFSET + sizeof results, &error), &error);
  support_ok(opencl->upload(device, &maps, 0, values, sizeof values, &error), &error);
  words launch = {.offset = OFFSET};
  bt_launch_size size = {BLOCKS, TEAM * POSES, TEAM * POSES * sizeof(float)};
  support_ok(opencl->launch(device, program, 0, size, &arena, &maps, &launch, &error), &error);
  support_ok(opencl->synchronize(device, &error), &error);
  support_ok(opencl->download(device, results, &arena, OFFSET, sizeof results, &error), &error);
  support_ok(opencl->download(device, guard, &arena, 0, sizeof guard, &error), &error);
  for (int k = 0; k < OFFSET / 4; k++) assert_true(guard[k] == 0.0f);
  for (int k = 0; k < COUNT; k++) {
    int first = k / size.items * size.items;
    float sum = (float)(size.items * first + size.items * (size.items - 1) / 2);
    assert_true(results[k] == 2.0f * values[k] + sum);
  }
  support_ok(opencl->clear(device, &arena, OFFSET + 3, 2, &error),
             &error); /* bytes: the fill pattern must divide both */
  opencl->release(device, &arena);
  opencl->release(device, &maps);
  assert_null(arena.handle);
}

static void kernels_run_and_binaries_are_cached(void **state) {
  (void)state;
  bt_error error;
  bt_variant variant = {.values = {TEAM, POSES}};
  for (int round = 0; round < 3; round++) { /* compiled; from the cache; compiled again, since the entry is damaged */
    bt_runtime_device *device = open_first();
    bt_runtime_program *program = NULL, *again = NULL;
    if (round == 2) assert_int_equal(visit_cache(damage), 1);
    support_ok(bt_opencl_program_from(device, &module, &variant, source, true, &program, &error), &error);
    assert_int_equal(bt_opencl_program_cached(program), round == 1);
    assert_int_equal(opencl->limits(device, &module, &variant).lanes, 1);
    assert_int_equal(visit_cache(leave), 1);
    support_ok(bt_opencl_program_from(device, &module, &variant, source, true, &again, &error), &error);
    assert_ptr_equal(program, again);
    run_kernel(device, program);
    opencl->close(device);
  }
}

static void a_source_that_does_not_build_says_why(void **state) {
  (void)state;
  char text[2 * sizeof source];
  bt_error error;
  bt_variant variant = {.values = {1, 1}};
  bt_runtime_program *program = NULL;
  bt_runtime_device *device = open_first();
  snprintf(text, sizeof text, "%s%s", source, "int broken(void) { return undeclared_name; }\n");
  support_failed(bt_opencl_program_from(device, &module, &variant, text, true, &program, &error), BT_ERR_DEVICE, &error,
                 "undeclared_name");
  assert_non_null(strstr(error.message, "CL_BUILD_PROGRAM_FAILURE"));
  support_failed(bt_opencl_program_from(device, &module, &variant, "__kernel void other_cl(int x) {}", true, &program,
                                        &error),
                 BT_ERR_DEVICE, &error, "double_and_sum"); /* and one that lacks a kernel */
  opencl->close(device);
}

static void limits_are_refused(void **state) {
  (void)state;
  bt_error error;
  bt_runtime_properties p;
  bt_runtime_program *program = NULL;
  bt_runtime_buffer buffer = {0}, small;
  bt_runtime_device *device = open_first();
  opencl->device_properties(0, &p);
  support_failed(opencl->allocate(device, p.largest_buffer + 1, &buffer, &error), BT_ERR_MEMORY, &error, "allocate");
  assert_null(buffer.handle);
  bt_variant large = {.values = {p.block_threads, 2}}, variant = {.values = {TEAM, POSES}};
  support_failed(bt_opencl_program_from(device, &module, &large, source, true, &program, &error), BT_ERR_LIMIT, &error,
                 "too large");
  support_failed(opencl->program(device, &module, &variant, &program, &error), BT_ERR_LIMIT, &error, "4 x 8");
  support_ok(bt_opencl_program_from(device, &module, &variant, source, true, &program, &error), &error);
  support_ok(opencl->allocate(device, 16, &small, &error), &error);
  words launch = {0};
  bt_launch_size size = {1, TEAM * POSES, p.local_memory + 1};
  support_failed(opencl->launch(device, program, 0, size, &small, &small, &launch, &error), BT_ERR_LIMIT, &error,
                 "local memory");
  opencl->release(device, &small);
  opencl->close(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(devices_are_described),
      cmocka_unit_test(kernels_run_and_binaries_are_cached),
      cmocka_unit_test(a_source_that_does_not_build_says_why),
      cmocka_unit_test(limits_are_refused),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

#else

int main(void) { return 77; }

#endif
