/* compute.c - affinity maps of a receptor by AutoGrid 4.2.6's rules.
 *
 * Morris et al., J. Comput. Chem. 19, 1639 (1998); Huey et al., J. Comput. Chem. 28, 1145 (2007).
 */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/threads.h"
#include "forcefield/vina.h"
#include "grid/job.h"
#include "grid/maps/maps.h"
#include "grid/pseudo_maps.h"
#include "grid/tables/tables.h"
#include "grid/vina/vina_maps.h"

typedef struct team {
  bt_grid_job *job;
  bool coarse;
  int count;
  atomic_int next;
  atomic_bool failed;
} team;

/* Threads claim cubes one by one; the results of a cube do not depend on the thread. */
static void work(void *context, int thread) {
  (void)thread;
  team *t = context;
  bt_grid_scratch *scratch = bt_grid_scratch_create(t->job);
  if (scratch == NULL) {
    atomic_store(&t->failed, true);
    return;
  }
  for (int i; (i = atomic_fetch_add(&t->next, 1)) < t->count && !atomic_load(&t->failed);) {
    if (t->coarse)
      bt_grid_coarse_cube(t->job, scratch, i);
    else
      bt_grid_block(t->job, scratch, i);
  }
  bt_grid_scratch_destroy(scratch);
}

static bt_status run(bt_grid_job *job, int threads, bt_error *opt_error) {
  for (int phase = 0; phase < 2; phase++) {
    team t = {.job = job, .coarse = phase == 0};
    const int *counts = t.coarse ? job->coarse_cubes : job->blocks;
    t.count = counts[0] * counts[1] * counts[2];
    bt_parallel(threads < t.count ? threads : t.count, work, &t);
    if (atomic_load(&t.failed)) return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

static bt_status check_options(const bt_grid_options *options, bt_error *opt_error) {
  if (!isfinite(options->smooth) || options->smooth < 0.0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "choose 0 or more, for example 0.5",
                   "the width of the smoothing window is %g", options->smooth);
  if (!isfinite(options->dielectric) || !isfinite(options->solvation_charge))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use finite numbers",
                   "the dielectric or the solvation parameter is not a number");
  for (int i = 0; i < options->n_overrides; i++)
    if (options->overrides[i].m == options->overrides[i].n || options->overrides[i].n < 1 ||
        options->overrides[i].m < 1)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use two different positive exponents, such as 12 and 6",
                     "the pair law of %s and %s has the exponents %d and %d", options->overrides[i].type1,
                     options->overrides[i].type2, options->overrides[i].m, options->overrides[i].n);
  return BT_OK;
}

static bool is_covalent(const char *type) { return strcmp(type, "Z") == 0; }

/* Finds the probes' parameters; type Z is a map of its own kind. */
static bt_status find_probes(const bt_ad4_table *table, const char *const *types, int n_types,
                             const bt_grid_options *options, const bt_ad4_type **probes, int *ret_count,
                             bt_error *opt_error) {
  *ret_count = 0;
  for (int m = 0; m < n_types; m++) {
    if (is_covalent(types[m])) {
      if (options->opt_covalent != NULL) continue;
      return bt_fail(opt_error, BT_ERR_PARAMETER, (bt_where){0}, "set the point with covalentmap in a .gpf file",
                     "the map of type Z needs the point of attachment");
    }
    const bt_ad4_type *type = bt_ad4_table_find(table, types[m]);
    if (type == NULL)
      return bt_fail(opt_error, BT_ERR_PARAMETER, (bt_where){0},
                     "correct the type, or define its parameters in a parameter file",
                     "atom type '%s' has no parameters", types[m]);
    probes[(*ret_count)++] = type;
  }
  return BT_OK;
}

bt_status bt_maps_name(bt_maps *maps, const bt_molecule *receptor, bt_error *opt_error) {
  const char *file = bt_path_base(receptor->path != NULL ? receptor->path : "");
  const char *dot = strrchr(file, '.');
  maps->receptor_file = bt_copy_text(file, strlen(file));
  maps->receptor_name = receptor->named ? bt_copy_text(receptor->name, strlen(receptor->name))
                                        : bt_copy_text(file, dot != NULL ? (size_t)(dot - file) : strlen(file));
  return maps->receptor_file == NULL || maps->receptor_name == NULL ? bt_fail_memory(opt_error) : BT_OK;
}

