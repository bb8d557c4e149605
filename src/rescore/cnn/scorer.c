/* scorer.c - see scorer.h.
 *
 * Contents: 1. Device and memory  2. Poses  3. Launches
 */
#include "rescore/cnn/scorer.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "base/threads.h"
#include "rescore/cnn/plan.h"

/* Poses of a batch: on a CPU, whose caches hold one pose per core, as many as threads; on a GPU as many as keep it
 * busy. */
enum { GPU_BATCH = 128, ARCHITECTURES = 2, ALIGNMENT = 256 };

typedef struct network {
  bt_cnn_plan *plan;
  bt_runtime_buffer weights;
} network;

struct bt_cnn_scorer {
  const bt_backend *backend;
  const bt_runtime *runtime;
  bt_runtime_device *device;
  bt_runtime_program *program;
  bt_runtime_properties properties;
  network *networks; /* [n_networks] */
  int n_networks;
  int batch, items, products;
  bool has_local; /* groups have local memory */
  bt_runtime_buffer arena;
  bt_cnn_field fields[ARCHITECTURES][BT_CNN_MOST_FIELDS]; /* in the arena */
  bt_cnn_offset slabs, outputs, extents, channels, atoms; /* likewise */
  int most_atoms;                                          /* for which the arena has room */
};

/* ---- 1. Device and memory ---- */

/* Local memory of a group: a cube of the grid, a staged brick, sums of outputs. */
#define BRICK_BYTES ((size_t)BT_CNN_STAGED * BT_CNN_STAGED_BYTES)
_Static_assert(BRICK_BYTES >= BT_CNN_CUBE_BYTES, "a brick takes the most local memory");

#define NAME(constant, entry) #entry,
static const char *const kernels[] = {BT_CNN_KERNELS(NAME)};
#undef NAME

static const bt_module module = {
    .name = "cnn",
    .constants = {"BT_CNN_PRODUCTS"},
    .text = "networks with products of kind %d",
    .remedy = "choose another --device for networks",
    .entries = kernels,
    .n_entries = BT_CNN_KERNEL_COUNT,
    .launch_bytes = sizeof(bt_cnn_launch),
    .items = BT_CNN_ITEMS,
    .waits = true,
    .local_bytes = BRICK_BYTES,
};

