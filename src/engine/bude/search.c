/* search.c - the generations of a search, in order. */
#include "engine/bude/search.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"

enum { MOST_ANGLES = 512, MOST_TRANSLATIONS = 4096, BIN = 1024, GROUP = 256 };

/* --------------------------------------------------------------------------------------------------- grid -- */

bt_status bt_bude_grid_make(const double size[3], double spacing, double step, bt_bude_grid *ret_grid,
                            bt_error *opt_error) {
  double n_angles = 360.0 / step;
  if (!(step > 0) || fabs(n_angles - round(n_angles)) > 1e-6 || n_angles > MOST_ANGLES)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a divisor of 360 of at least 0.75, such as 10 or 7.5",
                   "steps of %g degrees", step);
  *ret_grid = (bt_bude_grid){.n_angles = (int)round(n_angles), .step = step, .spacing = spacing};
  for (int k = 0; k < 3; k++) {
    double half = floor(0.5 * size[k] / spacing + 1e-9);
    if (!(spacing > 0) || !(half >= 0) || 2 * half + 1 > MOST_TRANSLATIONS)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a smaller box or wider steps",
                     "a box of %g Angstrom in steps of %g Angstrom", size[k], spacing);
    ret_grid->n[k] = 2 * (int)half + 1;
  }
  return BT_OK;
}

float bt_bude_grid_value(const bt_bude_grid *grid, int component, int index) {
  if (component < 3) return (float)((-180.0 + (index + 1) * grid->step) * (3.14159265358979323846 / 180.0));
  return (float)((index - grid->n[component - 3] / 2) * grid->spacing);
}

static int values_of(const bt_bude_grid *grid, int component) {
  return component < 3 ? grid->n_angles : grid->n[component - 3];
}

/* -------------------------------------------------------------------------------------------------- memory -- */

typedef struct run {
  bt_bude_engine *engine;
  const bt_bude_search_options *options;
  size_t n_ligands;
  int bins, n_values;
  size_t bytes; /* of the search's own memory */
  bt_bude_search layout;
} run;

static bt_bude_offset take(run *r, size_t count, size_t size) {
  size_t mine = r->bytes;
  r->bytes += (count * size + 63) / 64 * 64;
  return (bt_bude_offset)mine;
}

static int bin_of(const bt_bude_engine *engine, int population) {
  int bin = 2;
  while (bin < BIN && bin < population && 2 * (size_t)bin * sizeof(long) <= bt_bude_engine_local_limit(engine))
    bin *= 2;
  return bin;
}

/* Where everything lies; codes are as long as the engine's stride. */
static void lay_out(run *r) {
  const bt_bude_search_options *o = r->options;
  size_t stride = ((size_t)o->population + BT_BUDE_STRIDE - 1) / BT_BUDE_STRIDE * BT_BUDE_STRIDE;
  bt_bude_search *s = &r->layout;
  *s = (bt_bude_search){.seed = {(unsigned int)o->seed, (unsigned int)(o->seed >> 32)},
                        .parents = o->parents,
                        .distinct = o->distinct,
                        .bin = bin_of(r->engine, o->population)};
  r->bins = (o->population + s->bin - 1) / s->bin;
  for (int k = 0; k < 6; k++) r->n_values += s->grid[k] = values_of(&o->grid, k);
  s->table = take(r, (size_t)r->n_values, sizeof(float));
  s->ids = take(r, r->n_ligands, sizeof(unsigned int));
  s->codes = take(r, r->n_ligands * stride, sizeof(unsigned long));
  s->keys = take(r, r->n_ligands * (size_t)r->bins * (size_t)s->bin, sizeof(unsigned long));
  s->best = take(r, r->n_ligands * (size_t)o->parents, sizeof(unsigned long));
  s->best_energies = take(r, r->n_ligands * (size_t)o->parents, sizeof(float));
  s->counts = take(r, r->n_ligands, sizeof(int));
}

static bt_status bring_tables(run *r, const uint32_t *ids, bt_error *opt_error) {
  const bt_bude_offset extra = bt_bude_engine_launch_of(r->engine)->extra;
  BT_SCOPED float *table = bt_allocate((size_t)r->n_values, sizeof *table);
  if (table == NULL) return bt_fail_memory(opt_error);
  for (int k = 0, at = 0; k < 6; k++)
    for (int i = 0; i < r->layout.grid[k]; i++) table[at++] = bt_bude_grid_value(&r->options->grid, k, i);
  BT_TRY(
      bt_bude_engine_write(r->engine, extra + r->layout.table, table, (size_t)r->n_values * sizeof *table, opt_error));
  BT_TRY(bt_bude_engine_write(r->engine, extra + r->layout.ids, ids, r->n_ligands * sizeof *ids, opt_error));
  return bt_bude_engine_synchronize(r->engine, opt_error);
}

/* --------------------------------------------------------------------------------------------- generations -- */

