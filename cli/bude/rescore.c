/* rescore.c - what further scoring functions and networks say of the best ligands' poses. */
#include <berth/place.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bude/bude.h"
#include "common/report.h"

/* How far a pose may move while it is minimized, Angstrom. */
static const double margin = 4.0;

static void include(const bt_result *result, double low[3], double high[3]) {
  for (int p = 0; p < bt_result_pose_count(result); p++) {
    const double *x = bt_result_coordinates(result, p);
    for (int i = 0; i < 3 * bt_ligand_atom_count(bt_result_ligand(result)); i++) {
      low[i % 3] = fmin(low[i % 3], x[i]);
      high[i % 3] = fmax(high[i % 3], x[i]);
    }
  }
}

/* Around all poses. */
static bt_box box_of(const bude_state *state) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, center[3], size[3];
  for (int i = 0; i < state->n_entries; i++) include(state->entries[i].result, low, high);
  for (int k = 0; k < 3; k++) {
    center[k] = 0.5 * (low[k] + high[k]);
    size[k] = high[k] - low[k] + 2 * margin;
  }
  return bt_box_from_size(center, size, BT_BOX_SPACING);
}

static bt_status open_rescoring(const bude_state *state, bt_rescoring **ret_rescoring, bt_error *error) {
  const char *device = state->options.opt_device;
  bt_box box = box_of(state);
  bt_grid_options grid = bt_grid_options_default();
  grid.box = box;
  grid.threads = state->options.threads;
  const bt_rescore_setting setting = {.receptor = state->receptor_file.rigid,
                                      .boxes = &box,
                                      .n_boxes = 1,
                                      .grid = &grid,
                                      .opt_device = device != NULL && strchr(device, ',') == NULL ? device : NULL,
                                      .threads = state->options.threads,
                                      .opt_networks = state->protocol.opt_networks};
  return bt_rescoring_open(state->protocol.opt_rescore, &setting, ret_rescoring, error);
}

/* Ligands of equal energy, and those without scores, stay in their order. */
static bool is_behind(const bude_entry *a, const bude_entry *b) {
  bool scored[] = {bt_result_rescored_count(a->result) > 0, bt_result_rescored_count(b->result) > 0};
  if (scored[0] != scored[1]) return scored[1];
  return scored[0] && bt_result_rank_energy(a->result, 0) > bt_result_rank_energy(b->result, 0);
}

static void sort(bude_entry *entries, int n) {
  for (int i = 1; i < n; i++) {
    bude_entry entry = entries[i];
    int at = i;
    for (; at > 0 && is_behind(&entries[at - 1], &entry); at--) entries[at] = entries[at - 1];
    entries[at] = entry;
  }
}

static bt_status apply(bude_state *state, bt_rescoring *rescoring, bt_error *error) {
  int n = state->n_entries;
  char text[2048];
  BT_SCOPED bt_result **results = bt_allocate((size_t)n, sizeof *results);
  BT_SCOPED bt_error *errors = bt_allocate((size_t)n, sizeof *errors);
  if (results == NULL || errors == NULL) return bt_fail_memory(error);
  for (int i = 0; i < n; i++) results[i] = state->entries[i].result;
  BT_TRY(bt_rescoring_apply(rescoring, results, n, (bt_rank_by)state->protocol.rank_by, errors, error));
  for (int i = 0; i < n; i++)
    if (errors[i].status != BT_OK)
      cli_warning(state->program, "%s is not re-scored: %s", bude_name(state->entries[i].compound),
                  bt_error_format(&errors[i], text, sizeof text));
  sort(state->entries, n);
  for (int i = 0; state->json && i < n; i++) BT_TRY(bude_entry_print_json(state, &state->entries[i], error));
  return BT_OK;
}

bt_status bude_rescore(bude_state *state, bt_error *error) {
  bt_rescoring *rescoring;
  if (state->protocol.opt_rescore == NULL) return BT_OK;
  BT_TRY(open_rescoring(state, &rescoring, error));
  bt_status status = apply(state, rescoring, error);
  bt_rescoring_close(rescoring);
  return status;
}
