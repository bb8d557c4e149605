/* registry.c - the machines of this build and their devices. To add a machine, add a line to MACHINES. */
#include <stdio.h>
#include <string.h>

#include "backend/backend.h"

/* In the order in which auto tries them: GPUs first, then those that compute on the CPU. */
#ifdef BT_WITH_OPENCL
#define MACHINE_OPENCL(X) X(bt_runtime_opencl)
#else
#define MACHINE_OPENCL(X)
#endif
#define MACHINES(X)    \
  X(bt_runtime_cuda)   \
  X(bt_runtime_hip)    \
  X(bt_runtime_cpu)    \
  MACHINE_OPENCL(X)    \
  X(bt_runtime_omptarget)

/* Declared here, so that the headers of the machines need not be included. */
#define DECLARE(runtime) extern const bt_runtime runtime;
MACHINES(DECLARE)
#undef DECLARE

static const bt_runtime *const machines[] = {
#define LINE(runtime) &runtime,
    MACHINES(LINE)
#undef LINE
};

/* Devices that have a name. */
static int named_count(const bt_runtime *runtime, char *reason, size_t size) {
  int count = runtime->device_count(reason, size);
  return count < BT_DEVICE_NAMES ? count : BT_DEVICE_NAMES;
}

int bt_backend_count_of(const bt_runtime *runtime) {
  char reason[256];
  int count = named_count(runtime, reason, sizeof reason);
  return count > 0 ? count : 1;
}

const bt_backend *bt_backend_get_of(const bt_runtime *runtime, int index) {
  char reason[256];
  return &runtime->devices[named_count(runtime, reason, sizeof reason) > 0 ? index + 1 : 0];
}

void bt_backend_properties(const bt_backend *backend, bt_runtime_properties *ret_properties) {
  bt_runtime_properties *p = ret_properties;
  *p = (bt_runtime_properties){.wave = 0};
  int count = named_count(backend->runtime, p->reason, sizeof p->reason);
  if (backend->device >= 0 && backend->device < count) {
    backend->runtime->device_properties(backend->device, p);
    return;
  }
  if (count > 0) snprintf(p->reason, sizeof p->reason, "no such device");
  if (p->reason[0] == '\0') snprintf(p->reason, sizeof p->reason, "no device found");
}

static bool is_usable(const bt_backend *backend) {
  bt_runtime_properties properties;
  bt_backend_properties(backend, &properties);
  return properties.reason[0] == '\0';
}

/* Visits one device after the other until visit returns true. */
typedef bool (*visitor)(void *context, const bt_backend *backend);

static bool visit_some(bool cpu, const char *opt_family, visitor visit, void *context) {
  for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
    const char *name = machines[m]->name;
    /* querying a driver takes time: skip those that the name rules out */
    if (opt_family != NULL && strncmp(opt_family, name, strlen(name)) != 0) continue;
    bool accelerators = machines[m]->opt_accelerators == NULL || machines[m]->opt_accelerators();
    if (!cpu && !accelerators) continue;
    int count = bt_backend_count_of(machines[m]);
    for (int i = 0; i < count; i++) {
      bt_runtime_properties properties;
      const bt_backend *backend = bt_backend_get_of(machines[m], i);
      bt_backend_properties(backend, &properties);
      if ((properties.cpu == cpu || !accelerators) && visit(context, backend)) return true;
    }
  }
  return false;
}

static bool visit_all(const char *opt_family, visitor visit, void *context) {
  return visit_some(false, opt_family, visit, context) || visit_some(true, opt_family, visit, context);
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

/* A name, and what has been found for it. */
typedef struct request {
  const char *opt_name;
  const bt_backend *usable;
  const bt_backend *unusable; /* named, but not usable */
} request;

static bool stop_at_request(void *context, const bt_backend *backend) {
  request *r = context;
  size_t length = r->opt_name != NULL ? strlen(r->opt_name) : 0;
  bool exact = r->opt_name != NULL && strcmp(backend->name, r->opt_name) == 0;
  /* "cpu" means the best of "cpu/...", "cuda" the first of "cuda:..." */
  bool member = r->opt_name == NULL || (strncmp(backend->name, r->opt_name, length) == 0 &&
                                        strchr("/:", backend->name[length]) != NULL && backend->name[length] != '\0');
  if (!exact && !member) return false;
  if (!is_usable(backend)) {
    if (exact) r->unusable = backend;
    return exact;
  }
  r->usable = backend;
  return true;
}

/* A number past the last device is not a device, but its runtime may know why there is none at all. */
static const bt_backend *family_of(const char *name) {
  char family[64];
  snprintf(family, sizeof family, "%.*s", (int)strcspn(name, ":/"), name);
  request r = {.opt_name = family};
  visit_all(family, stop_at_request, &r);
  return r.usable == NULL ? r.unusable : NULL;
}

bt_status bt_backend_find(const char *opt_name, const bt_backend **ret_backend, bt_error *opt_error) {
  request r = {.opt_name = opt_name != NULL && strcmp(opt_name, "auto") != 0 ? opt_name : NULL};
  visit_all(r.opt_name, stop_at_request, &r);
  *ret_backend = r.usable;
  if (r.usable != NULL) return BT_OK;
  if (r.unusable == NULL && r.opt_name != NULL) r.unusable = family_of(r.opt_name);
  if (r.unusable != NULL) {
    bt_runtime_properties properties;
    bt_backend_properties(r.unusable, &properties);
    return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "see `berth devices` for what can be used here",
                   "device %s cannot be used: %s", r.opt_name, properties.reason);
  }
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "see `berth devices` for what can be used here",
                 "no device named '%s'", r.opt_name != NULL ? r.opt_name : "auto");
}
