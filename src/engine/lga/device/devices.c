/* devices.c - see devices.h. */
#include "engine/lga/device/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/lga/device/module.h"

/* Poses that a GPU's multiprocessor wants to be given at once, and vectors of them (of 8 if nothing is known) that keep
 * a core busy until the others are done as well. */
enum { POSES_PER_MULTIPROCESSOR = 512, VECTORS_PER_CORE = 16, VECTOR = 8 };

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
  bt_runtime_properties device;
  bt_device_info info = {.lanes = 1};
  bt_backend_properties(backend, &device);
  snprintf(info.name, sizeof info.name, "%s", backend->name);
  snprintf(info.reason, sizeof info.reason, "%s", device.reason);
  snprintf(info.description, sizeof info.description, "%s",
           device.name[0] != '\0' ? device.name : backend->runtime->description);
  if (device.cores == 0) return info; /* none */
  info.usable = device.reason[0] == '\0';
  snprintf(info.driver, sizeof info.driver, "%s", device.driver);
  info.accelerator = !device.cpu;
  info.memory = device.memory;
  info.cores = device.cores;
  info.threads = device.cpu ? device.cores : 0;
  if (device.lanes > 0) info.lanes = device.lanes;
  int vector = device.lanes > 0 ? device.lanes : VECTOR;
  info.poses = device.cores * (device.cpu ? VECTORS_PER_CORE * vector : POSES_PER_MULTIPROCESSOR);
  describe_variants(backend->runtime, &device, &info);
  return info;
}

int bt_device_count(void) { return bt_backend_count(); }

bt_device_info bt_device(int index) { return bt_device_describe(bt_backend_get(index)); }

void bt_device_list_free(bt_device_list *list) {
  free(list->items);
  *list = (bt_device_list){0};
}

static bt_status add(bt_device_list *list, const bt_backend *backend, bt_error *opt_error) {
  const bt_backend **items = realloc(list->items, (size_t)(list->count + 1) * sizeof *items);
  if (items == NULL) return bt_fail_memory(opt_error);
  list->items = items;
  for (int i = 0; i < list->count; i++)
    if (items[i] == backend)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "name it once", "the device %s is listed twice",
                     backend->name);
  items[list->count++] = backend;
  return BT_OK;
}

/* The length of "cuda" in "cuda:0", of "cpu" in "cpu/avx2". */
static size_t family_length(const char *name) { return strcspn(name, ":/"); }

static bool same_family(const bt_backend *a, const bt_backend *b) {
  size_t length = family_length(a->name);
  return length == family_length(b->name) && strncmp(a->name, b->name, length) == 0;
}

/* "cpu" with an instruction set is "cpu/isa". */
static bt_status add_named(bt_device_list *list, const char *name, size_t length, const char *opt_isa,
                           bt_error *opt_error) {
  char full[64];
  if (length == 0 || length >= sizeof full)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use names as `berth devices` lists them",
                   "'%.*s' is not the name of a device", length < 100 ? (int)length : 100, name);
  snprintf(full, sizeof full, "%.*s", (int)length, name);
  if (opt_isa != NULL && strcmp(full, "cpu") == 0) snprintf(full, sizeof full, "cpu/%.40s", opt_isa);
  const bt_backend *backend;
  BT_TRY(bt_backend_find(full, &backend, opt_error));
  return add(list, backend, opt_error);
}

/* Every GPU of the best runtime: through another one the same GPUs would be used twice. Without GPUs, or on
 * request, also the CPU. */
static bt_status add_all(bt_device_list *list, bool processor, const char *opt_isa, bt_error *opt_error) {
  const bt_backend *first;
  BT_TRY(bt_backend_find(NULL, &first, opt_error));
  bool gpus = bt_device_describe(first).accelerator;
  if (!gpus && opt_isa == NULL) return add(list, first, opt_error);
  for (int i = 0; gpus && i < bt_backend_count(); i++) {
    const bt_backend *backend = bt_backend_get(i);
    bt_device_info info = bt_device_describe(backend);
    if (info.usable && info.accelerator && same_family(first, backend)) BT_TRY(add(list, backend, opt_error));
  }
  return !gpus || processor ? add_named(list, "cpu", 3, opt_isa, opt_error) : BT_OK;
}

static bt_status fill(bt_device_list *list, const char *opt_device, const char *opt_isa, bool screen,
                      bt_error *opt_error) {
  bool automatic = opt_device == NULL || strcmp(opt_device, "auto") == 0;
  bool all = !automatic && strcmp(opt_device, "all") == 0;
  if (screen && (automatic || all)) return add_all(list, all, opt_isa, opt_error);
  if (automatic && opt_isa != NULL) return add_named(list, "cpu", 3, opt_isa, opt_error);
  if (opt_isa != NULL && !screen && strcmp(opt_device, "cpu") != 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "remove one of the two",
                   "vector instruction sets (%s) apply to the CPU, not to %s", opt_isa, opt_device);
  if (automatic) {
    const bt_backend *backend;
    list->next_allowed = true;
    BT_TRY(bt_backend_find(NULL, &backend, opt_error));
    return add(list, backend, opt_error);
  }
  if (all) {
    list->next_allowed = true;
    return add_all(list, false, NULL, opt_error);
  }
  for (const char *from = opt_device;;) {
    size_t length = strcspn(from, ",");
    BT_TRY(add_named(list, from, length, opt_isa, opt_error));
    if (from[length] == '\0') return BT_OK;
    from += length + 1;
  }
}

bt_status bt_device_list_make(const char *opt_device, const char *opt_isa, bool screen, bt_device_list *ret_list,
                              bt_error *opt_error) {
  *ret_list = (bt_device_list){0};
  bt_status status = fill(ret_list, opt_device, opt_isa, screen, opt_error);
  if (status != BT_OK) bt_device_list_free(ret_list);
  return status;
}

bt_status bt_device_check(const char *opt_device, const char *opt_isa, bt_error *opt_error) {
  bt_device_list list;
  BT_TRY(bt_device_list_make(opt_device, opt_isa, false, &list, opt_error));
  bt_device_list_free(&list);
  return BT_OK;
}

const bt_backend *bt_device_next(const bt_backend *after) {
  int count = bt_backend_count(), first = 0;
  for (int i = 0; i < count; i++)
    if (bt_backend_get(i) == after) first = i + 1;
  for (int i = first; i < count; i++) {
    const bt_backend *backend = bt_backend_get(i);
    bool other_isa = same_family(after, backend) && strchr(backend->name, '/') != NULL;
    if (!other_isa && bt_device_describe(backend).usable) return backend;
  }
  return NULL;
}

bt_status bt_device_single(const char *opt_device, const char *opt_isa, const bt_backend **ret_backend,
                           bt_error *opt_error) {
  bool automatic = opt_device == NULL || strcmp(opt_device, "auto") == 0;
  bt_device_list list;
  BT_TRY(bt_device_list_make(automatic ? "cpu" : opt_device, opt_isa, false, &list, opt_error));
  *ret_backend = list.items[0];
  bt_device_list_free(&list);
  return BT_OK;
}
