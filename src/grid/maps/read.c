/* read.c - a .maps.fld and the maps that it names become a set of maps. */
#include <berth/berth.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "formats/autodock/fld.h"
#include "formats/autodock/map.h"
#include "grid/maps/maps.h"
#include "chem/glue.h"

/* Which maps of the .fld to load, in the order of the set: affinity maps, electrostatics, desolvation. */
typedef struct map_choice {
  int *index; /* [n_types + 2] into fld->maps */
  const char **types;
  int n_types;
} map_choice;

static int find_affinity(const bt_fld *fld, const char *type) {
  for (int i = 0; i < fld->n_maps; i++)
    if (fld->maps[i].role == BT_FLD_AFFINITY && strcmp(fld->maps[i].type, type) == 0) return i;
  return -1;
}

static int find_role(const bt_fld *fld, bt_fld_role role) {
  for (int i = 0; i < fld->n_maps; i++)
    if (fld->maps[i].role == role) return i;
  return -1;
}

static void choose(map_choice *choice, const bt_fld *fld, int index) {
  for (int i = 0; i < choice->n_types; i++)
    if (choice->index[i] == index) return;
  choice->types[choice->n_types] = fld->maps[index].type;
  choice->index[choice->n_types++] = index;
}

static bt_status fail_missing(const char *fld_path, const char *type, bt_error *opt_error) {
  char remedy[256];
  snprintf(remedy, sizeof remedy, "compute maps that include type %s, or let berth dock compute them from a receptor",
           type);
  return bt_fail(opt_error, BT_ERR_PARAMETER, (bt_where){.file = fld_path}, remedy, "no map of atom type %s", type);
}

static bt_status choose_all(map_choice *choice, const bt_fld *fld, const char *fld_path, const char *const *opt_types,
                            int n_types, bt_error *opt_error) {
  for (int i = 0; opt_types == NULL && i < fld->n_maps; i++)
    if (fld->maps[i].role == BT_FLD_AFFINITY) choose(choice, fld, i);
  for (int t = 0; opt_types != NULL && t < n_types; t++) {
    int index = find_affinity(fld, opt_types[t]);
    if (index < 0 && bt_glue_carbon(opt_types[t]) >= 0) index = find_affinity(fld, "C"); /* a carbon to the receptor */
    if (index < 0 && bt_glue_point(opt_types[t]) >= 0) continue;                         /* invisible to it */
    if (index < 0) return fail_missing(fld_path, opt_types[t], opt_error);
    choose(choice, fld, index);
  }
  choice->index[choice->n_types] = find_role(fld, BT_FLD_ELECTROSTATIC);
  choice->index[choice->n_types + 1] = find_role(fld, BT_FLD_DESOLVATION);
  return BT_OK;
}

/* Maps are in the folder of the .fld; AutoGrid itself writes names as in the .gpf, relative to where it ran. */
static char *locate(const char *fld_path, const char *name) {
  BT_SCOPED char *folder = bt_path_folder(fld_path);
  char *beside = folder != NULL ? bt_path_join(folder, name) : NULL;
  char *base = folder != NULL ? bt_path_join(folder, bt_path_base(name)) : NULL;
  if (beside != NULL && base != NULL && access(beside, F_OK) != 0 && access(base, F_OK) == 0) {
    free(beside);
    return base;
  }
  free(base);
  return beside;
}

static bt_status read_values(const char *fld_path, const bt_fld *fld, const bt_fld_map *map, float **ret_values,
                             bt_error *opt_error) {
  BT_SCOPED char *path = locate(fld_path, map->file);
  if (path == NULL) return bt_fail_memory(opt_error);
  BT_SCOPED char *data = NULL;
  size_t size;
  BT_TRY(bt_file_read(path, &data, &size, opt_error));
  return bt_map_parse(path, data, size, &fld->box, ret_values, opt_error);
}

static char *receptor_name(const char *file) {
  const char *dot = strrchr(file, '.');
  return bt_copy_text(file, dot != NULL && dot != file ? (size_t)(dot - file) : strlen(file));
}

static bt_status copy_names(bt_maps *maps, const bt_fld *fld, const char *fld_path, bt_error *opt_error) {
  const char *receptor = fld->receptor_file != NULL ? fld->receptor_file : "";
  const char *gpf = fld->gpf_name != NULL ? fld->gpf_name : "";
  maps->receptor_file = bt_copy_text(receptor, strlen(receptor));
  maps->receptor_name = receptor_name(receptor);
  maps->gpf_name = bt_copy_text(gpf, strlen(gpf));
  maps->fld_path = bt_copy_text(fld_path, strlen(fld_path));
  bool complete = maps->receptor_file != NULL && maps->receptor_name != NULL && maps->gpf_name != NULL;
  return complete && maps->fld_path != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* The maps are read before the set is made, so that a box of absurd size fails for want of values, not of memory. */
static bt_status load(const char *fld_path, const bt_fld *fld, const map_choice *choice, bt_maps **ret_maps,
                      bt_error *opt_error) {
  int count = choice->n_types + 2;
  BT_SCOPED float **values = bt_allocate((size_t)count, sizeof *values);
  if (values == NULL) return bt_fail_memory(opt_error);
  bt_status status = BT_OK;
  for (int m = 0; m < count && status == BT_OK; m++)
    status = read_values(fld_path, fld, &fld->maps[choice->index[m]], &values[m], opt_error);
  bt_maps *maps = NULL;
  if (status == BT_OK) status = bt_maps_create(&fld->box, choice->types, choice->n_types, &maps, opt_error);
  if (status == BT_OK) maps->scoring = fld->scoring;
  if (status == BT_OK) status = copy_names(maps, fld, fld_path, opt_error);
  for (int m = 0; m < count && status == BT_OK; m++) {
    float *zeros = maps->values[m];
    maps->values[m] = values[m];
    values[m] = zeros;
  }
  for (int m = 0; m < count; m++) free(values[m]);
  return BT_HAND_OVER(status, maps, ret_maps, bt_maps_destroy);
}

static bt_status read_chosen(const char *fld_path, const bt_fld *fld, const char *const *opt_types, int n_types,
                             bt_maps **ret_maps, bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  map_choice choice = {0};
  BT_NEW(&arena, choice.index, fld->n_maps + 2);
  BT_NEW(&arena, choice.types, fld->n_maps + 2);
  BT_TRY(bt_arena_status(&arena, opt_error));
  BT_TRY(choose_all(&choice, fld, fld_path, opt_types, n_types, opt_error));
  return load(fld_path, fld, &choice, ret_maps, opt_error);
}

bt_status bt_maps_read(const char *fld_path, const char *const *opt_types, int n_types, bt_maps **ret_maps,
                       bt_error *opt_error) {
  *ret_maps = NULL;
  BT_SCOPED char *data = NULL;
  size_t size;
  BT_ENDED_BY(bt_fld_destroy) bt_fld fld = {0};
  BT_TRY(bt_file_read(fld_path, &data, &size, opt_error));
  BT_TRY(bt_fld_parse(fld_path, data, size, &fld, opt_error));
  return read_chosen(fld_path, &fld, opt_types, n_types, ret_maps, opt_error);
}
