/* table.c - tables with a column of SMILES (CSV, TSV): rows become records of SMILES and name.
 *
 * The first line names the columns. Columns are separated by the comma, semicolon or tab that is most frequent there.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/csv.h"
#include "formats/properties.h"
#include "formats/records.h"

/* Usual headings, without blanks, underscores and hyphens, in the order in which they are looked for. */
static const char *const smiles_headings[] = {"smiles", "cxsmiles",   "isomericsmiles", "canonicalsmiles",
                                              "smi",    "smilescode", "structure",      NULL};
static const char *const name_headings[] = {
    "name",     "id",     "title",    "moleculename",     "compoundname",  "catalogid", "compoundid", "moleculeid",
    "idnumber", "zincid", "chemblid", "moleculechemblid", "catalognumber", "code",      NULL};

/* A field in quotes may have line breaks. */
static bt_line_kind cut_table(bt_records *records, bt_span line) {
  if (records->text.size == 0) records->quotes = 0;
  if (records->text.size == 0 && bt_span_trim(line).size == 0) return BT_LINE_SKIPPED;
  for (size_t i = 0; i < line.size; i++) records->quotes += line.text[i] == '"';
  return records->quotes % 2 != 0 ? BT_LINE_TAKEN : BT_LINE_LAST;
}

static bool is_heading(const char *field, const char *word) {
  for (; *field != '\0'; field++) {
    if (*field == ' ' || *field == '_' || *field == '-') continue;
    if (tolower((unsigned char)*field) != *word++) return false;
  }
  return *word == '\0';
}

/* The column with this heading, in any case; -1: none. */
static int find_given(bt_csv_row row, const char *heading) {
  for (size_t i = 0; i < row.count; i++)
    if (bt_span_equals_ignoring_case(bt_span_trim(bt_span_from(row.fields[i])), heading)) return (int)i;
  return -1;
}

static int find_usual(bt_csv_row row, const char *const *headings) {
  for (; *headings != NULL; headings++)
    for (size_t i = 0; i < row.count; i++)
      if (is_heading(row.fields[i], *headings)) return (int)i;
  return -1;
}

static int find_containing(bt_csv_row row, const char *word, int except) {
  for (size_t i = 0; i < row.count; i++)
    for (const char *at = row.fields[i]; *at != '\0' && (int)i != except; at++)
      if (bt_span_equals_ignoring_case((bt_span){at, strnlen(at, strlen(word))}, word)) return (int)i;
  return -1;
}

static char separator_of(bt_span line) {
  static const char candidates[] = {',', '\t', ';'};
  size_t most = 0;
  char best = ',';
  for (size_t k = 0; k < sizeof candidates; k++) {
    size_t count = 0;
    for (size_t i = 0; i < line.size; i++) count += line.text[i] == candidates[k];
    if (count <= most) continue;
    most = count;
    best = candidates[k];
  }
  return best;
}

/* Every column that --keep-fields names must be there; "all" are those besides SMILES and name. */
static bt_status find_kept(bt_records *records, bt_csv_row row, bt_where where, bt_error *opt_error) {
  bt_table *table = &records->table;
  const char *list = records->opt_keep_fields;
  if (list == NULL) return BT_OK;
  free(table->kept); /* of headings that were refused */
  bt_text_list_destroy(&table->names);
  table->names = (bt_text_list){0};
  table->n_kept = 0;
  table->kept = bt_allocate(row.count, sizeof *table->kept);
  if (table->kept == NULL) return bt_fail_memory(opt_error);
  bool all = bt_properties_want(list, (bt_span){"", 0});
  for (int i = 0; i < (int)row.count; i++) {
    bt_span name = bt_span_trim(bt_span_from(bt_csv_plain(row.fields[i])));
    bool own = all && (i == table->smiles || i == table->name);
    if (name.size == 0 || own || !bt_properties_want(list, name)) continue;
    BT_TRY(bt_text_list_add(&table->names, name, opt_error));
    table->kept[table->n_kept++] = i;
  }
  for (const char *at = list; *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
    bt_span word = bt_span_trim((bt_span){at, strcspn(at, ",")});
    bool found = bt_span_equals(word, "all") || word.size == 0;
    for (int k = 0; !found && k < table->names.count; k++)
      found = bt_span_equals_ignoring_case(word, table->names.items[k]);
    if (!found)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "name headings of its first line in --keep-fields, or all",
                     "no column %.*s in this table", BT_SHOWN(word));
  }
  return BT_OK;
}

