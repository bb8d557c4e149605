/* registry.c - all back ends of this build in the order in which auto tries them: GPUs, the processor's own kernels,
 * other ways to the processor. */
#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "backend/cpu/cpu.h"
#include "engine/ad4/device_table.h"

/* Asks one back end after the other until visit returns true. */
typedef bool (*visitor)(void *context, const bt_backend *backend);

/* A GPU, or a runtime that has none; not the processor through another door. */
static bool comes_first(const bt_backend *backend) {
  bt_device_info info = backend->describe(backend);
  return info.accelerator || !info.usable;
}

static bool visit_devices(bool first, const char *opt_family, visitor visit, void *context) {
  const bt_device_table *table;
  for (int t = 0; (table = bt_device_table_get(t)) != NULL; t++) {
    const char *name = table->runtime->name;
    /* asking a driver takes time: not the ones that the name rules out */
    if (opt_family != NULL && strncmp(opt_family, name, strlen(name)) != 0) continue;
    int count = bt_device_backend_count(table);
    for (int i = 0; i < count; i++) {
      const bt_backend *backend = bt_device_backend_get(table, i);
      if (comes_first(backend) == first && visit(context, backend)) return true;
    }
  }
  return false;
}

static bool visit_all(const char *opt_family, visitor visit, void *context) {
  if (visit_devices(true, opt_family, visit, context)) return true;
  if (opt_family == NULL || strncmp(opt_family, "cpu", 3) == 0)
    for (int i = 0; i < bt_cpu_backend_count(); i++)
      if (visit(context, bt_cpu_backend_get(i))) return true;
  return visit_devices(false, opt_family, visit, context);
}

static bool count_one(void *context, const bt_backend *backend) {
  (void)backend;
  ++*(int *)context;
  return false;
}

int bt_backend_count(void) {
  int count = 0;
  visit_all(NULL, count_one, &count);
  return count;
}

typedef struct place {
  int left;
  const bt_backend *backend;
} place;

static bool stop_at(void *context, const bt_backend *backend) {
  place *at = context;
  at->backend = backend;
  return at->left-- == 0;
}

const bt_backend *bt_backend_get(int index) {
  place at = {.left = index};
  visit_all(NULL, stop_at, &at);
  return at.backend;
}

typedef struct wish {
  const char *opt_name;
  const bt_backend *usable;
  const bt_backend *unusable; /* named, but not usable */
} wish;

static bool stop_at_wish(void *context, const bt_backend *backend) {
  wish *w = context;
  size_t length = w->opt_name != NULL ? strlen(w->opt_name) : 0;
  bool exact = w->opt_name != NULL && strcmp(backend->name, w->opt_name) == 0;
  /* "cpu" stands for the best of "cpu/...", "cuda" for the first of "cuda:..." */
  bool member = w->opt_name == NULL || (strncmp(backend->name, w->opt_name, length) == 0 &&
                                        strchr("/:", backend->name[length]) != NULL && backend->name[length] != '\0');
  if (!exact && !member) return false;
  if (!backend->describe(backend).usable) {
    if (exact) w->unusable = backend;
    return exact;
  }
  w->usable = backend;
  return true;
}

/* A number behind the last device is no device, but its runtime may know why there is none at all. */
static const bt_backend *family_of(const char *name) {
  char family[64];
  snprintf(family, sizeof family, "%.*s", (int)strcspn(name, ":/"), name);
  wish w = {.opt_name = family};
  visit_all(family, stop_at_wish, &w);
  return w.usable == NULL ? w.unusable : NULL;
}

bt_status bt_backend_find(const char *opt_name, const bt_backend **ret_backend, bt_error *opt_error) {
  wish w = {.opt_name = opt_name != NULL && strcmp(opt_name, "auto") != 0 ? opt_name : NULL};
  visit_all(w.opt_name, stop_at_wish, &w);
  *ret_backend = w.usable;
  if (w.usable != NULL) return BT_OK;
  if (w.unusable == NULL && w.opt_name != NULL) w.unusable = family_of(w.opt_name);
  if (w.unusable != NULL) {
    bt_device_info info = w.unusable->describe(w.unusable);
    return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "see `berth devices` for what can be used here",
                   "device %s cannot be used: %s", w.opt_name, info.reason);
  }
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "see `berth devices` for what can be used here",
                 "there is no device named '%s'", w.opt_name != NULL ? w.opt_name : "auto");
}

int bt_device_count(void) { return bt_backend_count(); }

bt_device_info bt_device(int index) {
  const bt_backend *backend = bt_backend_get(index);
  return backend->describe(backend);
}
