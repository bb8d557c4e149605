/* fuzz_docking_log.c - docking logs, and the CSV beside them. */
#include "report/docking_log.h"

#include "fuzz/fuzz.h"
#include "report/csv.h"

static void read_csv(const char *data, size_t size) {
  bt_csv csv = bt_csv_of(data, size);
  for (bt_csv_row row; bt_csv_next(&csv, &row);) FUZZ_CHECK(row.count > 0 && row.fields[row.count - 1] != NULL);
  bt_csv_end(&csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bt_docking_log log;
  bt_error error;
  bt_status status = bt_docking_log_parse("fuzz.dlg", (const char *)data, size, &log, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
  } else {
    FUZZ_CHECK(log.n_poses > 0 && log.n_atoms > 0 && log.ligand[0] != '\0' && log.flexible != NULL && log.seed != NULL);
    for (int k = 0; k < log.n_poses; k++) {
      FUZZ_CHECK(isfinite(log.poses[k].free_energy) && isfinite(log.poses[k].inter));
      for (int i = 0; i < 3 * log.n_atoms; i++) FUZZ_CHECK(isfinite(log.poses[k].xyz[i]));
    }
  }
  bt_docking_log_clear(&log);
  read_csv((const char *)data, size);
  return 0;
}
