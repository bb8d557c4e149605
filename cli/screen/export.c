/* export.c - `berth screen --export`: results out of a database. */
#include <berth/screen.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "common/report.h"
#include "output/outputs.h"
#include "screen/job.h"
#include "screen/results.h"

static const char program[] = "berth screen";

/* Maps for docking logs, of the receptor that was docked; borrowed from the target. */
static bt_status old_maps(screen_job *job, const bt_maps **ret_maps, bt_error *opt_error) {
  screen_settings *s = &job->settings;
  bt_screen_options options = bt_screen_options_default();
  s->protocol.scoring = (int)screen_scoring(job->database);
  s->protocol.opt_rescore = NULL;
  if (s->receptor == NULL || !cli_path_ends(s->receptor, ".fld")) {
    BT_SCOPED char *text = NULL, *path = bt_path_join(s->folder, "receptor.pdbqt");
    if (path == NULL) return bt_fail_memory(opt_error);
    BT_TRY(bt_screen_receptor(job->database, &text, &s->resolved_box, opt_error));
    BT_TRY(bt_file_write(path, text, strlen(text), opt_error));
    BT_TRY(cli_receptor_load(program, path, &s->prepare, true, &job->receptor, opt_error));
  } else {
    BT_TRY(cli_receptor_load(program, s->receptor, &s->prepare, true, &job->receptor, opt_error));
  }
  BT_TRY(screen_open_target(job, opt_error));
  BT_TRY(bt_target_fill_screen(job->target, &options, opt_error));
  *ret_maps = options.maps;
  return BT_OK;
}

int screen_export(screen_job *job) {
  const screen_settings *settings = &job->settings;
  static const struct {
    const char *word, *file;
    bt_screen_format format;
  } known[] = {{"csv", "results.csv", BT_SCREEN_CSV},
               {"parquet", "results.parquet", BT_SCREEN_PARQUET},
               {"sdf", "results.sdf", BT_SCREEN_SDF},
               {"pdbqt", "results.pdbqt", BT_SCREEN_PDBQT},
               {"dlg", "dlg", BT_SCREEN_DLG},
               {"rejects", "rejects.csv", BT_SCREEN_REJECTS}};
  int which = -1;
  for (int k = 0; k < CLI_COUNT(known); k++)
    if (strcmp(settings->opt_export, known[k].word) == 0) which = k;
  if (which < 0) {
    cli_message(program, "--export: '%s' is not valid; use csv, parquet, sdf, pdbqt, dlg or rejects", settings->opt_export);
    return CLI_EXIT_BAD;
  }
  bt_error error;
  bt_screen_exported exported;
  const bt_maps *maps = NULL;
  BT_SCOPED char *path = bt_path_join(settings->folder, known[which].file);
  bt_status status = path != NULL ? BT_OK : bt_fail_memory(&error);
  if (status == BT_OK && known[which].format == BT_SCREEN_DLG) {
    status = old_maps(job, &maps, &error);
    if (status == BT_OK) status = cli_folder_make(path, &error);
  }
  int64_t top = settings->top_given ? settings->top : 0;
  if (status == BT_OK)
    status = bt_screen_export_selected(job->database, known[which].format, top, path, maps, &settings->selection,
                                       &exported, &error);
  if (status != BT_OK) return cli_fail(program, &error);
  screen_tell_exported(program, path, known[which].format, &exported, screen_is_autodock(job->database),
                       settings->quiet);
  return exported.damage.ligands > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}
