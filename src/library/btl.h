/* btl.h - Berth's library format: prepared ligands in compressed blocks of columns (docs/formats.md has the layout).
 *
 * A ligand comes back as it was put in: the same atoms, types, tree, coordinates and charges, bit for bit; numbers of
 * three decimals, as PDBQT has them, cost two bytes, others eight. Its text is written anew, with Meeko's remarks, so
 * that bonds can be restored in poses; other remarks are not kept. Beside it stand the ligand's properties, if it has
 * any (formats/properties.h).
 *
 * Contents
 *   1. The file            header, blocks, index
 *   2. A block             columns of many ligands
 *   3. Ligands             molecule <-> columns
 */
#ifndef BERTH_LIBRARY_BTL_H
#define BERTH_LIBRARY_BTL_H

#include "base/text/text.h"
#include "formats/pdbqt/pdbqt.h"

/* ---------------------------------------------------------------------------------------- 1. the file -- */

#define BT_BTL_MAGIC "BERTHBTL"
enum {
  BT_BTL_VERSION = 1,      /* of files without properties, which early versions of Berth read as well */
  BT_BTL_LATEST = 2,       /* with properties */
  BT_BTL_HEADER = 64,      /* bytes of the file's header */
  BT_BTL_LIGANDS = 1024,   /* per block */
  BT_BTL_BLOCK_HEADER = 32 /* bytes before the table of columns */
};

/* Numbers in the file are little-endian on any machine. */
static inline uint64_t bt_btl_get(const void *bytes, int size) {
  const unsigned char *at = bytes;
  uint64_t x = 0;
  for (int i = 0; i < size; i++) x |= (uint64_t)at[i] << (8 * i);
  return x;
}

static inline void bt_btl_put(void *bytes, int size, uint64_t x) {
  unsigned char *at = bytes;
  for (int i = 0; i < size; i++) at[i] = (unsigned char)(x >> (8 * i));
}

static inline void bt_btl_add_varint(bt_text *text, uint64_t x) {
  for (; x >= 128; x >>= 7) bt_text_add_char(text, (char)(x | 128));
  bt_text_add_char(text, (char)x);
}

/* False when the bytes end within the number, or it is larger than 64 bits. */
static inline bool bt_btl_take_varint(const char **at, const char *end, uint64_t *ret_value) {
  *ret_value = 0;
  for (int shift = 0; *at < end && shift < 64; shift += 7) {
    unsigned char byte = (unsigned char)*(*at)++;
    *ret_value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return true;
  }
  return false;
}

/* No control characters: lines are written anew from what a library holds, so that no text may hold a line's end. */
static inline bool bt_btl_is_printable(const char *text, size_t size) {
  for (size_t i = 0; i < size; i++)
    if ((unsigned char)text[i] < ' ' || text[i] == 127) return false;
  return true;
}

typedef struct bt_btl_writer bt_btl_writer;

bt_status bt_btl_writer_open(const char *path, bt_btl_writer **ret_writer, bt_error *opt_error) BT_MUST_USE;
/* opt_properties: as in formats/properties.h. */
bt_status bt_btl_writer_add(bt_btl_writer *writer, const bt_molecule *molecule, const char *opt_properties,
                            bt_error *opt_error) BT_MUST_USE;
/* The file appears complete or not at all; the writer is destroyed. opt_bytes: its size. */
bt_status bt_btl_writer_commit(bt_btl_writer *writer, uint64_t *opt_bytes, bt_error *opt_error) BT_MUST_USE;
void bt_btl_writer_abandon(bt_btl_writer *opt_writer);

typedef struct bt_btl bt_btl;
typedef struct bt_btl_block bt_btl_block;

/* Maps the file into memory and reads its index; when that is damaged or missing, scans for the blocks. Fails only for
 * a file that is not a .btl or is of a later version. */
bt_status bt_btl_open(const char *path, bt_btl **ret_btl, bt_error *opt_error) BT_MUST_USE;
void bt_btl_close(bt_btl *opt_btl);
int64_t bt_btl_count(const bt_btl *btl);
uint64_t bt_btl_hash(const bt_btl *btl);

/* The block that holds a ligand, which is its ret_index-th; release it. A damaged block makes all its ligands
 * unreadable: BT_ERR_INPUT names block and ligands. */
bt_status bt_btl_block_of(bt_btl *btl, int64_t ordinal, bt_btl_block **ret_block, int *ret_index,
                          bt_error *opt_error) BT_MUST_USE;
/* Ordinals [first, end) share the block of this ligand. */
void bt_btl_range(const bt_btl *btl, int64_t ordinal, int64_t *ret_first, int64_t *ret_end);

/* ----------------------------------------------------------------------------------------- 2. a block -- */

