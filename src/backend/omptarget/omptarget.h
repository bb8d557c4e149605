/* omptarget.h - OpenMP target devices as a runtime. */
#ifndef BERTH_BACKEND_OMPTARGET_OMPTARGET_H
#define BERTH_BACKEND_OMPTARGET_OMPTARGET_H

#include "backend/runtime.h"
#include "backend/omptarget/target.h"

extern const bt_runtime bt_runtime_omptarget;

/* Made by cmake/BackendOmptarget.cmake; the code is in the library. */
extern const bt_kernel_image bt_omptarget_images[];

/* library.c */
/* Opens libberth_omptarget.so; NULL, with a reason, if it is missing or does not match this program. It is never
 * closed, since libgomp keeps threads and devices. */
const bt_omptarget_table *bt_omptarget_library(char *reason, size_t reason_size);
/* The kernels of a variant in it; NULL if it is of another build. */
const bt_omptarget_entries *bt_omptarget_find(const bt_module *module, const bt_kernel_image *image);
/* The same as bt_omptarget_library, with devices to run on; *ret_count of them. The host counts as one for tests, which
 * set BERTH_OMPTARGET_ALLOW_HOST=1; otherwise a target region never runs on it. */
const bt_omptarget_table *bt_omptarget_devices(int *ret_count, char *reason, size_t reason_size);
/* OpenMP's number of a device, and whether that is the host. */
int bt_omptarget_number(const bt_omptarget_table *table, int index, bool *ret_host);

/* properties.c */
void bt_omptarget_properties(const bt_omptarget_table *table, int index, bt_runtime_properties *ret_properties);
/* NVIDIA's driver cannot see how much stack a target region needs, and gives each lane 1 KiB, which is just too little.
 * For the device that this thread has last used through libgomp. */
void bt_omptarget_deepen_stacks(void);

#endif
