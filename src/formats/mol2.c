/* mol2.c - a MOL2 record in memory. */
#include "formats/mol2.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool bt_mol2_is_hydrogen(const bt_mol2_atom *atom) {
  return (atom->type[0] == 'H' || atom->type[0] == 'h') &&
         (atom->type[1] == '\0' || strcmp(atom->type, "H.spc") == 0 || strcmp(atom->type, "H.t3p") == 0);
}

bt_status bt_mol2_create(const char *path, const char *name, int n_atoms, int n_bonds, int n_conformers,
                         bt_mol2 **ret_mol2, bt_error *opt_error) {
  bt_mol2 *mol2 = bt_allocate(1, sizeof *mol2);
  if (mol2 == NULL) return bt_fail_memory(opt_error);
  *mol2 = (bt_mol2){.path = bt_copy_text(path, strlen(path)),
                    .name = bt_copy_text(name, strlen(name)),
                    .n_atoms = n_atoms,
                    .n_bonds = n_bonds,
                    .n_conformers = n_conformers,
                    .atoms = bt_allocate((size_t)n_atoms, sizeof *mol2->atoms),
                    .bonds = bt_allocate((size_t)n_bonds, sizeof *mol2->bonds),
                    .x = bt_allocate((size_t)n_atoms * (size_t)n_conformers, sizeof *mol2->x)};
  bool ok = mol2->path != NULL && mol2->name != NULL && mol2->atoms != NULL && mol2->bonds != NULL && mol2->x != NULL;
  bt_status status = ok ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, mol2, ret_mol2, bt_mol2_destroy);
}

void bt_mol2_destroy(bt_mol2 *opt_mol2) {
  if (opt_mol2 == NULL) return;
  free(opt_mol2->path);
  free(opt_mol2->name);
  free(opt_mol2->atoms);
  free(opt_mol2->bonds);
  free(opt_mol2->x);
  free(opt_mol2);
}

/* ------------------------------------------------------------------------------------------------ reading -- */

typedef enum section { NOWHERE, MOLECULE, ATOM, BOND, CONFORMER } section;

typedef struct reading {
  bt_mol2 *mol2;
  bt_where where;
  section at;
  int molecule_lines;
  size_t atom_capacity, bond_capacity, x_capacity; /* of mol2's arrays, x in points */
  int *id;                                         /* [n_atoms] as in the file */
  size_t id_capacity;
  int conformer_atoms; /* read so far, of the current conformer */
  long conformer_line;
} reading;

static bt_status wrong(const reading *r, bt_error *opt_error, const char *message) {
  return bt_fail(opt_error, BT_ERR_INPUT, r->where, "repair or leave out this record", "%s", message);
}

