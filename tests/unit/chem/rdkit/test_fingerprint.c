/* test_fingerprint.c - Morgan fingerprints against those of RDKit's Python module (radius 2, 2,048 bits). */
#include "chem/rdkit.h"
#include "unit/support.h"

static bt_fingerprint fingerprint_of(const char *smiles, bool hydrogens) {
  bt_rdmol *mol;
  bt_fingerprint made;
  bt_error error;
  support_ok(bt_rdmol_read(BT_RD_SMILES, smiles, strlen(smiles), (bt_where){0}, NULL, &mol, &error), &error);
  if (hydrogens) support_ok(bt_rdmol_add_hydrogens(mol, (bt_where){0}, &error), &error);
  support_ok(bt_rdmol_fingerprint(mol, &made, &error), &error);
  bt_rdmol_destroy(mol);
  return made;
}

static int bits_of(const bt_fingerprint *f) {
  int n = 0;
  for (int k = 0; k < 32; k++) n += bt_count_bits(f->bits[k]);
  return n;
}

static void test_similarities(void **state) {
  (void)state;
  if (*bt_rdkit_version() == '\0') skip();
  static const struct {
    const char *a, *b;
    int bits;
    double similarity;
  } cases[] = {{"CC(C)Cc1ccc(cc1)C(C)C(=O)O", "CC(C)Cc1ccc(cc1)CC(=O)O", 25, 0.6},
               {"CN1C=NC2=C1C(=O)N(C(=O)N2C)C", "Cn1cnc2c1c(=O)[nH]c(=O)n2C", 25, 9.0 / 17},
               {"CC(=O)Oc1ccccc1C(=O)O", "OC(=O)c1ccccc1O", 24, 13.0 / 29},
               {"C[C@H](O)F", "C[C@@H](O)F", 8, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int hydrogens = 0; hydrogens < 2; hydrogens++) {
      bt_fingerprint a = fingerprint_of(cases[k].a, hydrogens), b = fingerprint_of(cases[k].b, hydrogens);
      assert_int_equal(bits_of(&a), cases[k].bits);
      assert_float_equal(bt_fingerprint_similarity(&a, &b), cases[k].similarity, 1e-12);
    }
  const bt_fingerprint none = {{0}};
  assert_float_equal(bt_fingerprint_similarity(&none, &none), 1, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_similarities)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
