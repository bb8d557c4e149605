/* map_types.c - the maps that a set of ligands needs, and their computation. */
#include "grid/map_types.h"

#include <berth/berth.h>
#include <berth/score.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "common/report.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_glue_carbon(const char *type) {
  return type[0] == 'C' && type[1] == 'G' && is_digit(type[2]) && type[3] == '\0';
}

static bool is_glue_point(const char *type) { return type[0] == 'G' && is_digit(type[1]) && type[2] == '\0'; }

bool cli_maps_have(const bt_maps *maps, const char *type) {
  if (is_glue_point(type)) return true;
  for (int i = 0; i < bt_maps_type_count(maps); i++) {
    const char *known = bt_maps_type(maps, i);
    if (strcmp(known, type) == 0 || (is_glue_carbon(type) && strcmp(known, "C") == 0)) return true;
  }
  return false;
}

int cli_map_types_needed(const char **types, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (!is_glue_point(types[i])) types[kept++] = types[i];
  return kept;
}

static int add_type(const char **types, int count, const char *type) {
  for (int i = 0; i < count; i++)
    if (strcmp(types[i], type) == 0) return count;
  types[count] = type;
  return count + 1;
}

/* Keeps the types that maps can be computed for; a box of eight cells suffices for the test. */
static int keep_computable(const bt_molecule *receptor, const bt_grid_options *options, const char **types, int count) {
  bt_grid_options small = *options;
  for (int k = 0; k < 3; k++) small.box.npts[k] = 2;
  int kept = 0;
  for (int i = 0; i < count; i++) {
    bt_maps *maps = NULL;
    if (bt_maps_compute(receptor, &types[i], 1, &small, &maps, NULL) == BT_OK) types[kept++] = types[i];
    bt_maps_destroy(maps);
  }
  return kept;
}

bt_grid_options cli_maps_options(const cli_prepare *prepare, const bt_box *box, int threads, bt_scoring scoring,
                                 const char *opt_parameters) {
  bt_grid_options options = bt_grid_options_default();
  options.box = *box;
  options.threads = threads;
  options.scoring = scoring;
  options.opt_parameter_file = opt_parameters;
  options.stand_ins = cli_stand_ins(prepare);
  if (prepare->receptor.zinc) options.zinc = BT_ZINC_ON;
  return options;
}

bt_box_load cli_maps_load(const bt_grid_options *options, const char **types, int count, const char *opt_device) {
  bt_box_load load = {.box = options->box, .scoring = options->scoring, .opt_device = opt_device};
  count = cli_map_types_needed(types, count);
  BT_SCOPED const char **kept = calloc((size_t)count + 1, sizeof *kept);
  for (int i = 0; kept != NULL && i < count; i++)
    load.n_types = add_type(kept, load.n_types, is_glue_carbon(types[i]) ? "C" : types[i]);
  load.n_ligand_types = load.n_types;
  return load;
}

void cli_maps_print_memory(const bt_box_load *load, FILE *stream) {
  bt_box_memory memory = bt_box_memory_of(load);
  double all = memory.maps + memory.copies;
  if (all < 1e9) return;
  fprintf(stream, "memory    %.1f GB: maps %.1f GB, and %.1f GB%s for the copies used in the search\n", all * 1e-9,
          memory.maps * 1e-9, memory.copies * 1e-9, memory.on_card ? " on the GPU" : "");
}

bt_status cli_maps_compute(const bt_molecule *receptor, const char **types, int count, const bt_grid_options *options,
                           bt_maps **ret_maps, bt_error *opt_error) {
  count = cli_map_types_needed(types, count);
  int needed = 0;
  for (int i = 0; i < count; i++) needed = add_type(types, needed, is_glue_carbon(types[i]) ? "C" : types[i]);
  bt_status status = bt_maps_compute(receptor, types, needed, options, ret_maps, opt_error);
  if (status != BT_ERR_PARAMETER) return status;
  int kept = keep_computable(receptor, options, types, needed);
  return kept > 0 ? bt_maps_compute(receptor, types, kept, options, ret_maps, opt_error) : status;
}

void cli_maps_warn(const char *program, const bt_maps *maps) {
  if (bt_maps_warning(maps)[0] != '\0') cli_warning(program, "%s; --strict refuses them", bt_maps_warning(maps));
  if (bt_maps_type_count(maps) == 0) return;
  bt_box_place place = bt_maps_place(maps);
  if (place.near < 0.3)
    cli_warning(program,
                "the box misses the receptor: only %.0f %% of it is within 8 Angstrom of an atom; check its center",
                100 * place.near);
  else if (place.inside > 0.95)
    cli_warning(program, "%.0f %% of the box is inside the receptor, where no ligand fits; check its center and size",
                100 * place.inside);
}

bt_status cli_maps_read(const char *fld_path, const char **types, int count, bt_scoring scoring, bt_maps **ret_maps,
                        bt_error *opt_error) {
  count = cli_map_types_needed(types, count);
  bt_status status = bt_maps_read(fld_path, types, count, ret_maps, opt_error);
  if (status == BT_ERR_PARAMETER) status = bt_maps_read(fld_path, NULL, 0, ret_maps, opt_error);
  if (status != BT_OK || bt_maps_scoring(*ret_maps) == scoring) return status;
  bt_scoring theirs = bt_maps_scoring(*ret_maps);
  char remedy[128];
  snprintf(remedy, sizeof remedy, "give --scoring %s, or maps that berth grid --scoring %s computes",
           bt_scoring_name(theirs), bt_scoring_name(scoring));
  bt_maps_destroy(*ret_maps);
  *ret_maps = NULL;
  return cli_fill_error(opt_error, BT_ERR_USAGE, fld_path, remedy, "the maps are for the scoring function %s, not %s",
                        bt_scoring_title(theirs), bt_scoring_title(scoring));
}
