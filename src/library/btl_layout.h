/* btl_layout.h - offsets in the header and index of a .btl file. */
#ifndef BERTH_LIBRARY_BTL_LAYOUT_H
#define BERTH_LIBRARY_BTL_LAYOUT_H

#include <stdint.h>

/* Offsets in the header; the checksum covers everything before it. */
enum {
  BT_BTL_AT_VERSION = 8,
  BT_BTL_AT_COUNT = 16,
  BT_BTL_AT_INDEX = 24, /* where the index begins */
  BT_BTL_AT_BYTES = 32, /* of the file */
  BT_BTL_AT_BLOCKS = 40,
  BT_BTL_AT_CONTENT = 48, /* hash of all blocks' headers */
  BT_BTL_AT_HASH = 56
};

/* The index: magic, number of types, checksum of all that follows it, number of blocks, bytes; then offset and first
 * ordinal of each block, then the types, each with a NUL. */
#define BT_BTL_INDEX_MAGIC "BTLI"
enum {
  BT_BTL_INDEX_TYPES = 4,
  BT_BTL_INDEX_HASH = 8,
  BT_BTL_INDEX_BLOCKS = 16,
  BT_BTL_INDEX_BYTES = 24,
  BT_BTL_INDEX_HEADER = 32,
  BT_BTL_ENTRY = 16
};

typedef struct bt_btl_entry {
  uint64_t offset, size; /* size 0: the block is missing */
  int64_t first;         /* ordinal */
} bt_btl_entry;

#endif
