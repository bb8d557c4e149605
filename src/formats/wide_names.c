/* wide_names.c - see wide_names.h. */
#include "formats/wide_names.h"

#include <string.h>

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
enum { NAME = 17, FOURTH = 20 }; /* columns, from 0 */

/* Residues without variants of four letters, such as HISD of HIS: behind them column 21 is the chain's. */
static int plain_residue(const char *name) {
  static const char *const plain[] = {"ALA", "GLY", "LEU", "VAL", "ILE", "PHE", "SER",
                                      "THR", "PRO", "MET", "TRP", "ASN", "GLN"};
  for (int k = 0; k < (int)(sizeof plain / sizeof *plain); k++)
    if (strncmp(name, plain[k], 3) == 0) return k;
  return -1;
}

void bt_wide_names_scan(bt_wide_names *wide, const char *data, size_t size) {
  unsigned seen[256] = {0};
  bt_lines lines = bt_lines_of(data, size);
  for (bt_span line; bt_lines_next(&lines, &line);) {
    if (line.size <= FOURTH || !(bt_span_starts(line, "ATOM  ") || bt_span_starts(line, "HETATM"))) continue;
    int plain = plain_residue(line.text + NAME);
    if (plain >= 0 && line.text[FOURTH] != ' ') seen[(unsigned char)line.text[FOURTH]] |= 1u << plain;
  }
  for (int c = 0; c < 256; c++) wide->chain[c] = (seen[c] & (seen[c] - 1)) != 0; /* two of them at least */
}

static bool is_blank(char c) { return c == ' '; }

void bt_wide_names_encode(bt_wide_names *wide, char *line) {
  char *name = line + NAME;
  if (is_blank(line[FOURTH]) || wide->chain[(unsigned char)line[FOURTH]]) return;
  if (is_blank(name[0]) && !is_blank(name[1]) && !is_blank(name[2])) { /* three letters, one column to the right */
    memmove(name, name + 1, 3);
    line[FOURTH] = ' ';
    return;
  }
  if (is_blank(name[0]) || is_blank(name[1]) || is_blank(name[2])) return;
  int k = 0;
  while (k < wide->count && strncmp(wide->names[k], name, 4) != 0) k++;
  if (k == BT_WIDE_NAMES) return;
  if (k == wide->count) {
    memcpy(wide->names[k], name, 4);
    wide->names[wide->count++][4] = '\0';
  }
  name[0] = '~';
  name[1] = digits[k / 36];
  name[2] = digits[k % 36];
  line[FOURTH] = ' ';
}

const char *bt_wide_names_decode(const bt_wide_names *wide, const char *code) {
  if (code[0] != '~' || code[1] == '\0' || code[2] == '\0') return NULL;
  const char *high = strchr(digits, code[1]), *low = strchr(digits, code[2]);
  if (high == NULL || low == NULL) return NULL;
  int k = (int)(high - digits) * 36 + (int)(low - digits);
  return k < wide->count ? wide->names[k] : NULL;
}
