/* test_sybyl.c - Tripos types of molecules whose types are beyond dispute, and of residues. Skipped without RDKit. */
#include "unit/support.h"

#include "chem/sybyl.h"

/* Types of the heavy atoms in the order of the SMILES. */
static void check(const char *smiles, const char *expected) {
  bt_error error;
  bt_rdmol *mol;
  if (*bt_rdkit_version() == '\0') skip();
  support_ok(bt_rdmol_read(BT_RD_SMILES, smiles, strlen(smiles), (bt_where){0}, NULL, &mol, &error), &error);
  support_ok(bt_rdmol_add_hydrogens(mol, (bt_where){0}, &error), &error);
  int n = bt_rdmol_atom_count(mol), n_bonds = bt_rdmol_bond_count(mol);
  bt_rdatom *atoms = calloc((size_t)n, sizeof *atoms);
  bt_rdbond *bonds = calloc((size_t)n_bonds + 1, sizeof *bonds);
  bt_sybyl *types = calloc((size_t)n, sizeof *types);
  bt_rdmol_atoms(mol, atoms);
  bt_rdmol_bonds(mol, bonds);
  support_ok(bt_sybyl_types(atoms, n, bonds, n_bonds, types, &error), &error);
  char found[512] = "";
  for (int i = 0; i < n; i++)
    if (strcmp(types[i].name, "H") != 0) {
      if (found[0] != '\0') strcat(found, " ");
      strcat(found, types[i].name);
    }
  if (strcmp(found, expected) != 0) fail_msg("%s: %s, not %s", smiles, found, expected);
  free(atoms);
  free(bonds);
  free(types);
  bt_rdmol_destroy(mol);
}

static void test_molecules(void **state) {
  (void)state;
  check("CC(=O)[O-]", "C.3 C.2 O.co2 O.co2");
  check("CC(=O)O", "C.3 C.2 O.2 O.3h");
  check("COC", "C.3 O.3 C.3");
  check("CC(=O)NC", "C.3 C.2 O.2 N.am C.3");
  check("c1ccncc1", "C.ar C.ar C.ar N.ar C.ar C.ar");
  check("c1cc[nH]c1", "C.ar C.ar C.ar N.pl3 C.ar");
  check("c1ccoc1", "C.ar C.ar C.ar O.2 C.ar");
  check("c1ccsc1", "C.ar C.ar C.ar S.2 C.ar");
  check("Nc1ccccc1", "N.pl3 C.ar C.ar C.ar C.ar C.ar C.ar");
  check("C[NH3+]", "C.3 N.4");
  check("CN", "C.3 N.3");
  check("CC#N", "C.3 C.1 N.1");
  check("C=C=C", "C.2 C.1 C.2");
  check("NC(=[NH2+])N", "N.pl3 C.cat N.pl3 N.pl3");
  check("C[N+](=O)[O-]", "C.3 N.pl3 O.2 O.2");
  check("CS(=O)(=O)NC", "C.3 S.o2 O.2 O.2 N.pl3 C.3");
  check("CS(=O)(=O)[N-]C", "C.3 S.o2 O.2 O.2 N.ani C.3");
  check("CS(C)=O", "C.3 S.o C.3 O.2");
  check("COP(=O)([O-])[O-]", "C.3 O.3 P.3 O.co2 O.co2 O.co2");
  check("CS", "C.3 S.3");
  check("CC(F)(Cl)Br", "C.3 C.3 F Cl Br");
  check("CN=C", "C.3 N.2 C.2");
}

static void test_residues(void **state) {
  (void)state;
  assert_string_equal(bt_sybyl_of_residue("ALA", "CB"), "C.3");
  assert_string_equal(bt_sybyl_of_residue("ASP", "OD2"), "O.co2");
  assert_string_equal(bt_sybyl_of_residue("TRP", "CD1"), "C.2");
  assert_string_equal(bt_sybyl_of_residue("LYS", "NZ"), "N.4");
  assert_string_equal(bt_sybyl_of_residue("SER", "OG"), "O.3h");
  assert_string_equal(bt_sybyl_of_residue("CYX", "SG"), "S.3");
  assert_string_equal(bt_sybyl_of_residue("ZN", "ZN"), "Zn");
  assert_null(bt_sybyl_of_residue("ALA", "CG"));
  assert_null(bt_sybyl_of_residue("HEM", "CA"));
}

static void test_parents(void **state) {
  (void)state;
  assert_string_equal(bt_sybyl_parent("O.3h"), "O.3");
  assert_null(bt_sybyl_parent("O.3"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_molecules),
      cmocka_unit_test(test_residues),
      cmocka_unit_test(test_parents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
