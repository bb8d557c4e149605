/* engine.c - one receptor, a batch of ligands with their populations, and the kernels that score them.
 *
 * Contents: 1. Devices  2. The receptor  3. Ligands and the arena  4. Work
 */
#include "engine/bude/engine.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/bude/engine_internal.h"

/* Sites in local memory at once: 32 KiB, of which a core holds several. */
enum { TILE = 2048, FOLD_ITEMS = 128, PART_LIMIT = 64 };

/* ---- 1. Devices ---- */

#define NAME(constant, entry) #entry,
static const char *const energy_kernels[] = {BT_BUDE_ENERGY_KERNELS(NAME)};
static const char *const other_kernels[] = {BT_BUDE_SEARCH_KERNELS(NAME)};
#undef NAME

/* A tile of sites, or a bin of poses, has what any GPU grants. */
#define LOCAL_BYTES ((size_t)48 << 10)

static const bt_module energy_module = {
    .name = "bude",
    .constants = {"BT_BUDE_POSES", "BT_BUDE_WITHOUT"},
    .opt_real = "BT_BUDE_HARDNESS",
    .text = "%d poses per work-item with that selection of optimizations",
    .remedy = "choose 1, 2, 4 or 8 poses per work-item, on GPUs 16 or 32 as well; to leave out optimizations 8, on a "
              "CPU 4 and --isa avx2 or avx512",
    .entries = energy_kernels,
    .n_entries = 1,
    .launch_bytes = sizeof(bt_bude_launch),
    .items = BT_BUDE_ENERGY_ITEMS,
    .local_bytes = LOCAL_BYTES,
};

static const bt_module other_module = {
    .name = "bude_search",
    .text = "the BUDE engine",
    .remedy = "choose another --device",
    .entries = other_kernels,
    .n_entries = BT_BUDE_KERNEL_COUNT,
    .launch_bytes = sizeof(bt_bude_launch),
    .items = BT_BUDE_SEARCH_ITEMS,
    .waits = true,
    .local_bytes = LOCAL_BYTES,
};

/* The kernels that options ask for. */
static bt_variant energy_variant(const bt_bude_engine *engine, const bt_bude_engine_options *options) {
  bool constants = (options->without & BT_BUDE_WITHOUT_CONSTANTS) == 0;
  unsigned int without = options->without & ~(BT_BUDE_WITHOUT_PARTS | BT_BUDE_WITHOUT_CONSTANTS);
  return (bt_variant){{options->poses_per_item, (int)without}, constants ? engine->hardness : 0};
}

static bt_kernel_limits limits_of(const bt_bude_engine *engine, const bt_bude_engine_options *options) {
  bt_variant variant = energy_variant(engine, options);
  bt_kernel_limits limits = engine->runtime->limits(engine->device, &energy_module, &variant);
  if (options->without & BT_BUDE_WITHOUT_FAST) limits.root_scale = 1;
  return limits;
}

void bt_bude_engine_use_threads(bt_bude_engine *engine, int threads) {
  engine->asked.threads = threads;
  if (engine->runtime->opt_use_threads != NULL) engine->runtime->opt_use_threads(engine->device, threads);
}

static bt_status open_device(bt_bude_engine *engine, const bt_backend *backend, bt_error *opt_error) {
  engine->backend = backend;
  const bt_runtime *runtime = engine->runtime = backend->runtime;
  runtime->device_properties(backend->device, &engine->properties);
  BT_TRY(runtime->open(backend->device, &engine->device, opt_error));
  bt_bude_engine_use_threads(engine, engine->asked.threads);
  BT_TRY(runtime->program(engine->device, &other_module, &(bt_variant){0}, &engine->others, opt_error));
  bt_bude_engine_options options = engine->asked;
  if (options.poses_per_item == 0) options.poses_per_item = 4;
  engine->limits = limits_of(engine, &options);
  engine->other_limits = runtime->limits(engine->device, &other_module, &(bt_variant){0});
  return BT_OK;
}

bt_status bt_bude_engine_create(const char *opt_device, const bt_bude_engine_options *opt_options,
                                bt_bude_engine **ret_engine, bt_error *opt_error) {
  const bt_backend *backend;
  BT_TRY(bt_backend_find(opt_device, &backend, opt_error));
  return bt_bude_engine_create_on(backend, opt_options, ret_engine, opt_error);
}

