/* results.c - what is written when a screen or a merge is complete. */
#include "screen/results.h"

#include <berth/score.h>
#include <string.h>
#include <unistd.h>

#include "input/inputs.h"
#include "common/report.h"

void screen_tell_exported(const char *program, const char *path, bt_screen_format format,
                          const bt_screen_exported *exported, bool autodock, bool quiet) {
  bool poses = format == BT_SCREEN_SDF || format == BT_SCREEN_PDBQT || format == BT_SCREEN_DLG;
  if (exported->without_pose > 0)
    cli_warning(program, "%lld ligands have no pose in the database, which keeps only those of the best (--keep)",
                (long long)exported->without_pose);
  if (exported->without_bonds > 0)
    cli_warning(program,
                autodock ? "%lld ligands from PDBQT files without bonds are left out; use --export pdbqt"
                         : "%lld ligands whose bonds cannot be written as SDF are left out",
                (long long)exported->without_bonds);
  cli_damage_warn(program, exported->damage.lines, exported->damage.ligands, "left out");
  if (quiet) return;
  if (poses)
    cli_message(program, "%s: %lld poses of %lld ligands", path, (long long)exported->poses,
                (long long)(exported->ligands - exported->without_pose - exported->without_bonds));
  else
    cli_message(program, "%s: %lld ligands", path, (long long)exported->ligands);
}

static bt_status write_one(const char *folder, const char *name, const char *database, bt_screen_format format,
                           int64_t top, bt_screen_exported *exported, bt_error *opt_error) {
  BT_SCOPED char *path = bt_path_join(folder, name);
  if (path == NULL) return bt_fail_memory(opt_error);
  bt_status status = bt_screen_export(database, format, top, path, NULL, exported, opt_error);
  bool none = format == BT_SCREEN_REJECTS ? exported->ligands == 0 : format != BT_SCREEN_CSV && exported->poses == 0;
  if (status == BT_OK && none) unlink(path);
  return status;
}

void screen_tell_filtered(const char *database, int64_t count, FILE *stream) {
  BT_SCOPED char *by = NULL;
  if (count == 0) return;
  bool known = bt_screen_filtered(database, &by, NULL) == BT_OK && by[0] != '\0';
  fprintf(stream, "filter    %lld left out%s%s\n", (long long)count, known ? ": " : "", known ? by : "");
}

uint64_t screen_seed(const char *database) {
  BT_SCOPED char *value = NULL;
  if (access(database, F_OK) != 0 || bt_screen_setting(database, "seed", &value, NULL) != BT_OK) return 0;
  return value != NULL ? strtoull(value, NULL, 10) : 0;
}

bool screen_is_autodock(const char *database) {
  BT_SCOPED char *engine = NULL;
  return bt_screen_setting(database, "engine", &engine, NULL) != BT_OK || engine == NULL;
}

bt_scoring screen_scoring(const char *database) {
  BT_SCOPED char *name = NULL;
  bt_scoring scoring = BT_SCORING_UNNAMED;
  if (bt_screen_setting(database, "scoring", &name, NULL) == BT_OK && name != NULL)
    (void)bt_scoring_find(name, &scoring);
  return scoring;
}

bt_status screen_write_top(const char *folder, const char *database, const char *rejects_name, int64_t top, bool quiet,
                           const char *program, int64_t *ret_damaged, bt_error *opt_error) {
  bt_screen_exported table = {0}, sdf = {0}, pdbqt = {0}, rejects = {0};
  bt_status status = write_one(folder, rejects_name, database, BT_SCREEN_REJECTS, 0, &rejects, opt_error);
  if (status == BT_OK && top > 0)
    status = write_one(folder, "top.csv", database, BT_SCREEN_CSV, top, &table, opt_error);
  if (status == BT_OK && top > 0) status = write_one(folder, "top.sdf", database, BT_SCREEN_SDF, top, &sdf, opt_error);
  if (status == BT_OK && top > 0 && sdf.without_bonds > 0 && screen_is_autodock(database))
    status = write_one(folder, "top.pdbqt", database, BT_SCREEN_PDBQT, top, &pdbqt, opt_error);
  const bt_screen_damage *damage = sdf.damage.ligands > 0 ? &sdf.damage : &rejects.damage; /* includes damaged poses */
  *ret_damaged = status == BT_OK ? damage->ligands : 0;
  if (status == BT_OK) cli_damage_warn(program, damage->lines, damage->ligands, "left out");
  if (status == BT_OK && !quiet && table.ligands > 0)
    cli_message(program, "the best %lld %s in %s/top.csv%s%s", (long long)table.ligands,
                table.ligands == 1 ? "ligand is" : "ligands are", folder, sdf.poses > 0 ? " and top.sdf" : "",
                pdbqt.poses > 0 ? " and top.pdbqt" : "");
  return status;
}
