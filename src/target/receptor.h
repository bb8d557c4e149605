/* receptor.h - a receptor, however it was given. */
#ifndef BERTH_TARGET_RECEPTOR_H
#define BERTH_TARGET_RECEPTOR_H

#include <berth/target.h>

struct bt_receptor {
  char *path;                     /* as given */
  char *flexible_path;            /* NULL unless flexible side chains come from a file */
  bt_prepared_receptor *prepared; /* NULL: a PDBQT file, or maps */
  bt_molecule **list, **flexible_list; /* [n_...] of PDBQT files */
  int n_list, n_flexible_list;
  const bt_molecule *rigid, *flexible; /* NULL: maps; nothing moves */
};

bool bt_receptor_is_maps(const bt_receptor *receptor);

#endif
