/* tree.c - ROOT, BRANCH and BEGIN_RES records become fragments; a finished tree is checked. */
#include <stdlib.h>

#include "formats/pdbqt/internal.h"
#include "base/memory.h"

#define TREE_REMEDY "prepare the file again, for example with Meeko's mk_prepare_ligand.py"
#define TRUNCATED_REMEDY "the file seems to be truncated: copy or prepare it again"

static bt_status add_fragment(bt_pdbqt_parser *parser, bt_fragment fragment, bt_branch_serials serials) {
  bt_molecule *molecule = parser->molecule;
  size_t count = (size_t)molecule->n_fragments;
  if (!BT_GROW(molecule->fragments, &parser->fragment_room, count + 1)) return bt_fail_memory(parser->opt_error);
  if (!BT_GROW(parser->serials, &parser->serial_room, count + 1)) return bt_fail_memory(parser->opt_error);
  fragment.axis_from = fragment.axis_to = -1;
  fragment.residue = parser->in_residue ? molecule->n_residues - 1 : 0;
  fragment.first_atom = fragment.end_atom = molecule->n_atoms;
  fragment.line = molecule->n_lines - 1;
  molecule->fragments[count] = fragment;
  parser->serials[count] = serials;
  parser->open = molecule->n_fragments++;
  return BT_OK;
}

bt_status bt_pdbqt_open_root(bt_pdbqt_parser *parser) {
  if (parser->molecule->kind == BT_MOLECULE_RECEPTOR)
    FAIL(parser, "use the protein as receptor and this file as ligand", "ROOT: this is a ligand, not a receptor");
  if (parser->molecule->kind == BT_MOLECULE_FLEXIBLE && !parser->in_residue)
    FAIL(parser, "put BEGIN_RES and END_RES around each residue", "ROOT outside of a residue");
  if (parser->root >= 0) FAIL(parser, "put each molecule into a file or MODEL of its own", "second ROOT");
  BT_TRY(add_fragment(parser, (bt_fragment){.parent = -1}, (bt_branch_serials){0, 0}));
  parser->root = parser->open;
  parser->in_root = true;
  return BT_OK;
}

bt_status bt_pdbqt_close_root(bt_pdbqt_parser *parser) {
  if (!parser->in_root) FAIL(parser, TREE_REMEDY, "ENDROOT without an open ROOT");
  if (parser->molecule->n_atoms == parser->scope_atom) FAIL(parser, TREE_REMEDY, "ROOT has no atoms");
  parser->in_root = false;
  parser->open = parser->root;
  return BT_OK;
}

static bt_status parse_serials(const bt_pdbqt_parser *parser, bt_span arguments, const char *record,
                               bt_branch_serials *ret_serials) {
  bt_span from = bt_span_word(&arguments), to = bt_span_word(&arguments);
  if (bt_parse_int(from, &ret_serials->from) && bt_parse_int(to, &ret_serials->to)) return BT_OK;
  FAIL(parser, TREE_REMEDY, "%s needs the serial numbers of two atoms", record);
}

bt_status bt_pdbqt_open_branch(bt_pdbqt_parser *parser, bt_span arguments) {
  bt_branch_serials serials;
  if (parser->molecule->kind == BT_MOLECULE_RECEPTOR)
    FAIL(parser, "use the protein as receptor and this file as ligand", "BRANCH: this is a ligand, not a receptor");
  BT_TRY(parse_serials(parser, arguments, "BRANCH", &serials));
  if (parser->root < 0) FAIL(parser, TREE_REMEDY, "BRANCH before ROOT");
  if (parser->in_root) FAIL(parser, TREE_REMEDY, "BRANCH before ENDROOT");
  return add_fragment(parser, (bt_fragment){.parent = parser->open}, serials);
}

bt_status bt_pdbqt_close_branch(bt_pdbqt_parser *parser, bt_span arguments) {
  bt_branch_serials serials;
  BT_TRY(parse_serials(parser, arguments, "ENDBRANCH", &serials));
  bt_molecule *molecule = parser->molecule;
  if (parser->open < 0 || molecule->fragments[parser->open].parent < 0)
    FAIL(parser, TREE_REMEDY, "ENDBRANCH %d %d without an open BRANCH", serials.from, serials.to);
  bt_fragment *fragment = &molecule->fragments[parser->open];
  bt_branch_serials opened = parser->serials[parser->open];
  if (opened.from != serials.from || opened.to != serials.to)
    FAIL(parser, TREE_REMEDY, "ENDBRANCH %d %d closes BRANCH %d %d of line %d", serials.from, serials.to, opened.from,
         opened.to, molecule->first_line + fragment->line);
  fragment->end_atom = molecule->n_atoms;
  parser->open = fragment->parent;
  return BT_OK;
}

