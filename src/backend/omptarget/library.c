/* library.c - finds libberth_omptarget.so, and devices that it can use. */
#include <berth/build.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/omptarget/omptarget.h"

#define LIBRARY "libberth_omptarget.so"

/* The folder of the program, or with `shared` that of libberth.so, which another program may have opened; "" if
 * unknown. */
static void own_folder(bool shared, char *folder, size_t size) {
  static const char here = 0;
  Dl_info info;
  folder[0] = '\0';
  if (shared) {
    if (dladdr(&here, &info) != 0 && info.dli_fname != NULL) snprintf(folder, size, "%s", info.dli_fname);
  } else {
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
  }
  char *slash = strrchr(folder, '/');
  folder[slash != NULL ? slash + 1 - folder : 0] = '\0';
}

/* Searches the folder of the program or libberth.so, and the lib and bin folders next to it. */
static bool find_library(char *path, size_t size) {
  static const char *const folders[] = {"", "../lib/", "../bin/"};
  enum { COUNT = sizeof folders / sizeof *folders };
  char own[4096];
  for (int f = 0; f < 2 * COUNT; f++) {
    own_folder(f >= COUNT, own, sizeof own);
    snprintf(path, size, "%s%s" LIBRARY, own, folders[f % COUNT]);
    if (own[0] != '\0' && access(path, R_OK) == 0) return true;
  }
  return false;
}

static bool is_built_in(void) {
  bool built_in = false;
  for (int f = 0; bt_build_feature(f).name != NULL; f++)
    built_in = built_in || (strcmp(bt_build_feature(f).name, "omptarget") == 0 && bt_build_feature(f).built_in);
  return built_in;
}

static void explain_absence(char *reason, size_t reason_size) {
  char own[4096];
  own_folder(false, own, sizeof own);
  if (is_built_in())
    snprintf(reason, reason_size,
             LIBRARY
             " is not in %.90s, nor in ../lib next to it: install it there, or set BERTH_OMPTARGET_LIBRARY to it",
             own);
  else
    snprintf(reason, reason_size,
             "this build has no OpenMP target code (" LIBRARY
             "): build with -DBERTH_WITH_OMPTARGET=ON and a GCC that "
             "can offload (package gcc-12-offload-nvptx)");
}

/* Opens the path given in the environment, else that of this installation, else searches the system's library path. The
 * library of this installation is used even if it does not load. */
static void *open_library(char *reason, size_t reason_size) {
  char path[4200];
  const char *wish = getenv("BERTH_OMPTARGET_LIBRARY");
  if (wish == NULL || wish[0] == '\0') wish = find_library(path, sizeof path) ? path : NULL;
  void *library = dlopen(wish != NULL ? wish : LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) return library;
  const char *why = dlerror();
  if (wish == NULL)
    explain_absence(reason, reason_size);
  else
    snprintf(reason, reason_size, "%s does not load: %s", wish, why != NULL ? why : "");
  return NULL;
}

const bt_omptarget_table *bt_omptarget_library(char *reason, size_t reason_size) {
  void *library = open_library(reason, reason_size);
  if (library == NULL) return NULL;
  const bt_omptarget_table *table = dlsym(library, BT_OMPTARGET_SYMBOL);
  if (table != NULL) return table;
  snprintf(reason, reason_size, LIBRARY " is from another build: install the two together");
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

/* OpenMP's runtime reports only that there is no device. GCC's needs a plugin and a driver, Clang's (libomptarget)
 * brings its plugins along. */
static void explain(const bt_omptarget_table *table, char *reason, size_t reason_size) {
  static const char *const plugin = "libgomp-plugin-nvptx.so.1";
  const char *setting = getenv("OMP_TARGET_OFFLOAD");
  if (setting != NULL && strcasecmp(setting, "disabled") == 0)
    snprintf(reason, reason_size, "OMP_TARGET_OFFLOAD=%s disables devices: OpenMP would silently run on the host",
             setting);
  else if (strstr(table->build, "Clang") == NULL && dlopen(plugin, RTLD_LAZY | RTLD_LOCAL) == NULL)
    snprintf(reason, reason_size, "libgomp has no plugin for GPUs: install libgomp-plugin-nvptx1 (%s)", plugin);
  else
    snprintf(reason, reason_size, "no offload device: OpenMP finds no GPU of %s, and would silently run on the host",
             table->build);
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
             "this build's OpenMP target code is for the host only: build with a GCC that can offload (package "
             "gcc-12-offload-nvptx)");
  else
    explain(table, reason, reason_size);
  return NULL;
}

int bt_omptarget_number(const bt_omptarget_table *table, int index, bool *ret_host) {
  *ret_host = table->build[0] == '\0' || table->device_count() <= 0;
  return *ret_host ? table->host() : index;
}
