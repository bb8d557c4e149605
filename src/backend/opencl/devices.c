/* devices.c - finds and describes OpenCL devices. */
#include "backend/opencl/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"

/* ------------------------------------------------------------------------------------------------ queries -- */

size_t bt_cl_device_size(const bt_cl_api *api, cl_device_id device, cl_uint what) {
  size_t value = 0;
  return api->clGetDeviceInfo(device, what, sizeof value, &value, NULL) == 0 ? value : 0;
}

cl_ulong bt_cl_device_long(const bt_cl_api *api, cl_device_id device, cl_uint what) {
  cl_ulong value = 0;
  return api->clGetDeviceInfo(device, what, sizeof value, &value, NULL) == 0 ? value : 0;
}

cl_uint bt_cl_device_uint(const bt_cl_api *api, cl_device_id device, cl_uint what) {
  cl_uint value = 0;
  return api->clGetDeviceInfo(device, what, sizeof value, &value, NULL) == 0 ? value : 0;
}

static void trim_into(const char *raw, char *text, size_t size) {
  bt_span span = bt_span_trim(bt_span_from(raw));
  snprintf(text, size, "%.*s", (int)span.size, span.text);
}

/* Strings may be long (extensions take kilobytes), so the length is queried first. */
#define BT_CL_TEXT(get, object)                                                                 \
  size_t length = 0;                                                                            \
  char *raw = NULL;                                                                             \
  text[0] = '\0';                                                                               \
  if (get(object, what, 0, NULL, &length) == 0 && length > 0) raw = bt_allocate(length + 1, 1); \
  if (raw != NULL && get(object, what, length, raw, NULL) == 0) trim_into(raw, text, size);     \
  free(raw)

void bt_cl_device_text(const bt_cl_api *api, cl_device_id device, cl_uint what, char *text, size_t size) {
  BT_CL_TEXT(api->clGetDeviceInfo, device);
}

void bt_cl_platform_text(const bt_cl_api *api, cl_platform_id platform, cl_uint what, char *text, size_t size) {
  BT_CL_TEXT(api->clGetPlatformInfo, platform);
}

/* ------------------------------------------------------------------------------------------------ finding -- */

/* "OpenCL 1.2 ...": major * 10 + minor; 0 if malformed. */
static int version_of(const char *text) {
  int major = 0, minor = 0;
  return sscanf(text, "OpenCL %d.%d", &major, &minor) == 2 ? 10 * major + minor : 0;
}

/* NULL: it can run the kernels. */
static const char *unusable(const bt_cl_api *api, cl_device_id device) {
  char version[64];
  bt_cl_device_text(api, device, CL_DEVICE_VERSION, version, sizeof version);
  if (!bt_cl_device_uint(api, device, CL_DEVICE_AVAILABLE)) return "its driver reports it as unavailable";
  if (!bt_cl_device_uint(api, device, CL_DEVICE_COMPILER_AVAILABLE)) return "its driver has no compiler";
  if (!bt_cl_device_uint(api, device, CL_DEVICE_ENDIAN_LITTLE)) return "it is big-endian";
  if (version_of(version) < 12) return "it is older than OpenCL 1.2";
  return NULL;
}

static int rank_of(const bt_cl_device *device) {
  return device->type & CL_DEVICE_TYPE_GPU ? 0 : device->type & CL_DEVICE_TYPE_ACCELERATOR ? 1 : 2;
}

/* Inserts it after those of its kind, to keep the driver's order. */
static void insert(bt_cl_device *list, int count, bt_cl_device device) {
  int at = count;
  for (; at > 0 && rank_of(&list[at - 1]) > rank_of(&device); at--) list[at] = list[at - 1];
  list[at] = device;
}

typedef struct finding {
  bt_cl_device *list;
  size_t capacity;
  int count;
} finding;

static void find_on_platform(const bt_cl_api *api, cl_platform_id platform, finding *found, char *reason,
                             size_t reason_size) {
  cl_uint count = 0;
  cl_int code = api->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
  cl_device_id *ids = code == 0 && count > 0 ? bt_allocate(count, sizeof *ids) : NULL;
  if (ids == NULL || api->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, NULL) != 0) count = 0;
  for (cl_uint k = 0; k < count; k++) {
    const char *why = unusable(api, ids[k]);
    if (why != NULL) {
      char name[128];
      bt_cl_device_text(api, ids[k], CL_DEVICE_NAME, name, sizeof name);
      snprintf(reason, reason_size, "%s cannot be used: %s", name, why);
      continue;
    }
    if (!BT_GROW(found->list, &found->capacity, found->count + 1)) break;
    bt_cl_device device = {platform, ids[k], bt_cl_device_long(api, ids[k], CL_DEVICE_TYPE)};
    insert(found->list, found->count++, device);
  }
  free(ids);
}

/* PoCL starts threads for this CPU as soon as it is queried for devices; a program that exits meanwhile may crash
 * in them. POCL_DEVICES is set if it has others. */
