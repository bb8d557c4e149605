/* api.c - loads the OpenCL library; names of its errors. */
#include "backend/opencl/api.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool bt_cl_load(bt_cl_api *ret_api, char *reason, size_t reason_size) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) {
    snprintf(reason, reason_size,
             "libOpenCL.so.1 was not found: install an OpenCL loader (ocl-icd-libopencl1) and your device's driver, or "
             "pocl-opencl-icd for this CPU");
    return false;
  }
  const char *missing = NULL;
#define BT_CL_FIND(result, name, parameters)            \
  {                                                     \
    void *function = dlsym(library, #name);             \
    if (function == NULL) missing = #name;              \
    memcpy(&ret_api->name, &function, sizeof function); \
  }
  BT_CL_FUNCTIONS(BT_CL_FIND)
#undef BT_CL_FIND
  dlclose(library); /* stays loaded, see RTLD_NODELETE */
  if (missing != NULL) snprintf(reason, reason_size, "libOpenCL.so.1 lacks %s: it is older than OpenCL 1.2", missing);
  return missing == NULL;
}

const char *bt_cl_error_name(cl_int code, char buffer[32]) {
  /* by code, from 0 and from -30 down; the latter block begins with CL_INVALID_VALUE */
  static const char *const runtime[] = {"CL_SUCCESS",
                                        "CL_DEVICE_NOT_FOUND",
                                        "CL_DEVICE_NOT_AVAILABLE",
                                        "CL_COMPILER_NOT_AVAILABLE",
                                        "CL_MEM_OBJECT_ALLOCATION_FAILURE",
                                        "CL_OUT_OF_RESOURCES",
                                        "CL_OUT_OF_HOST_MEMORY",
                                        "CL_PROFILING_INFO_NOT_AVAILABLE",
                                        "CL_MEM_COPY_OVERLAP",
                                        "CL_IMAGE_FORMAT_MISMATCH",
                                        "CL_IMAGE_FORMAT_NOT_SUPPORTED",
                                        "CL_BUILD_PROGRAM_FAILURE",
                                        "CL_MAP_FAILURE",
                                        "CL_MISALIGNED_SUB_BUFFER_OFFSET",
                                        "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
                                        "CL_COMPILE_PROGRAM_FAILURE",
                                        "CL_LINKER_NOT_AVAILABLE",
                                        "CL_LINK_PROGRAM_FAILURE",
                                        "CL_DEVICE_PARTITION_FAILED",
                                        "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"};
  static const char *const usage[] = {"CL_INVALID_VALUE",           "CL_INVALID_DEVICE_TYPE",
                                      "CL_INVALID_PLATFORM",        "CL_INVALID_DEVICE",
                                      "CL_INVALID_CONTEXT",         "CL_INVALID_QUEUE_PROPERTIES",
                                      "CL_INVALID_COMMAND_QUEUE",   "CL_INVALID_HOST_PTR",
                                      "CL_INVALID_MEM_OBJECT",      "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
                                      "CL_INVALID_IMAGE_SIZE",      "CL_INVALID_SAMPLER",
                                      "CL_INVALID_BINARY",          "CL_INVALID_BUILD_OPTIONS",
                                      "CL_INVALID_PROGRAM",         "CL_INVALID_PROGRAM_EXECUTABLE",
                                      "CL_INVALID_KERNEL_NAME",     "CL_INVALID_KERNEL_DEFINITION",
                                      "CL_INVALID_KERNEL",          "CL_INVALID_ARG_INDEX",
                                      "CL_INVALID_ARG_VALUE",       "CL_INVALID_ARG_SIZE",
                                      "CL_INVALID_KERNEL_ARGS",     "CL_INVALID_WORK_DIMENSION",
                                      "CL_INVALID_WORK_GROUP_SIZE", "CL_INVALID_WORK_ITEM_SIZE",
                                      "CL_INVALID_GLOBAL_OFFSET",   "CL_INVALID_EVENT_WAIT_LIST",
                                      "CL_INVALID_EVENT",           "CL_INVALID_OPERATION",
                                      "CL_INVALID_GL_OBJECT",       "CL_INVALID_BUFFER_SIZE",
                                      "CL_INVALID_MIP_LEVEL",       "CL_INVALID_GLOBAL_WORK_SIZE"};
  int n_runtime = (int)(sizeof runtime / sizeof *runtime), n_usage = (int)(sizeof usage / sizeof *usage);
  if (code <= 0 && code > -n_runtime) return runtime[-code];
  if (code <= CL_INVALID_VALUE && code > CL_INVALID_VALUE - n_usage) return usage[CL_INVALID_VALUE - code];
  snprintf(buffer, 32, "OpenCL error %d", (int)code);
  return buffer;
}

bt_status bt_cl_fail(bt_error *opt_error, cl_int code, const char *what_format, ...) {
  bt_status status = BT_ERR_DEVICE;
  const char *remedy = "see `clinfo` for whether the driver works, or choose another device";
  switch (code) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE:
    case CL_OUT_OF_HOST_MEMORY:
      status = BT_ERR_MEMORY;
      remedy = "dock fewer runs or ligands at a time, or choose a device with more memory";
      break;
    case CL_OUT_OF_RESOURCES: remedy = "choose another team size, or another device"; break;
    case CL_INVALID_WORK_GROUP_SIZE:
    case CL_INVALID_WORK_ITEM_SIZE:
      status = BT_ERR_LIMIT;
      remedy = "choose a smaller team";
      break;
    default: break;
  }
  char what[256], name[32];
  va_list arguments;
  va_start(arguments, what_format);
  vsnprintf(what, sizeof what, what_format, arguments);
  va_end(arguments);
  return bt_fail(opt_error, status, (bt_where){0}, remedy, "%s: %s", what, bt_cl_error_name(code, name));
}
