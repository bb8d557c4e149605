/* path.c - splitting and joining paths. */
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"

const char *bt_path_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

char *bt_path_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL) return bt_copy_text(".", 1);
  return bt_copy_text(path, slash == path ? 1 : (size_t)(slash - path));
}

char *bt_path_join(const char *folder, const char *name) {
  size_t head = strlen(folder), tail = strlen(name);
  if (name[0] == '/' || head == 0 || strcmp(folder, ".") == 0) return bt_copy_text(name, tail);
  char *path = malloc(head + tail + 2);
  if (path == NULL) return NULL;
  memcpy(path, folder, head);
  if (folder[head - 1] != '/') path[head++] = '/';
  memcpy(path + head, name, tail + 1);
  return path;
}

char *bt_path_stem(const char *path, const char *extension) {
  const char *base = bt_path_base(path);
  size_t size = strlen(base), tail = strlen(extension);
  if (size > tail && strcmp(base + size - tail, extension) == 0) size -= tail;
  return bt_copy_text(base, size);
}
