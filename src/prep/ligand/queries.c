/* queries.c - atoms and bonds of an SDF record that match several kinds: those of queries, scaffolds and R groups.
 *
 * They are named before RDKit reads the record, whose words for them differ by version.
 */
#include <ctype.h>

#include "base/text/text.h"
#include "prep/ligand/preparer.h"

static const char remedy[] = "provide a molecule of definite atoms and bonds, or leave out this record";

static const struct {
  const char *symbol, *what;
} queries[] = {{"A", "any atom but hydrogen"},
               {"AH", "any atom"},
               {"Q", "any atom but carbon and hydrogen"},
               {"QH", "any atom but carbon"},
               {"X", "any halogen"},
               {"XH", "any halogen or hydrogen"},
               {"M", "any metal"},
               {"MH", "any metal or hydrogen"},
               {"*", "any atom"},
               {"L", "a list of elements"},
               {"Pol", "a polymer bead"},
               {"Mod", "a modified residue"}};

static bt_status refuse_r_group(bt_where where, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, where, "replace it by what it stands for, or leave out this record",
                 "an R group; the record is a scaffold, not a molecule");
}

static bt_status check_symbol(bt_span symbol, bt_where where, bt_error *opt_error) {
  if (symbol.size > 0 && (symbol.text[0] == 'R' || symbol.text[0] == 'r')) {
    int number;
    bool label =
        symbol.size == 1 || symbol.text[1] == '#' || bt_parse_int((bt_span){symbol.text + 1, symbol.size - 1}, &number);
    if (label) return refuse_r_group(where, opt_error);
  }
  if (symbol.size > 0 && (symbol.text[0] == '[' || bt_span_starts(symbol, "NOT[") || bt_span_equals(symbol, "NOT")))
    return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "a query atom (%.*s: a list of elements)",
                   symbol.size < 40 ? (int)symbol.size : 40, symbol.text);
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
    if (bt_span_equals(symbol, queries[i].symbol))
      return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "a query atom (%s: %s)", queries[i].symbol,
                     queries[i].what);
  return BT_OK;
}

static bt_status check_bond(bt_span type, bt_span a, bt_span b, bt_where where, bt_error *opt_error) {
  static const char *const kinds[] = {"single or double", "single or aromatic", "double or aromatic", "any"};
  int is;
  if (!bt_parse_int(type, &is) || is < 5) return BT_OK; /* RDKit reports what is not a number */
  if (is <= 8)
    return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "a query bond (%s) between atoms %.*s and %.*s",
                   kinds[is - 5], (int)a.size, a.text, (int)b.size, b.text);
  return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "%s bond between atoms %.*s and %.*s",
                 is == 9    ? "a coordination"
                 : is == 10 ? "a hydrogen"
                            : "an unknown kind of",
                 (int)a.size, a.text, (int)b.size, b.text);
}

static bt_status refuse_attachment(bt_where where, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, where, "draw the group or the hydrogen there, or leave out this record",
                 "a point of attachment; the record is a fragment, not a molecule");
}

/* kind: of an Sgroup, as in "M  STY". Other kinds describe what is drawn anyway. */
static bt_status check_group(bt_span kind, bt_where where, bt_error *opt_error) {
  static const char *const polymers[] = {"SRU", "MON", "MER", "COP", "CRO", "MOD", "GRA", "ANY"};
  where.atom = 0;
  for (size_t i = 0; i < sizeof polymers / sizeof *polymers; i++)
    if (bt_span_equals(kind, polymers[i]))
      return bt_fail(opt_error, BT_ERR_INPUT, where, "draw the oligomer that is meant, or leave out this record",
                     "a polymer (a group of type %s)", polymers[i]);
  return BT_OK;
}

/* "M  CHG  2   1   1   4  -1": as many pairs as it says, of atoms that are there. */
static bt_status check_pairs(bt_span line, int n_atoms, bt_where where, bt_error *opt_error) {
  static const char *const of_atoms[] = {"M  CHG", "M  RAD", "M  ISO", "M  RGP",
                                         "M  APO", "M  SUB", "M  UNS", "M  RBC"};
  bool known = false;
  int count, atom;
  for (size_t i = 0; i < sizeof of_atoms / sizeof *of_atoms; i++) known = known || bt_span_starts(line, of_atoms[i]);
  if (!known) return BT_OK;
  where.atom = 0;
  if (!bt_parse_int(bt_span_trim(bt_span_columns(line, 6, 9)), &count))
    return bt_fail(opt_error, BT_ERR_INPUT, where, "repair the line", "'%.6s' without the number of its atoms",
                   line.text);
  for (size_t i = 0; i < (size_t)(count > 0 ? count : 0); i++) {
    bt_span place = bt_span_trim(bt_span_columns(line, 9 + 8 * i, 13 + 8 * i));
    bt_span value = bt_span_trim(bt_span_columns(line, 13 + 8 * i, 17 + 8 * i));
    if (place.size == 0 || value.size == 0)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "repair the line", "'%.6s' says %d atoms and has %zu", line.text,
                     count, i);
    if (bt_parse_int(place, &atom) && (atom < 1 || atom > n_atoms))
      return bt_fail(opt_error, BT_ERR_INPUT, where, "repair the line", "'%.6s' names atom %d of %d", line.text, atom,
                     n_atoms);
  }
  return BT_OK;
}

