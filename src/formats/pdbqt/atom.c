/* atom.c - one ATOM or HETATM line of a PDBQT file. */
#include <math.h>

#include "formats/pdbqt/internal.h"

#define COLUMNS_REMEDY "atoms need fixed columns: serial 7-11, x 31-38, y 39-46, z 47-54, charge 71-76, type from 78"

static const double LARGEST_COORDINATE = 99999.0; /* Angstrom; the format's columns end at 9999.999 */
static const double LARGEST_CHARGE = 999.0;

static bt_status fail_atom(const bt_pdbqt_parser *parser, int serial, const char *what, bt_span text) {
  bt_where where = bt_pdbqt_here(parser);
  where.atom = serial;
  text = bt_span_trim(text);
  return bt_fail(parser->opt_error, BT_ERR_INPUT, where, COLUMNS_REMEDY, "%s: '%.*s'", what, BT_SHOWN(text));
}

/* Receptors may have more atoms than the column has digits; their serials only appear in messages. */
static bt_status parse_serial(const bt_pdbqt_parser *parser, bt_span line, int *ret_serial) {
  size_t end = line.size > 11 && line.text[11] >= '0' && line.text[11] <= '9' ? 12 : 11;
  bt_span field = bt_span_columns(line, 6, end);
  if (bt_parse_int(field, ret_serial) && *ret_serial >= 0) return BT_OK;
  if (parser->molecule->kind != BT_MOLECULE_RECEPTOR)
    return fail_atom(parser, 0, "the serial number is not a number", field);
  *ret_serial = parser->molecule->n_atoms + 1;
  return BT_OK;
}

static bt_status parse_position(const bt_pdbqt_parser *parser, bt_span line, bt_atom *atom) {
  static const char *const what[3] = {"x is not a number", "y is not a number", "z is not a number"};
  for (int k = 0; k < 3; k++) {
    bt_span field = bt_span_columns(line, 30 + 8 * (size_t)k, 38 + 8 * (size_t)k);
    if (!bt_parse_double(field, &atom->x[k])) return fail_atom(parser, atom->serial, what[k], field);
    if (fabs(atom->x[k]) > LARGEST_COORDINATE)
      return fail_atom(parser, atom->serial, "the coordinate is too large", field);
  }
  return BT_OK;
}

bt_status bt_pdbqt_parse_atom(const bt_pdbqt_parser *parser, bt_span line, bt_atom *ret_atom) {
  bt_atom atom = {.fragment = -1, .chain = ' ', .icode = ' '};
  BT_TRY(parse_serial(parser, line, &atom.serial));
  bt_span type = bt_span_columns(line, 77, line.size);
  type = bt_span_word(&type);
  if (type.size == 0) return fail_atom(parser, atom.serial, "the atom line is too short, it has no type", line);
  BT_TRY(parse_position(parser, line, &atom));
  bt_span charge = bt_span_trim(bt_span_columns(line, 68, 77));
  if (charge.size > 0 && !bt_parse_double(charge, &atom.charge))
    return fail_atom(parser, atom.serial, "the charge is not a number", charge);
  if (fabs(atom.charge) > LARGEST_CHARGE) return fail_atom(parser, atom.serial, "the charge is too large", charge);
  if (!bt_span_copy(type, atom.type, sizeof atom.type))
    return fail_atom(parser, atom.serial, "the atom type is longer than 7 characters", type);
  bt_span_copy(bt_span_trim(bt_span_columns(line, 12, 16)), atom.name, sizeof atom.name);
  bt_span_copy(bt_span_trim(bt_span_columns(line, 17, 20)), atom.resname, sizeof atom.resname);
  atom.chain = line.text[21];
  atom.icode = line.text[26];
  if (!bt_parse_int(bt_span_columns(line, 22, 26), &atom.resnum)) atom.resnum = 0; /* only printed */
  *ret_atom = atom;
  return BT_OK;
}
