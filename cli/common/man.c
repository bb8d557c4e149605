/* man.c - manual pages and lists of options for shell completion, from the table of options. */
#include <ctype.h>
#include <string.h>

#include "common/options.h"

/* Writes a line of roff text: no request at its start, no minus that becomes a hyphen. */
static void put(FILE *stream, const char *text, size_t length) {
  if (length > 0 && (text[0] == '.' || text[0] == '\'')) fputs("\\&", stream);
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '-' || text[i] == '\\')
      fprintf(stream, text[i] == '-' ? "\\-" : "\\e");
    else
      fputc(text[i], stream);
  }
}

static void put_text(FILE *stream, const char *text) { put(stream, text, strlen(text)); }

/* Writes lines unfilled. */
static void put_lines(FILE *stream, const char *text) {
  fputs(".nf\n", stream);
  for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
    length = strcspn(text, "\n");
    put(stream, text, length);
    fputc('\n', stream);
  }
  fputs(".fi\n", stream);
}

static void put_upper(FILE *stream, const char *text) {
  for (; *text != '\0'; text++) fputc(*text == ' ' ? '-' : toupper((unsigned char)*text), stream);
}

static void put_option(FILE *stream, const cli_option *option) {
  char value[160], shown[160];
  cli_option_value(option, value, sizeof value);
  cli_option_default(option, shown, sizeof shown);
  fputs(".TP\n", stream);
  if (option->letter != 0) fprintf(stream, "\\fB\\-%c\\fR, ", option->letter);
  fputs("\\fB\\-\\-", stream);
  put_text(stream, option->name);
  fputs("\\fR", stream);
  if (value[0] != '\0') {
    fputs(" \\fI", stream);
    put_text(stream, value);
    fputs("\\fR", stream);
  }
  fputc('\n', stream);
  put_text(stream, option->help);
  if (shown[0] != '\0') {
    fputs(" [", stream);
    put_text(stream, shown);
    fputc(']', stream);
  }
  fputc('\n', stream);
}

void cli_print_man(const cli_spec *spec, const char *version, FILE *stream) {
  fputs(".TH ", stream);
  put_upper(stream, spec->program);
  fprintf(stream, " 1 \"\" \"Berth %s\"\n.SH NAME\n", version);
  for (const char *c = spec->program; *c != '\0'; c++) fputs(*c == ' ' || *c == '-' ? "\\-" : (char[]){*c, 0}, stream);
  fputs(" \\- ", stream);
  put_text(stream, spec->summary);
  fputs("\n.SH SYNOPSIS\n\\fB", stream);
  put_text(stream, spec->program);
  fputs("\\fR ", stream);
  put_text(stream, spec->usage);
  fputc('\n', stream);
  if (spec->opt_details != NULL) {
    fputs(".SH DESCRIPTION\n", stream);
    put_lines(stream, spec->opt_details);
  }
  fputs(".SH OPTIONS\n", stream);
  for (int i = 0; i < spec->n_options; i++) {
    if (spec->options[i].group != NULL) {
      fputs(".SS ", stream);
      put_text(stream, spec->options[i].group);
      fputc('\n', stream);
    }
    put_option(stream, &spec->options[i]);
  }
  if (spec->opt_examples == NULL) return;
  fputs(".SH EXAMPLES\n", stream);
  put_lines(stream, spec->opt_examples);
}

void cli_print_words(const cli_spec *spec, FILE *stream) {
  for (int i = 0; i < spec->n_options; i++) {
    const cli_option *option = &spec->options[i];
    const char *choices = option->kind == CLI_CHOICE ? option->choices : option->kind == CLI_SWITCH ? "on|off" : "";
    bool file = option->kind == CLI_STRING || option->kind == CLI_LIST;
    fprintf(stream, "--%s\t%s\t%s\n", option->name, file ? "file" : option->kind == CLI_FLAG ? "none" : choices,
            option->help);
  }
  fputs("--help\tnone\tprint the help text\n", stream);
}
