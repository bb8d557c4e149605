/* fuzz_command.c - whole command lines, one argument per line, the subcommand first. They are run in a folder with a
 * receptor, a ligand, an empty screen and two files that are not molecules; no argument refers outside of it. Arguments
 * that would take long or start another program are left out. */
#include <fcntl.h>

#include "commands.h"

#include "fuzz/folder.h"

enum { MOST_WORDS = 40, LONGEST = 4096, SHORT = 4 };

static char *const short_search[SHORT] = {(char[]){"--evals"}, (char[]){"50"}, (char[]){"--runs"}, (char[]){"1"}};

static const char receptor[] =
    "ATOM      1  C   ALA A   1       4.000   0.000   0.000  1.00  0.00     0.100 C \n"
    "ATOM      2  O   ALA A   1      -4.000   0.000   0.000  1.00  0.00    -0.300 OA\n";
static const char ligand[] =
    "ROOT\n"
    "ATOM      1  C   LIG A   1       0.000   0.000   0.000  1.00  0.00     0.100 C \n"
    "ATOM      2  O   LIG A   1       1.400   0.000   0.000  1.00  0.00    -0.100 OA\n"
    "ENDROOT\nTORSDOF 0\n";

/* Arguments and options that start with one of these are dropped. */
static bool is_allowed(const char *word) {
  static const char *const refused[] = {"bench", "vina", "devices"};
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
    if (strcmp(word, refused[k]) == 0) return false;
  return strchr(word, '/') == NULL && strstr(word, "..") == NULL && strcmp(word, "-") != 0;
}

/* No number is large. */
static bool is_short(char **words, int count) {
  for (int k = 0; k < count; k++)
    for (const char *c = words[k]; *c != '\0'; c++)
      if (strspn(c, "0123456789_") > 3 || (strspn(c, "0123456789") > 0 && strpbrk(c, "eEkKmMgG") != NULL)) return false;
  return true;
}

static void fill_folder(void) {
  fuzz_write("receptor.pdbqt", receptor, sizeof receptor - 1);
  fuzz_write("ligand.pdbqt", ligand, sizeof ligand - 1);
  fuzz_write("empty.sdf", "", 0);
  fuzz_write("words.db", "no database at all", 18);
}

static int run_command(int argc, char **argv) {
#define RUN(name, summary) \
  if (strcmp(argv[0], #name) == 0) return cmd_##name(argc, argv);
  CLI_COMMAND_LIST(RUN)
#undef RUN
  return -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static bool quiet;
  char text[LONGEST + 1], *words[MOST_WORDS + SHORT + 1] = {0};
  int count = 0;
  if (size > LONGEST) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  for (char *rest = text, *word; count < MOST_WORDS && (word = strsep(&rest, "\n")) != NULL;)
    if (is_allowed(word) && (rest != NULL || word[0] != '\0')) words[count++] = word; /* the last line ends */
  if (count == 0 || !is_short(words, count)) return 0;
  bool searches = strcmp(words[0], "dock") == 0 || strcmp(words[0], "screen") == 0;
  for (int k = 0; k < SHORT && searches; k++) words[count++] = short_search[k];
  if (!quiet) quiet = freopen("/dev/null", "w", stdout) != NULL && setenv("BERTH_CACHE_DIR", "", 1) == 0;
  fuzz_folder_begin();
  fill_folder();
  int before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  FUZZ_CHECK(before >= 0 && chdir(fuzz_folder) == 0);
  int code = run_command(count, words);
  FUZZ_CHECK(fchdir(before) == 0 && close(before) == 0);
  FUZZ_CHECK(code == -1 || (code >= 0 && code <= 3) || code == 130 || code == 143);
  return 0;
}
