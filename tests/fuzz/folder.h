/* folder.h - a temporary folder for targets that read and write files. It is empty before every input and removed at
 * exit. */
#ifndef BERTH_TESTS_FUZZ_FOLDER_H
#define BERTH_TESTS_FUZZ_FOLDER_H

#include <ftw.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

static char fuzz_folder[512];

static inline int fuzz_remove(const char *path, const struct stat *info, int kind, struct FTW *place) {
  (void)info, (void)kind;
  if (place->level > 0) remove(path);
  return 0;
}

static inline void fuzz_folder_empty(void) { nftw(fuzz_folder, fuzz_remove, 16, FTW_DEPTH | FTW_PHYS); }

static inline void fuzz_folder_end(void) {
  fuzz_folder_empty();
  rmdir(fuzz_folder);
}

/* Path of the file with that name. */
static inline void fuzz_path(char *path, size_t size, const char *name) {
  snprintf(path, size, "%s/%s", fuzz_folder, name);
}

static inline void fuzz_folder_begin(void) {
  const char *parent = getenv("TMPDIR"), *memory = "/dev/shm"; /* faster than a disk */
  if (fuzz_folder[0] != '\0') {
    fuzz_folder_empty();
    return;
  }
  snprintf(fuzz_folder, sizeof fuzz_folder, "%s/berth-fuzz-XXXXXX", parent != NULL ? parent : access(memory, W_OK) == 0 ? memory : "/tmp");
  FUZZ_CHECK(mkdtemp(fuzz_folder) != NULL && atexit(fuzz_folder_end) == 0);
}

static inline void fuzz_write(const char *name, const void *data, size_t size) {
  char path[1024];
  fuzz_path(path, sizeof path, name);
  FILE *file = fopen(path, "wb");
  FUZZ_CHECK(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

#endif
