/* fuzz_mol2.c - any bytes as MOL2: refused with a reason, or read, written and read again as the same molecule. */
#include "formats/mol2.h"
#include "fuzz/fuzz.h"
#include "prep/ligand/preparer.h"

static bt_status parse(const char *data, size_t size, bt_mol2 **ret_mol2, bt_error *error) {
  return bt_mol2_parse("fuzz.mol2", 1, data, size, ret_mol2, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bt_error error;
  bt_mol2 *m = NULL, *again = NULL;
  bt_status status = parse((const char *)data, size, &m, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
    return 0;
  }
  bool *keep = malloc((size_t)m->n_atoms);
  int fragments;
  FUZZ_CHECK(keep != NULL && bt_mol2_largest(m, keep, &fragments, &error) == BT_OK && fragments >= 1);
  FUZZ_CHECK(bt_mol2_reduce(m, keep, &error) == BT_OK && m->n_atoms >= 1);
  free(keep);
  bt_text text = {0};
  bt_rdmol *mol = NULL;
  status = bt_mol2_molecule(m, (bt_where){.file = "fuzz.mol2", .line = 1}, &mol, &error);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  bt_mol2_write(m, (const double(*)[3])m->x, "# a comment\n", &text);
  /* names of control characters are not kept apart by blanks */
  if (!bt_text_is_binary(text.data, text.size) && parse(text.data, text.size, &again, &error) == BT_OK) {
    FUZZ_CHECK(again->n_atoms == m->n_atoms && again->n_bonds == m->n_bonds);
    for (int i = 0; i < m->n_atoms; i++)
      for (int k = 0; k < 3; k++) FUZZ_CHECK(fabs(again->x[i][k] - m->x[i][k]) < 1e-4);
    bt_mol2_destroy(again);
  }
  bt_text_destroy(&text);
  bt_rdmol_destroy(mol);
  bt_mol2_destroy(m);
  return 0;
}
