/* fuzz_bude_library.c - any bytes as a library of conformers: every compound that is read is complete. */
#include <unistd.h>

#include <berth/bude.h>

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[] = "/tmp/berth-fuzz-XXXXXX";
  int file = mkstemp(path);
  FUZZ_CHECK(file >= 0 && write(file, "BUDELIB1", 8) == 8 && write(file, data, size) == (ssize_t)size);
  close(file);
  bt_error error;
  bt_bude_options options = bt_bude_options_default();
  bt_bude *bude;
  bt_bude_reader *reader;
  FUZZ_CHECK(bt_bude_open_forcefield(&options, &bude, &error) == BT_OK);
  bt_status status = bt_bude_reader_open(bude, path, &reader, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
  } else {
    for (;;) {
      bt_bude_compound *compound;
      status = bt_bude_reader_next(reader, &compound, &error);
      if (status != BT_OK) fuzz_check_failure(status, &error);
      if (compound == NULL) break;
      FUZZ_CHECK(bt_bude_compound_conformer_count(compound) > 0 && bt_bude_compound_heavy_count(compound) > 0);
      bt_bude_compound_destroy(compound);
    }
    bt_bude_reader_close(reader);
  }
  bt_bude_close(bude);
  unlink(path);
  return 0;
}
