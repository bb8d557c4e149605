/* hip.c - the runtime of AMD GPUs: what is specific to HIP, on top of driver/driver.c. */
#include "backend/hip/hip.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "backend/driver/driver.h"

static void error_text(const bt_driver_library *library, int code, char *text, size_t size) {
  const char *(*name)(int) = (const char *(*)(int))dlsym(library->handle, "hipGetErrorName");
  const char *(*sentence)(int) = (const char *(*)(int))dlsym(library->handle, "hipGetErrorString");
  const char *first = name != NULL ? name(code) : NULL, *second = sentence != NULL ? sentence(code) : NULL;
  if (first != NULL && second != NULL && strcmp(first, second) == 0) second = NULL; /* some runtimes repeat the name */
  snprintf(text, size, "%s (%d%s%s)", first != NULL ? first : "an error unknown to this driver", code,
           second != NULL ? ": " : "", second != NULL ? second : "");
}

static void driver_text(const bt_driver_library *library, char *text, size_t size) {
  int version = 0;
  if (library->version(&version) != 0) version = 0;
  snprintf(text, size, "HIP %d.%d", version / 10000000, version % 10000000 / 100000);
}

/* The name of the device's instruction set, "gfx90a:sramecc+:xnack-"; "" if unknown. Its offset in the structure
 * differs between versions, so the structure is searched. */
static void architecture(const bt_driver_library *library, int device, char *text, size_t size) {
  union {
    char bytes[1 << 14];
    long long alignment;
  } properties;
  memset(&properties, 0, sizeof properties);
  text[0] = '\0';
  int (*get)(void *, int) = (int (*)(void *, int))dlsym(library->handle, "hipGetDevicePropertiesR0600");
  if (get == NULL) get = (int (*)(void *, int))dlsym(library->handle, "hipGetDeviceProperties");
  if (get == NULL || get(&properties, device) != 0) return;
  for (size_t i = 256; i + 64 < sizeof properties; i++) { /* the first 256 bytes are the marketing name */
    if (memcmp(properties.bytes + i, "gfx", 3) != 0) continue;
    snprintf(text, size, "%.60s", properties.bytes + i);
    return;
  }
}

static void unusable(const bt_driver_library *library, int device, char *reason, size_t size) {
  char have[64];
  architecture(library, device, have, sizeof have);
  size_t length = strcspn(have, ":");
  if (length == 0) return; /* loading will fail if not */
  for (const char *word = bt_hip_build; *word != '\0'; word += strcspn(word, " "), word += strspn(word, " "))
    if (strcspn(word, " ") == length && strncmp(word, have, length) == 0) return;
  snprintf(reason, size, "this build has no code for %.*s (it has %s); see BERTH_HIP_ARCHITECTURES", (int)length, have,
           bt_hip_build);
}

/* HIP manages a context per device itself. */
static int context_open(const bt_driver_library *library, int device, void **ret_context) {
  (void)library, (void)device;
  *ret_context = NULL;
  return 0;
}

static void context_close(const bt_driver_library *library, int device) { (void)library, (void)device; }

static int enter(const bt_driver_library *library, int device, void *context, int *ret_before) {
  (void)context;
  if (library->device_current(ret_before) != 0) *ret_before = device;
  return *ret_before == device ? 0 : library->device_set(device);
}

static void leave(const bt_driver_library *library, int before) {
  int now;
  if (library->device_current(&now) == 0 && now != before) library->device_set(before);
}

static size_t free_memory(const bt_driver_library *library, int device, size_t total) {
  int before;
  size_t bytes = total, all;
  if (enter(library, device, NULL, &before) != 0) return total;
  if (library->free_memory(&bytes, &all) != 0) bytes = total;
  leave(library, before);
  return bytes;
}

/* Never in AMD's library: tests provide one that runs these kernels elsewhere (tests/backend/hip_on_cuda). */
static const void *own_code(const bt_driver_library *library, const bt_kernel_image *image) {
  const void *(*get)(const bt_kernel_image *) =
      (const void *(*)(const bt_kernel_image *))dlsym(library->handle, "bt_hip_on_cuda_code");
  return get != NULL ? get(image) : NULL;
}

static const char *const libraries[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so",
                                        NULL};
#define SYMBOL(member, cuda, hip, arguments) hip,
static const char *const symbols[] = {BT_DRIVER_FUNCTIONS(SYMBOL)};
#undef SYMBOL

static const bt_driver driver = {
    .name = "HIP",
    .libraries = libraries,
    .absent = "AMD's HIP runtime is not installed",
    .symbols = symbols,
    .build = bt_hip_build,
    .no_kernels = "build with hipcc for this GPU (-DBERTH_WITH_HIP=ON, -DBERTH_HIP_ARCHITECTURES=...)",
    .attributes = {.block_threads = 56,
                   .wave = 87,
                   .cores = 63,
                   .local_memory = 74,
                   .local_memory_core = 10002,
                   .registers_core = 71 /* of a block, which may have all */},
    .grid_threads = UINT32_MAX,
    .images = bt_hip_images,
    .opt_code = own_code,
    .error_text = error_text,
    .driver_text = driver_text,
    .unusable = unusable,
    .context_open = context_open,
    .context_close = context_close,
    .enter = enter,
    .leave = leave,
    .free_memory = free_memory,
};

BT_DRIVER_RUNTIME(bt_runtime_hip, "hip", .description = "AMD GPUs through HIP", .images = bt_hip_images);
