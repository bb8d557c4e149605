/* fuzz_e50_reference.c - tables of hits and seconds; what is accepted can be compared with. */
#include "fuzz/fuzz.h"
#include "bench/e50/budgets.h"

static void read_budgets(const char *text, size_t size) {
  bt_e50_budgets table;
  bt_error error;
  bt_status status = bt_e50_budgets_parse("fuzz.tsv", text, size, &table, &error);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  for (int i = 0; status == BT_OK && i < table.n_rows; i++) {
    const bt_e50_budget *row = &table.rows[i];
    FUZZ_CHECK(row->hits >= 0 && row->hits <= row->runs && row->evaluations > 0 && row->program < table.n_programs);
    FUZZ_CHECK(bt_e50_seconds_of_hits(row->hits, row->runs, row->runs, row->seconds) > 0);
  }
  bt_e50_budgets_free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (bt_e50_is_budgets((const char *)data, size)) read_budgets((const char *)data, size);
  bt_e50_reference *table;
  bt_error error;
  bt_status status = bt_e50_reference_parse("fuzz.tsv", (const char *)data, size, NULL, &table, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
    return 0;
  }
  FUZZ_CHECK(table->count > 0 && table->program[0] != '\0');
  for (int i = 0; i < table->count; i++) {
    const bt_e50_reference_row *row = &table->rows[i];
    FUZZ_CHECK(row->name[0] != '\0' && isfinite(row->energy));
    FUZZ_CHECK(row->runs > 0 && row->hits >= 0 && row->hits <= row->runs && row->evaluations > 0);
    FUZZ_CHECK(isnan(row->seconds) || row->seconds > 0);
    FUZZ_CHECK(bt_e50_of_hits(row->hits, row->runs, (double)row->evaluations) > 0);
    FUZZ_CHECK(bt_e50_reference_find(table, row->name) == row);
  }
  bt_e50_reference_destroy(table);
  return 0;
}
