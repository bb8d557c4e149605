/* hand_over.c - runs companion programs in the folder of `berth`: berth-bench, and berth-mpi under mpirun. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common/report.h"

bt_status cli_hand_over(const char *program, int argc, char **argv, const char *remedy, const char *what,
                        bt_error *opt_error) {
  char path[4096];
  ssize_t size = readlink("/proc/self/exe", path, sizeof path - 32);
  size_t folder = size > 0 ? (size_t)size : 0;
  while (folder > 0 && path[folder - 1] != '/') folder--;
  if (size > 0 && strlen(program) == (size_t)size - folder && memcmp(path + folder, program, strlen(program)) == 0)
    return BT_OK;
  strcpy(path + folder, program);
  char **words = calloc((size_t)argc + 2, sizeof *words);
  if (words == NULL) return bt_fail_memory(opt_error);
  words[0] = path;
  memcpy(words + 1, argv, (size_t)argc * sizeof *words);
  execv(path, words);
  free(words);
  return cli_fill_error(opt_error, BT_ERR_USAGE, path, remedy, "%s", what);
}

int cmd_bench(int argc, char **argv) {
  bt_error error = {0};
  bt_status status = cli_hand_over("berth-bench", argc - 1, argv + 1, "build the target berth_bench",
                                   "the benchmark program is not installed next to berth", &error);
  return status == BT_OK ? CLI_EXIT_BAD : cli_fail("berth bench", &error);
}
