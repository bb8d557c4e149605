/* test_weights.c - networks from files of PyTorch, in both of its formats, and from .btn; sound and damaged ones.
 */
#include "rescore/cnn/weights/weights.h"

#include <berth/networks.h>
#include <math.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "rescore/cnn/weights/btn.h"
#include "rescore/cnn/weights/known.h"
#include "network_layout.h"
#include "torch_files.h"
#include "unit/support.h"

/* The value at a position of a tensor. */
static float value(int tensor, int k) { return (float)((tensor * 37 + k) % 1000) / 512.0f - 0.5f; }

static void values(bt_text *out, int tensor, int size) {
  for (int k = 0; k < size; k++) {
    float v = value(tensor, k);
    bt_text_add(out, (char *)&v, sizeof v);
  }
}

/* The pickle of a state dictionary, with a counter of batches as batch normalization has it; last tensor first. */
static void pickle(bt_text *out, const network_layout *l) {
  char key[16];
  bt_text_add_string(out, "ccollections\nOrderedDict\n)Rq\1(");
  for (int t = l->count - 1; t >= 0; t--) {
    snprintf(key, sizeof key, "k%d", t);
    torch_tensor(out, l->names[t], key, "FloatStorage", l->sizes[t], l->shapes[t], l->ranks[t]);
  }
  torch_tensor(out, "layer.num_batches_tracked", "batches", "LongStorage", 1, NULL, 0);
  bt_text_add_string(out, "u}(");
  torch_string(out, "_metadata");
  bt_text_add_string(out, "h\1ub.");
}

static bt_text archive(const network_layout *l) {
  torch_zip zip = {0};
  char name[64];
  bt_text data = {0};
  bt_text_add(&data, "\x80\x02", 2);
  pickle(&data, l);
  torch_zip_add(&zip, "some/data.pkl", data.data, data.size);
  torch_zip_add(&zip, "some/byteorder", "little", 6);
  torch_zip_add(&zip, "some/data/batches", "\1\0\0\0\0\0\0\0", 8);
  for (int t = 0; t < l->count; t++) {
    data.size = 0;
    values(&data, t, l->sizes[t]);
    snprintf(name, sizeof name, "some/data/k%d", t);
    torch_zip_add(&zip, name, data.data, data.size);
  }
  torch_zip_end(&zip);
  bt_text_destroy(&data);
  return zip.bytes;
}

static bt_text stream(const network_layout *l) {
  bt_text out = {0};
  char key[16];
  torch_stream_head(&out);
  pickle(&out, l);
  bt_text_add(&out, "\x80\x02](", 4);
  torch_string(&out, "batches");
  for (int t = 0; t < l->count; t++) {
    snprintf(key, sizeof key, "k%d", t);
    torch_string(&out, key);
  }
  bt_text_add_string(&out, "e.");
  torch_put(&out, 8, 1);
  torch_put(&out, 8, 7);
  for (int t = 0; t < l->count; t++) {
    torch_put(&out, 8, (uint64_t)l->sizes[t]);
    values(&out, t, l->sizes[t]);
  }
  return out;
}

static void check(const bt_cnn_weights *w, const network_layout *l, const char *name,
                  bt_cnn_architecture architecture) {
  assert_string_equal(w->name, name);
  assert_int_equal(w->architecture, architecture);
  assert_int_equal(w->n_tensors, l->count);
  for (int t = 0; t < l->count; t++) {
    const bt_cnn_tensor *tensor = bt_cnn_tensor_of(w, l->names[t]);
    assert_non_null(tensor);
    assert_int_equal(tensor->rank, l->ranks[t]);
    assert_memory_equal(tensor->shape, l->shapes[t], (size_t)tensor->rank * sizeof(int));
    assert_int_equal(tensor->size, l->sizes[t]);
    for (int k = 0; k < l->sizes[t]; k++) assert_true(tensor->values[k] == value(t, k));
  }
  assert_null(bt_cnn_tensor_of(w, "nothing"));
}

static bt_cnn_weights *parsed(const char *label, bt_text *file) {
  bt_cnn_weights *w = NULL;
  bt_error error = {0};
  support_ok(bt_cnn_weights_parse(label, file->data, file->size, &w, &error), &error);
  bt_text_destroy(file);
  return w;
}

/* The file is refused with these words; it is freed. */
static void refused(bt_text *file, const char *words) {
  bt_cnn_weights *w = NULL;
  bt_error error = {0};
  bt_status status = bt_cnn_weights_parse("net.pt", file->data, file->size, &w, &error);
  support_failed(status, BT_ERR_INPUT, &error, words);
  assert_non_null(strstr(error.file, "net.pt"));
  bt_text_destroy(file);
}