static bt_status launch(run *r, bt_bude_kernel kernel, int generation, bt_error *opt_error) {
  bt_bude_launch data = *bt_bude_engine_launch_of(r->engine);
  data.search = r->layout;
  data.search.generation = (unsigned int)generation;
  int limit = bt_bude_engine_group_limit(r->engine), items = GROUP < limit ? GROUP : limit;
  size_t groups = r->n_ligands * (size_t)r->bins, local = 16;
  if (kernel == BT_BUDE_SORT) local = (size_t)r->layout.bin * sizeof(long);
  if (kernel == BT_BUDE_BEST) {
    groups = r->n_ligands;
    while (items / 2 >= r->bins && items > 1) items /= 2;
    local = (size_t)(items + r->bins) * sizeof(long) + (size_t)(r->bins + 1) * sizeof(int);
    if (local > bt_bude_engine_local_limit(r->engine))
      return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use a smaller population",
                     "%d poses are more than this device can select from", r->options->population);
  }
  return bt_bude_engine_launch(r->engine, kernel, groups, items, local, &data, opt_error);
}

/* Adds the time since *at to what it was spent on, if that is asked for. */
static bt_status note_time(run *r, int what, double *at, bt_error *opt_error) {
  if (r->options->opt_seconds == NULL) return BT_OK;
  BT_TRY(bt_bude_engine_synchronize(r->engine, opt_error));
  double now = bt_seconds();
  r->options->opt_seconds[what] += now - *at;
  *at = now;
  return BT_OK;
}

static bt_status search(run *r, bt_bude_progress opt_progress, void *user, bt_error *opt_error) {
  double at = bt_seconds();
  BT_TRY(launch(r, BT_BUDE_FIRST, 0, opt_error));
  for (int generation = 0; generation < r->options->generations; generation++) {
    if (generation > 0) BT_TRY(launch(r, BT_BUDE_CHILDREN, generation, opt_error));
    BT_TRY(note_time(r, 1, &at, opt_error));
    BT_TRY(bt_bude_engine_energies(r->engine, opt_error));
    BT_TRY(note_time(r, 0, &at, opt_error));
    BT_TRY(launch(r, BT_BUDE_SORT, generation, opt_error));
    BT_TRY(launch(r, BT_BUDE_BEST, generation, opt_error));
    BT_TRY(note_time(r, 1, &at, opt_error));
    if (opt_progress != NULL && !opt_progress(user, (generation + 1.0) / r->options->generations))
      return bt_fail(opt_error, BT_ERR_CANCELLED, (bt_where){0}, "", "stopped on request");
  }
  return BT_OK;
}

/* ------------------------------------------------------------------------------------------------- results -- */

static int index_of(unsigned long code, int component) {
  return component < 3 ? (int)(code >> (9 * component)) & (MOST_ANGLES - 1)
                       : (int)(code >> (27 + 12 * (component - 3))) & (MOST_TRANSLATIONS - 1);
}

static bt_status fetch(run *r, bt_bude_found *ret_found, int *ret_counts, bt_error *opt_error) {
  const bt_bude_offset extra = bt_bude_engine_launch_of(r->engine)->extra;
  size_t n = r->n_ligands * (size_t)r->options->parents;
  BT_SCOPED unsigned long *codes = bt_allocate(n, sizeof *codes);
  BT_SCOPED float *energies = bt_allocate(n, sizeof *energies);
  bt_status status = codes == NULL || energies == NULL ? bt_fail_memory(opt_error) : BT_OK;
  if (status == BT_OK)
    status = bt_bude_engine_read(r->engine, extra + r->layout.best, codes, n * sizeof *codes, opt_error);
  if (status == BT_OK)
    status = bt_bude_engine_read(r->engine, extra + r->layout.best_energies, energies, n * sizeof *energies, opt_error);
  if (status == BT_OK)
    status = bt_bude_engine_read(r->engine, extra + r->layout.counts, ret_counts, r->n_ligands * sizeof *ret_counts,
                                 opt_error);
  for (size_t i = 0; status == BT_OK && i < n; i++) {
    ret_found[i].energy = energies[i];
    for (int k = 0; k < 6; k++) {
      ret_found[i].index[k] = index_of(codes[i], k);
      ret_found[i].pose[k] = bt_bude_grid_value(&r->options->grid, k, ret_found[i].index[k]);
    }
  }
  return status;
}

bt_status bt_bude_search_run(bt_bude_engine *engine, const bt_bude_search_options *options, const bt_bude_atom *atoms,
                             const size_t *first, size_t n_ligands, const uint32_t *ids, bt_bude_progress opt_progress,
                             void *user, bt_bude_found *ret_found, int *ret_counts, bt_error *opt_error) {
  if (options->generations < 1 || options->population < 1 || options->parents < 1 ||
      options->parents > options->population)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use 1 or more of each, and no more parents than poses",
                   "%d generations of %d poses with %d parents", options->generations, options->population,
                   options->parents);
  run r = {.engine = engine, .options = options, .n_ligands = n_ligands};
  lay_out(&r);
  BT_TRY(bt_bude_engine_set_ligands(engine, atoms, first, n_ligands, (size_t)options->population, r.bytes, opt_error));
  BT_TRY(bring_tables(&r, ids, opt_error));
  double began = bt_seconds();
  BT_TRY(search(&r, opt_progress, user, opt_error));
  BT_TRY(fetch(&r, ret_found, ret_counts, opt_error));
  if (options->opt_taken != NULL) *options->opt_taken += bt_seconds() - began;
  return BT_OK;
}
