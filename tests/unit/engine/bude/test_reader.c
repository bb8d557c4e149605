/* test_reader.c - compounds from records of one name, and types under other names. */
#include "unit/engine/bude/small.h"

#include "engine/bude/state.h"

static void test_records_of_one_name_are_conformers(void **state) {
  (void)state;
  bt_error error;
  bt_bude_options options = small_options();
  bt_bude *bude = small_open(&options);
  char text[4 * sizeof small_ligand];
  snprintf(
      text, sizeof text, "%s%s%s", small_ligand, small_ligand,
      "@<TRIPOS>MOLECULE\nother\n@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n@<TRIPOS>MOLECULE\nbad\n@<TRIPOS>ATOM\n1 X 0 0 0 X.x\n");
  char path[300];
  bt_bude_reader *reader = small_reader(bude, text, path);
  bt_bude_compound *compound;
  support_ok(bt_bude_reader_next(reader, &compound, &error), &error);
  assert_int_equal(bt_bude_compound_conformer_count(compound), 4);
  bt_bude_compound_destroy(compound);
  support_ok(bt_bude_reader_next(reader, &compound, &error), &error);
  assert_string_equal(bt_molecule_name(bt_bude_compound_molecule(compound)), "other");
  bt_bude_compound_destroy(compound);
  support_failed(bt_bude_reader_next(reader, &compound, &error), BT_ERR_PARAMETER, &error, "'X.x'");
  assert_string_equal(bt_bude_reader_name(reader), "bad");
  support_ok(bt_bude_reader_next(reader, &compound, &error), &error);
  assert_null(compound);
  small_reader_close(reader, path);
  bt_bude_close(bude);
}

static void test_aliases(void **state) {
  (void)state;
  const char *const aliases[] = {"N.am=N.3", "X.x=C.3"};
  bt_bude_options options = small_options();
  options.aliases = aliases;
  options.n_aliases = 2;
  bt_bude *bude = small_open(&options);
  bt_bude_compound *c =
      small_compound(bude, "@<TRIPOS>MOLECULE\nx\n@<TRIPOS>ATOM\n1 X 0 0 0 X.x\n2 C 1 0 0 C.3\n3 N 2 0 0 N.am\n");
  assert_int_equal(c->type[0], c->type[1]);
  assert_int_not_equal(c->type[2], c->type[1]); /* what the force field has needs no alias */
  bt_bude_compound_destroy(c);
  bt_bude_close(bude);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_records_of_one_name_are_conformers),
      cmocka_unit_test(test_aliases),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
