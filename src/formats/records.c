/* records.c - boundaries between the molecules of a file. */
#include "formats/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"

enum { LARGEST_RECORD = 1 << 26 };

static bool is_empty(const bt_text *text) { return text->size == 0 || strspn(text->data, " \t\r\n") == text->size; }

/* Blank lines may begin an SDF record: its title is empty then. */
static bt_line_kind cut_sdf(bt_records *records, bt_span line) {
  if (bt_span_starts(line, "M  END")) records->ends++;
  return bt_span_starts(line, "$$$$") ? BT_LINE_LAST : BT_LINE_TAKEN;
}

static bt_line_kind cut_smiles(bt_records *records, bt_span line) {
  (void)records;
  return bt_span_trim(line).size == 0 || line.text[0] == '#' ? BT_LINE_SKIPPED : BT_LINE_LAST;
}

static bt_line_kind cut_mol2(bt_records *records, bt_span line) {
  bool first = bt_span_starts(line, "@<TRIPOS>MOLECULE"), empty = records->text.size == 0;
  return first == empty ? BT_LINE_TAKEN : first ? BT_LINE_OF_NEXT : empty ? BT_LINE_SKIPPED : BT_LINE_TAKEN;
}

static bt_line_kind cut_pdb(bt_records *records, bt_span line) {
  if (bt_span_starts(line, "MODEL ") || bt_span_equals(line, "MODEL") || bt_span_starts(line, "END   ") ||
      bt_span_equals(line, "END"))
    return BT_LINE_SKIPPED;
  return bt_span_starts(line, "ENDMDL") && !is_empty(&records->text) ? BT_LINE_LAST : BT_LINE_TAKEN;
}

static bt_line_kind cut_pdbqt(bt_records *records, bt_span line) {
  bt_span rest = line, word = bt_span_word(&rest);
  if (bt_span_equals(word, "MODEL")) {
    if (records->text.size > 0 && records->in_model) return BT_LINE_OF_NEXT;
    records->in_model = records->models = true;
    return BT_LINE_TAKEN;
  }
  bool atom = bt_span_starts(line, "ATOM") || bt_span_starts(line, "HETATM") || bt_span_equals(word, "ROOT");
  if (records->text.size == 0 && records->models && !atom) return BT_LINE_SKIPPED; /* remarks between models */
  return records->in_model && bt_span_equals(word, "ENDMDL") ? BT_LINE_LAST : BT_LINE_TAKEN;
}

static bt_status find_last(bt_records *records, bt_error *opt_error) {
  bt_span line;
  bool found;
  bt_error later; /* belongs to the next record and will recur with it */
  bt_status status = bt_stream_next(records->stream, &line, &found, &later);
  if (status == BT_ERR_MEMORY) return bt_fail_memory(opt_error);
  records->last = status == BT_OK && !found;
  if (status == BT_OK && found) bt_stream_back(records->stream);
  return BT_OK;
}

static bt_status check(const bt_records *records, bool too_long, bt_error *opt_error) {
  bt_where where = {.file = bt_stream_label(records->stream), .line = records->line};
  if (too_long)
    return bt_fail(opt_error, BT_ERR_LIMIT, where, "repair or leave out this record", "record %ld has more than 64 MiB",
                   records->number);
  if (bt_text_is_binary(records->text.data, records->text.size))
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use a text file", "record %ld is binary data", records->number);
  if (records->ends > 1)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "put the line $$$$ between molecules",
                   "record %ld contains %d molecules: the line $$$$ is missing", records->number, records->ends);
  return BT_OK;
}

