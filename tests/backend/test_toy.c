/* test_toy.c - a toy engine, which is the folder toy/ and this description of its module, on a toy machine, which is the
 * processor's with a table of images and two functions of its own. Neither needs a change elsewhere. */
#include <math.h>

#include "backend/backend.h"
#include "backend/cpu/cpu.h"
#include "backend/toy/launch.h"
#include "unit/support.h"

enum { N = 50, DIMENSIONS = 3 };

/* ---- The engine's side ---- */

typedef enum toy_kernel {
#define ENUM(constant, entry) constant,
  TOY_KERNELS(ENUM) TOY_KERNEL_COUNT
#undef ENUM
} toy_kernel;

#define NAME(constant, entry) #entry,
static const char *const entries[] = {TOY_KERNELS(NAME)};
#undef NAME

static const bt_module well = {.name = "well",
                               .constants = {"BT_WELL_DIMENSIONS"},
                               .text = "%d dimensions",
                               .remedy = "take 3",
                               .entries = entries,
                               .n_entries = TOY_KERNEL_COUNT,
                               .launch_bytes = sizeof(toy_launch),
                               .items = 1};

/* ---- The machine's side ---- */

extern const bt_cpu_entries bt_cpu_scalar_well_3;
static const bt_kernel_image images[] = {{"well", {DIMENSIONS}, &bt_cpu_scalar_well_3}, {0}};

static bt_status program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                         bt_runtime_program **ret_program, bt_error *opt_error) {
  (void)device;
  const bt_kernel_image *image = bt_image_find(images, module, variant);
  if (image == NULL) return bt_variant_missing("toy", module, variant, opt_error);
  *ret_program = (bt_runtime_program *)(uintptr_t)image;
  return BT_OK;
}

static bt_status launch(bt_runtime_device *device, bt_runtime_program *of, int entry, bt_launch_size size,
                        const bt_runtime_buffer *arena, const bt_runtime_buffer *opt_maps, const void *with,
                        bt_error *opt_error) {
  (void)device, (void)opt_maps, (void)opt_error;
  const bt_cpu_entries *code = ((const bt_kernel_image *)(const void *)of)->opt_code;
  for (size_t block = 0; block < size.blocks; block++) code->run[entry](arena->handle, NULL, with, (int)block, NULL);
  return BT_OK;
}

static void the_well_is_found(void **state) {
  (void)state;
  bt_runtime toy = bt_runtime_cpu;
  bt_backend devices[] = {{"toy", &toy, -1}, {"toy:0", &toy, 0}};
  bt_error error;
  bt_runtime_device *device;
  bt_runtime_program *loaded;
  bt_runtime_buffer arena;
  float x[N * DIMENSIONS], energies[N];
  toy.devices = devices;
  toy.images = images;
  toy.program = program;
  toy.launch = launch;
  const bt_runtime *machine = bt_backend_get_of(&toy, 0)->runtime;
  support_ok(machine->open(BT_CPU_INDEX_scalar, &device, &error), &error);
  support_failed(machine->program(device, &well, &(bt_variant){.values = {2}}, &loaded, &error), BT_ERR_LIMIT, &error,
                 "no kernels of 2 dimensions");
  support_ok(machine->program(device, &well, &(bt_variant){.values = {DIMENSIONS}}, &loaded, &error), &error);
  support_ok(machine->allocate(device, sizeof x + sizeof energies, &arena, &error), &error);
  for (int i = 0; i < N * DIMENSIONS; i++) x[i] = (float)(i % 17) - 8;
  support_ok(machine->upload(device, &arena, 0, x, sizeof x, &error), &error);
  toy_launch with = {.energies = sizeof x, .n = N, .stiffness = 2, .center = 1, .rate = 0.25f};
  bt_launch_size size = {N, 1, 0};
  for (int step = 0; step < 40; step++) {
    support_ok(machine->launch(device, loaded, TOY_ENERGY, size, &arena, NULL, &with, &error), &error);
    support_ok(machine->download(device, energies, &arena, sizeof x, sizeof energies, &error), &error);
    for (int i = 0; i < N && step == 0; i++) {
      double sum = 0;
      for (int k = 0; k < DIMENSIONS; k++) sum += pow(x[DIMENSIONS * i + k] - 1.0, 2);
      assert_float_equal(energies[i], sum, 1e-4);
    }
    support_ok(machine->launch(device, loaded, TOY_DESCEND, size, &arena, NULL, &with, &error), &error);
  }
  support_ok(machine->synchronize(device, &error), &error);
  for (int i = 0; i < N; i++) assert_true(energies[i] < 1e-6f);
  machine->release(device, &arena);
  machine->close(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_well_is_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
