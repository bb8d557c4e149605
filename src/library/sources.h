/* sources.h - the files of a library in their fixed order, with folders expanded. */
#ifndef BERTH_LIBRARY_SOURCES_H
#define BERTH_LIBRARY_SOURCES_H

#include <berth/prepare.h>

#include "base/text.h"

typedef enum bt_source_kind {
  BT_SOURCE_TEXT,    /* records of a format */
  BT_SOURCE_ARCHIVE, /* .tar, .tar.gz, .tgz */
  BT_SOURCE_BTL,
  BT_SOURCE_UNKNOWN /* unknown extension */
} bt_source_kind;

typedef struct bt_source {
  char *path;
  bt_source_kind kind;
  bt_ligand_format format; /* of TEXT */
} bt_source;

typedef struct bt_sources {
  bt_source *items;
  size_t count, room;
  const char *opt_excluded; /* borrowed: a file to skip in folders, because it will be written */
} bt_sources;

/* A PDB file by its name: .pdb, .ent, or .pdb1 and so on, as the PDB calls assemblies; not compressed. */
bool bt_pdb_file_is(const char *path);

/* The kind of file that its name implies. */
bt_source_kind bt_source_kind_of(const char *name, bt_ligand_format *ret_format);

/* Appends a path, the files below a folder, or those that match a pattern with * ? [. stdin_format: of "-". */
bt_status bt_sources_add(bt_sources *sources, const char *path, bt_ligand_format stdin_format,
                         bt_error *opt_error) BT_MUST_USE;
/* Adds one file literally; it need not exist. */
bt_status bt_sources_append(bt_sources *sources, const char *path, bt_source_kind kind, bt_ligand_format format,
                            bt_error *opt_error) BT_MUST_USE;
void bt_sources_destroy(bt_sources *sources);

#endif
