/* counts.c - checks the size that a record states before RDKit allocates memory for it. */
#include "base/text/text.h"
#include "chem/rdkit.h"
#include "prep/ligand/preparer.h"

/* Time and memory of preparation grow with the square of the number of atoms; no ligand has that many. */
enum { MOST_ATOMS = 10000, MOST_SMILES = 20 * MOST_ATOMS /* characters */, MOST_CLOSURES = 100 };

static const char remedy[] = "repair or leave out this record";

bt_status bt_record_check_atoms(long n_atoms, bt_where where, bt_error *opt_error) {
  if (n_atoms <= MOST_ATOMS) return BT_OK;
  return bt_fail(opt_error, BT_ERR_LIMIT, where, "leave out this record", "%ld atoms, more than %d", n_atoms,
                 MOST_ATOMS);
}

/* Skips an atom in brackets; hydrogens are not counted. */
static size_t skip_bracket(bt_span smiles, size_t at, long *heavy) {
  size_t end = at + 1, symbol;
  while (end < smiles.size && smiles.text[end] != ']') end++;
  for (symbol = at + 1; symbol < end && smiles.text[symbol] >= '0' && smiles.text[symbol] <= '9'; symbol++) continue;
  bool hydrogen = symbol < end && smiles.text[symbol] == 'H' &&
                  (symbol + 1 == end || smiles.text[symbol + 1] < 'a' || smiles.text[symbol + 1] > 'z');
  *heavy += !hydrogen;
  return end;
}

/* Counts without a parser: heavy atoms of the largest part between dots, and ends of ring closures. */
static void count_smiles(bt_span smiles, long *ret_largest, long *ret_ends) {
  long heavy = 0;
  *ret_largest = *ret_ends = 0;
  for (size_t at = 0; at < smiles.size; at++) {
    char c = smiles.text[at];
    if (c == '[') {
      at = skip_bracket(smiles, at, &heavy);
    } else if (c == '%') {
      ++*ret_ends;
      if (at + 1 < smiles.size && smiles.text[at + 1] == '(')
        while (at < smiles.size && smiles.text[at] != ')') at++;
      else
        at += 2;
    } else if (c >= '0' && c <= '9') {
      ++*ret_ends;
    } else if (c == '.') {
      heavy = 0;
    } else if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z' && c != 'l' && c != 'r')) { /* Cl and Br are one atom */
      heavy++;
    }
    if (heavy > *ret_largest) *ret_largest = heavy;
  }
}

bt_status bt_smiles_check(bt_span smiles, bool to_embed, bt_where where, bt_error *opt_error) {
  long largest, ends;
  if (smiles.size > MOST_SMILES)
    return bt_fail(opt_error, BT_ERR_LIMIT, where, "leave out this record", "a SMILES of %zu characters, more than %d",
                   smiles.size, MOST_SMILES);
  count_smiles(smiles, &largest, &ends);
  if (ends / 2 > MOST_CLOSURES)
    return bt_fail(opt_error, BT_ERR_LIMIT, where, "leave out this record, or use it as SDF with 3D coordinates",
                   "a SMILES with %ld ring closures, more than %d", ends / 2, MOST_CLOSURES);
  if (to_embed && largest > BT_MOST_EMBEDDED)
    return bt_fail(opt_error, BT_ERR_LIMIT, where, "provide 3D coordinates",
                   "too large to generate 3D coordinates for it (%ld heavy atoms, more than %d)", largest,
                   BT_MOST_EMBEDDED);
  return BT_OK;
}

static bt_status check_count(bt_span word, size_t lines, const char *what, bt_where where, bt_error *opt_error) {
  int64_t count;
  if (!bt_parse_int64(word, &count)) return BT_OK; /* RDKit reports it */
  if (count < 0 || (uint64_t)count > lines)
    return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "%lld %s in a record of %zu lines", (long long)count, what,
                   lines);
  return BT_OK;
}

/* "(N ..." of atoms and bonds of a group: N numbers need at least 2 N characters. */
static bt_status check_lists(bt_span line, size_t size, bt_where where, bt_error *opt_error) {
  for (size_t i = 0; i + 1 < line.size; i++) {
    if (line.text[i] != '(') continue;
    bt_span rest = {line.text + i + 1, line.size - i - 1}, word = bt_span_word(&rest);
    while (word.size > 0 && word.text[word.size - 1] == ')') word.size--;
    int64_t count;
    if (bt_parse_int64(word, &count) && (count < 0 || (uint64_t)count > size / 2))
      return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "a list of %lld numbers in a record of %zu characters",
                     (long long)count, size);
  }
  return BT_OK;
}

static bt_status check_v3000(bt_span line, size_t size, size_t lines, bt_where where, bt_error *opt_error) {
  bt_span_word(&line); /* M */
  bt_span_word(&line); /* V30 */
  BT_TRY(check_lists(line, size, where, opt_error));
  if (!bt_span_equals(bt_span_word(&line), "COUNTS")) return BT_OK;
  static const char *const what[] = {"atoms", "bonds", "groups", "constraints"};
  bt_span atoms = line;
  for (int i = 0; i < 4; i++) BT_TRY(check_count(bt_span_word(&line), lines, what[i], where, opt_error));
  int64_t count;
  return bt_parse_int64(bt_span_word(&atoms), &count) ? bt_record_check_atoms((long)count, where, opt_error) : BT_OK;
}

static size_t count_lines(const char *text, size_t size) {
  bt_lines lines = bt_lines_of(text, size);
  bt_span line;
  while (bt_lines_next(&lines, &line)) continue;
  return (size_t)lines.number;
}

bt_status bt_sdf_check(const char *text, size_t size, bt_where where, bt_error *opt_error) {
  const size_t n = count_lines(text, size);
  bt_lines lines = bt_lines_of(text, size);
  bt_span line;
  const long first = where.line;
  while (bt_lines_next(&lines, &line)) {
    where.line = first + lines.number - 1;
    if (lines.number == 4) {
      BT_TRY(check_count(bt_span_trim(bt_span_columns(line, 0, 3)), n, "atoms", where, opt_error));
      BT_TRY(check_count(bt_span_trim(bt_span_columns(line, 3, 6)), n, "bonds", where, opt_error));
    } else if (bt_span_starts(line, "M  V30")) {
      BT_TRY(check_v3000(line, size, n, where, opt_error));
    } else if (bt_span_starts(line, "M  END")) {
      break; /* data items may contain anything */
    }
  }
  return BT_OK;
}

/* "ATOMS BONDS SUBSTRUCTURES FEATURES SETS" of MOL2. */
bt_status bt_mol2_check_counts(bt_span line, const char *text, size_t size, bt_where where, bt_error *opt_error) {
  static const char *const what[] = {"atoms", "bonds", "substructures", "features", "sets"};
  const size_t n = count_lines(text, size);
  for (int i = 0; i < 5; i++) BT_TRY(check_count(bt_span_word(&line), n, what[i], where, opt_error));
  return BT_OK;
}
