/* library_internal.h - shared by the files of the library. */
#ifndef BERTH_LIBRARY_LIBRARY_INTERNAL_H
#define BERTH_LIBRARY_LIBRARY_INTERNAL_H

#include <pthread.h>

#include "prep/ligand/preparer.h"
#include "library/archive.h"
#include "library/btl.h"
#include "library/library.h"
#include "library/sources.h"

/* The source of a molecule: a text, or a ligand in a block. */
typedef struct bt_library_record {
  bt_record is; /* points to the members below, and to the item */
  bt_text text;
  char *path;          /* in messages: "all.tar.gz:a/b.pdbqt" */
  bt_btl_block *block; /* NULL: a text */
  int index;
} bt_library_record;

struct bt_library {
  bt_sources sources;
  bt_prepare_options options;
  char *template_smiles, *name_field, *smiles_field, *filter, *keep_fields;
  char fingerprint[33];
  bool raw;        /* some of its files are prepared when they are read */
  int64_t count;   /* -1: not known */
  int64_t *counts; /* [sources.count] of .btl files, -1 for others */
  /* current position */
  int64_t next;  /* ordinal of the next item */
  size_t source; /* current */
  bt_btl *btl;
  int64_t in_btl; /* next in the current .btl file */
  bt_btl_block *block;
  int64_t block_first, block_end; /* ligands of the .btl file in block, or missing because of block_error */
  bt_error block_error;
  bt_archive *archive;
  bt_records records;
  char *path;       /* of that file, for messages; NULL: no current file */
  size_t member;    /* where in path the name within the archive begins; 0: no archive */
  bt_error failure; /* why the file cannot be read; its only or last item */
  bool spoiled;     /* failure was reported */
  long n_records;   /* items of the file so far */
  long n_empty;     /* records of SDF without atoms, which are not items, so far */
  long n_members;   /* files of the archive so far */
  bool stdin_taken;
  bool named_by_file;          /* molecules of PDBQT files are named as by bt_molecule_read */
  pthread_rwlock_t one_by_one; /* shared: records are prepared concurrently; exclusive: one at a time */
  /* idle preparers */
  pthread_mutex_t lock;
  bt_preparer **preparers;
  size_t n_preparers, preparer_room;
  bt_shapes *opt_shapes; /* theirs */
};

/* Of a record that becomes no ligand of ours, as bt_preparer_chemistry. */
bt_status bt_library_chemistry(bt_library *library, const bt_record *record, bt_rdmol **ret_mol, char **ret_notes,
                               bt_error *opt_error) BT_MUST_USE;
/* As bt_library_open, for any number of conformers. opt_output: skipped in folders. */
bt_status bt_library_open_all(const char *const *paths, int n_paths, const bt_prepare_options *options,
                              const char *opt_output, bt_library **ret_library, bt_error *opt_error) BT_MUST_USE;
/* A library of the records in a text, which is copied. */
bt_status bt_library_open_text(const char *text, size_t size, const char *label, const bt_prepare_options *options,
                               bt_library **ret_library, bt_error *opt_error) BT_MUST_USE;
/* Opens the first file, so that an error is known before its first item. */
bt_status bt_library_open_source(bt_library *library, bt_error *opt_error) BT_MUST_USE;
/* Counts, types, warnings and fingerprint, without reading ligands (survey.c). */
bt_status bt_library_survey(bt_library *library, bt_error *opt_error) BT_MUST_USE;

#endif
