/* output.c - see output.h. */
#include "bench/common/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/memory.h"
#include "bench/common/bars.h"
#include "common/json.h"
#include "bench/common/json_read.h"
#include "common/outputs.h"
#include "common/report.h"

static bool can_write(const char *program, const char *opt_path) {
  bt_error error;
  if (opt_path == NULL || cli_folder_check(opt_path, &error) == BT_OK) return true;
  cli_fail(program, &error);
  return false;
}

bool bench_output_check(const char *program, bench_output *output, int argc, char **argv) {
  output->command_line = cli_command_line(program, argc, argv);
  if (output->command_line == NULL) return cli_refuse(program, "out of memory");
  return can_write(program, output->opt_json_file) && can_write(program, output->opt_plot);
}

void bench_output_free(bench_output *output) {
  free(output->command_line);
  output->command_line = NULL;
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

static void member(FILE *stream, const char *key, const char *value) {
  fprintf(stream, ", \"%s\": ", key);
  cli_json_string(stream, value);
}

/* Where, when and how it was measured. */
static void write_provenance(FILE *stream, const char *opt_command) {
  char cpu[256], day[32] = "", system[400] = "";
  time_t now = time(NULL);
  struct tm broken;
  if (gmtime_r(&now, &broken) != NULL) strftime(day, sizeof day, "%Y-%m-%d", &broken);
  struct utsname name;
  if (uname(&name) == 0) snprintf(system, sizeof system, "%s %s", name.sysname, name.machine);
  member(stream, "commit", bt_build_commit());
  member(stream, "compiler", bt_build_compiler());
  member(stream, "cpu", bt_cpu_name(cpu, sizeof cpu));
  member(stream, "version", BT_VERSION);
  member(stream, "command", opt_command != NULL ? opt_command : "");
  member(stream, "system", system);
  member(stream, "date", day);
}

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}

static bt_status make_json(const bench_output *output, const char *name, bench_write_fn members, const void *user,
                           char **ret_text, size_t *ret_size, bt_error *opt_error) {
  FILE *stream = open_memstream(ret_text, ret_size);
  if (stream == NULL) return out_of_memory(opt_error);
  fprintf(stream, "{\"benchmark\": \"%s\", ", name);
  members(stream, user);
  write_provenance(stream, output->command_line);
  fputs("}\n", stream);
  return fclose(stream) == 0 ? BT_OK : out_of_memory(opt_error);
}

static bt_status write_file(const char *path, const char *text, size_t size, bt_error *opt_error) {
  cli_file file;
  bt_status status = cli_file_open(path, &file, opt_error);
  if (status != BT_OK) return status;
  fwrite(text, 1, size, file.stream);
  return cli_file_close(&file, opt_error);
}

static bt_status draw(const char *path, const char *text, size_t size, bt_error *opt_error) {
  cli_json json;
  cli_file file;
  bt_status status = cli_json_parse(path, text, size, &json, opt_error);
  if (status == BT_OK) status = cli_file_open(path, &file, opt_error);
  if (status == BT_OK) {
    bench_plot(file.stream, &json);
    status = cli_file_close(&file, opt_error);
  }
  cli_json_free(&json);
  return status;
}

bt_status bench_output_write(const bench_output *output, const char *name, bench_write_fn members, bench_print_fn table,
                             const void *user, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  size_t size = 0;
  bt_status status = make_json(output, name, members, user, &text, &size, opt_error);
  if (status == BT_OK) {
    if (output->json)
      fwrite(text, 1, size, stdout);
    else
      table(user);
    if (output->opt_json_file != NULL) status = write_file(output->opt_json_file, text, size, opt_error);
  }
  if (status == BT_OK && output->opt_plot != NULL) status = draw(output->opt_plot, text, size, opt_error);
  return status;
}
