/* test_perceive.c - bond orders from coordinates alone.
 *
 * The built-in components (data/residues/components.csv) are treated as unknown: each gets a conformer, of which only
 * the elements and places of the heavy atoms are given away. Protonated by the same rules, what comes out is compared
 * with the component, without stereochemistry.
 */
#include <stdlib.h>

#include "base/files/file.h"
#include "base/text/text.h"
#include "chem/rdkit.h"
#include "prep/ligand/steps/steps.h"
#include "unit/support.h"

enum { MOST_ATOMS = 32, ROOM = 400 };

static const bt_where nowhere = {.file = "test"};

static void needs_rdkit(void) {
  if (*bt_rdkit_version() == '\0') {
    print_message("skipped: this build has no RDKit\n");
    skip();
  }
}

static bt_rdmol *read_smiles(const char *smiles) {
  bt_rdmol *mol = NULL;
  bt_error error = {0};
  support_ok(bt_rdmol_read(BT_RD_SMILES, smiles, strlen(smiles), nowhere, NULL, &mol, &error), &error);
  return mol;
}

static char *smiles_of(const bt_rdmol *mol) {
  char *smiles = NULL;
  int order[ROOM];
  bt_error error = {0};
  assert_true(bt_rdmol_atom_count(mol) <= ROOM);
  support_ok(bt_rdmol_smiles(mol, &smiles, order, &error), &error);
  return smiles;
}

/* At pH 7.4 and without stereochemistry; destroys mol. */
static char *plain_smiles(bt_rdmol *mol, const bt_rules *rules) {
  char *changes = NULL;
  bt_error error = {0};
  support_ok(bt_prep_ionize(mol, rules, 7.4, nowhere, &changes, &error), &error);
  free(changes);
  char *smiles = smiles_of(mol);
  bt_rdmol_destroy(mol);
  char *to = smiles;
  for (const char *from = smiles; *from != '\0'; from++)
    if (*from != '@' && *from != '/' && *from != '\\') *to++ = *from;
  *to = '\0';
  mol = read_smiles(smiles);
  free(smiles);
  smiles = smiles_of(mol);
  bt_rdmol_destroy(mol);
  return smiles;
}

/* A conformer of the molecule; the heavy atoms are the first ones. NULL: none was found. */
static bt_rdmol *conformer(const bt_rdmol *mol) {
  bt_rdmol *copy = bt_rdmol_copy(mol);
  bool relaxed;
  assert_non_null(copy);
  if (bt_rdmol_add_hydrogens(copy, nowhere, NULL) == BT_OK &&
      bt_rdmol_embed(copy, 1, 7, NULL, nowhere, &relaxed, NULL) == BT_OK)
    return copy;
  bt_rdmol_destroy(copy);
  return NULL;
}

/* Perceives the heavy atoms of a conformer; hydrogens: their numbers are told. */
static bt_rdmol *perceived(const bt_rdmol *mol, int heavy, bool hydrogens) {
  int all = bt_rdmol_atom_count(mol), bonds = bt_rdmol_bond_count(mol);
  bt_rdatom *atoms = calloc((size_t)all, sizeof *atoms);
  bt_rdbond *bond = calloc((size_t)bonds + 1, sizeof *bond);
  double(*x)[3] = calloc((size_t)all, sizeof *x);
  int element[ROOM], given[ROOM] = {0};
  assert_true(atoms != NULL && x != NULL && bond != NULL && heavy <= ROOM);
  bt_rdmol_atoms(mol, atoms);
  bt_rdmol_bonds(mol, bond);
  bt_rdmol_coordinates(mol, 0, x);
  for (int i = 0; i < heavy; i++) element[i] = atoms[i].element;
  for (int b = 0; b < bonds; b++) {
    if (atoms[bond[b].a].element == 1) given[bond[b].b]++;
    if (atoms[bond[b].b].element == 1 && bond[b].a < heavy) given[bond[b].a]++;
  }
  for (int i = 0; !hydrogens && i < heavy; i++) given[i] = -1;
  bt_rdmol *made = NULL;
  bt_error error = {0};
  support_ok(bt_rdmol_perceive(element, (const double(*)[3])x, given, heavy, nowhere, &made, &error), &error);
  free(atoms);
  free(bond);
  free(x);
  return made;
}

