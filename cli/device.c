/* device.c - checks the names of devices before any work is done. */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "report.h"

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
    snprintf(known + used, sizeof known - used, "%s%.59s", used > 0 ? ", " : "give one of ", device.name + 4);
  }
  return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, known, "--isa: '%s' is not valid", opt_isa);
}
