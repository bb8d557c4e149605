/* test_warheads.c - which warheads a ligand has, and the products of their reactions. */
#include "chem/warheads.h"

#include "unit/prep/ligand/prepare.h"

typedef struct reaction {
  const char *warhead, *ligand, *side_chain, *product;
} reaction;

static const reaction reactions[] = {
    {"acrylamide", "C=CC(=O)NC", "SC", "CNC(=O)CCSC"},
    {"acrylate or enone", "C=CC(=O)OC", "SC", "COC(=O)CCSC"},
    {"propiolamide", "CC#CC(=O)NC", "SC", "CNC(=O)C=C(C)SC"},
    {"vinyl sulfone or sulfonamide", "C=CS(=O)(=O)C", "SC", "CSCCS(C)(=O)=O"},
    {"haloacetamide", "ClCC(=O)NC", "SC", "CNC(=O)CSC"},
    {"nitrile", "N#CCNC", "SC", "CNCC(=N)SC"},
    {"beta-lactam", "O=C1CCN1C", "OC", "CNCCC(=O)OC"},
    {"alpha-ketoamide", "CC(=O)C(=O)NC", "SC", "CNC(=O)C(C)(O)SC"},
    {"aldehyde", "CC=O", "SC", "CC(O)SC"},
    {"trifluoromethyl ketone", "CC(=O)C(F)(F)F", "OC", "COC(C)(O)C(F)(F)F"},
    {"epoxide", "C1OC1", "SC", "CSCCO"},
    {"sulfonyl fluoride", "CS(=O)(=O)F", "OC", "COS(C)(=O)=O"},
    {"aryl ester", "CC(=O)Oc1ccccc1", "OC", "COC(C)=O"},
    {"fluorophosphonate", "CP(=O)(F)OC", "OC", "COP(C)(=O)OC"},
    {"boronic acid", "CB(O)O", "OC", "CO[B-](C)(O)O"},
};

static bt_rdmol *read_smiles(const char *text) {
  bt_rdmol *mol = NULL;
  bt_error error = {0};
  if (bt_rdmol_read(BT_RD_SMILES, text, strlen(text), (bt_where){.file = "test"}, NULL, &mol, &error) != BT_OK)
    fail_msg("%s: %s", text, error.message);
  return mol;
}

static char *smiles_of(const bt_rdmol *mol) {
  char *smiles = NULL;
  int *order = calloc((size_t)bt_rdmol_atom_count(mol), sizeof *order);
  assert_non_null(order);
  assert_int_equal(bt_rdmol_smiles(mol, &smiles, order, NULL), BT_OK);
  free(order);
  return smiles;
}

/* Every site of every warhead of the table: names in order, one line. */
static void name_sites(const bt_rdmol *mol, char *names, size_t size, int *ret_site) {
  int n_warheads = 0;
  const bt_warhead *table = bt_warheads(&n_warheads);
  names[0] = '\0';
  for (int w = 0; w < n_warheads; w++) {
    int(*sites)[2] = NULL, count = 0;
    assert_int_equal(bt_warhead_sites(&table[w], mol, &sites, &count, NULL), BT_OK);
    for (int s = 0; s < count; s++) {
      size_t used = strlen(names);
      snprintf(names + used, size - used, "%s%s", used > 0 ? ", " : "", table[w].name);
      memcpy(ret_site, sites[s], sizeof sites[s]);
    }
    free(sites);
  }
}

