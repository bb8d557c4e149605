/* maps.c - a set of maps: allocation, names, look-up of types. */
#include "grid/maps/maps.h"

#include <berth/berth.h>
#include <berth/grid.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/machine.h"
#include "base/memory.h"
#include "chem/glue.h"
#include "forcefield/pair_tables.h"
#include "grid/vina/vina_receptor.h"

static bool point_count(const bt_box *box, size_t *ret_points) {
  size_t points = 1;
  for (int axis = 0; axis < 3; axis++)
    if (__builtin_mul_overflow(points, (size_t)box->npts[axis] + 1, &points)) return false;
  *ret_points = points;
  return points <= SIZE_MAX / sizeof(float) / 2;
}

static bt_status check_box(const bt_box *box, bt_error *opt_error) {
  for (int axis = 0; axis < 3; axis++) {
    if (box->npts[axis] < 2 || box->npts[axis] % 2 != 0)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "choose an even number of intervals, at least 2",
                     "the box has %d intervals along %c", box->npts[axis], "xyz"[axis]);
    if (!isfinite(box->center[axis]))
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use three numbers in Angstrom",
                     "the center of the box is not a number");
  }
  if (!isfinite(box->spacing) || box->spacing <= 0.0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "choose a positive spacing, for example 0.375",
                   "the spacing of the grid is %g", box->spacing);
  return BT_OK;
}

bt_status bt_maps_create(const bt_box *box, const char *const *types, int n_types, bt_maps **ret_maps,
                         bt_error *opt_error) {
  *ret_maps = NULL;
  BT_TRY(check_box(box, opt_error));
  size_t points;
  if (!point_count(box, &points))
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose a smaller box or a larger spacing",
                   "a map of %d x %d x %d intervals exceeds the address space", box->npts[0], box->npts[1],
                   box->npts[2]);
  /* memory that is only overcommitted would kill the process when it is filled */
  double bytes = (double)points * sizeof(float) * (n_types + 2), memory = bt_machine_memory();
  if (memory > 0 && bytes > memory)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose a smaller box or a larger spacing",
                   "%d maps of %d x %d x %d points take %.1f GB; this machine has %.1f GB", n_types + 2,
                   box->npts[0] + 1, box->npts[1] + 1, box->npts[2] + 1, bytes * 1e-9, memory * 1e-9);
  for (int m = 0; m < n_types; m++)
    if (types[m][0] == '\0' || strlen(types[m]) >= sizeof *(*ret_maps)->types)
      return bt_fail(opt_error, BT_ERR_PARAMETER, (bt_where){0}, "atom types have 1 to 7 characters",
                     "'%s' is not an atom type", types[m]);
  bt_maps *maps = calloc(1, sizeof *maps);
  if (maps == NULL) return bt_fail_memory(opt_error);
  maps->box = *box;
  for (int axis = 0; axis < 3; axis++) {
    double half = box->npts[axis] / 2 * box->spacing;
    maps->low[axis] = box->center[axis] - half;
    maps->high[axis] = box->center[axis] + half;
  }
  maps->n_types = n_types;
  maps->types = calloc((size_t)n_types + 1, sizeof *maps->types);
  maps->values = calloc((size_t)n_types + 2, sizeof *maps->values);
  maps->pair_tables = bt_pair_tables_create();
  bool complete = maps->types != NULL && maps->values != NULL && maps->pair_tables != NULL;
  for (int m = 0; complete && m < n_types; m++) memcpy(maps->types[m], types[m], strlen(types[m]) + 1);
  for (int m = 0; complete && m < n_types + 2; m++) {
    maps->values[m] = calloc(points, sizeof(float));
    complete = maps->values[m] != NULL;
  }
  bt_status status = BT_OK;
  if (!complete)
    status = bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "choose a smaller box or a larger spacing",
                     "out of memory for %d maps of %zu points", n_types + 2, points);
  return BT_HAND_OVER(status, maps, ret_maps, bt_maps_destroy);
}

void bt_maps_destroy(bt_maps *maps) {
  if (maps == NULL || atomic_fetch_sub(&maps->sharers, 1) > 0) return;
  if (maps->values != NULL)
    for (int m = 0; m < maps->n_types + 2; m++) free(maps->values[m]);
  free(maps->values);
  free(maps->types);
  free(maps->receptor_name);
  free(maps->receptor_file);
  free(maps->gpf_name);
  free(maps->fld_path);
  free(maps->opt_warning);
  bt_vina_receptor_destroy(maps->receptor);
  bt_pair_tables_destroy(maps->pair_tables);
  free(maps);
}

