/* fuzz_json.c - JSON of any origin: a tree of values, or one clear error. */
#include "bench/common/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

static void look_at(const cli_json *value, int depth) {
  FUZZ_CHECK(depth <= 64);
  FUZZ_CHECK((value->kind == CLI_JSON_STRING) == (value->text != NULL));
  FUZZ_CHECK(value->kind != CLI_JSON_NUMBER || isfinite(value->number));
  for (int i = 0; i < value->count; i++) {
    FUZZ_CHECK((value->kind == CLI_JSON_OBJECT) == (value->items[i].key != NULL));
    if (value->kind == CLI_JSON_OBJECT) FUZZ_CHECK(cli_json_get(value, value->items[i].key) != NULL);
    look_at(&value->items[i], depth + 1);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1); /* the reader is promised a final NUL */
  if (text == NULL) return 0;
  if (size > 0) memcpy(text, data, size);
  text[size] = '\0';
  cli_json value;
  bt_error error = {0};
  bt_status status = cli_json_parse("fuzz.json", text, size, &value, &error);
  if (status == BT_OK)
    look_at(&value, 0);
  else
    fuzz_check_failure(status, &error);
  cli_json_free(&value);
  free(text);
  return 0;
}