static bt_status find_columns(bt_records *records, bt_csv_row row, bt_where where, bt_error *opt_error) {
  const char *smiles = records->opt_smiles_field, *name = records->opt_name_field;
  bt_table *table = &records->table;
  table->smiles = smiles != NULL ? find_given(row, smiles) : find_usual(row, smiles_headings);
  if (table->smiles < 0 && smiles == NULL) table->smiles = find_containing(row, "smiles", -1);
  if (table->smiles < 0 && smiles != NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use a heading of its first line", "no column %.100s in this table",
                   smiles);
  if (table->smiles < 0)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "name the column with --smiles-field, or use .smi without headings",
                   "the first line of this table has no heading for SMILES");
  table->name = name != NULL ? find_given(row, name) : find_usual(row, name_headings);
  if (table->name < 0 && name != NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use a heading of its first line", "no column %.100s in this table",
                   name);
  if (table->name < 0) table->name = find_containing(row, "name", table->smiles);
  if (table->name == table->smiles) table->name = -1;
  BT_TRY(find_kept(records, row, where, opt_error));
  table->known = true;
  return BT_OK;
}

static void add_field(bt_text *text, const char *field) {
  for (field = bt_csv_plain(field); *field != '\0'; field++)
    bt_text_add_char(text, *field == '\t' || *field == '\n' || *field == '\r' ? ' ' : *field);
}

static bt_status take_row(bt_records *records, bt_csv_row row, bt_where where, bt_error *opt_error) {
  const bt_table *table = &records->table;
  if ((size_t)table->smiles >= row.count || bt_span_trim(bt_span_from(row.fields[table->smiles])).size == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "complete or leave out this row", "record %ld has no SMILES",
                   records->number);
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  add_field(&text, row.fields[table->smiles]);
  if (table->name >= 0 && (size_t)table->name < row.count) {
    bt_text_add_char(&text, ' ');
    add_field(&text, row.fields[table->name]);
  }
  bt_text_add_char(&text, '\n');
  BT_TRY(bt_text_status(&text, opt_error));
  for (int k = 0; k < table->n_kept; k++)
    if ((size_t)table->kept[k] < row.count)
      bt_properties_add(&records->properties, bt_span_from(table->names.items[k]),
                        bt_span_from(bt_csv_plain(row.fields[table->kept[k]])));
  BT_TRY(bt_text_status(&records->properties, opt_error));
  bt_text other = records->text;
  records->text = text;
  text = other;
  return BT_OK;
}

static bt_status convert_table(bt_records *records, bt_error *opt_error) {
  const bt_where where = {.file = bt_stream_label(records->stream), .line = records->line};
  bt_span text = {records->text.data, records->text.size};
  bt_table *table = &records->table;
  records->properties.size = 0;
  table->heading = !table->known;
  if (table->heading && bt_span_starts(text, "\xEF\xBB\xBF")) text = (bt_span){text.text + 3, text.size - 3};
  if (table->heading) table->separator = separator_of(text);
  bt_csv csv = bt_csv_of(text.text, text.size);
  bt_csv_row row;
  csv.separator = table->separator;
  bt_status status = bt_csv_next(&csv, &row) ? BT_OK : bt_fail_memory(opt_error);
  if (status == BT_OK) status = (table->heading ? find_columns : take_row)(records, row, where, opt_error);
  bt_csv_end(&csv);
  return status;
}

static bt_record_kind kind_of_row(const bt_records *records) {
  return records->table.heading ? BT_RECORD_HEADER : BT_RECORD_LIGAND;
}

const bt_cutter bt_table_cutter = {cut_table, bt_title_of_smiles, kind_of_row, convert_table};
