/* options.h - a table-driven parser of command lines, from which --help is generated as well.
 *
 * A program fills an array of cli_option, whose targets hold the defaults, and calls cli_parse():
 *
 *   cli_option options[] = {
 *       {.group = "Search", OPT_INT("runs", 'n', &runs, "N", 1, 1e6, "independent searches")},
 *   };
 *   cli_spec spec = {"berth dock", "summary", "usage", details, examples, CLI_TABLE(options), NULL};
 *   int exit_code;
 *   if (!cli_parse(&spec, argc, argv, &exit_code)) return exit_code;
 *
 * Accepted forms: --name value, --name=value, -n value, -nvalue, `-l A B C` for lists, and `--`, after which every
 * word is an argument. A word that looks like a negative number is a value, so `--center -1,2,3` works.
 */
#ifndef BERTH_CLI_COMMON_OPTIONS_H
#define BERTH_CLI_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"

#define CLI_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Words borrowed from argv; the array itself belongs to the list. */
typedef struct cli_list {
  const char **items;
  int count;
  size_t capacity;
} cli_list;

bool cli_list_add(cli_list *list, const char *word);
void cli_list_free(cli_list *list);

/* Triples of numbers. */
typedef struct cli_vectors {
  double (*items)[3];
  int count;
  size_t capacity;
} cli_vectors;

typedef enum cli_kind {
  CLI_FLAG,   /* bool *: no value; becomes true */
  CLI_SWITCH, /* bool *: on|off */
  CLI_INT,    /* int *: within [low, high] */
  CLI_INT64,  /* int64_t *: within [low, high]; 2500000, 2_500_000, 2.5e6, 2500k and 2.5M are the same */
  CLI_SEED,   /* uint64_t *: any 64-bit number */
  CLI_REAL,   /* double *: within [low, high], finite */
  CLI_VECTOR, /* double[3]: x,y,z or x y z; each within [low, high] */
  CLI_STRING, /* const char **: one word */
  CLI_CHOICE, /* int * or an enumeration's: index of the word in choices ("a|b|c") */
  CLI_LIST    /* cli_list *: one or more words */
} cli_kind;

typedef struct cli_option {
  const char *group; /* heading in --help; NULL: the same as the option before */
  const char *name;  /* without the dashes */
  char letter;       /* short form; 0: none */
  cli_kind kind;
  void *target;            /* holds the default when cli_parse() is called */
  const char *value;       /* name of the value in --help; choices and switches need none */
  const char *help;        /* one sentence without a full stop */
  double low, high;        /* range of numbers; both 0: no limits */
  bool open_low;           /* low itself is excluded */
  bool open_high;          /* high itself is excluded */
  const char *choices;     /* of CLI_CHOICE */
  const char *opt_default; /* text of the default in --help; NULL: taken from the target; "": not shown */
  cli_list *opt_words;     /* of CLI_STRING: every word, where the option may be repeated */
  cli_vectors *opt_vectors; /* of CLI_VECTOR: likewise */
  int given;               /* how many times it stood on the command line; filled by cli_parse() */
} cli_option;

/* The members of one entry, by kind; a letter of 0 is none. What stands behind them in the braces comes on top, such as
 * `.opt_default = "all cores"`. */
#define OPT_PLAIN(type, word, short_form, where, text) \
  .name = word, .letter = short_form, .kind = type, .target = where, .help = text
#define OPT_VALUE(type, word, short_form, where, unit, text) \
  OPT_PLAIN(type, word, short_form, where, text), .value = unit
#define OPT_RANGE(type, word, short_form, where, unit, from, to, text) \
  OPT_VALUE(type, word, short_form, where, unit, text), .low = from, .high = to
#define OPT_FLAG(...) OPT_PLAIN(CLI_FLAG, __VA_ARGS__)
#define OPT_SWITCH(...) OPT_PLAIN(CLI_SWITCH, __VA_ARGS__)
#define OPT_INT(...) OPT_RANGE(CLI_INT, __VA_ARGS__)
#define OPT_INT64(...) OPT_RANGE(CLI_INT64, __VA_ARGS__)
#define OPT_REAL(...) OPT_RANGE(CLI_REAL, __VA_ARGS__)
#define OPT_VECTOR(...) OPT_RANGE(CLI_VECTOR, __VA_ARGS__)
#define OPT_SEED(word, short_form, where, text) OPT_VALUE(CLI_SEED, word, short_form, where, "N", text)
#define OPT_STRING(...) OPT_VALUE(CLI_STRING, __VA_ARGS__)
#define OPT_LIST(...) OPT_VALUE(CLI_LIST, __VA_ARGS__)
#define OPT_CHOICE(word, short_form, where, words, text) \
  OPT_PLAIN(CLI_CHOICE, word, short_form, where, text), .choices = words
#define OPT_THREADS(short_form, where, most, text) \
  OPT_INT("threads", short_form, where, "N", 0, most, text), .opt_default = "all cores"

typedef struct cli_spec {
  const char *program;      /* "berth dock", opens every message */
  const char *summary;      /* what the program does: one sentence */
  const char *usage;        /* what follows the program's name */
  const char *opt_details;  /* paragraphs below the options */
  const char *opt_examples; /* command lines with explanations, one per line */
  cli_option *options;
  int n_options;
  cli_list *opt_arguments; /* words that belong to no option; NULL: refused */
} cli_spec;

/* The two members of a table of options. */
#define CLI_TABLE(options) options, CLI_COUNT(options)

/* Parses argv[1..]. Returns true to go on; false with the exit code when --help was printed (0) or when a word is
 * wrong (1, one line on standard error). The exit code is that of wrong use with true, too: for what the program itself
 * finds wrong. --help and -h are added to every program. */
bool cli_parse(const cli_spec *spec, int argc, char **argv, int *ret_exit_code);

/* Stores one word in the option's target after the checks of its kind; a message and false when it does not fit. */
bool cli_option_set(const cli_spec *spec, const cli_option *option, const char *word);

/* Says that the first length characters of the word are no option, and which one may be meant; always false. */
bool cli_refuse_unknown(const cli_spec *spec, const char *word, size_t length);

/* Was the option on the command line? */
bool cli_given(const cli_spec *spec, const char *name);

/* Prints the help text, wrapped for 100 columns. */
void cli_print_help(const cli_spec *spec, FILE *stream);
/* --help=man: the same as a manual page. --help=words: an option per line, for the completion of shells: --name, tab,
 * what follows ("none", "file", "a|b|c", or nothing that can be guessed), tab, help. */
void cli_print_man(const cli_spec *spec, const char *version, FILE *stream);
void cli_print_words(const cli_spec *spec, FILE *stream);
/* How help texts show an option's value and default; "": not at all. */
void cli_option_value(const cli_option *option, char *text, size_t size);
void cli_option_default(const cli_option *option, char *text, size_t size);

/* The known word nearest to a misspelt one, or NULL when none is near. */
const char *cli_nearest(const char *word, const char *const *known, int n_known);

/* Sets the bit of every word of "a,b,..." by its place in choices, "a|b|c". Returns NULL, or the first word that is not
 * there, of which messages show up to cli_word_length() characters. */
const char *cli_read_set(const char *list, const char *choices, unsigned *ret_bits);
int cli_word_length(const char *list);

/* Text to numbers; the whole word must be used. */
bool cli_read_real(const char *text, double *ret_value);
bool cli_read_int64(const char *text, int64_t *ret_value);
bool cli_read_vector(const char *text, double ret_value[3]);

#endif
