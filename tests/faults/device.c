/* device.c - wraps the processor's runtime, so that its calls can fail; the linker puts it into the registry. */
#include "backend/backend.h"
#include "faults/faults.h"

enum { DEVICES = 16 };

extern const bt_runtime __real_bt_runtime_cpu;
extern bt_runtime __wrap_bt_runtime_cpu;
bt_runtime __wrap_bt_runtime_cpu;
static bt_backend devices[DEVICES];

static bt_status strike(const char *function, bt_status status, bt_error *opt_error) {
  if (!fault_strikes(FAULT_DEVICE, function, 0)) return BT_OK;
  return bt_fail(opt_error, status, (bt_where){0}, "none", "the device failed in %s", function);
}

static bt_status open_device(int index, bt_runtime_device **ret_device, bt_error *opt_error) {
  *ret_device = NULL;
  BT_TRY(strike("open", BT_ERR_DEVICE, opt_error));
  return __real_bt_runtime_cpu.open(index, ret_device, opt_error);
}

static bt_status allocate(bt_runtime_device *device, size_t bytes, bt_runtime_buffer *ret_buffer, bt_error *opt_error) {
  BT_TRY(strike("allocate", BT_ERR_MEMORY, opt_error));
  return __real_bt_runtime_cpu.allocate(device, bytes, ret_buffer, opt_error);
}

static bt_status upload(bt_runtime_device *device, bt_runtime_buffer *to, size_t offset, const void *from, size_t bytes,
                        bt_error *opt_error) {
  BT_TRY(strike("upload", BT_ERR_DEVICE, opt_error));
  return __real_bt_runtime_cpu.upload(device, to, offset, from, bytes, opt_error);
}

static bt_status download(bt_runtime_device *device, void *to, const bt_runtime_buffer *from, size_t offset,
                          size_t bytes, bt_error *opt_error) {
  BT_TRY(strike("download", BT_ERR_DEVICE, opt_error));
  return __real_bt_runtime_cpu.download(device, to, from, offset, bytes, opt_error);
}

static bt_status clear(bt_runtime_device *device, bt_runtime_buffer *buffer, size_t offset, size_t bytes,
                       bt_error *opt_error) {
  BT_TRY(strike("clear", BT_ERR_DEVICE, opt_error));
  return __real_bt_runtime_cpu.clear(device, buffer, offset, bytes, opt_error);
}

static bt_status program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                         bt_runtime_program **ret_program, bt_error *opt_error) {
  BT_TRY(strike("program", BT_ERR_DEVICE, opt_error));
  return __real_bt_runtime_cpu.program(device, module, variant, ret_program, opt_error);
}

static bt_status launch(bt_runtime_device *device, bt_runtime_program *kernels, int entry, bt_launch_size size,
                        const bt_runtime_buffer *arena, const bt_runtime_buffer *opt_maps, const void *what,
                        bt_error *opt_error) {
  BT_TRY(strike("launch", BT_ERR_DEVICE, opt_error));
  return __real_bt_runtime_cpu.launch(device, kernels, entry, size, arena, opt_maps, what, opt_error);
}

static bt_status synchronize(bt_runtime_device *device, bt_error *opt_error) {
  BT_TRY(strike("synchronize", BT_ERR_DEVICE, opt_error));
  return __real_bt_runtime_cpu.synchronize(device, opt_error);
}

__attribute__((constructor)) static void wrap(void) {
  bt_runtime *r = &__wrap_bt_runtime_cpu;
  char reason[256];
  *r = __real_bt_runtime_cpu;
  int count = r->device_count(reason, sizeof reason) + 1; /* the first means none */
  for (int k = 0; k < count && k < DEVICES; k++) {
    devices[k] = r->devices[k];
    devices[k].runtime = r;
  }
  r->devices = devices;
  r->open = open_device;
  r->allocate = allocate;
  r->upload = upload;
  r->download = download;
  r->clear = clear;
  r->program = program;
  r->launch = launch;
  r->synchronize = synchronize;
}
