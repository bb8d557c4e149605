/* reader.c - molecules of a library one after the other, for programs that take them like those of any file. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "library/library_internal.h"

struct bt_library_reader {
  bt_library *library;
  bt_library_item item;
  bt_molecules list; /* conformers of the item that are not given out yet */
  size_t at;
};

bool bt_library_is(const char *path) {
  bt_ligand_format format;
  bt_source_kind kind = bt_source_kind_of(path, &format);
  return kind == BT_SOURCE_BTL || kind == BT_SOURCE_ARCHIVE;
}

bt_status bt_library_reader_open(const char *path, const bt_prepare_options *options, bt_library_reader **ret_reader,
                                 bt_error *opt_error) {
  bt_library_reader *reader = bt_allocate(1, sizeof *reader);
  if (reader == NULL) return bt_fail_memory(opt_error);
  bt_status status = bt_library_open_all(&path, 1, options, NULL, &reader->library, opt_error);
  if (status == BT_OK)
    *ret_reader = reader;
  else
    bt_library_reader_close(reader);
  return status;
}

static void forget(bt_library_reader *reader) {
  for (size_t i = reader->at; i < reader->list.count; i++) bt_molecule_destroy(reader->list.items[i]);
  free(reader->list.items);
  reader->list = (bt_molecules){0};
  reader->at = 0;
}

void bt_library_reader_close(bt_library_reader *opt_reader) {
  if (opt_reader == NULL) return;
  forget(opt_reader);
  bt_library_item_clear(&opt_reader->item);
  bt_library_close(opt_reader->library);
  free(opt_reader);
}

bt_status bt_library_reader_next(bt_library_reader *reader, bt_molecule **ret_molecule, bt_error *opt_error) {
  *ret_molecule = NULL;
  if (reader->at == reader->list.count) {
    bool found;
    forget(reader);
    bt_library_item_clear(&reader->item);
    BT_TRY(bt_library_next(reader->library, &reader->item, &found, opt_error));
    if (!found) return BT_OK;
    BT_TRY(bt_library_prepare_all(reader->library, &reader->item, &reader->list, opt_error));
    if (reader->list.count == 0) {
      if (opt_error != NULL) *opt_error = reader->item.error;
      return reader->item.error.status;
    }
  }
  *ret_molecule = reader->list.items[reader->at++];
  return BT_OK;
}

const char *bt_library_reader_name(const bt_library_reader *reader) {
  return reader->item.name != NULL ? reader->item.name : "";
}

const char *bt_library_reader_source(const bt_library_reader *reader) {
  return reader->item.source != NULL ? reader->item.source : "";
}
