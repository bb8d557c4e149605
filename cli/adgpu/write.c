/* write.c - writes the output files of AutoDock-GPU for one job. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adgpu/adgpu.h"
#include "common/report.h"
#include "output/outputs.h"

/* Lets a writer fill a temporary file and returns it open for reading and already unlinked. */
typedef bt_status (*write_function)(const bt_result *result, const char *path, const bt_write_context *context,
                                    bt_error *opt_error);

static bt_status write_pdbqt(const bt_result *result, const char *path, const bt_write_context *context,
                             bt_error *opt_error) {
  (void)context;
  return bt_result_write_pdbqt(result, path, opt_error);
}

static bt_status write_temporary(write_function write, const bt_result *result, const bt_write_context *context,
                                 FILE **ret_stream, bt_error *opt_error) {
  const char *folder = getenv("TMPDIR");
  BT_SCOPED char *path = cli_path_join(folder != NULL && folder[0] != '\0' ? folder : "/tmp", "berth-XXXXXX");
  if (path == NULL) return bt_fail_memory(opt_error);
  int descriptor = mkstemp(path);
  if (descriptor < 0)
    return cli_fill_error(opt_error, BT_ERR_IO, path, "set TMPDIR to a writable folder",
                          "cannot create a temporary file: %s", strerror(errno));
  close(descriptor);
  bt_status status = write(result, path, context, opt_error);
  if (status == BT_OK && (*ret_stream = fopen(path, "r")) == NULL)
    status = cli_fill_error(opt_error, BT_ERR_IO, path, "check TMPDIR", "cannot read the temporary file: %s",
                            strerror(errno));
  unlink(path);
  return status;
}

/* Checks a stream of a temporary file for read errors. */
static bt_status check_read(FILE *stream, bt_error *opt_error) {
  if (!ferror(stream)) return BT_OK;
  return cli_fill_error(opt_error, BT_ERR_IO, NULL, "check TMPDIR", "cannot read a temporary file");
}

static bt_status print_dlg(const bt_result *result, const bt_write_context *context, bt_error *opt_error) {
  char buffer[65536];
  FILE *from;
  BT_TRY(write_temporary(bt_result_write_dlg, result, context, &from, opt_error));
  for (size_t size; (size = fread(buffer, 1, sizeof buffer, from)) > 0;)
    if (fwrite(buffer, 1, size, stdout) != size) break;
  bt_status status = check_read(from, opt_error);
  fclose(from);
  if (status != BT_OK) return status;
  if (fflush(stdout) != 0 || ferror(stdout))
    return cli_fill_error(opt_error, BT_ERR_IO, "standard output", "", "cannot write: %s", strerror(errno));
  return BT_OK;
}

/* AutoDock-GPU's best.pdbqt has no remarks on the grid. */
static bool is_for_best(const char *line) {
  static const char *const others[] = {"MODEL", "REMARK BERTH grid "};
  for (int k = 0; k < CLI_COUNT(others); k++)
    if (strncmp(line, others[k], strlen(others[k])) == 0) return false;
  return true;
}

/* best.pdbqt: the first MODEL of the ranked poses, without its MODEL and ENDMDL lines. */
static bt_status write_best(const bt_result *result, bt_error *opt_error) {
  FILE *poses = NULL;
  cli_file file;
  BT_TRY(write_temporary(write_pdbqt, result, NULL, &poses, opt_error));
  bt_status status = cli_file_open("best.pdbqt", &file, opt_error);
  if (status == BT_OK) {
    BT_SCOPED char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, poses) >= 0 && strncmp(line, "ENDMDL", 6) != 0)
      if (is_for_best(line)) fputs(line, file.stream);
    status = check_read(poses, opt_error);
    if (status == BT_OK)
      status = cli_file_close(&file, opt_error);
    else
      cli_file_abandon(&file);
  }
  fclose(poses);
  return status;
}

bt_status adgpu_job_write(const adgpu_job *job, const char *command_line, const bt_result *result,
                          bt_error *opt_error) {
  bt_write_context context = {.opt_command_line = command_line,
                              .opt_fld_path = job->fld,
                              .opt_ligand_path = job->ligand,
                              .opt_flexible_path = job->opt_flexible,
                              .opt_dpf_path = job->opt_dpf_path};
  BT_SCOPED char *dlg = cli_format("%s.dlg", job->resname);
  BT_SCOPED char *xml = cli_format("%s.xml", job->resname);
  if (dlg == NULL || xml == NULL) return bt_fail_memory(opt_error);
  if (job->settings.dlg2stdout)
    BT_TRY(print_dlg(result, &context, opt_error));
  else if (job->settings.dlgoutput)
    BT_TRY(bt_result_write_dlg(result, dlg, &context, opt_error));
  const char *blank = context.opt_command_line != NULL ? strchr(context.opt_command_line, ' ') : NULL;
  context.opt_command_line = blank != NULL ? blank + 1 : ""; /* the XML has only the arguments */
  if (job->settings.xmloutput) BT_TRY(bt_result_write_xml(result, xml, &context, opt_error));
  return job->settings.gbest ? write_best(result, opt_error) : BT_OK;
}
