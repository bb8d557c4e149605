/* records.h - splits multi-molecule files into the texts of single molecules without parsing them.
 *
 * A malformed record does not affect the following ones: record separators are searched for literally. */
#ifndef BERTH_FORMATS_RECORDS_H
#define BERTH_FORMATS_RECORDS_H

#include "base/files/stream.h"
#include "formats/format.h"

/* A record detached from its file; everything is borrowed. */
typedef struct bt_record {
  const bt_format *format;
  const char *path, *name; /* of its file, as in bt_stream_open, for messages; of its molecule */
  const char *text;
  size_t size;
  long line, number; /* its first line and its number in the file, from 1 */
  const char *opt_template; /* SMILES that has its bond orders */
} bt_record;

/* Of a table: its columns, from 0 (name -1: none), once its headings were read. */
typedef struct bt_table {
  bool known, heading; /* heading: the record last read has the headings */
  char separator;
  int smiles, name;
  int *kept; /* [n_kept] columns whose values are properties of the ligands; owned, as their names are */
  int n_kept;
  bt_text_list names;
} bt_table;

typedef struct bt_records {
  bt_stream *stream; /* owned */
  const bt_format *format; /* with a cutter */
  bt_text text;      /* of the record last read */
  long number;       /* of it, from 1 */
  long line;         /* its first line */
  bool last;         /* nothing but blank lines follows it */
  int ends;              /* of SDF: its lines M  END */
  bool in_model, models; /* of PDBQT: the record has its MODEL line; some record had one */
  size_t quotes;         /* of a table: in the record so far */
  bt_table table;
  const char *opt_smiles_field, *opt_name_field; /* headings of a table's columns; borrowed */
  const char *opt_keep_fields; /* columns that are kept, as in bt_properties_want; borrowed; NULL: none */
  bt_text properties;          /* of the row last read (formats/properties.h) */
} bt_records;

/* Reads the next record into records->text; *ret_found is false at the end. A record of more than 64 MiB is
 * BT_ERR_LIMIT, binary data BT_ERR_INPUT; both are skipped by the next call. */
bt_status bt_records_next(bt_records *records, bool *ret_found, bt_error *opt_error) BT_MUST_USE;
/* The record's own name, or that of the file without folder and ending, with the record's number unless it is the only
 * one. Determined without chemistry, so that errors can show it too; free() it. path: as in bt_stream_open. */
bt_status bt_records_name(const bt_records *records, const char *path, char **ret_name,
                          bt_error *opt_error) BT_MUST_USE;
void bt_records_close(bt_records *records);

extern const bt_cutter bt_sdf_cutter, bt_smiles_cutter, bt_mol2_cutter, bt_pdb_cutter;
extern const bt_cutter bt_pdbqt_cutter; /* one record per MODEL, or the whole file */
extern const bt_cutter bt_table_cutter; /* rows of CSV and TSV, converted to records of SMILES */
bt_span bt_title_of_smiles(bt_span text);

#endif
