/* mol2.c - a record of MOL2 as a molecule with orders and charges, which the format leaves to its readers, and back. */
#include "formats/mol2.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "chem/element.h"
#include "chem/sybyl.h"
#include "chem/valence.h"
#include "prep/ligand/preparer.h"

static const char remedy[] = "repair or leave out this record";

bt_status bt_mol2_check(const char *text, size_t size, bt_where where, bt_error *opt_error) {
  bt_lines lines = bt_lines_of(text, size);
  bt_span line;
  int header = -1, n_atoms; /* lines since @<TRIPOS>MOLECULE that are not comments */
  while (header < 2 && bt_lines_next(&lines, &line)) {
    if (line.size > 0 && line.text[0] == '#') continue;
    if (header >= 0) header++;
    if (bt_span_starts(line, "@<TRIPOS>MOLECULE")) header = 0;
  }
  if (header < 2) return BT_OK;
  where.line += lines.number - 1;
  BT_TRY(bt_mol2_check_counts(line, text, size, where, opt_error));
  if (!bt_parse_int(bt_span_word(&line), &n_atoms) || n_atoms < 0)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "write the numbers of atoms and bonds on the line after the name's",
                   "the number of atoms is not a number");
  return bt_record_check_atoms(n_atoms, where, opt_error);
}

/* Compares the counts of the record's third line with what is there: a file that was cut off has less. */
static bt_status compare_counts(const bt_mol2 *m, const char *text, size_t size, bt_where where, bt_error *opt_error) {
  bt_lines lines = bt_lines_of(text, size);
  bt_span line;
  int header = -1, counts[2], there[2] = {m->n_atoms, m->n_bonds};
  static const char *const what[] = {"atoms", "bonds"};
  while (header < 2 && bt_lines_next(&lines, &line)) {
    if (line.size > 0 && line.text[0] == '#') continue;
    if (header >= 0) header++;
    if (bt_span_starts(line, "@<TRIPOS>MOLECULE")) header = 0;
  }
  for (int k = 0; k < 2 && bt_parse_int(bt_span_word(&line), &counts[k]); k++)
    if (counts[k] != there[k])
      return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "%d %s, but its third line says %d", there[k], what[k],
                     counts[k]);
  return BT_OK;
}

static bt_where at_atom(const bt_mol2 *m, int atom, bt_where where) {
  if (m->atoms[atom].line > 0) where.line = m->atoms[atom].line;
  where.atom = m->atoms[atom].number;
  return where;
}

/* The element of a SYBYL type: what stands before its dot. */
static int element_of(const bt_mol2_atom *atom) {
  char symbol[16];
  snprintf(symbol, sizeof symbol, "%s", atom->type);
  symbol[strcspn(symbol, ".")] = '\0';
  return bt_element_of_symbol(symbol);
}

static bool is_lone_pair(const bt_mol2_atom *atom) {
  return strcasecmp(atom->type, "LP") == 0 || strcasecmp(atom->type, "LPR") == 0;
}

static bt_status refuse_type(const bt_mol2 *m, int atom, bt_where where, bt_error *opt_error) {
  const char *type = m->atoms[atom].type;
  where = at_atom(m, atom, where);
  static const char *const patterns[] = {"Du", "Du.C", "ANY", "HAL", "HET", "HEV", "R", "X", "*"};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    if (strcasecmp(type, patterns[i]) == 0)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "provide a molecule of definite atoms, or leave out this record",
                     "a dummy atom (type %s): it has no element", type);
  if (type[0] >= 'a' && type[0] <= 'z')
    return bt_fail(opt_error, BT_ERR_INPUT, where, "write the file with SYBYL's types (antechamber: -at sybyl)",
                   "the atom type %s is not one of SYBYL's, but like those of GAFF", type);
  return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "the atom type %s is not one of SYBYL's", type);
}

static bool has_type(const bt_mol2_atom *atom, const char *type) { return strcasecmp(atom->type, type) == 0; }

static bool is_trigonal(const bt_mol2_atom *atom) {
  return has_type(atom, "C.2") || has_type(atom, "C.ar") || has_type(atom, "C.cat");
}

