/* mutate_text.c - repeats, drops, swaps and truncates lines; replaces words by numbers at the limits of their ranges,
 * by other words of the text, or by nothing, in their columns or not; inserts lines of the format. */
#include "fuzz/mutate_text.h"

#include <stdio.h>
#include <string.h>

typedef struct piece {
  size_t at, size;
} piece;

typedef struct text {
  char *data;
  size_t size, room;
  uint64_t random;
} text;

static const char *const words[] = {
    "0",     "-1",  "1",    "2",    "999", "2147483647", "-2147483648", "400000000", "1e9",   "99999999.9",
    "1e308", "nan", "-inf", "0x10", "*",   ".",          "?",           "''",        "'a b'", "\"",
    "C",     "Xx",  "R#",   "UNK",  "HOH", "",           "\t",          "V3000",     "V2000"};
static const char *const lines[] = {"$$$$",
                                    "M  END",
                                    "M  CHG  1   1   1",
                                    "M  CHG  8   1   1",
                                    "M  ISO  1   2  13",
                                    "M  RAD  1   1   2",
                                    "M  V30 COUNTS 2147483647 0 0 0 0",
                                    "M  V30 BEGIN CTAB",
                                    "M  V30 1 C 0 0 0 0",
                                    "  0  0  0     0  0            999 V3000",
                                    "999999  0  0  0  0  0  0  0  0999 V2000",
                                    "> <name>",
                                    "loop_",
                                    "data_other",
                                    "_atom_site.Cartn_x 1.0",
                                    ";",
                                    "_struct_conn.id",
                                    "_entity_poly.entity_id 1",
                                    "#",
                                    "END",
                                    "MODEL        1",
                                    "TER",
                                    "save_",
                                    "HETATM"};
enum { WORDS = sizeof words / sizeof *words, LINES = sizeof lines / sizeof *lines };

/* Below n, which is not 0. */
static size_t draw(text *t, size_t n) {
  t->random = t->random * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(t->random >> 33) % n;
}

/* Replaces a piece by size bytes, which may be from the text itself; does nothing if there is no room. */
static void replace(text *t, piece old, const char *bytes, size_t size) {
  char kept[256];
  if (size > sizeof kept || t->size - old.size + size > t->room) return;
  memcpy(kept, bytes, size);
  memmove(t->data + old.at + size, t->data + old.at + old.size, t->size - old.at - old.size);
  memcpy(t->data + old.at, kept, size);
  t->size = t->size - old.size + size;
}

/* A line with its end. */
static piece choose_line(text *t) {
  size_t at = draw(t, t->size), end;
  while (at > 0 && t->data[at - 1] != '\n') at--;
  for (end = at; end < t->size && t->data[end] != '\n';) end++;
  return (piece){at, end - at + (end < t->size)};
}

/* A word between blanks; empty if the line has none. */
static piece choose_word(text *t) {
  size_t at = draw(t, t->size), end;
  while (at > 0 && strchr(" \t\n", t->data[at - 1]) == NULL) at--;
  for (end = at; end < t->size && strchr(" \t\n", t->data[end]) == NULL;) end++;
  return (piece){at, end - at};
}

/* A word from the list or from the text; with fixed columns it takes those of the old one, as far as it fits. */
static void change_word(text *t) {
  piece old = choose_word(t), other = choose_word(t);
  const char *word = words[draw(t, WORDS)];
  char padded[64];
  if (draw(t, 3) == 0) {
    replace(t, old, t->data + other.at, other.size);
  } else if (draw(t, 2) == 0 && old.size < sizeof padded) {
    int size = snprintf(padded, sizeof padded, "%*s", (int)old.size, word);
    if (old.at >= (size_t)size - old.size && (size_t)size > old.size) { /* to the left, over blanks */
      old.at -= (size_t)size - old.size;
      old.size = (size_t)size;
    }
    replace(t, old, padded, (size_t)size);
  } else {
    replace(t, old, word, strlen(word));
  }
}

static void exchange_lines(text *t) {
  piece a = choose_line(t), b = choose_line(t);
  char kept[256];
  if (a.at == b.at || b.size > sizeof kept) return;
  memcpy(kept, t->data + b.at, b.size);
  if (a.at > b.at) {
    replace(t, a, kept, b.size);
  } else {
    size_t size = t->size;
    replace(t, b, t->data + a.at, a.size);
    if (t->size == size - b.size + a.size) replace(t, a, kept, b.size);
  }
}

static void add_line(text *t) {
  char line[256];
  piece before = {choose_line(t).at, 0};
  int size = snprintf(line, sizeof line, "%s\n", lines[draw(t, LINES)]);
  replace(t, before, line, (size_t)size);
}

size_t fuzz_mutate_text(uint8_t *data, size_t size, size_t room, unsigned seed) {
  text t = {(char *)data, size, room, seed * 0x9E3779B97F4A7C15u + 1};
  if (size == 0) return 0;
  piece line = choose_line(&t);
  switch (draw(&t, 10)) {
    case 0: replace(&t, line, "\n", draw(&t, 2)); break;                          /* dropped, or left empty */
    case 1: replace(&t, (piece){line.at, 0}, t.data + line.at, line.size); break; /* twice */
    case 2: exchange_lines(&t); break;
    case 3: add_line(&t); break;
    case 4: t.size = line.at + draw(&t, line.size + 1); break; /* cut off */
    case 5: t.data[draw(&t, t.size)] = (char)draw(&t, 256); break;
    default: change_word(&t);
  }
  return t.size;
}
