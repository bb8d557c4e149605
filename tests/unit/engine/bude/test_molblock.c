/* test_molblock.c - aromatic bonds of MOL2 become single and double ones, charges follow from valences. */
#include "unit/support.h"

#include "engine/bude/molblock.h"

/* A ring of atoms (letters of elements), each with a hydrogen where wanted. */
static bt_mol2 *ring(const char *elements, const char *hydrogens) {
  int n = (int)strlen(elements), h = 0;
  bt_error error;
  bt_mol2 *m;
  for (const char *c = hydrogens; *c != '\0'; c++) h += *c == 'h';
  support_ok(bt_mol2_create("ring", "ring", n + h, n + h, 1, &m, &error), &error);
  for (int i = 0, at = n; i < n; i++) {
    snprintf(m->atoms[i].type, sizeof m->atoms[i].type, "%c.ar", elements[i]);
    m->bonds[i] = (bt_mol2_bond){.a = i, .b = (i + 1) % n, .order = "ar"};
    if (hydrogens[i] != 'h') continue;
    strcpy(m->atoms[at].type, "H");
    m->bonds[at] = (bt_mol2_bond){.a = i, .b = at, .order = "1"};
    at++;
  }
  return m;
}

static int count_doubles(const char *block, int n_atoms, int n_bonds) {
  int doubles = 0;
  const char *at = block;
  for (int i = 0; i < 4 + n_atoms; i++) at = strchr(at, '\n') + 1;
  for (int i = 0; i < n_bonds; i++, at = strchr(at, '\n') + 1) doubles += at[8] == '2';
  return doubles;
}

static void check(const char *elements, const char *hydrogens, int doubles, const char *opt_charge) {
  bt_error error;
  bt_text text = {0};
  bt_mol2 *m = ring(elements, hydrogens);
  support_ok(bt_bude_molblock(m, &text, &error), &error);
  assert_int_equal(count_doubles(text.data, m->n_atoms, m->n_bonds), doubles);
  if (opt_charge != NULL)
    assert_non_null(strstr(text.data, opt_charge));
  else
    assert_null(strstr(text.data, "M  CHG"));
  bt_text_destroy(&text);
  bt_mol2_destroy(m);
}

static void test_rings(void **state) {
  (void)state;
  check("CCCCCC", "hhhhhh", 3, NULL);                /* benzene */
  check("CCNCCC", "hh.hhh", 3, NULL);                /* pyridine */
  check("CCNCCC", "hhhhhh", 3, "M  CHG  1   3   1"); /* pyridinium */
  check("CCNCC", "hhhhh", 2, NULL);                  /* pyrrole */
  check("CCOCC", "hh.hh", 2, NULL);                  /* furan */
  check("CNCNC", "h.hhh", 2, NULL);                  /* imidazole */
}

static void test_acid(void **state) {
  (void)state;
  bt_error error;
  bt_text text = {0};
  bt_mol2 *m;
  static const char acid[] =
      "@<TRIPOS>ATOM\n1 C 0 0 0 C.2\n2 O 1 0 0 O.co2\n3 O 0 1 0 O.co2\n4 H 0 0 1 H\n"
      "@<TRIPOS>BOND\n1 1 2 ar\n2 1 3 ar\n3 1 4 1\n";
  support_ok(bt_mol2_parse("x", 1, acid, strlen(acid), &m, &error), &error);
  support_ok(bt_bude_molblock(m, &text, &error), &error);
  assert_int_equal(count_doubles(text.data, 4, 3), 1);
  assert_non_null(strstr(text.data, "M  CHG  1   3  -1"));
  bt_text_destroy(&text);
  bt_mol2_destroy(m);
}

static void test_impossible(void **state) {
  (void)state;
  bt_error error;
  bt_text text = {0};
  bt_mol2 *m = ring("CCCCC", "hhhhh");
  support_failed(bt_bude_molblock(m, &text, &error), BT_ERR_INPUT, &error, "cannot be kekulized");
  bt_text_destroy(&text);
  bt_mol2_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rings),
      cmocka_unit_test(test_acid),
      cmocka_unit_test(test_impossible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
