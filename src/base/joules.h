/* joules.h - energy that processors and GPUs have used, from the counters of the machine, where it has any. They count
 * all that runs there, not this process alone. */
#ifndef BERTH_BASE_JOULES_H
#define BERTH_BASE_JOULES_H

/* NaN: no counter. */
typedef struct bt_joules {
  double processors; /* all packages, by RAPL: /sys/class/powercap/intel-rapl:N/energy_uj, where it is readable */
  double gpus;       /* of the devices asked for, by NVML's total energy: NVIDIA GPUs since Volta */
} bt_joules;

typedef struct bt_joule_meter bt_joule_meter;

/* Starts counting. NULL if there is no counter (or no memory for it), which the other functions accept. Environment:
 * BERTH_POWERCAP is a folder in the place of /sys/class/powercap, BERTH_NVML a library in that of libnvidia-ml.so.1;
 * CUDA_VISIBLE_DEVICES tells which GPU is cuda:0, by numbers or UUIDs. Where GPUs differ in kind, CUDA counts them in
 * NVML's order only with CUDA_DEVICE_ORDER=PCI_BUS_ID. */
bt_joule_meter *bt_joule_meter_open(void);
/* Since the meter was opened; gpus: of those among devices[n_devices], names as "cuda:0", NaN if one has no counter or
 * if there is none. RAPL's counters wrap after some minutes at full load, so call it more often than that. */
bt_joules bt_joule_meter_read(bt_joule_meter *opt_meter, const char *const *devices, int n_devices);
void bt_joule_meter_close(bt_joule_meter *opt_meter);

/* The sum of the counters that there are; NaN without any. */
double bt_joules_sum(bt_joules joules);

#endif
