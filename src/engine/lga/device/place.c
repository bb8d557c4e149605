/* place.c - see place.h. */
#include "engine/lga/device/place.h"

void bt_place_close(bt_place *place) {
  if (place->opt_device != NULL) {
    place->runtime->release(place->opt_device, &place->arena);
    place->runtime->release(place->opt_device, &place->maps);
    place->runtime->close(place->opt_device);
  }
  *place = (bt_place){0};
}

void bt_place_trim(bt_place *place, size_t bytes) {
  if (place->opt_device == NULL || place->arena.bytes + place->maps.bytes <= bytes) return;
  place->runtime->release(place->opt_device, &place->arena);
  place->runtime->release(place->opt_device, &place->maps);
}

bt_status bt_place_open(bt_place *place, const bt_runtime *runtime, int index, bt_error *opt_error) {
  if (place->opt_device != NULL && place->runtime == runtime && place->index == index) return BT_OK;
  bt_place_close(place);
  BT_TRY(runtime->open(index, &place->opt_device, opt_error));
  place->runtime = runtime;
  place->index = index;
  return BT_OK;
}

bt_status bt_place_reserve(bt_place *place, size_t arena, size_t maps, bt_error *opt_error) {
  bt_runtime_buffer *buffers[] = {&place->arena, &place->maps};
  const size_t bytes[] = {arena, maps};
  for (int b = 0; b < 2; b++) /* both are freed before one is allocated */
    if (buffers[b]->bytes < bytes[b]) place->runtime->release(place->opt_device, buffers[b]);
  for (int b = 0; b < 2; b++)
    if (buffers[b]->bytes < bytes[b])
      BT_TRY(place->runtime->allocate(place->opt_device, bytes[b], buffers[b], opt_error));
  return BT_OK;
}
