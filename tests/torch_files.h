/* torch_files.h - files as PyTorch writes them, for tests: pickles of state dictionaries, zip archives, streams. */
#ifndef BERTH_TESTS_TORCH_FILES_H
#define BERTH_TESTS_TORCH_FILES_H

#include <stdio.h>
#include <string.h>

#include "base/files/zip.h"
#include "base/text/text.h"

static inline void torch_put(bt_text *out, int size, uint64_t number) {
  for (int k = 0; k < size; k++) bt_text_add_char(out, (char)(uint8_t)(number >> 8 * k));
}

/* ---- zip archives of stored entries ---- */

typedef struct torch_zip {
  bt_text bytes, directory;
  int count;
} torch_zip;

static inline void torch_zip_add(torch_zip *zip, const char *name, const char *data, size_t size) {
  size_t offset = zip->bytes.size;
  for (int central = 0; central < 2; central++) {
    bt_text *out = central ? &zip->directory : &zip->bytes;
    bt_text_add(out, central ? "PK\1\2" : "PK\3\4", 4);
    torch_put(out, central ? 4 : 2, 20);
    torch_put(out, 8, 0); /* flags, method, time, date */
    torch_put(out, 4, bt_crc32(data, size));
    torch_put(out, 4, size);
    torch_put(out, 4, size);
    torch_put(out, 2, strlen(name));
    torch_put(out, 2, 0);
    if (central) torch_put(out, 8, 0), torch_put(out, 2, 0), torch_put(out, 4, offset);
    bt_text_add_string(out, name);
    if (!central) bt_text_add(out, data, size);
  }
  zip->count++;
}

/* The archive is zip->bytes afterwards. */
static inline void torch_zip_end(torch_zip *zip) {
  size_t offset = zip->bytes.size;
  bt_text_add(&zip->bytes, zip->directory.data, zip->directory.size);
  bt_text_add(&zip->bytes, "PK\5\6\0\0\0\0", 8);
  torch_put(&zip->bytes, 2, (uint64_t)zip->count);
  torch_put(&zip->bytes, 2, (uint64_t)zip->count);
  torch_put(&zip->bytes, 4, zip->directory.size);
  torch_put(&zip->bytes, 4, offset);
  torch_put(&zip->bytes, 2, 0);
  bt_text_destroy(&zip->directory);
}

/* ---- pickles ---- */

static inline void torch_int(bt_text *out, int number) {
  bt_text_add_char(out, 'J');
  torch_put(out, 4, (uint32_t)number);
}

static inline void torch_string(bt_text *out, const char *text) {
  bt_text_add_char(out, 'X');
  torch_put(out, 4, strlen(text));
  bt_text_add_string(out, text);
}

/* Key and value of a state dictionary; the storage has `held` elements of torch.`type`. */
static inline void torch_tensor(bt_text *out, const char *name, const char *key, const char *type, int held,
                                const int *shape, int rank) {
  torch_string(out, name);
  bt_text_add_string(out, "ctorch._utils\n_rebuild_tensor_v2\n((");
  torch_string(out, "storage");
  bt_text_printf(out, "ctorch\n%s\n", type);
  torch_string(out, key);
  torch_string(out, "cpu");
  torch_int(out, held);
  bt_text_add_string(out, "NtQ");
  torch_int(out, 0);
  bt_text_add_char(out, '(');
  for (int k = 0; k < rank; k++) torch_int(out, shape[k]);
  bt_text_add_string(out, "t(");
  for (int k = 0; k < rank; k++) {
    int step = 1;
    for (int later = k + 1; later < rank; later++) step *= shape[later];
    torch_int(out, step);
  }
  bt_text_add_string(out,
                     "t\x89"
                     "ccollections\nOrderedDict\n)RtR");
}

/* What a stream begins with. */
static inline void torch_stream_head(bt_text *out) {
  bt_text_add(out, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.\x80\x02}(", 25);
  torch_string(out, "little_endian");
  bt_text_add_string(out, "\x88u.\x80\x02");
}

#endif
