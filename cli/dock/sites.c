/* sites.c - `berth dock` into several boxes: given ones, or pockets of the whole receptor. */
#include <berth/rescore.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/report.h"
#include "dock/state.h"
#include "grid/map_types.h"

static const double room = 8.0;      /* Angstrom, both margins together around a ligand or pocket that fills the box */
static const double bent = 0.75;     /* length of a docked ligand as a fraction of the diagonal of its input */
static const double smallest = 18.0; /* Angstrom, edge of a box */

/* ---- boxes ---- */

/* Around a pocket, with room for the longest ligand. */
static bt_box box_of(const bt_pocket *pocket, double longest, double spacing) {
  double middle[3], edges[3];
  for (int k = 0; k < 3; k++) {
    double needed = fmax(bent * longest + room, smallest);
    double from = fmin(pocket->low[k] - 0.5 * room, pocket->center[k] - 0.5 * needed);
    double to = fmax(pocket->high[k] + 0.5 * room, pocket->center[k] + 0.5 * needed);
    middle[k] = 0.5 * (from + to);
    edges[k] = to - from;
  }
  return bt_box_from_size(middle, edges, spacing);
}

static bt_status find_pockets(dock_state *state, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  dock_sites *sites = &state->sites;
  bt_grid_options options = cli_maps_options(&settings->prepare, &settings->resolved_box, settings->search.threads,
                                             BT_SCORING_AD4, settings->opt_parameters);
  if (sites->pockets == NULL)
    BT_TRY(bt_pockets_find(state->receptor.rigid, &options, &sites->pockets, &sites->n_found, opt_error));
  sites->count = sites->n_found < settings->pockets ? sites->n_found : settings->pockets;
  if (sites->count > 0) return BT_OK;
  return cli_fill_error(opt_error, BT_ERR_INPUT, settings->receptor, "give a box with --center and --size, or --autobox",
                        "no pocket was found");
}

/* The box around all boxes, in which poses are rescored. */
static void join_boxes(dock_state *state) {
  const dock_sites *sites = &state->sites;
  bt_box *all = &state->settings.resolved_box;
  *all = sites->boxes[0];
  for (int i = 1; i < sites->count; i++) {
    const bt_box *box = &sites->boxes[i];
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
      double half = 0.5 * box->npts[k] * box->spacing;
      low[k] = box->center[k] - half;
      high[k] = box->center[k] + half;
    }
    (void)bt_box_include(all, low, high, 0.0);
  }
  for (int k = 0; k < state->settings.rescore.count; k++)
    if (state->settings.rescore.functions[k] == BT_SCORING_AD4) return; /* needs the maps */
  double edges[3];
  for (int k = 0; k < 3; k++) edges[k] = all->npts[k] * all->spacing;
  *all = bt_box_from_size(all->center, edges, 1.0);
}

static bt_status choose_boxes(dock_state *state, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  dock_sites *sites = &state->sites;
  if (settings->blind)
    BT_TRY(find_pockets(state, opt_error));
  else
    sites->count = settings->n_boxes;
  free(sites->boxes);
  sites->boxes = calloc((size_t)sites->count, sizeof *sites->boxes);
  if (sites->boxes == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < sites->count; i++)
    sites->boxes[i] =
        settings->blind ? box_of(&sites->pockets[i], sites->longest, settings->box.spacing) : settings->boxes[i];
  sites->fitted = sites->longest;
  join_boxes(state);
  return BT_OK;
}

/* ---- maps ---- */

/* All but the first, which are the state's. */
static void free_maps(dock_sites *sites) {
  for (int i = 1; sites->maps != NULL && i < sites->count; i++) bt_maps_destroy(sites->maps[i]);
  free(sites->maps);
  sites->maps = NULL;
}

bt_status dock_sites_map(dock_state *state, const char **types, int count, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  dock_sites *sites = &state->sites;
  free_maps(sites);
  BT_TRY(choose_boxes(state, opt_error));
  dock_rescore_free(state); /* maps of a box that has grown */
  sites->maps = calloc((size_t)sites->count, sizeof(bt_maps *));
  if (sites->maps == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < sites->count; i++) {
    bt_grid_options options = cli_maps_options(&settings->prepare, &sites->boxes[i], settings->search.threads,
                                               (bt_scoring)settings->scoring, settings->opt_parameters);
    bt_box_load load = cli_maps_load(&options, types, count, settings->search.opt_device);
    load.n_types *= sites->count; /* all are kept */
    BT_TRY(bt_box_memory_check(&load, opt_error));
    BT_TRY(cli_maps_compute(state->receptor.rigid, types, count, &options, &sites->maps[i], opt_error));
    if (i == 0) state->maps = sites->maps[0];
    if (i == 0 && !state->warned) cli_maps_warn(state->program, state->maps);
    state->warned = true;
  }
  return BT_OK;
}