bool bt_cl_only_processors(const bt_cl_api *api) {
  enum { MOST = 64 };
  cl_platform_id platforms[MOST];
  cl_uint count = 0;
  if (getenv("POCL_DEVICES") != NULL || api->clGetPlatformIDs(MOST, platforms, &count) != 0 || count > MOST)
    return false;
  for (cl_uint p = 0; p < count; p++) {
    char name[64];
    bt_cl_platform_text(api, platforms[p], CL_PLATFORM_NAME, name, sizeof name);
    if (strcmp(name, "Portable Computing Language") != 0) return false;
  }
  return true;
}

int bt_cl_devices(const bt_cl_api *api, bt_cl_device **ret_list, char *reason, size_t reason_size) {
  cl_uint count = 0;
  finding found = {0};
  snprintf(reason, reason_size,
           "no OpenCL driver offers a device: install your device's driver (its .icd file belongs in "
           "/etc/OpenCL/vendors), or pocl-opencl-icd for this CPU");
  cl_int code = api->clGetPlatformIDs(0, NULL, &count); /* fails when there is none */
  cl_platform_id *platforms = code == 0 && count > 0 ? bt_allocate(count, sizeof *platforms) : NULL;
  if (platforms == NULL || api->clGetPlatformIDs(count, platforms, NULL) != 0) count = 0;
  for (cl_uint p = 0; p < count; p++) find_on_platform(api, platforms[p], &found, reason, reason_size);
  free(platforms);
  *ret_list = found.list;
  return found.count;
}

/* --------------------------------------------------------------------------------------------- describing -- */

/* Bytes of local memory that the blocks of one multiprocessor share; CUDA C++ Programming Guide, table of technical
 * specifications per compute capability. */
static size_t nvidia_local_memory(cl_uint major, cl_uint minor) {
  size_t kib = 0;
  if (major == 7) kib = minor == 5 ? 64 : 96;
  if (major == 8) kib = minor == 0 ? 164 : minor == 7 ? 164 : 100;
  if (major == 9) kib = 228;
  if (major == 10) kib = 228;
  if (major >= 11) kib = 100;
  return kib * 1024;
}

static void describe_extensions(const bt_cl_api *api, cl_device_id id, bt_runtime_properties *properties) {
  enum { EXTENSIONS_SIZE = 16384 };
  char *extensions = bt_allocate(EXTENSIONS_SIZE, 1);
  if (extensions == NULL) return;
  bt_cl_device_text(api, id, CL_DEVICE_EXTENSIONS, extensions, EXTENSIONS_SIZE);
  if (strstr(extensions, "cl_nv_device_attribute_query") != NULL) {
    properties->wave = (int)bt_cl_device_uint(api, id, CL_DEVICE_WARP_SIZE_NV);
    properties->registers_core = (int)bt_cl_device_uint(api, id, CL_DEVICE_REGISTERS_PER_BLOCK_NV);
    size_t local = nvidia_local_memory(bt_cl_device_uint(api, id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV),
                                       bt_cl_device_uint(api, id, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV));
    if (local > properties->local_memory_core) properties->local_memory_core = local;
  } else if (strstr(extensions, "cl_amd_device_attribute_query") != NULL) {
    properties->wave = (int)bt_cl_device_uint(api, id, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
  }
  free(extensions);
}

void bt_cl_describe(const bt_cl_api *api, const bt_cl_device *device, bt_runtime_properties *ret_properties) {
  cl_device_id id = device->id;
  bt_runtime_properties p = {0};
  char version[64], platform[64], driver[64], text[192];
  bt_cl_device_text(api, id, CL_DEVICE_NAME, p.name, sizeof p.name);
  bt_cl_device_text(api, id, CL_DEVICE_VERSION, version, sizeof version);
  bt_cl_device_text(api, id, CL_DRIVER_VERSION, driver, sizeof driver);
  bt_cl_platform_text(api, device->platform, CL_PLATFORM_NAME, platform, sizeof platform);
  int number = version_of(version);
  snprintf(text, sizeof text, "OpenCL %d.%d, %s %s", number / 10, number % 10, platform, driver);
  snprintf(p.driver, sizeof p.driver, "%.63s", text);
  p.memory = p.free_memory = (size_t)bt_cl_device_long(api, id, CL_DEVICE_GLOBAL_MEM_SIZE);
  p.largest_buffer = (size_t)bt_cl_device_long(api, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  p.local_memory = p.local_memory_core = (size_t)bt_cl_device_long(api, id, CL_DEVICE_LOCAL_MEM_SIZE);
  p.cores = (int)bt_cl_device_uint(api, id, CL_DEVICE_MAX_COMPUTE_UNITS);
  size_t sizes[16] = {0};
  p.block_threads = (int)bt_cl_device_size(api, id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  if (api->clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL) == 0 && sizes[0] > 0 &&
      sizes[0] < (size_t)p.block_threads)
    p.block_threads = (int)sizes[0];
  p.wave = 1; /* OpenCL 1.2 does not guarantee lockstep */
  p.cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0;
  if (!p.cpu) describe_extensions(api, id, &p);
  *ret_properties = p;
}

int bt_cl_lanes(const bt_cl_api *api, const bt_cl_device *device) {
  if (!(device->type & CL_DEVICE_TYPE_CPU)) return 1;
  return bt_cl_device_uint(api, device->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT) >= 16 ? 16 : 8;
}
