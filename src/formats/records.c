/* records.c - where one molecule of a file ends and the next begins. */
#include "formats/records.h"

#include <string.h>

enum { LARGEST_RECORD = 1 << 26 };

static bool is_blank(bt_span line) { return bt_span_trim(line).size == 0; }

static bool starts_pdb_model(bt_span line) { return bt_span_starts(line, "MODEL ") || bt_span_equals(line, "MODEL"); }

/* Does this line, not yet taken, belong to the next record? */
static bool begins_next(const bt_records *records, bt_span line) {
  if (records->text.size == 0) return false;
  return records->format == BT_LIGAND_MOL2 && bt_span_starts(line, "@<TRIPOS>MOLECULE");
}

/* Is the record complete with this line? */
static bool ends_record(const bt_records *records, bt_span line) {
  switch (records->format) {
    case BT_LIGAND_SDF: return bt_span_starts(line, "$$$$");
    case BT_LIGAND_SMILES: return true;
    case BT_LIGAND_PDB: return bt_span_starts(line, "ENDMDL");
    default: return false;
  }
}

/* Lines between records that carry nothing. Blank lines may begin an SDF record: its title is empty then. */
static bool is_skipped(const bt_records *records, bt_span line) {
  switch (records->format) {
    case BT_LIGAND_SMILES: return is_blank(line) || line.text[0] == '#';
    case BT_LIGAND_MOL2: return records->text.size == 0 && !bt_span_starts(line, "@<TRIPOS>MOLECULE");
    case BT_LIGAND_PDB: return starts_pdb_model(line) || bt_span_starts(line, "END   ") || bt_span_equals(line, "END");
    default: return false;
  }
}

static bool is_empty(const bt_text *text) { return text->size == 0 || strspn(text->data, " \t\r\n") == text->size; }

static bt_status find_last(bt_records *records, bt_error *opt_error) {
  bt_span line;
  bool found;
  BT_TRY(bt_stream_next(records->stream, &line, &found, opt_error));
  records->last = !found;
  if (found) bt_stream_back(records->stream);
  return BT_OK;
}

static bt_status check(const bt_records *records, bool too_long, bt_error *opt_error) {
  bt_where where = {.file = bt_stream_label(records->stream), .line = records->line};
  if (too_long)
    return bt_fail(opt_error, BT_ERR_LIMIT, where, "repair or leave out this record", "record %ld has more than 64 MiB",
                   records->number);
  if (bt_text_is_binary(records->text.data, records->text.size))
    return bt_fail(opt_error, BT_ERR_INPUT, where, "give a text file", "record %ld is binary data", records->number);
  return BT_OK;
}

bt_status bt_records_next(bt_records *records, bool *ret_found, bt_error *opt_error) {
  bt_text *text = &records->text;
  bool found = true, complete = false, too_long = false;
  text->size = 0;
  *ret_found = false;
  while (!complete) {
    bt_span line;
    BT_TRY(bt_stream_next(records->stream, &line, &found, opt_error));
    if (!found) break;
    if (begins_next(records, line)) {
      bt_stream_back(records->stream);
      break;
    }
    complete = ends_record(records, line);
    if (complete && records->format == BT_LIGAND_PDB && is_empty(text)) complete = false;
    if (is_skipped(records, line)) {
      complete = false;
      continue;
    }
    if (text->size == 0) records->line = bt_stream_line(records->stream);
    too_long = too_long || text->size + line.size > LARGEST_RECORD;
    if (too_long) continue;
    bt_text_add(text, line.text, line.size);
    bt_text_add_char(text, '\n');
  }
  BT_TRY(bt_text_status(text, opt_error));
  if (text->size == 0 || is_empty(text)) return BT_OK;
  *ret_found = true;
  records->number++;
  BT_TRY(find_last(records, opt_error));
  return check(records, too_long, opt_error);
}

void bt_records_close(bt_records *records) {
  bt_stream_close(records->stream);
  bt_text_destroy(&records->text);
}
