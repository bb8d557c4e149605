/* btl_block.c - columns <-> the bytes of a block: compressed one by one, so that each kind of data gets its own
 * statistics, with one checksum. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef BT_WITH_ZSTD
#include <zstd.h>
#endif

#include "base/memory.h"
#include "base/xxhash.h"
#include "library/btl.h"

/* magic, number of columns, checksum of all that follows it, first ordinal, ligands, bytes; then for each column its
 * size and its size compressed, which are equal when it is stored as it is; then the columns */
enum { AT_COLUMNS = 4, AT_HASH = 8, AT_FIRST = 16, AT_LIGANDS = 24, AT_BYTES = 28 };
static const char MAGIC[4] = {'B', 'T', 'L', 'B'};
#ifdef BT_WITH_ZSTD
enum { LARGEST_COLUMN = 1 << 26, LEVEL = 12 };
#endif

bool bt_btl_check(const char *bytes, size_t size, size_t *ret_size, int64_t *ret_first, int *ret_ligands) {
  if (size < BT_BTL_BLOCK_HEADER || memcmp(bytes, MAGIC, sizeof MAGIC) != 0) return false;
  uint64_t total = bt_btl_get(bytes + AT_BYTES, 4), first = bt_btl_get(bytes + AT_FIRST, 8);
  uint64_t ligands = bt_btl_get(bytes + AT_LIGANDS, 4);
  if (total < BT_BTL_BLOCK_HEADER || total > size || first > INT64_MAX / 2 || ligands == 0 || ligands > INT_MAX)
    return false;
  if (bt_btl_get(bytes + AT_HASH, 8) != bt_xxh64(bytes + AT_FIRST, total - AT_FIRST, 0)) return false;
  *ret_size = total;
  *ret_first = (int64_t)first;
  *ret_ligands = (int)ligands;
  return true;
}

bt_btl_block *bt_btl_block_retain(bt_btl_block *block) {
  __atomic_add_fetch(&block->references, 1, __ATOMIC_RELAXED);
  return block;
}

void bt_btl_block_release(bt_btl_block *opt_block) {
  if (opt_block == NULL || __atomic_sub_fetch(&opt_block->references, 1, __ATOMIC_ACQ_REL) > 0) return;
  for (int c = 0; c < BT_BTL_N_COLUMNS; c++) bt_text_destroy(&opt_block->column[c]);
  for (int l = 0; l < BT_BTL_N_LISTS; l++) free(opt_block->lists[l].items);
  free(opt_block->starts);
  free(opt_block);
}

#ifdef BT_WITH_ZSTD

static void write_dictionary(bt_btl_columns *columns) {
  bt_text *text = &columns->column[BT_BTL_DICTIONARY];
  text->size = 0;
  for (int l = 0; l < BT_BTL_N_LISTS; l++) bt_btl_add_varint(text, columns->lists[l].count);
  for (int l = 0; l < BT_BTL_N_LISTS; l++)
    for (size_t i = 0; i < columns->lists[l].count; i++)
      bt_text_add(text, columns->lists[l].items[i], strlen(columns->lists[l].items[i]) + 1);
}

static bt_status add_column(ZSTD_CCtx *context, const bt_text *column, char *entry, bt_text *bytes,
                            bt_error *opt_error) {
  size_t packed = 0, room = ZSTD_compressBound(column->size);
  if (!bt_text_reserve(bytes, room)) return bt_fail_memory(opt_error);
  if (column->size > 0) {
    packed = ZSTD_compressCCtx(context, bytes->data + bytes->size, room, column->data, column->size, LEVEL);
    if (ZSTD_isError(packed)) return bt_fail_memory(opt_error);
    if (packed >= column->size) memcpy(bytes->data + bytes->size, column->data, packed = column->size);
  }
  bytes->size += packed;
  bt_btl_put(entry, 4, column->size);
  bt_btl_put(entry + 4, 4, packed);
  return BT_OK;
}

bt_status bt_btl_compress(bt_btl_columns *columns, int64_t first, bt_text *bytes, bt_error *opt_error) {
  char head[BT_BTL_BLOCK_HEADER + 8 * BT_BTL_N_COLUMNS] = {0};
  int n_columns = bt_btl_has_properties(columns) ? BT_BTL_N_COLUMNS : BT_BTL_PROPERTIES;
  size_t head_size = BT_BTL_BLOCK_HEADER + 8 * (size_t)n_columns;
  memcpy(head, MAGIC, sizeof MAGIC);
  bytes->size = 0;
  bt_text_add(bytes, head, head_size);
  write_dictionary(columns);
  ZSTD_CCtx *context = ZSTD_createCCtx();
  bt_status status = context == NULL ? bt_fail_memory(opt_error) : bt_text_status(bytes, opt_error);
  for (int c = 0; c < n_columns && status == BT_OK; c++) {
    status = bt_text_status(&columns->column[c], opt_error);
    if (status == BT_OK)
      status = add_column(context, &columns->column[c], head + BT_BTL_BLOCK_HEADER + 8 * c, bytes, opt_error);
  }
  ZSTD_freeCCtx(context);
  BT_TRY(status);
  bt_btl_put(head + AT_COLUMNS, 4, (uint64_t)n_columns);
  bt_btl_put(head + AT_FIRST, 8, (uint64_t)first);
  bt_btl_put(head + AT_LIGANDS, 4, (uint64_t)columns->n_ligands);
  bt_btl_put(head + AT_BYTES, 4, bytes->size);
  memcpy(bytes->data, head, head_size);
  bt_btl_put(bytes->data + AT_HASH, 8, bt_xxh64(bytes->data + AT_FIRST, bytes->size - AT_FIRST, 0));
  return BT_OK;
}