bt_status bt_bude_engine_create_on(const bt_backend *backend, const bt_bude_engine_options *opt_options,
                                   bt_bude_engine **ret_engine, bt_error *opt_error) {
  bt_bude_engine *engine = calloc(1, sizeof *engine);
  if (engine == NULL) return bt_fail_memory(opt_error);
  if (opt_options != NULL) engine->asked = *opt_options;
  bt_status status = open_device(engine, backend, opt_error);
  return BT_HAND_OVER(status, engine, ret_engine, bt_bude_engine_destroy);
}

void bt_bude_engine_destroy(bt_bude_engine *opt_engine) {
  if (opt_engine == NULL) return;
  bt_bude_tables_destroy(&opt_engine->tables);
  if (opt_engine->device != NULL) {
    opt_engine->runtime->release(opt_engine->device, &opt_engine->arena);
    opt_engine->runtime->close(opt_engine->device);
  }
  free(opt_engine);
}

const char *bt_bude_engine_device(const bt_bude_engine *engine) { return engine->backend->name; }
const char *bt_bude_engine_description(const bt_bude_engine *engine) { return engine->properties.name; }
bool bt_bude_engine_is_accelerator(const bt_bude_engine *engine) { return !engine->properties.cpu; }
bt_bude_engine_options bt_bude_engine_options_used(const bt_bude_engine *engine) { return engine->used; }
const bt_bude_launch *bt_bude_engine_launch_of(const bt_bude_engine *engine) { return &engine->launch; }
int bt_bude_engine_group_limit(const bt_bude_engine *engine) { return engine->other_limits.items; }

size_t bt_bude_engine_local_limit(const bt_bude_engine *engine) {
  size_t bytes = engine->other_limits.local;
  return bytes > 0 ? bytes : engine->properties.local_memory;
}

/* ---- 2. The receptor ---- */

bt_status bt_bude_engine_set_receptor(bt_bude_engine *engine, const bt_bude_forcefield *forcefield, bt_bude_rules rules,
                                      const bt_bude_atom *atoms, size_t n_atoms, bt_error *opt_error) {
  engine->has_receptor = engine->receptor_uploaded = false;
  engine->launch = (bt_bude_launch){0};
  int tile = TILE;
  if (engine->limits.local > 0 && engine->limits.local / sizeof(bt_bude_site) < TILE)
    tile = (int)(engine->limits.local / sizeof(bt_bude_site));
  if (engine->limits.local == 0) tile = INT32_MAX;
  BT_TRY(bt_bude_tables_fill(forcefield, rules, atoms, n_atoms, engine->limits.root_scale, tile, &engine->tables,
                             opt_error));
  engine->hardness = engine->tables.types[0].hardness;
  for (int t = 1; t < engine->tables.n_types; t++)
    if (engine->tables.types[t].hardness != engine->hardness) engine->hardness = 0;
  engine->has_receptor = true;
  return BT_OK;
}

/* ---- 3. Ligands and the arena ---- */

