/* main_autogrid.c - `berth-autogrid`: drop-in replacement for autogrid4 in scripts: same options, same files. */
#include <berth/autodock.h>
#include <stdio.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "base/files/file_set.h"
#include "common/options.h"
#include "common/progress.h"
#include "common/report.h"
#include "output/outputs.h"
#include "signals/interrupt.h"

static const char program[] = "berth-autogrid";

/* AutoGrid's last line: wall-clock, user and system time in seconds. */
static void write_times(FILE *log, double real) {
  struct tms used;
  double ticks = (double)sysconf(_SC_CLK_TCK);
  times(&used);
  fprintf(log, "Real= %.2fs,  CPU= %.2fs,  System= %.2fs\n", real, (double)used.tms_utime / ticks,
          (double)used.tms_stime / ticks);
}

static void write_log(FILE *log, const bt_gpf_result *result, bt_status status, const bt_error *error, double real) {
  char text[2048], date[64] = "";
  time_t now = time(NULL);
  struct tm local;
  if (localtime_r(&now, &local) != NULL) strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &local);
  fprintf(log, "Berth %s, maps by the rules of AutoGrid 4.2.6\nCreated at          : %s\n", BT_VERSION, date);
  if (result->log != NULL) fputs(result->log, log);
  if (status != BT_OK) {
    fprintf(log, "\n%s: ERROR: %s\n\n\n%s: Unsuccessful Completion.\n", program,
            bt_error_format(error, text, sizeof text), program);
    return;
  }
  fprintf(log, "\n%s: Successful Completion.\n", program);
  write_times(log, real);
}

/* Without -l the log goes to standard output, as autogrid4's does. */
static bt_status save_log(const char *opt_path, const bt_gpf_result *result, bt_status run_status,
                          const bt_error *run_error, double real, bt_error *opt_error) {
  if (opt_path == NULL) {
    write_log(stdout, result, run_status, run_error, real);
    return BT_OK;
  }
  BT_SCOPED char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (stream != NULL) write_log(stream, result, run_status, run_error, real);
  if (stream == NULL || fclose(stream) != 0) return bt_fail_memory(opt_error);
  return bt_file_write(opt_path, text, size, opt_error);
}

static int run(int argc, char **argv) {
  const char *gpf = "-", *log = NULL, *isa = NULL;
  int threads = 0;
  bool debug = false, version = false;
  cli_option options[] = {
      {.group = "Options", OPT_STRING("parameters", 'p', &gpf, "FILE", "grid parameter file (.gpf)"),
       .opt_default = "standard input"},
      {OPT_STRING("log", 'l', &log, "FILE", "log (.glg)"), .opt_default = "standard output"},
      {OPT_FLAG("debug", 'd', &debug, "accepted, no effect")},
      {OPT_THREADS('t', &threads, 65536, "threads")},
      {OPT_STRING("isa", 0, &isa, "NAME", "vector instruction set: avx512, avx2 or base")},
      {OPT_FLAG("version", 0, &version, "print the version")},
  };
  cli_spec spec = {program, "affinity maps of a receptor; replaces autogrid4", "-p FILE.gpf -l FILE.glg",
                   "Writes the files that the grid parameter file names, relative to the working folder.",
                   "  berth-autogrid -p protein.gpf -l protein.glg", CLI_TABLE(options), NULL};
  int exit_code;
  if (!cli_parse(&spec, argc, argv, &exit_code)) return exit_code;
  if (version) return printf("%s %s\n", program, BT_VERSION), CLI_EXIT_OK;

  double started = bt_seconds();
  bt_gpf_result result;
  bt_error error = {0}, log_error = {0};
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  if (bt_file_set_add(&inputs, gpf, &error) != BT_OK ||
      (log != NULL && bt_file_set_spare(&inputs, log, &error) != BT_OK))
    return cli_fail(program, &error);
  bt_status status = bt_gpf_run(gpf, threads, isa, &result, &error);
  exit_code = CLI_EXIT_OK;
  if (status != BT_OK) exit_code = cli_fail(program, &error);
  if (save_log(log, &result, status, &error, bt_seconds() - started, &log_error) != BT_OK) {
    int log_code = cli_fail(program, &log_error);
    if (exit_code == CLI_EXIT_OK) exit_code = log_code;
  }
  bt_gpf_result_clear(&result);
  return exit_code;
}

int main(int argc, char **argv) {
  cli_signals_prepare();
  return cli_finish("berth-autogrid", run(argc, argv));
}