static void test_both_formats_and_architectures(void **state) {
  (void)state;
  network_layout layouts[] = {layout_default2018(), layout_dense()};
  assert_int_equal(layouts[0].count, 14);
  assert_int_equal(layouts[1].count, 82);
  for (int a = 0; a < 2; a++) {
    bt_text file = archive(&layouts[a]);
    bt_cnn_weights *w = parsed("folder/net.pt", &file);
    check(w, &layouts[a], "net", (bt_cnn_architecture)a);
    assert_string_equal(w->source, "net.pt, of unknown origin and license");
    bt_cnn_weights_destroy(w);
    file = stream(&layouts[a]);
    w = parsed("net_2.pt", &file);
    check(w, &layouts[a], "net_2", (bt_cnn_architecture)a);
    bt_cnn_weights_destroy(w);
  }
  assert_string_equal(bt_cnn_architecture_name(BT_CNN_DEFAULT2018), "default2018");
  assert_string_equal(bt_cnn_architecture_name(BT_CNN_DENSE), "dense");
}

static void test_own_file(void **state) {
  (void)state;
  network_layout l = layout_dense();
  bt_text file = archive(&l), bytes = {0};
  bt_cnn_weights *w = parsed("net.pt", &file), *back = NULL;
  char folder[256];
  bt_error error = {0};
  support_folder(folder, sizeof folder);
  BT_SCOPED char *path = bt_path_join(folder, "mine.btn");
  support_ok(bt_cnn_weights_write(w, path, &error), &error);
  support_ok(bt_cnn_weights_read(path, &back, &error), &error);
  check(back, &l, "mine", BT_CNN_DENSE);
  assert_string_equal(back->source, w->source);
  assert_int_equal(bt_cnn_hash(back), bt_cnn_hash(w));
  bt_cnn_weights_destroy(back);
  /* found by its name in the folder of BERTH_NETWORKS */
  setenv("BERTH_NETWORKS", folder, 1);
  support_ok(bt_cnn_weights_find("mine", &back, &error), &error);
  bt_cnn_weights_destroy(back);
  support_failed(bt_cnn_weights_find("../mine", &back, &error), BT_ERR_INPUT, &error, "../mine is not installed");
  setenv("XDG_DATA_HOME", folder, 1);
  char first[512];
  assert_true(bt_networks_folder(0, first, sizeof first));
  assert_string_equal(first, folder);
  assert_false(bt_networks_folder(1, first, sizeof first)); /* it is the only one */
  unsetenv("BERTH_NETWORKS");
  assert_true(bt_networks_folder(0, first, sizeof first));
  assert_non_null(strstr(first, "/berth/networks"));
  assert_false(bt_networks_folder(9, first, sizeof first));
  unlink(path);
  rmdir(folder);

  /* every flipped byte before the values, and every cut, is noticed */
  support_ok(bt_btn_write(w, &bytes, &error), &error);
  for (size_t at = 0; at < 12000; at += at < 64 ? 1 : 61) {
    bytes.data[at] ^= 0x10;
    bt_status status = bt_cnn_weights_parse("mine.btn", bytes.data, bytes.size, &back, &error);
    support_failed(status, BT_ERR_INPUT, &error, "mine.btn");
    bytes.data[at] ^= 0x10;
  }
  for (size_t size = 0; size < bytes.size; size += size < 200 ? 1 : bytes.size / 50) {
    bt_status status = bt_cnn_weights_parse("mine.btn", bytes.data, size, &back, &error);
    support_failed(status, BT_ERR_INPUT, &error, "mine.btn");
  }
  bt_text_destroy(&bytes);
  bt_cnn_weights_destroy(w);
}

static void test_other_networks(void **state) {
  (void)state;
  network_layout l = layout_default2018();
  strcpy(l.names[6], "unit4_conv1.weight");
  bt_text file = stream(&l);
  refused(&file, "neither default2018 (it has no unit4_conv.weight) nor dense (it has no data_enc_init_conv.weight)");
  l = layout_default2018();
  l.shapes[9][0] = l.sizes[9] = 127;
  file = archive(&l);
  refused(&file, "neither default2018 (it has another shape of unit5_conv.bias) nor dense");
  l = layout_default2018();
  layout_add(&l, "more", "weight", 1, (int[]){3});
  file = archive(&l);
  refused(&file, "neither default2018 (it has 15 tensors, not 14) nor dense");
  l = layout_default2018();
  l.count--;
  file = stream(&l);
  refused(&file, "has no affinity_output.bias");
}

