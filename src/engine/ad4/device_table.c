/* device_table.c - which devices there are. To add a runtime: its name in RUNTIMES.
 *
 * Tables are constant and hold more entries than any machine has devices, so that nothing has to be kept between
 * calls: the runtime knows how many are real.
 */
#include "engine/ad4/device_table.h"

#include <stdio.h>
#include <string.h>

#include "engine/ad4/device_job.h"
#include "engine/ad4/module.h"

/* X(name, runtime), in the order in which auto tries them. */
#define RUNTIME_CUDA(X) X("cuda", bt_runtime_cuda)
#define RUNTIME_HIP(X) X("hip", bt_runtime_hip)
#ifdef BT_WITH_OPENCL
#define RUNTIME_OPENCL(X) X("opencl", bt_runtime_opencl)
#else
#define RUNTIME_OPENCL(X)
#endif
#define RUNTIME_OMP_TARGET(X) X("omp-target", bt_runtime_omptarget)
#define RUNTIMES(X) RUNTIME_CUDA(X) RUNTIME_HIP(X) RUNTIME_OPENCL(X) RUNTIME_OMP_TARGET(X)

/* Declared here, since no back end sees another's headers. */
#define DECLARE_RUNTIME(name, runtime) extern const bt_runtime runtime;
RUNTIMES(DECLARE_RUNTIME)
#undef DECLARE_RUNTIME

static const bt_device_table tables[] = {
#define TABLE_OF_RUNTIME(name, runtime) BT_DEVICE_TABLE(name, runtime),
    RUNTIMES(TABLE_OF_RUNTIME)
#undef TABLE_OF_RUNTIME
};

/* Poses that a GPU's multiprocessor wants to be given at once, and vectors of them (of 8 if nothing is known) that keep
 * a core busy until the others are done as well. */
enum { POSES_PER_MULTIPROCESSOR = 1024, VECTORS_PER_CORE = 16, VECTOR = 8 };

const bt_device_table *bt_device_table_get(int index) {
  return index < (int)(sizeof tables / sizeof tables[0]) ? &tables[index] : NULL;
}

/* Devices that have an entry. */
static int usable_count(const bt_runtime *runtime, char *reason, size_t size) {
  int count = runtime->device_count(reason, size);
  return count < BT_DEVICE_ENTRIES - 1 ? count : BT_DEVICE_ENTRIES - 1;
}

int bt_device_backend_count(const bt_device_table *table) {
  char reason[256];
  int count = usable_count(table->runtime, reason, sizeof reason);
  return count > 0 ? count : 1;
}

const bt_backend *bt_device_backend_get(const bt_device_table *table, int index) {
  char reason[256];
  return &table->entries[usable_count(table->runtime, reason, sizeof reason) > 0 ? index + 1 : 0];
}

/* Team sizes and reductions of this build that blocks of the device can hold. */
static void describe_variants(const bt_runtime *runtime, const bt_runtime_properties *device, bt_device_info *info) {
  bt_team_variant v;
  for (const bt_kernel_image *i = NULL; bt_team_variant_next(runtime, &i, &v);) {
    if (device->block_threads > 0 && v.team * v.poses > device->block_threads) continue;
    info->reductions |= 1u << v.reduction;
    int at = 0;
    while (at < info->n_teams && info->teams[at] < v.team) at++;
    bool known = at < info->n_teams && info->teams[at] == v.team;
    if (known || info->n_teams == (int)(sizeof info->teams / sizeof info->teams[0])) continue;
    memmove(info->teams + at + 1, info->teams + at, (size_t)(info->n_teams - at) * sizeof info->teams[0]);
    info->teams[at] = v.team;
    info->n_teams++;
  }
}

bt_device_info bt_device_describe(const bt_backend *backend) {
  const bt_runtime *runtime = backend->runtime;
  bt_device_info info = {.lanes = 1};
  snprintf(info.name, sizeof info.name, "%s", backend->name);
  snprintf(info.description, sizeof info.description, "%s", runtime->description);
  int count = usable_count(runtime, info.reason, sizeof info.reason);
  if (backend->device < 0 || backend->device >= count) {
    if (count > 0) snprintf(info.reason, sizeof info.reason, "there is no such device");
    if (info.reason[0] == '\0') snprintf(info.reason, sizeof info.reason, "no device was found");
    return info;
  }
  bt_runtime_properties device = {.wave = 0};
  runtime->device_properties(backend->device, &device);
  info.usable = device.reason[0] == '\0';
  snprintf(info.reason, sizeof info.reason, "%s", device.reason);
  snprintf(info.description, sizeof info.description, "%s", device.name);
  snprintf(info.driver, sizeof info.driver, "%s", device.driver);
  info.accelerator = !device.cpu;
  info.memory = device.memory;
  info.cores = device.cores;
  info.threads = device.cpu ? device.cores : 0;
  info.lanes = device.lanes > 0 ? device.lanes : 1;
  info.poses = (device.cores > 0 ? device.cores : 1) *
               (!device.cpu ? POSES_PER_MULTIPROCESSOR : VECTORS_PER_CORE * (device.lanes > 0 ? device.lanes : VECTOR));
  describe_variants(runtime, &device, &info);
  return info;
}
