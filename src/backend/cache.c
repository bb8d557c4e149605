/* cache.c - whether the requested devices can use the cache. */
#include <berth/berth.h>
#include <berth/cache.h>
#include <string.h>

#include "backend/backend.h"
#include "base/files/cache.h"
#include "base/status.h"

static bool has_accelerator(void) {
  bool found = false;
  for (int i = 0; !found && i < bt_backend_count(); i++) {
    bt_runtime_properties device;
    bt_backend_properties(bt_backend_get(i), &device);
    found = device.cores > 0 && device.reason[0] == '\0' && !device.cpu;
  }
  return found;
}

/* The CPU's own code is part of the library and needs no calibration. */
static bool uses_cache(const char *opt_device) {
  if (opt_device == NULL || strcmp(opt_device, "auto") == 0 || strcmp(opt_device, "all") == 0) return has_accelerator();
  for (const char *name = opt_device; name != NULL; name = strchr(name, ',')) {
    if (*name == ',') name++;
    if (strncmp(name, "cpu", 3) != 0) return true;
  }
  return false;
}

bt_status bt_cache_check(const char *opt_device, bt_error *opt_error) {
  BT_TRY(bt_cache_check_trust(opt_error));
  if (bt_cache_check_writable(NULL) == BT_OK || !uses_cache(opt_device)) return BT_OK; /* loading drivers takes time */
  return bt_cache_check_writable(opt_error);
}
