/* fuzz_number.c - numbers are read as the nearest doubles, and nothing else is accepted as a number. */
#include "base/text/text.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bt_span span = {(const char *)data, size};
  double value;
  int integer;
  char text[256];
  if (!bt_parse_double(span, &value)) {
    FUZZ_CHECK(!bt_parse_int(span, &integer));
    return 0;
  }
  FUZZ_CHECK(isfinite(value));
  span = bt_span_trim(span);
  if (!bt_span_copy(span, text, sizeof text)) return 0;
  char *end;
  double expected = strtod(text, &end);
  FUZZ_CHECK(*end == '\0' && memcmp(&expected, &value, sizeof value) == 0);
  if (bt_parse_int(span, &integer)) FUZZ_CHECK((double)integer == value);
  return 0;
}
