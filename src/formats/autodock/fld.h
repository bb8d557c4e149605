/* fld.h - AutoGrid's .maps.fld: the box, and which file holds which map. */
#ifndef BERTH_FORMATS_AUTODOCK_FLD_H
#define BERTH_FORMATS_AUTODOCK_FLD_H

#include <berth/score.h>

#include "base/text/text.h"

typedef enum bt_fld_role {
  BT_FLD_AFFINITY,
  BT_FLD_ELECTROSTATIC,
  BT_FLD_DESOLVATION,
  BT_FLD_OTHER /* a label that docking does not use */
} bt_fld_role;

typedef struct bt_fld_map {
  bt_fld_role role;
  char type[8]; /* affinity maps only */
  char *file;   /* as written, relative to the folder of the .fld */
  long label_line;
} bt_fld_map;

typedef struct bt_fld {
  bt_box box;
  bt_scoring scoring;  /* from the line "# Scoring function NAME", else deduced from the types */
  char *receptor_file; /* MACROMOLECULE; NULL when absent */
  char *gpf_name;      /* GRID_PARAMETER_FILE; NULL when absent */
  int n_maps;
  bt_fld_map *maps; /* in the order of the labels */
} bt_fld;

/* path is for messages. Starts from zeros; on failure nothing has to be freed. */
bt_status bt_fld_parse(const char *path, const char *data, size_t size, bt_fld *ret_fld,
                       bt_error *opt_error) BT_MUST_USE;
void bt_fld_destroy(bt_fld *fld);

/* Appends the text of a .fld; labels and file names in the order affinity maps, electrostatics, desolvation. AutoDock
 * 4's scoring function is not named. */
void bt_fld_format(bt_text *text, const bt_box *box, const char *receptor_file, const char *gpf_name,
                   const char *xyz_name, const char (*types)[8], int n_types, const char *const *file_names,
                   bt_scoring scoring);
/* The .maps.xyz: smallest and largest coordinate per axis. */
void bt_xyz_format(bt_text *text, const bt_box *box);

/* A line that .fld and .map share: SPACING, NELEMENTS and CENTER, after which bit 1, 2 and 4 of *found are set, go into
 * the box; nothing happens with other keys. where is for messages. */
bt_status bt_box_parse_line(bt_span key, bt_span arguments, bt_where where, bt_box *box, unsigned *found,
                            bt_error *opt_error) BT_MUST_USE;

#endif