static void test_nothing_is_run(void **state) {
  (void)state;
  static const struct {
    const char *pickle, *words;
  } cases[] = {{"cos\nsystem\n(X\4\0\0\0", "it names os.system"},
               {"cbuiltins\neval\n", "it names builtins.eval"},
               {"c__torch__\nNet\n", "it names __torch__.Net"},
               {"ctorch\nHalfStorage\n", "it names torch.HalfStorage"},
               {"ctorch\nFloatStorage\n)R.", "damaged or no state dictionary"},
               {"ccollections\nOrderedDict\n(K\1tR.", "damaged or no state dictionary"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bt_text file = {0};
    torch_stream_head(&file);
    bt_text_add_string(&file, cases[k].pickle);
    refused(&file, cases[k].words);
    torch_zip zip = {0};
    torch_zip_add(&zip, "a/data.pkl", cases[k].pickle, strlen(cases[k].pickle));
    torch_zip_end(&zip);
    refused(&zip.bytes, cases[k].words);
  }
}

/* Operations that take what is not there, or refer to nothing. */
static void test_wrong_pickles(void **state) {
  (void)state;
  static const char *const cases[] = {"",       ".",          "R.",    "s.",        "u.",        "t.",           "(u.",
                                      "(.",     "h\1.",       "q\1.",  "}a.",       "]K\1",      "(e.",          "Q.",
                                      "b.",     "}(K\1u.",    "\x87.", "]b.",       "K",         "J\1",          "X\5",
                                      "\x8a\7", "c\n",        "cx\n",  "G12",       "z.",        "}.",           "N.",
                                      "r\1",    "K\1q\1h\2.", "(]",    "}K\1K\1s.", "]q\1h\1a.", "}(X\1\1\1\1u."};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bt_text file = {0};
    torch_stream_head(&file);
    bt_text_add_string(&file, cases[k]);
    refused(&file, "damaged or no state dictionary");
  }
}

static void test_damaged_files(void **state) {
  (void)state;
  network_layout l = layout_default2018();
  bt_text whole = stream(&l), file = {0};
  size_t head = whole.size - 389059 * 4;
  for (size_t size = 0; size < whole.size; size += size < head ? 1 + head / 300 : whole.size / 40) {
    bt_text_add(&file, whole.data, size);
    if (size == 0) bt_text_add_char(&file, ' ');
    refused(&file, "");
  }
  for (size_t at = 0; at < head; at += 7) { /* some bytes may change without harm, such as a part of a name */
    bt_cnn_weights *w = NULL;
    bt_error error = {0};
    whole.data[at] ^= 0x21;
    bt_status status = bt_cnn_weights_parse("net.pt", whole.data, whole.size, &w, &error);
    if (status != BT_OK) support_failed(status, BT_ERR_INPUT, &error, "net.pt");
    if (status == BT_OK) bt_cnn_weights_destroy(w);
    whole.data[at] ^= 0x21;
  }
  uint32_t nan = 0x7fc00000;
  memcpy(whole.data + whole.size - 4, &nan, 4);
  refused(&whole, "affinity_output.bias has values that are not finite");

  whole = archive(&l);
  whole.data[whole.size / 2] ^= 1;
  refused(&whole, "the checksum of an entry is wrong");
  whole = archive(&l);
  whole.size -= 30;
  refused(&whole, "its directory is missing");
  whole = archive(&l);
  memset(whole.data + whole.size - 6, 0xff, 4); /* where the directory is */
  refused(&whole, "its directory is damaged");
  bt_text_add_string(&whole, "a text\n");
  refused(&whole, "none of a network");
}

static void test_missing_network(void **state) {
  (void)state;
  bt_cnn_weights *w = NULL;
  bt_error error = {0};
  setenv("BERTH_NETWORKS", "/nonexistent", 1);
  support_failed(bt_cnn_weights_find("mine", &w, &error), BT_ERR_INPUT, &error, "the network mine is not installed");
  assert_true(bt_cnn_is_known("dense") && bt_cnn_is_known("redock_default2018_4") && !bt_cnn_is_known("dense_5"));
  if (bt_cnn_weights_find("dense_4", &w, &error) == BT_OK) { /* this build has it */
    assert_non_null(strstr(w->source, "gnina 1.0's dense_4 (Apache"));
    bt_cnn_weights_destroy(w);
    return;
  }
  assert_string_equal(error.message, "the network dense_4 is not installed");
  assert_string_equal(error.remedy,
                      "pip download gninatorch==0.0.2 --no-deps, then berth networks install "
                      "gninatorch-0.0.2-py3-none-any.whl");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_both_formats_and_architectures),
      cmocka_unit_test(test_own_file),
      cmocka_unit_test(test_other_networks),
      cmocka_unit_test(test_nothing_is_run),
      cmocka_unit_test(test_wrong_pickles),
      cmocka_unit_test(test_damaged_files),
      cmocka_unit_test(test_missing_network),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