/* Room for count elements at the end of what is planned; the place of it. */
static bt_bude_offset plan(size_t *end, size_t count, size_t size) {
  enum { ALIGNMENT = 256 };
  size_t at = *end;
  if (size > 0 && count > (SIZE_MAX / 4 - at) / size) {
    *end = SIZE_MAX / 4;
    return 0;
  }
  *end = (at + count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return (bt_bude_offset)at;
}

static void plan_receptor(const bt_bude_tables *t, bt_bude_launch *launch, size_t *end) {
  launch->receptor = plan(end, (size_t)t->n_receptor, sizeof *t->sites);
  launch->unsorted = plan(end, (size_t)t->n_receptor, sizeof *t->unsorted);
  launch->runs = plan(end, (size_t)t->n_runs, sizeof *t->runs);
  launch->pairs = plan(end, (size_t)t->n_types * (size_t)t->n_runs, sizeof *t->pairs);
  launch->types = plan(end, (size_t)t->n_types + (size_t)t->n_runs, sizeof *t->types);
  launch->n_receptor = t->n_receptor;
  launch->n_runs = t->n_runs;
  launch->n_types = t->n_types;
  launch->tile = t->tile;
}

static bt_status upload_receptor(bt_bude_engine *engine, bt_error *opt_error) {
  const bt_bude_tables *t = &engine->tables;
  const bt_bude_launch *l = &engine->launch;
  size_t n = (size_t)t->n_receptor, runs = (size_t)t->n_runs, types = (size_t)t->n_types;
  if (engine->receptor_uploaded) return BT_OK;
  BT_TRY(bt_bude_engine_write(engine, l->receptor, t->sites, n * sizeof *t->sites, opt_error));
  BT_TRY(bt_bude_engine_write(engine, l->unsorted, t->unsorted, n * sizeof *t->unsorted, opt_error));
  BT_TRY(bt_bude_engine_write(engine, l->runs, t->runs, runs * sizeof *t->runs, opt_error));
  BT_TRY(bt_bude_engine_write(engine, l->pairs, t->pairs, types * runs * sizeof *t->pairs, opt_error));
  BT_TRY(bt_bude_engine_write(engine, l->types, t->types, (types + runs) * sizeof *t->types, opt_error));
  engine->receptor_uploaded = true;
  return BT_OK;
}

static bt_status check_ligands(const bt_bude_engine *engine, const bt_bude_atom *atoms, const size_t *first,
                               size_t n_ligands, size_t n_poses, bt_error *opt_error) {
  if (!engine->has_receptor)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "set it first", "no receptor");
  if (n_ligands == 0 || n_poses == 0 || n_poses > (size_t)1 << 26 || first[n_ligands] > (size_t)1 << 28)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use 1 to 67108864 poses",
                   "%zu poses of %zu ligands cannot be scored at once", n_poses, n_ligands);
  for (size_t i = 0; i < n_ligands; i++) {
    if (first[i + 1] <= first[i])
      return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "leave it out", "ligand %zu has no atoms", i + 1);
    for (size_t a = first[i]; a < first[i + 1]; a++) {
      bt_where where = {.atom = (long)(a - first[i]) + 1};
      if (atoms[a].type < 0 || atoms[a].type >= engine->tables.n_types)
        return bt_fail(opt_error, BT_ERR_INPUT, where, "use the force field that the atoms were typed with",
                       "ligand %zu: type %d is not one of the force field's %d", i + 1, atoms[a].type,
                       engine->tables.n_types);
      if (!(fabsf(atoms[a].x) < 1e5f && fabsf(atoms[a].y) < 1e5f && fabsf(atoms[a].z) < 1e5f))
        return bt_fail(opt_error, BT_ERR_INPUT, where, "correct the ligand",
                       "ligand %zu: its coordinates are not finite", i + 1);
    }
  }
  return BT_OK;
}

/* Poses, energies, and sums over as many parts as any choice of part_atoms may make. */
static size_t plan_ligands(bt_bude_engine *engine, const size_t *first, size_t n_ligands, size_t n_poses,
                           size_t extra_bytes, size_t end) {
  bt_bude_launch *l = &engine->launch;
  size_t stride = (n_poses + BT_BUDE_STRIDE - 1) / BT_BUDE_STRIDE * BT_BUDE_STRIDE;
  engine->most_atoms = 0;
  engine->n_atoms = first[n_ligands] - first[0];
  for (size_t i = 0; i < n_ligands; i++)
    if ((int)(first[i + 1] - first[i]) > engine->most_atoms) engine->most_atoms = (int)(first[i + 1] - first[i]);
  size_t parts = (size_t)(engine->most_atoms < PART_LIMIT ? engine->most_atoms : PART_LIMIT);
  if (engine->limits.items == 1) parts = 0; /* CPUs evaluate whole ligands */
  l->n_ligands = (int)n_ligands;
  l->n_poses = (int)n_poses;
  l->stride = (int)stride;
  l->scale = engine->limits.root_scale;
  l->atoms = plan(&end, engine->n_atoms, sizeof(bt_bude_atom));
  l->ligands = plan(&end, n_ligands, sizeof(bt_bude_extent));
  l->poses = plan(&end, n_ligands * 6, stride * sizeof(float));
  l->energies = plan(&end, n_ligands, stride * sizeof(float));
  l->parts = plan(&end, n_ligands * parts, stride * sizeof(float));
  l->extra = plan(&end, 1, extra_bytes);
  return end;
}

static bt_status reserve(bt_bude_engine *engine, size_t bytes, bt_error *opt_error) {
  if (engine->arena.bytes >= bytes && engine->arena.handle != NULL) return BT_OK;
  engine->runtime->release(engine->device, &engine->arena);
  engine->receptor_uploaded = false;
  BT_TRY(engine->runtime->allocate(engine->device, bytes, &engine->arena, opt_error));
  return engine->runtime->clear(engine->device, &engine->arena, 0, engine->arena.bytes, opt_error);
}