/* Elements, and what the types say. ret_atoms[n_atoms]. */
static bt_status take_types(const bt_mol2 *m, bt_where where, bt_valence_atom *ret_atoms, bt_error *opt_error) {
  bool on_carbon = false, on_others = false;
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_mol2_atom *from = &m->atoms[i];
    bool gaff = from->type[0] >= 'a' && from->type[0] <= 'z' && from->type[1] != '\0';
    int element = bt_mol2_is_hydrogen(from) ? 1 : gaff ? 0 : element_of(from);
    if (element == 0) return refuse_type(m, i, where, opt_error);
    ret_atoms[i] = (bt_valence_atom){.element = element,
                                     .cation = has_type(from, "N.4") || has_type(from, "C.cat"),
                                     .anion = has_type(from, "O.co2"),
                                     .pyrrole = has_type(from, "N.pl3"),
                                     .keto = has_type(from, "O.2") || has_type(from, "S.2")};
  }
  for (int i = 0; i < m->n_bonds; i++) {
    int a = ret_atoms[m->bonds[i].a].element, b = ret_atoms[m->bonds[i].b].element;
    if (a != 1 && b != 1) continue;
    on_carbon = on_carbon || a == 6 || b == 6;
    on_others = on_others || (a != 6 && b != 6);
  }
  for (int i = 0; i < m->n_atoms; i++) {
    bt_valence_atom *atom = &ret_atoms[i];
    atom->bare = !on_carbon && (atom->element == 6 || !on_others);
    if (has_type(&m->atoms[i], "C.3")) atom->bare = true;
    if (is_trigonal(&m->atoms[i])) atom->bare = false;          /* of three neighbors, one is doubly bonded */
    if (has_type(&m->atoms[i], "N.4")) atom->bare = !on_others; /* the hydrogen that makes it a cation is missing */
  }
  return BT_OK;
}

/* ret_bonds[n_bonds]; *ret_count of them are bonds. */
static bt_status take_orders(const bt_mol2 *m, bt_where where, bt_valence_bond *ret_bonds, int *ret_count,
                             bt_error *opt_error) {
  *ret_count = 0;
  for (int i = 0; i < m->n_bonds; i++) {
    const char *order = m->bonds[i].order;
    if (strcasecmp(order, "nc") == 0) continue; /* "not connected" */
    int is = order[1] == '\0' && order[0] >= '1' && order[0] <= '4' ? order[0] - '0' : 0;
    if (strcasecmp(order, "am") == 0) is = 1;
    if (strcasecmp(order, "ar") == 0) is = BT_ORDER_OPEN;
    if (is == 0)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "write 1, 2, 3, am or ar",
                     "a bond of unknown order (%s) between atoms %d and %d", order, m->atoms[m->bonds[i].a].number,
                     m->atoms[m->bonds[i].b].number);
    ret_bonds[(*ret_count)++] = (bt_valence_bond){m->bonds[i].a, m->bonds[i].b, is};
  }
  return BT_OK;
}

bt_status bt_mol2_molecule(const bt_mol2 *m, bt_where where, bt_rdmol **ret_mol, bt_error *opt_error) {
  size_t n = (size_t)m->n_atoms, n_bonds = (size_t)m->n_bonds;
  BT_SCOPED bt_valence_atom *found = bt_allocate(n, sizeof *found);
  BT_SCOPED bt_valence_bond *orders = bt_allocate(n_bonds, sizeof *orders);
  BT_SCOPED bt_rdatom *atoms = bt_allocate(n, sizeof *atoms);
  BT_SCOPED bt_rdbond *bonds = bt_allocate(n_bonds, sizeof *bonds);
  if (found == NULL || orders == NULL || atoms == NULL || bonds == NULL) return bt_fail_memory(opt_error);
  int count, wrong, unclear;
  BT_TRY(take_types(m, where, found, opt_error));
  BT_TRY(take_orders(m, where, orders, &count, opt_error));
  BT_TRY(bt_valence_find(found, m->n_atoms, orders, count, &wrong, &unclear, opt_error));
  if (wrong >= 0)
    return bt_fail(opt_error, BT_ERR_INPUT, at_atom(m, wrong, where), "check its bonds and hydrogens",
                   "%s (type %s) has bonds that fit none of its valences", bt_element_symbol(found[wrong].element),
                   m->atoms[wrong].type);
  if (unclear >= 0)
    return bt_fail(opt_error, BT_ERR_INPUT, at_atom(m, unclear, where), "use the file with its hydrogens",
                   "the file has no hydrogens, and only they tell which nitrogens of its aromatic rings have one");
  for (int i = 0; i < m->n_atoms; i++) {
    atoms[i] = (bt_rdatom){.element = found[i].element,
                           .charge = found[i].charge,
                           .hydrogens = found[i].hydrogens,
                           .number = m->atoms[i].number,
                           .file_charge = m->atoms[i].charge};
    snprintf(atoms[i].name, sizeof atoms[i].name, "%.7s", m->atoms[i].name);
  }
  for (int i = 0; i < count; i++) bonds[i] = (bt_rdbond){orders[i].a, orders[i].b, orders[i].order, false};
  return bt_rdmol_make(atoms, m->n_atoms, bonds, count, (const double(*)[3])m->x, m->name, where, ret_mol, opt_error);
}

