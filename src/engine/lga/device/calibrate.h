/* calibrate.h - timings of each way to run a job's kernels on its device, measured once and kept in the cache. */
#ifndef BERTH_ENGINE_LGA_DEVICE_CALIBRATE_H
#define BERTH_ENGINE_LGA_DEVICE_CALIBRATE_H

#include "engine/lga/device/layout.h"

/* Fills job->calibration for the job's largest ligand, whose buffers are filled: from the cache, else by launches of
 * GRADIENT on random poses, within some 60 ms, which are then kept. The entry "calibration-*" (base/files/cache.h) is
 * for one device, driver, build, set of choices and size class of ligand, so that other ligands of a screening find it,
 * and a repeat on the same machine chooses the same. Cannot fail: where nothing can be measured n_counts stays 0. */
void bt_calibrate(bt_job *job);

/* Nanoseconds of one evaluation of that many poses, interpolated between measurements (linear in logarithms); INFINITY
 * for a choice that could not be run. */
double bt_calibration_time(const bt_calibration *calibration, int choice, size_t poses);

/* The text of a cache entry, readable by people, too; ret_calibration is as it was when the text is not of these
 * choices. The size that the text needs, as snprintf. */
int bt_calibration_write(const bt_job *job, const bt_calibration *calibration, char *text, size_t size);
bool bt_calibration_read(const bt_job *job, const char *text, bt_calibration *ret_calibration);

#endif
