/* config.c - configuration files that supply command-line options. */
#include "common/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "common/report.h"

/* A copy with the lifetime of texts; NULL when memory is exhausted. */
static const char *keep(bt_text_list *texts, bt_span span) {
  return bt_text_list_add(texts, span, NULL) == BT_OK ? texts->items[texts->count - 1] : NULL;
}

/* The command line takes precedence: its options have given > 0; options set by the file are counted below 0. */
static bool set(const cli_spec *spec, bt_span name, bt_span value, const char *without, bt_text_list *texts) {
  cli_option *option = NULL;
  for (int i = 0; i < spec->n_options; i++)
    if (bt_span_equals(name, spec->options[i].name)) option = &spec->options[i];
  if (option == NULL || strcmp(option->name, without) == 0)
    return cli_refuse(spec->program, "unknown option '%.*s'; see --help", BT_SHOWN(name));
  const char *word = keep(texts, value);
  if (word == NULL) return cli_refuse(spec->program, "out of memory");
  bool no = strcmp(word, "0") == 0 || strcmp(word, "false") == 0;
  if (option->given > 0 || (option->kind == CLI_FLAG && no)) return true;
  option->given--;
  return cli_option_set(spec, option, word);
}

static bool read_line(const cli_spec *spec, bt_span line, const char *without, bt_text_list *texts) {
  const char *comment = memchr(line.text, '#', line.size);
  if (comment != NULL) line.size = (size_t)(comment - line.text);
  line = bt_span_trim(line);
  if (line.size == 0) return true;
  const char *equals = memchr(line.text, '=', line.size);
  if (equals == NULL) return cli_refuse(spec->program, "'%.*s' is not a setting; write name = value", BT_SHOWN(line));
  size_t length = (size_t)(equals - line.text);
  return set(spec, bt_span_trim(bt_span_columns(line, 0, length)),
             bt_span_trim(bt_span_columns(line, length + 1, line.size)), without, texts);
}

static bool read_text(const char *program, const char *path, char **ret_data, size_t *ret_size) {
  bt_error error;
  bt_status status = bt_file_read(path, ret_data, ret_size, &error);
  if (status == BT_OK) status = bt_text_check(path, *ret_data, *ret_size, "use a text file", &error);
  if (status != BT_OK) cli_fail(program, &error);
  return status == BT_OK;
}

bool cli_config_read(const cli_spec *spec, const char *path, const char *without, bt_text_list *texts) {
  BT_SCOPED char *data = NULL;
  size_t size;
  if (!read_text(spec->program, path, &data, &size)) return false;
  bt_lines lines = bt_lines_of(data, size);
  for (bt_span line; bt_lines_next(&lines, &line);) {
    BT_SCOPED char *program = cli_format("%s: %s:%ld", spec->program, path, lines.number);
    if (program == NULL) return cli_refuse(spec->program, "out of memory");
    cli_spec here = *spec;
    here.program = program;
    if (!read_line(&here, line, without, texts)) return false;
  }
  for (int i = 0; i < spec->n_options; i++) spec->options[i].given = abs(spec->options[i].given);
  return true;
}

bool cli_words_read(const char *program, const char *path, bt_text_list *texts, cli_list *list) {
  BT_SCOPED char *data = NULL;
  size_t size;
  if (!read_text(program, path, &data, &size)) return false;
  bt_lines lines = bt_lines_of(data, size);
  for (bt_span line; bt_lines_next(&lines, &line);)
    for (bt_span word; (word = bt_span_word(&line)).size > 0;) {
      const char *kept = keep(texts, word);
      if (kept == NULL || !cli_list_add(list, kept)) return cli_refuse(program, "out of memory");
    }
  return true;
}
