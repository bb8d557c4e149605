/* test_cofactors.c - polar hydrogens of cofactors: how many, how far, at which angles, flat where they must be.
 *
 * Heavy atoms come from conformers of the SMILES in data/residues/components.csv, relaxed by a force field, so that
 * nothing here is taken from the templates that are tested.
 */
#include "chem/rdkit.h"
#include "prep/receptor/residues/templates.h"
#include "unit/prep/receptor/receptor.h"

typedef struct cofactor {
  char smiles[512], names[512];
  int polar; /* hydrogens on nitrogen, oxygen and sulfur by its formula */
} cofactor;

static void needs_rdkit(void) {
  if (*bt_rdkit_version() == '\0') {
    print_message("skipped: this build has no RDKit\n");
    skip();
  }
}

/* Its row in components.csv. */
static cofactor look_up(const char *component) {
  cofactor c = {.polar = 0};
  char *data, start[16];
  size_t size;
  bt_error error = {0};
  support_ok(bt_file_read(BERTH_SOURCE_DIR "/data/residues/components.csv", &data, &size, &error), &error);
  snprintf(start, sizeof start, "\n%s,", component);
  const char *row = strstr(data, start);
  if (row == NULL || sscanf(row + strlen(start), "%*[^,],%*[^,],%511[^,],%511[^,]", c.smiles, c.names) != 2)
    fail_msg("%s has no row", component);
  free(data);
  return c;
}

/* A PDB file with one conformer of its heavy atoms, 60 Angstrom beside the peptide. */
static const char *file_with(cofactor *c, const char *component) {
  bt_rdmol *mol;
  bt_error error = {0};
  bool relaxed;
  bt_where where = {.file = component};
  support_ok(bt_rdmol_read(BT_RD_SMILES, c->smiles, strlen(c->smiles), where, NULL, &mol, &error), &error);
  int heavy = bt_rdmol_atom_count(mol);
  support_ok(bt_rdmol_add_hydrogens(mol, where, &error), &error);
  support_ok(bt_rdmol_embed(mol, 1, 7, NULL, where, &relaxed, &error), &error);
  int all = bt_rdmol_atom_count(mol), bonds = bt_rdmol_bond_count(mol);
  bt_rdatom *atoms = calloc((size_t)all, sizeof *atoms);
  bt_rdbond *bond = calloc((size_t)bonds, sizeof *bond);
  double(*x)[3] = calloc((size_t)all, sizeof *x);
  assert_true(atoms != NULL && bond != NULL && x != NULL);
  bt_rdmol_atoms(mol, atoms);
  bt_rdmol_bonds(mol, bond);
  bt_rdmol_coordinates(mol, 0, x);
  for (int b = 0; b < bonds; b++) {
    int a = atoms[bond[b].a].element, other = atoms[bond[b].b].element;
    c->polar += (a == 1 && other != 6) || (other == 1 && a != 6);
  }
  char *data;
  size_t size;
  support_ok(bt_file_read(PEPTIDE, &data, &size, &error), &error);
  *strstr(data, "END") = '\0';
  bt_text text = {0};
  bt_text_add_string(&text, data);
  free(data);
  char *rest = c->names;
  for (int i = 0; i < heavy; i++) {
    const char *next = strsep(&rest, " "), *name = next != NULL ? next : "";
    if (next == NULL) fail_msg("%s has more atoms than names", component);
    bt_text_printf(&text, "HETATM%5d  %-3s %3s A 500    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", 900 + i, name,
                   component, x[i][0] + 60, x[i][1], x[i][2], atoms[i].symbol);
  }
  bt_text_add_string(&text, "END\n");
  const char *path = file_of("cofactor.pdb", text.data);
  bt_text_destroy(&text);
  free(atoms);
  free(bond);
  free(x);
  bt_rdmol_destroy(mol);
  return path;
}

static double angle(const bt_atom *a, const bt_atom *b, const bt_atom *c) {
  double dot = 0.0;
  for (int k = 0; k < 3; k++) dot += (a->x[k] - b->x[k]) * (c->x[k] - b->x[k]);
  return acos(dot / apart(a, b) / apart(b, c)) * 180.0 / 3.14159265358979;
}

/* Heavy atoms bonded to an atom, at most so many. */
static int heavy_around(const bt_molecule *m, const bt_atom *of, const bt_atom *around[4]) {
  int count = 0;
  for (int i = 0; i < m->n_atoms && count < 4; i++) {
    const bt_atom *a = &m->atoms[i];
    if (a != of && a->resnum == 500 && strcmp(a->type, "HD") != 0 && apart(a, of) < 1.95) around[count++] = a;
  }
  return count;
}

static int hydrogens_at(const bt_molecule *m, const bt_atom *parent) {
  int count = 0;
  for (int i = 0; i < m->n_atoms; i++)
    count += strcmp(m->atoms[i].type, "HD") == 0 && apart(&m->atoms[i], parent) < 1.2;
  return count;
}

