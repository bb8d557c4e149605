/* engine_internal.h - the engine as its files see it: engine.c, tables.c, tune.c. */
#ifndef BERTH_ENGINE_BUDE_ENGINE_INTERNAL_H
#define BERTH_ENGINE_BUDE_ENGINE_INTERNAL_H

#include "backend/backend.h"
#include "backend/runtime.h"
#include "base/memory.h"
#include "engine/bude/engine.h"

/* A receptor as kernels read it. */
typedef struct bt_bude_tables {
  bt_bude_site *sites;       /* [n_receptor] sorted by run */
  bt_bude_atom *unsorted;    /* [n_receptor] */
  bt_bude_run *runs;         /* [n_runs] */
  bt_bude_pair *pairs;       /* [n_types][n_runs] */
  bt_bude_parameters *types; /* [n_types + n_runs] */
  int n_receptor, n_runs, n_types, tile;
  bt_arena arena; /* of all arrays */
} bt_bude_tables;

/* tables.c; tile: most sites in local memory at once. */
bt_status bt_bude_tables_fill(const bt_bude_forcefield *forcefield, bt_bude_rules rules, const bt_bude_atom *atoms,
                              size_t n_atoms, float scale, int tile, bt_bude_tables *ret_tables, bt_error *opt_error);
void bt_bude_tables_destroy(bt_bude_tables *tables);

struct bt_bude_engine {
  const bt_backend *backend;
  const bt_runtime *runtime;
  bt_runtime_properties properties;
  bt_runtime_device *device;
  bt_runtime_program *others; /* all kernels but the energy's */
  bt_runtime_program *energy; /* in use; that of options.poses_per_item */
  bt_bude_engine_options asked, used;
  bt_kernel_limits limits;       /* of the energy kernel */
  bt_kernel_limits other_limits; /* of the others */
  float hardness;          /* of all types of the receptor's force field; 0: it differs */
  bt_bude_tables tables;
  bool has_receptor, receptor_uploaded;
  bt_runtime_buffer arena;
  bt_bude_launch launch; /* n_ligands 0: none are set */
  int most_atoms;        /* of a ligand */
  size_t n_atoms;        /* of all ligands */
};

/* Loads the kernels of these options and fits parts and groups to them; ligands are set. */
bt_status bt_bude_engine_use(bt_bude_engine *engine, const bt_bude_engine_options *options, bt_error *opt_error);

/* tune.c: fills zero members of *options with what is fastest on the device for the ligands that are set, as measured
 * or as remembered in the cache. */
bt_status bt_bude_tune(bt_bude_engine *engine, bt_bude_engine_options *options, bt_error *opt_error);

#endif
