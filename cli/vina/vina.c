/* vina.c - `berth vina`: AutoDock Vina's modes on Berth's engine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "commands.h"
#include "common/report.h"
#include "output/guard.h"
#include "output/outputs.h"
#include "signals/interrupt.h"
#include "vina/vina.h"

/* --- output -------------------------------------------------------------------------------------------- */

static char *output_path(const vina_state *state, const cli_ligand *from) {
  const vina_settings *s = &state->settings;
  if (s->many) return cli_format("%s/%s_out.pdbqt", s->opt_dir, from->name);
  if (s->opt_out != NULL) return strdup(s->opt_out);
  const char *path = s->ligand.items[0];
  if (strcmp(path, "-") == 0) path = "stdin";
  return cli_format("%.*s_out.pdbqt", (int)(strlen(path) - bt_ligand_file_ending(path)), path);
}

static bt_status write_modes(const vina_state *state, const vina_item *item, const bt_result *result, bt_error *error) {
  const vina_settings *s = &state->settings;
  BT_SCOPED bt_mode *modes = NULL;
  BT_SCOPED char *path = output_path(state, &item->from);
  int count, written = 0;
  if (path == NULL) return bt_fail_memory(error);
  if (bt_result_warning(result)[0] != '\0') cli_warning(state->program, "%s", bt_result_warning(result));
  BT_TRY(bt_result_modes(result, s->min_rmsd, s->num_modes, &modes, &count, error));
  vina_print_modes(s, result, modes, count);
  double lowest = modes[0].energy.free_energy; /* that of the first mode, unless they are in the order of re-scorers */
  for (int m = 1; m < count; m++) lowest = fmin(lowest, modes[m].energy.free_energy);
  for (int m = 0; m < count; m++)
    if (modes[m].energy.free_energy <= lowest + s->energy_range) modes[written++] = modes[m];
  return bt_result_write_modes(result, modes, written, path, error);
}

/* Takes ownership of the result. */
static bt_status write_pose(const vina_state *state, const vina_item *item, bt_result *result, bt_error *error) {
  BT_SCOPED char *path = output_path(state, &item->from);
  bt_status status = path != NULL ? bt_result_write_pose(result, 1, path, error) : bt_fail_memory(error);
  bt_result_destroy(result);
  return status;
}

/* --- maps ---------------------------------------------------------------------------------------------- */

/* Of its types, in the box of the command line, whatever a pose records. */
static bt_status find_maps(vina_state *state, const bt_ligand *opt_ligand, const bt_maps **ret_maps, bt_error *error) {
  const bt_box box = bt_target_box(state->target, 0);
  return bt_target_maps_in(state->target, &box, (bt_scoring)state->settings.scoring, opt_ligand, ret_maps, error);
}

static bt_status make_ligand(const vina_state *state, const vina_item *item, bt_ligand **ret_ligand, bt_error *error) {
  bt_scoring scoring = (bt_scoring)state->settings.scoring;
  return bt_ligand_create_as(item->docking.molecule, state->receptor.opt_flexible, scoring, ret_ligand, error);
}

/* The files that no output may replace. */
static bt_status find_inputs(const vina_state *state, bt_file_set *inputs, bt_error *error) {
  const vina_settings *s = &state->settings;
  const char *words[] = {s->receptor, s->prepare.opt_flex, s->opt_config, s->opt_ligand_index};
  BT_TRY(cli_guard_add(inputs, words, CLI_COUNT(words), error));
  return cli_guard_add(inputs, (const char *const *)state->paths.items, state->paths.count, error);
}

/* Says that there are maps, and writes them if requested. Without a search they are computed for that. */
static bt_status finish_maps(vina_state *state, const bt_maps *opt_maps, bt_error *error) {
  const vina_settings *s = &state->settings;
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  bt_ligand *ligand = NULL;
  vina_print(s, "done.\n");
  if (s->opt_write_maps == NULL) return BT_OK;
  vina_print(s, "Writing Vina maps ... "); /* replaces existing maps, as Vina does */
  BT_TRY(find_inputs(state, &inputs, error));
  if (opt_maps == NULL && state->only != NULL) BT_TRY(make_ligand(state, state->only, &ligand, error));
  bt_status status = opt_maps == NULL ? find_maps(state, ligand, &opt_maps, error) : BT_OK;
  bt_ligand_destroy(ligand);
  if (status == BT_OK) status = cli_guard_write_maps(&inputs, s->opt_write_maps, opt_maps, NULL, true, error);
  if (status == BT_OK) vina_print(s, "done.\n");
  return status;
}

