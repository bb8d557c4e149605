/* fuzz_map.c - one AutoGrid map; accepted ones are unchanged when written and read again. */
#include "formats/autodock/map.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const bt_box box = {.center = {0.5, 1.25, -3.0}, .npts = {2, 2, 2}, .spacing = 0.375};
  enum { POINTS = 27 };
  float *values = NULL, *again = NULL;
  bt_error error;
  bt_status status = bt_map_parse("fuzz.map", (const char *)data, size, &box, &values, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
    FUZZ_CHECK(values == NULL);
    return 0;
  }
  const bt_map_header header = {"g.gpf", "r.maps.fld", "r.pdbqt", box};
  bt_text text = {0};
  bt_map_format_header(&text, &header);
  status = bt_map_format_values(&text, values, 0, POINTS, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error); /* beyond 1e15 */
  } else {
    FUZZ_CHECK(bt_map_parse("again", text.data, text.size, &box, &again, NULL) == BT_OK);
    for (int i = 0; i < POINTS; i++) {
      FUZZ_CHECK(isfinite(values[i]));
      FUZZ_CHECK(fabs((double)values[i] - (double)again[i]) <= 0.0005001 + 1e-7 * fabs((double)values[i]));
    }
  }
  free(again);
  bt_text_destroy(&text);
  free(values);
  return 0;
}
