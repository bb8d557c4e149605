/* output.c - see output.h. */
#include "bench/common/output.h"

#include <berth/build.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "bench/common/figures.h"
#include "output/outputs.h"

static void *checked(void *opt_room) {
  if (opt_room != NULL) return opt_room;
  cli_message("berth bench", "out of memory");
  exit(CLI_EXIT_SYSTEM);
}

void *bench_allocate(size_t count, size_t size) { return checked(bt_allocate(count, size)); }

void *bench_keep(size_t count, size_t size) {
  static bt_arena kept;
  return checked(bt_arena_allocate(&kept, count, size));
}

int bench_by_value(const void *a, const void *b) {
  const double *p = a, *q = b;
  return *p < *q ? -1 : *p > *q;
}

const bench_times bench_times_unknown = {NAN, NAN, NAN};

bench_times bench_times_of(double *seconds, int count) {
  qsort(seconds, (size_t)count, sizeof *seconds, bench_by_value);
  return (bench_times){seconds[count / 2], seconds[0], seconds[count - 1]};
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
  BT_SCOPED char *text = NULL;
  size_t length;
  buffer[0] = '\0';
  const char *name = bt_file_read("/proc/cpuinfo", &text, &length, NULL) == BT_OK ? strstr(text, "model name") : NULL;
  if (name == NULL) return buffer;
  name += strcspn(name, ":\n");
  name += strspn(name, ": ");
  snprintf(buffer, size, "%.*s", (int)strcspn(name, "\n"), name);
  return buffer;
}

/* Where, when and how the measurement was made. */
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

static bt_status draw(const bench_output *output, const bt_text *text, const void *user, bt_error *opt_error) {
  BT_ENDED_BY(cli_json_free) cli_json json = {0};
  BT_SCOPED char *figure = NULL;
  size_t size;
  BT_TRY(cli_json_parse(output->opt_plot, text->data, text->size, &json, opt_error));
  FILE *stream = open_memstream(&figure, &size);
  if (stream == NULL) return bt_fail_memory(opt_error);
  if (output->opt_draw != NULL)
    output->opt_draw(stream, user);
  else
    bench_figures_draw(stream, &json);
  if (fclose(stream) != 0) return bt_fail_memory(opt_error);
  return bt_file_write(output->opt_plot, figure, size, opt_error);
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
  return output->opt_plot != NULL ? draw(output, &text, user, opt_error) : BT_OK;
}

/* Prints one value; the text of the conversion ends at its letter. */
static void print_value(const char *conversion, va_list *arguments) {
  char letter = conversion[strlen(conversion) - 1];
  if (letter == 's') {
    printf(conversion, va_arg(*arguments, const char *));
  } else if (letter == 'f' || letter == 'e' || letter == 'g') {
    double value = va_arg(*arguments, double);
    if (isfinite(value))
      printf(conversion, value);
    else
      printf("%*s", atoi(conversion + 1), "-");
  } else if (strpbrk(conversion, "lz") != NULL) {
    printf(conversion, va_arg(*arguments, long long));
  } else {
    printf(conversion, va_arg(*arguments, int));
  }
}

void bench_print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (const char *c = format; *c != '\0'; c++) {
    size_t size = strcspn(c, "cdefgsu") + 1;
    char conversion[16];
    if (c[0] != '%' || c[1] == '%') {
      putchar(*c);
      c += c[0] == '%';
      continue;
    }
    snprintf(conversion, sizeof conversion, "%.*s", (int)size, c);
    print_value(conversion, &arguments);
    c += size - 1;
  }
  va_end(arguments);
}

void bench_print_build(void) { printf("commit %s, %s\n", bt_build_commit(), bt_build_compiler()); }
