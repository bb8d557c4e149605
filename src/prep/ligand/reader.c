/* reader.c - ligands from files, one after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/pdbqt.h"
#include "formats/records.h"
#include "prep/ligand/ligand.h"
#include "prep/ligand/reader.h"

struct bt_ligand_reader {
  bt_prepare_options options;
  char *template_smiles;
  char *path;
  bt_rules *rules;
  bt_records records;
  bool ended;
  char *name; /* of the record last read */
  /* A molecule with several conformers gives one ligand each. */
  bt_rdmol *mol;
  char *notes;
  int conformer, n_conformers;
  /* PDBQT is read at once. */
  bt_molecule **list;
  int list_at, list_count;
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
  } endings[] = {{".sdf", BT_LIGAND_SDF},    {".sd", BT_LIGAND_SDF},     {".mol", BT_LIGAND_SDF},
                 {".mol2", BT_LIGAND_MOL2},  {".smi", BT_LIGAND_SMILES}, {".smiles", BT_LIGAND_SMILES},
                 {".ism", BT_LIGAND_SMILES}, {".pdb", BT_LIGAND_PDB},    {".ent", BT_LIGAND_PDB},
                 {".pdbqt", BT_LIGAND_PDBQT}};
  bt_span name = bt_span_from(path);
  if (strcmp(path, "-") == 0) return BT_LIGAND_SDF;
  if (ends_with(name, ".gz")) name.size -= 3;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (ends_with(name, endings[i].ending)) return endings[i].format;
  return BT_LIGAND_AUTO;
}

static bt_status check_options(const bt_prepare_options *options, bt_error *opt_error) {
  if (!isnan(options->ph) && !(options->ph >= -2 && options->ph <= 16))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "give a pH from 0 to 14", "pH %g", options->ph);
  if (options->conformers < 0 || options->conformers > 10000)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "give 1 to 10000", "%d conformers", options->conformers);
  return BT_OK;
}

static bt_status create(const char *path, const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                        bt_error *opt_error) {
  BT_TRY(check_options(options, opt_error));
  bt_ligand_reader *reader = bt_allocate(1, sizeof *reader);
  if (reader == NULL) return bt_fail_memory(opt_error);
  *ret_reader = reader;
  reader->options = *options;
  reader->path = bt_copy_text(path, strlen(path));
  reader->name = bt_copy_text("", 0);
  if (reader->path == NULL || reader->name == NULL) return bt_fail_memory(opt_error);
  if (options->opt_template != NULL) {
    reader->template_smiles = bt_copy_text(options->opt_template, strlen(options->opt_template));
    if (reader->template_smiles == NULL) return bt_fail_memory(opt_error);
    reader->options.opt_template = reader->template_smiles;
  }
  reader->records.format = options->format;
  return BT_OK;
}

bt_status bt_ligand_check_rdkit(const char *opt_label, bt_error *opt_error) {
  if (*bt_rdkit_release() != '\0') return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = opt_label},
                 "install librdkit-dev and libboost-dev and build again, or give PDBQT", "this build has no RDKit");
}

static bt_status open_file(bt_ligand_reader *reader, const char *path, bt_error *opt_error) {
  bt_ligand_format *format = &reader->records.format;
  if (*format == BT_LIGAND_AUTO) *format = format_of(path);
  if (*format == BT_LIGAND_AUTO)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path},
                   "name it .sdf, .mol, .mol2, .smi, .pdb or .pdbqt, or say which format it has",
                   "the format cannot be told from the name");
  if (*format == BT_LIGAND_PDBQT)
    return bt_molecule_read(path, BT_MOLECULE_LIGAND, &reader->list, &reader->list_count, opt_error);
  BT_TRY(bt_ligand_check_rdkit(bt_file_label(path), opt_error));
  BT_TRY(bt_stream_open(path, &reader->records.stream, opt_error));
  return bt_rules_create(&reader->rules, opt_error);
}

bt_status bt_ligand_reader_open(const char *path, const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                bt_error *opt_error) {
  bt_ligand_reader *reader = NULL;
  bt_status status = create(path, options, &reader, opt_error);
  if (status == BT_OK) status = open_file(reader, path, opt_error);
  if (status == BT_OK)
    *ret_reader = reader;
  else
    bt_ligand_reader_close(reader);
  return status;
}