static bt_status grow(reading *r, bt_error *opt_error) {
  bt_mol2 *m = r->mol2;
  size_t n = (size_t)m->n_atoms + 1;
  bool grown = BT_GROW(m->atoms, &r->atom_capacity, n) && BT_GROW(m->x, &r->x_capacity, n);
  return grown && BT_GROW(r->id, &r->id_capacity, n) ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status read_point(const reading *r, bt_span *rest, double x[3], bt_error *opt_error) {
  for (int k = 0; k < 3; k++) {
    bt_span word = bt_span_word(rest);
    if (!bt_parse_double(word, &x[k]) || x[k] < -1e6 || x[k] > 1e6)
      return bt_fail(opt_error, BT_ERR_INPUT, r->where, "repair or leave out this record",
                     "'%.*s' is not a coordinate", word.size < 30 ? (int)word.size : 30,
                     word.size > 0 ? word.text : "");
  }
  return BT_OK;
}

static bt_status read_atom(reading *r, bt_span line, bt_error *opt_error) {
  BT_TRY(grow(r, opt_error));
  bt_mol2 *m = r->mol2;
  bt_mol2_atom *atom = &m->atoms[m->n_atoms];
  *atom = (bt_mol2_atom){.line = r->where.line};
  if (!bt_parse_int(bt_span_word(&line), &r->id[m->n_atoms])) return wrong(r, opt_error, "an atom without a number");
  atom->number = r->id[m->n_atoms];
  r->where.atom = atom->number > 0 ? atom->number : 0;
  if (!bt_span_copy(bt_span_word(&line), atom->name, sizeof atom->name))
    return wrong(r, opt_error, "an atom name of more than 15 characters");
  BT_TRY(read_point(r, &line, m->x[m->n_atoms], opt_error));
  bt_span type = bt_span_word(&line);
  if (type.size == 0) return wrong(r, opt_error, "an atom without a type");
  if (!bt_span_copy(type, atom->type, sizeof atom->type))
    return wrong(r, opt_error, "an atom type of more than 15 characters");
  bt_span number = bt_span_word(&line), residue = bt_span_word(&line), charge = bt_span_word(&line);
  if (!bt_parse_int(number, &atom->residue_number)) atom->residue_number = 1;
  bt_span_copy(residue, atom->residue, sizeof atom->residue);
  if (!bt_parse_double(charge, &atom->charge)) atom->charge = 0;
  m->n_atoms++;
  r->where.atom = 0;
  return BT_OK;
}

/* Most files number their atoms from 1 in order. */
static int find_atom(const reading *r, int id) {
  if (id >= 1 && id <= r->mol2->n_atoms && r->id[id - 1] == id) return id - 1;
  for (int i = 0; i < r->mol2->n_atoms; i++)
    if (r->id[i] == id) return i;
  return -1;
}

static bt_status read_bond(reading *r, bt_span line, bt_error *opt_error) {
  bt_mol2 *m = r->mol2;
  if (!BT_GROW(m->bonds, &r->bond_capacity, m->n_bonds + 1)) return bt_fail_memory(opt_error);
  int number, a, b;
  if (!bt_parse_int(bt_span_word(&line), &number) || !bt_parse_int(bt_span_word(&line), &a) ||
      !bt_parse_int(bt_span_word(&line), &b))
    return wrong(r, opt_error, "a bond without the numbers of its atoms");
  bt_mol2_bond *bond = &m->bonds[m->n_bonds];
  *bond = (bt_mol2_bond){.a = find_atom(r, a), .b = find_atom(r, b)};
  if (bond->a < 0 || bond->b < 0 || bond->a == bond->b)
    return wrong(r, opt_error, "a bond between atoms that do not exist");
  bt_span order = bt_span_word(&line);
  if (order.size == 0 || !bt_span_copy(order, bond->order, sizeof bond->order))
    return wrong(r, opt_error, "a bond without a type");
  m->n_bonds++;
  return BT_OK;
}

static bt_status read_point_of_conformer(reading *r, bt_span line, bt_error *opt_error) {
  bt_mol2 *m = r->mol2;
  size_t n = (size_t)m->n_atoms, at = n * (size_t)m->n_conformers + (size_t)r->conformer_atoms;
  if (r->conformer_atoms == m->n_atoms)
    return wrong(r, opt_error, "a conformer with more lines than the molecule has atoms");
  if (!BT_GROW(m->x, &r->x_capacity, at + 1)) return bt_fail_memory(opt_error);
  BT_TRY(read_point(r, &line, m->x[at], opt_error));
  r->conformer_atoms++;
  return BT_OK;
}

static bt_status end_conformer(reading *r, bt_error *opt_error) {
  if (r->at != CONFORMER) return BT_OK;
  if (r->conformer_atoms != r->mol2->n_atoms) {
    r->where.line = r->conformer_line;
    return bt_fail(opt_error, BT_ERR_INPUT, r->where, "provide one line of coordinates per atom, including hydrogens",
                   "a conformer of %d lines for %d atoms", r->conformer_atoms, r->mol2->n_atoms);
  }
  r->mol2->n_conformers++;
  return BT_OK;
}

static bt_status begin_section(reading *r, bt_span line, bt_error *opt_error) {
  BT_TRY(end_conformer(r, opt_error));
  r->at = NOWHERE;
  if (bt_span_starts(line, "@<TRIPOS>MOLECULE"))
    r->at = MOLECULE;
  else if (bt_span_starts(line, "@<TRIPOS>ATOM")) {
    if (r->mol2->n_atoms > 0) return wrong(r, opt_error, "a second block of atoms");
    r->at = ATOM;
  } else if (bt_span_starts(line, "@<TRIPOS>BOND"))
    r->at = BOND;
  else if (bt_span_starts(line, "@<BUDE>CONF")) {
    if (r->mol2->n_atoms == 0) return wrong(r, opt_error, "a conformer before the atoms");
    r->at = CONFORMER;
    r->conformer_atoms = 0;
    r->conformer_line = r->where.line;
  }
  return BT_OK;
}

static bt_status read_line(reading *r, bt_span line, bt_error *opt_error) {
  if (line.text[0] == '@') return begin_section(r, line, opt_error);
  switch (r->at) {
    case MOLECULE:
      if (r->molecule_lines++ > 0) return BT_OK;
      free(r->mol2->name);
      r->mol2->name = bt_copy_text(line.text, line.size);
      return r->mol2->name != NULL ? BT_OK : bt_fail_memory(opt_error);
    case ATOM: return read_atom(r, line, opt_error);
    case BOND: return read_bond(r, line, opt_error);
    case CONFORMER: return read_point_of_conformer(r, line, opt_error);
    default: return BT_OK;
  }
}

static bt_status parse(reading *r, const char *data, size_t size, bt_error *opt_error) {
  bt_lines lines = bt_lines_of(data, size);
  bt_span line;
  long first_line = r->where.line;
  while (bt_lines_next(&lines, &line)) {
    r->where.line = first_line + lines.number - 1;
    line = bt_span_trim(line);
    if (line.size > 0 && line.text[0] != '#' && line.text[0] != '%') BT_TRY(read_line(r, line, opt_error));
  }
  BT_TRY(end_conformer(r, opt_error));
  r->where.line = first_line;
  if (r->mol2->n_atoms == 0) return wrong(r, opt_error, "a record without atoms");
  return BT_OK;
}

bt_status bt_mol2_parse(const char *path, long first_line, const char *data, size_t size, bt_mol2 **ret_mol2,
                        bt_error *opt_error) {
  reading r = {.where = {.file = path, .line = first_line}};
  BT_TRY(bt_mol2_create(path, "", 0, 0, 1, &r.mol2, opt_error));
  r.mol2->line = first_line;
  bt_status status = parse(&r, data, size, opt_error);
  free(r.id);
  return BT_HAND_OVER(status, r.mol2, ret_mol2, bt_mol2_destroy);
}

/* ---------------------------------------------------------------------------------------------- fragments -- */

bt_status bt_mol2_reduce(bt_mol2 *mol2, const bool *keep, bt_error *opt_error) {
  const int old = mol2->n_atoms;
  int kept = 0, bonds = 0;
  BT_SCOPED int *place = bt_allocate((size_t)old, sizeof *place);
  if (place == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < old; i++) {
    place[i] = kept;
    if (keep[i]) mol2->atoms[kept++] = mol2->atoms[i];
  }
  for (int i = 0; i < mol2->n_bonds; i++) {
    bt_mol2_bond bond = mol2->bonds[i];
    if (!keep[bond.a] || !keep[bond.b]) continue;
    bond.a = place[bond.a];
    bond.b = place[bond.b];
    mol2->bonds[bonds++] = bond;
  }
  size_t to = 0;
  for (int c = 0; c < mol2->n_conformers; c++)
    for (int i = 0; i < old; i++)
      if (keep[i]) memmove(mol2->x[to++], mol2->x[(size_t)c * (size_t)old + (size_t)i], sizeof *mol2->x);
  mol2->n_atoms = kept;
  mol2->n_bonds = bonds;
  return BT_OK;
}

static int root_of(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

bt_status bt_mol2_largest(const bt_mol2 *mol2, bool *ret_keep, int *ret_fragments, bt_error *opt_error) {
  size_t n = (size_t)mol2->n_atoms;
  BT_SCOPED int *parent = bt_allocate(n, sizeof *parent), *heavy = bt_allocate(n, sizeof *heavy);
  if (parent == NULL || heavy == NULL) return bt_fail_memory(opt_error);
  int best = -1, fragments = 0;
  for (int i = 0; i < mol2->n_atoms; i++) parent[i] = i;
  for (int i = 0; i < mol2->n_bonds; i++) {
    int a = root_of(parent, mol2->bonds[i].a), b = root_of(parent, mol2->bonds[i].b);
    parent[a > b ? a : b] = a > b ? b : a;
  }
  for (int i = 0; i < mol2->n_atoms; i++) {
    fragments += parent[i] == i;
    heavy[root_of(parent, i)] += !bt_mol2_is_hydrogen(&mol2->atoms[i]);
  }
  if (mol2->n_bonds == 0) fragments = 1;
  for (int i = 0; i < mol2->n_atoms; i++)
    if (parent[i] == i && (best < 0 || heavy[i] > heavy[best])) best = i;
  for (int i = 0; i < mol2->n_atoms; i++) ret_keep[i] = fragments == 1 || root_of(parent, i) == best;
  *ret_fragments = fragments;
  return BT_OK;
}

/* ------------------------------------------------------------------------------------------------ writing -- */

void bt_mol2_write(const bt_mol2 *mol2, const double (*x)[3], const char *opt_comment, bt_text *text) {
  if (opt_comment != NULL) bt_text_add_string(text, opt_comment);
  bt_text_printf(text, "@<TRIPOS>MOLECULE\n%s\n%d %d 1 0 0\nSMALL\nUSER_CHARGES\n\n@<TRIPOS>ATOM\n",
                 *mol2->name != '\0' ? mol2->name : "molecule", mol2->n_atoms, mol2->n_bonds);
  for (int i = 0; i < mol2->n_atoms; i++) {
    const bt_mol2_atom *atom = &mol2->atoms[i];
    bt_text_printf(text, "%7d %-8s %10.4f%10.4f%10.4f %-6s %3d %-8s %8.4f\n", i + 1,
                   *atom->name != '\0' ? atom->name : "X", x[i][0], x[i][1], x[i][2], atom->type,
                   atom->residue_number > 0 ? atom->residue_number : 1, *atom->residue != '\0' ? atom->residue : "LIG1",
                   atom->charge);
  }
  bt_text_add_string(text, "@<TRIPOS>BOND\n");
  for (int i = 0; i < mol2->n_bonds; i++)
    bt_text_printf(text, "%6d %5d %5d %s\n", i + 1, mol2->bonds[i].a + 1, mol2->bonds[i].b + 1, mol2->bonds[i].order);
}
