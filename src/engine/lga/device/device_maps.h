/* device_maps.h - the receptor's maps in the memory of a device, as kernels read them. */
#ifndef BERTH_ENGINE_LGA_DEVICE_DEVICE_MAPS_H
#define BERTH_ENGINE_LGA_DEVICE_DEVICE_MAPS_H

#include "engine/lga/device/layout.h"

/* Bytes of folded maps made of so many bytes of maps; a card reads packed ones. */
double bt_device_maps_folded(double bytes, bool card);

/* Decides between folded and shared maps (bt_job_maps), and where they lie: fills maps, charged and box of
 * job->table and the sizes of the maps buffer. */
void bt_device_maps_place(bt_job *job);
/* Uploads the maps that some ligand needs and makes those of the kernels from them, on the device; of shared maps, those
 * that the device does not hold already. */
bt_status bt_device_maps_make(bt_job *job, bt_error *opt_error) BT_MUST_USE;

#endif
