/* library_format.h - the records of a library of conformers. Little-endian, as every machine that we build for.
 *
 * header | records, compound by compound | uint64 offset of each record | uint32 number of compounds | compounds
 */
#ifndef BERTH_ENGINE_BUDE_LIBRARY_FORMAT_H
#define BERTH_ENGINE_BUDE_LIBRARY_FORMAT_H

#include <stdint.h>

#define BT_BUDE_LIBRARY_MAGIC "BUDELIB1"
#define BT_BUDE_LIBRARY_VERSION 1u

typedef struct bt_bude_library_header {
  char magic[8];
  uint32_t version;
  uint32_t forcefield; /* hash: types are its rows */
  uint64_t records;    /* conformers */
  uint64_t index;      /* byte offset of the offsets */
} bt_bude_library_header;

/* A conformer; its atoms follow as bt_bude_atom, about their middle, Angstrom. */
typedef struct bt_bude_library_record {
  uint32_t compound; /* from 0 */
  uint16_t conformer, atoms;
} bt_bude_library_record;

/* A compound: its name (without end) and bonds follow. */
typedef struct bt_bude_library_compound {
  uint16_t name_size, atoms, bonds;
} bt_bude_library_compound;

typedef struct bt_bude_library_bond {
  uint16_t a, b, order; /* order: index of bt_bude_library_order */
} bt_bude_library_bond;

#define BT_BUDE_LIBRARY_ORDERS 8

static inline const char *bt_bude_library_order(int index) {
  static const char *const orders[BT_BUDE_LIBRARY_ORDERS] = {"un", "1", "2", "3", "ar", "am", "du", "nc"};
  return orders[index];
}

#endif
