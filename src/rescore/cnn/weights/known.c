/* known.c - the networks published with gnina 1.0, recognized by their values. */
#include "rescore/cnn/weights/known.h"

#include "base/memory.h"
#include "base/text/text.h"
#include "base/xxhash.h"

/* Five networks a family: NAME, NAME_1 to NAME_4, trained from other random numbers. */
enum { MEMBERS = 5 };

static const struct {
  const char *name;
  uint64_t hashes[MEMBERS];
} families[] = {
    {"crossdock_default2018",
     {0xf4e516043dbd2ce9, 0x51428b665afda3ab, 0xf0b3bd77bbbeb850, 0x7716bb25cb2db2c1, 0xe70fe1b62cbe71f6}},
    {"general_default2018",
     {0x21551831829d156d, 0xb27dc05ebfd18b61, 0xbeb0211c18c2b01f, 0x856c35ef5fe22845, 0x78167e3ca9a4748f}},
    {"redock_default2018",
     {0xeadc6c964c82dbce, 0x14f131ef34b84fac, 0xcbd28802df622a04, 0x41b6fe15d4466908, 0xd9d4195310cab647}},
    {"dense", {0x66848962fa159c56, 0x80d79f111772c5fa, 0xc2f9aae13c0da0e9, 0xa4a0ab8f34c07074, 0xb41be9a598e7403b}},
};

enum { FAMILIES = sizeof families / sizeof *families };

bool bt_cnn_name_check(const char *name) {
  static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
  size_t size = strlen(name);
  return size > 0 && size <= 100 && name[0] != '.' && strspn(name, allowed) == size;
}

bool bt_cnn_is_known(const char *name) {
  for (int f = 0; f < FAMILIES; f++) {
    size_t head = strlen(families[f].name);
    if (strncmp(name, families[f].name, head) != 0) continue;
    const char *tail = name + head;
    if (tail[0] == '\0' || (tail[0] == '_' && tail[1] >= '1' && tail[1] < '0' + MEMBERS && tail[2] == '\0'))
      return true;
  }
  return false;
}

uint64_t bt_cnn_hash(const bt_cnn_weights *weights) {
  uint64_t hash = 0;
  for (int t = 0; t < weights->n_tensors; t++)
    hash = bt_xxh64(weights->tensors[t].values, weights->tensors[t].size * sizeof(float), hash);
  return hash;
}

char *bt_cnn_source(const bt_cnn_weights *weights, const char *file) {
  uint64_t hash = bt_cnn_hash(weights);
  bt_text text = {0};
  for (int f = 0; f < FAMILIES; f++)
    for (int m = 0; m < MEMBERS; m++) {
      if (families[f].hashes[m] != hash) continue;
      bt_text_printf(&text, "gnina 1.0's %s", families[f].name);
      if (m > 0) bt_text_printf(&text, "_%d", m);
      bt_text_add_string(&text,
                         " (Apache-2.0 or GPL), converted for gninatorch 0.0.2 (MIT, Copyright (c) 2021 Rocco Meli)");
    }
  if (text.size == 0) bt_text_printf(&text, "%s, of unknown origin and license", file);
  char *source = NULL;
  return bt_text_take(&text, &source, NULL) == BT_OK ? source : NULL;
}
