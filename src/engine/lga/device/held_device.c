/* held_device.c - see held_device.h. */
#include "engine/lga/device/held_device.h"

#include <stdlib.h>

void bt_held_device_forget(bt_held_device *held) {
  free(held->shared.has);
  held->shared = (bt_held_maps){0};
}

void bt_held_device_close(bt_held_device *held) {
  bt_held_device_forget(held);
  if (held->opt_device != NULL) {
    held->runtime->release(held->opt_device, &held->arena);
    held->runtime->release(held->opt_device, &held->maps);
    held->runtime->close(held->opt_device);
  }
  *held = (bt_held_device){0};
}

void bt_held_device_trim(bt_held_device *held, size_t bytes) {
  if (held->opt_device == NULL || held->arena.bytes + held->maps.bytes <= bytes) return;
  bt_held_device_forget(held);
  held->runtime->release(held->opt_device, &held->arena);
  held->runtime->release(held->opt_device, &held->maps);
}

bt_status bt_held_device_open(bt_held_device *held, const bt_runtime *runtime, int index, bt_error *opt_error) {
  bt_busy *opt_busy = held->opt_busy;
  if (held->opt_device == NULL || held->runtime != runtime || held->index != index) {
    bt_held_device_close(held);
    BT_TRY(runtime->open(index, &held->opt_device, opt_error));
    held->runtime = runtime;
    held->index = index;
    held->opt_busy = opt_busy;
  }
  if (runtime->opt_measure != NULL) runtime->opt_measure(held->opt_device, opt_busy);
  return BT_OK;
}

bt_status bt_held_device_reserve(bt_held_device *held, size_t arena, size_t maps, bt_error *opt_error) {
  bt_runtime_buffer *buffers[] = {&held->arena, &held->maps};
  const size_t bytes[] = {arena, maps};
  if (held->maps.bytes < maps) bt_held_device_forget(held);
  for (int b = 0; b < 2; b++) /* both are freed before one is allocated */
    if (buffers[b]->bytes < bytes[b]) held->runtime->release(held->opt_device, buffers[b]);
  for (int b = 0; b < 2; b++)
    if (buffers[b]->bytes < bytes[b])
      BT_TRY(held->runtime->allocate(held->opt_device, bytes[b], buffers[b], opt_error));
  return BT_OK;
}
