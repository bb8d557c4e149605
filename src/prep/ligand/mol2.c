/* mol2.c - what RDKit does not check in a MOL2 record: a bond to a missing atom makes it read other
 * memory. */
#include "base/text.h"
#include "prep/ligand/preparer.h"

static bool is_section(bt_span line, const char *name) { return bt_span_equals(bt_span_word(&line), name); }

bt_status bt_mol2_check(const char *text, size_t size, bt_where where, bt_error *opt_error) {
  bt_lines lines = bt_lines_of(text, size);
  bt_span line;
  int n_atoms = 0, header = -1; /* lines since @<TRIPOS>MOLECULE that are not comments */
  bool bonds = false, continued = false;
  while (bt_lines_next(&lines, &line)) {
    bt_where here = where;
    here.line = where.line + lines.number - 1;
    bool rest = continued; /* of the line before, which ended with a backslash */
    continued = line.size > 0 && line.text[line.size - 1] == '\\';
    if (rest || (line.size > 0 && line.text[0] == '#')) continue;
    if (bt_span_starts(line, "@<TRIPOS>")) {
      header = is_section(line, "@<TRIPOS>MOLECULE") ? 0 : -1;
      bonds = is_section(line, "@<TRIPOS>BOND");
      continue;
    }
    bool counts = header >= 0 && ++header == 2;
    if (counts) BT_TRY(bt_mol2_check_counts(line, text, size, here, opt_error));
    if (counts && (!bt_parse_int(bt_span_word(&line), &n_atoms) || n_atoms < 1))
      return bt_fail(opt_error, BT_ERR_INPUT, here, "write the numbers of atoms and bonds on the line after the name's",
                     "the number of atoms is not a number");
    if (counts) BT_TRY(bt_record_check_atoms(n_atoms, here, opt_error));
    bt_span first, second, number = bt_span_word(&line);
    int a, b;
    if (!bonds || number.size == 0) continue;
    first = bt_span_word(&line);
    second = bt_span_word(&line);
    if (!bt_parse_int(first, &a) || !bt_parse_int(second, &b) || a < 1 || b < 1 || a > n_atoms || b > n_atoms)
      return bt_fail(opt_error, BT_ERR_INPUT, here, "repair or leave out this record",
                     "a bond to an atom that is not among the %d of this molecule", n_atoms);
  }
  return BT_OK;
}
