/* wide_names.h - names of residues of four letters in PDB files (POPC, TIP3, HISD, NALA): their last letter stands in
 * column 21, which gemmi takes for part of the chain. */
#ifndef BERTH_FORMATS_WIDE_NAMES_H
#define BERTH_FORMATS_WIDE_NAMES_H

#include "base/text/text.h"

enum { BT_WIDE_NAMES = 36 * 36 };

typedef struct bt_wide_names {
  bool chain[256]; /* letters in column 21 that are the first of two letters of a chain */
  int count;
  char names[BT_WIDE_NAMES][8];
} bt_wide_names;

/* Finds out what column 21 means in this file. */
void bt_wide_names_scan(bt_wide_names *wide, const char *data, size_t size);
/* Replaces a four-letter name in the atom line, of at least 80 characters, by a three-letter code. */
void bt_wide_names_encode(bt_wide_names *wide, char *line);
/* The name behind a code; NULL: it is not a code. */
const char *bt_wide_names_decode(const bt_wide_names *wide, const char *code);

#endif
