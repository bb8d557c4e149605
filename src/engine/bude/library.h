/* library.h - compounds in a binary file, read one after the other. Little-endian, as every machine that we build for:
 *
 * header | records, compound by compound | uint64 offset of each record | uint32 number of compounds | compounds
 */
#ifndef BERTH_ENGINE_BUDE_LIBRARY_H
#define BERTH_ENGINE_BUDE_LIBRARY_H

#include <stdint.h>

#include "engine/bude/compound.h"

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

typedef struct bt_bude_library_reader bt_bude_library_reader;

/* Does the file begin as a library does? false also when it cannot be read. */
bool bt_is_bude_library(const char *path);
/* BT_ERR_PARAMETER when it was typed with another force field. */
bt_status bt_bude_library_open(const char *path, const bt_bude_forcefield *forcefield,
                               bt_bude_library_reader **ret_reader, bt_error *opt_error) BT_MUST_USE;
/* The next compound, NULL at the end. All failures are final: a damaged file cannot be read any further. */
bt_status bt_bude_library_next(bt_bude_library_reader *reader, bt_bude_compound **ret_compound,
                               bt_error *opt_error) BT_MUST_USE;
void bt_bude_library_close(bt_bude_library_reader *opt_reader);

#endif