static bt_status open_text(bt_ligand_reader *reader, const char *text, size_t size, bt_error *opt_error) {
  if (reader->records.format == BT_LIGAND_AUTO)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = reader->path}, "say which format the text has",
                   "the format cannot be told from a text");
  if (reader->records.format == BT_LIGAND_PDBQT)
    return bt_molecule_from_memory(reader->path, text, size, BT_MOLECULE_LIGAND, &reader->list, &reader->list_count,
                                   opt_error);
  BT_TRY(bt_ligand_check_rdkit(reader->path, opt_error));
  BT_TRY(bt_stream_open_text(text, size, reader->path, &reader->records.stream, opt_error));
  return bt_rules_create(&reader->rules, opt_error);
}

bt_status bt_ligand_reader_open_text(const char *text, size_t size, const char *label,
                                     const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                     bt_error *opt_error) {
  bt_ligand_reader *reader = NULL;
  bt_status status = create(label, options, &reader, opt_error);
  if (status == BT_OK) status = open_text(reader, text, size, opt_error);
  if (status == BT_OK)
    *ret_reader = reader;
  else
    bt_ligand_reader_close(reader);
  return status;
}

static void forget_molecule(bt_ligand_reader *reader) {
  bt_rdmol_destroy(reader->mol);
  free(reader->notes);
  reader->mol = NULL;
  reader->notes = NULL;
  reader->conformer = reader->n_conformers = 0;
}

void bt_ligand_reader_close(bt_ligand_reader *opt_reader) {
  if (opt_reader == NULL) return;
  forget_molecule(opt_reader);
  bt_rules_destroy(opt_reader->rules);
  bt_records_close(&opt_reader->records);
  for (int i = opt_reader->list_at; i < opt_reader->list_count; i++) bt_molecule_destroy(opt_reader->list[i]);
  free(opt_reader->list);
  free(opt_reader->template_smiles);
  free(opt_reader->path);
  free(opt_reader->name);
  free(opt_reader);
}

/* ----------------------------------------------------------------------------------------- single records -- */

bt_status bt_ligand_reader_create(const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                  bt_error *opt_error) {
  bt_ligand_reader *reader = NULL;
  bt_status status = create("", options, &reader, opt_error);
  if (status == BT_OK) status = bt_ligand_check_rdkit(NULL, opt_error);
  if (status == BT_OK) status = bt_rules_create(&reader->rules, opt_error);
  if (status == BT_OK)
    *ret_reader = reader;
  else
    bt_ligand_reader_close(reader);
  return status;
}

bt_status bt_ligand_reader_feed(bt_ligand_reader *reader, const bt_ligand_record *record, bt_error *opt_error) {
  forget_molecule(reader);
  bt_records_close(&reader->records);
  reader->records = (bt_records){.format = record->format, .number = record->number - 1};
  reader->ended = false;
  reader->options.opt_template = record->format == BT_LIGAND_PDB ? reader->template_smiles : NULL;
  char *path = bt_copy_text(record->path, strlen(record->path));
  if (path == NULL) return bt_fail_memory(opt_error);
  free(reader->path);
  reader->path = path;
  BT_TRY(bt_stream_open_text(record->text, record->size, bt_file_label(path), &reader->records.stream, opt_error));
  bt_stream_set_line(reader->records.stream, record->line);
  return BT_OK;
}

/* ------------------------------------------------------------------------------------------------ reading -- */

static bt_status set_name(bt_ligand_reader *reader, const char *name, size_t size, bt_error *opt_error) {
  char *copy = bt_copy_text(name, size);
  if (copy == NULL) return bt_fail_memory(opt_error);
  free(reader->name);
  reader->name = copy;
  return BT_OK;
}

/* What can be known of the name without chemistry, so that errors have it. */
static bt_status guess_name(bt_ligand_reader *reader, bt_error *opt_error) {
  char *name;
  BT_TRY(bt_records_name(&reader->records, reader->path, &name, opt_error));
  free(reader->name);
  reader->name = name;
  return BT_OK;
}

static bt_status parse(bt_ligand_reader *reader, bt_where where, bt_rdmol **ret_mol, bt_error *opt_error) {
  const bt_text *text = &reader->records.text;
  const char *pattern = reader->options.opt_template;
  switch (reader->records.format) {
    case BT_LIGAND_MOL2:
      BT_TRY(bt_mol2_check(text->data, text->size, where, opt_error));
      return bt_rdmol_read(BT_RD_MOL2, text->data, text->size, where, pattern, ret_mol, opt_error);
    case BT_LIGAND_SMILES: {
      bt_span line = {text->data, text->size}, word = bt_span_word(&line);
      return bt_rdmol_read(BT_RD_SMILES, word.text, word.size, where, NULL, ret_mol, opt_error);
    }
    case BT_LIGAND_PDB:
      if (pattern == NULL)
        return bt_fail(opt_error, BT_ERR_USAGE, where, "give its SMILES as template, or an SDF or MOL2 file",
                       "a PDB file has no bond orders");
      return bt_rdmol_read(BT_RD_PDB, text->data, text->size, where, pattern, ret_mol, opt_error);
    default: return bt_rdmol_read(BT_RD_SDF, text->data, text->size, where, pattern, ret_mol, opt_error);
  }
}

