/* reader.c - compounds from files of any kind, one after the other. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "engine/bude/conformers.h"
#include "engine/bude/library.h"
#include "engine/bude/state.h"
#include "formats/records.h"

struct bt_bude_reader {
  bt_bude *bude; /* borrowed */
  char *path, *name;
  bt_records records;
  bt_rules *rules;
  bt_bude_library_reader *library;
  long record;             /* of what was given last */
  bt_bude_compound *ahead; /* read, and perhaps joined by the next record's conformers */
  long ahead_record;
  bt_status ahead_status; /* the failure of a record behind it, told when its turn comes */
  bt_error ahead_error;
  char *ahead_name; /* of that record */
  bool ended;
};

/* ------------------------------------------------------------------------------------------------ opening -- */

static bool ends_with(bt_span text, const char *ending) {
  size_t size = strlen(ending);
  return text.size > size && bt_span_equals_ignoring_case((bt_span){text.text + text.size - size, size}, ending);
}

static bt_ligand_format format_of(const char *path) {
  static const struct {
    const char *ending;
    bt_ligand_format format;
  } endings[] = {{".mol2", BT_LIGAND_MOL2}, {".sdf", BT_LIGAND_SDF},    {".sd", BT_LIGAND_SDF},
                 {".mol", BT_LIGAND_SDF},   {".smi", BT_LIGAND_SMILES}, {".smiles", BT_LIGAND_SMILES},
                 {".ism", BT_LIGAND_SMILES}};
  bt_span name = bt_span_from(path);
  if (ends_with(name, ".gz")) name.size -= 3;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (ends_with(name, endings[i].ending)) return endings[i].format;
  return BT_LIGAND_AUTO;
}