static bt_status upload_ligands(bt_bude_engine *engine, const bt_bude_atom *atoms, const size_t *first,
                                size_t n_ligands, bt_error *opt_error) {
  BT_SCOPED bt_bude_extent *extents = bt_allocate(n_ligands, sizeof *extents);
  if (extents == NULL) return bt_fail_memory(opt_error);
  for (size_t i = 0; i < n_ligands; i++)
    extents[i] = (bt_bude_extent){(int)(first[i] - first[0]), (int)(first[i + 1] - first[i])};
  BT_TRY(
      bt_bude_engine_write(engine, engine->launch.atoms, atoms + first[0], engine->n_atoms * sizeof *atoms, opt_error));
  return bt_bude_engine_write(engine, engine->launch.ligands, extents, n_ligands * sizeof *extents, opt_error);
}

static bt_status set_ligands(bt_bude_engine *engine, const bt_bude_atom *atoms, const size_t *first, size_t n_ligands,
                             size_t n_poses, size_t extra_bytes, bt_error *opt_error) {
  size_t end = 0;
  BT_TRY(check_ligands(engine, atoms, first, n_ligands, n_poses, opt_error));
  plan_receptor(&engine->tables, &engine->launch, &end);
  end = plan_ligands(engine, first, n_ligands, n_poses, extra_bytes, end);
  if (end >= SIZE_MAX / 4)
    return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "dock fewer ligands or poses at a time",
                   "%zu ligands of %zu poses are too many", n_ligands, n_poses);
  if (engine->asked.memory > 0 && end > engine->asked.memory)
    return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "dock fewer ligands or poses at a time",
                   "%zu ligands of %zu poses need %zu bytes on the device, but %zu may be used", n_ligands, n_poses,
                   end, engine->asked.memory);
  BT_TRY(reserve(engine, end, opt_error));
  BT_TRY(upload_receptor(engine, opt_error));
  BT_TRY(upload_ligands(engine, atoms, first, n_ligands, opt_error));
  if (extra_bytes > 0)
    BT_TRY(
        engine->runtime->clear(engine->device, &engine->arena, (size_t)engine->launch.extra, extra_bytes, opt_error));
  bt_bude_engine_options options = engine->asked;
  BT_TRY(bt_bude_tune(engine, &options, opt_error));
  return bt_bude_engine_use(engine, &options, opt_error);
}

bt_status bt_bude_engine_set_ligands(bt_bude_engine *engine, const bt_bude_atom *atoms, const size_t *first,
                                     size_t n_ligands, size_t n_poses, size_t extra_bytes, bt_error *opt_error) {
  engine->launch = (bt_bude_launch){0};
  bt_status status = set_ligands(engine, atoms, first, n_ligands, n_poses, extra_bytes, opt_error);
  if (status != BT_OK) engine->launch.n_ligands = 0;
  return status;
}

bt_status bt_bude_engine_use(bt_bude_engine *engine, const bt_bude_engine_options *options, bt_error *opt_error) {
  bt_variant variant = energy_variant(engine, options);
  bt_runtime_program *program;
  BT_TRY(engine->runtime->program(engine->device, &energy_module, &variant, &program, opt_error));
  bt_kernel_limits limits = limits_of(engine, options);
  if (options->group < 1 || options->group > limits.items || options->group > BT_BUDE_STRIDE)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose a smaller group",
                   "%s: groups of %d work-items exceed its limit (%d)", engine->backend->name, options->group,
                   limits.items < BT_BUDE_STRIDE ? limits.items : BT_BUDE_STRIDE);
  engine->energy = program;
  engine->limits = limits;
  engine->used = *options;
  bt_bude_launch *l = &engine->launch;
  int most = engine->most_atoms, part = options->part_atoms;
  if (part < 1 || part > most || limits.items == 1 || (options->without & BT_BUDE_WITHOUT_PARTS)) part = most;
  while ((most + part - 1) / part > PART_LIMIT) part++;
  l->part_atoms = engine->used.part_atoms = part;
  l->n_parts = (most + part - 1) / part;
  return BT_OK;
}

/* ---- 4. Work ---- */

