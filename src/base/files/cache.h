/* cache.h - data that are expensive to compute and can be discarded: compiled kernels, calibrations; one file per key.
 *
 * The folder is that of berth/cache.h. The cache never fails: an unreadable entry is a miss, an unwritable one is
 * dropped. Entries are written to temporary files and renamed, and carry their size and hash, so a damaged one is a
 * miss, as is a folder or entry that other users own or can write to.
 */
#ifndef BERTH_BASE_FILES_CACHE_H
#define BERTH_BASE_FILES_CACHE_H

#include <berth/status.h>

/* 128 bits: two FNV-1a hashes with different offset bases. Not cryptographic. */
typedef struct bt_hash {
  uint64_t a, b;
} bt_hash;

bt_hash bt_hash_begin(void);
void bt_hash_add(bt_hash *hash, const void *data, size_t size);
/* The text and its NUL, so that ("ab", "c") and ("a", "bc") differ. */
void bt_hash_add_text(bt_hash *hash, const char *text);

/* BT_ERR_USAGE if the folder is not used because others own it or can write to it. */
bt_status bt_cache_check_trust(bt_error *opt_error) BT_MUST_USE;
/* BT_ERR_IO when nothing can be stored, because the folder cannot be created or written, or is unknown. Creates
 * nothing. */
bt_status bt_cache_check_writable(bt_error *opt_error) BT_MUST_USE;
/* True with the entry's data, which end with a NUL that size does not count; free() them. kind: "opencl". */
bool bt_cache_load(const char *kind, bt_hash key, char **ret_data, size_t *ret_size);
void bt_cache_store(const char *kind, bt_hash key, const void *data, size_t size);
void bt_cache_remove(const char *kind, bt_hash key);

#endif