static bt_cnn_offset take(size_t *bytes, size_t count) {
  size_t at = *bytes;
  *bytes += (count + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return (bt_cnn_offset)at;
}

/* The arena for a batch with that many atoms. Borders of fields are zero and are never written. */
static bt_status make_arena(bt_cnn_scorer *s, int n_atoms, bt_error *opt_error) {
  size_t bytes = 0, batch = (size_t)s->batch;
  if (n_atoms <= s->most_atoms) return BT_OK;
  s->runtime->release(s->device, &s->arena);
  s->most_atoms = 0;
  bool placed[ARCHITECTURES] = {false};
  for (int k = 0; k < s->n_networks; k++) {
    const bt_cnn_plan *plan = s->networks[k].plan;
    for (int f = 0; !placed[plan->architecture] && f < plan->n_fields; f++) {
      bt_cnn_field *field = &s->fields[plan->architecture][f];
      size_t side = (size_t)plan->fields[f].edge + 2;
      *field = plan->fields[f];
      field->at = take(&bytes, batch * side * side * side * (size_t)field->stride * sizeof(float));
    }
    placed[plan->architecture] = true;
  }
  s->slabs = take(&bytes, !s->has_local ? batch * BT_CNN_EDGE * BT_CNN_SLAB * sizeof(float) : 0);
  s->outputs = take(&bytes, batch * BT_CNN_OUTPUTS * sizeof(float));
  s->extents = take(&bytes, batch * BT_CNN_CHANNELS * sizeof(bt_cnn_extent));
  s->channels = take(&bytes, BT_CNN_CHANNELS * sizeof(int));
  s->atoms = take(&bytes, (size_t)n_atoms * sizeof(bt_cnn_atom));
  BT_TRY(s->runtime->allocate(s->device, bytes, &s->arena, opt_error));
  BT_TRY(s->runtime->clear(s->device, &s->arena, 0, bytes, opt_error));
  s->most_atoms = n_atoms;
  return BT_OK;
}

static bt_status add_network(bt_cnn_scorer *s, const bt_cnn_weights *weights, bt_error *opt_error) {
  network *net = &s->networks[s->n_networks++];
  BT_TRY(bt_cnn_plan_create(weights, s->products, &net->plan, opt_error));
  size_t bytes = net->plan->n_weights * sizeof(float);
  BT_TRY(s->runtime->allocate(s->device, bytes, &net->weights, opt_error));
  return s->runtime->upload(s->device, &net->weights, 0, net->plan->weights, bytes, opt_error);
}

/* Best first; the last one every device has. */
static const int quickest[] = {BT_CNN_BF16_3, BT_CNN_SINGLE};

static bt_status open_program(bt_cnn_scorer *s, int products, bt_error *opt_error) {
  bt_variant variant = {{products}, 0};
  BT_TRY(s->runtime->program(s->device, &module, &variant, &s->program, opt_error));
  bt_kernel_limits limits = s->runtime->limits(s->device, &module, &variant);
  s->products = products;
  s->items = limits.items < BT_CNN_ITEMS ? limits.items : BT_CNN_ITEMS;
  s->has_local = limits.local > 0;
  if (products == BT_CNN_SINGLE || (s->items == BT_CNN_ITEMS && limits.local >= BRICK_BYTES)) return BT_OK;
  return bt_variant_missing(s->backend->name, &module, &variant, opt_error);
}

static bt_status open_named(bt_cnn_scorer *s, const bt_cnn_device *device, bt_error *opt_error) {
  BT_TRY(bt_backend_find(device->opt_name, &s->backend, opt_error));
  s->runtime = s->backend->runtime;
  s->runtime->device_properties(s->backend->device, &s->properties);
  BT_TRY(s->runtime->open(s->backend->device, &s->device, opt_error));
  if (s->runtime->opt_use_threads != NULL) s->runtime->opt_use_threads(s->device, device->threads);
  s->batch = !s->properties.cpu ? GPU_BATCH : device->threads > 0 ? device->threads : bt_thread_count_default();
  if (device->products != BT_CNN_QUICKEST) return open_program(s, device->products, opt_error);
  bt_status status = BT_ERR_DEVICE;
  for (size_t k = 0; status != BT_OK && k < sizeof quickest / sizeof *quickest; k++)
    status = open_program(s, quickest[k], opt_error);
  return status;
}

/* A device that runs no networks, such as OpenMP's, leaves them to the CPU. */
static bt_status open_device(bt_cnn_scorer *s, const bt_cnn_device *device, bt_error *opt_error) {
  bt_status status = open_named(s, device, opt_error);
  if (status != BT_ERR_LIMIT || device->products != BT_CNN_QUICKEST) return status;
  s->runtime->close(s->device);
  s->device = NULL;
  const bt_cnn_device processor = {"cpu", device->threads, BT_CNN_QUICKEST, device->sharers};
  return open_named(s, &processor, opt_error);
}

/* No more poses at a time than fit into a quarter of the free memory, all scorers that share it together. */
static void fit_batch(bt_cnn_scorer *s, int sharers) {
  size_t bytes = 0, most = s->properties.free_memory / 4 / (size_t)(sharers > 1 ? sharers : 1);
  bool seen[ARCHITECTURES] = {false};
  for (int k = 0; k < s->n_networks; k++) {
    const bt_cnn_plan *plan = s->networks[k].plan;
    for (int f = 0; !seen[plan->architecture] && f < plan->n_fields; f++) {
      size_t side = (size_t)plan->fields[f].edge + 2;
      bytes += side * side * side * (size_t)plan->fields[f].stride * sizeof(float);
    }
    seen[plan->architecture] = true;
  }
  if (s->properties.largest_buffer < most) most = s->properties.largest_buffer;
  while (s->batch > 1 && (size_t)s->batch * bytes > most) s->batch /= 2;
}

bt_status bt_cnn_scorer_open(const bt_cnn_weights *const *networks, int n_networks, const bt_cnn_device *device,
                             bt_cnn_scorer **ret_scorer, bt_error *opt_error) {
  *ret_scorer = NULL;
  bt_cnn_scorer *s = bt_allocate(1, sizeof *s);
  if (s == NULL) return bt_fail_memory(opt_error);
  s->networks = bt_allocate((size_t)n_networks, sizeof *s->networks);
  bt_status status = s->networks != NULL ? open_device(s, device, opt_error) : bt_fail_memory(opt_error);
  for (int k = 0; status == BT_OK && k < n_networks; k++) status = add_network(s, networks[k], opt_error);
  if (status == BT_OK) fit_batch(s, device->sharers);
  return BT_HAND_OVER(status, s, ret_scorer, bt_cnn_scorer_close);
}

void bt_cnn_scorer_close(bt_cnn_scorer *s) {
  if (s == NULL) return;
  for (int k = 0; k < s->n_networks; k++) {
    if (s->networks[k].weights.handle != NULL) s->runtime->release(s->device, &s->networks[k].weights);
    bt_cnn_plan_destroy(s->networks[k].plan);
  }
  if (s->arena.handle != NULL) s->runtime->release(s->device, &s->arena);
  if (s->device != NULL) s->runtime->close(s->device);
  free(s->networks);
  free(s);
}

void bt_cnn_scorer_measure(bt_cnn_scorer *scorer, bt_busy *opt_busy) {
  if (scorer->runtime->opt_measure != NULL) scorer->runtime->opt_measure(scorer->device, opt_busy);
}

int bt_cnn_scorer_batch(const bt_cnn_scorer *scorer) { return scorer->batch; }
const char *bt_cnn_scorer_device(const bt_cnn_scorer *scorer) { return scorer->backend->name; }
int bt_cnn_scorer_products(const bt_cnn_scorer *scorer) { return scorer->products; }

/* ---- 2. Poses ---- */

/* What a batch uploads. */
typedef struct upload {
  bt_cnn_atom *atoms;
  bt_cnn_extent *extents; /* [n_poses][n_used] */
  int used[BT_CNN_CHANNELS], n_used; /* channels that occur in the batch */
  int n_atoms;
} upload;

/* Tensor cores take 16 channels at a time: they are given all of them. */
static void list_channels(upload *up, const bt_cnn_pose *poses, int n_poses, bool all) {
  bool seen[BT_CNN_CHANNELS] = {false};
  for (int p = 0; p < n_poses; p++)
    for (int i = 0; i < poses[p].n_sites; i++)
      if (poses[p].sites[i].channel >= 0) seen[poses[p].sites[i].channel] = true;
  up->n_used = 0;
  for (int c = 0; c < BT_CNN_CHANNELS; c++)
    if (seen[c] || all) up->used[up->n_used++] = c;
}

/* Atoms of a pose relative to its center, channel by channel in their order. */
static void list_atoms(upload *up, const bt_cnn_pose *pose, bt_cnn_extent *extents) {
  int place[BT_CNN_CHANNELS] = {0};
  for (int i = 0; i < pose->n_sites; i++)
    if (pose->sites[i].channel >= 0) place[pose->sites[i].channel]++;
  for (int u = 0; u < up->n_used; u++) {
    extents[u] = (bt_cnn_extent){up->n_atoms, place[up->used[u]]};
    place[up->used[u]] = up->n_atoms;
    up->n_atoms += extents[u].count;
  }
  for (int i = 0; i < pose->n_sites; i++) {
    const bt_cnn_site *site = &pose->sites[i];
    if (site->channel < 0) continue;
    const double *center = pose->center;
    up->atoms[place[site->channel]++] = (bt_cnn_atom){(float)(site->x[0] - center[0]), (float)(site->x[1] - center[1]),
                                                      (float)(site->x[2] - center[2]), (float)site->radius};
  }
}

static bt_status send(bt_cnn_scorer *s, upload *up, const bt_cnn_pose *poses, int n_poses, bt_error *opt_error) {
  int n_sites = 0;
  for (int p = 0; p < n_poses; p++) n_sites += poses[p].n_sites;
  list_channels(up, poses, n_poses, s->products != BT_CNN_SINGLE);
  BT_SCOPED bt_cnn_atom *atoms = up->atoms = bt_allocate((size_t)n_sites, sizeof *atoms);
  BT_SCOPED bt_cnn_extent *extents = up->extents = bt_allocate((size_t)(n_poses * up->n_used), sizeof *extents);
  if (atoms == NULL || extents == NULL) return bt_fail_memory(opt_error);
  for (int p = 0; p < n_poses; p++) list_atoms(up, &poses[p], extents + (ptrdiff_t)p * up->n_used);
  BT_TRY(make_arena(s, up->n_atoms > s->most_atoms ? up->n_atoms + up->n_atoms / 4 : up->n_atoms, opt_error));
  const bt_runtime *run = s->runtime;
  BT_TRY(run->upload(s->device, &s->arena, (size_t)s->atoms, atoms, (size_t)up->n_atoms * sizeof *atoms, opt_error));
  BT_TRY(run->upload(s->device, &s->arena, (size_t)s->extents, extents,
                     (size_t)(n_poses * up->n_used) * sizeof *extents, opt_error));
  return run->upload(s->device, &s->arena, (size_t)s->channels, up->used, sizeof up->used, opt_error);
}

/* ---- 3. Launches ---- */

static bt_status start(bt_cnn_scorer *s, bt_cnn_kernel kernel, size_t blocks, const bt_runtime_buffer *opt_weights,
                       const bt_cnn_launch *launch, bt_error *opt_error) {
  const bool matrices = s->products != BT_CNN_SINGLE;
  const size_t local[] = {
      [BT_CNN_GRID] = BT_CNN_CUBE_BYTES,
      [BT_CNN_CONVOLVE] = matrices ? BRICK_BYTES : 0,
      [BT_CNN_OUTPUT] = (size_t)s->items * BT_CNN_OUTPUTS * sizeof(float),
  };
  bt_launch_size size = {blocks, s->items, 0};
  if (s->has_local) size.local_bytes = local[kernel];
  if (s->has_local && kernel == BT_CNN_GRID) size.items = BT_CNN_CUBE_ITEMS;
  return s->runtime->launch(s->device, s->program, kernel, size, &s->arena, opt_weights, launch, opt_error);
}

/* Of a layer. */
static size_t blocks_of(const bt_cnn_scorer *s, const bt_cnn_layer *layer, const bt_cnn_launch *launch) {
  size_t poses = (size_t)launch->n_poses, edge = (size_t)launch->to.edge;
  if (layer->kernel == BT_CNN_OUTPUT) return poses;
  if (layer->kernel != BT_CNN_CONVOLVE || s->products == BT_CNN_SINGLE) return poses * edge;
  int side[3];
  BT_CNN_BRICK(launch->to.edge, side);
  size_t bricks = edge * edge * edge / (size_t)(side[0] * side[1] * side[2]);
  return poses * bricks * (size_t)(launch->n_out / (launch->n_out % 32 == 0 ? 32 : 16));
}

/* The first fields of the architectures in use. */
static bt_status make_grid(bt_cnn_scorer *s, bt_cnn_range range, const upload *up, int n_poses, bt_error *opt_error) {
  const bt_cnn_field none = {.at = -1};
  bt_cnn_launch launch = {.to = none, .peak = none, .n_poses = n_poses, .n_in = up->n_used};
  launch.atoms = s->atoms;
  launch.extents = s->extents;
  launch.slabs = s->slabs;
  for (int k = range.first; k < range.end; k++) {
    const bt_cnn_plan *plan = s->networks[k].plan;
    *(plan->maxima ? &launch.peak : &launch.to) = s->fields[plan->architecture][0];
  }
  const size_t side = BT_CNN_EDGE / BT_CNN_CUBE, parts = s->has_local ? side * side * side : BT_CNN_EDGE;
  return start(s, BT_CNN_GRID, (size_t)n_poses * parts, &s->networks[0].weights, &launch, opt_error);
}

static bt_status run_network(bt_cnn_scorer *s, const network *net, const upload *up, int n_poses, float *outputs,
                             bt_error *opt_error) {
  const bt_cnn_field *fields = s->fields[net->plan->architecture];
  for (int l = 0; l < net->plan->n_layers; l++) {
    const bt_cnn_layer *layer = &net->plan->layers[l];
    bt_cnn_launch launch = layer->launch;
    launch.from = fields[layer->from];
    launch.to = fields[layer->to];
    launch.n_poses = n_poses;
    launch.outputs = s->outputs;
    if (l == 0) { /* the first field has the channels that occur */
      launch.channels = s->channels;
      launch.n_in = up->n_used;
    }
    BT_TRY(start(s, layer->kernel, blocks_of(s, layer, &launch), &net->weights, &launch, opt_error));
  }
  size_t bytes = (size_t)n_poses * BT_CNN_OUTPUTS * sizeof *outputs;
  return s->runtime->download(s->device, outputs, &s->arena, (size_t)s->outputs, bytes, opt_error);
}

static bt_status run_batch(bt_cnn_scorer *s, bt_cnn_range range, const bt_cnn_pose *poses, int n_poses,
                           bt_cnn_output *outputs, bt_error *opt_error) {
  upload up = {0};
  BT_SCOPED float *given = bt_allocate((size_t)n_poses * BT_CNN_OUTPUTS, sizeof *given);
  if (given == NULL) return bt_fail_memory(opt_error);
  BT_TRY(send(s, &up, poses, n_poses, opt_error));
  BT_TRY(make_grid(s, range, &up, n_poses, opt_error));
  for (int k = range.first; k < range.end; k++) {
    BT_TRY(run_network(s, &s->networks[k], &up, n_poses, given, opt_error));
    for (int p = 0; p < n_poses; p++)
      outputs[p * s->n_networks + k] =
          (bt_cnn_output){{given[3 * p], given[3 * p + 1]}, given[3 * p + 2]};
  }
  return BT_OK;
}

bt_status bt_cnn_scorer_run(bt_cnn_scorer *s, bt_cnn_range range, const bt_cnn_pose *poses, int n_poses,
                            bt_cnn_output *outputs, bt_error *opt_error) {
  for (int p = 0; p < n_poses; p += s->batch) {
    int n = n_poses - p < s->batch ? n_poses - p : s->batch;
    BT_TRY(run_batch(s, range, poses + p, n, outputs + p * s->n_networks, opt_error));
  }
  return BT_OK;
}
