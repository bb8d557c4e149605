/* btl_read.c - a .btl file in memory: its index, or the blocks found without one. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/xxhash.h"
#include "library/btl.h"
#include "library/btl_layout.h"

#define REMEDY "copy it again, or make it again with berth prep library"

struct bt_btl {
  char *path;
  char *data; /* mapped */
  size_t size;
  int64_t count;
  uint64_t hash;
  bt_btl_entry *entries; /* [n_entries] in order; a gap is an entry without size */
  size_t n_entries, room;
};

int64_t bt_btl_count(const bt_btl *btl) { return btl->count; }
uint64_t bt_btl_hash(const bt_btl *btl) { return btl->hash; }

void bt_btl_close(bt_btl *opt_btl) {
  if (opt_btl == NULL) return;
  if (opt_btl->data != NULL) munmap(opt_btl->data, opt_btl->size);
  free(opt_btl->entries);
  free(opt_btl->path);
  free(opt_btl);
}

/* -------------------------------------------------------------------------------------------------- index -- */

static bool add_entry(bt_btl *btl, uint64_t offset, uint64_t size, int64_t first) {
  return BT_APPEND(btl->entries, btl->n_entries, &btl->room, (bt_btl_entry){offset, size, first});
}

static bool types_fit(const char *at, const char *end, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    const char *nul = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
    if (nul == NULL || nul - at > 7 || nul == at) return false;
    at = nul + 1;
  }
  return at == end;
}

/* Uses the index only if it is entirely valid. *ret_failed: memory is exhausted. */
static bool read_index(bt_btl *btl, uint64_t offset, bool *ret_failed) {
  if (offset < BT_BTL_HEADER || offset > btl->size || btl->size - offset < BT_BTL_INDEX_HEADER) return false;
  const char *index = btl->data + offset;
  uint64_t bytes = bt_btl_get(index + BT_BTL_INDEX_BYTES, 8), blocks = bt_btl_get(index + BT_BTL_INDEX_BLOCKS, 8);
  uint64_t types = bt_btl_get(index + BT_BTL_INDEX_TYPES, 4);
  if (memcmp(index, BT_BTL_INDEX_MAGIC, 4) != 0 || bytes < BT_BTL_INDEX_HEADER || bytes > btl->size - offset ||
      blocks > (bytes - BT_BTL_INDEX_HEADER) / BT_BTL_ENTRY || types > INT_MAX)
    return false;
  if (bt_btl_get(index + BT_BTL_INDEX_HASH, 8) != bt_xxh64(index + BT_BTL_INDEX_BLOCKS, bytes - BT_BTL_INDEX_BLOCKS, 0))
    return false;
  const char *entry = index + BT_BTL_INDEX_HEADER, *names = entry + blocks * BT_BTL_ENTRY;
  if (!types_fit(names, index + bytes, types)) return false;
  int64_t before = -1;
  uint64_t end = BT_BTL_HEADER;
  for (uint64_t i = 0; i < blocks; i++, entry += BT_BTL_ENTRY) {
    uint64_t at = bt_btl_get(entry, 8), first = bt_btl_get(entry + 8, 8);
    uint64_t next = i + 1 < blocks ? bt_btl_get(entry + BT_BTL_ENTRY, 8) : offset;
    if (at != end || next <= at || next > offset || (int64_t)first <= before || first >= (uint64_t)btl->count ||
        (i == 0 && first != 0))
      return false;
    if (!add_entry(btl, at, next - at, (int64_t)first)) return *ret_failed = true, false;
    before = (int64_t)first;
    end = next;
  }
  if ((blocks == 0) != (btl->count == 0)) return false;
  return true;
}

/* ------------------------------------------------------------------------------- without a header or index -- */

/* The next complete block from *at on with a correct checksum. */
static bool find_block(const bt_btl *btl, size_t *at, size_t *ret_size, int64_t *ret_first, int *ret_ligands) {
  while (*at < btl->size) {
    const char *found = memmem(btl->data + *at, btl->size - *at, "BTLB", 4);
    if (found == NULL) return false;
    *at = (size_t)(found - btl->data);
    if (bt_btl_check(found, btl->size - *at, ret_size, ret_first, ret_ligands)) return true;
    ++*at;
  }
  return false;
}

/* count: from the header, -1 without it. Ordinals missing in all blocks become gaps. */
static bool scan(bt_btl *btl, int64_t count) {
  size_t at = BT_BTL_HEADER, size = 0;
  int64_t first, next = 0;
  int ligands;
  btl->n_entries = 0;
  for (; find_block(btl, &at, &size, &first, &ligands); at += size) {
    if (first < next || (count >= 0 && first + ligands > count)) continue;
    if (first > next && !add_entry(btl, 0, 0, next)) return false;
    if (!add_entry(btl, at, size, first)) return false;
    next = first + ligands;
  }
  if (count > next && !add_entry(btl, 0, 0, next)) return false;
  btl->count = count > next ? count : next;
  return true;
}

/* ------------------------------------------------------------------------------------------------ opening -- */

static bt_status map(bt_btl *btl, bt_error *opt_error) {
  int descriptor = open(btl->path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (descriptor < 0) return bt_file_fail_read(btl->path, errno, opt_error);
  int code = fstat(descriptor, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? EISDIR : 0;
  if (code == 0 && S_ISREG(info.st_mode) && info.st_size >= BT_BTL_HEADER) {
    void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) {
      code = errno;
    } else {
      btl->data = data;
      btl->size = (size_t)info.st_size;
    }
  }
  close(descriptor);
  if (code != 0) return bt_file_fail_read(btl->path, code, opt_error);
  if (btl->data == NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = btl->path}, REMEDY,
                   "not a Berth library: too short, or not a regular file");
  return BT_OK;
}

