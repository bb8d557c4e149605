/* write.c - writes the output files of AutoDock-GPU for one job. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adgpu/adgpu.h"
#include "common/report.h"
#include "base/files/file.h"
#include "base/text/text.h"

static bt_status print_dlg(const bt_result *result, const bt_write_context *context, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  BT_TRY(bt_result_text(result, "dlg", context, &text, opt_error));
  fputs(text, stdout);
  if (fflush(stdout) != 0 || ferror(stdout))
    return cli_fill_error(opt_error, BT_ERR_IO, "standard output", "", "cannot write: %s", strerror(errno));
  return BT_OK;
}

/* best.pdbqt: the first MODEL of the ranked poses, without its MODEL and ENDMDL lines and remarks on the grid. */
static bt_status write_best(const bt_result *result, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  BT_ENDED_BY(bt_text_destroy) bt_text best = {0};
  BT_TRY(bt_result_text(result, "pdbqt", NULL, &text, opt_error));
  bt_lines lines = bt_lines_of(text, strlen(text));
  for (bt_span line; bt_lines_next(&lines, &line) && !bt_span_starts(line, "ENDMDL");)
    if (!bt_span_starts(line, "MODEL") && !bt_span_starts(line, "REMARK BERTH grid "))
      bt_text_printf(&best, "%.*s\n", (int)line.size, line.text);
  return bt_file_write_text("best.pdbqt", &best, opt_error);
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
    BT_TRY(bt_result_write(result, dlg, "dlg", &context, opt_error));
  const char *blank = context.opt_command_line != NULL ? strchr(context.opt_command_line, ' ') : NULL;
  context.opt_command_line = blank != NULL ? blank + 1 : ""; /* the XML has only the arguments */
  if (job->settings.xmloutput) BT_TRY(bt_result_write(result, xml, "xml", &context, opt_error));
  return job->settings.gbest ? write_best(result, opt_error) : BT_OK;
}
