/* residue_word.c - see residue_word.h. */
#include "chem/residue_word.h"

#include <stdio.h>
#include <string.h>

enum { PARTS = 3 };

/* Splits the word at its colons; how many parts, 0 for a word that is none. */
static int split(bt_span word, bt_span parts[PARTS]) {
  bt_span rest = bt_span_trim(word);
  if (rest.size == 0) return 0;
  for (int n = 0; n < PARTS; n++) {
    const char *colon = memchr(rest.text, ':', rest.size);
    parts[n] = bt_span_trim((bt_span){rest.text, colon != NULL ? (size_t)(colon - rest.text) : rest.size});
    if (colon == NULL) return n + 1;
    rest.size -= (size_t)(colon - rest.text) + 1;
    rest.text = colon + 1;
  }
  return 0;
}

bool bt_is_residue_word(bt_span word) {
  bt_span parts[PARTS];
  int n = split(word, parts);
  return n == 1 || n == 2 || (n == 3 && parts[1].size + parts[0].size > 0 && parts[2].size > 0);
}

static bool is_chain(bt_span part, const bt_residue_id *r) {
  return bt_span_equals(part, "*") || bt_span_equals(part, r->chain);
}

static bool is_name(bt_span part, const bt_residue_id *r) {
  return part.size > 0 && bt_span_equals_ignoring_case(part, r->name);
}

static bool is_number(bt_span part, const bt_residue_id *r) {
  char icode = ' ';
  int number;
  if (part.size == 0 || part.text[0] == '+') return false;
  char last = part.text[part.size - 1];
  if (part.size > 1 && (last < '0' || last > '9')) {
    icode = last;
    part.size--;
  }
  return bt_parse_int(part, &number) && number == r->number && icode == r->icode;
}

static bool is_both(bt_span part, const bt_residue_id *r) {
  size_t size = strlen(r->name);
  if (size == 0 || part.size <= size) return false;
  return is_name((bt_span){part.text, size}, r) && is_number((bt_span){part.text + size, part.size - size}, r);
}

int bt_residue_word_fits(bt_span word, const bt_residue_id *r) {
  bt_span p[PARTS];
  switch (split(word, p)) {
    case 1: return is_name(p[0], r) ? 1 : is_number(p[0], r) ? 2 : is_both(p[0], r) ? 3 : 0;
    case 2:
      if (is_chain(p[0], r)) {
        if (p[1].size == 0 || is_number(p[1], r)) return 1;
        if (is_both(p[1], r)) return 2;
        if (is_name(p[1], r)) return 3;
      }
      if (is_name(p[0], r) && is_number(p[1], r)) return 4;
      return is_name(p[0], r) && is_chain(p[1], r) ? 5 : 0;
    case 3:
      if (!is_number(p[2], r)) return 0;
      if (is_chain(p[0], r) && (p[1].size == 0 || is_name(p[1], r))) return 1;
      return is_name(p[0], r) && is_chain(p[1], r) ? 2 : 0;
    default: return 0;
  }
}

bool bt_residue_word_near(bt_span word, const bt_residue_id *r) {
  bt_span p[PARTS];
  int n = split(word, p);
  for (int k = 0; k < n; k++) {
    size_t size = strlen(r->name);
    if (p[k].size == 0) continue;
    if (is_name(p[k], r) || is_number(p[k], r) || (p[k].size > size && is_name((bt_span){p[k].text, size}, r)))
      return true;
  }
  return false;
}
