/* fuzz_docking_log.c - docking logs, JSON results, and the CSV that accompanies them. */
#include "report/docking.h"

#include "fuzz/fuzz.h"
#include "base/text/csv.h"

static void read_csv(const char *data, size_t size) {
  bt_csv csv = bt_csv_of(data, size);
  for (bt_csv_row row; bt_csv_next(&csv, &row);) FUZZ_CHECK(row.count > 0 && row.fields[row.count - 1] != NULL);
  bt_csv_end(&csv);
}

/* A JSON of something else has no poses. */
static void check_docking(bt_status status, const bt_error *error, bt_docking_record *docking, bool may_be_empty) {
  if (status != BT_OK) {
    fuzz_check_failure(status, error);
  } else if (docking->n_poses > 0 || !may_be_empty) {
    FUZZ_CHECK(docking->n_poses > 0 && docking->n_atoms > 0 && docking->ligand != NULL && docking->flexible != NULL);
    FUZZ_CHECK(docking->seed != NULL && docking->receptor_file != NULL);
    for (int k = 0; k < docking->n_poses; k++) {
      FUZZ_CHECK(isfinite(docking->poses[k].free_energy) && isfinite(docking->poses[k].inter));
      for (int i = 0; i < 3 * docking->n_atoms; i++) FUZZ_CHECK(isfinite(docking->poses[k].xyz[i]));
    }
  }
  bt_docking_record_clear(docking);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bt_docking_record docking;
  bt_error error;
  check_docking(bt_docking_log_parse("fuzz.dlg", (const char *)data, size, &docking, &error), &error, &docking, false);
  check_docking(bt_docking_json_parse("fuzz.json", (const char *)data, size, &docking, &error), &error, &docking, true);
  read_csv((const char *)data, size);
  return 0;
}
