/* fuzz_library.c - blocks of .btl files. The input is what follows a block's checksum, which is computed, so that the
 * decoding of columns is reached. Ligands that can be decoded must survive another round trip. */
#include "base/memory.h"
#include "base/xxhash.h"
#include "fuzz/fuzz.h"
#include "library/btl.h"

static void check_again(const bt_molecule *molecule, const char *properties) {
  bt_btl_columns columns = {0};
  bt_text bytes = {0};
  bt_error error = {0};
  bt_btl_block *block = NULL;
  bt_molecule *back = NULL;
  bt_status status = bt_btl_encode(&columns, molecule, properties, &error);
  if (status == BT_OK) status = bt_btl_compress(&columns, 0, &bytes, &error);
  if (status == BT_OK) status = bt_btl_decompress(bytes.data, bytes.size, (bt_where){.file = "x"}, &block, &error);
  if (status == BT_OK) status = bt_btl_decode(block, 0, "x", &back, &error);
  FUZZ_CHECK(status == BT_OK);
  FUZZ_CHECK(strcmp(bt_btl_properties(block, 0), properties) == 0);
  FUZZ_CHECK(back->n_atoms == molecule->n_atoms && back->n_fragments == molecule->n_fragments);
  for (int i = 0; i < back->n_atoms; i++) {
    const bt_atom *a = &molecule->atoms[i], *b = &back->atoms[i];
    FUZZ_CHECK(a->x[0] == b->x[0] && a->x[1] == b->x[1] && a->x[2] == b->x[2] && a->charge == b->charge);
    FUZZ_CHECK(a->fragment == b->fragment && a->serial == b->serial && strcmp(a->type, b->type) == 0);
  }
  bt_btl_block_release(block);
  bt_molecule_destroy(back);
  bt_btl_columns_destroy(&columns);
  bt_text_destroy(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 16 || size > 1 << 20) return 0;
  size_t total = size + 16;
  char *bytes = bt_allocate(total, 1);
  FUZZ_CHECK(bytes != NULL);
  memcpy(bytes, "BTLB", 4);
  bt_btl_put(bytes + 4, 4, size % 2 == 0 ? BT_BTL_PROPERTIES : BT_BTL_N_COLUMNS); /* without properties and with */
  memcpy(bytes + 16, data, size);
  bt_btl_put(bytes + 28, 4, total);
  bt_btl_put(bytes + 8, 8, bt_xxh64(bytes + 16, total - 16, 0));
  size_t found;
  int64_t first;
  int ligands;
  bt_btl_block *block = NULL;
  bt_error error = {0};
  if (bt_btl_check(bytes, total, &found, &first, &ligands)) {
    bt_status status = bt_btl_decompress(bytes, total, (bt_where){.file = "x"}, &block, &error);
    if (status != BT_OK) fuzz_check_failure(status, &error);
  }
  for (int i = 0; block != NULL && i < block->n_ligands && i < 50; i++) {
    bt_molecule *molecule = NULL;
    bt_status status = bt_btl_decode(block, i, "x", &molecule, &error);
    if (status != BT_OK) {
      fuzz_check_failure(status, &error);
      continue;
    }
    check_again(molecule, bt_btl_properties(block, i));
    bt_molecule_destroy(molecule);
  }
  bt_btl_block_release(block);
  free(bytes);
  return 0;
}
