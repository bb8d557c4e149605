/* pdbqt_text.h - small PDBQT texts for tests. */
#ifndef BERTH_TESTS_PDBQT_TEXT_H
#define BERTH_TESTS_PDBQT_TEXT_H

#include "base/text/text.h"
#include "formats/pdbqt/pdbqt.h"
#include "unit/support.h"

/* Five atoms: C1 and O2 in the root, N3 on O2, and H4, H5 on N3. */
#define A1 "ATOM      1  C1  LIG A   7       0.000   0.000   0.000  1.00  0.00     0.171 C \n"
#define A2 "ATOM      2  O2  LIG A   7       1.400   0.000   0.000  1.00  0.00    -0.395 OA\n"
#define A3 "ATOM      3  N3  LIG A   7       2.100   1.200   0.000  1.00  0.00    -0.328 NA\n"
#define A4 "ATOM      4  H4  LIG A   7       3.100   1.200   0.000  1.00  0.00     0.118 HD\n"
#define A5 "ATOM      5  H5  LIG A   7       1.700   2.000   0.700  1.00  0.00     0.118 HD\n"
#define LIGAND                                                           \
  "ROOT\n" A1 A2 "ENDROOT\nBRANCH   2   3\n" A3 "BRANCH   3   4\n" A4 A5 \
  "ENDBRANCH   3   4\n"                                                  \
  "ENDBRANCH   2   3\nTORSDOF 2\n"

static inline bt_status parse_text(const char *text, bt_molecule_kind kind, bt_molecule ***ret_list, int *ret_count,
                                   bt_error *error) {
  return bt_molecule_from_memory("lig.pdbqt", text, strlen(text), kind, ret_list, ret_count, error);
}

/* The only molecule of a text that must be right; destroy with bt_molecule_destroy. */
static inline bt_molecule *parse_one(const char *text, bt_molecule_kind kind) {
  bt_molecule **list, *molecule;
  int count;
  bt_error error;
  support_ok(parse_text(text, kind, &list, &count, &error), &error);
  assert_int_equal(count, 1);
  molecule = list[0];
  free(list);
  return molecule;
}

static inline void parse_fails(const char *text, bt_molecule_kind kind, long line, long atom, const char *words) {
  bt_molecule **list;
  int count;
  bt_error error = {0};
  support_failed(parse_text(text, kind, &list, &count, &error), BT_ERR_INPUT, &error, words);
  assert_string_equal(error.file, "lig.pdbqt");
  if (error.line != line || error.atom != atom)
    fail_msg("'%s': line %ld, atom %ld instead of line %ld, atom %ld", words, error.line, error.atom, line, atom);
}

#endif
