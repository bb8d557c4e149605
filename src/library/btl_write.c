/* btl_write.c - writes a .btl file block by block; its header is completed at the end. */
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/xxhash.h"
#include "library/btl.h"
#include "library/btl_layout.h"

enum { LARGEST_BLOCK = 1 << 24 }; /* bytes, for ligands that are not small molecules */

struct bt_btl_writer {
  bt_file_writer *file;
  char *path;
  bt_btl_columns columns;
  bt_text bytes;
  int64_t count;
  uint64_t at, hash; /* of all blocks' checksums */
  bt_btl_entry *entries;
  size_t n_entries, room;
  bt_btl_list types;
  bool properties; /* some ligand has any */
};

static bt_status add(bt_btl_writer *writer, const char *data, size_t size, bt_error *opt_error) {
  BT_TRY(bt_file_writer_add(writer->file, data, size, opt_error));
  writer->at += size;
  return BT_OK;
}

bt_status bt_btl_writer_open(const char *path, bt_btl_writer **ret_writer, bt_error *opt_error) {
  bt_btl_writer *writer = bt_allocate(1, sizeof *writer);
  if (writer == NULL) return bt_fail_memory(opt_error);
  char header[BT_BTL_HEADER] = {0};
  writer->path = bt_copy_text(path, strlen(path));
  bt_status status = writer->path != NULL ? BT_OK : bt_fail_memory(opt_error);
  if (status == BT_OK) { /* detects a missing zstd now, not after an hour */
    status = bt_btl_compress(&writer->columns, 0, &writer->bytes, opt_error);
    bt_btl_columns_clear(&writer->columns);
  }
  if (status == BT_OK) status = bt_file_writer_open(path, &writer->file, opt_error);
  if (status == BT_OK) status = add(writer, header, sizeof header, opt_error);
  return BT_HAND_OVER(status, writer, ret_writer, bt_btl_writer_abandon);
}

void bt_btl_writer_abandon(bt_btl_writer *opt_writer) {
  if (opt_writer == NULL) return;
  bt_file_writer_abandon(opt_writer->file);
  bt_btl_columns_destroy(&opt_writer->columns);
  bt_text_destroy(&opt_writer->bytes);
  free(opt_writer->entries);
  free(opt_writer->types.items);
  free(opt_writer->path);
  free(opt_writer);
}

/* Adds the block's types to those of the file. */
static bt_status note_types(bt_btl_writer *writer, bt_error *opt_error) {
  const bt_btl_list *list = &writer->columns.lists[BT_BTL_TYPES];
  uint64_t index;
  for (size_t i = 0; i < list->count; i++)
    if (!bt_btl_list_find(&writer->types, list->items[i], &index)) return bt_fail_memory(opt_error);
  return BT_OK;
}

static bt_status write_block(bt_btl_writer *writer, bt_error *opt_error) {
  bt_btl_columns *columns = &writer->columns;
  if (columns->n_ligands == 0) return BT_OK;
  int64_t first = writer->count - columns->n_ligands;
  if (!BT_GROW(writer->entries, &writer->room, writer->n_entries + 1)) return bt_fail_memory(opt_error);
  BT_TRY(note_types(writer, opt_error));
  BT_TRY(bt_btl_compress(columns, first, &writer->bytes, opt_error));
  writer->properties = writer->properties || bt_btl_has_properties(columns);
  writer->entries[writer->n_entries++] =
      (bt_btl_entry){.offset = writer->at, .size = writer->bytes.size, .first = first};
  writer->hash = bt_xxh64(writer->bytes.data, BT_BTL_BLOCK_HEADER, writer->hash);
  bt_btl_columns_clear(columns);
  return add(writer, writer->bytes.data, writer->bytes.size, opt_error);
}

bt_status bt_btl_writer_add(bt_btl_writer *writer, const bt_molecule *molecule, const char *opt_properties,
                            bt_error *opt_error) {
  bt_status status = bt_btl_encode(&writer->columns, molecule, opt_properties, opt_error);
  if (status == BT_ERR_LIMIT && writer->columns.n_ligands > 0) { /* too many types: a new block may have room */
    BT_TRY(write_block(writer, opt_error));
    status = bt_btl_encode(&writer->columns, molecule, opt_properties, opt_error);
  }
  BT_TRY(status);
  writer->count++;
  if (writer->columns.n_ligands < BT_BTL_LIGANDS && writer->columns.size < LARGEST_BLOCK) return BT_OK;
  return write_block(writer, opt_error);
}

static bt_status write_index(bt_btl_writer *writer, bt_error *opt_error) {
  bt_text *bytes = &writer->bytes;
  char head[BT_BTL_INDEX_HEADER] = {0};
  bytes->size = 0;
  bt_text_add(bytes, head, sizeof head);
  for (size_t i = 0; i < writer->n_entries; i++) {
    char entry[BT_BTL_ENTRY];
    bt_btl_put(entry, 8, writer->entries[i].offset);
    bt_btl_put(entry + 8, 8, (uint64_t)writer->entries[i].first);
    bt_text_add(bytes, entry, sizeof entry);
  }
  for (size_t i = 0; i < writer->types.count; i++)
    bt_text_add(bytes, writer->types.items[i], strlen(writer->types.items[i]) + 1);
  BT_TRY(bt_text_status(bytes, opt_error));
  memcpy(head, BT_BTL_INDEX_MAGIC, 4);
  bt_btl_put(head + BT_BTL_INDEX_TYPES, 4, writer->types.count);
  bt_btl_put(head + BT_BTL_INDEX_BLOCKS, 8, writer->n_entries);
  bt_btl_put(head + BT_BTL_INDEX_BYTES, 8, bytes->size);
  memcpy(bytes->data, head, sizeof head);
  bt_btl_put(bytes->data + BT_BTL_INDEX_HASH, 8,
             bt_xxh64(bytes->data + BT_BTL_INDEX_BLOCKS, bytes->size - BT_BTL_INDEX_BLOCKS, 0));
  return add(writer, bytes->data, bytes->size, opt_error);
}

static bt_status finish(bt_btl_writer *writer, bt_error *opt_error) {
  char header[BT_BTL_HEADER] = {0};
  BT_TRY(write_block(writer, opt_error));
  uint64_t index = writer->at;
  BT_TRY(write_index(writer, opt_error));
  memcpy(header, BT_BTL_MAGIC, 8);
  bt_btl_put(header + BT_BTL_AT_VERSION, 4, writer->properties ? BT_BTL_LATEST : BT_BTL_VERSION);
  bt_btl_put(header + BT_BTL_AT_COUNT, 8, (uint64_t)writer->count);
  bt_btl_put(header + BT_BTL_AT_INDEX, 8, index);
  bt_btl_put(header + BT_BTL_AT_BYTES, 8, writer->at);
  bt_btl_put(header + BT_BTL_AT_BLOCKS, 8, writer->n_entries);
  bt_btl_put(header + BT_BTL_AT_CONTENT, 8, writer->hash);
  bt_btl_put(header + BT_BTL_AT_HASH, 8, bt_xxh64(header, BT_BTL_AT_HASH, 0));
  return bt_file_writer_patch(writer->file, 0, header, sizeof header, opt_error);
}

bt_status bt_btl_writer_commit(bt_btl_writer *writer, uint64_t *opt_bytes, bt_error *opt_error) {
  bt_status status = finish(writer, opt_error);
  if (opt_bytes != NULL) *opt_bytes = writer->at;
  if (status == BT_OK) {
    status = bt_file_writer_commit(writer->file, opt_error);
    writer->file = NULL;
  }
  bt_btl_writer_abandon(writer);
  return status;
}
