/* test_machines.c - devices by name, on a fake machine. */
#include "engine/lga/device/devices.h"
#include "engine/lga/search/job.h"
#include "unit/support.h"

static int n_devices;

static int device_count(char *reason, size_t size) {
  snprintf(reason, size, n_devices > 0 ? "" : "the bus is empty");
  return n_devices;
}

static void device_properties(int index, bt_runtime_properties *p) {
  *p = (bt_runtime_properties){.memory = (size_t)8 << 30, .cores = 10, .block_threads = 128, .cpu = index == 1};
  snprintf(p->name, sizeof p->name, "Card %d", index);
  snprintf(p->driver, sizeof p->driver, "Driver 1");
}

static const bt_kernel_image images[] = {{"lga", {8, 4, BT_REDUCTION_SIMT}, NULL},
                                         {"lga", {32, 4, BT_REDUCTION_TENSOR_EC}, NULL},
                                         {"another", {2, 2, 1}, NULL},
                                         {"lga", {8, 8, BT_REDUCTION_SIMT}, NULL},
                                         {"lga", {1, 64, BT_REDUCTION_SIMT}, NULL},
                                         {"lga", {256, 1, BT_REDUCTION_TENSOR_FP16}, NULL}, /* too large a block */
                                         {0}};

static const bt_runtime runtime;
static const bt_backend devices[] = BT_NUMBERED_DEVICES("toy", runtime);
static const bt_runtime runtime = {.name = "toy", .description = "made up", .images = images, .devices = devices,
                                   .device_count = device_count, .device_properties = device_properties};

static void no_device_has_a_reason(void **state) {
  (void)state;
  n_devices = 0;
  assert_int_equal(bt_backend_count_of(&runtime), 1);
  const bt_backend *backend = bt_backend_get_of(&runtime, 0);
  bt_device_info info = bt_device_describe(backend);
  assert_string_equal(backend->name, "toy");
  assert_string_equal(info.name, "toy");
  assert_string_equal(info.description, "made up");
  assert_false(info.usable);
  assert_string_equal(info.reason, "the bus is empty");
}

static void devices_are_described(void **state) {
  (void)state;
  n_devices = 2;
  assert_int_equal(bt_backend_count_of(&runtime), 2);
  for (int i = 0; i < 2; i++) {
    const bt_backend *backend = bt_backend_get_of(&runtime, i);
    bt_device_info info = bt_device_describe(backend);
    assert_string_equal(info.name, i == 0 ? "toy:0" : "toy:1");
    assert_string_equal(info.description, i == 0 ? "Card 0" : "Card 1");
    assert_string_equal(info.driver, "Driver 1");
    assert_true(info.usable && info.reason[0] == '\0');
    assert_int_equal(info.accelerator, i == 0);
    assert_int_equal(info.threads, i == 0 ? 0 : 10);
    assert_int_equal(info.memory, (uint64_t)8 << 30);
    assert_true(info.poses >= 10);
    const int teams[] = {1, 8, 32};
    assert_int_equal(info.n_teams, 3);
    assert_memory_equal(info.teams, teams, sizeof teams);
    assert_int_equal(info.reductions, 1u << BT_REDUCTION_SIMT | 1u << BT_REDUCTION_TENSOR_EC);
  }
}

static void more_devices_than_names_are_left_out(void **state) {
  (void)state;
  n_devices = 1000;
  int count = bt_backend_count_of(&runtime);
  assert_int_equal(count, BT_DEVICE_NAMES);
  assert_string_equal(bt_backend_get_of(&runtime, count - 1)->name, "toy:31");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_device_has_a_reason), cmocka_unit_test(devices_are_described),
                                     cmocka_unit_test(more_devices_than_names_are_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