/* Everything between parameters and finished maps. */
static bt_status fill(const bt_grid_receptor *receptor, const bt_ad4_table *table,
                      const bt_ad4_type *const *probes, int n_probes, const bt_grid_options *options, bt_maps *maps,
                      bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  bt_grid_job job = {.arena = &arena,
                     .box = maps->box,
                     .receptor = receptor,
                     .kernels = bt_grid_kernels_find(options->opt_isa),
                     .electrostatic = maps->values[maps->n_types],
                     .desolvation = maps->values[maps->n_types + 1]};
  if (job.kernels == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "choose avx512, avx2 or base",
                   "this machine cannot run the instruction set '%s'", options->opt_isa);
  BT_TRY(bt_grid_tables_build(receptor, table, probes, n_probes, options, &arena, &job.tables, opt_error));
  BT_NEW(&arena, job.probe_values, n_probes);
  BT_TRY(bt_grid_job_prepare(&job, opt_error));
  int p = 0;
  for (int m = 0; m < maps->n_types; m++)
    if (!is_covalent(maps->types[m])) job.probe_values[p++] = maps->values[m];
  BT_TRY(run(&job, options->threads > 0 ? options->threads : bt_thread_count_default(), opt_error));
  for (int m = 0; m < maps->n_types; m++)
    if (is_covalent(maps->types[m])) bt_grid_covalent_map(&maps->box, options->opt_covalent, maps->values[m]);
  return BT_OK;
}

static bt_status compute(const bt_molecule *molecule, const bt_ad4_table *table, const char *const *types,
                         int n_types, const bt_grid_options *options, bt_maps *maps, bt_error *opt_error) {
  bt_grid_receptor *receptor = NULL;
  BT_SCOPED const bt_ad4_type **probes = bt_allocate((size_t)n_types, sizeof *probes);
  int n_probes = 0;
  if (probes == NULL) return bt_fail_memory(opt_error);
  BT_TRY(find_probes(table, types, n_types, options, probes, &n_probes, opt_error));
  BT_TRY(bt_grid_receptor_create(molecule, table, options, &receptor, opt_error));
  maps->opt_warning = receptor->opt_warning;
  receptor->opt_warning = NULL;
  bt_status status = fill(receptor, table, probes, n_probes, options, maps, opt_error);
  if (status == BT_OK) status = bt_maps_name(maps, molecule, opt_error);
  bt_grid_receptor_destroy(receptor);
  return status;
}

static bt_status compute_types(const bt_molecule *receptor, const char *const *types, int n_types,
                               const bt_grid_options *options, bt_maps **ret_maps, bt_error *opt_error) {
  bt_ad4_table *table;
  BT_TRY(bt_ad4_table_create(options->opt_parameter_file, &table, opt_error));
  bt_maps *maps = NULL;
  bt_status status = bt_maps_create(&options->box, types, n_types, &maps, opt_error);
  if (status == BT_OK) status = compute(receptor, table, types, n_types, options, maps, opt_error);
  bt_ad4_table_destroy(table);
  return BT_HAND_OVER(status, maps, ret_maps, bt_maps_destroy);
}

/* The map of W needs two others, which may not be among those requested. */
static bt_status compute_with_water(const bt_molecule *receptor, const char *const *types, int n_types,
                                    const bt_grid_options *options, bt_maps **ret_maps, bt_error *opt_error) {
  BT_SCOPED const char **all = bt_allocate((size_t)n_types + 2, sizeof *all);
  if (all == NULL) return bt_fail_memory(opt_error);
  static const char *const needed[] = {"OA", "HD"};
  int count = n_types;
  memcpy(all, types, (size_t)n_types * sizeof *all);
  for (int k = 0; k < 2; k++) {
    bool there = false;
    for (int t = 0; t < n_types && !there; t++) there = strcmp(types[t], needed[k]) == 0;
    if (!there) all[count++] = needed[k];
  }
  BT_TRY(compute_types(receptor, all, count, options, ret_maps, opt_error));
  bt_grid_water_fill(*ret_maps);
  return BT_OK;
}

bt_status bt_maps_compute(const bt_molecule *receptor, const char *const *types, int n_types,
                          const bt_grid_options *options, bt_maps **ret_maps, bt_error *opt_error) {
  *ret_maps = NULL;
  if (bt_vina_law_of(options->scoring) != NULL)
    return bt_vina_maps_compute(receptor, types, n_types, options, ret_maps, opt_error);
  BT_TRY(check_options(options, opt_error));
  if (bt_grid_water_wanted(options, types, n_types))
    return compute_with_water(receptor, types, n_types, options, ret_maps, opt_error);
  return compute_types(receptor, types, n_types, options, ret_maps, opt_error);
}
