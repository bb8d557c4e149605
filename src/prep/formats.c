/* formats.c - every format of ligands and structures: a row, and a line in FORMATS or CONTAINERS. */
#include "prep/formats.h"

#include <stdio.h>
#include <string.h>

#include "formats/pdbqt/pdbqt.h"
#include "prep/ligand/preparer.h"

/* Those whose records can come from standard input, by their words; the first is the usual one there. */
#define FORMATS(X) \
  X(pdbqt) \
  X(sdf) \
  X(mol2) \
  X(smiles) \
  X(csv) \
  X(pdb)
#define CONTAINERS(X) \
  X(cif) \
  X(tar) \
  X(btl)

static bt_status read_pdb(const bt_record *record, bool to_embed, bt_where where, bt_rdmol **ret_mol,
                          bt_error *opt_error) {
  (void)to_embed;
  if (record->opt_template == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, where, "provide its SMILES as template, or an SDF or MOL2 file",
                   "a PDB file has no bond orders");
  return bt_rdmol_read(BT_RD_PDB, record->text, record->size, where, record->opt_template, ret_mol, opt_error);
}

static bt_status read_sdf(const bt_record *record, bool to_embed, bt_where where, bt_rdmol **ret_mol,
                          bt_error *opt_error) {
  (void)to_embed;
  BT_TRY(bt_sdf_check(record->text, record->size, where, opt_error));
  BT_TRY(bt_sdf_check_queries(record->text, record->size, where, opt_error));
  return bt_rdmol_read(BT_RD_SDF, record->text, record->size, where, record->opt_template, ret_mol, opt_error);
}

static bt_status read_mol2(const bt_record *record, bool to_embed, bt_where where, bt_rdmol **ret_mol,
                           bt_error *opt_error) {
  (void)to_embed;
  return bt_mol2_read_molecule(record->text, record->size, where, ret_mol, opt_error);
}

/* A SMILES with the CXSMILES block behind it, if there is one. */
static bt_span smiles_of(bt_span line) {
  bt_span word = bt_span_word(&line), all = word;
  size_t at = 0;
  while (at < line.size && (line.text[at] == ' ' || line.text[at] == '\t')) at++;
  if (at == line.size || line.text[at] != '|') return word;
  for (size_t end = at + 1; end < line.size && line.text[end] != '\n'; end++)
    if (line.text[end] == '|') {
      all.size = (size_t)(line.text + end + 1 - word.text);
      break;
    }
  return all;
}

static bt_status read_smiles(const bt_record *record, bool to_embed, bt_where where, bt_rdmol **ret_mol,
                             bt_error *opt_error) {
  bt_span line = {record->text, record->size}, smiles = smiles_of(line), word = bt_span_word(&line);
  BT_TRY(bt_smiles_check(word, to_embed, where, opt_error));
  BT_TRY(bt_smiles_check_block(bt_span_trim(line), where, opt_error));
  return bt_rdmol_read(BT_RD_SMILES, smiles.text, smiles.size, where, NULL, ret_mol, opt_error);
}

static bt_status parse_pdbqt(const bt_record *record, bt_molecules *list, bt_error *opt_error) {
  bt_molecule **parsed;
  int count;
  BT_TRY(bt_molecule_from_memory(record->path, record->text, record->size, BT_MOLECULE_LIGAND, &parsed, &count,
                                 opt_error));
  *list = (bt_molecules){.items = parsed, .count = (size_t)count, .room = (size_t)count};
  return BT_OK;
}

#define DECLARE(word) extern const bt_format bt_format_##word;
FORMATS(DECLARE)

enum { BONDED = BT_FORMAT_LIGANDS | BT_FORMAT_BONDS };
const bt_format bt_format_sdf = {".sdf .sd .mol", BONDED, 1, &bt_sdf_cutter, .read = read_sdf};
const bt_format bt_format_mol2 = {".mol2", BONDED, 2, &bt_mol2_cutter, .read = read_mol2};
const bt_format bt_format_smiles = {".smi .smiles .ism .cxsmiles", BONDED | BT_FORMAT_FLAT, 3, &bt_smiles_cutter,
                                    .read = read_smiles};
const bt_format bt_format_csv = {".csv .tsv .tab", BONDED | BT_FORMAT_FLAT | BT_FORMAT_TABLE, 6, &bt_table_cutter, .read = read_smiles};
const bt_format bt_format_pdb = {".pdb .ent", BT_FORMAT_LIGANDS | BT_FORMAT_STRUCTURE, 4, &bt_pdb_cutter,
                                 .read = read_pdb};
const bt_format bt_format_pdbqt = {".pdbqt", BT_FORMAT_LIGANDS | BT_FORMAT_PREPARED, 5, &bt_pdbqt_cutter,
                                   .parse = parse_pdbqt};
static const bt_format bt_format_cif = {".cif .mmcif", BT_FORMAT_STRUCTURE, .number = 0};
static const bt_format bt_format_tar = {".tar .tgz .tbz2", BT_FORMAT_ARCHIVE, .number = 0};
static const bt_format bt_format_btl = {".btl", BT_FORMAT_LIBRARY, .number = 0};

#define ROW(word) &bt_format_##word,
#define WORD(word) #word,
#define CHOICE(word) "|" #word
static const bt_format *const rows[] = {FORMATS(ROW) CONTAINERS(ROW)};
static const char *const words[] = {FORMATS(WORD) NULL};
enum { ROWS = sizeof rows / sizeof *rows };

const char *bt_format_choices(void) { return &(FORMATS(CHOICE))[1]; }
const char *bt_format_word(int index) { return words[index]; }

const bt_format *bt_format_of(const char *path) {
  for (int i = 0; i < ROWS; i++)
    if (bt_format_ending(rows[i], path) > 0) return rows[i];
  return NULL;
}

const bt_format *bt_format_find(const char *opt_word) {
  for (int i = 0; opt_word != NULL && words[i] != NULL; i++)
    if (strcmp(words[i], opt_word) == 0) return rows[i];
  return NULL;
}

bool bt_format_is(const bt_format *opt_format, unsigned any) {
  return opt_format != NULL && (opt_format->is & any) != 0;
}
bool bt_is_library_file(const char *path) {
  return bt_format_is(bt_format_of(path), BT_FORMAT_LIBRARY | BT_FORMAT_ARCHIVE);
}
bool bt_is_structure_file(const char *path) { return bt_format_is(bt_format_of(path), BT_FORMAT_STRUCTURE); }

size_t bt_ligand_file_ending(const char *path) {
  const bt_format *format = bt_format_of(path);
  return bt_format_is(format, BT_FORMAT_LIGANDS) ? bt_format_ending(format, path) : 0;
}

bt_format_advice bt_format_advise(const char *before, unsigned any, unsigned none) {
  bt_format_advice advice;
  int n = 0, at = snprintf(advice.text, sizeof advice.text, "%s", before), all = 0;
  for (int i = 0; i < ROWS; i++) all += bt_format_is(rows[i], any) && !bt_format_is(rows[i], none);
  for (int i = 0; i < ROWS && at < (int)sizeof advice.text; i++) {
    if (!bt_format_is(rows[i], any) || bt_format_is(rows[i], none)) continue;
    const char *comma = n == 0 ? " " : n + 1 == all ? " or " : ", ";
    at += snprintf(advice.text + at, sizeof advice.text - (size_t)at, "%s%.*s", comma,
                   (int)strcspn(rows[i]->endings, " "), rows[i]->endings);
    n++;
  }
  return advice;
}
