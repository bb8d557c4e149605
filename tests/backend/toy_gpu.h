/* toy_gpu.h - a fake GPU: memory is the host's, kernels only advance its clock, so that nothing depends on how busy the
 * machine is.
 */
#ifndef BERTH_TESTS_BACKEND_TOY_GPU_H
#define BERTH_TESTS_BACKEND_TOY_GPU_H

#include <math.h>
#include <stdlib.h>

#include "engine/lga/device/devices.h"
#include "engine/lga/search/job.h"
#include "engine/lga/device/module.h"
#include "unit/support.h"

static const bt_kernel_image images[] = {{"lga", {1, 32, BT_REDUCTION_SIMT}, NULL},
                                         {"lga", {4, 32, BT_REDUCTION_SIMT}, NULL},
                                         {"lga", {16, 32, BT_REDUCTION_SIMT}, NULL},
                                         {0}};

struct bt_runtime_program {
  int team, poses;
};

static struct {
  int64_t clock;    /* nanoseconds */
  int gradients;    /* launches of GRADIENT */
  int slow_team;    /* its launches take 20 ms */
  int slow_count;   /* launches of so many poses take 0.5 ms: somebody else uses the device */
  int failing_team; /* its launches fail */
  const char *driver;
  bt_runtime_program programs[3];
} gpu = {.driver = "Driver 1"};

static int device_count(char *reason, size_t size) { return snprintf(reason, size, "%s", ""), 1; }

static void device_properties(int index, bt_runtime_properties *p) {
  (void)index;
  *p = (bt_runtime_properties){.memory = (size_t)1 << 30,
                               .free_memory = (size_t)1 << 30,
                               .largest_buffer = SIZE_MAX,
                               .local_memory = 200000,
                               .local_memory_core = 200000,
                               .cores = 10,
                               .block_threads = 1024,
                               .wave = 32};
  snprintf(p->name, sizeof p->name, "Toy card");
  snprintf(p->driver, sizeof p->driver, "%s", gpu.driver);
}

static bt_status device_open(int index, bt_runtime_device **device, bt_error *error) {
  return (void)index, (void)error, *device = (bt_runtime_device *)&gpu, BT_OK;
}
static void device_close(bt_runtime_device *device) { (void)device; }

static bt_status allocate(bt_runtime_device *device, size_t bytes, bt_runtime_buffer *buffer, bt_error *error) {
  (void)device;
  *buffer = (bt_runtime_buffer){calloc(1, bytes), bytes};
  return buffer->handle != NULL ? BT_OK : bt_fail_memory(error);
}
static void release(bt_runtime_device *device, bt_runtime_buffer *buffer) { (void)device, free(buffer->handle); }
static bt_status upload(bt_runtime_device *device, bt_runtime_buffer *to, size_t offset, const void *from, size_t bytes,
                        bt_error *error) {
  (void)device, (void)error;
  assert_true(offset + bytes <= to->bytes);
  return memcpy((char *)to->handle + offset, from, bytes), BT_OK;
}
static bt_status download(bt_runtime_device *device, void *to, const bt_runtime_buffer *from, size_t offset,
                          size_t bytes, bt_error *error) {
  (void)device, (void)error;
  return memcpy(to, (char *)from->handle + offset, bytes), BT_OK;
}
static bt_status clear(bt_runtime_device *device, bt_runtime_buffer *buffer, size_t offset, size_t bytes,
                       bt_error *error) {
  (void)device, (void)error;
  return memset((char *)buffer->handle + offset, 0, bytes), BT_OK;
}

static bt_status program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                         bt_runtime_program **ret, bt_error *error) {
  (void)device, (void)error;
  bt_runtime_program *program = &gpu.programs[bt_image_find(images, module, variant) - images];
  *program = (bt_runtime_program){variant->values[0], variant->values[1]};
  return *ret = program, BT_OK;
}
static bt_kernel_limits limits(const bt_runtime_device *device, const bt_module *module, const bt_variant *variant) {
  int items = bt_variant_items(module, variant);
  return (void)device, (bt_kernel_limits){.lanes = 1, .root_scale = 1, .items = items, .free_items = items};
}
static int blocks_per_core(const bt_runtime_program *p, int entry, int items, size_t local_bytes) {
  return (void)p, (void)entry, (void)items, (void)local_bytes, 2;
}

/* The poses of a block lie in the box, their quaternions are of unit length. */
static void check_pose(const bt_runtime_buffer *arena, const bt_launch *with, int pose) {
  const bt_launch_ligand *ligand = (const void *)((const char *)arena->handle + with->ligands);
  const float *genes = (const void *)((const char *)arena->handle + with->genes);
  genes += (size_t)pose * (size_t)BT_GENES(ligand->sizes.n_torsions);
  const float size[3] = {ligand->box.size_x, ligand->box.size_y, ligand->box.size_z}, *q = genes + BT_GENE_QUATERNION;
  for (int k = 0; k < 3; k++) assert_true(genes[k] >= 0 && genes[k] <= size[k]);
  assert_float_equal(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-5);
  for (int k = 0; k < ligand->sizes.n_torsions; k++) assert_true(fabsf(genes[BT_GENE_TORSION + k]) <= 3.1416f);
}

static bt_status launch(bt_runtime_device *device, bt_runtime_program *p, int entry, bt_launch_size size,
                        const bt_runtime_buffer *arena, const bt_runtime_buffer *maps, const void *launched,
                        bt_error *error) {
  const bt_launch *with = launched;
  (void)device, (void)maps;
  if (entry != BT_LAUNCH_GRADIENT) return BT_OK;
  assert_int_equal(size.items, p->team * p->poses);
  gpu.gradients++;
  if (p->team == gpu.failing_team)
    return bt_fail(error, BT_ERR_LIMIT, (bt_where){0}, "use another --team", "as the test wished");
  const bt_launch_block *last =
      (const bt_launch_block *)(const void *)((char *)arena->handle + with->blocks) + size.blocks - 1;
  assert_true(last->first < with->count && last->first + p->poses >= with->count);
  check_pose(arena, with, last->first);
  int64_t each = p->team == gpu.slow_team ? 20000000 : with->count == gpu.slow_count ? 500000 : 1000 + with->count;
  gpu.clock += 5000 + with->repeats * each;
  return BT_OK;
}
static bt_status synchronize(bt_runtime_device *device, bt_error *error) { return (void)device, (void)error, BT_OK; }

static int64_t read_clock(void) { return gpu.clock; }

static const bt_runtime runtime;
static const bt_backend devices[] = BT_NUMBERED_DEVICES("toy", runtime);
static const bt_runtime runtime = {.name = "toy",
                                   .description = "made up",
                                   .images = images,
                                   .devices = devices,
                                   .device_count = device_count,
                                   .device_properties = device_properties,
                                   .open = device_open,
                                   .close = device_close,
                                   .allocate = allocate,
                                   .release = release,
                                   .upload = upload,
                                   .download = download,
                                   .clear = clear,
                                   .program = program,
                                   .limits = limits,
                                   .blocks_per_core = blocks_per_core,
                                   .launch = launch,
                                   .synchronize = synchronize,
                                   .opt_clock = read_clock};

#endif
