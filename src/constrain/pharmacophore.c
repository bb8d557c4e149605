/* pharmacophore.c - a file of points: KIND X Y Z RADIUS [require|prefer] in each line. */
#include <stdio.h>

#include "base/files/file.h"
#include "constrain/constrain.h"

enum { COLUMNS = 5, MOST = 256, BYTES = 1 << 20 };

static bt_status fail_line(const char *path, long line, const char *why, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path, .line = line},
                 "write KIND X Y Z RADIUS, and require or prefer, such as 'donor 1.5 2 -3 1.2 prefer'; kinds: donor, "
                 "acceptor, hydrophobic, aromatic, positive, negative, heavy, empty, inside",
                 "%s", why);
}

/* The line as the word of words.c that means the same. */
static bool to_word(bt_span columns[COLUMNS], char *word, size_t size) {
  double number;
  for (int c = 1; c < COLUMNS; c++)
    if (!bt_parse_double(columns[c], &number)) return false;
  const char *kind = bt_span_equals(columns[0], "empty") || bt_span_equals(columns[0], "inside") ? "" : "point:";
  int n = snprintf(word, size, "%s%.*s:%.*s,%.*s,%.*s@%.*s", kind, (int)columns[0].size, columns[0].text,
                   (int)columns[1].size, columns[1].text, (int)columns[2].size, columns[2].text, (int)columns[3].size,
                   columns[3].text, (int)columns[4].size, columns[4].text);
  return n > 0 && (size_t)n < size;
}

static bt_status read_line(const char *path, long number, bt_span line, bt_constraints *constraints,
                           bt_error *opt_error) {
  bt_span columns[COLUMNS], rest = line;
  char word[MOST];
  for (int c = 0; c < COLUMNS; c++) columns[c] = bt_span_word(&rest);
  if (columns[0].size == 0 || columns[0].text[0] == '#') return BT_OK;
  bt_span last = bt_span_word(&rest);
  bool preferred = bt_span_equals(last, "prefer");
  if (last.size > 0 && last.text[0] != '#' && !preferred && !bt_span_equals(last, "require"))
    return fail_line(path, number, "the last word is neither require nor prefer", opt_error);
  if (!to_word(columns, word, sizeof word)) return fail_line(path, number, "no point", opt_error);
  bt_constraint_spec spec;
  bt_error reason;
  if (bt_constraint_parse(bt_span_from(word), !preferred, NULL, &spec, &reason) != BT_OK) {
    if (reason.status == BT_ERR_MEMORY) return bt_fail_memory(opt_error);
    return fail_line(path, number, reason.message, opt_error);
  }
  if (BT_APPEND(constraints->specs, constraints->n_specs, &constraints->room, spec)) return BT_OK;
  bt_constraint_spec_clear(&spec);
  return bt_fail_memory(opt_error);
}

bt_status bt_constraints_read_points(const char *path, bt_constraints *constraints, bt_error *opt_error) {
  BT_SCOPED char *data = NULL;
  size_t size, before = constraints->n_specs;
  BT_TRY(bt_file_read_most(path, BYTES, &data, &size, opt_error));
  bt_lines lines = bt_lines_of(data, size);
  bt_span line;
  while (bt_lines_next(&lines, &line)) BT_TRY(read_line(path, lines.number, line, constraints, opt_error));
  if (constraints->n_specs > before) return BT_OK;
  return fail_line(path, 0, "no line has a point", opt_error);
}
