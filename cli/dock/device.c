/* device.c - see device.h. */
#include "dock/device.h"

#include <assert.h>
#include <berth/berth.h>
#include <stdio.h>
#include <string.h>

#include "common/report.h"

static_assert(BT_REDUCTION_AUTO == 0 && BT_REDUCTION_SIMT == 1 && BT_REDUCTION_TENSOR_FP16 == 2 &&
                  BT_REDUCTION_TENSOR_EC == 3,
              "order of --reduction");

bt_status cli_device_resolve(const cli_device_request *request, bt_dock_options *options, bt_error *opt_error) {
  const char *device = request->opt_devices != NULL ? request->opt_devices : request->opt_device;
  if (request->opt_devices != NULL && request->opt_device != NULL)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "remove one of the two",
                          "both --device and --devices are given");
  BT_TRY(cli_isa_check(request->opt_isa, opt_error));
  options->opt_device = device;
  options->opt_isa = request->opt_isa;
  options->team = request->team;
  options->reduction = (bt_reduction)request->reduction;
  /* auto always finds a device; drivers are not loaded before there is work */
  bool automatic = device == NULL || strcmp(device, "auto") == 0;
  return automatic ? BT_OK : bt_device_check(device, request->opt_isa, opt_error);
}

bt_status cli_isa_check(const char *opt_isa, bt_error *opt_error) {
  if (opt_isa == NULL) return BT_OK;
  char known[256] = "";
  for (int i = 0; i < bt_device_count(); i++) {
    bt_device_info device = bt_device(i);
    if (strncmp(device.name, "cpu/", 4) != 0) continue;
    if (strcmp(device.name + 4, opt_isa) == 0)
      return device.usable ? BT_OK
                           : cli_fill_error(opt_error, BT_ERR_DEVICE, NULL, "leave --isa out", "--isa %s: %s", opt_isa,
                                            device.reason);
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%.59s", used > 0 ? ", " : "use one of ", device.name + 4);
  }
  return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, known, "--isa: '%s' is not valid", opt_isa);
}