/* "M  ALS   8  2 F N   O", "M  RGP  1   8   1", "M  APO  1   8   1" and "M  STY  2   1 SUP   2 SRU" */
static bt_status check_property(bt_span line, int n_atoms, bt_where where, bt_error *opt_error) {
  bool list = bt_span_starts(line, "M  ALS"), group = bt_span_starts(line, "M  RGP"),
       attachment = bt_span_starts(line, "M  APO");
  BT_TRY(check_pairs(line, n_atoms, where, opt_error));
  if (bt_span_starts(line, "M  STY"))
    for (size_t at = 14; at < line.size; at += 8)
      BT_TRY(check_group(bt_span_trim(bt_span_columns(line, at, at + 3)), where, opt_error));
  bt_span place = bt_span_trim(list ? bt_span_columns(line, 7, 10) : bt_span_columns(line, 10, 13));
  int atom;
  if ((!list && !group && !attachment) || !bt_parse_int(place, &atom)) return BT_OK;
  where.atom = atom;
  if (group) return refuse_r_group(where, opt_error);
  if (attachment) return refuse_attachment(where, opt_error);
  return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "a query atom (a list of elements)");
}

/* "M  V30 8 R# x y z 0" and "M  V30 1 8 6 7"; section: 'A' of atoms, 'B' of bonds, 'S' of Sgroups. */
static bt_status check_v3000(bt_span line, char *section, bt_where where, bt_error *opt_error) {
  bt_span_word(&line); /* M */
  bt_span_word(&line); /* V30 */
  bt_span first = bt_span_word(&line), second = bt_span_word(&line);
  if (bt_span_equals(first, "BEGIN"))
    *section = bt_span_equals(second, "ATOM")   ? 'A'
             : bt_span_equals(second, "BOND")   ? 'B'
             : bt_span_equals(second, "SGROUP") ? 'S'
                                                : ' ';
  if (bt_span_equals(first, "BEGIN") || bt_span_equals(first, "END")) return BT_OK;
  if (*section == 'A') {
    int atom;
    if (bt_parse_int(first, &atom)) where.atom = atom;
    BT_TRY(check_symbol(second, where, opt_error));
    for (bt_span word = bt_span_word(&line); word.size > 0; word = bt_span_word(&line))
      if (bt_span_starts(word, "ATTCHPT=") && !bt_span_equals(word, "ATTCHPT=0"))
        return refuse_attachment(where, opt_error);
    return BT_OK;
  }
  if (*section == 'S' && first.size > 0 && isdigit((unsigned char)*first.text))
    return check_group(second, where, opt_error);
  if (*section != 'B') return BT_OK;
  bt_span a = bt_span_word(&line), b = bt_span_word(&line);
  return check_bond(second, a, b, where, opt_error);
}

bt_status bt_sdf_check_queries(const char *text, size_t size, bt_where where, bt_error *opt_error) {
  bt_lines lines = bt_lines_of(text, size);
  bt_span line;
  const long first = where.line;
  int n_atoms = 0, n_bonds = 0;
  char section = ' ';
  while (bt_lines_next(&lines, &line)) {
    where.line = first + lines.number - 1;
    where.atom = 0;
    long row = lines.number - 4; /* atoms from 1 */
    if (row < 0) continue;
    if (row == 0) {
      if (!bt_parse_int(bt_span_trim(bt_span_columns(line, 0, 3)), &n_atoms) ||
          !bt_parse_int(bt_span_trim(bt_span_columns(line, 3, 6)), &n_bonds))
        return BT_OK;
    } else if (bt_span_starts(line, "M  END")) {
      return BT_OK;
    } else if (row > n_atoms + n_bonds && (bt_span_starts(line, "$$$$") || bt_span_starts(line, ">"))) {
      break;
    } else if (bt_span_starts(line, "M  V30")) {
      BT_TRY(check_v3000(line, &section, where, opt_error));
    } else if (row <= n_atoms) {
      where.atom = row;
      BT_TRY(check_symbol(bt_span_trim(bt_span_columns(line, 31, 34)), where, opt_error));
    } else if (row <= n_atoms + n_bonds) {
      BT_TRY(check_bond(bt_span_trim(bt_span_columns(line, 6, 9)), bt_span_trim(bt_span_columns(line, 0, 3)),
                        bt_span_trim(bt_span_columns(line, 3, 6)), where, opt_error));
    } else {
      BT_TRY(check_property(line, n_atoms, where, opt_error));
    }
  }
  where.atom = 0;
  return bt_fail(opt_error, BT_ERR_INPUT, where, "repair or leave out this record",
                 "the molecule does not end with the line 'M  END'; was the file cut off?");
}

/* Parts of a block of CXSMILES that make the record more than one molecule, each after "|" or a comma. */
bt_status bt_smiles_check_block(bt_span block, bt_where where, bt_error *opt_error) {
  static const struct {
    const char *begin, *what;
  } parts[] = {{"Sg:n", "a polymer"},
               {"SgD:n", "a polymer"},
               {"LN:", "a link node (a repeated part)"},
               {"m:", "a variable point of attachment"},
               {"RG:", "R groups"},
               {"LOG=", "R groups"}};
  if (block.size == 0 || block.text[0] != '|') return BT_OK;
  bool labels = false; /* between $ and $ */
  for (size_t at = 1; at < block.size && block.text[at] != '|'; at++) {
    if (block.text[at] == '$') labels = !labels;
    if (labels || (block.text[at - 1] != '|' && block.text[at - 1] != ',')) continue;
    bt_span rest = {block.text + at, block.size - at};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      if (bt_span_starts(rest, parts[i].begin))
        return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "its CXSMILES block has %s", parts[i].what);
  }
  return BT_OK;
}