/* --- one ligand ---------------------------------------------------------------------------------------- */

static bt_status score_one(vina_state *state, const vina_item *item, bt_error *error) {
  bt_energy energy;
  bt_target_pose pose;
  BT_TRY(bt_target_place(state->target, item->docking.molecule, item->opt_joined != NULL, &pose, error));
  bt_status status = bt_pose_score(pose.ligand, pose.maps, BT_FORM_TABULATED, &pose.plan, &energy, NULL, error);
  bt_target_pose_clear(&pose);
  if (status != BT_OK) return status;
  if (energy.atoms_outside > 0)
    return cli_fill_error(error, BT_ERR_BOX, cli_ligands_path(&state->ligands, &item->from),
                          "move or enlarge the box, or use --autobox", "the ligand is outside the grid box");
  vina_print_energy(&state->settings, &energy);
  return BT_OK;
}

static bt_status minimize_one(vina_state *state, const vina_item *item, bt_error *error) {
  bt_target_pose pose;
  bt_result *result;
  vina_print(&state->settings, "Performing local search ... ");
  BT_TRY(bt_target_place(state->target, item->docking.molecule, item->opt_joined != NULL, &pose, error));
  bt_status status = find_maps(state, pose.ligand, &pose.maps, error);
  if (status == BT_OK) status = bt_minimize(pose.ligand, pose.maps, &state->settings.search, &result, error);
  if (status == BT_OK) {
    vina_print(&state->settings, "done.\n");
    bt_energy energy = bt_result_ranked(result, 0).energy;
    vina_print_energy(&state->settings, &energy);
    status = write_pose(state, item, result, error);
  }
  bt_target_pose_clear(&pose);
  return status;
}

static bt_status randomize_one(vina_state *state, const vina_item *item, bt_error *error) {
  const vina_settings *s = &state->settings;
  const bt_maps *maps;
  bt_ligand *ligand;
  bt_result *result;
  if (s->verbosity > 0) printf("Randomize conformation (random seed: %lld) ... ", (long long)s->seed);
  BT_TRY(make_ligand(state, item, &ligand, error));
  bt_status status = find_maps(state, ligand, &maps, error);
  if (status == BT_OK) status = bt_randomize(ligand, maps, s->search.seed, &result, error);
  if (status == BT_OK) vina_print(s, "done.\n");
  if (status == BT_OK) status = write_pose(state, item, result, error);
  bt_ligand_destroy(ligand);
  return status;
}

/* Finishes a ligand with its pose or, after a search, its result. */
static bt_status conclude_one(vina_state *state, vina_item *item, bt_error *error) {
  const vina_settings *s = &state->settings;
  if ((s->many || state->several) && s->verbosity > 0) printf("\nLigand: %s\n", item->from.name);
  return s->score_only     ? score_one(state, item, error)
       : s->local_only     ? minimize_one(state, item, error)
       : s->randomize_only ? randomize_one(state, item, error)
                           : write_modes(state, item, item->docking.result, error);
}

/* Finishes the item; an error that concerns only this item does not stop a batch. */
static bt_status done(vina_state *state, vina_item *item, bt_error *error) {
  char text[2048];
  bt_error reason = item->docking.error;
  bt_status status = reason.status;
  if (status == BT_OK) status = conclude_one(state, item, &reason);
  state->done += status == BT_OK;
  if (status != BT_OK && (state->settings.many || state->several) && bt_status_concerns_ligand(status)) {
    state->rejected++;
    cli_message(state->program, "left out %s: %s", item->from.name, bt_error_format(&reason, text, sizeof text));
    status = BT_OK;
  }
  if (status != BT_OK) *error = reason;
  vina_item_free(item);
  return status;
}

/* --- all of them --------------------------------------------------------------------------------------- */

static bool show(void *user, const bt_target_progress *at) {
  vina_state *state = user;
  state->progress.index = state->done + state->rejected + 1;
  state->progress.partial = at->more;
  if (state->settings.many) return cli_progress_show(&state->progress, at->fraction, at->evaluations, at->best_energy);
  vina_bar_show(&state->settings, &state->stars, at->fraction);
  return !cli_interrupted();
}

static bt_target_ligand *next(void *user) {
  vina_state *state = user;
  vina_item *item = NULL;
  if (cli_interrupted() || vina_next(state, &item, &state->input_error) != BT_OK || item == NULL) return NULL;
  return &item->docking;
}

