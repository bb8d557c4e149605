/* library.h - compounds in a binary file (docs/bude.md has the layout), read one after the other. */
#ifndef BERTH_ENGINE_BUDE_LIBRARY_H
#define BERTH_ENGINE_BUDE_LIBRARY_H

#include "engine/bude/compound.h"

typedef struct bt_bude_library_reader bt_bude_library_reader;

/* Does the file begin as a library does? false also when it cannot be read. */
bool bt_is_bude_library(const char *path);
/* BT_ERR_PARAMETER when it was typed with another force field. */
bt_status bt_bude_library_open(const char *path, const bt_bude_forcefield *forcefield,
                               bt_bude_library_reader **ret_reader, bt_error *opt_error) BT_MUST_USE;
/* The next compound, NULL at the end. All failures are final: a damaged file cannot be read any further. */
bt_status bt_bude_library_next(bt_bude_library_reader *reader, bt_bude_compound **ret_compound,
                               bt_error *opt_error) BT_MUST_USE;
void bt_bude_library_close(bt_bude_library_reader *opt_reader);

#endif
