/* checks.c - see checks.h. */
#include "output/checks.h"

void cli_json_checks(bt_json *json, const bt_checks *checks) {
  bt_json_key(json, "checks");
  if (!checks->made) {
    bt_json_null(json);
    return;
  }
  bool pass = checks->failed == 0;
  bt_json_printf(json, "{ pass %hhd failed [", pass);
  for (int k = 0; k < BT_CHECK_COUNT; k++)
    if ((checks->failed & 1U << k) != 0) bt_json_string(json, bt_check_name((bt_check)k));
  bt_json_printf(json, "] values {");
  for (int k = 0; k < BT_CHECK_COUNT; k++) {
    bt_json_key(json, bt_check_name((bt_check)k));
    bt_json_rounded(json, checks->values[k], 4);
  }
  bt_json_printf(json, "} }");
}
