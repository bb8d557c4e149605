/* replay.c - runs a fuzz target once on each file of the folders that are its arguments. */
#include <dirent.h>

#include "base/file.h"
#include "fuzz/fuzz.h"

static int replay_file(const char *path) {
  char *data;
  size_t size;
  bt_error error;
  if (bt_file_read(path, &data, &size, &error) != BT_OK) {
    fprintf(stderr, "%s: %s\n", path, error.message);
    return 1;
  }
  uint8_t *exact = malloc(size > 0 ? size : 1); /* without the NUL behind the data, so that sanitizers see its end */
  if (exact == NULL) return 1;
  memcpy(exact, data, size);
  free(data);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  return 0;
}

int main(int argc, char **argv) {
  int count = 0, failed = 0;
  for (int i = 1; i < argc; i++) {
    DIR *folder = opendir(argv[i]);
    if (folder == NULL) continue; /* a target without findings has no folder of regressions */
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
      if (entry->d_name[0] == '.') continue;
      char *path = bt_path_join(argv[i], entry->d_name);
      failed += path == NULL || replay_file(path);
      free(path);
      count++;
    }
    closedir(folder);
  }
  printf("%d inputs\n", count);
  return failed > 0 || count == 0;
}
