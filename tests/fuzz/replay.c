/* replay.c - runs a fuzz target on each file of the folders given as arguments, and on mutations of it:
 * BERTH_TEST_MUTATIONS per file, by default a few if the target has a mutator for the format. */
#include <dirent.h>

#include "base/files/file.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutate_text.h"

enum { FEW = 25, ROOM = 1 << 14 };

static int mutations; /* of each file */
static long runs;

static void run(const uint8_t *data, size_t size) {
  uint8_t *exact = malloc(size > 0 ? size : 1); /* without a NUL behind the data, so that sanitizers see its end */
  FUZZ_CHECK(exact != NULL);
  memcpy(exact, data, size);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  runs++;
}

static void run_mutations(const char *data, size_t size) {
  static uint8_t mutated[ROOM + (1 << 16)];
  if (size > ROOM) return;
  for (unsigned seed = 0; seed < (unsigned)mutations; seed++) {
    memcpy(mutated, data, size);
    size_t now = size;
    for (unsigned k = 0; k <= seed % 4; k++) now = fuzz_mutate_text(mutated, now, sizeof mutated, 977 * seed + k);
    run(mutated, now);
  }
}

static int replay_file(const char *path) {
  char *data;
  size_t size;
  bt_error error;
  if (bt_file_read(path, &data, &size, &error) != BT_OK) {
    fprintf(stderr, "%s: %s\n", path, error.message);
    return 1;
  }
  run((const uint8_t *)data, size);
  run_mutations(data, size);
  free(data);
  return 0;
}

int main(int argc, char **argv) {
  int count = 0, failed = 0;
  const char *wanted = getenv("BERTH_TEST_MUTATIONS");
#ifdef FUZZ_STRUCTURE
  mutations = FEW;
#endif
  if (wanted != NULL) mutations = atoi(wanted);
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
  fprintf(stderr, "%d inputs, %ld runs\n", count, runs); /* a target may have closed standard output */
  return failed > 0 || count == 0;
}
