/* output.c - see output.h. */
#include "bench/common/output.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/file.h"
#include "base/memory.h"
#include "bench/common/figures.h"
#include "common/outputs.h"

void *bench_allocate(size_t count, size_t size) {
  void *room = bt_allocate(count, size);
  if (room != NULL) return room;
  cli_message("berth bench", "out of memory");
  exit(CLI_EXIT_SYSTEM);
}

int bench_by_value(const void *a, const void *b) {
  const double *p = a, *q = b;
  return *p < *q ? -1 : *p > *q;
}

bt_status bench_refuse(bt_error *opt_error, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "", "%s", text);
}

static bt_status run_checked(bench_output *output, bench_run_fn run, void *state, bt_error *error) {
  if (output->opt_json_file != NULL) BT_TRY(cli_folder_check(output->opt_json_file, error));
  if (output->opt_plot != NULL) BT_TRY(cli_folder_check(output->opt_plot, error));
  return run(state, error);
}

int bench_main(const cli_spec *spec, bench_output *output, int argc, char **argv, bench_run_fn run, void *state) {
  int exit_code;
  bt_error error = {0};
  if (!cli_parse(spec, argc, argv, &exit_code)) return exit_code;
  output->command_line = cli_command_line(spec->program, argc, argv);
  bt_status status = run_checked(output, run, state, &error);
  free(output->command_line);
  return status != BT_OK ? cli_fail(spec->program, &error) : output->exit_code;
}

const char *bt_cpu_name(char *buffer, size_t size) {
  buffer[0] = '\0';
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (file == NULL) return buffer;
  char line[512];
  while (fgets(line, sizeof line, file) != NULL) {
    char *colon = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
    if (colon == NULL) continue;
    colon[strcspn(colon, "\n")] = '\0';
    snprintf(buffer, size, "%s", colon + 2);
    break;
  }
  fclose(file);
  return buffer;
}

void bench_json(bt_json *json, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bt_span rest = bt_span_from(format), word;
  while ((word = bt_span_word(&rest)).size > 0) {
    char key[64];
    if (bt_span_equals(word, "{") || bt_span_equals(word, "["))
      bt_json_open(json, word.text[0]);
    else if (bt_span_equals(word, "}") || bt_span_equals(word, "]"))
      bt_json_close(json, word.text[0]);
    else if (bt_span_equals(word, "%s"))
      bt_json_string(json, va_arg(arguments, const char *));
    else if (bt_span_equals(word, "%d"))
      bt_json_integer(json, va_arg(arguments, int));
    else if (bt_span_equals(word, "%hhd"))
      bt_json_bool(json, va_arg(arguments, int) != 0);
    else if (bt_span_equals(word, "%ld"))
      bt_json_integer(json, va_arg(arguments, long));
    else if (bt_span_equals(word, "%lu") || bt_span_equals(word, "%zu"))
      bt_json_unsigned(json, va_arg(arguments, size_t));
    else if (bt_span_equals(word, "%g"))
      bt_json_number(json, va_arg(arguments, double));
    else if (bt_span_equals(word, "%.0f"))
      bt_json_number(json, rint(va_arg(arguments, double)));
    else if (bt_span_equals(word, "%.6f"))
      bt_json_number(json, 1e-6 * rint(1e6 * va_arg(arguments, double)));
    else if (bt_span_copy(word, key, sizeof key))
      bt_json_key(json, key);
  }
  va_end(arguments);
}

/* Where, when and how it was measured. */
static void write_provenance(bt_json *json, const char *opt_command) {
  char cpu[256], day[32] = "", system[400] = "";
  time_t now = time(NULL);
  struct tm broken;
  if (gmtime_r(&now, &broken) != NULL) strftime(day, sizeof day, "%Y-%m-%d", &broken);
  struct utsname name;
  if (uname(&name) == 0) snprintf(system, sizeof system, "%s %s", name.sysname, name.machine);
  bench_json(json, "commit %s compiler %s cpu %s version %s command %s system %s date %s",
                bt_build_commit(), bt_build_compiler(), bt_cpu_name(cpu, sizeof cpu), BT_VERSION,
                opt_command != NULL ? opt_command : "", system, day);
}

static bt_status draw(const char *path, const bt_text *text, bt_error *opt_error) {
  BT_ENDED_BY(cli_json_free) cli_json json = {0};
  cli_file file;
  BT_TRY(cli_json_parse(path, text->data, text->size, &json, opt_error));
  BT_TRY(cli_file_open(path, &file, opt_error));
  bench_plot(file.stream, &json);
  return cli_file_close(&file, opt_error);
}

bt_status bench_output_write(bench_output *output, const char *name, bool valid, bench_write_fn members,
                             bench_print_fn table, const void *user, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_json json = {.text = &text, .pretty = 2};
  bench_json(&json, "{ benchmark %s", name);
  members(&json, user);
  write_provenance(&json, output->command_line);
  bench_json(&json, "}");
  if (!valid) output->exit_code = CLI_EXIT_SYSTEM;
  BT_TRY(bt_text_status(&text, opt_error));
  if (output->json)
    fwrite(text.data, 1, text.size, stdout);
  else
    table(user);
  if (output->opt_json_file != NULL) BT_TRY(bt_file_write(output->opt_json_file, text.data, text.size, opt_error));
  return output->opt_plot != NULL ? draw(output->opt_plot, &text, opt_error) : BT_OK;
}

void bench_cell(int width, const char *format, double value) {
  char text[64] = "-";
  if (isfinite(value)) snprintf(text, sizeof text, format, value);
  printf("%*s", width, text);
}
