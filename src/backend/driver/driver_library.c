/* driver_library.c - loads a GPU driver and queries its devices, before any of them is opened. */
#include "backend/driver/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool bt_driver_library_open(const bt_driver *driver, bt_driver_library *ret_library, char *reason, size_t reason_size) {
  /* Opening it again only counts; it is never closed, since drivers start threads of their own. */
  *ret_library = (bt_driver_library){0};
  for (int i = 0; driver->libraries[i] != NULL && ret_library->handle == NULL; i++)
    ret_library->handle = dlopen(driver->libraries[i], RTLD_NOW | RTLD_LOCAL);
  if (ret_library->handle == NULL) {
    snprintf(reason, reason_size, "%s was not found: %s", driver->libraries[0], driver->absent);
    return false;
  }
  const char *missing = NULL;
  int index = 0;
#define BT_DRIVER_BIND(member, cuda, hip, arguments)                                            \
  if (driver->symbols[index] != NULL) {                                                         \
    ret_library->member = (int(*) arguments)dlsym(ret_library->handle, driver->symbols[index]); \
    if (ret_library->member == NULL) missing = driver->symbols[index];                          \
  }                                                                                             \
  index++;
  BT_DRIVER_FUNCTIONS(BT_DRIVER_BIND)
#undef BT_DRIVER_BIND
  if (missing != NULL) {
    snprintf(reason, reason_size, "the %s driver is too old: it lacks the function %s", driver->name, missing);
    return false;
  }
  int code = ret_library->init(0);
  if (code != 0) {
    char text[200];
    driver->error_text(ret_library, code, text, sizeof text);
    bool none = code == BT_DRIVER_NO_DEVICE || code == BT_DRIVER_INVALID_DEVICE;
    snprintf(reason, reason_size, "the %s driver %s: %s", driver->name, none ? "finds no GPU" : "does not start", text);
    return false;
  }
  return true;
}

int bt_driver_device_count(const bt_driver *driver, char *reason, size_t reason_size) {
  bt_driver_library library;
  int count = 0;
  if (reason_size > 0) reason[0] = '\0';
  if (!bt_driver_library_open(driver, &library, reason, reason_size)) return 0;
  bool own_code = driver->opt_code != NULL && driver->opt_code(&library, &driver->images[0]) != NULL;
  if (driver->build[0] == '\0' && !own_code) {
    snprintf(reason, reason_size, "this build has no %s kernels; %s", driver->name, driver->no_kernels);
    return 0;
  }
  int code = library.count(&count);
  if (code != 0 || count <= 0) {
    char text[200] = "none is visible";
    if (code != 0) driver->error_text(&library, code, text, sizeof text);
    snprintf(reason, reason_size, "the %s driver has no device: %s", driver->name, text);
    return 0;
  }
  return count;
}

static int attribute(const bt_driver_library *library, int number, int device, int otherwise) {
  int value = 0;
  if (number < 0 || library->attribute(&value, number, device) != 0) return otherwise;
  return value;
}

void bt_driver_device_properties(const bt_driver *driver, int index, bt_runtime_properties *ret_properties) {
  bt_runtime_properties *p = ret_properties;
  const bt_driver_attributes *a = &driver->attributes;
  bt_driver_library library;
  int device;
  *p = (bt_runtime_properties){.cores = 1, .block_threads = 1, .wave = 1};
  if (!bt_driver_library_open(driver, &library, p->reason, sizeof p->reason)) return;
  int code = library.device(&device, index);
  if (code != 0) {
    driver->error_text(&library, code, p->reason, sizeof p->reason);
    return;
  }
  if (library.name(p->name, (int)sizeof p->name, device) != 0) snprintf(p->name, sizeof p->name, "%s", driver->name);
  driver->driver_text(&library, p->driver, sizeof p->driver);
  if (library.memory(&p->memory, device) != 0) p->memory = 0;
  p->free_memory = driver->free_memory(&library, device, p->memory);
  p->largest_buffer = p->memory;
  p->cores = attribute(&library, a->cores, device, 1);
  p->block_threads = attribute(&library, a->block_threads, device, 256);
  p->wave = attribute(&library, a->wave, device, 1);
  p->local_memory = (size_t)attribute(&library, a->local_memory, device, 0);
  p->local_memory_core = (size_t)attribute(&library, a->local_memory_core, device, (int)p->local_memory);
  p->registers_core = attribute(&library, a->registers_core, device, 0);
  driver->unusable(&library, device, p->reason, sizeof p->reason);
}
