/* device.h - device selection: options shared by programs, and checks of the names before any work is done. */
#ifndef BERTH_CLI_DOCK_DEVICE_H
#define BERTH_CLI_DOCK_DEVICE_H

#include <berth/score.h>

#include "common/options.h"

typedef struct cli_device_request {
  const char *opt_device, *opt_devices, *opt_isa;
  int team, reduction;
} cli_device_request;

/* Entries for a program's table of options; request is an lvalue of type cli_device_request. */
/* clang-format off */
#define CLI_DEVICE_OPTIONS(request)                                                                                    \
  {.group = "Device", OPT_STRING("device", 0, &(request).opt_device, "NAME",                                           \
   "device to compute on: auto, cpu, cuda, cuda:1, opencl:0, ...; see berth devices"), .opt_default = "auto"},         \
  {OPT_INT("team", 0, &(request).team, "N", 0, 1024, "GPU lanes that share one pose"), .opt_default = "automatic"},    \
  {OPT_CHOICE("reduction", 0, &(request).reduction, bt_reduction_choices(),                                            \
   "how a team sums its terms; tensor-fp16, sequential and two-step-* are for comparison only")},                      \
  {OPT_STRING("isa", 0, &(request).opt_isa, "NAME",                                                                    \
   "vector instruction set of the CPU: avx512, avx2, sse2, neon or scalar"), .opt_default = "the best"}
#define CLI_DEVICES_OPTION(request)                                                                                    \
  {OPT_STRING("devices", 0, &(request).opt_devices, "LIST|all",                                                        \
   "several devices that share the work, or all GPUs of the best kind"), .opt_default = ""}
/* clang-format on */

/* Copies the request to the options after a check; BT_ERR_USAGE for unknown or contradictory names, BT_ERR_DEVICE for a
 * device that cannot be used. */
bt_status cli_device_resolve(const cli_device_request *request, bt_dock_options *options,
                             bt_error *opt_error) BT_MUST_USE;

/* BT_ERR_USAGE for an unknown instruction set, BT_ERR_DEVICE for one that this CPU lacks. */
bt_status cli_isa_check(const char *opt_isa, bt_error *opt_error) BT_MUST_USE;

#endif
