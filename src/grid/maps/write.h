/* write.h - writing a set of maps under given names. */
#ifndef BERTH_GRID_MAPS_WRITE_H
#define BERTH_GRID_MAPS_WRITE_H

#include "grid/maps/maps.h"

/* Where the files go and what the .fld calls them; the two differ when the files are not in the working folder. */
typedef struct bt_map_file {
  char *path;
  const char *name;
} bt_map_file;

/* As bt_maps_write; map_files[n_types + 2] in the order affinity maps, electrostatics, desolvation. */
bt_status bt_maps_write_files(const bt_maps *maps, bt_map_file fld, bt_map_file xyz, const bt_map_file *map_files,
                              bt_error *opt_error) BT_MUST_USE;

#endif