/* The name, chain and number of "LYS A 42", "LYS 42" or "LYS A1042"; an insertion code may follow the number. */
static bool parse_residue(bt_span arguments, bt_residue *residue) {
  bt_span name = bt_span_word(&arguments), chain = bt_span_word(&arguments), number = bt_span_word(&arguments);
  if (name.size == 0 || !bt_span_copy(name, residue->name, sizeof residue->name) || chain.size == 0) return false;
  residue->chain = ' ';
  if (number.size == 0) {
    number = chain;
    chain.size = 0;
    char c = number.text[0];
    if (number.size > 1 && c != '-' && !(c >= '0' && c <= '9')) {
      chain = bt_span_columns(number, 0, 1);
      number = bt_span_columns(number, 1, number.size);
    }
  }
  if (chain.size > 0) residue->chain = chain.text[0];
  if (bt_parse_int(number, &residue->number)) return true;
  return number.size > 1 && bt_parse_int(bt_span_columns(number, 0, number.size - 1), &residue->number);
}

bt_status bt_pdbqt_open_residue(bt_pdbqt_parser *parser, bt_span arguments) {
  bt_molecule *molecule = parser->molecule;
  if (molecule->kind == BT_MOLECULE_RECEPTOR)
    FAIL(parser, "use the rigid part as receptor and this file as flexible residues",
         "BEGIN_RES: these are flexible residues, not a receptor");
  if (molecule->kind == BT_MOLECULE_LIGAND) {
    if (parser->root < 0)
      FAIL(parser, "use this file as flexible residues", "BEGIN_RES: these are flexible residues, not a ligand");
    parser->finished = true; /* a docked pose followed by its residues */
    return BT_OK;
  }
  if (parser->in_residue) FAIL(parser, TREE_REMEDY, "BEGIN_RES before the END_RES of the residue above");
  bt_residue residue = {.root = -1};
  if (!parse_residue(arguments, &residue))
    FAIL(parser, "write it as BEGIN_RES LYS A  42", "BEGIN_RES needs residue name, chain and number");
  residue.first_atom = residue.end_atom = molecule->n_atoms;
  if (!BT_APPEND(molecule->residues, molecule->n_residues, &parser->residue_room, residue))
    return bt_fail_memory(parser->opt_error);
  parser->in_residue = true;
  parser->root = parser->open = -1;
  parser->scope_fragment = molecule->n_fragments;
  parser->scope_atom = molecule->n_atoms;
  return BT_OK;
}

bt_status bt_pdbqt_close_residue(bt_pdbqt_parser *parser, bt_span arguments) {
  if (!parser->in_residue) FAIL(parser, TREE_REMEDY, "END_RES without BEGIN_RES");
  bt_residue *residue = &parser->molecule->residues[parser->molecule->n_residues - 1], closed = {.root = -1};
  if (parse_residue(arguments, &closed) && closed.number != residue->number)
    FAIL(parser, TREE_REMEDY, "END_RES %s %d closes BEGIN_RES %s %d", closed.name, closed.number, residue->name,
         residue->number);
  BT_TRY(bt_pdbqt_finish_tree(parser));
  residue->root = parser->root;
  residue->end_atom = parser->molecule->n_atoms;
  parser->in_residue = false;
  parser->root = parser->open = -1;
  return BT_OK;
}

bt_status bt_pdbqt_add_atom(bt_pdbqt_parser *parser, bt_span line) {
  bt_molecule *molecule = parser->molecule;
  bt_atom atom;
  BT_TRY(bt_pdbqt_parse_atom(parser, line, &atom));
  bt_where where = bt_pdbqt_here(parser);
  where.atom = atom.serial;
  if (molecule->kind == BT_MOLECULE_FLEXIBLE && !parser->in_residue)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "put BEGIN_RES and END_RES around each residue",
                   "atom outside of a residue");
  if (molecule->kind != BT_MOLECULE_RECEPTOR) {
    if (parser->root < 0)
      return bt_fail(parser->opt_error, BT_ERR_INPUT, where,
                     "a ligand begins with ROOT; prepare it with Meeko's mk_prepare_ligand.py", "atom before ROOT");
    if (!parser->in_root && molecule->fragments[parser->open].parent < 0)
      return bt_fail(parser->opt_error, BT_ERR_INPUT, where, TREE_REMEDY, "atom after ENDROOT outside of any BRANCH");
    atom.fragment = parser->open;
  }
  atom.line = molecule->n_lines - 1;
  bool added = BT_APPEND(molecule->atoms, molecule->n_atoms, &parser->atom_room, atom);
  return added ? BT_OK : bt_fail_memory(parser->opt_error);
}

