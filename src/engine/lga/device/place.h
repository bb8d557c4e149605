/* place.h - what consecutive jobs share: the open device, its loaded programs, and memory.
 *
 * Opening a device, loading programs and freeing memory synchronise with everything that runs on a GPU; done per job,
 * they would prevent one job from being prepared while another docks.
 */
#ifndef BERTH_ENGINE_LGA_DEVICE_PLACE_H
#define BERTH_ENGINE_LGA_DEVICE_PLACE_H

#include "backend/backend.h"

/* Starts as zeros; used by one thread at a time. */
typedef struct bt_place {
  const bt_runtime *runtime;
  int index;                     /* of the device */
  bt_runtime_device *opt_device; /* NULL: not open */
  bt_runtime_buffer arena, maps;
} bt_place;

/* Opens the device unless it is open; another one is closed before. */
bt_status bt_place_open(bt_place *place, const bt_runtime *runtime, int index, bt_error *opt_error) BT_MUST_USE;
/* Makes room for at least this many bytes in arena and maps, whose contents are lost. */
bt_status bt_place_reserve(bt_place *place, size_t arena, size_t maps, bt_error *opt_error) BT_MUST_USE;
/* Frees memory above this many bytes, for others to use. */
void bt_place_trim(bt_place *place, size_t bytes);
void bt_place_close(bt_place *place);

#endif
