/* gnina.c - `berth gnina`: gnina's modes on Berth's engine and networks. */
#include <berth/berth.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "commands.h"
#include "common/report.h"
#include "gnina/gnina.h"
#include "output/bar.h"
#include "signals/interrupt.h"

/* --- one ligand ---------------------------------------------------------------------------------------- */

static bt_status score_one(gnina_state *state, gnina_item *item, bt_error *error) {
  bt_target_pose pose;
  bt_energy energy;
  BT_TRY(bt_target_place(state->target, item->from.molecule, false, &pose, error));
  bt_status status = bt_pose_score(pose.ligand, pose.maps, BT_FORM_TABULATED, &pose.plan, &energy, NULL, error);
  if (status == BT_OK) status = gnina_judge_given(state, item, pose.ligand, energy.free_energy, error);
  bt_target_pose_clear(&pose);
  return status == BT_OK ? gnina_describe_given(state, item, error) : status;
}

static bt_status judge(gnina_state *state, gnina_item *item, bt_error *error) {
  const bt_result *result = item->docking.result;
  if (bt_result_warning(result)[0] != '\0') cli_warning(state->program, "%s", bt_result_warning(result));
  BT_TRY(gnina_judge_result(state, item, result, error));
  BT_TRY(gnina_describe_result(state, item, result, error));
  bt_result_destroy(item->docking.result); /* an item that waits keeps what is written alone */
  item->docking.result = NULL;
  return BT_OK;
}

static bt_status minimize_one(gnina_state *state, gnina_item *item, bt_error *error) {
  BT_TRY(bt_target_minimize(state->target, item->from.molecule, &item->docking.result, error));
  return judge(state, item, error);
}

/* Finishes a ligand with its pose or, after a search, its result. */
static bt_status conclude_one(gnina_state *state, gnina_item *item, bt_error *error) {
  const gnina_settings *s = &state->settings;
  return s->score_only ? score_one(state, item, error)
       : s->minimize   ? minimize_one(state, item, error)
                       : judge(state, item, error);
}

/* --- in the order of the input ------------------------------------------------------------------------- */

static bt_status show_item(gnina_state *state, gnina_item *item, bt_error *error) {
  char text[2048];
  const bt_error *reason = &item->docking.error;
  state->n_shown++;
  if (reason->status == BT_OK) {
    state->done++;
    gnina_print_poses(state, item);
    return gnina_output_add(state, item, error);
  }
  if (!bt_status_concerns_ligand(reason->status) || !state->several) return (*error = *reason).status;
  state->rejected++;
  cli_message(state->program, "left out %s: %s", item->from.name, bt_error_format(reason, text, sizeof text));
  return BT_OK;
}

/* Shows the item, and those that waited for it; takes ownership of it. */
static bt_status hand_in(gnina_state *state, gnina_item *item, bt_error *error) {
  if (!BT_APPEND(state->waiting, state->n_waiting, &state->waiting_capacity, item))
    return gnina_item_free(item), bt_fail_memory(error);
  for (int i = 0; i < state->n_waiting; i++) {
    gnina_item *next = state->waiting[i];
    if (next->number != state->n_shown) continue;
    state->waiting[i] = state->waiting[--state->n_waiting];
    bt_status status = show_item(state, next, error);
    gnina_item_free(next);
    if (status != BT_OK) return status;
    i = -1;
  }
  return BT_OK;
}

/* Finishes the item and takes ownership of it. */
static bt_status finish(gnina_state *state, gnina_item *item, bt_error *error) {
  bt_error *reason = &item->docking.error;
  if (reason->status == BT_OK && conclude_one(state, item, reason) != BT_OK) bt_text_destroy(&item->text);
  return hand_in(state, item, error);
}

/* --- all of them --------------------------------------------------------------------------------------- */

static bool show(void *user, const bt_target_progress *at) {
  gnina_state *state = user;
  if (state->settings.quiet) return !cli_interrupted();
  if (!state->several) return cli_bar_show(&state->stars, at->fraction), !cli_interrupted();
  state->progress.total = at->given;
  state->progress.more = at->more;
  state->progress.index = at->done < at->given ? at->done + 1 : at->given;
  return cli_progress_show(&state->progress, at->fraction, at->evaluations, at->best_energy);
}

static bt_target_ligand *next(void *user) {
  gnina_state *state = user;
  gnina_item *item = NULL;
  if (cli_interrupted() || gnina_next(state, &item, &state->input_error) != BT_OK || item == NULL) return NULL;
  return &item->docking;
}

