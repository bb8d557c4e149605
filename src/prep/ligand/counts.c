/* counts.c - checks the size that a record states before RDKit allocates memory for it. */
#include "base/text.h"
#include "prep/ligand/preparer.h"

/* Time and memory of preparation grow with the square of the number of atoms; no ligand has that many. */
enum { MOST_ATOMS = 10000, MOST_SMILES = 20 * MOST_ATOMS /* characters */ };

static const char remedy[] = "repair or leave out this record";

bt_status bt_record_check_atoms(long n_atoms, bt_where where, bt_error *opt_error) {
  if (n_atoms <= MOST_ATOMS) return BT_OK;
  return bt_fail(opt_error, BT_ERR_LIMIT, where, "leave out this record", "%ld atoms, more than %d", n_atoms,
                 MOST_ATOMS);
}

bt_status bt_smiles_check(size_t size, bt_where where, bt_error *opt_error) {
  if (size <= MOST_SMILES) return BT_OK;
  return bt_fail(opt_error, BT_ERR_LIMIT, where, "leave out this record", "a SMILES of %zu characters, more than %d",
                 size, MOST_SMILES);
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
