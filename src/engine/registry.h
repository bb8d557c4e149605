/* registry.h - the engines of this build, by name. */
#ifndef BERTH_ENGINE_REGISTRY_H
#define BERTH_ENGINE_REGISTRY_H

#include "pipeline/engine.h"

/* NULL: the one that docks where none is named. NULL when there is none. */
const bt_engine_type *bt_engine_find(const char *opt_name);

#endif
