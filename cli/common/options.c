/* options.c - parses a command line by a table of options. */
#include "common/options.h"

#include <berth/build.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/report.h"

/* --- lists --------------------------------------------------------------------------------------------- */

bool cli_list_add(cli_list *list, const char *word) {
  if (!BT_GROW(list->items, &list->capacity, list->count + 1)) return false;
  list->items[list->count++] = word;
  return true;
}

void cli_list_free(cli_list *list) {
  free(list->items);
  *list = (cli_list){0};
}

/* --- text to numbers ----------------------------------------------------------------------------------- */

bool cli_read_real(const char *text, double *ret_value) {
  if (text[0] == '\0' || strchr(" \t\n\v\f\r", text[0]) != NULL) return false;
  if (strpbrk(text, "xXnN") != NULL) return false; /* hexadecimal, nan and inf are never intended */
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(value)) return false;
  *ret_value = value;
  return true;
}

/* Counts are often large: 2.5M, 2500k and 2.5e6 are accepted as well as 2500000 and 2_500_000. */
bool cli_read_int64(const char *text, int64_t *ret_value) {
  char digits[64];
  size_t length = 0;
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '_' && c != text) continue;
    if (length + 1 >= sizeof digits) return false;
    digits[length++] = *c;
  }
  digits[length] = '\0';
  if (length == 0) return false;
  double factor = 1.0;
  switch (digits[length - 1]) {
    case 'k': factor = 1e3; break;
    case 'M': factor = 1e6; break;
    case 'G': factor = 1e9; break;
    default: break;
  }
  if (factor > 1.0) digits[--length] = '\0';
  if (factor == 1.0 && strspn(digits + (digits[0] == '-' || digits[0] == '+'), "0123456789") ==
                           length - (digits[0] == '-' || digits[0] == '+')) {
    char *end;
    errno = 0;
    long long exact = strtoll(digits, &end, 10);
    if (errno != 0 || end == digits || *end != '\0') return false;
    *ret_value = exact;
    return true;
  }
  double value;
  if (!cli_read_real(digits, &value)) return false;
  value *= factor;
  if (fabs(value) > 9e15 || value != floor(value)) return false;
  *ret_value = (int64_t)value;
  return true;
}

bool cli_read_vector(const char *text, double ret_value[3]) {
  const char *from = text;
  for (int k = 0; k < 3; k++) {
    size_t length = strcspn(from, ",");
    char number[64];
    if (length >= sizeof number || (from[length] == ',') != (k < 2)) return false;
    memcpy(number, from, length);
    number[length] = '\0';
    if (!cli_read_real(number, &ret_value[k])) return false;
    from += length + 1;
  }
  return true;
}

/* --- one value ----------------------------------------------------------------------------------------- */

typedef struct parse_state {
  const cli_spec *spec;
  int argc;
  char **argv;
  int next; /* index of the word to read next */
} parse_state;

static bool looks_like_option(const char *word) {
  if (word[0] != '-' || word[1] == '\0') return false; /* "-" is standard input */
  return !((word[1] >= '0' && word[1] <= '9') || word[1] == '.');
}

static bool refuse_value(const cli_spec *spec, const cli_option *option, const char *word, const char *expected) {
  return cli_refuse(spec->program, "--%s: '%s' is not valid; use %s", option->name, word, expected);
}

static bool check_range(const cli_spec *spec, const cli_option *option, const char *word, double value) {
  if (option->low == 0 && option->high == 0) return true;
  bool below = value < option->low || (option->open_low && value == option->low);
  bool above = value > option->high || (option->open_high && value == option->high);
  if (!below && !above) return true;
  char text[160];
  if (option->high >= INT_MAX)
    snprintf(text, sizeof text, "a number %s %.10g", option->open_low ? "above" : "of at least", option->low);
  else
    snprintf(text, sizeof text, "a number from %.10g%s to %.10g%s", option->low, option->open_low ? " (excluded)" : "",
             option->high, option->open_high ? " (excluded)" : "");
  return refuse_value(spec, option, word, text);
}

static bool set_switch(const cli_spec *spec, const cli_option *option, const char *word) {
  static const char *const yes[] = {"on", "yes", "true", "1"}, *const no[] = {"off", "no", "false", "0"};
  for (int i = 0; i < 4; i++) {
    bool is_yes = strcmp(word, yes[i]) == 0;
    if (!is_yes && strcmp(word, no[i]) != 0) continue;
    *(bool *)option->target = is_yes;
    return true;
  }
  return refuse_value(spec, option, word, "on or off");
}

/* Index of a word in "a|b|c" or "a,b,c", -1 if it is not there. */
static int find_choice(const char *choices, const char *word, size_t length) {
  int index = 0;
  for (const char *from = choices; from != NULL; index++) {
    size_t size = strcspn(from, "|,");
    if (size == length && strncmp(from, word, size) == 0) return index;
    from = from[size] != '\0' ? from + size + 1 : NULL;
  }
  return -1;
}

/* "a|b" as "before a, b". */
static void list_choices(const char *before, const char *choices, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "%s", before);
  for (const char *c = choices; *c != '\0' && used + 3 < size; c++) {
    if (*c == '|') text[used++] = ',';
    text[used++] = *c == '|' ? ' ' : *c;
  }
  text[used] = '\0';
}

