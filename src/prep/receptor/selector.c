/* selector.c - resolves residue names given by the user in one structure. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "prep/receptor/receptor.h"

static bt_residue_id identity(const bt_structure_residue *r) {
  return (bt_residue_id){.chain = r->chain, .name = r->name, .number = r->number, .icode = r->icode};
}

bool bt_selector_find(const bt_structure *structure, bt_span word, bt_selector *ret_selector) {
  *ret_selector = (bt_selector){.word = word, .reading = INT_MAX};
  if (!bt_is_residue_word(word)) return false;
  for (int i = 0; i < structure->n_residues; i++) {
    bt_residue_id id = identity(&structure->residues[i]);
    int reading = bt_residue_word_fits(word, &id);
    if (reading > 0 && reading < ret_selector->reading) ret_selector->reading = reading;
  }
  return true;
}

bool bt_selector_fits(const bt_selector *s, const bt_structure_residue *r) {
  bt_residue_id id = identity(r);
  return bt_residue_word_fits(s->word, &id) == s->reading;
}

/* Lists up to four residues that match (fit), or nearly match. */
static int list(const bt_structure *structure, const bt_selector *s, bool fit, char *text, size_t size) {
  int count = 0;
  text[0] = '\0';
  for (int i = 0; i < structure->n_residues; i++) {
    const bt_structure_residue *r = &structure->residues[i];
    bt_residue_id id = identity(r);
    char name[40];
    if (fit ? !bt_selector_fits(s, r) : !bt_residue_word_near(s->word, &id)) continue;
    size_t used = strlen(text);
    if (++count <= 4)
      snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", bt_structure_residue_text(r, name, sizeof name));
    else if (count == 5)
      snprintf(text + used, size - used, ", ...");
  }
  return count;
}

bt_status bt_selector_fail(const bt_structure *structure, const char *label, const bt_selector *s,
                           bt_error *opt_error) {
  char names[200];
  bt_where where = {.file = label};
  int shown = s->word.size < 60 ? (int)s->word.size : 60;
  if (!bt_is_residue_word(s->word))
    return bt_fail(opt_error, BT_ERR_INPUT, where, "write it as A:HIS57, A:57, HIS57 or HIS",
                   "'%.*s' does not name a residue", shown, s->word.text);
  int count = list(structure, s, true, names, sizeof names);
  if (count > 1) {
    char remedy[240];
    snprintf(remedy, sizeof remedy, "name one of %s", names);
    return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "%.*s matches %d residues", shown, s->word.text, count);
  }
  char remedy[240] = "name it as chain:name:number, as in A:HIS:57";
  if (list(structure, s, false, names, sizeof names) > 0) snprintf(remedy, sizeof remedy, "there are %s", names);
  return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "there is no residue %.*s", shown, s->word.text);
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