bt_status bt_bude_engine_energies(bt_bude_engine *engine, bt_error *opt_error) {
  const bt_bude_launch *l = &engine->launch;
  if (l->n_ligands == 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "set them first", "no ligands");
  size_t block = (size_t)engine->used.group * (size_t)engine->limits.lanes * (size_t)engine->used.poses_per_item;
  bt_launch_size size = {((size_t)l->stride + block - 1) / block * (size_t)l->n_parts * (size_t)l->n_ligands,
                         engine->used.group, engine->limits.local > 0 ? (size_t)l->tile * sizeof(bt_bude_site) : 0};
  BT_TRY(engine->runtime->launch(engine->device, engine->energy, 0, size, &engine->arena, NULL, l, opt_error));
  if (l->n_parts == 1) return BT_OK;
  bt_kernel_limits limits = engine->other_limits;
  int items = limits.free_items < FOLD_ITEMS ? limits.free_items : FOLD_ITEMS;
  size_t per_group = (size_t)items * (size_t)limits.lanes, all = (size_t)l->n_ligands * (size_t)l->stride;
  size = (bt_launch_size){(all + per_group - 1) / per_group, items, 0};
  return engine->runtime->launch(engine->device, engine->others, BT_BUDE_FOLD, size, &engine->arena, NULL, l,
                                 opt_error);
}

bt_status bt_bude_engine_launch(bt_bude_engine *engine, bt_bude_kernel kernel, size_t n_groups, int n_items,
                                size_t local_bytes, const bt_bude_launch *launch, bt_error *opt_error) {
  int items = n_items < engine->other_limits.items ? n_items : engine->other_limits.items;
  bt_launch_size size = {n_groups, items, (local_bytes + 15) / 16 * 16};
  return engine->runtime->launch(engine->device, engine->others, (int)kernel, size, &engine->arena, NULL, launch,
                                 opt_error);
}

static bt_status check_range(const bt_bude_engine *engine, bt_bude_offset offset, size_t bytes, bt_error *opt_error) {
  if (offset >= 0 && (size_t)offset <= engine->arena.bytes && bytes <= engine->arena.bytes - (size_t)offset)
    return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "please report it", "bytes %ld to %ld are not in the arena",
                 offset, offset + (bt_bude_offset)bytes);
}

bt_status bt_bude_engine_write(bt_bude_engine *engine, bt_bude_offset offset, const void *from, size_t bytes,
                               bt_error *opt_error) {
  BT_TRY(check_range(engine, offset, bytes, opt_error));
  return engine->runtime->upload(engine->device, &engine->arena, (size_t)offset, from, bytes, opt_error);
}

bt_status bt_bude_engine_read(bt_bude_engine *engine, bt_bude_offset offset, void *to, size_t bytes,
                              bt_error *opt_error) {
  BT_TRY(check_range(engine, offset, bytes, opt_error));
  return engine->runtime->download(engine->device, to, &engine->arena, (size_t)offset, bytes, opt_error);
}

bt_status bt_bude_engine_synchronize(bt_bude_engine *engine, bt_error *opt_error) {
  return engine->runtime->synchronize(engine->device, opt_error);
}

/* The population in the kernel's layout, whose stride is longer than the caller's. */
static bt_status write_poses(bt_bude_engine *engine, size_t ligand, const float *poses, bt_error *opt_error) {
  const bt_bude_launch *l = &engine->launch;
  size_t n = (size_t)l->n_poses, stride = (size_t)l->stride;
  BT_SCOPED float *all = bt_allocate(6 * stride, sizeof *all);
  if (all == NULL) return bt_fail_memory(opt_error);
  bool structures = (engine->used.without & BT_BUDE_WITHOUT_SOA) != 0;
  for (size_t k = 0; k < 6; k++)
    for (size_t i = 0; i < n; i++) all[structures ? 6 * i + k : k * stride + i] = poses[k * n + i];
  return bt_bude_engine_write(engine, l->poses + (bt_bude_offset)(ligand * 6 * stride * sizeof(float)), all,
                              6 * stride * sizeof(float), opt_error);
}

bt_status bt_bude_engine_evaluate(bt_bude_engine *engine, size_t ligand, const float *poses, float *energies,
                                  bt_error *opt_error) {
  const bt_bude_launch *l = &engine->launch;
  if (ligand >= (size_t)l->n_ligands)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "set it first", "there is no ligand %zu", ligand + 1);
  BT_TRY(write_poses(engine, ligand, poses, opt_error));
  BT_TRY(bt_bude_engine_energies(engine, opt_error));
  return bt_bude_engine_read(engine, l->energies + (bt_bude_offset)(ligand * (size_t)l->stride * sizeof(float)),
                             energies, (size_t)l->n_poses * sizeof(float), opt_error);
}
