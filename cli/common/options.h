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

/* Words are borrowed from argv; the list owns the array. */
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
  const char *value;       /* placeholder of the value in --help; choices and switches need none */
  const char *help;        /* one sentence without a full stop */
  double low, high;        /* range of numbers; both 0: no limits */
  bool open_low;           /* low itself is excluded */
  bool open_high;          /* high itself is excluded */
  const char *choices;     /* of CLI_CHOICE */
  const char *opt_zero;    /* of CLI_INT: a word that stands for 0, below low */
  const char *opt_default; /* text of the default in --help; NULL: taken from the target; "": not shown */
  cli_list *opt_words;     /* of CLI_STRING: every word, where the option may be repeated */
  cli_vectors *opt_vectors; /* of CLI_VECTOR: likewise */
  int given;               /* number of occurrences on the command line; set by cli_parse() */
} cli_option;

/* The members of one entry, by kind; letter 0: none. Further members may follow in the braces, such as
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
  const char *program;      /* "berth dock", the prefix of every message */
  const char *summary;      /* what the program does: one sentence */
  const char *usage;        /* follows the program's name */
  const char *opt_details;  /* paragraphs below the options */
  const char *opt_examples; /* command lines with explanations, one per line */
  cli_option *options;
  int n_options;
  cli_list *opt_arguments; /* words that belong to no option; NULL: refused */
} cli_spec;

/* The members options and n_options of a cli_spec. */
#define CLI_TABLE(options) options, CLI_COUNT(options)

/* Parses argv[1..]. Returns true to continue; false with the exit code if --help was printed (0) or a word is invalid
 * (1, one line on standard error). With true, the exit code is 1, too, for errors that the program itself finds in the
 * options. --help and -h are added to every program. */
bool cli_parse(const cli_spec *spec, int argc, char **argv, int *ret_exit_code);

/* Stores one word in the option's target after the checks of its kind; false, after a message, if it is invalid. */
bool cli_option_set(const cli_spec *spec, const cli_option *option, const char *word);

/* Reports that the first length characters of the word are not an option, with a suggestion; always false. */
bool cli_refuse_unknown(const cli_spec *spec, const char *word, size_t length);

/* other_programs.c: what to give instead of an option of AutoDock Vina, smina, gnina or AutoDock-GPU, as a clause such as "use
 * --runs"; name is without dashes. False if it is not known, or the program has no such option. */
bool cli_other_program_hint(const cli_spec *spec, const char *name, char *hint, size_t size);

/* True if the option was on the command line. */
bool cli_given(const cli_spec *spec, const char *name);

/* Prints the help text, wrapped for 100 columns. */
void cli_print_help(const cli_spec *spec, FILE *stream);
/* --help=man: the same as a manual page. --help=words: one option per line, for shell completion: --name, tab, kind of
 * value ("none", "file", "a|b|c", or empty), tab, help. */
void cli_print_man(const cli_spec *spec, const char *version, FILE *stream);
void cli_print_words(const cli_spec *spec, FILE *stream);
/* An option's value and default as shown in help texts; "": not shown. */
void cli_option_value(const cli_option *option, char *text, size_t size);
void cli_option_default(const cli_option *option, char *text, size_t size);

/* The known word closest to a misspelt one, or NULL if none is close. */
const char *cli_nearest(const char *word, const char *const *known, int n_known);

/* Is the word in "a,b,..."? Refuses a list of which a word is not among the choices, "a|b|c". */
bool cli_words_have(const char *list, const char *word);
bool cli_words_check(const char *program, const char *option, const char *opt_list, const char *choices);

/* Text to numbers; the whole word must be used. */
bool cli_read_real(const char *text, double *ret_value);
bool cli_read_int64(const char *text, int64_t *ret_value);
bool cli_read_vector(const char *text, double ret_value[3]);

#endif
