/* test_opencl.c - the OpenCL runtime with small kernels: devices, memory, launches, the cache of binaries, failures.
 *
 * Physics on OpenCL devices is tested with that of all back ends. Without an OpenCL device only the reason is tested.
 */
#include "unit/support.h"

#if BT_WITH_OPENCL

#include <dirent.h>

#include "backend/opencl/opencl.h"

static const bt_runtime *const opencl = &bt_runtime_opencl;

/* Kernels that double maps[i] into the arena and add the sum over the block, which goes through local memory. */
static const char source_format[] =
    "typedef struct { long w[%zu]; } words;\n"
    "#define ENTRY(name) __kernel void name##_cl(__global char *arena, __global float *maps, words launch, "
    "__local float *scratch)\n"
    "#define OTHER(name) ENTRY(name) {}\n"
    "ENTRY(bt_entry_energy) {\n"
    "  __global float *out = (__global float *)(arena + launch.w[%zu]);\n"
    "  int i = get_global_id(0), rank = get_local_id(0), size = get_local_size(0);\n"
    "  scratch[rank] = maps[i];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < size; k++) sum += scratch[k];\n"
    "  out[i] = 2 * maps[i] + sum + (size == BT_TEAM * BT_POSES ? 0 : 1000);\n"
    "}\n";

static void make_source(char *text, size_t size, const char *end) {
  size_t used = (size_t)snprintf(text, size, source_format, sizeof(bt_launch) / 8, offsetof(bt_launch, energies) / 8);
#define OTHER(constant, entry) \
  if (constant != BT_LAUNCH_ENERGY) used += (size_t)snprintf(text + used, size - used, "OTHER(%s)\n", #entry);
  BT_LAUNCH_KERNELS(OTHER)
#undef OTHER
  snprintf(text + used, size - used, "%s", end);
}

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
  bt_launch launch = {.energies = OFFSET};
  support_ok(opencl->launch(device, program, BT_LAUNCH_ENERGY, BLOCKS, TEAM * POSES * sizeof(float), &arena, &maps,
                            &launch, &error),
             &error);
  support_ok(opencl->synchronize(device, &error), &error);
  support_ok(opencl->download(device, results, &arena, OFFSET, sizeof results, &error), &error);
  support_ok(opencl->download(device, guard, &arena, 0, sizeof guard, &error), &error);
  for (int k = 0; k < OFFSET / 4; k++) assert_true(guard[k] == 0.0f);
  for (int k = 0; k < COUNT; k++) {
    int size = TEAM * POSES, first = k / size * size;
    float sum = (float)(size * first + size * (size - 1) / 2);
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
  char source[8192];
  bt_error error;
  bt_runtime_variant variant = {TEAM, POSES, BT_REDUCTION_SIMT};
  make_source(source, sizeof source, "");
  for (int round = 0; round < 3; round++) { /* compiled, from the cache, from source again as the entry is damaged */
    bt_runtime_device *device = open_first();
    bt_runtime_program *program = NULL, *again = NULL;
    if (round == 2) assert_int_equal(visit_cache(damage), 1);
    support_ok(bt_opencl_program_from(device, &variant, source, true, &program, &error), &error);
    assert_int_equal(bt_opencl_program_cached(program), round == 1);
    assert_int_equal(opencl->lanes(program), 1);
    assert_int_equal(visit_cache(leave), 1);
    support_ok(bt_opencl_program_from(device, &variant, source, true, &again, &error), &error);
    assert_ptr_equal(program, again);
    run_kernel(device, program);
    opencl->close(device);
  }
}

static void a_source_that_does_not_build_says_why(void **state) {
  (void)state;
  char source[8192];
  bt_error error;
  bt_runtime_variant variant = {1, 1, BT_REDUCTION_SIMT};
  bt_runtime_program *program = NULL;
  bt_runtime_device *device = open_first();
  make_source(source, sizeof source, "int broken(void) { return undeclared_name; }\n");
  support_failed(bt_opencl_program_from(device, &variant, source, true, &program, &error), BT_ERR_DEVICE, &error,
                 "undeclared_name");
  assert_non_null(strstr(error.message, "CL_BUILD_PROGRAM_FAILURE"));
  make_source(source, sizeof source, "#define OTHER(name)\n"); /* and one that lacks a kernel */
  char *entry = strstr(source, "OTHER(bt_entry_fold)");
  assert_non_null(entry);
  memset(entry, ' ', strlen("OTHER(bt_entry_fold)"));
  support_failed(bt_opencl_program_from(device, &variant, source, true, &program, &error), BT_ERR_DEVICE, &error,
                 "bt_entry_fold");
  opencl->close(device);
}

static void limits_are_refused(void **state) {
  (void)state;
  bt_error error;
  bt_runtime_properties p;
  char source[8192];
  bt_runtime_program *program = NULL;
  bt_runtime_buffer buffer = {0}, small;
  bt_runtime_device *device = open_first();
  opencl->device_properties(0, &p);
  support_failed(opencl->allocate(device, p.largest_buffer + 1, &buffer, &error), BT_ERR_MEMORY, &error, "allocate");
  assert_null(buffer.handle);
  bt_runtime_variant large = {p.block_threads, 2, BT_REDUCTION_SIMT}, tensor = {4, 8, BT_REDUCTION_TENSOR_EC};
  support_failed(opencl->program(device, &large, &program, &error), BT_ERR_LIMIT, &error, "too large");
  support_failed(opencl->program(device, &tensor, &program, &error), BT_ERR_LIMIT, &error, "tensor");
  bt_runtime_variant variant = {TEAM, POSES, BT_REDUCTION_SIMT};
  make_source(source, sizeof source, "");
  support_ok(bt_opencl_program_from(device, &variant, source, true, &program, &error), &error);
  support_ok(opencl->allocate(device, 16, &small, &error), &error);
  bt_launch launch = {0};
  support_failed(
      opencl->launch(device, program, BT_LAUNCH_FOLD, 1, p.local_memory + 1, &small, &small, &launch, &error),
      BT_ERR_LIMIT, &error, "local memory");
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