static bt_status fail(bt_where where, bt_error *opt_error, const char *what) {
  return bt_fail(opt_error, BT_ERR_INPUT, where, "make the library again", "the block is inconsistent: %s", what);
}

static bt_status read_column(ZSTD_DCtx *context, const char *from, size_t packed, size_t size, bt_where where,
                             bt_text *column, bt_error *opt_error) {
  if (!bt_text_reserve(column, size)) return bt_fail_memory(opt_error);
  if (packed == size) {
    if (size > 0) memcpy(column->data, from, size);
  } else {
    size_t got = ZSTD_decompressDCtx(context, column->data, size, from, packed);
    if (ZSTD_isError(got) || got != size) return fail(where, opt_error, "a column cannot be decompressed");
  }
  column->size = size;
  column->data[size] = '\0';
  return BT_OK;
}

static bt_status read_dictionary(bt_btl_block *block, bt_where where, bt_error *opt_error) {
  const bt_text *text = &block->column[BT_BTL_DICTIONARY];
  const char *at = text->data, *end = text->data + text->size;
  uint64_t counts[BT_BTL_N_LISTS];
  for (int l = 0; l < BT_BTL_N_LISTS; l++)
    if (!bt_btl_take_varint(&at, end, &counts[l]) || counts[l] > text->size)
      return fail(where, opt_error, "dictionary");
  if (counts[BT_BTL_TYPES] != counts[BT_BTL_USUAL]) return fail(where, opt_error, "dictionary");
  for (int l = 0; l < BT_BTL_N_LISTS; l++) {
    bt_btl_list *list = &block->lists[l];
    list->items = bt_allocate(counts[l], sizeof *list->items);
    if (list->items == NULL) return bt_fail_memory(opt_error);
    for (uint64_t i = 0; i < counts[l]; i++) {
      const char *stop = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
      size_t longest = l == BT_BTL_RESIDUES ? 10 : 7;
      if (stop == NULL || (size_t)(stop - at) > longest || (l == BT_BTL_RESIDUES && stop - at != 10) ||
          (l == BT_BTL_TYPES && stop == at) || !bt_btl_is_printable(at, (size_t)(stop - at)))
        return fail(where, opt_error, "dictionary");
      memcpy(list->items[i], at, (size_t)(stop - at));
      at = stop + 1;
    }
    list->count = counts[l];
  }
  return at == end ? BT_OK : fail(where, opt_error, "dictionary");
}

static bt_status read_columns(bt_btl_block *block, const char *bytes, size_t size, bt_where where,
                              bt_error *opt_error) {
  const char *table = bytes + BT_BTL_BLOCK_HEADER;
  uint64_t n_columns = bt_btl_get(bytes + AT_COLUMNS, 4); /* without the last, no ligand has properties */
  if (n_columns < BT_BTL_PROPERTIES || n_columns > BT_BTL_N_COLUMNS || size < BT_BTL_BLOCK_HEADER + 8 * n_columns)
    return fail(where, opt_error, "number of columns");
  size_t at = BT_BTL_BLOCK_HEADER + 8 * n_columns;
  ZSTD_DCtx *context = ZSTD_createDCtx();
  bt_status status = context != NULL ? BT_OK : bt_fail_memory(opt_error);
  for (int c = 0; c < (int)n_columns && status == BT_OK; c++) {
    size_t raw = bt_btl_get(table + 8 * c, 4), packed = bt_btl_get(table + 8 * c + 4, 4);
    if (packed > size - at || raw > LARGEST_COLUMN || packed > raw)
      status = fail(where, opt_error, "size of a column");
    else
      status = read_column(context, bytes + at, packed, raw, where, &block->column[c], opt_error);
    at += packed;
  }
  ZSTD_freeDCtx(context);
  return status;
}

bt_status bt_btl_decompress(const char *bytes, size_t size, bt_where where, bt_btl_block **ret_block,
                            bt_error *opt_error) {
  bt_btl_block *block = bt_allocate(1, sizeof *block);
  if (block == NULL) return bt_fail_memory(opt_error);
  block->references = 1;
  block->first = (int64_t)bt_btl_get(bytes + AT_FIRST, 8);
  block->n_ligands = (int)bt_btl_get(bytes + AT_LIGANDS, 4);
  bt_status status = read_columns(block, bytes, size, where, opt_error);
  if (status == BT_OK) status = read_dictionary(block, where, opt_error);
  if (status == BT_OK) status = bt_btl_find_starts(block, where, opt_error);
  return BT_HAND_OVER(status, block, ret_block, bt_btl_block_release);
}

#else

static bt_status fail_missing(bt_where where, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_USAGE, where, "install libzstd-dev and build again, or use SDF, SMILES or PDBQT",
                 "this build has no zstd, which .btl files need");
}

bt_status bt_btl_compress(bt_btl_columns *columns, int64_t first, bt_text *bytes, bt_error *opt_error) {
  (void)columns, (void)first, (void)bytes;
  return fail_missing((bt_where){0}, opt_error);
}

bt_status bt_btl_decompress(const char *bytes, size_t size, bt_where where, bt_btl_block **ret_block,
                            bt_error *opt_error) {
  (void)bytes, (void)size, (void)ret_block;
  return fail_missing(where, opt_error);
}

#endif