static bt_status read_header(bt_btl *btl, bt_error *opt_error) {
  const char *header = btl->data;
  bt_where where = {.file = btl->path};
  if (memcmp(header, BT_BTL_MAGIC, 8) != 0) {
    size_t at = BT_BTL_HEADER, size; /* the damage may be in its first bytes */
    int64_t first;
    int ligands;
    if (!find_block(btl, &at, &size, &first, &ligands))
      return bt_fail(opt_error, BT_ERR_INPUT, where, REMEDY, "not a Berth library");
  }
  uint64_t version = bt_btl_get(header + BT_BTL_AT_VERSION, 4), count = bt_btl_get(header + BT_BTL_AT_COUNT, 8);
  bool right = bt_btl_get(header + BT_BTL_AT_HASH, 8) == bt_xxh64(header, BT_BTL_AT_HASH, 0) && count < INT64_MAX / 2;
  if (right && (version < BT_BTL_VERSION || version > BT_BTL_LATEST))
    return bt_fail(opt_error, BT_ERR_INPUT, where, "make the library again, or use a newer version of Berth",
                   "format version %u, but this version of Berth reads %d and %d", (unsigned)version, BT_BTL_VERSION,
                   BT_BTL_LATEST);
  bool failed = false;
  btl->count = right ? (int64_t)count : -1;
  btl->hash = bt_btl_get(header + BT_BTL_AT_CONTENT, 8);
  bool whole = right && bt_btl_get(header + BT_BTL_AT_BYTES, 8) == btl->size;
  if (whole && read_index(btl, bt_btl_get(header + BT_BTL_AT_INDEX, 8), &failed)) return BT_OK;
  if (failed || !scan(btl, btl->count)) return bt_fail_memory(opt_error);
  if (!right) btl->hash = bt_xxh64(btl->entries, btl->n_entries * sizeof *btl->entries, 0);
  return BT_OK;
}

bt_status bt_btl_open(const char *path, bt_btl **ret_btl, bt_error *opt_error) {
  bt_btl *btl = bt_allocate(1, sizeof *btl);
  if (btl == NULL) return bt_fail_memory(opt_error);
  btl->path = bt_copy_text(path, strlen(path));
  bt_status status = btl->path != NULL ? map(btl, opt_error) : bt_fail_memory(opt_error);
  if (status == BT_OK) status = read_header(btl, opt_error);
  return BT_HAND_OVER(status, btl, ret_btl, bt_btl_close);
}

/* ------------------------------------------------------------------------------------------------- blocks -- */

static size_t find_entry(const bt_btl *btl, int64_t ordinal) {
  size_t low = 0, high = btl->n_entries;
  size_t guess = (size_t)(ordinal / BT_BTL_LIGANDS); /* correct unless ligands are large */
  if (guess < btl->n_entries && btl->entries[guess].first <= ordinal &&
      (guess + 1 == btl->n_entries || btl->entries[guess + 1].first > ordinal))
    return guess;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (btl->entries[middle].first <= ordinal)
      low = middle;
    else
      high = middle;
  }
  return low;
}

void bt_btl_range(const bt_btl *btl, int64_t ordinal, int64_t *ret_first, int64_t *ret_end) {
  size_t i = find_entry(btl, ordinal);
  *ret_first = btl->entries[i].first;
  *ret_end = i + 1 < btl->n_entries ? btl->entries[i + 1].first : btl->count;
}

/* Drops the pages of a block after reading: they stay in the page cache, but a library of gigabytes does not count as
 * resident memory of the process. */
static void let_go(const bt_btl *btl, const bt_btl_entry *entry) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t from = entry->offset / page * page, end = (entry->offset + entry->size) / page * page;
  if (end > from) madvise(btl->data + from, end - from, MADV_DONTNEED);
}

bt_status bt_btl_block_of(bt_btl *btl, int64_t ordinal, bt_btl_block **ret_block, int *ret_index, bt_error *opt_error) {
  size_t i = find_entry(btl, ordinal), size = 0;
  const bt_btl_entry *entry = &btl->entries[i];
  int64_t first, end, found;
  int ligands;
  bt_btl_range(btl, ordinal, &first, &end);
  bt_where where = {.file = btl->path};
  bool right = entry->size > 0 && bt_btl_check(btl->data + entry->offset, entry->size, &size, &found, &ligands) &&
               size == entry->size && found == first && ligands == end - first;
  if (!right)
    return bt_fail(opt_error, BT_ERR_INPUT, where, REMEDY, "block %zu (ligands %lld to %lld) is %s", i + 1,
                   (long long)first + 1, (long long)end, entry->size > 0 ? "damaged" : "missing");
  bt_error error;
  bt_status status = bt_btl_decompress(btl->data + entry->offset, size, where, ret_block, &error);
  let_go(btl, entry);
  *ret_index = (int)(ordinal - first);
  if (status == BT_ERR_INPUT)
    return bt_fail(opt_error, status, where, error.remedy, "block %zu (ligands %lld to %lld): %s", i + 1,
                   (long long)first + 1, (long long)end, error.message);
  if (status != BT_OK && opt_error != NULL) *opt_error = error;
  return status;
}