void dock_sites_free(dock_state *state) {
  dock_sites *sites = &state->sites;
  free_maps(sites);
  free(sites->boxes);
  free(sites->pockets);
  *sites = (dock_sites){0};
}

/* ---- docking ---- */

typedef struct site_progress {
  dock_state *state;
  int site;
} site_progress;

static bool show(void *user, double fraction, int64_t evaluations, double best_energy) {
  const site_progress *at = user;
  fraction = (at->site + fraction) / at->state->sites.count;
  return cli_progress_show(&at->state->progress, fraction, evaluations, best_energy);
}

/* Docks all ligands into one box; results[i * count + site] becomes that of ligand i. */
static bt_status dock_into(dock_state *state, int site, bt_result **results, bt_error *opt_error) {
  int n = state->n_ahead, sites = state->sites.count;
  site_progress at = {state, site};
  bt_dock_options options = state->settings.search;
  options.opt_progress = show;
  options.opt_progress_user = &at;
  BT_SCOPED bt_docking *dockings = calloc((size_t)n, sizeof *dockings);
  if (dockings == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < n; i++) {
    dockings[i].opt_ligand = state->ahead[i]->docking.opt_ligand;
    dockings[i].opt_reference = state->ahead[i]->docking.opt_reference;
  }
  bt_engine *engine = NULL;
  BT_TRY(bt_engine_open(state->sites.maps[site], &options, &engine, opt_error));
  bt_status status = bt_engine_dock(engine, dockings, n, opt_error);
  bt_engine_close(engine);
  for (int i = 0; i < n; i++) {
    results[i * sites + site] = dockings[i].result;
    if (dockings[i].result == NULL) state->ahead[i]->docking.error = dockings[i].error;
  }
  return status;
}

/* Merges the results of a ligand. If there is none, the last error is reported. */
static bt_status merge(dock_state *state, dock_item *item, bt_result **results, bt_error *opt_error) {
  int found = 0;
  BT_SCOPED int *numbers = calloc((size_t)state->sites.count, sizeof *numbers);
  if (numbers == NULL) return bt_fail_memory(opt_error);
  for (int s = 0; s < state->sites.count; s++) {
    bt_result *result = results[s];
    results[s] = NULL;
    if (result == NULL) continue;
    results[found] = result;
    numbers[found++] = s + 1;
  }
  if (found == 0) return BT_OK;
  BT_TRY(bt_result_merge(results, numbers, found, opt_error));
  item->docking.error = (bt_error){0};
  item->docking.result = results[0];
  results[0] = NULL;
  return BT_OK;
}

static bt_status dock_batch(dock_state *state, bt_result **results, bt_error *opt_error) {
  int n = state->n_ahead, sites = state->sites.count;
  for (int s = 0; s < sites; s++) BT_TRY(dock_into(state, s, results, opt_error));
  cli_progress_clear(&state->progress);
  for (int i = 0; i < n; i++) {
    dock_item *item = state->ahead[i];
    BT_TRY(merge(state, item, results + i * sites, opt_error));
    state->taken++;
    if (dock_done(state, &item->docking)) continue;
    if (opt_error != NULL) *opt_error = state->failure;
    if (state->failure.status != BT_OK) return state->failure.status;
  }
  state->taken = state->n_ahead = 0;
  return BT_OK;
}

bt_status dock_sites_dock(dock_state *state, bt_error *opt_error) {
  int n = state->n_ahead;
  size_t count = (size_t)n * (size_t)state->sites.count;
  BT_SCOPED bt_result **results = calloc(count, sizeof *results);
  if (results == NULL) return bt_fail_memory(opt_error);
  state->given += n;
  cli_progress_next(&state->progress, n == 1 ? state->ahead[0]->from.name : "ligands", 1, 0);
  bt_status status = dock_batch(state, results, opt_error);
  cli_progress_clear(&state->progress);
  for (size_t i = 0; i < count; i++) bt_result_destroy(results[i]);
  return status;
}

/* ---- terminal output ---- */

void dock_sites_print(const dock_state *state, FILE *stream) {
  const dock_sites *sites = &state->sites;
  if (sites->pockets != NULL)
    fprintf(stream, "pockets   %d found, %d docked: each is a site\n", sites->n_found, sites->count);
  for (int i = 0; i < sites->count; i++) {
    const bt_box *box = &sites->boxes[i];
    fprintf(stream, "site %-4d %.1f x %.1f x %.1f Angstrom around (%.1f, %.1f, %.1f)", i + 1,
            box->npts[0] * box->spacing, box->npts[1] * box->spacing, box->npts[2] * box->spacing, box->center[0],
            box->center[1], box->center[2]);
    if (sites->pockets != NULL)
      fprintf(stream, "; pocket of %.0f A^3, %.0f %% buried", sites->pockets[i].volume, 100 * sites->pockets[i].buried);
    fputc('\n', stream);
  }
}
