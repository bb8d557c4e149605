/* registry.c - the engines of this build. To add an engine: its line in ENGINES. */
#include <string.h>

#include "engine/engine.h"

/* The first docks where none is named. */
#define ENGINES(X)      \
  X(bt_lga_engine_type) \
  X(bt_bude_engine_type)

/* Declared here because nothing else uses them. */
#define DECLARE(type) extern const bt_engine_type type;
ENGINES(DECLARE)
#undef DECLARE

const bt_engine_type *bt_engine_find(const char *opt_name) {
#define FIND(type) \
  if (opt_name == NULL || strcmp(opt_name, type.name) == 0) return &type;
  ENGINES(FIND)
#undef FIND
  return NULL;
}
