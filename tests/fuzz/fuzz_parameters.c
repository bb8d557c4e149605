/* fuzz_parameters.c - AutoDock's files of force-field parameters, which are read by path. */
#include <sys/mman.h>
#include <unistd.h>

#include "forcefield/ad4_table.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  int descriptor = memfd_create("parameters", MFD_CLOEXEC);
  if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size) abort();
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  bt_ad4_table *table = NULL;
  bt_error error;
  bt_status status = bt_ad4_table_create(path, &table, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
  } else {
    for (int i = 0; i < table->n_types; i++) {
      const bt_ad4_type *type = &table->types[i];
      FUZZ_CHECK(bt_ad4_table_find(table, type->name) != NULL);
      bt_ad4_pair pair = bt_ad4_weighted_pair_law(&table->weights, type, &table->types[0]);
      FUZZ_CHECK(isfinite(pair.a) && isfinite(pair.b));
    }
  }
  bt_ad4_table_destroy(table);
  close(descriptor);
  return 0;
}
