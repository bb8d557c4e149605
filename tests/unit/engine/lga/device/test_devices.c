/* test_devices.c - names of devices, and the order in which they are tried. */
#include "engine/lga/device/devices.h"
#include "unit/support.h"

static void order_is_that_of_auto(void **state) {
  (void)state;
  int last = 0, count = bt_backend_count();
  for (int i = 0; i < count; i++) { /* GPUs, and what says that there are none; cpu; other ways to the processor */
    const bt_backend *backend = bt_backend_get(i);
    bt_device_info info = bt_device_describe(backend);
    assert_string_equal(info.name, backend->name);
    int place = strncmp(backend->name, "cpu/", 4) == 0 ? 1 : info.usable && !info.accelerator ? 2 : 0;
    assert_true(place >= last);
    last = place;
    for (int k = 0; k < i; k++) assert_string_not_equal(bt_backend_get(k)->name, backend->name);
    if (!info.usable) assert_true(info.reason[0] != '\0');
  }
  const bt_backend *first;
  bt_error error;
  support_ok(bt_backend_find("auto", &first, &error), &error);
  for (int i = 0; i < count; i++) {
    const bt_backend *backend = bt_backend_get(i);
    if (!bt_device_describe(backend).usable) continue;
    assert_ptr_equal(backend, first);
    break;
  }
}

static void names_stand_for_devices(void **state) {
  (void)state;
  const bt_backend *backend;
  bt_error error;
  support_ok(bt_backend_find("cpu", &backend, &error), &error);
  assert_true(strncmp(backend->name, "cpu/", 4) == 0 && bt_device_describe(backend).usable);
  support_ok(bt_backend_find("cpu/scalar", &backend, &error), &error);
  assert_string_equal(backend->name, "cpu/scalar");
  support_failed(bt_backend_find("cp", &backend, &error), BT_ERR_USAGE, &error, "'cp'");
  support_failed(bt_backend_find("cpu/", &backend, &error), BT_ERR_USAGE, &error, "'cpu/'");
  support_failed(bt_backend_find("", &backend, &error), BT_ERR_USAGE, &error, "''");
  bt_status status = bt_backend_find("cuda:31", &backend, &error);
  assert_true(status == BT_ERR_DEVICE || status == BT_ERR_USAGE);
}

static bt_device_list list_of(const char *opt_device, const char *opt_isa) {
  bt_device_list list;
  bt_error error;
  support_ok(bt_device_list_make(opt_device, opt_isa, false, &list, &error), &error);
  return list;
}

static void lists_are_made(void **state) {
  (void)state;
  bt_device_list list = list_of(NULL, NULL);
  assert_int_equal(list.count, 1);
  assert_true(list.next_allowed);
  bt_device_list_free(&list);
  list = list_of("all", NULL);
  for (int i = 1; i < list.count; i++) assert_true(bt_device_describe(list.items[i]).accelerator);
  bt_device_list_free(&list);
  list = list_of("auto", "scalar"); /* instructions are the processor's */
  assert_string_equal(list.items[0]->name, "cpu/scalar");
  assert_false(list.next_allowed);
  bt_device_list_free(&list);
  list = list_of("cpu", "scalar");
  assert_string_equal(list.items[0]->name, "cpu/scalar");
  bt_device_list_free(&list);
  bt_error error;
  support_failed(bt_device_check("cpu/scalar", "scalar", &error), BT_ERR_USAGE, &error, "instruction sets");
  support_failed(bt_device_check("cpu/scalar,cpu/scalar", NULL, &error), BT_ERR_USAGE, &error, "twice");
  support_failed(bt_device_check("cpu,", NULL, &error), BT_ERR_USAGE, &error, "not the name");
  support_failed(bt_device_check("cpu", "vax", &error), BT_ERR_USAGE, &error, "cpu/vax");
}

static void the_next_device_is_another_one(void **state) {
  (void)state;
  const bt_backend *backend;
  bt_error error;
  support_ok(bt_backend_find("cpu", &backend, &error), &error);
  for (int steps = 0; backend != NULL; steps++) {
    const bt_backend *next = bt_device_next(backend);
    assert_true(next == NULL || strncmp(next->name, "cpu/", 4) != 0); /* no other instructions of the same processor */
    assert_true(steps < bt_backend_count());
    backend = next;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(order_is_that_of_auto), cmocka_unit_test(names_stand_for_devices),
                                     cmocka_unit_test(lists_are_made),
                                     cmocka_unit_test(the_next_device_is_another_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
