/* record.c - a record of a library becomes a molecule. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/pdbqt.h"
#include "library/library_internal.h"

/* Rules take a while to compile, and belong to one thread at a time. */
static bt_status borrow_reader(bt_library *library, bt_ligand_reader **ret_reader, bt_error *opt_error) {
  *ret_reader = NULL;
  pthread_mutex_lock(&library->lock);
  if (library->n_readers > 0) *ret_reader = library->readers[--library->n_readers];
  pthread_mutex_unlock(&library->lock);
  return *ret_reader != NULL ? BT_OK : bt_ligand_reader_create(&library->options, ret_reader, opt_error);
}

static void return_reader(bt_library *library, bt_ligand_reader *reader) {
  pthread_mutex_lock(&library->lock);
  bool kept = BT_GROW(library->readers, &library->reader_room, library->n_readers + 1);
  if (kept) library->readers[library->n_readers++] = reader;
  pthread_mutex_unlock(&library->lock);
  if (!kept) bt_ligand_reader_close(reader);
}

static bt_status add(bt_molecules *list, bt_molecule *molecule, bt_error *opt_error) {
  if (!BT_GROW(list->items, &list->room, list->count + 1)) {
    bt_molecule_destroy(molecule);
    return bt_fail_memory(opt_error);
  }
  list->items[list->count++] = molecule;
  return BT_OK;
}

void bt_molecules_destroy(bt_molecules *list) {
  for (size_t i = 0; i < list->count; i++) bt_molecule_destroy(list->items[i]);
  free(list->items);
  *list = (bt_molecules){0};
}

static bt_status prepare_chemistry(bt_library *library, const bt_library_record *record, bt_molecules *list,
                                   bt_error *opt_error) {
  bt_ligand_reader *reader;
  BT_TRY(borrow_reader(library, &reader, opt_error));
  bt_ligand_record fed = {.format = record->format,
                          .path = record->path,
                          .text = record->text.data,
                          .size = record->text.size,
                          .line = record->line,
                          .number = record->number};
  bt_status status = bt_ligand_reader_feed(reader, &fed, opt_error);
  for (bool more = status == BT_OK; more;) {
    bt_molecule *molecule = NULL;
    status = bt_ligand_reader_next(reader, &molecule, opt_error);
    more = status == BT_OK && molecule != NULL;
    if (more) status = add(list, molecule, opt_error);
    more = more && status == BT_OK;
  }
  return_reader(library, reader);
  return status;
}

static bt_status parse_pdbqt(const bt_library_record *record, bt_molecules *list, bt_error *opt_error) {
  bt_molecule **parsed;
  int count;
  bt_status status = bt_molecule_from_memory(record->path, record->text.data, record->text.size, BT_MOLECULE_LIGAND,
                                             &parsed, &count, opt_error);
  if (status != BT_OK && opt_error != NULL && opt_error->line > 0) opt_error->line += record->line - 1;
  BT_TRY(status);
  list->items = parsed;
  list->count = list->room = (size_t)count;
  for (int i = 0; i < count; i++) parsed[i]->first_line += (int)(record->line - 1);
  return BT_OK;
}

/* Conformers are told apart by a number. */
static bt_status name_all(bt_molecules *list, const char *base, bt_error *opt_error) {
  for (size_t i = 0; i < list->count; i++) {
    bt_text name = {0};
    bt_text_add_string(&name, base);
    if (list->count > 1) bt_text_printf(&name, "_c%zu", i + 1);
    if (name.failed) {
      bt_text_destroy(&name);
      return bt_fail_memory(opt_error);
    }
    free(list->items[i]->name);
    list->items[i]->name = name.data;
  }
  return BT_OK;
}

static bt_status make(bt_library *library, const bt_library_item *item, bt_molecules *list, bt_error *opt_error) {
  const bt_library_record *record = item->record;
  if (record->block != NULL) {
    bt_molecule *molecule;
    BT_TRY(bt_btl_decode(record->block, record->index, record->path, &molecule, opt_error));
    return add(list, molecule, opt_error);
  }
  BT_TRY(record->format == BT_LIGAND_PDBQT ? parse_pdbqt(record, list, opt_error)
                                           : prepare_chemistry(library, record, list, opt_error));
  if (list->count == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = record->path, .line = record->line},
                   "repair or leave out this record", "no molecule in this record");
  return name_all(list, item->name, opt_error);
}

bt_status bt_library_prepare_all(bt_library *library, bt_library_item *item, bt_molecules *ret_list,
                                 bt_error *opt_error) {
  *ret_list = (bt_molecules){0};
  if (item->error.status != BT_OK || item->record == NULL) return BT_OK;
  bt_status status = make(library, item, ret_list, &item->error);
  if (status == BT_OK) return BT_OK;
  bt_molecules_destroy(ret_list);
  return status == BT_ERR_MEMORY ? bt_fail_memory(opt_error) : BT_OK;
}

bt_status bt_library_prepare(bt_library *library, bt_library_item *item, bt_error *opt_error) {
  bt_molecules list;
  if (item->molecule != NULL) return BT_OK;
  BT_TRY(bt_library_prepare_all(library, item, &list, opt_error));
  if (list.count > 0) item->molecule = list.items[0];
  for (size_t i = 1; i < list.count; i++) bt_molecule_destroy(list.items[i]);
  free(list.items);
  return BT_OK;
}

void bt_library_item_clear(bt_library_item *item) {
  if (item->record != NULL) {
    bt_text_destroy(&item->record->text);
    bt_btl_block_release(item->record->block);
    free(item->record->path);
    free(item->record);
  }
  bt_molecule_destroy(item->molecule);
  free(item->name);
  free(item->source);
  *item = (bt_library_item){0};
}
