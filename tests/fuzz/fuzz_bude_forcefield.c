/* fuzz_bude_forcefield.c - any bytes as a .bhff file: refused with the line, or types that are found by their names,
 * whose laws are numbers in the kernels' single precision, and that are read again from what is written of them. */
#include "base/text/text.h"
#include "forcefield/bude.h"
#include "fuzz/fuzz.h"

static bt_status parse(const char *text, size_t size, bt_bude_forcefield **ret_forcefield, bt_error *error) {
  return bt_bude_forcefield_parse(text, size, "fuzz.bhff", ret_forcefield, error);
}

static void check_types(const bt_bude_forcefield *f) {
  int next = 0;
  FUZZ_CHECK(f->n_types > 0 && f->n_groups > 0);
  for (int g = 0; g < f->n_groups; g++) {
    const bt_bude_group *group = &f->groups[g];
    FUZZ_CHECK(group->first == next && group->count >= 0 && group->name[0] != '\0');
    next += group->count;
    for (int t = group->first; t < next; t++) {
      const bt_bude_type *type = &f->types[t];
      FUZZ_CHECK(type->group == g && type->name[0] != '\0' && type->class != '\0');
      FUZZ_CHECK(strchr("-DEFP", type->class) != NULL);
      FUZZ_CHECK(bt_bude_type_find(f, group->name, type->name) == t);
      FUZZ_CHECK(bt_bude_type_find(f, NULL, type->name) <= t);
    }
  }
  FUZZ_CHECK(next == f->n_types);
}

static bool is_number(double value) { return isfinite((float)value); }

static void check_law(const bt_bude_law *law) {
  FUZZ_CHECK((float)law->radii > 0 && is_number(1 / law->radii));
  FUZZ_CHECK(is_number(law->hardness) && is_number(law->charge) && is_number(law->desolvation));
  FUZZ_CHECK(is_number(1 / law->charge_reach) && is_number(law->radii / law->charge_reach));
  FUZZ_CHECK(is_number(1 / law->desolvation_reach) && is_number(law->radii / law->desolvation_reach));
}

/* Radii are written scaled, which may exceed the range of the columns. */
static void check_again(const bt_bude_forcefield *f) {
  bt_text text = {0};
  bool in_range = true;
  bt_text_printf(&text, "%%BUDE HEAVY ATOM\n%%VERSION 2.00\n%d\n", f->n_groups);
  for (int g = 0; g < f->n_groups; g++) {
    const bt_bude_group *group = &f->groups[g];
    bt_text_printf(&text, "%s %d\n", group->name, group->count);
    for (int t = group->first; t < group->first + group->count; t++) {
      const bt_bude_type *type = &f->types[t];
      in_range = in_range && type->radius > 1e-5 && type->radius < 1e6;
      bt_text_printf(&text, "%s %c %.17g %.17g %.17g %.17g %.17g 1 %.17g\n", type->name, type->class, type->radius,
                     type->hydrophobic, type->hardness, type->reach_nonpolar, type->reach_polar, type->charge);
    }
  }
  bt_text_add_string(&text, "END\n");
  FUZZ_CHECK(!text.failed);
  bt_bude_forcefield *again = NULL;
  bt_error error;
  bt_status status = parse(text.data, text.size, &again, &error);
  FUZZ_CHECK(status == BT_OK || !in_range);
  if (status == BT_OK)
    FUZZ_CHECK(again->hash == f->hash && again->n_types == f->n_types && again->n_groups == f->n_groups);
  if (status == BT_OK) bt_bude_forcefield_destroy(again);
  bt_text_destroy(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bt_bude_forcefield *f = NULL;
  bt_error error;
  bt_status status = parse((const char *)data, size, &f, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
    return 0;
  }
  check_types(f);
  for (int a = 0; a < f->n_types && a < 20; a++)
    for (int b = 0; b < f->n_types && b < 20; b++)
      for (int rules = BT_BUDE_RULES_A; rules <= BT_BUDE_RULES_DECK; rules++) {
        bt_bude_law law = bt_bude_law_of(&f->types[a], &f->types[b], (bt_bude_rules)rules);
        check_law(&law);
      }
  check_again(f);
  bt_bude_forcefield_destroy(f);
  return 0;
}
