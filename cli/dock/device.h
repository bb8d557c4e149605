/* device.h - where to compute: options shared by programs, and checks of the names before any work is done. */
#ifndef BERTH_CLI_DOCK_DEVICE_H
#define BERTH_CLI_DOCK_DEVICE_H

#include <berth/berth.h>

#include "common/options.h"

typedef struct cli_device_request {
  const char *opt_device, *opt_devices, *opt_isa;
  int team, reduction;
} cli_device_request;

/* Entries for a program's table of options; request is an lvalue of type cli_device_request. */
/* clang-format off */
#define CLI_DEVICE_OPTIONS(request)                                                                                 \
  {.group = "Device", .name = "device", .kind = CLI_STRING, .target = &(request).opt_device, .value = "NAME",       \
   .opt_default = "auto", .help = "where to compute: auto, cpu, cuda, cuda:1, opencl:0, ...; see berth devices"},   \
  {.name = "team", .kind = CLI_INT, .target = &(request).team, .value = "N", .high = 1024, .opt_default = "chosen", \
   .help = "lanes of a GPU that share one pose"},                                                                   \
  {.name = "reduction", .kind = CLI_CHOICE, .target = &(request).reduction,                                         \
   .choices = "auto|simt|tensor-fp16|tensor-ec", .help = "how a team adds up; tensor-fp16 is for studies only"},    \
  {.name = "isa", .kind = CLI_STRING, .target = &(request).opt_isa, .value = "NAME",                                \
   .opt_default = "the best", .help = "vector instructions of the processor: avx512, avx2, sse2, neon or scalar"}
#define CLI_DEVICES_OPTION(request)                                                                                 \
  {.name = "devices", .kind = CLI_STRING, .target = &(request).opt_devices, .value = "LIST|all", .opt_default = "", \
   .help = "several that share the work, or all GPUs of the best kind"}
/* clang-format on */

/* Puts the request into the options after a check; BT_ERR_USAGE for names that mean nothing or contradict each other,
 * BT_ERR_DEVICE for a device that cannot be used. */
bt_status cli_device_resolve(const cli_device_request *request, bt_dock_options *options,
                             bt_error *opt_error) BT_MUST_USE;

/* BT_ERR_USAGE when the processor has no such vector instructions by name, BT_ERR_DEVICE when it cannot run them. */
bt_status cli_isa_check(const char *opt_isa, bt_error *opt_error) BT_MUST_USE;

#endif