/* The reason with the record's number and name: a line number alone says little in a library of compounds. */
static void name_record(const bt_ligand_reader *reader, bt_error *opt_error) {
  if (opt_error == NULL) return;
  bt_text text = {0};
  bt_text_printf(&text, "record %ld (%.80s): %s", reader->records.number, reader->name, opt_error->message);
  if (!text.failed) bt_span_copy((bt_span){text.data, text.size}, opt_error->message, sizeof opt_error->message);
  bt_text_destroy(&text);
}

static bt_status prepare_record(bt_ligand_reader *reader, bt_where where, bt_error *opt_error) {
  forget_molecule(reader);
  BT_TRY(parse(reader, where, &reader->mol, opt_error));
  BT_TRY(bt_ligand_complete(reader->mol, reader->rules, &reader->options, where, &reader->notes, opt_error));
  reader->n_conformers = bt_rdmol_conformer_count(reader->mol);
  if (reader->n_conformers < 1) reader->n_conformers = 1;
  return BT_OK;
}

static bt_status next_conformer(bt_ligand_reader *reader, bt_where where, bt_molecule **ret_molecule,
                                bt_error *opt_error) {
  int conformer = reader->conformer++;
  bt_text name = {0};
  bt_text_add_string(&name, reader->name);
  if (reader->n_conformers > 1) bt_text_printf(&name, "_c%d", conformer + 1);
  bt_status status = bt_text_status(&name, opt_error);
  if (status == BT_OK)
    status = bt_ligand_from_conformer(reader->mol, conformer, reader->notes, reader->rules, &reader->options, where,
                                      name.data, ret_molecule, opt_error);
  bt_text_destroy(&name);
  if (status != BT_OK || reader->conformer == reader->n_conformers) forget_molecule(reader);
  return status;
}

static bool is_final(bt_status status) {
  return status != BT_OK && status != BT_ERR_INPUT && status != BT_ERR_PARAMETER && status != BT_ERR_LIMIT;
}

bt_status bt_ligand_reader_next(bt_ligand_reader *reader, bt_molecule **ret_molecule, bt_error *opt_error) {
  *ret_molecule = NULL;
  if (reader->list_at < reader->list_count) {
    *ret_molecule = reader->list[reader->list_at++];
    bt_error ignored; /* without remarks there is no SDF of its poses, which is no error yet */
    if (bt_molecule_find_chemistry(*ret_molecule, &ignored) != BT_OK) ignored.status = BT_OK;
    return set_name(reader, (*ret_molecule)->name, strlen((*ret_molecule)->name), opt_error);
  }
  if (reader->ended || reader->records.stream == NULL) return BT_OK;
  bt_where where = {.file = bt_stream_label(reader->records.stream), .line = reader->records.line};
  bt_status status = BT_OK;
  for (bool again = reader->mol == NULL; again && status == BT_OK;) {
    bool found;
    status = bt_records_next(&reader->records, &found, opt_error);
    if (status == BT_OK && !found) {
      reader->ended = true;
      return BT_OK;
    }
    where.line = reader->records.line;
    again = false;
    if (status == BT_OK) status = guess_name(reader, opt_error);
    if (status == BT_OK) status = prepare_record(reader, where, opt_error);
    if (status == BT_ERR_INPUT && bt_records_is_header(&reader->records)) {
      reader->records.number--;
      status = BT_OK;
      again = true;
    }
  }
  if (status == BT_OK) status = next_conformer(reader, where, ret_molecule, opt_error);
  if (status != BT_OK) {
    forget_molecule(reader);
    if (is_final(status))
      reader->ended = true;
    else
      name_record(reader, opt_error);
  }
  return status;
}

long bt_ligand_reader_record(const bt_ligand_reader *reader) {
  return reader->list != NULL ? reader->list_at : reader->records.number;
}
long bt_ligand_reader_line(const bt_ligand_reader *reader) { return reader->records.line; }
const char *bt_ligand_reader_name(const bt_ligand_reader *reader) { return reader->name; }
