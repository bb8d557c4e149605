/* sources.h - the files of a library in their fixed order, with folders expanded. */
#ifndef BERTH_LIBRARY_SOURCES_H
#define BERTH_LIBRARY_SOURCES_H

#include "prep/formats.h"

typedef struct bt_source {
  char *path;
  const bt_format *opt_format; /* of ligands, an archive or a library; NULL: unknown extension */
} bt_source;

typedef struct bt_sources {
  bt_source *items;
  size_t count, room;
  const char *opt_excluded; /* borrowed: a file to skip in folders, because it will be written */
} bt_sources;

/* What ligands are read from. */
enum { BT_SOURCES = BT_FORMAT_LIGANDS | BT_FORMAT_ARCHIVE | BT_FORMAT_LIBRARY };

/* Appends a path, the files below a folder, or those that match a pattern with * ? [. stdin_format: of "-". */
bt_status bt_sources_add(bt_sources *sources, const char *path, const bt_format *stdin_format,
                         bt_error *opt_error) BT_MUST_USE;
/* Adds one file literally; it need not exist. */
bt_status bt_sources_append(bt_sources *sources, const char *path, const bt_format *opt_format,
                            bt_error *opt_error) BT_MUST_USE;
void bt_sources_destroy(bt_sources *sources);

#endif