/* clang-format off */
/* One entry per atom unless told otherwise. Varints are LEB128; signed ones zigzag: 0, -1, 1, -2, ... -> 0, 1, 2, 3.
 *
 * HEAD    varints per ligand: flags, atoms, fragments, TORSDOF + 1, bytes in TREE, the origin (first atom) in 0.001
 *         Angstrom (signed, three; not with EXACT), the residue's index in DICTIONARY; then with flag ... its bytes in:
 *         PLACED PLACE, NAMED NAMES, ODD ODD
 * TITLE   name of the ligand, NUL
 * SMILES  with flag PLACED: text, NUL
 * TYPE    byte: index in DICTIONARY
 * CHARGE  0.001 e, signed -> 16 bits: CHARGE_LOW and CHARGE_HIGH
 * XYZ     step from the atom before it, or if it ends a BRANCH's axis that starts before it, from there; 0.001
 *         Angstrom, likewise; three per atom without the first one: XYZ_LOW and XYZ_HIGH
 * TREE    varints: atoms in ROOT; then 0: ENDBRANCH; 1 n: ENDBRANCH and n more atoms; n + 2, a, b: BRANCH with n
 *         atoms, a = its first atom - the axis' start, b = the axis' end - its first atom (both signed); the last
 *         ENDBRANCHes are left out
 * PLACE   with flag PLACED, varints: 0: none; else 1 + 2 (place in the SMILES - that of the atom before, signed) + 1
 *         if the place is that of a hydrogen's parent
 * NAMES   with flag NAMED, varints: index in DICTIONARY; otherwise an atom has the usual name of its type
 * ODD     with flag ODD, varints: serial number - that of the atom before (signed), residue's index in DICTIONARY
 * EXACT   with flag EXACT: x, y, z, charge as doubles, instead of CHARGE and XYZ
 * DICTIONARY  per block: varints of how many types, usual names (as many), residues ("UNL A   1 ": columns 18 to 27)
 *         and names; then all of them as texts, each with a NUL
 * PROPERTIES  only in blocks with a ligand that has any: for each ligand its properties, NUL
 */
#define BT_BTL_COLUMNS(X) \
  X(HEAD) X(TITLE) X(SMILES) X(TYPE) X(CHARGE_LOW) X(CHARGE_HIGH) X(XYZ_LOW) X(XYZ_HIGH) X(TREE) X(PLACE) X(NAMES) \
  X(ODD) X(EXACT) X(DICTIONARY) X(PROPERTIES)

typedef enum bt_btl_column {
#define BT_BTL_COLUMN_ENUM(name) BT_BTL_##name,
  BT_BTL_COLUMNS(BT_BTL_COLUMN_ENUM)
#undef BT_BTL_COLUMN_ENUM
  BT_BTL_N_COLUMNS
} bt_btl_column;
/* clang-format on */

enum { BT_BTL_FLAG_PLACED = 1, BT_BTL_FLAG_NAMED = 2, BT_BTL_FLAG_ODD = 4, BT_BTL_FLAG_EXACT = 8, BT_BTL_FLAGS = 15 };

enum { BT_BTL_TYPES, BT_BTL_USUAL, BT_BTL_RESIDUES, BT_BTL_OTHER, BT_BTL_N_LISTS };

/* Texts that many ligands share. */
typedef struct bt_btl_list {
  char (*items)[12];
  size_t count, room;
} bt_btl_list;

/* Index of a text of at most 11 bytes, which is added if it is new; false when memory is exhausted. */
bool bt_btl_list_find(bt_btl_list *list, const char *item, uint64_t *ret_index) BT_MUST_USE;

typedef struct bt_btl_columns {
  bt_text column[BT_BTL_N_COLUMNS];
  bt_btl_list lists[BT_BTL_N_LISTS];
  int n_ligands;
  size_t size; /* bytes of all columns, about */
} bt_btl_columns;

void bt_btl_columns_clear(bt_btl_columns *columns); /* stays ready for more */
void bt_btl_columns_destroy(bt_btl_columns *columns);

bool bt_btl_has_properties(const bt_btl_columns *columns);
/* Columns as the bytes of a block, compressed and with its checksum. */
bt_status bt_btl_compress(bt_btl_columns *columns, int64_t first, bt_text *ret_bytes, bt_error *opt_error) BT_MUST_USE;
/* True if bytes begin with a whole block whose checksum is right. opt_: what its header says. */
bool bt_btl_check(const char *bytes, size_t size, size_t *ret_size, int64_t *ret_first, int *ret_ligands);

/* A block in memory; reference-counted, so that threads can share it. */
struct bt_btl_block {
  int references; /* atomic */
  int64_t first;
  int n_ligands;
  bt_text column[BT_BTL_N_COLUMNS];
  bt_btl_list lists[BT_BTL_N_LISTS];
  uint32_t (*starts)[BT_BTL_N_COLUMNS]; /* [n_ligands + 1] where its part of each column begins */
};

/* bytes that passed bt_btl_check. where: for messages. */
bt_status bt_btl_decompress(const char *bytes, size_t size, bt_where where, bt_btl_block **ret_block,
                            bt_error *opt_error) BT_MUST_USE;
bt_btl_block *bt_btl_block_retain(bt_btl_block *block);
void bt_btl_block_release(bt_btl_block *opt_block);

/* ----------------------------------------------------------------------------------------- 3. ligands -- */

/* Appends a ligand, or leaves the columns as they were. BT_ERR_LIMIT: more atom types than a block can have. */
bt_status bt_btl_encode(bt_btl_columns *columns, const bt_molecule *molecule, const char *opt_properties,
                        bt_error *opt_error) BT_MUST_USE;
/* Where each ligand's part of the columns begins; BT_ERR_INPUT when they are inconsistent. */
bt_status bt_btl_find_starts(bt_btl_block *block, bt_where where, bt_error *opt_error) BT_MUST_USE;
const char *bt_btl_title(const bt_btl_block *block, int index);
const char *bt_btl_properties(const bt_btl_block *block, int index); /* "": none */
bt_status bt_btl_decode(const bt_btl_block *block, int index, const char *path, bt_molecule **ret_molecule,
                        bt_error *opt_error) BT_MUST_USE;

#endif
