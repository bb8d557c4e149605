/* cuda.c - the runtime of NVIDIA GPUs: what is specific to CUDA's driver, on top of driver/driver.c. */
#include "backend/cuda/cuda.h"

#include <stdio.h>
#include <string.h>

#include "backend/driver/driver.h"

#define ATTRIBUTE_COMPUTE_MODE 20
#define ATTRIBUTE_MAJOR 75
#define ATTRIBUTE_MINOR 76
#define COMPUTE_MODE_PROHIBITED 2
#define FUNCTION_MAX_DYNAMIC_LOCAL 8
#define FUNCTION_LOCAL_SHARE 9 /* percent */

static void error_text(const bt_driver_library *library, int code, char *text, size_t size) {
  const char *name = NULL, *sentence = NULL;
  if (library->error_name(code, &name) != 0 || name == NULL) name = "an error unknown to this driver";
  if (library->error_string(code, &sentence) != 0 || sentence == NULL) sentence = "";
  snprintf(text, size, "%s (%d%s%s)", name, code, sentence[0] != '\0' ? ": " : "", sentence);
}

/* "CUDA 13.0, driver 580.159": the second number is that of the kernel module, if known. */
static void driver_text(const bt_driver_library *library, char *text, size_t size) {
  int version = 0;
  char line[256] = "", module[32] = "";
  if (library->version(&version) != 0) version = 0;
  FILE *file = fopen("/proc/driver/nvidia/version", "r");
  if (file != NULL) {
    const char *words = fgets(line, sizeof line, file) != NULL ? strstr(line, "Module") : NULL;
    /* the first word that begins with a digit: "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159" */
    for (const char *word = words; word != NULL && module[0] == '\0'; word = strchr(word, ' ')) {
      word += strspn(word, " ");
      if (*word >= '0' && *word <= '9') sscanf(word, "%31s", module);
      if (*word == '\0') break;
    }
    fclose(file);
  }
  snprintf(text, size, "CUDA %d.%d%s%s", version / 1000, version % 1000 / 10, module[0] != '\0' ? ", driver " : "",
           module);
}

/* Machine code runs on GPUs of its own major version with the same or a higher minor version; PTX runs on all GPUs of
 * its version or later if the driver is not older than the compiler. */
static void unusable(const bt_driver_library *library, int device, char *reason, size_t size) {
  int mode = 0, major = 0, minor = 0, driver = 0;
  if (library->attribute(&mode, ATTRIBUTE_COMPUTE_MODE, device) == 0 && mode == COMPUTE_MODE_PROHIBITED) {
    snprintf(reason, size, "its compute mode is Prohibited; nvidia-smi -c 0 allows programs to use it");
    return;
  }
  if (library->version(&driver) != 0 || library->attribute(&major, ATTRIBUTE_MAJOR, device) != 0 ||
      library->attribute(&minor, ATTRIBUTE_MINOR, device) != 0)
    return; /* loading will fail if not */
  if (driver / 1000 < bt_cuda_toolkit / 1000) {
    snprintf(reason, size, "the driver is for CUDA %d.%d, this build needs %d.0 or later: update the driver",
             driver / 1000, driver % 1000 / 10, bt_cuda_toolkit / 1000);
    return;
  }
  bool code = false, ptx = false;
  for (int i = 0; bt_cuda_real[i] != 0; i++)
    if (bt_cuda_real[i] / 10 == major && bt_cuda_real[i] % 10 <= minor) code = true;
  for (int i = 0; bt_cuda_virtual[i] != 0; i++)
    if (bt_cuda_virtual[i] <= 10 * major + minor) ptx = true;
  if (code || (ptx && driver >= bt_cuda_toolkit)) return;
  if (ptx)
    snprintf(reason, size,
             "this build has only PTX of CUDA %d.%d for sm_%d%d and the driver is for CUDA %d.%d: update the driver",
             bt_cuda_toolkit / 1000, bt_cuda_toolkit % 1000 / 10, major, minor, driver / 1000, driver % 1000 / 10);
  else
    snprintf(reason, size, "this build has no code for sm_%d%d (it has %s); see BERTH_CUDA_ARCHITECTURES", major, minor,
             bt_cuda_build);
}

/* The primary context, which other libraries in the process also use. It is kept until the process ends, since creating
 * it takes tenths of a second. */
static int context_open(const bt_driver_library *library, int device, void **ret_context) {
  unsigned int flags;
  int active = 1;
  void *kept;
  if (library->context_state(device, &flags, &active) == 0 && !active) {
    int code = library->context_retain(&kept, device);
    if (code != 0) return code;
  }
  return library->context_retain(ret_context, device);
}

static void context_close(const bt_driver_library *library, int device) { library->context_release(device); }

static int enter(const bt_driver_library *library, int device, void *context, int *ret_before) {
  (void)device;
  *ret_before = 0;
  return library->context_push(context);
}

static void leave(const bt_driver_library *library, int before) {
  void *context;
  (void)before;
  library->context_pop(&context);
}

static size_t free_memory(const bt_driver_library *library, int device, size_t total) {
  unsigned int flags;
  int active = 0;
  void *context;
  size_t bytes = total, all;
  if (library->context_state(device, &flags, &active) != 0 || !active) return total;
  if (library->context_retain(&context, device) != 0) return total;
  if (library->context_push(context) == 0) {
    if (library->free_memory(&bytes, &all) != 0) bytes = total;
    library->context_pop(&context);
  }
  library->context_release(device);
  return bytes;
}

/* Without this a block gets 48 KiB. */
static int grant(const bt_driver_library *library, void *function, int local_bytes) {
  int code = library->function_set(function, FUNCTION_MAX_DYNAMIC_LOCAL, local_bytes);
  /* a hint: the same share for all kernels, since a multiprocessor must drain before the share can change */
  (void)library->function_set(function, FUNCTION_LOCAL_SHARE, 100);
  return code;
}

static const char *const libraries[] = {"libcuda.so.1", "libcuda.so", NULL};
#define SYMBOL(member, cuda, hip, arguments) cuda,
static const char *const symbols[] = {BT_DRIVER_FUNCTIONS(SYMBOL)};
#undef SYMBOL

static const bt_driver driver = {
    .name = "CUDA",
    .libraries = libraries,
    .absent = "no NVIDIA driver is installed",
    .symbols = symbols,
    .build = bt_cuda_build,
    .no_kernels = "build with CUDA's compiler for this GPU (-DBERTH_WITH_CUDA=ON, -DBERTH_CUDA_ARCHITECTURES=...)",
    /* the fourth is the limit that a kernel must ask for (grant) */
    .attributes = {.block_threads = 1,
                   .wave = 10,
                   .cores = 16,
                   .local_memory = 97,
                   .local_memory_core = 81,
                   .registers_core = 82},
    .grid_threads = (size_t)1 << 40, /* only blocks are limited */
    .images = bt_cuda_images,
    .error_text = error_text,
    .driver_text = driver_text,
    .unusable = unusable,
    .context_open = context_open,
    .context_close = context_close,
    .enter = enter,
    .leave = leave,
    .free_memory = free_memory,
    .opt_grant = grant,
};

BT_DRIVER_RUNTIME(bt_runtime_cuda, "cuda", .description = "NVIDIA GPUs through the CUDA driver",
                  .images = bt_cuda_images, .async_copies = true);
