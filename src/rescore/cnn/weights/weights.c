/* weights.c - networks from files, and where they come from. */
#include "rescore/cnn/weights/weights.h"

#include <berth/networks.h>

#include <stdio.h>

#include "base/files/file.h"
#include "base/files/zip.h"
#include "base/memory.h"
#include "rescore/cnn/weights/architecture.h"
#include "rescore/cnn/weights/btn.h"
#include "rescore/cnn/weights/known.h"
#include "rescore/cnn/weights/torch.h"

enum { MOST_BYTES = 1 << 28 };

/* The last part of a path without its ending; free() it. */
static char *name_of(const char *label) {
  size_t size = strlen(label);
  bool ours = size > 4 && strcmp(label + size - 4, ".btn") == 0;
  return bt_path_stem(label, ours ? ".btn" : ".pt");
}

static bt_status parse_torch(const char *label, const char *name, bt_span data, bt_cnn_weights **ret_weights,
                             bt_error *opt_error) {
  BT_SCOPED bt_cnn_view *views = NULL;
  int count = 0;
  BT_TRY(bt_torch_read(label, data, &views, &count, opt_error));
  BT_TRY(bt_cnn_build(label, name, "", views, count, ret_weights, opt_error));
  free((*ret_weights)->source);
  (*ret_weights)->source = bt_cnn_source(*ret_weights, bt_path_base(label));
  if ((*ret_weights)->source != NULL) return BT_OK;
  bt_cnn_weights_destroy(*ret_weights);
  return bt_fail_memory(opt_error);
}

static bt_status parse_btn(const char *label, const char *name, bt_span data, bt_cnn_weights **ret_weights,
                           bt_error *opt_error) {
  bt_btn btn;
  BT_TRY(bt_btn_read(label, data, &btn, opt_error));
  BT_SCOPED bt_cnn_view *views = btn.views;
  BT_SCOPED char *source = bt_copy_text(btn.source.text, btn.source.size);
  if (source == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_cnn_build(label, name, source, views, btn.count, ret_weights, opt_error));
  if ((uint32_t)(*ret_weights)->architecture == btn.architecture) return BT_OK;
  bt_cnn_weights_destroy(*ret_weights);
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "install the network again",
                 "the file of a network is damaged: its tensors are those of another architecture");
}

bt_status bt_cnn_weights_parse(const char *label, const char *data, size_t size, bt_cnn_weights **ret_weights,
                               bt_error *opt_error) {
  BT_SCOPED char *name = name_of(label);
  if (name == NULL) return bt_fail_memory(opt_error);
  if (bt_btn_is(data, size)) return parse_btn(label, name, (bt_span){data, size}, ret_weights, opt_error);
  if (bt_is_zip(data, size) || bt_torch_is_stream(data, size))
    return parse_torch(label, name, (bt_span){data, size}, ret_weights, opt_error);
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label},
                 "give a .btn file of Berth, or a state dictionary that torch.save has written (.pt)",
                 "the file is none of a network");
}

bt_status bt_cnn_weights_read(const char *path, bt_cnn_weights **ret_weights, bt_error *opt_error) {
  BT_SCOPED char *data = NULL;
  size_t size = 0;
  BT_TRY(bt_file_read_most(path, MOST_BYTES, &data, &size, opt_error));
  return bt_cnn_weights_parse(bt_file_label(path), data, size, ret_weights, opt_error);
}

bt_status bt_cnn_weights_find(const char *name, bt_cnn_weights **ret_weights, bt_error *opt_error) {
  char folder[4096], file[256];
  bool named = bt_cnn_name_check(name);
  for (int f = 0; named && bt_networks_folder(f, folder, sizeof folder); f++) {
    snprintf(file, sizeof file, "%s.btn", name);
    BT_SCOPED char *path = bt_path_join(folder, file);
    bool there = false;
    if (path == NULL) return bt_fail_memory(opt_error);
    BT_TRY(bt_file_look(path, &there, opt_error));
    if (there) return bt_cnn_weights_read(path, ret_weights, opt_error);
  }
  bool known = named && bt_cnn_is_known(name);
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0},
                 known ? "pip download gninatorch==0.0.2 --no-deps, then berth networks install "
                         "gninatorch-0.0.2-py3-none-any.whl"
                       : "berth networks lists those that are, berth networks install FILE adds one",
                 "the network %.80s is not installed", name);
}

bt_status bt_cnn_weights_write(const bt_cnn_weights *weights, const char *path, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text bytes = {0};
  BT_TRY(bt_btn_write(weights, &bytes, opt_error));
  return bt_file_write(path, bytes.data, bytes.size, opt_error);
}

void bt_cnn_weights_destroy(bt_cnn_weights *opt_weights) {
  if (opt_weights == NULL) return;
  for (int t = 0; t < opt_weights->n_tensors; t++) {
    free(opt_weights->tensors[t].name);
    free(opt_weights->tensors[t].values);
  }
  free(opt_weights->tensors);
  free(opt_weights->name);
  free(opt_weights->source);
  free(opt_weights);
}

const bt_cnn_tensor *bt_cnn_tensor_of(const bt_cnn_weights *weights, const char *name) {
  for (int t = 0; t < weights->n_tensors; t++)
    if (strcmp(weights->tensors[t].name, name) == 0) return &weights->tensors[t];
  return NULL;
}
