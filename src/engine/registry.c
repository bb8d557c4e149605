/* registry.c - see registry.h. To add an engine: its line in ENGINES. */
#include "engine/registry.h"

#include <math.h>
#include <string.h>

#include "pipeline/screen.h"

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

bt_status bt_screen_run(const bt_screen_options *o, bt_screen_progress *ret_progress, bt_error *opt_error) {
  bt_engine *engine = NULL;
  *ret_progress = (bt_screen_progress){.total = -1, .seconds_left = NAN};
  if (o->shards < 1 || o->shard < 1 || o->shard > o->shards)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use --shard i/N with i from 1 to N",
                   "shard %d of %d does not exist", o->shard, o->shards);
  const bt_engine_type *type = bt_engine_find(o->opt_engine);
  if (type == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use autodock or bude", "unknown engine '%s'",
                   o->opt_engine);
  BT_TRY(type->open_screen(o, &engine, opt_error));
  return bt_screen_run_with(o, engine, 1.0, ret_progress, opt_error);
}
