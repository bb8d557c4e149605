/* fake_nvml.c - as much of NVML as a meter of joules opens: two GPUs, of which the second has no counter. FAKE_NVML_MJ
 * has the millijoules of the first; FAKE_NVML_BROKEN makes nvmlInit fail. */
#include <stdlib.h>
#include <string.h>

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);

enum { INVALID = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, UNKNOWN = 999 };
static char gpus[2];

int nvmlInit_v2(void) { return getenv("FAKE_NVML_BROKEN") != NULL ? UNKNOWN : 0; }

int nvmlShutdown(void) { return 0; }

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device) {
  if (index > 1) return INVALID;
  *device = &gpus[index];
  return 0;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device) {
  if (strcmp(uuid, "GPU-first") != 0) return NOT_FOUND;
  *device = &gpus[0];
  return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules) {
  const char *now = getenv("FAKE_NVML_MJ");
  if (device != &gpus[0] || now == NULL) return NOT_SUPPORTED;
  *millijoules = strtoull(now, NULL, 10);
  return 0;
}
