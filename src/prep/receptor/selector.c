/* selector.c - words by which users name residues. */
#include <ctype.h>
#include <string.h>

#include "prep/receptor/receptor.h"

/* "57", "-3", "57B". */
static bool parse_number(bt_span word, bt_selector *s) {
  s->icode = ' ';
  if (word.size > 1 && isalpha((unsigned char)word.text[word.size - 1])) {
    s->icode = word.text[word.size - 1];
    word.size--;
  }
  s->numbered = bt_parse_int(word, &s->number) && word.text[0] != ' ';
  return s->numbered;
}

/* "HIS57", "HIS", "57"; a name has letters first. */
static bool parse_residue(bt_span word, bt_selector *s) {
  if (word.size == 0) return true;
  if (parse_number(word, s)) return true;
  size_t size = 0;
  while (size < word.size && !isdigit((unsigned char)word.text[size]) && word.text[size] != '-') size++;
  bt_span number = {word.text + size, word.size - size};
  if (number.size == 0 || size == 0 || !parse_number(number, s)) {
    s->numbered = false;
    size = word.size;
  }
  return bt_span_copy((bt_span){word.text, size}, s->name, sizeof s->name);
}

bool bt_selector_parse(bt_span word, bt_selector *ret_selector) {
  bt_selector s = {.chain = "*", .icode = ' '};
  word = bt_span_trim(word);
  if (word.size == 0) return false;
  bt_span parts[3];
  int n = 0;
  for (bt_span rest = word;; n++) {
    const char *colon = memchr(rest.text, ':', rest.size);
    if (n == 3) return false;
    parts[n] = (bt_span){rest.text, colon != NULL ? (size_t)(colon - rest.text) : rest.size};
    if (colon == NULL) break;
    rest.size -= parts[n].size + 1;
    rest.text = colon + 1;
  }
  n++;
  bool good;
  if (n == 1) {
    good = bt_span_copy(parts[0], s.name, sizeof s.name);
  } else if (n == 2) {
    good = bt_span_copy(parts[0], s.chain, sizeof s.chain) && parse_residue(parts[1], &s);
  } else {
    bool swapped = parts[0].size > 1 && parts[1].size <= 1; /* NAME:CHAIN:NUMBER */
    good = bt_span_copy(parts[swapped ? 1 : 0], s.chain, sizeof s.chain) &&
           bt_span_copy(parts[swapped ? 0 : 1], s.name, sizeof s.name) && parse_number(parts[2], &s);
  }
  *ret_selector = s;
  return good;
}

bool bt_selector_fits(const bt_selector *s, const bt_structure_residue *r) {
  if (strcmp(s->chain, "*") != 0 && strcmp(s->chain, r->chain) != 0) return false;
  if (s->numbered && s->number == r->number && s->icode == r->icode &&
      (s->name[0] == '\0' || strcasecmp(s->name, r->name) == 0))
    return true;
  if (!s->numbered) return s->name[0] == '\0' || strcasecmp(s->name, r->name) == 0;
  return false;
}

bt_status bt_receptor_words(bt_receptor_work *prep, const char *const *list, int count, bt_word_use *use) {
  for (int i = 0; i < count; i++) {
    const char *at = list[i];
    for (;;) {
      size_t size = strcspn(at, ",");
      bt_span word = bt_span_trim((bt_span){at, size});
      if (word.size > 0) BT_TRY(use(prep, word));
      if (at[size] == '\0') break;
      at += size + 1;
    }
  }
  return BT_OK;
}
