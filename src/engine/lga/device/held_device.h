/* held_device.h - what consecutive jobs share: the open device, its loaded programs, and memory.
 *
 * Opening a device, loading programs and freeing memory synchronize with everything that runs on a GPU; done per job,
 * they would prevent one job from being prepared while another docks.
 */
#ifndef BERTH_ENGINE_LGA_DEVICE_HELD_DEVICE_H
#define BERTH_ENGINE_LGA_DEVICE_HELD_DEVICE_H

#include "backend/backend.h"
#include "kernel/lga/data.h"

/* What the buffer of maps holds of maps that ligands share (device_maps.h): the next job with the same grid need not
 * make them again. */
typedef struct bt_held_maps {
  bt_kernel_grid grid; /* n_affinity 0: nothing is held */
  bool *has;           /* [n_affinity] of affinities */
} bt_held_maps;

/* Starts as zeros; used by one thread at a time, for jobs whose maps outlive it. */
typedef struct bt_held_device {
  const bt_runtime *runtime;
  int index;                     /* of the device */
  bt_runtime_device *opt_device; /* NULL: not open */
  bt_runtime_buffer arena, maps;
  bt_held_maps shared;
  bt_busy *opt_busy; /* set by who holds it: of bt_runtime.opt_measure */
} bt_held_device;

/* Opens the device unless it is open; another one is closed before. */
bt_status bt_held_device_open(bt_held_device *held, const bt_runtime *runtime, int index,
                              bt_error *opt_error) BT_MUST_USE;
/* Makes room for at least this many bytes in arena and maps, whose contents are lost. */
bt_status bt_held_device_reserve(bt_held_device *held, size_t arena, size_t maps, bt_error *opt_error) BT_MUST_USE;
/* The buffer of maps is about to be used otherwise. */
void bt_held_device_forget(bt_held_device *held);
/* Frees memory above this many bytes, for others to use. */
void bt_held_device_trim(bt_held_device *held, size_t bytes);
void bt_held_device_close(bt_held_device *held);

#endif
