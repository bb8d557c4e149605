/* reader.h - ligands from records that somebody else has cut out of their files. */
#ifndef BERTH_PREP_LIGAND_READER_H
#define BERTH_PREP_LIGAND_READER_H

#include <berth/prepare.h>

#include "base/status.h"

typedef struct bt_ligand_record {
  bt_ligand_format format; /* SDF, MOL2, SMILES or PDB */
  const char *path;        /* of its file, for names and messages */
  const char *text;
  size_t size;
  long line, number; /* its first line and its number in the file, from 1 */
} bt_ligand_record;

/* BT_ERR_USAGE in a build without RDKit; opt_label: the file that needs it. */
bt_status bt_ligand_check_rdkit(const char *opt_label, bt_error *opt_error) BT_MUST_USE;
/* A reader without a file, which keeps the compiled rules for many records. One thread at a time. */
bt_status bt_ligand_reader_create(const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                  bt_error *opt_error) BT_MUST_USE;
/* The next bt_ligand_reader_next gives the ligand of this record, whose text is copied. */
bt_status bt_ligand_reader_feed(bt_ligand_reader *reader, const bt_ligand_record *record,
                                bt_error *opt_error) BT_MUST_USE;

/* Refuses a record of MOL2 whose bonds name atoms that it does not have. where: of its first line. */
bt_status bt_mol2_check(const char *text, size_t size, bt_where where, bt_error *opt_error) BT_MUST_USE;

#endif
