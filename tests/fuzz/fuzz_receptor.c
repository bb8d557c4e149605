/* fuzz_receptor.c - PDBQT receptors. */
#include "fuzz/pdbqt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int count;
  bt_molecule **list = fuzz_read_molecules(data, size, BT_MOLECULE_RECEPTOR, &count);
  bt_molecule_list_destroy(list, count);
  return 0;
}
