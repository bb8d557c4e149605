/* session.c - scripts that open receptor and poses of a ligand in PyMOL and ChimeraX. */
#include <berth/report.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/report.h"
#include "dock/state.h"

/* The file of poses that a viewer shows best; NULL: none is written. */
static const char *poses_ending(const dock_state *state, const cli_ligand *ligand) {
  static const char *const best_first[] = {"sdf", "mol2", "pdbqt"};
  for (int k = 0; k < CLI_COUNT(best_first); k++) {
    const char *ending;
    for (int i = 0; (ending = dock_ending(state, ligand, i)) != NULL; i++)
      if (strcmp(ending, best_first[k]) == 0) return ending;
  }
  return NULL;
}

/* Those that were prepared stand in the folder, under these names; others where they are. Each is freed. */
static char *receptor_path(const dock_state *state, int index) {
  const cli_receptor *receptor = index == 0 ? &state->receptor : &state->ensemble[index - 1];
  if (receptor->opt_prepared == NULL) return realpath(receptor->path, NULL);
  return index == 0 ? strdup("receptor.pdbqt") : cli_format("receptor-%d.pdbqt", index + 1);
}

static bt_status write_script(const dock_state *state, const cli_ligand *ligand, const bt_session *session,
                              const char *ending, bt_error *opt_error) {
  BT_SCOPED char *path = dock_output_path(state, ligand->name, ending), *text = NULL;
  if (path == NULL) return bt_fail_memory(opt_error);
  bt_session_program program = strcmp(ending, "pml") == 0 ? BT_SESSION_PYMOL : BT_SESSION_CHIMERAX;
  BT_TRY(bt_session_text(session, program, &text, opt_error));
  return bt_file_write(path, text, strlen(text), opt_error);
}

const char *dock_session_ending(const dock_state *state, int index) {
  static const char *const endings[] = {"pml", "cxc"};
  const char *asked = state->settings.opt_session;
  for (int k = 0; asked != NULL && k < CLI_COUNT(endings); k++)
    if (cli_words_have(asked, endings[k]) && index-- == 0) return endings[k];
  return NULL;
}

bt_status dock_write_sessions(const dock_state *state, const cli_ligand *ligand, bt_error *opt_error) {
  const char *poses = poses_ending(state, ligand), *ending;
  if (dock_session_ending(state, 0) == NULL) return BT_OK;
  if (poses == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "add pdbqt to --format",
                   "--session opens a file of poses, and --format names none");
  int count = 1 + state->n_ensemble;
  BT_SCOPED char **receptors = bt_allocate((size_t)count, sizeof *receptors);
  BT_SCOPED char *file = cli_format("%s.%s", ligand->name, poses);
  BT_SCOPED char *reference =
      state->settings.opt_reference != NULL ? realpath(state->settings.opt_reference, NULL) : NULL;
  bt_status status = receptors != NULL && file != NULL ? BT_OK : bt_fail_memory(opt_error);
  for (int i = 0; status == BT_OK && i < count; i++)
    if ((receptors[i] = receptor_path(state, i)) == NULL)
      status = bt_fail(opt_error, BT_ERR_IO, (bt_where){0}, "leave out --session",
                       "the file of the receptor is not there any more");
  bt_session session = {
      .receptors = (const char *const *)receptors, .n_receptors = count, .poses = file, .opt_reference = reference};
  for (int i = 0; status == BT_OK && (ending = dock_session_ending(state, i)) != NULL; i++)
    status = write_script(state, ligand, &session, ending, opt_error);
  for (int i = 0; receptors != NULL && i < count; i++) free(receptors[i]);
  return status;
}
