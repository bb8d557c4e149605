/* prefix.c - maps by a prefix of their names, as in AutoDock Vina. */
#include <berth/berth.h>
#include <berth/score.h>
#include <berth/vina.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "forcefield/vina.h"
#include "formats/autodock/fld.h"
#include "formats/autodock/map.h"
#include "grid/maps/maps.h"
#include "grid/vina/vina_receptor.h"

/* The map of one class; the first file sets the box of all. */
static bt_status read_map(const char *path, bool first, bt_box *box, float **ret_values, bt_error *opt_error) {
  BT_SCOPED char *data = NULL;
  size_t size;
  BT_TRY(bt_file_read(path, &data, &size, opt_error));
  bt_lines lines = bt_lines_of(data, size);
  unsigned found = 0;
  for (bt_span line; first && found != 7 && bt_lines_next(&lines, &line);) {
    bt_span rest = line, word = bt_span_word(&rest);
    bt_where where = {.file = path, .line = lines.number};
    BT_TRY(bt_box_parse_line(word, rest, where, box, &found, opt_error));
  }
  return bt_map_parse(path, data, size, box, ret_values, opt_error);
}

/* The maps of all classes that are there. */
static bt_status read_classes(const char *prefix, bt_scoring scoring, bt_maps **ret_maps, bt_error *opt_error) {
  const char *types[BT_VINA_CLASSES];
  float *values[BT_VINA_CLASSES] = {NULL};
  int count = 0;
  bt_box box = {0};
  bt_status status = BT_OK;
  for (int c = 0; status == BT_OK && c < BT_VINA_CLASSES; c++) {
    const bt_vina_class *class = &bt_vina_classes()[c];
    BT_SCOPED char *path = NULL;
    if (strcmp(class->name, class->map) != 0) continue;
    if (asprintf(&path, "%s.%s.map", prefix, class->name) < 0) return path = NULL, bt_fail_memory(opt_error);
    if (access(path, F_OK) != 0) continue;
    status = read_map(path, count == 0, &box, &values[count], opt_error);
    types[count] = class->name;
    count += status == BT_OK;
  }
  bt_maps *maps = NULL;
  if (status == BT_OK && count == 0)
    status = bt_fail(opt_error, BT_ERR_IO, (bt_where){0}, "use the part of their names before .C_H.map",
                     "no maps %s.*.map", prefix);
  if (status == BT_OK) status = bt_maps_create(&box, types, count, &maps, opt_error);
  if (status == BT_OK) maps->scoring = scoring;
  for (int m = 0; m < count; m++) {
    if (status != BT_OK) {
      free(values[m]);
      continue;
    }
    free(maps->values[m]);
    maps->values[m] = values[m];
  }
  return BT_HAND_OVER(status, maps, ret_maps, bt_maps_destroy);
}

bt_status bt_maps_read_prefix(const char *prefix, bt_scoring scoring, bt_maps **ret_maps, bt_error *opt_error) {
  BT_SCOPED char *fld = NULL;
  *ret_maps = NULL;
  if (asprintf(&fld, "%s.maps.fld", prefix) < 0) return fld = NULL, bt_fail_memory(opt_error);
  if (bt_vina_law_of(scoring) == NULL || access(fld, F_OK) == 0)
    BT_TRY(bt_maps_read(fld, NULL, 0, ret_maps, opt_error));
  else
    BT_TRY(read_classes(prefix, scoring, ret_maps, opt_error));
  bt_scoring *known = &(*ret_maps)->scoring;
  if (*known == BT_SCORING_VINA && scoring == BT_SCORING_VINARDO) *known = scoring; /* their classes are the same */
  if (*known == scoring) return BT_OK;
  const char *title = bt_scoring_title(*known);
  bt_maps_destroy(*ret_maps);
  *ret_maps = NULL;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = fld}, "choose the scoring function of the maps",
                 "the maps are of %s's scoring function, not of %s's", title, bt_scoring_title(scoring));
}

void bt_maps_leave_receptor(bt_maps *maps) {
  bt_vina_receptor_destroy(maps->receptor);
  maps->receptor = NULL;
}