static bool docked(void *user, bt_target_ligand *ligand) {
  gnina_state *state = user;
  gnina_item *item = (gnina_item *)ligand;
  cli_progress_clear(&state->progress);
  if (!state->several && !state->settings.quiet) cli_bar_show(&state->stars, 1.0);
  if (ligand->error.status == BT_ERR_CANCELLED) return gnina_item_free(item), false;
  bt_error error;
  if (finish(state, item, &error) == BT_OK) return true;
  if (state->failure.status == BT_OK) state->failure = error; /* the following ones are cancelled because of it */
  return false;
}

static bt_status dock_all(gnina_state *state, bt_error *error) {
  const bt_target_stream stream = {.next = next, .done = docked, .opt_progress = show, .user = state};
  cli_progress_next(&state->progress, "ligands", 1, state->paths.count);
  if (!state->several && !state->settings.quiet) cli_bar_start(&state->stars);
  bt_status status = bt_target_dock_stream(state->target, &stream, error);
  cli_progress_clear(&state->progress);
  const bt_error *own = state->failure.status != BT_OK ? &state->failure : &state->input_error;
  if (own->status != BT_OK && (status == BT_OK || status == BT_ERR_CANCELLED)) status = (*error = *own).status;
  return status == BT_OK ? cli_check_interrupt(error) : status;
}

static bt_status treat_all(gnina_state *state, bt_error *error) {
  if (!state->settings.given) return dock_all(state, error);
  for (gnina_item *item;;) {
    BT_TRY(cli_check_interrupt(error));
    BT_TRY(gnina_next(state, &item, error));
    if (item == NULL) return BT_OK;
    BT_TRY(finish(state, item, error));
  }
}

/* From the ending of --out. */
static bt_status choose_format(gnina_state *state, bt_error *error) {
  const char *out = state->settings.opt_out;
  if (out == NULL) return BT_OK;
  state->output.compressed = cli_path_ends(out, ".gz");
  if (cli_path_ends(out, ".sdf") || cli_path_ends(out, ".sd") || cli_path_ends(out, ".sdf.gz"))
    state->output.format = GNINA_SDF;
  else if (cli_path_ends(out, ".pdbqt") || cli_path_ends(out, ".pdbqt.gz"))
    state->output.format = GNINA_PDBQT;
  else
    return cli_fill_error(error, BT_ERR_USAGE, out, "use a name that ends in .sdf, .sdf.gz, .pdbqt or .pdbqt.gz",
                          "poses are not written in this format");
  return BT_OK;
}

static bt_status run(gnina_state *state, bt_error *error) {
  BT_TRY(choose_format(state, error));
  BT_TRY(gnina_read_inputs(state, error));
  BT_TRY(gnina_output_open(state, error));
  gnina_print_header(state);
  bt_status status = treat_all(state, error);
  bool keep = (status == BT_OK || status == BT_ERR_CANCELLED) && state->done > 0;
  bt_status closed = gnina_output_close(state, keep, status == BT_OK ? error : NULL);
  return status != BT_OK ? status : closed;
}

static int conclude(const gnina_state *state, bt_status status, const bt_error *error) {
  const char *out = state->settings.opt_out;
  if (status == BT_ERR_CANCELLED && state->done > 0 && out != NULL) {
    cli_message(state->program, "%s; the poses of %d ligand%s are complete in %s", cli_interrupt_words(), state->done,
                state->done == 1 ? "" : "s", out);
    return cli_interrupt_exit_code();
  }
  if (status != BT_OK) {
    int code = cli_fail(state->program, error);
    return status == BT_ERR_CANCELLED ? code : CLI_EXIT_BAD;
  }
  if (state->rejected > 0) cli_message(state->program, "%d done, %d left out", state->done, state->rejected);
  return state->done > 0 ? CLI_EXIT_OK : CLI_EXIT_BAD;
}

int cmd_gnina(int argc, char **argv) {
  gnina_state state = {.program = "berth gnina", .settings = gnina_settings_default()};
  int exit_code;
  bt_error error = {0};
  if (argc > 0 && strcmp(bt_path_base(argv[0]), "smina") == 0) state.settings.cnn_scoring = 0; /* it has no networks */
  if (gnina_settings_parse(&state.settings, state.program, argc, argv, &exit_code)) {
    cli_interrupt_watch(NULL);
    state.progress = cli_progress_start(state.program, state.settings.quiet);
    bt_status status = run(&state, &error);
    exit_code = conclude(&state, status, &error);
  }
  for (int i = 0; i < state.n_waiting; i++) gnina_item_free(state.waiting[i]);
  free(state.waiting);
  bt_networks_close(state.networks);
  bt_target_close(state.target);
  cli_ligands_free(&state.ligands);
  cli_receptor_free(&state.receptor);
  bt_text_list_destroy(&state.paths);
  bt_text_destroy(&state.flexible);
  bt_text_destroy(&state.log);
  gnina_settings_free(&state.settings);
  return exit_code;
}
