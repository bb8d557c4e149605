/* btn.h - Berth's file of a network. docs/networks.md describes it. */
#ifndef BERTH_RESCORE_CNN_WEIGHTS_BTN_H
#define BERTH_RESCORE_CNN_WEIGHTS_BTN_H

#include "rescore/cnn/weights/architecture.h"

bool bt_btn_is(const char *data, size_t size);

/* What a file in memory holds, borrowed from it; views to be free()d. */
typedef struct bt_btn {
  bt_span name, source;
  uint32_t architecture; /* as bt_cnn_architecture */
  bt_cnn_view *views;
  int count;
} bt_btn;

/* label is the file's name in messages. */
bt_status bt_btn_read(const char *label, bt_span data, bt_btn *ret_btn, bt_error *opt_error) BT_MUST_USE;
/* The bytes of a file. */
bt_status bt_btn_write(const bt_cnn_weights *weights, bt_text *ret_bytes, bt_error *opt_error) BT_MUST_USE;

/* The checksum that belongs to the bytes of a file, or a part of one, with a whole header. */
uint64_t bt_btn_checksum(const char *data, size_t size);
enum { BT_BTN_AT_CHECKSUM = 24, BT_BTN_HEADER = 64 };

#endif
