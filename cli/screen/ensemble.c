/* ensemble.c - a library against several receptors, and one ranking of it. */
#include <berth/screen.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "common/report.h"
#include "screen/job.h"

static const char program[] = "berth screen";

typedef struct screen_ensemble {
  char **databases; /* [count] of the receptors */
  int count;
  size_t room;
} screen_ensemble;

static bt_status add_database(screen_ensemble *ensemble, const char *path, bt_error *opt_error) {
  char *copy = strdup(path);
  if (copy != NULL && BT_APPEND(ensemble->databases, ensemble->count, &ensemble->room, copy)) return BT_OK;
  free(copy);
  return bt_fail_memory(opt_error);
}

static void free_ensemble(screen_ensemble *ensemble) {
  for (int k = 0; k < ensemble->count; k++) free(ensemble->databases[k]);
  free(ensemble->databases);
}

/* One model of a file, in the folder FOLDER/receptor-K. What names residues of the first receptor has no meaning here. */
static int dock_model(const screen_job *first, const char *path, int model, screen_ensemble *ensemble) {
  screen_job job = {.settings = first->settings, .command_line = first->command_line};
  screen_settings *s = &job.settings;
  bt_error error;
  BT_SCOPED char *name = cli_format("receptor-%d", ensemble->count + 1);
  BT_SCOPED char *folder = name != NULL ? bt_path_join(first->settings.folder, name) : NULL;
  job.database = folder != NULL ? bt_path_join(folder, "screen.db") : NULL;
  if (job.database == NULL || add_database(ensemble, job.database, &error) != BT_OK) {
    (void)bt_fail_memory(&error);
    free(job.database);
    return cli_fail(program, &error);
  }
  s->receptor = path;
  s->folder = folder;
  s->prepare = cli_prepare_further(&s->prepare, model, s->no_superpose ? NULL : first->receptor.rigid);
  int exit_code = screen_dock(&job);
  screen_close(&job);
  return exit_code;
}

static int rank_ensemble(const screen_job *job, const screen_ensemble *ensemble, int exit_code) {
  const screen_settings *s = &job->settings;
  BT_SCOPED char *path = bt_path_join(s->folder, "ensemble.csv");
  bt_error error;
  int64_t ligands;
  bt_status status = path != NULL ? BT_OK : bt_fail_memory(&error);
  if (status == BT_OK)
    status = bt_screen_rank_receptors((const char *const *)ensemble->databases, ensemble->count,
                                      (bt_receptor_rank)s->ensemble_rank, 0, path, &ligands, &error);
  if (status != BT_OK) return cli_fail(program, &error);
  if (!s->quiet)
    cli_message(program, "%lld ligands ranked by their %s energy in %d structures: %s", (long long)ligands,
                s->ensemble_rank == BT_RECEPTOR_RANK_MEAN ? "mean" : "best", ensemble->count, path);
  return exit_code;
}

int screen_dock_all(screen_job *job) {
  const screen_settings *s = &job->settings;
  int exit_code = screen_dock(job);
  if (s->ensemble.count == 0) return exit_code;
  screen_ensemble ensemble = {0};
  bt_error error = {0};
  bt_status status = add_database(&ensemble, job->database, &error);
  bt_target_close(job->target); /* its maps */
  job->target = NULL;
  bool goes_on = exit_code == CLI_EXIT_OK || exit_code == CLI_EXIT_REJECTED;
  for (int i = 0; status == BT_OK && goes_on && i < s->ensemble.count; i++) {
    const char *path = s->ensemble.items[i];
    bool same = strcmp(path, s->receptor) == 0;
    int models = 1, here;
    if (bt_is_structure_file(path)) status = bt_receptor_model_count(path, &models, &error);
    for (int model = 1; status == BT_OK && goes_on && model <= models; model++) {
      if (same && model == s->prepare.receptor.model) continue;
      here = dock_model(job, path, model, &ensemble);
      goes_on = here == CLI_EXIT_OK || here == CLI_EXIT_REJECTED;
      if (here != CLI_EXIT_OK) exit_code = here;
    }
  }
  if (status != BT_OK) exit_code = cli_fail(program, &error);
  if (status == BT_OK && goes_on) exit_code = rank_ensemble(job, &ensemble, exit_code);
  free_ensemble(&ensemble);
  return exit_code;
}
