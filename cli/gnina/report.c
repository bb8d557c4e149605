/* report.c - gnina's text and table, on standard output and in the log. */
#include <berth/score.h>
#include <stdarg.h>
#include <stdio.h>

#include "gnina/gnina.h"

static void print(gnina_state *state, bool always, const char *format, va_list arguments) {
  char text[1024];
  vsnprintf(text, sizeof text, format, arguments);
  if (state->settings.opt_log != NULL) bt_text_add_string(&state->log, text);
  if (!always && state->settings.quiet) return;
  fputs(text, stdout);
  fflush(stdout);
}

void gnina_say(gnina_state *state, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print(state, false, format, arguments);
  va_end(arguments);
}

/* Also with --quiet. */
static BT_PRINTF(2, 3) void tell(gnina_state *state, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print(state, true, format, arguments);
  va_end(arguments);
}

void gnina_print_header(gnina_state *state) {
  const gnina_settings *s = &state->settings;
  gnina_say(state, "Berth %s\n", BT_VERSION);
  gnina_say(state,
            "Scoring function: %s; please cite O. Trott, A. J. Olson, J. Comp. Chem. (2010), "
            "DOI 10.1002/jcc.21334\n",
            bt_scoring_name(s->scoring));
  if (state->networks != NULL)
    gnina_say(state,
              "Networks: %.500s; please cite A. T. McNutt et al., J. Cheminform. (2021), "
              "DOI 10.1186/s13321-021-00522-2\n",
              s->networks.data);
  if (state->flexible.size > 0) gnina_say(state, "Flexible residues: %.900s\n", state->flexible.data);
  if (!s->given)
    gnina_say(state, "Box: %.3f x %.3f x %.3f Angstrom around %.3f, %.3f, %.3f\n\nUsing random seed: %lld\n",
              s->size[0], s->size[1], s->size[2], s->center[0], s->center[1], s->center[2], (long long)s->seed);
}

/* One pose, as it is or minimized. */
static void print_pose(gnina_state *state, const gnina_item *item) {
  const gnina_pose *pose = &item->poses[0];
  if (state->several) tell(state, "%s## %.900s\n", item->number > 0 ? "\n" : "", item->from.name);
  tell(state, "Affinity: %.5f (kcal/mol)\n", pose->energy);
  if (state->settings.minimize) tell(state, "RMSD: %.5f\n", pose->moved);
  if (state->networks == NULL) return;
  tell(state, "CNNscore: %.5f\nCNNaffinity: %.5f\nCNNvariance: %.5f\n", pose->score.score, pose->score.affinity,
       pose->variance);
}

void gnina_print_poses(gnina_state *state, const gnina_item *item) {
  if (state->settings.given) {
    print_pose(state, item);
    return;
  }
  bool judged = state->networks != NULL;
  if (state->several) gnina_say(state, "\n## %.900s\n", item->from.name);
  gnina_say(state, judged ? "\nmode |  affinity  |    CNN     |   CNN\n"
                            "     | (kcal/mol) | pose score | affinity\n"
                            "-----+------------+------------+----------\n"
                          : "\nmode |  affinity\n     | (kcal/mol)\n-----+------------\n");
  for (int p = 0; p < item->n_poses; p++) {
    const gnina_pose *pose = &item->poses[p];
    gnina_say(state, "%5d  %10.2f", p + 1, pose->energy);
    if (judged) gnina_say(state, "   %10.4f  %9.3f", pose->score.score, pose->score.affinity);
    gnina_say(state, "\n");
  }
}
