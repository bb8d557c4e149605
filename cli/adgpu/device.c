/* device.c - AutoDock-GPU counts devices from 1; Berth names them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adgpu/adgpu.h"
#include "common/report.h"

static bool is_device_list(const char *text) {
  if (strcmp(text, "all") == 0 || strcmp(text, "auto") == 0) return true;
  for (;;) {
    char *end;
    if (text[0] < '0' || text[0] > '9') return false;
    unsigned long number = strtoul(text, &end, 10);
    if (number < 1 || number > 65536 || (*end != ',' && *end != '\0')) return false;
    if (*end == '\0') return true;
    text = end + 1;
  }
}

/* The usable GPU of this number (from 1) of the best kind; false: there are only *ret_count. */
static bool find_gpu(unsigned long number, bt_device_info *ret_device, unsigned long *ret_count) {
  size_t family = 0;
  bt_device_info first = {.usable = false};
  *ret_count = 0;
  for (int i = 0; i < bt_device_count(); i++) {
    bt_device_info device = bt_device(i);
    if (!device.usable || !device.accelerator) continue;
    if (family == 0) {
      first = device;
      family = strcspn(device.name, ":");
    }
    if (strncmp(first.name, device.name, family + 1) != 0 || ++*ret_count != number) continue;
    *ret_device = device;
    return true;
  }
  return false;
}

bt_status adgpu_device_choose(adgpu_settings *s, bt_error *opt_error) {
  s->devices[0] = '\0';
  s->devnum_ignored = false;
  if (s->opt_device != NULL) {
    if (s->devnum != NULL)
      return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "remove one of the two",
                            "both --device and --devnum are given");
    snprintf(s->devices, sizeof s->devices, "%s", s->opt_device);
    return bt_device_check(s->devices, s->opt_isa, opt_error);
  }
  if (s->devnum == NULL || strcmp(s->devnum, "auto") == 0) return BT_OK;
  if (!is_device_list(s->devnum))
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "use a number, a list like 1,2, all or auto",
                          "--devnum: '%s' is not valid", s->devnum);
  if (strcmp(s->devnum, "all") == 0) {
    snprintf(s->devices, sizeof s->devices, "all");
    return BT_OK;
  }
  size_t used = 0;
  for (const char *from = s->devnum;;) {
    char *end;
    unsigned long number = strtoul(from, &end, 10), count;
    bt_device_info device;
    if (!find_gpu(number, &device, &count)) {
      if (count > 0)
        return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "see `berth devices`", "--devnum %s: there %s %lu GPU%s",
                              s->devnum, count > 1 ? "are" : "is", count, count > 1 ? "s" : "");
      s->devnum_ignored = strcmp(s->devnum, "1") != 0;
      return BT_OK;
    }
    if (used < sizeof s->devices)
      used += (size_t)snprintf(s->devices + used, sizeof s->devices - used, "%s%s", used > 0 ? "," : "", device.name);
    if (*end == '\0') return BT_OK;
    from = end + 1;
  }
}