bt_status bt_records_next(bt_records *records, bool *ret_found, bt_error *opt_error) {
  bt_text *text = &records->text;
  bool found = true, complete = false, too_long = false;
  text->size = 0;
  *ret_found = false;
  records->in_model = false;
  records->ends = 0;
  while (!complete) {
    bt_span line;
    BT_TRY(bt_stream_next(records->stream, &line, &found, opt_error));
    if (!found) break;
    bt_line_kind kind = records->format->cutter->line(records, line);
    if (kind == BT_LINE_OF_NEXT) {
      bt_stream_back(records->stream);
      break;
    }
    if (kind == BT_LINE_SKIPPED) continue;
    complete = kind == BT_LINE_LAST;
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
  BT_TRY(check(records, too_long, opt_error));
  if (records->format->cutter->convert == NULL) return BT_OK;
  bt_status status = records->format->cutter->convert(records, opt_error);
  if (status != BT_OK && !records->table.known) *ret_found = false; /* the whole table cannot be read */
  return status;
}

/* The file's name without ending, with the record's number when there are several. */
static bt_status name_by_file(const bt_records *records, const char *path, char **ret_name, bt_error *opt_error) {
  const char *base = strcmp(path, "-") == 0 ? "ligand" : bt_path_base(path);
  size_t size = strcspn(base, ".");
  if (records->format->is & BT_FORMAT_PREPARED) /* only the ending is removed, as it always was */
    size = strlen(base) - bt_format_ending(records->format, base);
  if (size == 0) base = "ligand", size = 6;
  bt_text text = {0};
  bt_text_add(&text, base, size);
  if (records->number > 1 || !records->last) bt_text_printf(&text, "_%ld", records->number);
  return bt_text_take(&text, ret_name, opt_error);
}

/* What follows the SMILES, without a block of CXSMILES ("|&1:2,4|"), which begins right behind it and may have blanks. */
static bt_span after_smiles(bt_span line) {
  bt_span_word(&line);
  line = bt_span_trim(line);
  if (line.size < 2 || line.text[0] != '|') return line;
  const char *end = memchr(line.text + 1, '|', line.size - 1);
  if (end == NULL) return line;
  size_t used = (size_t)(end - line.text) + 1;
  bool apart = used == line.size || line.text[used] == ' ' || line.text[used] == '\t';
  return apart ? bt_span_trim((bt_span){end + 1, line.size - used}) : line;
}

static bt_span line_of(bt_span text, int number) {
  bt_lines lines = bt_lines_of(text.text, text.size);
  bt_span line = {0};
  for (int i = 0; i < number; i++) bt_lines_next(&lines, &line);
  return line;
}

static bt_span title_of_sdf(bt_span text) { return line_of(text, 1); }
static bt_span title_of_mol2(bt_span text) { return line_of(text, 2); }

bt_span bt_title_of_smiles(bt_span text) {
  bt_span line = after_smiles(line_of(text, 1));
  const char *tab = line.size > 0 ? memchr(line.text, '\t', line.size) : NULL;
  if (tab != NULL) line.size = (size_t)(tab - line.text); /* a name may have blanks, but not further columns */
  return line;
}

bt_status bt_records_name(const bt_records *records, const char *path, char **ret_name, bt_error *opt_error) {
  const bt_cutter *cutter = records->format->cutter;
  bt_span line = {0};
  if (cutter->title != NULL) line = cutter->title((bt_span){records->text.data, records->text.size});
  BT_SCOPED char *name = bt_copy_text(line.text, line.size);
  if (name == NULL) return bt_fail_memory(opt_error);
  for (size_t i = 0; i < line.size; i++) /* keep a title's text after a NUL: it may be what makes it unique */
    if (name[i] == '\0') name[i] = ' ';
  line = bt_span_trim((bt_span){name, line.size});
  if (line.size == 0) return name_by_file(records, path, ret_name, opt_error);
  *ret_name = bt_copy_text(line.text, line.size);
  return *ret_name != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* The line "SMILES Name" that some files begin with? No SMILES has s, m and i in a row. */
static bt_record_kind kind_of_smiles(const bt_records *records) {
  bt_span text = {records->text.data, records->text.size}, word = bt_span_word(&text);
  for (size_t i = 0; records->line == 1 && i + 3 <= word.size; i++)
    if (bt_span_equals_ignoring_case((bt_span){word.text + i, 3}, "smi")) return BT_RECORD_HEADER;
  return BT_RECORD_LIGAND;
}

/* Whether a counts line, or that of V3000 after it, says 0 atoms. */
static bool counts_nothing(bt_span text) {
  bt_lines lines = bt_lines_of(text.text, text.size);
  bt_span line;
  bool v3000 = false;
  while (bt_lines_next(&lines, &line)) {
    int count;
    if (lines.number < 4) continue;
    if (lines.number == 4) {
      bt_span version = bt_span_trim(bt_span_columns(line, 33, 39));
      v3000 = bt_span_equals(version, "V3000");
      if (!v3000)
        return bt_parse_int(bt_span_trim(bt_span_columns(line, 0, 3)), &count) && count == 0 &&
               bt_parse_int(bt_span_trim(bt_span_columns(line, 3, 6)), &count) && count == 0;
    }
    bt_span_word(&line); /* M */
    bt_span_word(&line); /* V30 */
    if (bt_span_equals(bt_span_word(&line), "COUNTS")) return bt_parse_int(bt_span_word(&line), &count) && count == 0;
  }
  return false;
}

/* Complete but without atoms, or nothing but the line $$$$? */
static bt_record_kind kind_of_sdf(const bt_records *records) {
  size_t blank = strspn(records->text.data, " \t\r\n");
  bt_span text = {records->text.data, records->text.size}, rest = {text.text + blank, text.size - blank};
  bool empty = bt_span_starts(rest, "$$$$") ? strspn(rest.text + 4, " \t\r\n") == rest.size - 4
                                           : records->ends == 1 && counts_nothing(text);
  return empty ? BT_RECORD_EMPTY : BT_RECORD_LIGAND;
}

const bt_cutter bt_sdf_cutter = {cut_sdf, title_of_sdf, kind_of_sdf, NULL};
const bt_cutter bt_smiles_cutter = {cut_smiles, bt_title_of_smiles, kind_of_smiles, NULL};
const bt_cutter bt_mol2_cutter = {cut_mol2, title_of_mol2, NULL, NULL};
const bt_cutter bt_pdb_cutter = {cut_pdb, NULL, NULL, NULL};
const bt_cutter bt_pdbqt_cutter = {cut_pdbqt, NULL, NULL, NULL};

void bt_records_close(bt_records *records) {
  bt_stream_close(records->stream);
  bt_text_destroy(&records->text);
  bt_text_destroy(&records->properties);
  bt_text_list_destroy(&records->table.names);
  free(records->table.kept);
}
