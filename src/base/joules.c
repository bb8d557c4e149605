/* joules.c - RAPL's files below powercap, and NVML opened at run time. */
#include "base/joules.h"

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PACKAGES = 64, MOST_GPUS = 64 };

/* A processor's package. */
typedef struct package {
  char path[512];       /* of energy_uj */
  double before, range; /* microjoules; range: at which it wraps, 0: unknown */
  double joules;        /* since the meter was opened */
} package;

/* NVML as its header declares it; a result of 0 is success. */
typedef struct nvml {
  void *handle; /* of dlopen */
  int (*start)(void);
  int (*stop)(void);
  int (*by_index)(unsigned int, void **);
  int (*by_uuid)(const char *, void **);
  int (*energy)(void *, unsigned long long *); /* millijoules since the driver was loaded */
} nvml;

typedef struct gpu {
  void *device; /* NULL: it has no counter */
  unsigned long long start;
} gpu;

struct bt_joule_meter {
  package packages[MOST_PACKAGES];
  int n_packages;
  nvml nvml;
  gpu gpus[MOST_GPUS]; /* as CUDA counts them */
  int n_gpus;
};

/* --- processors ------------------------------------------------------------------------------------------ */

static bool read_line(const char *path, char *line, int size) {
  FILE *stream = fopen(path, "r");
  if (stream == NULL) return false;
  bool done = fgets(line, size, stream) != NULL;
  fclose(stream);
  return done;
}

static bool read_of(const char *folder, int number, const char *name, char *line, int size) {
  char path[512];
  snprintf(path, sizeof path, "%s/intel-rapl:%d/%s", folder, number, name);
  return read_line(path, line, size);
}

/* NaN if it cannot be read. */
static double microjoules(const char *path) {
  char line[64], *end;
  if (!read_line(path, line, sizeof line)) return NAN;
  double value = strtod(line, &end);
  return end != line && value >= 0 ? value : NAN;
}

/* Only packages: the domains below them, such as cores, are parts, and psys holds them all. */
static void open_packages(bt_joule_meter *m) {
  const char *wish = getenv("BERTH_POWERCAP"), *folder = wish != NULL ? wish : "/sys/class/powercap";
  char line[64];
  for (int number = 0; number < MOST_PACKAGES; number++) {
    package *p = &m->packages[m->n_packages];
    if (!read_of(folder, number, "name", line, sizeof line) || strncmp(line, "package", 7) != 0) continue;
    snprintf(p->path, sizeof p->path, "%s/intel-rapl:%d/energy_uj", folder, number);
    p->before = microjoules(p->path);
    p->range = read_of(folder, number, "max_energy_range_uj", line, sizeof line) ? strtod(line, NULL) : 0;
    if (!isnan(p->before)) m->n_packages++;
  }
}

static double read_packages(bt_joule_meter *m) {
  double sum = m->n_packages > 0 ? 0 : NAN;
  for (int i = 0; i < m->n_packages; i++) {
    package *p = &m->packages[i];
    double now = microjoules(p->path), used = now - p->before;
    if (used < 0) used += p->range; /* wrapped */
    p->joules += used >= 0 ? 1e-6 * used : NAN;
    p->before = now;
    sum += p->joules;
  }
  return sum;
}

/* --- GPUs ------------------------------------------------------------------------------------------------ */

/* ISO C has no conversion from an object pointer to a function pointer, POSIX has. */
static bool find(const nvml *n, const char *name, void *ret_function) {
  void *symbol = dlsym(n->handle, name);
  memcpy(ret_function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static bool open_nvml(nvml *n) {
  const char *wish = getenv("BERTH_NVML");
  n->handle = dlopen(wish != NULL ? wish : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (n->handle == NULL) return false;
  if (find(n, "nvmlInit_v2", &n->start) && find(n, "nvmlShutdown", &n->stop) &&
      find(n, "nvmlDeviceGetHandleByIndex_v2", &n->by_index) && find(n, "nvmlDeviceGetHandleByUUID", &n->by_uuid) &&
      find(n, "nvmlDeviceGetTotalEnergyConsumption", &n->energy) && n->start() == 0)
    return true;
  dlclose(n->handle);
  n->handle = NULL;
  return false;
}

/* One word of CUDA_VISIBLE_DEVICES: a number or a UUID. */
static bool find_gpu(const nvml *n, const char *word, void **ret_device) {
  char *end;
  unsigned long number = strtoul(word, &end, 10);
  if (end != word && *end == '\0') return n->by_index((unsigned int)number, ret_device) == 0;
  return n->by_uuid(word, ret_device) == 0;
}

static void add_gpu(bt_joule_meter *m, const char *word) {
  gpu *g = &m->gpus[m->n_gpus];
  if (!find_gpu(&m->nvml, word, &g->device) || m->nvml.energy(g->device, &g->start) != 0) g->device = NULL;
  m->n_gpus++;
}

/* A GPU without a counter keeps its place, so that the others keep their numbers. */
static void open_gpus(bt_joule_meter *m) {
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  char word[96];
  void *device;
  if (visible == NULL) {
    for (unsigned int i = 0; i < MOST_GPUS && m->nvml.by_index(i, &device) == 0; i++) {
      snprintf(word, sizeof word, "%u", i);
      add_gpu(m, word);
    }
    return;
  }
  while (*visible != '\0' && m->n_gpus < MOST_GPUS) {
    size_t size = strcspn(visible, ",");
    snprintf(word, sizeof word, "%.*s", (int)(size < sizeof word ? size : sizeof word - 1), visible);
    add_gpu(m, word);
    visible += size + (visible[size] == ',');
  }
}

static double read_gpu(const bt_joule_meter *m, int number) {
  unsigned long long now;
  if (number < 0 || number >= m->n_gpus || m->gpus[number].device == NULL ||
      m->nvml.energy(m->gpus[number].device, &now) != 0 || now < m->gpus[number].start)
    return NAN;
  return 1e-3 * (double)(now - m->gpus[number].start);
}

/* --- both ------------------------------------------------------------------------------------------------ */

bt_joule_meter *bt_joule_meter_open(void) {
  bt_joule_meter *m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  open_packages(m);
  if (open_nvml(&m->nvml)) open_gpus(m);
  if (m->n_packages > 0 || m->n_gpus > 0) return m;
  bt_joule_meter_close(m);
  return NULL;
}

bt_joules bt_joule_meter_read(bt_joule_meter *opt_meter, const char *const *devices, int n_devices) {
  bt_joules joules = {NAN, NAN};
  bool any = false;
  if (opt_meter == NULL) return joules;
  joules.processors = read_packages(opt_meter);
  for (int d = 0; d < n_devices; d++) {
    int number;
    if (sscanf(devices[d], "cuda:%d", &number) != 1) continue;
    double of = read_gpu(opt_meter, number);
    joules.gpus = any ? joules.gpus + of : of;
    any = true;
  }
  return joules;
}

void bt_joule_meter_close(bt_joule_meter *opt_meter) {
  if (opt_meter == NULL) return;
  if (opt_meter->nvml.handle != NULL) {
    opt_meter->nvml.stop();
    dlclose(opt_meter->nvml.handle);
  }
  free(opt_meter);
}

double bt_joules_sum(bt_joules joules) {
  if (isnan(joules.processors)) return joules.gpus;
  return isnan(joules.gpus) ? joules.processors : joules.processors + joules.gpus;
}
