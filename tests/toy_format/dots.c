/* dots.c - the toy format: a molecule per line, its name and the coordinates of its carbon atoms, which never move. */
#include "base/memory.h"
#include "formats/pdbqt/pdbqt.h"
#include "formats/records.h"

static bt_line_kind cut(bt_records *records, bt_span line) {
  (void)records;
  return bt_span_trim(line).size == 0 ? BT_LINE_SKIPPED : BT_LINE_LAST;
}

static bt_span title(bt_span text) { return bt_span_word(&text); }

static bt_status parse(const bt_record *record, bt_molecules *list, bt_error *opt_error) {
  bt_span rest = bt_span_trim((bt_span){record->text, record->size - 1}), word;
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_add_string(&text, "ROOT\n");
  bt_span_word(&rest);
  for (int atom = 1; rest.size > 0; atom++) {
    double x[3];
    for (int k = 0; k < 3; k++)
      if (word = bt_span_word(&rest), !bt_parse_double(word, &x[k]))
        return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = record->path, .line = 1},
                       "give x, y and z of every atom", "no coordinate: '%.*s'", BT_SHOWN(word));
    bt_text_printf(&text, "ATOM  %5d  C   LIG     1    %8.3f%8.3f%8.3f  0.00  0.00    %6.3f C\n", atom, x[0], x[1], x[2],
                   0.0);
  }
  bt_text_add_string(&text, "ENDROOT\nTORSDOF 0\n");
  BT_TRY(bt_text_status(&text, opt_error));
  bt_molecule **parsed;
  int count;
  BT_TRY(bt_molecule_from_memory(record->path, text.data, text.size, BT_MOLECULE_LIGAND, &parsed, &count, opt_error));
  *list = (bt_molecules){.items = parsed, .count = (size_t)count, .room = (size_t)count};
  return BT_OK;
}

extern const bt_format bt_format_dots;
static const bt_cutter cutter = {.line = cut, .title = title};
const bt_format bt_format_dots = {".dots", BT_FORMAT_LIGANDS | BT_FORMAT_PREPARED, 100, &cutter, .parse = parse};
