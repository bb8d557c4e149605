/* main_adgpu.c - `berth-adgpu`: docking with AutoDock-GPU's command line and files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adgpu/adgpu.h"
#include "common/report.h"
#include "output/outputs.h"
#include "signals/interrupt.h"

static const char program[] = "berth-adgpu";

static bt_status read_dpf(const adgpu_settings *settings, bt_dpf **ret_dpf, bt_error *opt_error) {
  if (settings->import_dpf == NULL) return BT_OK;
  BT_TRY(bt_dpf_read(settings->import_dpf, ret_dpf, opt_error));
  for (int i = 0; i < bt_dpf_warning_count(*ret_dpf); i++)
    cli_warning(program, "%s: %s", settings->import_dpf, bt_dpf_warning(*ret_dpf, i));
  return BT_OK;
}

static int conclude(const adgpu_jobs *jobs) {
  int failed = 0;
  for (int i = 0; i < jobs->count; i++) failed += jobs->items[i].failed;
  if (failed == 0) return CLI_EXIT_OK;
  if (jobs->count == 1) {
    cli_message(program, "%s", jobs->items[0].reason);
    return CLI_EXIT_BAD;
  }
  fflush(stdout);
  fprintf(stderr, "Warning: The following jobs were not successful:\n");
  for (int i = 0; i < jobs->count; i++) {
    const adgpu_job *job = &jobs->items[i];
    if (!job->failed) continue;
    BT_SCOPED char *line = cli_format("Job %d: %s: %s", i + 1, job->ligand, job->reason);
    fprintf(stderr, "%s\n", line != NULL ? cli_one_line(line) : "out of memory");
  }
  return failed == jobs->count ? CLI_EXIT_BAD : CLI_EXIT_REJECTED;
}

static int run(const adgpu_settings *settings, const bt_dpf *opt_dpf, int argc, char **argv) {
  bt_error error = {0};
  adgpu_jobs jobs;
  bt_status status =
      adgpu_jobs_build(program, settings, opt_dpf, argc - 1, (const char *const *)(argv + 1), &jobs, &error);
  if (status != BT_OK) return cli_fail(program, &error);
  adgpu_settings_warn(settings, program);
  cli_cache_warn(program, settings->devices[0] != '\0' ? settings->devices : NULL);
  BT_SCOPED char *command_line = cli_command_line(program, argc, argv);
  if (command_line == NULL) status = bt_fail_memory(&error);
  if (status == BT_OK && !settings->dlg2stdout)
    printf("Running %d docking calculation%s\n", jobs.count, jobs.count > 1 ? "s" : "");
  if (status == BT_OK) status = adgpu_jobs_run(program, &jobs, command_line, &error);
  int exit_code = status == BT_OK ? conclude(&jobs) : cli_fail(program, &error);
  adgpu_jobs_free(&jobs);
  return exit_code;
}

int main(int argc, char **argv) {
  cli_signals_prepare();
  if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-version") == 0)) {
    printf("%s %s\n", program, BT_VERSION);
    return cli_finish(program, CLI_EXIT_OK);
  }
  const char *const help[] = {"--help"};
  const char *const *words = argc > 1 ? (const char *const *)(argv + 1) : help;
  int exit_code = CLI_EXIT_OK;
  bt_dpf *dpf = NULL;
  bt_error error = {0};
  adgpu_settings settings = adgpu_settings_default(NULL, 0);
  if (adgpu_settings_parse(&settings, program, argc > 1 ? argc - 1 : 1, words, &exit_code)) {
    bt_status status = read_dpf(&settings, &dpf, &error);
    if (status == BT_OK && dpf != NULL) { /* again: the command line overrides the parameters of the file */
      adgpu_settings_free(&settings);
      settings = adgpu_settings_default(dpf, 0);
      status = adgpu_settings_parse(&settings, program, argc - 1, words, &exit_code)
                 ? BT_OK
                 : cli_fill_error(&error, BT_ERR_USAGE, NULL, "", "the command line is not valid");
    }
    if (status == BT_OK) status = adgpu_settings_finish(&settings, &error);
    exit_code = status == BT_OK ? run(&settings, dpf, argc, argv) : cli_fail(program, &error);
  }
  adgpu_settings_free(&settings);
  bt_dpf_destroy(dpf);
  return cli_finish(program, exit_code);
}
