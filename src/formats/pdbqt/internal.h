/* internal.h - shared by the files of the PDBQT reader. */
#ifndef BERTH_FORMATS_PDBQT_INTERNAL_H
#define BERTH_FORMATS_PDBQT_INTERNAL_H

#include "base/memory.h"
#include "base/text/text.h"
#include "formats/pdbqt/pdbqt.h"

/* Serials of an open BRANCH as written. */
typedef struct bt_branch_serials {
  int from, to;
} bt_branch_serials;

/* Reads one molecule, that is the lines between two MODEL records. */
typedef struct bt_pdbqt_parser {
  bt_molecule *molecule; /* being filled */
  const char *label;     /* the file in messages */
  long line;             /* 1-based, of the line being read */
  size_t atom_room, fragment_room, residue_room, serial_room;
  bt_branch_serials *serials; /* [n_fragments] of BRANCH records */
  bt_text text;               /* of the lines so far, each followed by a line end */
  bt_text behind; /* the same of those behind the ligand */
  int open;     /* fragment that receives atoms; -1: none */
  bool in_root; /* between ROOT and ENDROOT */
  int root;     /* fragment of the current tree's ROOT; -1: none yet */
  bool in_residue;
  bool finished;                  /* the rest is not part of this ligand */
  int scope_fragment, scope_atom; /* where the current tree begins */
  bt_error *opt_error;
} bt_pdbqt_parser;

/* atom.c: one ATOM or HETATM line; fills everything but fragment and line. */
bt_status bt_pdbqt_parse_atom(const bt_pdbqt_parser *parser, bt_span line, bt_atom *ret_atom) BT_MUST_USE;

/* tree.c: the records of the torsion tree. */
bt_status bt_pdbqt_open_root(bt_pdbqt_parser *parser) BT_MUST_USE;
bt_status bt_pdbqt_close_root(bt_pdbqt_parser *parser) BT_MUST_USE;
bt_status bt_pdbqt_open_branch(bt_pdbqt_parser *parser, bt_span arguments) BT_MUST_USE;
bt_status bt_pdbqt_close_branch(bt_pdbqt_parser *parser, bt_span arguments) BT_MUST_USE;
bt_status bt_pdbqt_open_residue(bt_pdbqt_parser *parser, bt_span arguments) BT_MUST_USE;
bt_status bt_pdbqt_close_residue(bt_pdbqt_parser *parser, bt_span arguments) BT_MUST_USE;
bt_status bt_pdbqt_add_atom(bt_pdbqt_parser *parser, bt_span line) BT_MUST_USE;
/* Everything that can be checked only when a tree is complete: closed records, serials, axes. */
bt_status bt_pdbqt_finish_tree(bt_pdbqt_parser *parser) BT_MUST_USE;

static inline bt_where bt_pdbqt_here(const bt_pdbqt_parser *parser) {
  return (bt_where){.file = parser->label, .line = parser->line};
}
/* Returns an error at the current line. */
#define FAIL(parser, remedy, ...) \
  return bt_fail((parser)->opt_error, BT_ERR_INPUT, bt_pdbqt_here(parser), remedy, __VA_ARGS__)

#endif
