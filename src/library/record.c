/* record.c - prepares a molecule from a record of a library. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/pdbqt/pdbqt.h"
#include "library/library_internal.h"

/* Compiling the rules takes a while, and only one thread may use them at a time. */
static bt_status borrow_preparer(bt_library *library, bt_preparer **ret_preparer, bt_error *opt_error) {
  *ret_preparer = NULL;
  pthread_mutex_lock(&library->lock);
  if (library->n_preparers > 0) *ret_preparer = library->preparers[--library->n_preparers];
  pthread_mutex_unlock(&library->lock);
  return *ret_preparer != NULL ? BT_OK : bt_preparer_create(&library->options, library->opt_shapes, ret_preparer, opt_error);
}

static void return_preparer(bt_library *library, bt_preparer *preparer) {
  pthread_mutex_lock(&library->lock);
  bool kept = BT_APPEND(library->preparers, library->n_preparers, &library->preparer_room, preparer);
  pthread_mutex_unlock(&library->lock);
  if (!kept) bt_preparer_destroy(preparer);
}

static bt_status prepare_chemistry(bt_library *library, const bt_record *record, bt_molecules *list,
                                   bt_error *opt_error) {
  bt_preparer *preparer;
  BT_TRY(borrow_preparer(library, &preparer, opt_error));
  bt_status status = bt_preparer_run(preparer, record, list, opt_error);
  return_preparer(library, preparer);
  for (size_t i = 0; status == BT_OK && i < list->count; i++) list->items[i]->record_line = record->line;
  return status;
}

bt_status bt_library_chemistry(bt_library *library, const bt_record *record, bt_rdmol **ret_mol, char **ret_notes,
                               bt_error *opt_error) {
  bt_preparer *preparer;
  BT_TRY(borrow_preparer(library, &preparer, opt_error));
  bt_status status = bt_preparer_chemistry(preparer, record, ret_mol, ret_notes, opt_error);
  return_preparer(library, preparer);
  return status;
}

static bt_status set_name(bt_molecule *molecule, const char *name, bt_error *opt_error) {
  char *copy = bt_copy_text(name, strlen(name));
  if (copy == NULL) return bt_fail_memory(opt_error);
  free(molecule->name);
  molecule->name = copy;
  return BT_OK;
}

static bt_status take_prepared(bt_library *library, const bt_record *record, bt_molecules *list,
                               bt_error *opt_error) {
  bt_status status = record->format->parse(record, list, opt_error);
  if (status != BT_OK && opt_error != NULL && opt_error->line > 0) opt_error->line += record->line - 1;
  BT_TRY(status);
  for (size_t i = 0; status == BT_OK && i < list->count; i++) {
    bt_molecule *molecule = list->items[i];
    molecule->first_line += (int)(record->line - 1);
    if (molecule->n_joined > 0 && !library->options.together)
      status = bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = record->path, .line = record->line},
                       "put each ligand into a file or MODEL of its own; berth score scores them together",
                       "the MODEL has %d ligands, which were docked together", molecule->n_joined);
    if (status != BT_OK) return status;
    bool titled = record->format->cutter->title != NULL;
    if (titled || !library->named_by_file || library->archive != NULL)
      status = set_name(molecule, record->name, opt_error);
  }
  return status;
}

/* A prepared ligand has its bond to the residue already, or none. */
static bt_status check_tether(const bt_library *library, const bt_molecules *list, bt_where where,
                              bt_error *opt_error) {
  const bt_tether *tether = library->options.opt_tether;
  for (size_t i = 0; tether != NULL && i < list->count; i++)
    if (strcmp(list->items[i]->tether, tether->residue) != 0)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "use it as SDF, MOL2 or SMILES",
                     "a prepared ligand is used unchanged, and this one is not bonded to %s", tether->residue);
  return BT_OK;
}

