/* registry.c - one line per back end. */
#include <string.h>

#include "backend/backend.h"
#include "backend/cpu/cpu.h"

int bt_backend_count(void) { return bt_cpu_backend_count(); }

const bt_backend *bt_backend_get(int index) { return bt_cpu_backend_get(index); }

bt_status bt_backend_find(const char *opt_name, const bt_backend **ret_backend, bt_error *opt_error) {
  bool any = opt_name == NULL || strcmp(opt_name, "auto") == 0;
  size_t length = any ? 0 : strlen(opt_name);
  for (int i = 0; i < bt_backend_count(); i++) {
    const bt_backend *backend = bt_backend_get(i);
    const char *name = backend->name;
    bt_device_info info = backend->describe(backend);
    /* "cpu" stands for the best of "cpu/..."; a full name must be usable */
    bool family = !any && strncmp(name, opt_name, length) == 0 && name[length] == '/';
    bool exact = !any && strcmp(name, opt_name) == 0;
    if (exact && !info.usable)
      return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "see `berth devices`", "device %s cannot be used: %s",
                     name, info.reason);
    if ((any || family || exact) && info.usable) {
      *ret_backend = backend;
      return BT_OK;
    }
  }
  return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "see `berth devices` for what can be used here",
                 "there is no device named '%s'", any ? "auto" : opt_name);
}

int bt_device_count(void) { return bt_backend_count(); }
bt_device_info bt_device(int index) {
  const bt_backend *backend = bt_backend_get(index);
  return backend->describe(backend);
}