static bt_status create(bt_bude *bude, const char *path, bt_bude_reader **ret_reader, bt_error *opt_error) {
  bt_bude_reader *reader = bt_allocate(1, sizeof *reader);
  if (reader == NULL) return bt_fail_memory(opt_error);
  *ret_reader = reader;
  reader->bude = bude;
  reader->path = bt_copy_text(path, strlen(path));
  reader->name = bt_copy_text("", 0);
  return reader->path != NULL && reader->name != NULL ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status set_format(bt_bude_reader *reader, bt_ligand_format format, bt_error *opt_error) {
  const bt_where where = {.file = bt_file_label(reader->path)};
  reader->records.format = format;
  if (format != BT_LIGAND_MOL2 && format != BT_LIGAND_SDF && format != BT_LIGAND_SMILES)
    return bt_fail(opt_error, BT_ERR_USAGE, where,
                   "give .mol2, .sdf or .smi files (also .gz), or a library of conformers",
                   "no format that the BUDE engine reads");
  if (*bt_rdkit_release() == '\0') {
    if (format != BT_LIGAND_MOL2)
      return bt_fail(opt_error, BT_ERR_USAGE, where,
                     "install librdkit-dev and libboost-dev and build again, or give MOL2 files",
                     "this build has no RDKit");
    return BT_OK;
  }
  return bt_rules_create(&reader->rules, opt_error);
}

static bt_status open_file(bt_bude_reader *reader, bt_error *opt_error) {
  const bt_bude *bude = reader->bude;
  if (bt_bude_library_is(reader->path))
    return bt_bude_library_open(reader->path, bude->forcefield, &reader->library, opt_error);
  bt_ligand_format format = strcmp(reader->path, "-") == 0 ? bude->options.ligands.format : format_of(reader->path);
  BT_TRY(set_format(reader, format, opt_error));
  return bt_stream_open(reader->path, &reader->records.stream, opt_error);
}

bt_status bt_bude_reader_open(bt_bude *bude, const char *path, bt_bude_reader **ret_reader, bt_error *opt_error) {
  bt_bude_reader *reader = NULL;
  bt_status status = create(bude, path, &reader, opt_error);
  if (status == BT_OK) status = open_file(reader, opt_error);
  if (status == BT_OK)
    *ret_reader = reader;
  else
    bt_bude_reader_close(reader);
  return status;
}

bt_status bt_bude_reader_open_text(bt_bude *bude, const char *text, size_t size, const char *label,
                                   bt_ligand_format format, bt_bude_reader **ret_reader, bt_error *opt_error) {
  bt_bude_reader *reader = NULL;
  bt_status status = create(bude, label, &reader, opt_error);
  if (status == BT_OK) status = set_format(reader, format, opt_error);
  if (status == BT_OK) status = bt_stream_open_text(text, size, label, &reader->records.stream, opt_error);
  if (status == BT_OK)
    *ret_reader = reader;
  else
    bt_bude_reader_close(reader);
  return status;
}

void bt_bude_reader_close(bt_bude_reader *opt_reader) {
  if (opt_reader == NULL) return;
  bt_records_close(&opt_reader->records);
  bt_rules_destroy(opt_reader->rules);
  bt_bude_library_close(opt_reader->library);
  bt_bude_compound_destroy(opt_reader->ahead);
  free(opt_reader->path);
  free(opt_reader->name);
  free(opt_reader->ahead_name);
  free(opt_reader);
}

/* ------------------------------------------------------------------------------------------------ reading -- */

static bt_status set_name(bt_bude_reader *reader, const char *name, size_t size, bt_error *opt_error) {
  char *copy = bt_copy_text(name, size);
  if (copy == NULL) return bt_fail_memory(opt_error);
  for (char *c = copy; *c != '\0'; c++)
    if ((unsigned char)*c < ' ') *c = '_';
  free(reader->name);
  reader->name = copy;
  return BT_OK;
}

/* The file's name without ending, with the record's number when there are several. */
static bt_status name_by_file(bt_bude_reader *reader, bt_error *opt_error) {
  const char *base = strcmp(reader->path, "-") == 0 ? "ligand" : bt_path_base(reader->path);
  size_t size = strcspn(base, ".");
  if (size == 0) base = "ligand", size = 6;
  bt_text text = {0};
  bt_text_add(&text, base, size);
  if (reader->records.number > 1 || !reader->records.last) bt_text_printf(&text, "_%ld", reader->records.number);
  bt_status status = bt_text_status(&text, opt_error);
  if (status == BT_OK) status = set_name(reader, text.data, text.size, opt_error);
  bt_text_destroy(&text);
  return status;
}

/* What the record calls its molecule. */
static bt_status name_record(bt_bude_reader *reader, bt_error *opt_error) {
  bt_lines lines = bt_lines_of(reader->records.text.data, reader->records.text.size);
  bt_span line = {0};
  bt_lines_next(&lines, &line);
  if (reader->records.format == BT_LIGAND_SMILES)
    bt_span_word(&line);
  else if (reader->records.format == BT_LIGAND_MOL2)
    do
      if (!bt_lines_next(&lines, &line)) line.size = 0;
    while (line.size > 0 && (line.text[0] == '#' || line.text[0] == '%'));
  line = bt_span_trim(line);
  return line.size > 0 ? set_name(reader, line.text, line.size, opt_error) : name_by_file(reader, opt_error);
}

/* "SMILES Name": the first line of some files. */
static bool is_header(const bt_bude_reader *reader) {
  bt_span text = {reader->records.text.data, reader->records.text.size}, word = bt_span_word(&text);
  if (reader->records.format != BT_LIGAND_SMILES || reader->records.line != 1) return false;
  for (size_t i = 0; i + 3 <= word.size; i++)
    if (bt_span_equals_ignoring_case((bt_span){word.text + i, 3}, "smi")) return true;
  return false;
}

static bt_status read_record(bt_bude_reader *reader, bt_bude_compound **ret_compound, bt_error *opt_error) {
  const bt_records *records = &reader->records;
  bt_bude_record record = {.format = records->format,
                           .where = {.file = bt_stream_label(records->stream), .line = records->line},
                           .text = records->text.data,
                           .size = records->text.size,
                           .name = reader->name};
  return records->format == BT_LIGAND_MOL2
           ? bt_bude_compound_from_mol2(&record, ret_compound, opt_error)
           : bt_bude_compound_from_chemistry(&record, reader->rules, &reader->bude->options, ret_compound, opt_error);
}

/* The next record as a compound; NULL at the end. */
static bt_status next_record(bt_bude_reader *reader, bt_bude_compound **ret_compound, bt_error *opt_error) {
  *ret_compound = NULL;
  bool found;
  BT_TRY(bt_records_next(&reader->records, &found, opt_error));
  if (!found) return BT_OK;
  BT_TRY(name_record(reader, opt_error));
  bt_status status = read_record(reader, ret_compound, opt_error);
  if (status == BT_ERR_INPUT && is_header(reader)) {
    reader->records.number--;
    return next_record(reader, ret_compound, opt_error);
  }
  return status;
}

/* A compound and the records behind it that are conformers of it. */
static bt_status gather(bt_bude_reader *reader, bt_bude_compound **ret_compound, bt_error *opt_error) {
  *ret_compound = reader->ahead;
  reader->ahead = NULL;
  reader->record = reader->ahead_record;
  if (reader->ahead_status != BT_OK) {
    bt_status status = reader->ahead_status;
    reader->ahead_status = BT_OK;
    if (opt_error != NULL) *opt_error = reader->ahead_error;
    if (reader->ahead_name != NULL) {
      free(reader->name);
      reader->name = reader->ahead_name;
      reader->ahead_name = NULL;
    }
    return status;
  }
  if (*ret_compound == NULL) {
    bt_status status = next_record(reader, ret_compound, opt_error);
    reader->record = reader->records.number;
    if (status != BT_OK || *ret_compound == NULL) return status;
  }
  while (reader->records.format != BT_LIGAND_SMILES) {
    bt_bude_compound *next;
    reader->ahead_status = next_record(reader, &next, &reader->ahead_error);
    reader->ahead_record = reader->records.number;
    if (reader->ahead_status != BT_OK) reader->ahead_name = bt_copy_text(reader->name, strlen(reader->name));
    if (reader->ahead_status != BT_OK || next == NULL) break;
    if (!bt_bude_compound_same(*ret_compound, next)) {
      reader->ahead = next;
      break;
    }
    bt_status status = bt_bude_compound_join(*ret_compound, next, opt_error);
    bt_bude_compound_destroy(next);
    if (status != BT_OK) return status;
  }
  return BT_OK;
}

/* Types, and conformers where one is given. */
static bt_status complete(bt_bude_reader *reader, bt_bude_compound *c, bt_error *opt_error) {
  BT_TRY(set_name(reader, c->name, strlen(c->name), opt_error));
  BT_TRY(bt_bude_compound_type(c, &reader->bude->typing, opt_error));
  if (reader->library != NULL) return BT_OK;
  return bt_bude_compound_make_conformers(c, &reader->bude->options, opt_error);
}

static bool is_final(bt_status status) {
  return status != BT_OK && status != BT_ERR_INPUT && status != BT_ERR_PARAMETER && status != BT_ERR_LIMIT;
}

bt_status bt_bude_reader_next(bt_bude_reader *reader, bt_bude_compound **ret_compound, bt_error *opt_error) {
  *ret_compound = NULL;
  if (reader->ended) return BT_OK;
  bt_status status;
  if (reader->library != NULL) {
    status = bt_bude_library_next(reader->library, ret_compound, opt_error);
    reader->record++;
    reader->ended = status != BT_OK;
  } else {
    status = gather(reader, ret_compound, opt_error);
  }
  if (status == BT_OK && *ret_compound != NULL) status = complete(reader, *ret_compound, opt_error);
  if (status != BT_OK) {
    bt_bude_compound_destroy(*ret_compound);
    *ret_compound = NULL;
  }
  reader->ended = reader->ended || is_final(status) || (status == BT_OK && *ret_compound == NULL);
  return status;
}

long bt_bude_reader_record(const bt_bude_reader *reader) { return reader->record; }
const char *bt_bude_reader_name(const bt_bude_reader *reader) { return reader->name; }
