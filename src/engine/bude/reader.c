/* reader.c - compounds from files of any kind, one after the other. */
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "engine/bude/conformers.h"
#include "engine/bude/state.h"

/* What was read of a record. */
typedef struct reading {
  bt_bude_compound *compound; /* NULL: see error; with its status BT_OK: the end */
  bt_error error;
  char *name;
} reading;

struct bt_bude_reader {
  bt_bude *bude; /* borrowed */
  bt_library *records;
  bool is_ahead, ended;
  reading last, ahead; /* the one returned last; the one that may have more conformers, or comes next */
};

static void clear(reading *r) {
  bt_bude_compound_destroy(r->compound);
  free(r->name);
  *r = (reading){0};
}

bt_status bt_bude_reader_open(bt_bude *bude, const char *const *paths, int n_paths, const char *opt_excluded,
                              bt_bude_reader **ret_reader, bt_error *opt_error) {
  bt_bude_reader *reader = bt_allocate(1, sizeof *reader);
  if (reader == NULL) return bt_fail_memory(opt_error);
  reader->bude = bude;
  bt_status status =
      bt_library_open_all(paths, n_paths, &bude->options.ligands, opt_excluded, &reader->records, opt_error);
  if (status == BT_OK) status = bt_library_check_formats(reader->records, true, opt_error);
  /* of the only file it can be said at once whether it can be read */
  bool alone = status == BT_OK && reader->records->sources.count == 1;
  if (alone) status = bt_library_open_source(reader->records, opt_error);
  return BT_HAND_OVER(status, reader, ret_reader, bt_bude_reader_close);
}

void bt_bude_reader_close(bt_bude_reader *opt_reader) {
  if (opt_reader == NULL) return;
  bt_library_close(opt_reader->records);
  clear(&opt_reader->last);
  clear(&opt_reader->ahead);
  free(opt_reader);
}

/* ------------------------------------------------------------------------------------------------ reading -- */

/* Fails only when memory is exhausted. */
static bt_status read_record(bt_bude_reader *reader, reading *r, bt_error *opt_error) {
  bt_library_item item;
  bool found;
  *r = (reading){0};
  BT_TRY(bt_library_next(reader->records, &item, &found, opt_error));
  r->name = item.name;
  item.name = NULL;
  if (found) r->error.status = bt_bude_compound_read(reader->records, &item, &r->compound, &r->error);
  bt_library_item_clear(&item);
  return r->error.status == BT_ERR_MEMORY ? bt_fail_memory(opt_error) : BT_OK;
}

/* A compound and the records behind it that are conformers of it. */
static bt_status gather(bt_bude_reader *reader, bt_error *opt_error) {
  reading *last = &reader->last, *ahead = &reader->ahead;
  *last = *ahead;
  *ahead = (reading){0};
  if (!reader->is_ahead) BT_TRY(read_record(reader, last, opt_error));
  reader->is_ahead = false;
  while (last->compound != NULL && !reader->is_ahead) {
    BT_TRY(read_record(reader, ahead, opt_error));
    reader->is_ahead = ahead->compound == NULL || !bt_bude_compound_same(last->compound, ahead->compound);
    if (reader->is_ahead) break;
    bt_status status = bt_bude_compound_join(last->compound, ahead->compound, opt_error);
    clear(ahead);
    BT_TRY(status);
  }
  return BT_OK;
}

static bt_status next_read(bt_bude_reader *reader, bt_error *opt_error) {
  reading *last = &reader->last;
  clear(last);
  BT_TRY(gather(reader, opt_error));
  if (last->error.status != BT_OK && opt_error != NULL) *opt_error = last->error;
  if (last->error.status != BT_OK || last->compound == NULL) return last->error.status;
  return bt_bude_compound_complete(reader->bude, reader->records, last->compound, opt_error);
}

bt_status bt_bude_reader_next(bt_bude_reader *reader, bt_bude_compound **ret_compound, bt_error *opt_error) {
  *ret_compound = NULL;
  if (reader->ended) return BT_OK;
  bt_status status = next_read(reader, opt_error);
  if (status == BT_OK)
    *ret_compound = reader->last.compound;
  else
    bt_bude_compound_destroy(reader->last.compound);
  reader->last.compound = NULL;
  reader->ended = reader->ended || status == BT_ERR_MEMORY || (status == BT_OK && *ret_compound == NULL);
  return status;
}

const char *bt_bude_reader_name(const bt_bude_reader *reader) {
  return reader->last.name != NULL ? reader->last.name : "";
}
