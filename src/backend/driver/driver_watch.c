/* driver_watch.c - when a device's kernels run, by events before and after each launch.
 *
 * Events have no time of their own, only distances from each other; the distance from one whose time is known on the
 * host gives theirs. It is known where the host waits for an event on an idle stream. A device that cannot be watched
 * works as well.
 */
#include "backend/driver/driver_internal.h"
#include "base/clock.h"

/* Single precision: after a minute a distance is exact to 4 microseconds. */
static const double longest_distance = 60.0; /* s */

static void stop(bt_runtime_device *device) { device->watch.opt_busy = NULL; }

/* From now on times are counted from here; the stream is idle. */
static int set_base(bt_runtime_device *device) {
  bt_driver_watch *watch = &device->watch;
  int code = device->library.event_record(watch->base, device->stream);
  if (code == 0) code = device->library.stream_synchronize(device->stream);
  watch->base_time = bt_seconds();
  return code;
}

static int start(bt_runtime_device *device) {
  bt_driver_watch *watch = &device->watch;
  int code = watch->base == NULL ? device->library.event_create(&watch->base, 0) : 0;
  return code == 0 ? set_base(device) : code;
}

void bt_driver_measure(bt_runtime_device *device, bt_busy *opt_busy) {
  int code = 0;
  if (device->watch.opt_busy == opt_busy) return;
  device->watch.opt_busy = opt_busy;
  device->watch.count = 0;
  if (opt_busy != NULL) BT_DRIVER_CALL(device, code, start(device));
  if (code != 0) stop(device);
}

void bt_driver_watch_begin(bt_runtime_device *device) {
  bt_driver_watch *watch = &device->watch;
  if (watch->opt_busy == NULL || watch->count == BT_DRIVER_WATCHED) return;
  int code = 0;
  for (; code == 0 && watch->made < 2 * (watch->count + 1); watch->made += code == 0)
    code = device->library.event_create(&watch->events[watch->made], 0);
  if (code == 0) code = device->library.event_record(watch->events[2 * watch->count], device->stream);
  if (code == 0)
    watch->count++;
  else
    stop(device);
}

/* Where there are no more events, the last span goes on. */
void bt_driver_watch_end(bt_runtime_device *device) {
  bt_driver_watch *watch = &device->watch;
  if (watch->opt_busy == NULL || watch->count == 0) return;
  if (device->library.event_record(watch->events[2 * watch->count - 1], device->stream) != 0) stop(device);
}

void bt_driver_watch_read(bt_runtime_device *device) {
  bt_driver_watch *watch = &device->watch;
  float begin = 0, end = 0; /* ms */
  for (int k = 0; watch->opt_busy != NULL && k < watch->count; k++) {
    int code = device->library.event_elapsed(&begin, watch->base, watch->events[2 * k]);
    if (code == 0) code = device->library.event_elapsed(&end, watch->base, watch->events[2 * k + 1]);
    if (code == 0)
      bt_busy_add(watch->opt_busy, watch->base_time + 1e-3 * (double)begin, watch->base_time + 1e-3 * (double)end);
    else
      stop(device);
  }
  watch->count = 0;
  if (watch->opt_busy != NULL && 1e-3 * (double)end > longest_distance && set_base(device) != 0) stop(device);
}

void bt_driver_watch_close(bt_runtime_device *device) {
  bt_driver_watch *watch = &device->watch;
  if (watch->base != NULL) (void)device->library.event_destroy(watch->base);
  for (int k = 0; k < watch->made; k++) (void)device->library.event_destroy(watch->events[k]);
}
