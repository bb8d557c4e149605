/* help.c - help texts generated from the table of options, and suggestions for misspelt words. */
#include <string.h>

#include "common/options.h"

enum { TEXT_COLUMN = 34, WIDTH = 100 };

/* Prints text from `column` on, wrapped at blanks and indented; the cursor is at column `used`. */
static void print_wrapped(FILE *stream, const char *text, int used, int column) {
  for (; used < column; used++) fputc(' ', stream);
  bool first = true;
  while (*text != '\0') {
    int length = (int)strcspn(text, " ");
    if (!first && used + 1 + length > WIDTH) {
      fprintf(stream, "\n%*s", column, "");
      used = column;
      first = true;
    }
    used += fprintf(stream, "%s%.*s", first ? "" : " ", length, text);
    first = false;
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', stream);
}

void cli_option_value(const cli_option *option, char *text, size_t size) {
  const char *value = option->value != NULL      ? option->value
                    : option->kind == CLI_SWITCH ? "on|off"
                    : option->kind == CLI_CHOICE ? option->choices
                                                 : "";
  snprintf(text, size, "%s%s", value, option->kind == CLI_LIST ? "..." : "");
}

void cli_option_default(const cli_option *option, char *text, size_t size) {
  text[0] = '\0';
  if (option->opt_default != NULL) {
    snprintf(text, size, "%s", option->opt_default);
    return;
  }
  switch (option->kind) {
    case CLI_SWITCH: snprintf(text, size, "%s", *(const bool *)option->target ? "on" : "off"); break;
    case CLI_INT: snprintf(text, size, "%d", *(const int *)option->target); break;
    case CLI_INT64: snprintf(text, size, "%lld", (long long)*(const int64_t *)option->target); break;
    case CLI_REAL: snprintf(text, size, "%g", *(const double *)option->target); break;
    case CLI_STRING: {
      const char *word = *(const char *const *)option->target;
      if (word != NULL) snprintf(text, size, "%s", word);
      break;
    }
    case CLI_CHOICE: {
      const char *from = option->choices;
      for (int i = *(const int *)option->target; i > 0 && strchr(from, '|') != NULL; i--) from = strchr(from, '|') + 1;
      snprintf(text, size, "%.*s", (int)strcspn(from, "|"), from);
      break;
    }
    case CLI_FLAG:
    case CLI_SEED:
    case CLI_VECTOR:
    case CLI_LIST: break;
  }
}

static void print_option(const cli_option *option, FILE *stream) {
  char left[160], text[1024], shown[128], value[128];
  cli_option_value(option, value, sizeof value);
  snprintf(left, sizeof left, "  %c%c%s --%s%s%s", option->letter != 0 ? '-' : ' ',
           option->letter != 0 ? option->letter : ' ', option->letter != 0 ? "," : " ", option->name,
           value[0] != '\0' ? " " : "", value);
  cli_option_default(option, shown, sizeof shown);
  if (shown[0] != '\0')
    snprintf(text, sizeof text, "%s [%s]", option->help, shown);
  else
    snprintf(text, sizeof text, "%s", option->help);
  int used = fprintf(stream, "%s", left);
  if (used + 2 > TEXT_COLUMN) {
    fputc('\n', stream);
    used = 0;
  }
  print_wrapped(stream, text, used, TEXT_COLUMN);
}

void cli_print_help(const cli_spec *spec, FILE *stream) {
  fprintf(stream, "%s - %s\n\nUsage: %s %s\n", spec->program, spec->summary, spec->program, spec->usage);
  for (int i = 0; i < spec->n_options; i++) {
    if (spec->options[i].group != NULL) fprintf(stream, "\n%s\n", spec->options[i].group);
    print_option(&spec->options[i], stream);
  }
  cli_option help = {.name = "help", .letter = 'h', .kind = CLI_FLAG, .help = "print this text"};
  print_option(&help, stream);
  if (spec->opt_details != NULL) fprintf(stream, "\n%s\n", spec->opt_details);
  if (spec->opt_examples != NULL) fprintf(stream, "\nExamples\n%s\n", spec->opt_examples);
}

/* Optimal string alignment distance: insertions, deletions, substitutions and transpositions. */
static int distance(const char *a, const char *b) {
  enum { LONGEST = 40 };
  int row[3][LONGEST + 1];
  int n = (int)strlen(a), m = (int)strlen(b);
  if (n > LONGEST || m > LONGEST) return LONGEST;
  for (int j = 0; j <= m; j++) row[0][j] = j;
  for (int i = 1; i <= n; i++) {
    int *above = row[(i - 1) % 3], *here = row[i % 3];
    here[0] = i;
    for (int j = 1; j <= m; j++) {
      int best = above[j - 1] + (a[i - 1] != b[j - 1]);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (here[j - 1] + 1 < best) best = here[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && row[(i - 2) % 3][j - 2] + 1 < best)
        best = row[(i - 2) % 3][j - 2] + 1;
      here[j] = best;
    }
  }
  return row[n % 3][m];
}

const char *cli_nearest(const char *word, const char *const *known, int n_known) {
  size_t length = strlen(word);
  const char *best = NULL;
  int best_distance = length < 4 ? 1 : length < 8 ? 2 : 3; /* beyond this, it is a different word */
  for (int i = 0; i < n_known; i++) {
    int d = distance(word, known[i]);
    if (d < best_distance + (best == NULL)) {
      best = known[i];
      best_distance = d;
    }
  }
  for (int i = 0; best == NULL && length >= 3 && i < n_known; i++)
    if (strncmp(known[i], word, length) == 0) best = known[i];
  return best;
}