static bt_status drop_lone_pairs(bt_mol2 *m, bt_error *opt_error) {
  BT_SCOPED bool *keep = bt_allocate((size_t)m->n_atoms, sizeof *keep);
  bool any = false;
  if (keep == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < m->n_atoms; i++) {
    keep[i] = !is_lone_pair(&m->atoms[i]);
    any = any || !keep[i];
  }
  return any ? bt_mol2_reduce(m, keep, opt_error) : BT_OK;
}

bt_status bt_mol2_read_molecule(const char *text, size_t size, bt_where where, bt_rdmol **ret_mol,
                                bt_error *opt_error) {
  bt_mol2 *m;
  BT_TRY(bt_mol2_check(text, size, where, opt_error));
  BT_TRY(bt_mol2_parse(where.file, where.line, text, size, &m, opt_error));
  bt_status status = bt_record_check_atoms(m->n_atoms, where, opt_error);
  if (status == BT_OK) status = compare_counts(m, text, size, where, opt_error);
  if (status == BT_OK && m->n_bonds == 0 && m->n_atoms > 1)
    status =
        bt_fail(opt_error, BT_ERR_INPUT, where, "write its @<TRIPOS>BOND block", "%d atoms, but no bonds", m->n_atoms);
  if (status == BT_OK) status = drop_lone_pairs(m, opt_error);
  if (status == BT_OK) status = bt_mol2_molecule(m, where, ret_mol, opt_error);
  bt_mol2_destroy(m);
  return status;
}

/* ---- and back ---- */

static const char *order_text(int order) {
  return order == 2 ? "2" : order == 3 ? "3" : order == 4 ? "ar" : order == 1 ? "1" : "un";
}

bt_status bt_mol2_describe(const bt_rdmol *mol, bt_where where, const char *name, bt_mol2 **ret_mol2,
                           bt_error *opt_error) {
  const int n = bt_rdmol_atom_count(mol), n_bonds = bt_rdmol_bond_count(mol);
  BT_SCOPED bt_rdatom *atoms = bt_allocate((size_t)n, sizeof *atoms);
  BT_SCOPED bt_rdbond *bonds = bt_allocate((size_t)n_bonds, sizeof *bonds);
  BT_SCOPED bt_sybyl *types = bt_allocate((size_t)n, sizeof *types);
  bool ok = atoms != NULL && bonds != NULL && types != NULL;
  bt_status status = ok ? BT_OK : bt_fail_memory(opt_error);
  if (ok) {
    bt_rdmol_atoms(mol, atoms);
    bt_rdmol_bonds(mol, bonds);
    status = bt_sybyl_types(atoms, n, bonds, n_bonds, types, opt_error);
  }
  if (status == BT_OK) status = bt_mol2_create(where.file, name, n, n_bonds, 1, ret_mol2, opt_error);
  for (int i = 0; status == BT_OK && i < n; i++) {
    bt_mol2_atom *atom = &(*ret_mol2)->atoms[i];
    *atom = (bt_mol2_atom){.residue = "LIG1", .residue_number = 1};
    memcpy(atom->type, types[i].name, sizeof types[i].name);
    snprintf(atom->name, sizeof atom->name, "%s%d", atoms[i].symbol, i + 1);
  }
  for (int i = 0; status == BT_OK && i < n_bonds; i++) {
    bt_mol2_bond *bond = &(*ret_mol2)->bonds[i];
    *bond = (bt_mol2_bond){.a = bonds[i].a, .b = bonds[i].b};
    strcpy(bond->order, order_text(bonds[i].order));
  }
  if (status == BT_OK) {
    (*ret_mol2)->line = where.line;
    bt_rdmol_coordinates(mol, 0, (*ret_mol2)->x);
    (*ret_mol2)->n_conformers = bt_rdmol_is_3d(mol) ? 1 : 0;
  }
  return status;
}
