/* notes.c - notes on residues, for the report and for the user. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "prep/receptor/receptor.h"

static void add_note(bt_text *notes, const char *format, va_list arguments) {
  char text[400];
  vsnprintf(text, sizeof text, format, arguments);
  for (char *c = text; *c != '\0'; c++)
    if ((unsigned char)*c < 32) *c = ' ';
  bt_text_printf(notes, "%s%s", notes->size > 0 ? "; " : "", text);
}

void bt_receptor_note(bt_receptor_residue *residue, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_note(&residue->notes, format, arguments);
  va_end(arguments);
}

void bt_receptor_warn(bt_receptor_work *prep, int residue, const char *format, ...) {
  va_list arguments;
  char name[40], text[400];
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  bt_receptor_note(&prep->residues[residue], "%s", text);
  bt_text_printf(&prep->notes, "%s: %s\n", bt_receptor_name(prep, residue, name), text);
}

/* A line of the notes as "RESIDUE: words". */
typedef struct note {
  bt_span line, residue, words; /* words are empty in lines of another form */
  bool done;
} note;

static note note_of(bt_span line) {
  note n = {.line = line};
  const char *colon = NULL; /* the first ": "; those of residue names have no blank behind them */
  for (size_t k = 0; k + 1 < line.size && colon == NULL; k++)
    if (line.text[k] == ':' && line.text[k + 1] == ' ') colon = line.text + k;
  if (colon == NULL) return n;
  n.residue = (bt_span){line.text, (size_t)(colon - line.text)};
  n.words = (bt_span){colon + 2, line.size - n.residue.size - 2};
  return n;
}

static bool same_words(const note *a, const note *b) {
  return a->words.size > 0 && a->words.size == b->words.size &&
         memcmp(a->words.text, b->words.text, a->words.size) == 0;
}

bt_status bt_receptor_gather_notes(bt_receptor_work *prep) {
  enum { MOST = 6, NAMED = 3 }; /* lines with the same words; residues named of more */
  BT_TRY(bt_text_status(&prep->notes, prep->opt_error));
  int count = 0;
  bt_span line;
  for (bt_lines lines = bt_lines_of(prep->notes.data, prep->notes.size); bt_lines_next(&lines, &line);) count++;
  if (count <= MOST) return BT_OK;
  BT_SCOPED note *notes = bt_allocate((size_t)count, sizeof *notes);
  if (notes == NULL) return bt_fail_memory(prep->opt_error);
  count = 0;
  for (bt_lines lines = bt_lines_of(prep->notes.data, prep->notes.size); bt_lines_next(&lines, &line);)
    notes[count++] = note_of(line);
  BT_ENDED_BY(bt_text_destroy) bt_text gathered = {0};
  for (int i = 0; i < count; i++) {
    if (notes[i].done) continue;
    int same = 1, named = 1;
    for (int j = i + 1; j < count; j++) same += same_words(&notes[i], &notes[j]);
    if (same <= MOST) {
      bt_text_printf(&gathered, "%.*s\n", (int)notes[i].line.size, notes[i].line.text);
      continue;
    }
    bt_text_add(&gathered, notes[i].residue.text, notes[i].residue.size);
    for (int j = i + 1; j < count; j++) {
      if (!same_words(&notes[i], &notes[j])) continue;
      notes[j].done = true;
      if (named++ < NAMED) bt_text_printf(&gathered, ", %.*s", (int)notes[j].residue.size, notes[j].residue.text);
    }
    bt_text_printf(&gathered, " and %d more residues: %.*s\n", same - NAMED, (int)notes[i].words.size,
                   notes[i].words.text);
  }
  BT_TRY(bt_text_status(&gathered, prep->opt_error));
  bt_text_destroy(&prep->notes);
  prep->notes = gathered;
  gathered = (bt_text){0};
  return BT_OK;
}
