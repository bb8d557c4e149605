/* restore.c - constraints from what the database of a screen keeps of them. */
#include <berth/prepare.h>

#include "constrain/constrain.h"
#include "formats/pdbqt/pdbqt.h"

static bool cut_start(bt_span *span, const char *start) {
  size_t n = strlen(start);
  if (span->size < n || memcmp(span->text, start, n) != 0) return false;
  *span = (bt_span){span->text + n, span->size - n};
  return true;
}

/* Cuts "core of NAME within 1 A" from the start; the name of a molecule may be anything, and no word has a blank. */
static bool cut_core(bt_span *words, double *ret_tolerance) {
  static const char within[] = " within ", unit[] = " A";
  bt_span rest = *words, number;
  if (!cut_start(&rest, "core of ")) return false;
  size_t at = rest.size;
  while (at > 0 && !cut_start(&(bt_span){rest.text + at, rest.size - at}, within)) at--;
  rest = (bt_span){rest.text + at, rest.size - at};
  if (!cut_start(&rest, within)) return false;
  number = bt_span_word(&rest);
  if (!bt_parse_double(number, ret_tolerance)) return false;
  rest = (bt_span){number.text + number.size, (size_t)(words->text + words->size - number.text) - number.size};
  if (!cut_start(&rest, unit)) return false;
  (void)cut_start(&rest, ", ");
  *words = rest;
  return true;
}

static bt_status restore_core(bt_constraints *c, const char *text, const char *opt_smarts, bt_error *opt_error) {
  bt_molecule **list = NULL;
  int count = 0;
  BT_TRY(bt_molecule_from_memory("core", text, strlen(text), BT_MOLECULE_LIGAND, &list, &count, opt_error));
  c->core = list[0];
  list[0] = NULL;
  bt_molecule_list_destroy(list, count);
  BT_TRY(bt_molecule_find_chemistry(c->core, opt_error));
  c->core_optional = true;
  return opt_smarts != NULL ? bt_smarts_create(opt_smarts, &c->core_pattern, opt_error) : BT_OK;
}

/* Words are parted by ", "; those that are preferred stand in parentheses. */
static bt_status restore_words(bt_constraints *c, bt_span words, const bt_molecule *opt_receptor, bt_error *opt_error) {
  while (words.size > 0) {
    size_t n = 0;
    while (n < words.size && !cut_start(&(bt_span){words.text + n, words.size - n}, ", ")) n++;
    bt_span word = {words.text, n};
    n += n < words.size ? 2 : 0;
    words = (bt_span){words.text + n, words.size - n};
    bool preferred = word.size > 2 && word.text[0] == '(';
    if (preferred) word = (bt_span){word.text + 1, word.size - 2};
    bt_constraint_spec spec;
    BT_TRY(bt_constraint_parse(word, !preferred, opt_receptor, &spec, opt_error));
    if (BT_APPEND(c->specs, c->n_specs, &c->room, spec)) continue;
    bt_constraint_spec_clear(&spec);
    return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

bt_status bt_constraints_restore(const char *words, const char *opt_core, const char *opt_core_smarts,
                                 const bt_molecule *opt_receptor, bt_constraints **ret_constraints,
                                 bt_error *opt_error) {
  bt_span rest = bt_span_from(words);
  bt_status status = BT_OK;
  *ret_constraints = NULL;
  bt_constraints *c = bt_allocate(1, sizeof *c);
  if (c == NULL || (c->words = bt_copy_text(words, strlen(words))) == NULL) status = bt_fail_memory(opt_error);
  if (status == BT_OK && cut_core(&rest, &c->core_tolerance) && opt_core != NULL)
    status = restore_core(c, opt_core, opt_core_smarts, opt_error);
  if (status == BT_OK) status = restore_words(c, rest, opt_receptor, opt_error);
  if (status == BT_OK && c->core == NULL && c->n_specs == 0) {
    bt_constraints_destroy(c);
    return BT_OK;
  }
  return BT_HAND_OVER(status, c, ret_constraints, bt_constraints_destroy);
}