bool cli_words_have(const char *list, const char *word) { return find_choice(list, word, strlen(word)) >= 0; }

bool cli_words_check(const char *program, const char *option, const char *opt_list, const char *choices) {
  for (const char *from = opt_list; from != NULL;) {
    size_t length = strcspn(from, ",");
    if (find_choice(choices, from, length) < 0) {
      char text[256];
      list_choices("use a list of ", choices, text, sizeof text);
      return cli_refuse(program, "--%s: '%.*s' is not known; %s", option, length < 40 ? (int)length : 40, from, text);
    }
    from = from[length] == ',' ? from + length + 1 : NULL;
  }
  return true;
}

static bool set_choice(const cli_spec *spec, const cli_option *option, const char *word) {
  int index = find_choice(option->choices, word, strlen(word));
  if (index >= 0) {
    *(int *)option->target = index;
    return true;
  }
  char text[256];
  list_choices("one of ", option->choices, text, sizeof text);
  return refuse_value(spec, option, word, text);
}

static bool set_integer(const cli_spec *spec, const cli_option *option, const char *word) {
  int64_t value;
  if (option->opt_zero != NULL && strcmp(word, option->opt_zero) == 0) {
    *(int *)option->target = 0;
    return true;
  }
  if (!cli_read_int64(word, &value)) return refuse_value(spec, option, word, "a whole number");
  if (!check_range(spec, option, word, (double)value)) return false;
  if (option->kind == CLI_INT64) {
    *(int64_t *)option->target = value;
    return true;
  }
  if (value < INT_MIN || value > INT_MAX) return refuse_value(spec, option, word, "a smaller number");
  *(int *)option->target = (int)value;
  return true;
}

static bool set_seed(const cli_spec *spec, const cli_option *option, const char *word) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(word, &end, 10);
  if (word[0] < '0' || word[0] > '9' || *end != '\0' || errno != 0)
    return refuse_value(spec, option, word, "a whole number from 0 to 18446744073709551615");
  *(uint64_t *)option->target = value;
  return true;
}

static bool set_real(const cli_spec *spec, const cli_option *option, const char *word) {
  double value;
  if (!cli_read_real(word, &value)) return refuse_value(spec, option, word, "a number");
  if (!check_range(spec, option, word, value)) return false;
  *(double *)option->target = value;
  return true;
}

/* x,y,z in one word, or three words. */
static bool set_vector(parse_state *state, const cli_option *option, const char *word) {
  double *target = option->target, value[3];
  if (!cli_read_vector(word, value)) {
    bool three = cli_read_real(word, &value[0]) && state->next + 2 <= state->argc &&
                 cli_read_real(state->argv[state->next], &value[1]) &&
                 cli_read_real(state->argv[state->next + 1], &value[2]);
    if (!three) return refuse_value(state->spec, option, word, "three numbers as x,y,z");
    state->next += 2;
  }
  for (int k = 0; k < 3; k++)
    if (!check_range(state->spec, option, word, value[k])) return false;
  memcpy(target, value, sizeof value);
  cli_vectors *all = option->opt_vectors;
  if (all == NULL) return true;
  if (!BT_GROW(all->items, &all->capacity, all->count + 1)) return cli_refuse(state->spec->program, "out of memory");
  memcpy(all->items[all->count++], value, sizeof value);
  return true;
}

static bool set_list(parse_state *state, const cli_option *option, const char *first) {
  cli_list *list = option->target;
  bool ok = cli_list_add(list, first);
  while (ok && state->next < state->argc && !looks_like_option(state->argv[state->next]))
    ok = cli_list_add(list, state->argv[state->next++]);
  if (!ok) cli_message(state->spec->program, "out of memory");
  return ok;
}

bool cli_option_set(const cli_spec *spec, const cli_option *option, const char *word) {
  switch (option->kind) {
    case CLI_FLAG: *(bool *)option->target = true; return true;
    case CLI_SWITCH: return set_switch(spec, option, word);
    case CLI_INT:
    case CLI_INT64: return set_integer(spec, option, word);
    case CLI_SEED: return set_seed(spec, option, word);
    case CLI_REAL: return set_real(spec, option, word);
    case CLI_STRING:
      *(const char **)option->target = word;
      return option->opt_words == NULL || cli_list_add(option->opt_words, word) ||
             cli_refuse(spec->program, "out of memory");
    case CLI_CHOICE: return set_choice(spec, option, word);
    case CLI_VECTOR: {
      parse_state alone = {.spec = spec};
      return set_vector(&alone, option, word);
    }
    case CLI_LIST: return cli_list_add(option->target, word) || cli_refuse(spec->program, "out of memory");
  }
  return false;
}

static const char *expected(const cli_option *option, const char *otherwise) {
  return option->value != NULL ? option->value : option->choices != NULL ? option->choices : otherwise;
}