/* Whether a molecule is recognized from its conformer: *ret_same; false if it cannot be tried. */
static bool try_molecule(const char *smiles, const bt_rules *rules, bool hydrogens, bool *ret_same, char *ret_made,
                         size_t size) {
  bt_rdmol *mol = read_smiles(smiles);
  int heavy = bt_rdmol_atom_count(mol);
  bt_rdmol *placed = heavy > 1 && heavy <= MOST_ATOMS ? conformer(mol) : NULL;
  if (placed == NULL) return bt_rdmol_destroy(mol), false;
  char *made = plain_smiles(perceived(placed, heavy, hydrogens), rules), *wanted = plain_smiles(mol, rules);
  bt_rdmol_destroy(placed);
  *ret_same = strcmp(made, wanted) == 0;
  snprintf(ret_made, size, "%s", made);
  free(made);
  free(wanted);
  return true;
}

static bt_rules *load_rules(void) {
  bt_rules *rules = NULL;
  bt_error error = {0};
  support_ok(bt_rules_create(&rules, &error), &error);
  return rules;
}

static void expect_share(bool hydrogens, double least) {
  char *data, made[1024];
  size_t size;
  bt_error error = {0};
  bt_rules *rules = load_rules();
  support_ok(bt_file_read(BERTH_SOURCE_DIR "/data/residues/components.csv", &data, &size, &error), &error);
  bt_lines lines = bt_lines_of(data, size);
  int tried = 0, right = 0;
  for (bt_span line; bt_lines_next(&lines, &line);) {
    char row[2048], name[16], smiles[1024];
    bool same;
    bt_span_copy(line, row, sizeof row);
    if (sscanf(row, "%15[^,],%*[^,],%*[^,],%1023[^,]", name, smiles) != 2 || strcmp(name, "component") == 0) continue;
    if (!try_molecule(smiles, rules, hydrogens, &same, made, sizeof made)) continue;
    tried++;
    right += same;
    if (!same) print_message("%s: %s became %s\n", name, smiles, made);
  }
  print_message("%d of %d components recognized, hydrogens %s\n", right, tried, hydrogens ? "given" : "unknown");
  free(data);
  bt_rules_destroy(rules);
  assert_true(tried > 220);
  assert_true(right >= least * tried);
}

static void components_are_recognized(void **state) {
  (void)state;
  needs_rdkit();
  expect_share(false, 0.92);
}

static void hydrogens_leave_less_to_find(void **state) {
  (void)state;
  needs_rdkit();
  expect_share(true, 0.92);
}

/* Groups that have rules of their own. */
static void groups_are_recognized(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const list[] = {"O=[N+]([O-])c1ccccc1",
                                     "CN=[N+]=[N-]",
                                     "CS(=O)(=O)Nc1ccccc1",
                                     "CS(C)=O",
                                     "C[N+](C)(C)CCO",
                                     "N#Cc1ccccc1",
                                     "C#CCO",
                                     "CC(=O)Nc1ccc(O)cc1",
                                     "Cn1c(=O)c2c(ncn2C)n(C)c1=O",
                                     "O=C1C=CC(=O)C=C1",
                                     "C[n+]1ccccc1",
                                     "NC(N)=[NH2+]",
                                     "CSC(=S)N(C)C",
                                     "OB(O)c1ccccc1",
                                     "CP(=O)([O-])[O-]",
                                     "c1ccc2[nH]ccc2c1",
                                     "C=CC=CC(=O)OC",
                                     "[O-]C(=O)C1CC1",
                                     "FC(F)(F)c1cc(Cl)c(Br)s1"};
  bt_rules *rules = load_rules();
  char made[1024];
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    bool same = false;
    assert_true(try_molecule(list[k], rules, false, &same, made, sizeof made));
    if (!same) fail_msg("%s became %s", list[k], made);
  }
  bt_rules_destroy(rules);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_are_recognized),
      cmocka_unit_test(components_are_recognized),
      cmocka_unit_test(hydrogens_leave_less_to_find),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
