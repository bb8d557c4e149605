/* seeds.c - poses of other programs that dockings begin with. */
#include <berth/place.h>
#include <stdlib.h>

#include "common/report.h"
#include "dock/state.h"

/* Reasons why poses are left out; they are told where others are used. */
static void keep(void *user, const char *text) {
  bt_text *reasons = user;
  bt_text_printf(reasons, "%s\n", text);
}

static void tell(const dock_state *state, const bt_text *reasons) {
  bt_lines lines = bt_lines_of(reasons->data != NULL ? reasons->data : "", reasons->size);
  for (bt_span line; bt_lines_next(&lines, &line);) cli_warning(state->program, "%.*s", (int)line.size, line.text);
}

bt_status dock_read_seeds(dock_state *state, cli_ligand *ligand, bt_error *opt_error) {
  const dock_settings *s = &state->settings;
  if (s->seeds.count == 0) return BT_OK;
  if (state->seeds_used == NULL) state->seeds_used = calloc((size_t)s->seeds.count, sizeof *state->seeds_used);
  if (state->seeds_used == NULL) return bt_fail_memory(opt_error);
  bt_error first = {0}, error;
  BT_ENDED_BY(bt_text_destroy) bt_text reasons = {0};
  for (int i = 0; i < s->seeds.count; i++) {
    int added;
    bt_status status = bt_molecule_read_seeds(ligand->molecule, s->seeds.items[i], s->prepare.ligands.opt_template,
                                              state->single ? keep : NULL, &reasons, &added, &error);
    if (status == BT_OK) state->seeds_used[i] = true;
    if (status != BT_OK && status != BT_ERR_INPUT) {
      if (opt_error != NULL) *opt_error = error;
      return status;
    }
    if (status != BT_OK && first.status == BT_OK) first = error;
  }
  bool any = bt_molecule_seed_count(ligand->molecule) > 0;
  if (any) tell(state, &reasons);
  if (any || !state->single) return BT_OK;
  if (opt_error != NULL) *opt_error = first;
  return first.status;
}

void dock_report_seeds(const dock_state *state) {
  for (int i = 0; !state->single && state->seeds_used != NULL && i < state->settings.seeds.count; i++)
    if (!state->seeds_used[i])
      cli_warning(state->program, "%s: no pose of any of the ligands", state->settings.seeds.items[i]);
}
