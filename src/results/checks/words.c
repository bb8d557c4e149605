/* words.c - names and limits of the tests, and verdicts as text and JSON. */
#include <math.h>

#include "results/checks/checks.h"

static const struct {
  const char *name;
  double limit;
  bool least;
} tests[BT_CHECK_COUNT] = {
    [BT_CHECK_BOND_LENGTHS] = {"bond_lengths", 0.25, false},
    [BT_CHECK_BOND_ANGLES] = {"bond_angles", 0.25, false},
    [BT_CHECK_INTERNAL_CLASH] = {"internal_clash", 0.3, false},
    [BT_CHECK_AROMATIC_RING_FLATNESS] = {"aromatic_ring_flatness", 0.25, false},
    [BT_CHECK_RING_NONFLATNESS] = {"ring_nonflatness", 0.05, true},
    [BT_CHECK_DOUBLE_BOND_FLATNESS] = {"double_bond_flatness", 0.25, false},
    [BT_CHECK_TETRAHEDRAL_STEREO] = {"tetrahedral_stereo", 0, false},
    [BT_CHECK_DOUBLE_BOND_STEREO] = {"double_bond_stereo", 0, false},
    [BT_CHECK_INTERNAL_ENERGY] = {"internal_energy", 100, false},
    [BT_CHECK_PROTEIN_MAXIMUM_DISTANCE] = {"protein_maximum_distance", 5, false},
    [BT_CHECK_PROTEIN_DISTANCE] = {"protein_distance", 0.75, true},
    [BT_CHECK_ORGANIC_COFACTOR_DISTANCE] = {"organic_cofactor_distance", 0.75, true},
    [BT_CHECK_INORGANIC_COFACTOR_DISTANCE] = {"inorganic_cofactor_distance", 0.75, true},
    [BT_CHECK_WATER_DISTANCE] = {"water_distance", 0.75, true},
    [BT_CHECK_PROTEIN_OVERLAP] = {"protein_overlap", 0.075, false},
    [BT_CHECK_ORGANIC_COFACTOR_OVERLAP] = {"organic_cofactor_overlap", 0.075, false},
    [BT_CHECK_INORGANIC_COFACTOR_OVERLAP] = {"inorganic_cofactor_overlap", 0.075, false},
    [BT_CHECK_WATER_OVERLAP] = {"water_overlap", 0.075, false},
};

const char *bt_check_name(bt_check check) { return tests[check].name; }

double bt_check_limit(bt_check check, bool *ret_least) {
  *ret_least = tests[check].least;
  return tests[check].limit;
}

void bt_checks_start(bt_checks *checks) {
  *checks = (bt_checks){.made = false};
  for (int k = 0; k < BT_CHECK_COUNT; k++) checks->values[k] = NAN;
}

void bt_checks_set(bt_checks *checks, bt_check check, double value) {
  bool fails = tests[check].least ? value < tests[check].limit : value > tests[check].limit;
  checks->values[check] = value;
  checks->failed &= ~(1U << check);
  if (fails) checks->failed |= 1U << check;
}

void bt_checks_add_text(bt_text *text, const bt_checks *checks) {
  bool first = true;
  if (checks->made && checks->failed == 0) bt_text_add_string(text, "pass");
  for (int k = 0; k < BT_CHECK_COUNT; k++) {
    if ((checks->failed & 1U << k) == 0) continue;
    if (!first) bt_text_add_char(text, ' ');
    bt_text_add_string(text, tests[k].name);
    first = false;
  }
}

char *bt_checks_text(const bt_checks *checks) {
  bt_text text = {0};
  char *out;
  bt_text_add_string(&text, "");
  bt_checks_add_text(&text, checks);
  return bt_text_take(&text, &out, NULL) == BT_OK ? out : NULL;
}

void bt_checks_add_json(bt_json *json, const bt_checks *checks) {
  if (!checks->made) {
    bt_json_null(json);
    return;
  }
  bt_json_open(json, '{');
  bool pass = checks->failed == 0;
  bt_json_printf(json, "pass %hhd failed [", pass);
  for (int k = 0; k < BT_CHECK_COUNT; k++)
    if ((checks->failed & 1U << k) != 0) bt_json_string(json, tests[k].name);
  bt_json_close(json, ']');
  bt_json_printf(json, "values {");
  for (int k = 0; k < BT_CHECK_COUNT; k++) {
    bt_json_key(json, tests[k].name);
    bt_json_rounded(json, checks->values[k], 4);
  }
  bt_json_close(json, '}');
  bt_json_close(json, '}');
}
