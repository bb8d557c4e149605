/* format.h - what a format of files is: a row of prep/formats.c. */
#ifndef BERTH_FORMATS_FORMAT_H
#define BERTH_FORMATS_FORMAT_H

#include <berth/format.h>

#include "base/status.h"
#include "base/text/text.h"

struct bt_records;
struct bt_record;
struct bt_rdmol;
struct bt_molecules;

typedef enum bt_line_kind { BT_LINE_TAKEN, BT_LINE_LAST, BT_LINE_SKIPPED, BT_LINE_OF_NEXT } bt_line_kind;
typedef enum bt_record_kind { BT_RECORD_LIGAND, BT_RECORD_HEADER, BT_RECORD_EMPTY } bt_record_kind;

/* How a file is cut into records, without chemistry (records.c). */
typedef struct bt_cutter {
  /* What a line is to the record in records->text; may note it there. */
  bt_line_kind (*line)(struct bt_records *records, bt_span line);
  /* The record's own name; NULL: it has none. */
  bt_span (*title)(bt_span text);
  /* Records that are no ligands; NULL: all are. */
  bt_record_kind (*kind)(const struct bt_records *records);
  /* Makes the record's text that of the format's read; NULL: it is already. */
  bt_status (*convert)(struct bt_records *records, bt_error *opt_error);
} bt_cutter;

/* A row; its word in bt_prepare_options is that of its line in FORMATS. */
struct bt_format {
  const char *endings; /* ".sdf .sd .mol": the usual one first; .gz, .bz2 or .zst may follow */
  unsigned is;         /* BT_FORMAT_x */
  int number;          /* in fingerprints of libraries, which outlive a version; 0: not of ligands */
  const bt_cutter *cutter;
  /* A ligand from one record: for preparation by RDKit, or as prepared (with lines of errors counted in the record). */
  bt_status (*read)(const struct bt_record *record, bool to_embed, bt_where where, struct bt_rdmol **ret_mol,
                    bt_error *opt_error);
  bt_status (*parse)(const struct bt_record *record, struct bt_molecules *list, bt_error *opt_error);
};

/* Length of the ending of the path (".sdf.gz": 7) if it is one of the format's, in any case; otherwise 0. */
size_t bt_format_ending(const bt_format *format, const char *path);

#endif