static bt_status start(void *user, int ligands, bool more, bt_error *error) {
  (void)ligands;
  (void)more;
  vina_state *state = user;
  if (state->started) return BT_OK; /* further types */
  state->started = true;
  BT_TRY(finish_maps(state, bt_target_maps(state->target, 0), error));
  vina_bar_start(&state->settings, &state->stars);
  return BT_OK;
}

static bool docked(void *user, bt_target_ligand *ligand) {
  vina_state *state = user;
  vina_item *item = (vina_item *)ligand;
  cli_progress_clear(&state->progress);
  if (ligand->error.status == BT_ERR_CANCELLED) return vina_item_free(item), false;
  if (ligand->error.status == BT_OK) vina_bar_show(&state->settings, &state->stars, 1.0);
  bt_error error;
  if (done(state, item, &error) == BT_OK) return true;
  if (state->failure.status == BT_OK) state->failure = error; /* the following ones are cancelled because of it */
  return false;
}

static bt_status dock_all(vina_state *state, bt_error *error) {
  const bt_target_stream stream = {
      .next = next, .done = docked, .opt_started = start, .opt_progress = show, .user = state};
  cli_progress_next(&state->progress, "ligands", 1, state->paths.count);
  bt_status status = bt_target_dock_stream(state->target, &stream, error);
  cli_progress_clear(&state->progress);
  const bt_error *own = state->failure.status != BT_OK ? &state->failure : &state->input_error;
  if (own->status != BT_OK && (status == BT_OK || status == BT_ERR_CANCELLED)) status = (*error = *own).status;
  return status == BT_OK ? cli_check_interrupt(error) : status;
}

static bt_status treat_all(vina_state *state, bt_error *error) {
  const vina_settings *s = &state->settings;
  BT_TRY(vina_open_target(state, error));
  if (!s->given && !s->randomize_only) return dock_all(state, error);
  BT_TRY(finish_maps(state, NULL, error));
  for (vina_item *item;;) {
    BT_TRY(cli_check_interrupt(error));
    BT_TRY(vina_next(state, &item, error));
    if (item == NULL) return BT_OK;
    BT_TRY(done(state, item, error));
  }
}

/* Checks the output before the search. */
static bt_status prepare_output(const vina_state *state, bt_error *error) {
  const vina_settings *s = &state->settings;
  if (s->score_only) return BT_OK;
  if (s->many) return cli_folder_make(s->opt_dir, error);
  BT_SCOPED char *path = output_path(state, NULL);
  if (path == NULL) return bt_fail_memory(error);
  if (s->opt_out == NULL && s->verbosity > 0) printf("Output will be %s\n", path);
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  BT_TRY(find_inputs(state, &inputs, error));
  BT_TRY(bt_file_set_spare(&inputs, path, error));
  return cli_folder_check(path, error);
}

static bt_status run(vina_state *state, bt_error *error) {
  BT_TRY(vina_read_inputs(state, error));
  BT_TRY(prepare_output(state, error));
  vina_print_header(&state->settings, state->paths.count);
  return treat_all(state, error);
}

/* Vina has only two exit codes, success and error. */
static int conclude(const vina_state *state, bt_status status, const bt_error *error) {
  if (status != BT_OK) {
    int code = cli_fail(state->program, error);
    return status == BT_ERR_CANCELLED ? code : CLI_EXIT_BAD;
  }
  if (state->rejected > 0) cli_message(state->program, "%d done, %d left out", state->done, state->rejected);
  return state->done > 0 ? CLI_EXIT_OK : CLI_EXIT_BAD;
}

int cmd_vina(int argc, char **argv) {
  vina_state state = {.program = "berth vina", .settings = vina_settings_default()};
  int exit_code;
  bt_error error = {0};
  if (vina_settings_parse(&state.settings, state.program, argc, argv, &exit_code)) {
    cli_interrupt_watch(NULL);
    state.progress = cli_progress_start(state.program, state.settings.verbosity < 1);
    bt_status status = run(&state, &error);
    exit_code = conclude(&state, status, &error);
  }
  vina_item_free(state.only);
  bt_target_close(state.target);
  bt_maps_destroy(state.opt_maps);
  cli_ligands_free(&state.ligands);
  cli_receptor_free(&state.receptor);
  bt_text_list_destroy(&state.paths);
  vina_settings_free(&state.settings);
  return exit_code;
}