static bool set_value(parse_state *state, const cli_option *option, const char *word) {
  if (word[0] == '\0')
    return cli_refuse(state->spec->program, "--%s: the value is empty; use %s", option->name,
                      expected(option, "a value"));
  if (option->kind == CLI_VECTOR) return set_vector(state, option, word);
  if (option->kind == CLI_LIST) return set_list(state, option, word);
  return cli_option_set(state->spec, option, word);
}

/* --- the command line ---------------------------------------------------------------------------------- */

static cli_option *find_long(const cli_spec *spec, const char *name, size_t length) {
  for (int i = 0; i < spec->n_options; i++)
    if (strlen(spec->options[i].name) == length && strncmp(spec->options[i].name, name, length) == 0)
      return &spec->options[i];
  return NULL;
}

static cli_option *find_letter(const cli_spec *spec, char letter) {
  for (int i = 0; i < spec->n_options; i++)
    if (spec->options[i].letter != 0 && spec->options[i].letter == letter) return &spec->options[i];
  return NULL;
}

bool cli_refuse_unknown(const cli_spec *spec, const char *word, size_t length) {
  char name[128], hint[128];
  snprintf(name, sizeof name, "%.*s", (int)(length < 100 ? length : 100), word);
  if (cli_other_program_hint(spec, name + strspn(name, "-"), hint, sizeof hint))
    return cli_refuse(spec->program, "unknown option %s; %s", name, hint);
  const char **known = malloc((size_t)(spec->n_options + 1) * sizeof *known);
  const char *nearest = NULL;
  if (known != NULL) {
    for (int i = 0; i < spec->n_options; i++) known[i] = spec->options[i].name;
    known[spec->n_options] = "help";
    nearest = cli_nearest(name + strspn(name, "-"), known, spec->n_options + 1);
    free(known);
  }
  if (nearest != NULL) return cli_refuse(spec->program, "unknown option %s; did you mean --%s?", name, nearest);
  return cli_refuse(spec->program, "unknown option %s; see %s --help", name, spec->program);
}

static bool take_argument(const cli_spec *spec, const char *word) {
  if (spec->opt_arguments != NULL)
    return cli_list_add(spec->opt_arguments, word) || cli_refuse(spec->program, "out of memory");
  return cli_refuse(spec->program, "unexpected word '%s'; see %s --help", word, spec->program);
}

/* Takes one option and its values, or one argument. */
static bool parse_word(parse_state *state, const char **ret_help) {
  const cli_spec *spec = state->spec;
  const char *word = state->argv[state->next++];
  if (!looks_like_option(word)) return take_argument(spec, word);
  bool is_long = word[1] == '-';
  const char *name = word + (is_long ? 2 : 1);
  size_t length = is_long ? strcspn(name, "=") : 1;
  if ((is_long && length == 4 && strncmp(name, "help", 4) == 0) || strcmp(word, "-h") == 0) {
    *ret_help = is_long && name[length] == '=' ? name + length + 1 : "";
    return true;
  }
  cli_option *option = is_long ? find_long(spec, name, length) : find_letter(spec, name[0]);
  if (option == NULL) return cli_refuse_unknown(spec, word, is_long ? length + 2 : strlen(word));
  option->given++;
  const char *attached = name[length] == '\0' ? NULL : is_long ? name + length + 1 : name + 1;
  if (option->kind == CLI_FLAG) {
    if (attached != NULL) return cli_refuse(spec->program, "--%s takes no value; remove '%s'", option->name, attached);
    return cli_option_set(spec, option, word);
  }
  if (attached != NULL) return set_value(state, option, attached);
  if (state->next < state->argc && !looks_like_option(state->argv[state->next]))
    return set_value(state, option, state->argv[state->next++]);
  return cli_refuse(spec->program, "--%s needs a value; use %s", option->name,
                    expected(option, option->kind == CLI_SWITCH ? "on or off" : "one"));
}

static bool print_help(const cli_spec *spec, const char *kind) {
  if (strcmp(kind, "man") == 0)
    cli_print_man(spec, BT_VERSION, stdout);
  else if (strcmp(kind, "words") == 0)
    cli_print_words(spec, stdout);
  else if (kind[0] == '\0')
    cli_print_help(spec, stdout);
  else
    return cli_refuse(spec->program, "--help=%.40s: use --help, --help=man or --help=words", kind);
  return true;
}

bool cli_parse(const cli_spec *spec, int argc, char **argv, int *ret_exit_code) {
  parse_state state = {.spec = spec, .argc = argc, .argv = argv, .next = 1};
  *ret_exit_code = CLI_EXIT_BAD;
  while (state.next < argc) {
    if (strcmp(argv[state.next], "--") == 0) {
      state.next++;
      break;
    }
    const char *help = NULL;
    if (!parse_word(&state, &help)) return false;
    if (help == NULL) continue;
    *ret_exit_code = print_help(spec, help) ? CLI_EXIT_OK : CLI_EXIT_BAD;
    return false;
  }
  bool ok = true;
  for (; ok && state.next < argc; state.next++) ok = take_argument(spec, argv[state.next]);
  return ok;
}

bool cli_given(const cli_spec *spec, const char *name) {
  const cli_option *option = find_long(spec, name, strlen(name));
  return option != NULL && option->given > 0;
}
