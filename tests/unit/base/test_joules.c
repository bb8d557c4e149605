/* test_joules.c - joules from a made-up powercap folder and a made-up NVML. */
#include "base/joules.h"

#include <math.h>
#include <sys/stat.h>

#include "unit/assert_near.h"
#include "unit/support.h"

static char folder[200];
static const char *const gpu[] = {"cpu/avx2", "cuda:0"}, *const both[] = {"cuda:0", "cuda:1"};

static void put(int number, const char *name, const char *text) {
  char path[300];
  snprintf(path, sizeof path, "%s/intel-rapl:%d", folder, number);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/intel-rapl:%d/%s", folder, number, name);
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fputs(text, stream);
  fclose(stream);
}

static int open_folder(void **state) {
  (void)state;
  support_folder(folder, sizeof folder);
  setenv("BERTH_POWERCAP", folder, 1);
  setenv("BERTH_NVML", BERTH_FAKE_NVML, 1);
  setenv("FAKE_NVML_MJ", "5000", 1);
  unsetenv("CUDA_VISIBLE_DEVICES");
  unsetenv("FAKE_NVML_BROKEN");
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  static const char *const names[] = {"name", "energy_uj", "max_energy_range_uj"};
  char path[300];
  for (int number = 0; number < 4; number++) {
    for (int k = 0; k < 3; k++) {
      snprintf(path, sizeof path, "%s/intel-rapl:%d/%s", folder, number, names[k]);
      unlink(path);
    }
    snprintf(path, sizeof path, "%s/intel-rapl:%d", folder, number);
    rmdir(path);
  }
  return rmdir(folder);
}

static void put_package(int number, const char *name, const char *energy) {
  put(number, "name", name);
  put(number, "energy_uj", energy);
  put(number, "max_energy_range_uj", "10000000\n");
}

static void processors_and_gpus(void **state) {
  (void)state;
  put_package(0, "package-0\n", "1000000\n");
  put_package(1, "psys\n", "7\n"); /* holds all packages: would count twice */
  put_package(3, "package-1\n", "9000000\n");
  bt_joule_meter *meter = bt_joule_meter_open();
  bt_joules none = bt_joule_meter_read(meter, gpu, 2);
  assert_near(none.processors, 0, 0.0);
  assert_near(none.gpus, 0, 0.0);
  put_package(0, "package-0\n", "3500000\n");
  put_package(1, "psys\n", "900000\n");
  put_package(3, "package-1\n", "1000000\n"); /* wrapped at ten million */
  setenv("FAKE_NVML_MJ", "7250", 1);
  bt_joules some = bt_joule_meter_read(meter, gpu, 2);
  assert_near(some.processors, 2.5 + 2.0, 1e-12);
  assert_near(some.gpus, 2.25, 1e-12);
  assert_near(bt_joules_sum(some), 6.75, 1e-12);
  assert_near(bt_joule_meter_read(meter, gpu, 2).processors, 4.5, 1e-12); /* read again: the same */
  assert_true(isnan(bt_joule_meter_read(meter, both, 2).gpus));           /* the second has no counter */
  assert_true(isnan(bt_joule_meter_read(meter, gpu, 1).gpus));            /* no GPU was used */
  put_package(3, "package-1\n", "2000000\n");
  assert_near(bt_joule_meter_read(meter, gpu, 2).processors, 5.5, 1e-12);
  bt_joule_meter_close(meter);
}

static void visible_gpus(void **state) {
  (void)state;
  static const struct {
    const char *visible;
    double first, second; /* joules of cuda:0 and cuda:1 */
  } cases[] = {{"0", 1, NAN},         {"1,0", NAN, 1}, {"GPU-first", 1, NAN}, {"GPU-other,0", NAN, 1},
               {"0,GPU-first", 1, 1}, {"7", NAN, NAN}, {"", NAN, NAN}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    setenv("CUDA_VISIBLE_DEVICES", cases[i].visible, 1);
    setenv("FAKE_NVML_MJ", "5000", 1);
    bt_joule_meter *meter = bt_joule_meter_open();
    setenv("FAKE_NVML_MJ", "6000", 1);
    for (int d = 0; d < 2; d++) {
      double expected = d == 0 ? cases[i].first : cases[i].second;
      double found = bt_joule_meter_read(meter, both + d, 1).gpus;
      assert_true(isnan(expected) ? isnan(found) : fabs(found - expected) < 1e-12);
    }
    bt_joule_meter_close(meter);
  }
}

static void no_counters(void **state) {
  (void)state;
  setenv("BERTH_NVML", "nowhere.so", 1);
  assert_null(bt_joule_meter_open());
  bt_joules joules = bt_joule_meter_read(NULL, gpu, 2);
  assert_true(isnan(joules.processors) && isnan(joules.gpus) && isnan(bt_joules_sum(joules)));
  bt_joule_meter_close(NULL);
  setenv("BERTH_NVML", BERTH_FAKE_NVML, 1);
  setenv("FAKE_NVML_BROKEN", "1", 1);
  assert_null(bt_joule_meter_open());
  put(0, "name", "package-0\n"); /* a package whose counter may not be read */
  assert_null(bt_joule_meter_open());
  put_package(0, "package-0\n", "5\n");
  bt_joule_meter *meter = bt_joule_meter_open();
  assert_non_null(meter);
  put_package(0, "package-0\n", "nonsense\n");
  assert_true(isnan(bt_joule_meter_read(meter, gpu, 2).processors));
  bt_joule_meter_close(meter);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(processors_and_gpus, open_folder, remove_folder),
      cmocka_unit_test_setup_teardown(visible_gpus, open_folder, remove_folder),
      cmocka_unit_test_setup_teardown(no_counters, open_folder, remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
