/* reader.c - reads ligands one by one, for programs that treat libraries like any other file. */
#include <stdlib.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "library/library_internal.h"

struct bt_ligand_reader {
  bt_library *library;
  bt_library_item item;
  bt_molecules list; /* conformers of the item not returned yet */
  size_t at;
  int64_t count;       /* records so far */
  int64_t first, last; /* selected records, from 1; last 0: all */
};

/* Reports an unreadable file now, not with the first ligand. */
static bt_status open_path(bt_ligand_reader *reader, const char *path, const bt_prepare_options *options,
                           bt_error *opt_error) {
  BT_TRY(bt_library_open_all(&path, 1, options, NULL, &reader->library, opt_error));
  reader->library->named_by_file = true;
  bt_source *first = &reader->library->sources.items[0];
  if (first->opt_format == NULL) first->opt_format = bt_format_find(options->opt_format);
  if (first->opt_format != NULL) BT_TRY(bt_library_check_formats(reader->library, false, opt_error));
  return reader->library->sources.count == 1 ? bt_library_open_source(reader->library, opt_error) : BT_OK;
}

static bt_status open_text(bt_ligand_reader *reader, const char *text, size_t size, const char *label,
                           const bt_prepare_options *options, bt_error *opt_error) {
  BT_TRY(bt_library_open_text(text, size, label, options, &reader->library, opt_error));
  reader->library->named_by_file = true;
  return bt_library_check_formats(reader->library, false, opt_error);
}

bt_status bt_ligand_reader_open(const char *path, const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                bt_error *opt_error) {
  bt_ligand_reader *reader = bt_allocate(1, sizeof *reader);
  if (reader == NULL) return bt_fail_memory(opt_error);
  bt_status status = open_path(reader, path, options, opt_error);
  return BT_HAND_OVER(status, reader, ret_reader, bt_ligand_reader_close);
}

bt_status bt_ligand_reader_open_text(const char *text, size_t size, const char *label,
                                     const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                     bt_error *opt_error) {
  bt_ligand_reader *reader = bt_allocate(1, sizeof *reader);
  if (reader == NULL) return bt_fail_memory(opt_error);
  bt_status status = open_text(reader, text, size, label, options, opt_error);
  return BT_HAND_OVER(status, reader, ret_reader, bt_ligand_reader_close);
}

static void forget(bt_ligand_reader *reader) {
  for (size_t i = reader->at; i < reader->list.count; i++) bt_molecule_destroy(reader->list.items[i]);
  free(reader->list.items);
  reader->list = (bt_molecules){0};
  reader->at = 0;
  bt_library_item_clear(&reader->item);
}

void bt_ligand_reader_close(bt_ligand_reader *opt_reader) {
  if (opt_reader == NULL) return;
  forget(opt_reader);
  bt_library_close(opt_reader->library);
  free(opt_reader);
}

static bt_status prepare(void *context, bt_error *reason, bt_error *error) {
  (void)reason; /* is in the item */
  bt_ligand_reader *reader = context;
  return bt_library_prepare_all(reader->library, &reader->item, &reader->list, error);
}

void bt_ligand_reader_select(bt_ligand_reader *reader, int64_t first, int64_t last) {
  reader->first = first;
  reader->last = last > 0 ? last : -1;
}

int64_t bt_ligand_reader_count(const bt_ligand_reader *reader) { return reader->count; }

/* The next selected record. */
static bt_status next_item(bt_ligand_reader *reader, bool *ret_found, bt_error *opt_error) {
  do {
    forget(reader);
    *ret_found = false;
    if (reader->last != 0 && reader->count >= reader->last) return BT_OK;
    BT_TRY(bt_library_next(reader->library, &reader->item, ret_found, opt_error));
    reader->count += *ret_found;
  } while (*ret_found && reader->count < reader->first);
  return BT_OK;
}

bt_status bt_ligand_reader_next(bt_ligand_reader *reader, bt_molecule **ret_molecule, bt_error *opt_error) {
  *ret_molecule = NULL;
  if (reader->at == reader->list.count) {
    bool found;
    BT_TRY(next_item(reader, &found, opt_error));
    if (!found) return BT_OK;
    BT_TRY(bt_library_try(reader->library, prepare, reader, &reader->item.error, opt_error));
    if (reader->list.count == 0) {
      if (opt_error != NULL) *opt_error = reader->item.error;
      return reader->item.error.status;
    }
  }
  *ret_molecule = reader->list.items[reader->at++];
  return BT_OK;
}

const char *bt_ligand_reader_name(const bt_ligand_reader *reader) {
  return reader->item.name != NULL ? reader->item.name : "";
}

long bt_ligand_reader_record(const bt_ligand_reader *reader) { return reader->item.number; }
long bt_ligand_reader_empty(const bt_ligand_reader *reader) { return reader->library->n_empty; }
bool bt_ligand_reader_alone(const bt_ligand_reader *reader) { return reader->item.alone; }