/* Records are filtered in their preparation; this is what prepared ligands lack. */
static bt_status filter(bt_library *library, const bt_molecules *list, bt_where where, bt_error *opt_error) {
  bt_preparer *preparer;
  if (library->options.opt_filter == NULL) return BT_OK;
  BT_TRY(borrow_preparer(library, &preparer, opt_error));
  bt_status status = BT_OK;
  for (size_t i = 0; status == BT_OK && i < list->count; i++)
    status = bt_preparer_filter(preparer, list->items[i], where, opt_error);
  return_preparer(library, preparer);
  return status;
}

static bt_status make(bt_library *library, const bt_library_record *record, bt_molecules *list, bt_error *opt_error) {
  const bt_record *r = &record->is;
  if (record->block != NULL) {
    bt_molecule *molecule;
    BT_TRY(bt_btl_decode(record->block, record->index, record->path, &molecule, opt_error));
    BT_TRY(bt_molecules_add(list, molecule, opt_error));
    BT_TRY(filter(library, list, (bt_where){.file = record->path}, opt_error));
    return check_tether(library, list, (bt_where){.file = record->path}, opt_error);
  }
  const bt_where where = {.file = r->path, .line = r->line};
  BT_TRY((r->format->parse != NULL ? take_prepared : prepare_chemistry)(library, r, list, opt_error));
  if (list->count > 0 && r->format->parse != NULL) BT_TRY(filter(library, list, where, opt_error));
  if (list->count > 0) return check_tether(library, list, where, opt_error);
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = r->path, .line = r->line},
                 "repair or leave out this record", "no molecule in this record");
}

bt_status bt_library_prepare_all(bt_library *library, bt_library_item *item, bt_molecules *ret_list,
                                 bt_error *opt_error) {
  *ret_list = (bt_molecules){0};
  if (item->error.status != BT_OK || item->record == NULL) return BT_OK;
  bt_status status = make(library, item->record, ret_list, &item->error);
  if (status == BT_OK) return BT_OK;
  bt_molecules_destroy(ret_list);
  if (status != BT_ERR_MEMORY && status != BT_ERR_CANCELLED) return BT_OK;
  if (opt_error != NULL) *opt_error = item->error;
  item->error = (bt_error){0}; /* not a property of the record, which may be tried again */
  return status;
}

bt_status bt_library_prepare(bt_library *library, bt_library_item *item, bt_error *opt_error) {
  bt_molecules list;
  if (item->molecule != NULL) return BT_OK;
  BT_TRY(bt_library_prepare_all(library, item, &list, opt_error));
  if (list.count > 0) item->molecule = list.items[0];
  item->open_stereo = item->molecule != NULL && bt_ligand_has_open_stereo(item->molecule);
  for (size_t i = 1; i < list.count; i++) bt_molecule_destroy(list.items[i]);
  free(list.items);
  return BT_OK;
}

/* True unless the whole process is out of memory. A typical record needs less than this. */
static bool memory_is_left(void) {
  enum { MEANT_FOR_ONE = 16 << 20 };
  void *volatile probe = malloc(MEANT_FOR_ONE); /* volatile, or compilers may drop the allocation */
  bool left = probe != NULL;
  free(probe);
  return left;
}

bt_status bt_library_try(bt_library *library, bt_library_work work, void *context, bt_error *reason,
                         bt_error *opt_error) {
  bt_error error = {0};
  pthread_rwlock_rdlock(&library->one_by_one);
  bt_status status = work(context, reason, &error);
  pthread_rwlock_unlock(&library->one_by_one);
  if (status == BT_ERR_MEMORY) {
    pthread_rwlock_wrlock(&library->one_by_one); /* other threads may have used the memory */
    status = work(context, reason, &error);
    if (status == BT_ERR_MEMORY && memory_is_left())
      status = (bt_fail(reason, BT_ERR_LIMIT, (bt_where){0}, "leave it out, or allow the program more memory",
                        "preparation needs more memory than is available"),
                BT_OK);
    pthread_rwlock_unlock(&library->one_by_one);
  }
  if (status != BT_OK && opt_error != NULL) *opt_error = error;
  return status;
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
  free(item->properties);
  *item = (bt_library_item){0};
}
