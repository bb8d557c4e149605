/* library.h - the ligands of a screen: one fixed order over files, folders, archives, standard input and .btl files.
 *
 *   bt_library *library;
 *   bt_library_open(paths, n_paths, &options, &library, &error);
 *   bt_library_item item;
 *   for (bool found = true;; ) {
 *     bt_library_next(library, &item, &found, &error);   cheap: cuts a record out of its file; one thread at a time
 *     if (!found) break;
 *     bt_library_prepare(library, &item, &error);        chemistry; any thread, several at once
 *     ... item.molecule, or item.error says why there is none ...
 *     bt_library_item_clear(&item);
 *   }
 *   bt_library_close(library);
 *
 * Every record has one ordinal, 0, 1, 2, ..., whether or not it can be read: the same paths with the same content give
 * the same ligands under the same ordinals. A file that cannot be opened, or is truncated, is one item with an error.
 * Molecules from PDBQT and .btl have no bonds yet: bt_molecule_find_chemistry, for those written as SDF.
 */
#ifndef BERTH_LIBRARY_LIBRARY_H
#define BERTH_LIBRARY_LIBRARY_H

#include <berth/prepare.h>

#include "chem/molecule.h"

typedef struct bt_library bt_library;

typedef struct bt_library_item {
  int64_t ordinal;
  char *name;            /* from its record, otherwise from its file; need not be unique */
  char *source;          /* its location: "lib.sdf:record 17", "all.tar.gz:a/b.pdbqt", "lib.btl:ligand 17" */
  long number;           /* in its file, from 1 */
  bool alone;            /* its file has no other record */
  char *properties;      /* that a table, an SDF record or a .btl file states (formats/properties.h); NULL: none */
  bt_molecule *molecule; /* after bt_library_prepare; NULL: rejected, see error. Take it by setting it to NULL */
  bool open_stereo;      /* stereochemistry is undefined, and one isomer was generated */
  bt_error error;        /* status BT_OK: none so far */
  struct bt_library_record *record; /* private: what the molecule is made of */
} bt_library_item;

/* paths: files by their endings, as bt_ligand_reader_open knows them, with .pdbqt, .btl and .tar, .tar.gz, .tgz;
 * folders (all such files below them except .pdb, by name); patterns with * ? [; "-" for standard input, once, whose
 * format is options->format (AUTO: PDBQT). options are copied; conformers may be 0 or 1, so that a record is one
 * ligand. Fails with BT_ERR_USAGE if there is nothing to read, or a single .btl file is not one. */
bt_status bt_library_open(const char *const *paths, int n_paths, const bt_prepare_options *options,
                          bt_library **ret_library, bt_error *opt_error) BT_MUST_USE;
void bt_library_close(bt_library *opt_library);
/* BT_ERR_USAGE if one of its files has a format for which this build lacks RDKit; members of archives are checked when
 * they are read. mol2_alone: the caller reads MOL2 without it. */
bt_status bt_library_check_formats(const bt_library *library, bool mol2_alone, bt_error *opt_error) BT_MUST_USE;

/* The next record; clear the item. *ret_found is false at the end. Errors of a record are in item->error; its status
 * BT_ERR_IO means that reading failed and may succeed later. Fails only if memory is exhausted. One thread at a time.
 */
bt_status bt_library_next(bt_library *library, bt_library_item *ret_item, bool *ret_found,
                          bt_error *opt_error) BT_MUST_USE;
/* Makes item->molecule, or fills item->error. Any number of threads may call it, each with its own item. Fails only
 * when memory is exhausted, or with BT_ERR_CANCELLED if options->opt_cancelled returns true; then the item is unchanged
 * and can be prepared again. */
bt_status bt_library_prepare(bt_library *library, bt_library_item *item, bt_error *opt_error) BT_MUST_USE;
/* The same, but all ligands of the record: its isomers, states and conformers. */
bt_status bt_library_prepare_all(bt_library *library, bt_library_item *item, bt_molecules *ret_list,
                                 bt_error *opt_error) BT_MUST_USE;
/* Processes a record by work, such as bt_library_prepare and what follows it. If memory is exhausted, work is repeated
 * while no other thread is in here; if that fails although the process has memory left, *reason is BT_ERR_LIMIT (the
 * record is too large), which is not a failure. */
typedef bt_status (*bt_library_work)(void *context, bt_error *reason, bt_error *error);
bt_status bt_library_try(bt_library *library, bt_library_work work, void *context, bt_error *reason,
                         bt_error *opt_error) BT_MUST_USE;
/* Frees all that the item holds; the library must still be open. */
void bt_library_item_clear(bt_library_item *item);

/* Moves to the item of this ordinal; past the end, bt_library_next finds nothing. Immediate in .btl files; other files
 * are read up to there without preparing anything. BT_ERR_USAGE for going back in standard input. */
bt_status bt_library_seek(bt_library *library, int64_t ordinal, bt_error *opt_error) BT_MUST_USE;
/* The number of ligands; -1: unknown without reading everything. */
int64_t bt_library_count(const bt_library *library);
/* The same, if necessary by reading to the end and returning to the current position. BT_ERR_USAGE with standard
 * input. */
bt_status bt_library_count_all(bt_library *library, int64_t *ret_count, bt_error *opt_error) BT_MUST_USE;

/* 32 hexadecimal digits, the same for the same ligands: of .btl files their checksums, of others their names without
 * folder, sizes, first and last bytes, and how they are prepared. "stdin" counts as always the same. */
const char *bt_library_fingerprint(const bt_library *library);
/* How ligands of SMILES and drawings get their coordinates: "etkdg" or "quick"; NULL: the library is prepared. */
const char *bt_library_coordinates(const bt_library *library);
/* A hash of all bytes of all files but .btl, whose checksums the fingerprint has. Reads them. */
bt_status bt_library_content(const bt_library *library, uint64_t *ret_hash, bt_error *opt_error) BT_MUST_USE;

#endif
