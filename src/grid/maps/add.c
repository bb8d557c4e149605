/* add.c - maps of further types, as ligands that need them turn up. */
#include <berth/grid.h>
#include <berth/score.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grid/maps/maps.h"
#include "grid/vina/vina_maps.h"

/* The last digits of all maps depend on whether there is a probe that donates hydrogen bonds. With one each time, maps
 * do not depend on the order in which types turn up. */
static const char DONOR[] = "HD";

static bool has_type(const bt_maps *maps, const char *type) {
  for (int m = 0; m < maps->n_types; m++)
    if (strcmp(maps->types[m], type) == 0) return true;
  return false;
}

/* Keeps the types that maps can be computed for; a box of eight cells suffices for the test. */
static int keep_computable(const bt_molecule *receptor, const bt_grid_options *options, const char *const *types,
                           int count, const char **known) {
  bt_grid_options small = *options;
  for (int k = 0; k < 3; k++) small.box.npts[k] = 2;
  int kept = 0;
  for (int i = 0; i < count; i++) {
    bt_maps *maps = NULL;
    if (bt_maps_compute(receptor, &types[i], 1, &small, &maps, NULL) == BT_OK) known[kept++] = types[i];
    bt_maps_destroy(maps);
  }
  return kept;
}

/* Moves the maps of new types behind those that are there. */
static bt_status take(bt_maps *to, bt_maps *from, bt_error *opt_error) {
  size_t room = (size_t)(to->n_types + from->n_types) + 2;
  char(*types)[8] = realloc(to->types, room * sizeof *types);
  if (types != NULL) to->types = types;
  float **values = realloc(to->values, room * sizeof *values);
  if (values != NULL) to->values = values;
  if (types == NULL || values == NULL) return bt_fail_memory(opt_error);
  float *last[] = {values[to->n_types], values[to->n_types + 1]}; /* electrostatics and desolvation */
  for (int m = 0; m < from->n_types; m++) {
    if (has_type(to, from->types[m])) continue;
    memcpy(types[to->n_types], from->types[m], sizeof *types);
    values[to->n_types++] = from->values[m];
    from->values[m] = NULL;
  }
  memcpy(&values[to->n_types], last, sizeof last);
  return BT_OK;
}

/* bt_maps_compute without the types that have no parameters; fails if none is left. */
static bt_status compute_known(const bt_molecule *receptor, const char *const *types, int n_types,
                               const bt_grid_options *options, bt_maps **ret_maps, bt_error *opt_error) {
  bt_status status = bt_maps_compute(receptor, types, n_types, options, ret_maps, opt_error);
  if (status != BT_ERR_PARAMETER) return status;
  BT_SCOPED const char **known = bt_allocate((size_t)n_types, sizeof *known);
  if (known == NULL) return bt_fail_memory(opt_error);
  int kept = keep_computable(receptor, options, types, n_types, known);
  return kept > 0 ? bt_maps_compute(receptor, known, kept, options, ret_maps, opt_error) : status;
}

bt_status bt_maps_add(bt_maps **maps, const bt_molecule *receptor, const char *const *types, int n_types,
                      const bt_grid_options *options, bt_error *opt_error) {
  BT_SCOPED const char **missing = bt_allocate((size_t)n_types + 1, sizeof *missing);
  if (missing == NULL) return bt_fail_memory(opt_error);
  int count = 0;
  bool donor = false;
  for (int t = 0; t < n_types; t++) {
    if (*maps != NULL && has_type(*maps, types[t])) continue;
    missing[count++] = types[t];
    donor = donor || strcmp(types[t], DONOR) == 0;
  }
  if (*maps != NULL && count == 0) return BT_OK;
  if (bt_scoring_traits_of(options->scoring)->charges && !donor) missing[count++] = DONOR;
  bt_maps *more = NULL;
  bt_status status = compute_known(receptor, missing, count, options, &more, opt_error);
  if (status == BT_ERR_PARAMETER && *maps != NULL) return BT_OK; /* none of the new types */
  if (status != BT_OK) return status;
  if (*maps == NULL) {
    *maps = more;
    return BT_OK;
  }
  status = take(*maps, more, opt_error);
  bt_maps_destroy(more);
  return status;
}
