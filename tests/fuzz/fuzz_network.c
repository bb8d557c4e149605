/* fuzz_network.c - files of networks. The first byte chooses what the rest is: a file as it is; the pickle of an
 * archive that has some storages, with the right checksums; or a .btn file, whose size and checksum are corrected, so
 * that its table is reached. What can be read can be written and read again. */
#include "base/memory.h"
#include "fuzz/fuzz.h"
#include "rescore/cnn/weights/btn.h"
#include "rescore/cnn/weights/known.h"
#include "torch_files.h"

static void check_again(const bt_cnn_weights *w) {
  bt_text bytes = {0};
  bt_cnn_weights *back = NULL;
  FUZZ_CHECK(bt_btn_write(w, &bytes, NULL) == BT_OK);
  FUZZ_CHECK(bt_cnn_weights_parse("x.btn", bytes.data, bytes.size, &back, NULL) == BT_OK);
  FUZZ_CHECK(back->architecture == w->architecture && bt_cnn_hash(back) == bt_cnn_hash(w));
  bt_cnn_weights_destroy(back);
  bt_text_destroy(&bytes);
}

static bt_text archive(const char *pickle, size_t size) {
  static const char values[64] = {0};
  torch_zip zip = {0};
  torch_zip_add(&zip, "a/data.pkl", pickle, size);
  torch_zip_add(&zip, "a/data/0", values, 8);
  torch_zip_add(&zip, "a/data/1", values, sizeof values);
  torch_zip_end(&zip);
  return zip.bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size > 1 << 20) return 0;
  bt_text file = {0};
  int mode = data[0] % 3;
  if (mode == 1) {
    file = archive((const char *)data + 1, size - 1);
  } else {
    bt_text_add(&file, (const char *)data + 1, size - 1);
    bt_text_add(&file, "", 1), file.size--;
  }
  FUZZ_CHECK(file.data != NULL);
  if (mode == 2 && file.size >= BT_BTN_HEADER) {
    for (int k = 0; k < 8; k++) file.data[16 + k] = (char)(uint8_t)((uint64_t)file.size >> 8 * k);
    uint64_t sum = bt_btn_checksum(file.data, file.size);
    for (int k = 0; k < 8; k++) file.data[BT_BTN_AT_CHECKSUM + k] = (char)(uint8_t)(sum >> 8 * k);
  }
  char *exact = bt_allocate(file.size, 1); /* so that the sanitizer sees a byte too many */
  FUZZ_CHECK(exact != NULL);
  memcpy(exact, file.data, file.size);
  bt_cnn_weights *w = NULL;
  bt_error error = {0};
  bt_status status = bt_cnn_weights_parse("x.pt", exact, file.size, &w, &error);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  if (status == BT_OK) check_again(w);
  bt_cnn_weights_destroy(status == BT_OK ? w : NULL);
  free(exact);
  bt_text_destroy(&file);
  return 0;
}