/* Distance of a from the plane of three atoms, Angstrom. */
static double off_plane(const bt_atom *a, const bt_atom *p, const bt_atom *q, const bt_atom *r) {
  double u[3], v[3], n[3], length = 0.0, height = 0.0;
  for (int k = 0; k < 3; k++) u[k] = q->x[k] - p->x[k], v[k] = r->x[k] - p->x[k];
  for (int k = 0; k < 3; k++) n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
  for (int k = 0; k < 3; k++) length += n[k] * n[k], height += n[k] * (a->x[k] - p->x[k]);
  return fabs(height) / sqrt(length);
}

/* Is it bonded to three atoms in one plane with it? */
static bool is_flat(const bt_molecule *m, const bt_atom *atom, const bt_atom *around[4]) {
  return heavy_around(m, atom, around) == 3 && off_plane(atom, around[0], around[1], around[2]) < 0.1;
}

static void check_hydrogen(const char *component, const bt_molecule *m, const bt_atom *h) {
  const bt_atom *parent = NULL, *next[4], *beyond[4];
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *a = &m->atoms[i];
    if (a != h && strcmp(a->type, "HD") != 0 && (parent == NULL || apart(a, h) < apart(parent, h))) parent = a;
  }
  char element = parent->name[0];
  double bond = apart(h, parent), wanted = element == 'N' ? 1.01 : element == 'O' ? 0.96 : 1.34;
  if (fabs(bond - wanted) > 0.01) fail_msg("%s %s-%s is %.3f Angstrom", component, parent->name, h->name, bond);
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *a = &m->atoms[i];
    bool hydrogen = strcmp(a->type, "HD") == 0, acceptor = strcmp(a->type, "OA") == 0 || strcmp(a->type, "NA") == 0;
    /* a conformer in vacuum has short hydrogen bonds between hydroxyls and phosphates: 2.5 Angstrom from O to O */
    if (a != h && a != parent && apart(a, h) < (hydrogen || acceptor ? 1.4 : 1.6))
      fail_msg("%s %s and %s are %.2f Angstrom apart", component, h->name, a->name, apart(a, h));
  }
  int n = heavy_around(m, parent, next);
  double sum = 0.0, low = element == 'S' ? 90 : 100;
  for (int k = 0; k < n; k++) {
    double at = angle(h, parent, next[k]);
    if (at < low || at > 132)
      fail_msg("%s %s-%s-%s is %.1f degrees", component, h->name, parent->name, next[k]->name, at);
    sum += at;
  }
  if (element != 'N') return;
  bool amide = n == 2 && next[0]->name[0] == 'C' && next[1]->name[0] == 'C'; /* amides, not P-N-P */
  if (amide && sum + angle(next[0], parent, next[1]) < 357)
    fail_msg("%s %s at %s is not in the plane", component, h->name, parent->name);
  if (n == 1 && is_flat(m, next[0], beyond) && hydrogens_at(m, parent) < 3 &&
      off_plane(h, beyond[0], beyond[1], beyond[2]) > 0.25)
    fail_msg("%s %s at %s is %.2f Angstrom off the plane", component, h->name, parent->name,
             off_plane(h, beyond[0], beyond[1], beyond[2]));
}

static void hydrogens_of(const char *component) {
  cofactor c = look_up(component);
  bt_prepared_receptor *p = prepared(file_with(&c, component), NULL);
  const bt_molecule *m = bt_prepared_receptor_rigid(p);
  int count = count_type(m, 500, "HD");
  if (count != c.polar) fail_msg("%s has %d polar hydrogens, but its formula %d", component, count, c.polar);
  for (int i = 0; i < m->n_atoms; i++)
    if (m->atoms[i].resnum == 500 && strcmp(m->atoms[i].type, "HD") == 0) check_hydrogen(component, m, &m->atoms[i]);
  bt_prepared_receptor_destroy(p);
}

static void cofactors_have_their_hydrogens(void **state) {
  (void)state;
  needs_gemmi();
  needs_rdkit();
  static const char *const names[] = {"NAI", "NDP", "SAM", "SAH", "ANP", "ACO",
                                      "COA", "FMN", "PLP", "TPP", "BTN", "GTP"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) hydrogens_of(names[k]);
}

/* Haem's carboxylates are charged: it has no polar hydrogens, whatever the file has. */
static void haem_has_none(void **state) {
  (void)state;
  bt_templates *templates;
  bt_error error = {0};
  support_ok(bt_templates_create(&templates, &error), &error);
  static const char *const names[] = {"HEM", "HEC"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const bt_template *t = bt_templates_find(templates, names[k], BT_CHAIN_SINGLE);
    assert_non_null(t);
    for (int i = 0; i < t->n_atoms; i++) assert_int_not_equal(t->atoms[i].element, 1);
  }
  bt_templates_destroy(templates);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cofactors_have_their_hydrogens), cmocka_unit_test(haem_has_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
