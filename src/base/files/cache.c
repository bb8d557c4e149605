/* cache.c - a folder of files named by kind and key. */
#include "base/files/cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"

/* Precedes the data of an entry. */
typedef struct header {
  char magic[8];
  uint64_t size;
  bt_hash hash;
} header;

static const char entry_magic[8] = "berthc1";

bt_hash bt_hash_begin(void) { return (bt_hash){0xcbf29ce484222325u, 0x84222325cbf29ce4u}; }

void bt_hash_add(bt_hash *hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t k = 0; k < size; k++) {
    hash->a = (hash->a ^ bytes[k]) * 0x100000001b3u;
    hash->b = (hash->b ^ bytes[k] ^ (hash->a >> 56)) * 0x100000001b3u;
  }
}

void bt_hash_add_text(bt_hash *hash, const char *text) { bt_hash_add(hash, text, strlen(text) + 1); }

/* NULL: the cache is off, or memory is exhausted. */
static char *cache_folder(void) {
  const char *own = getenv("BERTH_CACHE_DIR"), *system = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (own != NULL) return own[0] != '\0' ? bt_copy_text(own, strlen(own)) : NULL;
  if (system != NULL && system[0] == '/') return bt_path_join(system, "berth");
  return home != NULL && home[0] == '/' ? bt_path_join(home, ".cache/berth") : NULL;
}

/* Entries are native code: whoever can write them can run code as this user. */
static const char *distrust(const struct stat *info) {
  if (info->st_uid != geteuid()) return "belongs to another user";
  return (info->st_mode & 022) != 0 ? "is writable by others" : NULL;
}

bt_status bt_cache_check_trust(bt_error *opt_error) {
  BT_SCOPED char *folder = cache_folder();
  struct stat info;
  if (folder == NULL || stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) return BT_OK; /* not created yet */
  const char *reason = distrust(&info);
  if (reason == NULL) return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = folder},
                 "set BERTH_CACHE_DIR to a folder of your own (chmod go-w)", "the cache is not used: its folder %s",
                 reason);
}

bt_status bt_cache_check_writable(bt_error *opt_error) {
  BT_SCOPED char *folder = cache_folder();
  const char *own = getenv("BERTH_CACHE_DIR");
  const char *remedy = "set BERTH_CACHE_DIR to a folder of your own, or to '' for no cache";
  if (folder == NULL && own != NULL) return BT_OK;
  if (folder == NULL)
    return bt_fail(opt_error, BT_ERR_IO, (bt_where){0}, remedy,
                   "no cache for later runs: neither XDG_CACHE_HOME nor HOME is the path of a folder");
  BT_SCOPED char *above = bt_copy_text(folder, strlen(folder)); /* the lowest folder that is there */
  struct stat info;
  while (above != NULL && stat(above, &info) != 0 && errno == ENOENT) {
    BT_SCOPED char *below = above;
    above = bt_path_folder(below);
    if (above != NULL && strcmp(above, below) == 0) break;
  }
  if (above == NULL) return bt_fail_memory(opt_error);
  errno = 0;
  if (stat(above, &info) == 0 && !S_ISDIR(info.st_mode)) errno = ENOTDIR;
  if (errno == 0 && access(above, W_OK | X_OK) == 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = folder}, remedy,
                 "no cache for later runs: cannot write to the cache folder: %s", strerror(errno));
}

static bool is_entry(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISREG(info.st_mode) && distrust(&info) == NULL;
}

/* NULL as above. */
static char *entry_path(const char *kind, bt_hash key) {
  BT_SCOPED char *folder = cache_folder();
  char name[96];
  snprintf(name, sizeof name, "%.40s-%016" PRIx64 "%016" PRIx64, kind, key.a, key.b);
  return folder != NULL ? bt_path_join(folder, name) : NULL;
}

/* mkdir -p; other processes may be creating the same folders. */
static bool make_folder(char *folder) {
  for (char *c = folder + 1;; c++) {
    if (*c != '/' && *c != '\0') continue;
    char kept = *c;
    *c = '\0';
    bool made = mkdir(folder, 0700) == 0 || errno == EEXIST;
    *c = kept;
    if (!made || kept == '\0') return made;
  }
}

static header header_of(const void *data, size_t size) {
  header head = {.size = size, .hash = bt_hash_begin()};
  memcpy(head.magic, entry_magic, sizeof head.magic);
  bt_hash_add(&head.hash, data, size);
  return head;
}

bool bt_cache_load(const char *kind, bt_hash key, char **ret_data, size_t *ret_size) {
  BT_SCOPED char *path = entry_path(kind, key), *data = NULL;
  size_t size = 0;
  if (path == NULL || bt_cache_check_trust(NULL) != BT_OK || !is_entry(path)) return false;
  if (bt_file_read(path, &data, &size, NULL) != BT_OK || size < sizeof(header)) return false;
  size -= sizeof(header);
  header expected = header_of(data + sizeof expected, size);
  if (memcmp(&expected, data, sizeof expected) != 0) return false;
  *ret_data = bt_copy_text(data + sizeof expected, size);
  *ret_size = size;
  return *ret_data != NULL;
}

void bt_cache_store(const char *kind, bt_hash key, const void *data, size_t size) {
  BT_SCOPED char *folder = cache_folder(), *path = entry_path(kind, key);
  bt_file_writer *writer = NULL;
  if (folder == NULL || path == NULL || !make_folder(folder) || bt_cache_check_trust(NULL) != BT_OK) return;
  bt_file_clear_abandoned(folder);
  if (bt_file_writer_open(path, &writer, NULL) != BT_OK) return;
  bt_file_writer_keep_private(writer);
  header head = header_of(data, size);
  if (bt_file_writer_add(writer, (const char *)&head, sizeof head, NULL) != BT_OK ||
      bt_file_writer_add(writer, data, size, NULL) != BT_OK)
    bt_file_writer_abandon(writer);
  else if (bt_file_writer_commit(writer, NULL) != BT_OK)
    errno = 0; /* not kept */
}

void bt_cache_remove(const char *kind, bt_hash key) {
  BT_SCOPED char *path = entry_path(kind, key);
  if (path != NULL && bt_cache_check_trust(NULL) == BT_OK) unlink(path);
}