/* ------------------------------------------------------------------------------------- the finished tree -- */

typedef struct serial_index {
  int serial, atom;
} serial_index;

static int compare_serials(const void *a, const void *b) {
  const serial_index *first = a, *second = b;
  if (first->serial != second->serial) return first->serial < second->serial ? -1 : 1;
  return first->atom < second->atom ? -1 : first->atom > second->atom;
}

static int compare_with_serial(const void *key, const void *element) {
  int wanted = *(const int *)key, serial = ((const serial_index *)element)->serial;
  return (wanted > serial) - (wanted < serial);
}

static int find_serial(const serial_index *index, int count, int serial) {
  const serial_index *found = bsearch(&serial, index, (size_t)count, sizeof *index, compare_with_serial);
  return found != NULL ? found->atom : -1;
}

/* Where a fragment was opened, for messages. */
static bt_where opening(const bt_pdbqt_parser *parser, int fragment) {
  const bt_molecule *molecule = parser->molecule;
  return (bt_where){.file = parser->label, .line = molecule->first_line + molecule->fragments[fragment].line};
}

static bt_status resolve_branch(const bt_pdbqt_parser *parser, int f, const serial_index *index, int count) {
  bt_molecule *molecule = parser->molecule;
  bt_fragment *fragment = &molecule->fragments[f];
  bt_branch_serials serials = parser->serials[f];
  bt_where where = opening(parser, f);
  int from = find_serial(index, count, serials.from), to = find_serial(index, count, serials.to);
  if (from < 0 || to < 0)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, TREE_REMEDY, "BRANCH %d %d: no atom %d",
                   serials.from, serials.to, from < 0 ? serials.from : serials.to);
  if (molecule->atoms[from].fragment != fragment->parent)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, TREE_REMEDY,
                   "BRANCH %d %d: atom %d is not in the fragment that the branch leaves", serials.from, serials.to,
                   serials.from);
  if (molecule->atoms[to].fragment != f)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, TREE_REMEDY,
                   "BRANCH %d %d: atom %d is not in the fragment that the branch opens", serials.from, serials.to,
                   serials.to);
  fragment->axis_from = from;
  fragment->axis_to = to;
  if (!bt_fragment_has_axis(molecule, f))
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "correct the coordinates of the atoms",
                   "BRANCH %d %d: the two atoms coincide", serials.from, serials.to);
  return BT_OK;
}

static bt_status resolve_tree(const bt_pdbqt_parser *parser, serial_index *index, int count) {
  const bt_molecule *molecule = parser->molecule;
  for (int i = 0; i < count; i++)
    index[i] = (serial_index){molecule->atoms[parser->scope_atom + i].serial, parser->scope_atom + i};
  qsort(index, (size_t)count, sizeof *index, compare_serials);
  for (int i = 1; i < count; i++) {
    if (index[i].serial != index[i - 1].serial) continue;
    bt_where where = {parser->label, molecule->first_line + molecule->atoms[index[i].atom].line, index[i].serial};
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, TREE_REMEDY,
                   "the serial number occurs twice, first in line %d",
                   molecule->first_line + molecule->atoms[index[i - 1].atom].line);
  }
  for (int f = parser->scope_fragment; f < molecule->n_fragments; f++)
    if (molecule->fragments[f].parent >= 0) BT_TRY(resolve_branch(parser, f, index, count));
  return BT_OK;
}

bt_status bt_pdbqt_finish_tree(bt_pdbqt_parser *parser) {
  bt_molecule *molecule = parser->molecule;
  if (parser->root < 0) FAIL(parser, TREE_REMEDY, "no ROOT");
  if (parser->in_root)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, opening(parser, parser->root), TRUNCATED_REMEDY,
                   "ROOT is not closed by ENDROOT");
  if (molecule->fragments[parser->open].parent >= 0) {
    bt_branch_serials serials = parser->serials[parser->open];
    return bt_fail(parser->opt_error, BT_ERR_INPUT, opening(parser, parser->open), TRUNCATED_REMEDY,
                   "BRANCH %d %d is not closed by ENDBRANCH", serials.from, serials.to);
  }
  molecule->fragments[parser->root].end_atom = molecule->n_atoms;
  int count = molecule->n_atoms - parser->scope_atom;
  BT_SCOPED serial_index *index = bt_allocate((size_t)count, sizeof *index);
  if (index == NULL) return bt_fail_memory(parser->opt_error);
  return resolve_tree(parser, index, count);
}
