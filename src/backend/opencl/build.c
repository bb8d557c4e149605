/* build.c - compiles kernels at run time; binaries are cached under a key of all that they depend on. */
#include "backend/opencl/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/cache.h"
#include "base/memory.h"
#include "base/text/text.h"

static const char cache_kind[] = "opencl";

static bt_hash key_of(const bt_cl_api *api, const bt_cl_device *device, const char *source, const char *options) {
  static const cl_uint texts[] = {CL_DEVICE_NAME, CL_DEVICE_VERSION, CL_DRIVER_VERSION};
  bt_hash key = bt_hash_begin();
  bt_hash_add_text(&key, source);
  bt_hash_add_text(&key, options);
  char text[512];
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    bt_cl_device_text(api, device->id, texts[k], text, sizeof text);
    bt_hash_add_text(&key, text);
  }
  bt_cl_platform_text(api, device->platform, CL_PLATFORM_VERSION, text, sizeof text);
  bt_hash_add_text(&key, text);
  return key;
}

/* NULL if there is no entry, or if the driver rejects it; then it is removed. */
static cl_program from_cache(const bt_cl_api *api, cl_context context, cl_device_id device, bt_hash key,
                             const char *options) {
  char *binary = NULL;
  size_t size = 0;
  if (!bt_cache_load(cache_kind, key, &binary, &size)) return NULL;
  cl_int code = 0, status = 0;
  const unsigned char *bytes = (const unsigned char *)binary;
  cl_program program = api->clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &code);
  free(binary);
  if (program != NULL && code == 0 && status == 0 && api->clBuildProgram(program, 1, &device, options, NULL, NULL) == 0)
    return program;
  if (program != NULL) api->clReleaseProgram(program);
  bt_cache_remove(cache_kind, key);
  return NULL;
}

static void into_cache(const bt_cl_api *api, cl_program program, bt_hash key) {
  size_t size = 0;
  if (api->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != 0 || size == 0) return;
  unsigned char *binary = bt_allocate(size, 1);
  if (binary != NULL && api->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == 0)
    bt_cache_store(cache_kind, key, binary, size);
  free(binary);
}

/* The lines from the first error on, or else the first lines, joined into one. */
static void shorten_log(const char *log, char *text, size_t size) {
  const char *error = strstr(log, "error");
  const char *from = error != NULL ? error : log;
  while (from > log && from[-1] != '\n') from--;
  size_t used = 0;
  for (int lines = 0; *from != '\0' && used + 1 < size && lines < 4; from++) {
    if (*from == '\n') lines++;
    text[used++] = *from == '\n' || *from == '\t' || *from == '\r' ? ' ' : *from;
  }
  while (used > 0 && text[used - 1] == ' ') used--;
  text[used] = '\0';
}

static bt_status fail_build(const bt_cl_api *api, cl_program program, cl_device_id device, cl_int code,
                            bt_error *opt_error) {
  size_t length = 0;
  char name[128], code_name[32], text[300] = "";
  bt_cl_device_text(api, device, CL_DEVICE_NAME, name, sizeof name);
  char *log = NULL;
  if (api->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length) == 0)
    log = bt_allocate(length + 1, 1);
  if (log != NULL && api->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, length, log, NULL) == 0)
    shorten_log(log, text, sizeof text);
  free(log);
  return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "update the device's OpenCL driver, or choose another device",
                 "cannot build the kernels for %.60s: %s: %s", name, bt_cl_error_name(code, code_name),
                 text[0] != '\0' ? text : "no compiler log");
}

bt_status bt_cl_build(const bt_cl_api *api, cl_context context, const bt_cl_device *device, const char *source,
                      const char *options, bool keep, cl_program *ret_program, bt_cl_origin *opt_ret_origin,
                      bt_error *opt_error) {
  bt_hash key = key_of(api, device, source, options);
  bt_cl_origin origin = BT_CL_CACHED;
  cl_program program = keep ? from_cache(api, context, device->id, key, options) : NULL;
  if (program == NULL) {
    cl_int code = 0;
    origin = BT_CL_COMPILED;
    program = api->clCreateProgramWithSource(context, 1, &source, NULL, &code);
    if (program == NULL || code != 0) return bt_cl_fail(opt_error, code, "cannot load the kernels' source");
    code = api->clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (code != 0) {
      bt_status status = fail_build(api, program, device->id, code, opt_error);
      api->clReleaseProgram(program);
      return status;
    }
    if (keep) into_cache(api, program, key);
  }
  if (opt_ret_origin != NULL) *opt_ret_origin = origin;
  *ret_program = program;
  return BT_OK;
}