int bt_maps_find(const bt_maps *maps, const char *type) {
  for (int m = 0; m < maps->n_types; m++)
    if (strcmp(maps->types[m], type) == 0) return m;
  /* both ends of a broken macrocycle bond are carbons to the receptor */
  return bt_glue_carbon(type) >= 0 ? bt_maps_find(maps, "C") : -1;
}

bt_box bt_maps_box(const bt_maps *maps) { return maps->box; }
bt_scoring bt_maps_scoring(const bt_maps *maps) { return maps->scoring; }
int bt_maps_type_count(const bt_maps *maps) { return maps->n_types; }
const char *bt_maps_type(const bt_maps *maps, int index) { return maps->types[index]; }
const char *bt_maps_warning(const bt_maps *maps) { return maps->opt_warning != NULL ? maps->opt_warning : ""; }

bt_box_place bt_maps_place(const bt_maps *maps) {
  size_t n = bt_maps_points(maps), near = 0, inside = 0;
  for (size_t i = 0; i < n && maps->n_types > 0; i++) {
    near += fabsf(maps->values[0][i]) > 0.001F; /* the digits of map files */
    inside += maps->values[0][i] > 5.0F;
  }
  return (bt_box_place){(double)near / (double)n, (double)inside / (double)n};
}

void bt_maps_warn(const bt_maps *maps, void (*opt_warn)(void *user, const char *text), void *user) {
  char text[1024];
  if (opt_warn == NULL) return;
  if (bt_maps_warning(maps)[0] != '\0') {
    snprintf(text, sizeof text, "%s; --strict refuses them", bt_maps_warning(maps));
    opt_warn(user, text);
  }
  if (maps->n_types == 0) return;
  bt_box_place place = bt_maps_place(maps);
  if (place.near < 0.3)
    snprintf(text, sizeof text,
             "the box misses the receptor: only %.0f %% of it is within 8 Angstrom of an atom; check its center",
             100 * place.near);
  else if (place.inside > 0.95)
    snprintf(text, sizeof text, "%.0f %% of the box is inside the receptor, where no ligand fits; check its center and size",
             100 * place.inside);
  else
    return;
  opt_warn(user, text);
}

char *bt_maps_receptor_path(const bt_maps *maps) {
  if (maps->fld_path == NULL || maps->receptor_file == NULL || maps->receptor_file[0] == '\0') return NULL;
  BT_SCOPED char *folder = bt_path_folder(maps->fld_path);
  char *path = folder != NULL ? bt_path_join(folder, maps->receptor_file) : NULL;
  return path;
}

const char *bt_maps_receptor_name(const bt_maps *maps) {
  return maps->receptor_name != NULL ? maps->receptor_name : "";
}

void bt_maps_range(const bt_maps *maps, int index, double *ret_lowest, double *ret_highest) {
  enum { LANES = 16 };
  size_t points = bt_maps_points(maps), i = 0;
  const float *values = maps->values[index];
  float lowest[LANES], highest[LANES];
  for (int l = 0; l < LANES; l++) lowest[l] = highest[l] = values[0];
  for (; i + LANES <= points; i += LANES) /* simple enough for the compiler to vectorize */
    for (int l = 0; l < LANES; l++) {
      lowest[l] = values[i + (size_t)l] < lowest[l] ? values[i + (size_t)l] : lowest[l];
      highest[l] = values[i + (size_t)l] > highest[l] ? values[i + (size_t)l] : highest[l];
    }
  for (; i < points; i++) {
    lowest[0] = values[i] < lowest[0] ? values[i] : lowest[0];
    highest[0] = values[i] > highest[0] ? values[i] : highest[0];
  }
  for (int l = 1; l < LANES; l++) {
    lowest[0] = lowest[l] < lowest[0] ? lowest[l] : lowest[0];
    highest[0] = highest[l] > highest[0] ? highest[l] : highest[0];
  }
  /* three decimals are what a map holds */
  *ret_lowest = round((double)lowest[0] * 1000.0) / 1000.0;
  *ret_highest = round((double)highest[0] * 1000.0) / 1000.0;
}
