/* records.c - boundaries between the molecules of a file. */
#include "formats/records.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"

enum { LARGEST_RECORD = 1 << 26 };

static bool is_blank(bt_span line) { return bt_span_trim(line).size == 0; }

static bool starts_pdb_model(bt_span line) { return bt_span_starts(line, "MODEL ") || bt_span_equals(line, "MODEL"); }

static bool begins_with_word(bt_span line, const char *word) { return bt_span_equals(bt_span_word(&line), word); }

static bool is_pdbqt_atom(bt_span line) {
  return bt_span_starts(line, "ATOM") || bt_span_starts(line, "HETATM") || begins_with_word(line, "ROOT");
}

/* Does this line, not yet consumed, start the next record? */
static bool begins_next(const bt_records *records, bt_span line) {
  if (records->text.size == 0) return false;
  if (records->format == BT_LIGAND_PDBQT) return records->in_model && begins_with_word(line, "MODEL");
  return records->format == BT_LIGAND_MOL2 && bt_span_starts(line, "@<TRIPOS>MOLECULE");
}

/* Is the record complete with this line? */
static bool ends_record(const bt_records *records, bt_span line) {
  switch (records->format) {
    case BT_LIGAND_SDF: return bt_span_starts(line, "$$$$");
    case BT_LIGAND_SMILES: return true;
    case BT_LIGAND_PDB: return bt_span_starts(line, "ENDMDL");
    case BT_LIGAND_PDBQT: return records->in_model && begins_with_word(line, "ENDMDL");
    default: return false;
  }
}

/* Lines between records that carry nothing. Blank lines may begin an SDF record: its title is empty then. */
static bool is_skipped(const bt_records *records, bt_span line) {
  switch (records->format) {
    case BT_LIGAND_SMILES: return is_blank(line) || line.text[0] == '#';
    case BT_LIGAND_MOL2: return records->text.size == 0 && !bt_span_starts(line, "@<TRIPOS>MOLECULE");
    case BT_LIGAND_PDB: return starts_pdb_model(line) || bt_span_starts(line, "END   ") || bt_span_equals(line, "END");
    case BT_LIGAND_PDBQT: /* remarks between models belong to none */
      return records->text.size == 0 && records->models && !begins_with_word(line, "MODEL") && !is_pdbqt_atom(line);
    default: return false;
  }
}

static bool is_empty(const bt_text *text) { return text->size == 0 || strspn(text->data, " \t\r\n") == text->size; }

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
    if (records->format == BT_LIGAND_PDBQT && begins_with_word(line, "MODEL"))
      records->in_model = records->models = true;
    if (records->format == BT_LIGAND_SDF && bt_span_starts(line, "M  END")) records->ends++;
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

/* The file's name without ending, with the record's number when there are several. */
static bt_status name_by_file(const bt_records *records, const char *path, char **ret_name, bt_error *opt_error) {
  const char *base = strcmp(path, "-") == 0 ? "ligand" : bt_path_base(path);
  size_t size = strcspn(base, ".");
  if (records->format == BT_LIGAND_PDBQT) { /* only the ending is removed, as it always was */
    size = strlen(base);
    if (size > 3 && bt_span_equals_ignoring_case((bt_span){base + size - 3, 3}, ".gz")) size -= 3;
    if (size > 6 && bt_span_equals_ignoring_case((bt_span){base + size - 6, 6}, ".pdbqt")) size -= 6;
  }
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

bt_status bt_records_name(const bt_records *records, const char *path, char **ret_name, bt_error *opt_error) {
  bt_lines lines = bt_lines_of(records->text.data, records->text.size);
  bt_span line = {0};
  const char *tab;
  bt_lines_next(&lines, &line);
  switch (records->format) {
    case BT_LIGAND_SMILES:
      line = after_smiles(line);
      tab = line.size > 0 ? memchr(line.text, '\t', line.size) : NULL;
      if (tab != NULL) line.size = (size_t)(tab - line.text); /* a name may have blanks, but not further columns */
      break;
    case BT_LIGAND_MOL2: bt_lines_next(&lines, &line); break;
    case BT_LIGAND_SDF: break;
    default: line.size = 0;
  }
  BT_SCOPED char *name = bt_copy_text(line.text, line.size);
  if (name == NULL) return bt_fail_memory(opt_error);
  for (size_t i = 0; i < line.size; i++) /* keep a title's text after a NUL: it may be what makes it unique */
    if (name[i] == '\0') name[i] = ' ';
  line = bt_span_trim((bt_span){name, line.size});
  if (line.size == 0) return name_by_file(records, path, ret_name, opt_error);
  *ret_name = bt_copy_text(line.text, line.size);
  return *ret_name != NULL ? BT_OK : bt_fail_memory(opt_error);
}

bool bt_records_is_header(const bt_records *records) {
  if (records->format != BT_LIGAND_SMILES || records->line != 1) return false;
  bt_span text = {records->text.data, records->text.size}, word = bt_span_word(&text);
  for (size_t i = 0; i + 3 <= word.size; i++)
    if (bt_span_equals_ignoring_case((bt_span){word.text + i, 3}, "smi")) return true;
  return false;
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

bool bt_records_is_empty(const bt_records *records) {
  if (records->format != BT_LIGAND_SDF) return false;
  size_t blank = strspn(records->text.data, " \t\r\n");
  bt_span text = {records->text.data, records->text.size}, rest = {text.text + blank, text.size - blank};
  if (bt_span_starts(rest, "$$$$")) return strspn(rest.text + 4, " \t\r\n") == rest.size - 4;
  return records->ends == 1 && counts_nothing(text);
}

void bt_records_close(bt_records *records) {
  bt_stream_close(records->stream);
  bt_text_destroy(&records->text);
}