static void check_reaction(const reaction *r, bool hydrogens) {
  bt_rdmol *mol = read_smiles(r->ligand), *expected = read_smiles(r->product);
  bt_error error = {0};
  char names[512];
  int site[2] = {-1, -1}, first = -1;
  if (hydrogens) assert_int_equal(bt_rdmol_add_hydrogens(mol, (bt_where){0}, NULL), BT_OK);
  name_sites(mol, names, sizeof names, site);
  if (strcmp(r->warhead, "epoxide") == 0)
    assert_string_equal(names, "epoxide, epoxide"); /* either carbon */
  else
    assert_string_equal(names, r->warhead);
  if (bt_rdmol_join_side_chain(mol, site[0], site[1], r->side_chain, (bt_where){0}, &first, &error) != BT_OK)
    fail_msg("%s: %s", r->ligand, error.message);
  assert_int_equal(first, bt_rdmol_atom_count(mol) - (int)strlen(r->side_chain));
  char *made = smiles_of(mol), *right = smiles_of(expected);
  assert_string_equal(made, right);
  free(made);
  free(right);
  bt_rdmol_destroy(mol);
  bt_rdmol_destroy(expected);
}

static void test_products(void **state) {
  (void)state;
  needs_rdkit();
  int n_warheads = 0;
  bt_warheads(&n_warheads);
  assert_int_equal(n_warheads, sizeof reactions / sizeof *reactions);
  for (size_t i = 0; i < sizeof reactions / sizeof *reactions; i++) {
    check_reaction(&reactions[i], false);
    check_reaction(&reactions[i], true);
  }
}

static void test_none_and_several(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const cases[][2] = {
      {"c1ccccc1", ""},
      {"CC(=O)NC", ""},    /* an amide's carbonyl is not an aldehyde */
      {"C1CNC(=O)C1", ""}, /* a lactam of five atoms is stable */
      {"C=CC(=O)NCC#N", "acrylamide, nitrile"},
      {"C=CC(=O)NCCNC(=O)C=C", "acrylamide, acrylamide"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bt_rdmol *mol = read_smiles(cases[i][0]);
    char names[512];
    int site[2];
    name_sites(mol, names, sizeof names, site);
    assert_string_equal(names, cases[i][1]);
    bt_rdmol_destroy(mol);
  }
}

/* New and reacting stereocenters are undefined, all others keep their configuration. */
static void test_stereo(void **state) {
  (void)state;
  needs_rdkit();
  bt_rdmol *mol = read_smiles("O=C[C@@H](C)CC");
  char *open = NULL;
  int first = -1;
  assert_int_equal(bt_rdmol_join_side_chain(mol, 1, 0, "SC", (bt_where){0}, &first, NULL), BT_OK);
  assert_int_equal(bt_rdmol_open_stereo(mol, (bt_where){0}, &open, NULL), BT_OK);
  assert_string_equal(open, "C2");
  free(open);
  bt_rdmol_destroy(mol);
}

static void test_refusals(void **state) {
  (void)state;
  needs_rdkit();
  bt_rdmol *mol = read_smiles("Cc1ccccc1");
  bt_error error = {0};
  int first = -1;
  assert_int_equal(bt_rdmol_join_side_chain(mol, 0, 3, "SC", (bt_where){0}, &first, &error), BT_ERR_USAGE);
  assert_string_equal(error.message, "the first two atoms of the warhead have no bond");
  assert_int_equal(bt_rdmol_join_side_chain(mol, 1, 2, "SC", (bt_where){0}, &first, &error), BT_ERR_USAGE);
  assert_string_equal(error.message, "the warhead's first bond is neither single, double nor triple");
  assert_int_equal(bt_rdmol_atom_count(mol), 7); /* as it was */
  bt_rdmol_destroy(mol);
}

static void test_residues(void **state) {
  (void)state;
  const bt_warhead warhead = {.name = "x", .residues = "CYS SER"};
  assert_true(bt_warhead_takes(&warhead, "SER"));
  assert_false(bt_warhead_takes(&warhead, "THR"));
  assert_false(bt_warhead_takes(&warhead, "S S"));
  assert_false(bt_warhead_takes(&warhead, ""));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_products), cmocka_unit_test(test_none_and_several), cmocka_unit_test(test_stereo),
      cmocka_unit_test(test_refusals), cmocka_unit_test(test_residues),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
