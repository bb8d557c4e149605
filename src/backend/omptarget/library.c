/* library.c - finding libberth_omptarget.so, and devices that it can use. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/omptarget/omptarget.h"

#define LIBRARY "libberth_omptarget.so"

/* A path as the variable of the environment says, beside the program, in the folder for libraries beside the program's,
 * or where the system looks for libraries. */
static void *open_library(char *reason, size_t reason_size) {
  static const char *const folders[] = {"", "../lib/", "../bin/"};
  char program[4096], path[4200];
  const char *wish = getenv("BERTH_OMPTARGET_LIBRARY");
  void *library = NULL;
  if (wish != NULL && wish[0] != '\0') {
    library = dlopen(wish, RTLD_NOW | RTLD_LOCAL);
  } else {
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash != NULL) slash[1] = '\0';
    for (size_t f = 0; f < sizeof folders / sizeof folders[0] && library == NULL && slash != NULL; f++) {
      snprintf(path, sizeof path, "%s%s" LIBRARY, program, folders[f]);
      if (access(path, R_OK) != 0) continue;
      wish = path;
      library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
      break; /* the one that belongs to this program, even if it does not load */
    }
    if (wish == NULL) library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  }
  if (library != NULL) return library;
  const char *why = dlerror();
  if (wish == NULL)
    snprintf(reason, reason_size,
             "this build has no OpenMP target code (" LIBRARY
             "): build with -DBERTH_WITH_OMPTARGET=ON and a GCC that "
             "can offload (package gcc-12-offload-nvptx)");
  else
    snprintf(reason, reason_size, "%s does not load: %s", wish, why != NULL ? why : "");
  return NULL;
}

const bt_omptarget_table *bt_omptarget_library(char *reason, size_t reason_size) {
  void *library = open_library(reason, reason_size);
  if (library == NULL) return NULL;
  const bt_omptarget_table *table = dlsym(library, BT_OMPTARGET_SYMBOL);
  if (table != NULL) return table;
  snprintf(reason, reason_size, LIBRARY " is of another build: install the two together");
  return NULL;
}

const bt_omptarget_entries *bt_omptarget_find(const bt_module *module, const bt_kernel_image *image) {
  char name[120], reason[256];
  int used = snprintf(name, sizeof name, "bt_omptarget_%.60s", module->name);
  for (int k = 0; k < BT_VARIANT_VALUES && module->constants[k] != NULL; k++)
    used += snprintf(name + used, sizeof name - (size_t)used, "_%d", image->values[k]);
  void *library = open_library(reason, sizeof reason);
  const bt_omptarget_entries *found = library != NULL ? dlsym(library, name) : NULL;
  bool same = found != NULL && found->n_entries == module->n_entries && found->launch_bytes == module->launch_bytes;
  return same ? found : NULL;
}

static bool host_allowed(void) {
  const char *text = getenv("BERTH_OMPTARGET_ALLOW_HOST");
  return text != NULL && strcmp(text, "1") == 0;
}

/* libgomp says only that there is no device; what it would need are a plugin and a driver. */
static void explain(char *reason, size_t reason_size) {
  static const char *const plugin = "libgomp-plugin-nvptx.so.1";
  const char *setting = getenv("OMP_TARGET_OFFLOAD");
  if (setting != NULL && strcasecmp(setting, "disabled") == 0)
    snprintf(reason, reason_size, "OMP_TARGET_OFFLOAD=%s forbids devices: OpenMP would silently run on the host",
             setting);
  else if (dlopen(plugin, RTLD_LAZY | RTLD_LOCAL) == NULL)
    snprintf(reason, reason_size, "libgomp has no plugin for GPUs: install libgomp-plugin-nvptx1 (%s)", plugin);
  else
    snprintf(reason, reason_size, "no offload device: libgomp finds no GPU, and OpenMP would silently run on the host");
}

const bt_omptarget_table *bt_omptarget_devices(int *ret_count, char *reason, size_t reason_size) {
  *ret_count = 0;
  const bt_omptarget_table *table = bt_omptarget_library(reason, reason_size);
  if (table == NULL) return NULL;
  int count = table->build[0] != '\0' ? table->device_count() : 0;
  if (count <= 0 && host_allowed()) count = 1;
  if (count > 0) {
    *ret_count = count;
    return table;
  }
  if (table->build[0] == '\0')
    snprintf(reason, reason_size,
             "this build's OpenMP target code is for the host alone: build with a GCC that can offload (package "
             "gcc-12-offload-nvptx)");
  else
    explain(reason, reason_size);
  return NULL;
}

int bt_omptarget_number(const bt_omptarget_table *table, int index, bool *ret_host) {
  *ret_host = table->build[0] == '\0' || table->device_count() <= 0;
  return *ret_host ? table->host() : index;
}
