/* write.c - writes what AutoDock-GPU writes for one job. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adgpu/adgpu.h"
#include "common/outputs.h"
#include "common/report.h"

/* Lets a writer fill a temporary file and opens that file for reading; it is unlinked already. */
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
  CLI_SCOPED char *path = cli_path_join(folder != NULL && folder[0] != '\0' ? folder : "/tmp", "berth-XXXXXX");
  if (path == NULL) return cli_no_memory(opt_error);
  int descriptor = mkstemp(path);
  bt_status status = BT_OK;
  if (descriptor < 0)
    status = cli_fill_error(opt_error, BT_ERR_IO, path, "set TMPDIR to a folder where you may write",
                            "cannot make a temporary file: %s", strerror(errno));
  else
    close(descriptor);
  if (status == BT_OK) status = write(result, path, context, opt_error);
  if (status == BT_OK && (*ret_stream = fopen(path, "r")) == NULL)
    status = cli_fill_error(opt_error, BT_ERR_IO, path, "check TMPDIR", "cannot read it: %s", strerror(errno));
  if (descriptor >= 0) unlink(path);
  return status;
}

static bt_status copy_to_stdout(FILE *from, bt_error *opt_error) {
  char buffer[65536];
  for (size_t size; (size = fread(buffer, 1, sizeof buffer, from)) > 0;)
    if (fwrite(buffer, 1, size, stdout) != size) break;
  if (fflush(stdout) != 0 || ferror(stdout))
    return cli_fill_error(opt_error, BT_ERR_IO, "standard output", "", "cannot write: %s", strerror(errno));
  return BT_OK;
}

/* best.pdbqt: the first MODEL of the ranked poses, without its MODEL and ENDMDL lines. */
static bt_status write_best(const bt_result *result, bt_error *opt_error) {
  FILE *poses = NULL;
  cli_file file;
  bt_status status = write_temporary(write_pdbqt, result, NULL, &poses, opt_error);
  if (status != BT_OK) return status;
  status = cli_file_open("best.pdbqt", &file, opt_error);
  if (status == BT_OK) {
    CLI_SCOPED char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, poses) >= 0 && strncmp(line, "ENDMDL", 6) != 0)
      if (strncmp(line, "MODEL", 5) != 0) fputs(line, file.stream);
    status = cli_file_close(&file, opt_error);
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
  CLI_SCOPED char *dlg = cli_format("%s.dlg", job->resname);
  CLI_SCOPED char *xml = cli_format("%s.xml", job->resname);
  bt_status status = dlg != NULL && xml != NULL ? BT_OK : cli_no_memory(opt_error);
  if (status == BT_OK && job->settings.dlg2stdout) {
    FILE *stream = NULL;
    status = write_temporary(bt_result_write_dlg, result, &context, &stream, opt_error);
    if (status == BT_OK) status = copy_to_stdout(stream, opt_error);
    if (stream != NULL) fclose(stream);
  } else if (status == BT_OK && job->settings.dlgoutput) {
    status = bt_result_write_dlg(result, dlg, &context, opt_error);
  }
  const char *blank = context.opt_command_line != NULL ? strchr(context.opt_command_line, ' ') : NULL;
  context.opt_command_line = blank != NULL ? blank + 1 : ""; /* the XML holds the arguments alone */
  if (status == BT_OK && job->settings.xmloutput) status = bt_result_write_xml(result, xml, &context, opt_error);
  if (status == BT_OK && job->settings.gbest) status = write_best(result, opt_error);
  return status;
}
