/* test_mol2.c - MOL2 records: atoms, bonds, conformers, fragments; what is refused; writing and reading again. */
#include "unit/support.h"

#include "formats/mol2.h"

static const char acid[] =
    "# a comment\n"
    "@<TRIPOS>MOLECULE\n"
    "acid\n"
    " 5 4 1\n"
    "SMALL\n"
    "\n"
    "@<TRIPOS>ATOM\n"
    " 10 C1  0.0 0.0 0.0 C.3 1 LIG1 0.1\n"
    "\n"
    " 11 C2  1.5 0.0 0.0 C.2 1 LIG1\n"
    " 12 O1  2.1 1.0 0.0 O.co2\n"
    " 13 O2  2.1 -1.0 0.0 O.co2 1 LIG1 -0.5 BACKBONE|DICT\n"
    " 14 H1  -0.5 1 0 H 1 LIG1 0\n"
    "@<TRIPOS>BOND\n"
    "1 10 11 1\n2 11 12 ar\n3 11 13 ar\n4 10 14 1\n"
    "@<TRIPOS>SUBSTRUCTURE\n 1 LIG1 10\n"
    "@<BUDE>CONF 2 \n"
    "0 0 1 \n1.5 0 1\n2.1 1 1\n2.1 -1 1\n-.5 1 1\n";

static bt_status parse(const char *text, bt_mol2 **ret_mol2, bt_error *error) {
  return bt_mol2_parse("test.mol2", 1, text, strlen(text), ret_mol2, error);
}

static void test_atoms_bonds_conformers(void **state) {
  (void)state;
  bt_mol2 *m;
  bt_error error;
  support_ok(parse(acid, &m, &error), &error);
  assert_string_equal(m->name, "acid");
  assert_int_equal(m->n_atoms, 5);
  assert_int_equal(m->n_bonds, 4);
  assert_int_equal(m->n_conformers, 2);
  assert_string_equal(m->atoms[2].type, "O.co2");
  assert_string_equal(m->atoms[2].residue, "");
  assert_string_equal(m->atoms[3].residue, "LIG1");
  assert_int_equal(m->atoms[1].line, 10);
  assert_true(bt_mol2_is_hydrogen(&m->atoms[4]));
  assert_false(bt_mol2_is_hydrogen(&m->atoms[0]));
  assert_int_equal(m->bonds[1].a, 1);
  assert_string_equal(m->bonds[1].order, "ar");
  assert_true(m->x[5][2] == 1.0 && m->x[9][0] == -0.5);
  bt_mol2_destroy(m);
}

static void test_written_is_read_again(void **state) {
  (void)state;
  bt_mol2 *m, *again;
  bt_error error;
  bt_text text = {0};
  support_ok(parse(acid, &m, &error), &error);
  bt_mol2_write(m, (const double(*)[3])m->x + 5, "# Energy: -1\n", &text);
  support_ok(parse(text.data, &again, &error), &error);
  assert_int_equal(again->n_atoms, 5);
  assert_int_equal(again->n_bonds, 4);
  for (int i = 0; i < 5; i++) {
    assert_string_equal(again->atoms[i].type, m->atoms[i].type);
    for (int k = 0; k < 3; k++) assert_true(again->x[i][k] == m->x[5 + i][k]);
  }
  bt_text_destroy(&text);
  bt_mol2_destroy(m);
  bt_mol2_destroy(again);
}

static void test_the_largest_fragment_stays(void **state) {
  (void)state;
  bt_mol2 *m;
  bt_error error;
  bool keep[4];
  int fragments;
  support_ok(
      parse("@<TRIPOS>MOLECULE\nsalt\n@<TRIPOS>ATOM\n1 NA 9 9 9 Na\n2 C1 0 0 0 C.3\n3 C2 1.5 0 0 C.3\n4 H 0 1 0 H\n"
            "@<TRIPOS>BOND\n1 2 3 1\n2 2 4 1\n@<BUDE>CONF 2\n8 8 8\n0 0 1\n1 0 1\n0 1 1\n",
            &m, &error),
      &error);
  support_ok(bt_mol2_largest(m, keep, &fragments, &error), &error);
  assert_int_equal(fragments, 2);
  assert_false(keep[0]);
  support_ok(bt_mol2_reduce(m, keep, &error), &error);
  assert_int_equal(m->n_atoms, 3);
  assert_int_equal(m->bonds[0].a, 0);
  assert_int_equal(m->bonds[0].b, 1);
  assert_true(m->x[3][2] == 1 && m->x[3][0] == 0);
  bt_mol2_destroy(m);
}

static void test_wrong_records(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"@<TRIPOS>MOLECULE\nx\n", "without atoms"},
      {"@<TRIPOS>ATOM\n1 C 0 zero 0 C.3\n", "test.mol2:2: atom 1: 'zero'"},
      {"@<TRIPOS>ATOM\n1 C 0 nan 0 C.3\n", "'nan'"},
      {"@<TRIPOS>ATOM\n1 C 0 0 1e30 C.3\n", "'1e30'"},
      {"@<TRIPOS>ATOM\n1 C 0 0 0\n", "without a type"},
      {"@<TRIPOS>ATOM\nx C 0 0 0 C.3\n", "without a number"},
      {"@<TRIPOS>ATOM\n1 C 0 0 0 C.3456789012345678\n", "more than 15"},
      {"@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n@<TRIPOS>BOND\n1 1 2 1\n", "do not exist"},
      {"@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n@<TRIPOS>BOND\n1 1\n", "without the numbers"},
      {"@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n@<BUDE>CONF 1\n", "0 lines for 1 atoms"},
      {"@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n@<BUDE>CONF 1\n0 0 0\n0 0 0\n", "more lines"},
      {"@<BUDE>CONF 1\n0 0 0\n", "before the atoms"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bt_mol2 *m = NULL;
    bt_error error;
    bt_status status = parse(cases[i].text, &m, &error);
    support_failed(status, BT_ERR_INPUT, &error, cases[i].words);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_atoms_bonds_conformers),
      cmocka_unit_test(test_written_is_read_again),
      cmocka_unit_test(test_the_largest_fragment_stays),
      cmocka_unit_test(test_wrong_records),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
